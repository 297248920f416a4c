"""A swap as it is kept: who asked, who has agreed, what it changed, and until when it can be taken back."""

from datetime import datetime, timedelta
from typing import Literal

from attrs import evolve, frozen

SwapType = Literal["ONE_TO_ONE", "ABSORB"]
SwapStatus = Literal["requested", "approved", "declined", "executed", "rolled_back", "withdrawn", "cancelled"]

ROLLBACK_WINDOW = timedelta(hours=24)
"""How long an executed swap can be taken back. Our own choice: a day, in which both will have seen it."""


@frozen
class Approval:
    """One party's answer; ``recorded_by`` is the subject of whoever entered it."""

    person: str
    accepted: bool
    at: datetime
    recorded_by: str | None


@frozen
class Ending:
    """Who ended a swap that was not carried out, when, and why."""

    at: datetime
    by: str | None
    why: str | None


@frozen
class Undo:
    """One cell as it was: person key, day as ISO text, session, service code or None for free."""

    person: str
    day: str
    session: int
    before: str | None
    after: str | None


@frozen
class Swap:
    """One wanted swap between two people, by their keys, in these blocks (ids)."""

    id: str
    kind: SwapType
    requester: str
    target: str
    blocks: tuple[str, ...]
    status: SwapStatus
    created_at: datetime
    created_by: str | None
    approvals: tuple[Approval, ...] = ()
    changes: tuple[Undo, ...] = ()
    executed_at: datetime | None = None
    ending: Ending | None = None
    duties: tuple[tuple[str | None, str | None], ...] = ()
    """What both had in each half-day when it was asked for, by service codes; empty of swaps kept before that was."""

    @property
    def parties(self) -> tuple[str, str]:
        """Both people's keys."""
        return self.requester, self.target

    @property
    def missing(self) -> tuple[str, ...]:
        """Parties that have not accepted."""
        accepted = {approval.person for approval in self.approvals if approval.accepted}
        return tuple(person for person in self.parties if person not in accepted)

    @property
    def rollback_deadline(self) -> datetime | None:
        """Until when it can be taken back."""
        return None if self.executed_at is None else self.executed_at + ROLLBACK_WINDOW

    def same_as(self, other: "Swap") -> bool:
        """Whether both ask for one thing, of the same duties: an exchange may be asked for by either party."""
        parties = (
            set(self.parties) == set(other.parties) if self.kind == "ONE_TO_ONE" else self.parties == other.parties
        )
        duties = not self.duties or not other.duties or _had(self) == _had(other)
        return self.kind == other.kind and parties and set(self.blocks) == set(other.blocks) and duties

    def answered(self, approval: Approval) -> "Swap":
        """The swap after one party's answer: one refusal declines it, both acceptances approve it."""
        others = tuple(given for given in self.approvals if given.person != approval.person)
        after = evolve(self, approvals=(*others, approval))
        if not approval.accepted:
            return evolve(after, status="declined")
        return evolve(after, status="requested" if after.missing else "approved")


def _had(swap: Swap) -> list[list[str]]:
    """What both people of a swap had, in whichever order."""
    return sorted(sorted((f"{swap.requester} {one}", f"{swap.target} {other}")) for one, other in swap.duties)
