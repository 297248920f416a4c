"""What is asked of a roster: demands, leave, preferences, and locks of half-days and of rotations."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Literal

from attrs import evolve, field, frozen

from packhorse_scheduling.domain.programme.calendar import SESSIONS, Session
from packhorse_scheduling.domain.programme.kinds import LeaveKind
from packhorse_scheduling.domain.programme.people import Role

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.programme import Programme

LeaveStatus = Literal["requested", "approved", "declined"]


@frozen
class Demand:
    """How many of one role a service needs in the half-days it names.

    ``weekdays`` count from Monday 0; ``holidays`` says whether federal holidays
    are included. A later demand of the same service and role replaces an
    earlier one in the half-days that it covers.
    """

    service: str
    role: Role
    minimum: int
    maximum: int = field()
    weekdays: frozenset[int] = frozenset(range(7))
    sessions: tuple[Session, ...] = SESSIONS
    holidays: bool = True
    start: date | None = None
    end: date | None = None

    @maximum.validator
    def _ordered(self, attribute: object, value: int) -> None:
        if not 0 <= self.minimum <= value:
            raise ValueError("minimum is between 0 and maximum")


@frozen
class Leave:
    """Days away, both ends included. Approved leave of a blocking kind takes the person off the roster."""

    person: str
    start: date
    end: date = field()
    kind: LeaveKind = "vacation"
    status: LeaveStatus = "approved"
    blocking: bool = True

    @end.validator
    def _ordered(self, attribute: object, value: date) -> None:
        if value < self.start:
            raise ValueError(f"leave ends on {value}, before it starts on {self.start}")

    @property
    def binds(self) -> bool:
        """Whether the person cannot be assigned on these days."""
        return self.blocking and self.status == "approved"


@frozen
class Preference:
    """A wish about one day: not to work (``avoid``) or to work, in one session or both, on any service or one."""

    person: str
    day: date
    session: Session | None = None
    service: str | None = None
    avoid: bool = True
    weight: int = 1


@frozen
class Lock:
    """A cell that must stay: this service, or None for free."""

    person: str
    day: date
    session: Session
    service: str | None


@frozen
class RotationLock:
    """A person who must be on this rotation on these days, both included; with ``avoid``, who must not.

    It holds every unit of the rotation plan of which it covers a day.
    """

    person: str
    start: date
    end: date = field()
    rotation: str
    avoid: bool = False

    @end.validator
    def _ordered(self, attribute: object, value: date) -> None:
        if value < self.start:
            raise ValueError(f"a rotation lock ends on {value}, before it starts on {self.start}")


FIRST = 7
"""The weight of a first wish, whoever has it; the next weigh 6 to 1, and from the seventh on 1.

At 8 a unit (`solve.wishes.WISH`) a first wish costs 56: less than a rest below eight hours (60)."""


def weight_of(rank: int) -> int:
    """What the wish at this place weighs; 1 is the dearest."""
    return max(1, FIRST + 1 - rank)


def with_wishes(programme: "Programme", ranked: Mapping[str, Sequence[Preference]]) -> "Programme":
    """The programme with people's own wishes, by key, in the place of those that a file has for them."""
    own = [row for person in programme.people for row in ranked.get(person.key, ()) if row.day in programme.year]
    kept = [row for row in programme.preferences if row.person not in ranked]
    return evolve(programme, preferences=(*kept, *own))
