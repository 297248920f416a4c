"""A person decides: what waits, in words; who may decide it; and links that open its page once."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from packhorse import Host, Principal, UserError
from packhorse_pai.domain.people import HUMAN, Person
from packhorse_pai.service import PAGE, acting
from packhorse_pai.service.trail.counters import Counters
from packhorse_pai.store.approvals import Approval
from packhorse_pai.store.records import Records

LINK_MINUTES = 15
"""How long a link to a decision works."""


class Approving:
    """Calls that wait, and people's decisions on them. ``four_eyes`` is on, off, or on where callers are known."""

    def __init__(self, host: Host, records: Records, counters: Counters, four_eyes: Callable[[], bool | str]) -> None:
        self._host = host
        self._records = records
        self._links = records.links(host.clock)
        self._counters = counters
        self._four_eyes = four_eyes

    def pending(self) -> Sequence[Approval]:
        """Calls that wait for a person, oldest first."""
        return self._records.approvals(self._host.clock())

    def of_tree(self, root: str) -> list[Approval]:
        """Those of one run tree."""
        return [one for one in self.pending() if (row := self._records.run(one.run)) and row["root"] == root]

    def mission(self, approval: Approval) -> tuple[str, bool]:
        """The mission that a call belongs to, and whether a person stands behind its words."""
        row = self._records.run(approval.run)
        root = self._records.run(row["root"]) if row else None
        return (root["mission"], root["mission_by"] == "person") if root else ("", False)

    def needs_two(self, owner: str) -> bool:
        """Whether somebody else than the starter of a run must decide."""
        chosen = self._four_eyes()
        return owner.startswith(f"{HUMAN}:") if chosen == "auto" else bool(chosen)

    def decide(self, approval: str, *, approve: bool, by: str, comment: str | None = None) -> Approval:
        """Approve or deny a call that waits. Approving one confirms the mission of its run.

        Raises:
            UserError: it does not wait any more, or this person may not decide it.
        """
        now = self._host.clock()
        found = self._records.approval(approval, now)
        if found is None:
            raise UserError(
                "There is no approval with this id. 'packhorse pai pending' lists them.", code="UNKNOWN_APPROVAL"
            )
        if self.needs_two(found.owner) and found.owner == by:
            raise UserError(
                "The person who started the run cannot approve its calls on this server. Ask a second person.",
                code="FOUR_EYES",
            )
        if not self._records.decide(approval, approve=approve, by=by, comment=comment, now=now):
            raise UserError(
                f"This approval is already {found.state}. For a new approval, start the agent again.",
                code="NOT_PENDING",
            )
        if approve and (row := self._records.run(found.run)) is not None:
            self._records.confirm_mission(row["root"])
        self._counters.approval("approved" if approve else "denied")
        self._on_record(found, "approve" if approve else "deny", by, comment)
        return found

    def _on_record(self, approval: Approval, word: str, by: str, comment: str | None) -> None:
        """The decision in the host's record, where that of a page's form has neither."""
        person = Person.read(by)
        why = {"why": comment} if comment else {}
        facts = {"run": approval.run, "agent": approval.agent, "by": person.words, **why}
        self._host.record(f"{word} {approval.tool} {approval.id}", acting.principal_of(person), **facts)

    # --- links ---

    def call_person(self, root: str, approval: str) -> str:
        """Where the person decides, in words; the page of a run of this machine's own user is opened there.

        The link of that page works without any sign-in, so it stands in no words.
        """
        owner = row["owner"] if (row := self._records.run(root)) is not None else ""
        opened = owner.startswith("local:") and self._host.open_page(PAGE.replace("{key}", self.link(root)))
        page = self._host.approvals_at()
        ways = ["on the page that has opened in the browser of their machine"] if opened else []
        ways += [f"at {page}"] if page else []
        ways.append(f"by `packhorse pai decide {approval}` at a terminal of the server")
        who = "Somebody else than who started the run decides" if self.needs_two(owner) else "The person decides"
        return f"{who} {', or '.join(ways)}."

    def link(self, root: str) -> str:
        """A new secret that opens the page of a run tree."""
        return self._links.issue(root, timedelta(minutes=LINK_MINUTES))

    def opened(self, secret: str) -> str:
        """The run tree of a link; looking spends nothing.

        Raises:
            UserError: it was used, has run out, or never was one.
        """
        return _tree(self._links.about(secret))

    def spend(self, secret: str) -> str:
        """The run tree of a link, which is used up.

        Raises:
            UserError: as `opened`.
        """
        return _tree(self._links.spend(secret))

    @staticmethod
    def by_of(principal: Principal) -> str:
        """Who decided, as one text."""
        return acting.owner_of(principal)


def _tree(about: str | None) -> str:
    if about is None:
        raise UserError(
            "This link was used or has expired. At the terminal, use 'packhorse pai pending'.", code="NO_LINK"
        )
    return about
