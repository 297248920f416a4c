"""The pack's desk: opens the library once, answers who may do what, and decides approvals."""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from packhorse import Call, Context, Host, Measure, Principal, UserError
from packhorse_pai.domain.compiling import Compiled
from packhorse_pai.domain.decision import Ask, Decision, decide
from packhorse_pai.domain.policy import Policy
from packhorse_pai.service import acting
from packhorse_pai.service.engine import Engine
from packhorse_pai.service.gate import Gate
from packhorse_pai.service.library import Library
from packhorse_pai.service.tally import Tally
from packhorse_pai.store import Approval, Records

SHOWN_ESCALATIONS = 50


class AgentDesk:
    """Everything that tools, commands and the guard ask. Nothing is read before the first question."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.records = Records(host)

    @cached_property
    def library(self) -> Library:
        """Cards, sources and playbooks."""
        settings = self._host.settings
        return Library.opened(
            getattr(settings, "cards", None),
            getattr(settings, "governance", None),
            getattr(settings, "playbooks", None),
        )

    @cached_property
    def tally(self) -> Tally:
        """What is counted."""
        return Tally(lambda: frozenset(self.library.readings))

    def figures(self) -> Sequence[Measure]:
        """The metrics as they stand now."""
        return self.tally.figures(
            self.gate.active,
            {
                "pending_approvals": ("Calls that wait for a person.", len(self.pending())),
                "stopped": ("1 while the kill switch is on.", float(self.records.stopped())),
            },
        )

    @cached_property
    def gate(self) -> Gate:
        """The judgement of agents' calls."""
        return Gate(self.records, self._host.clock, self.tally)

    @cached_property
    def engine(self) -> Engine:
        """What runs agents."""
        models = getattr(self._host.settings, "models", None)
        return Engine(self._host, self.library, self.records, self.gate, self.tally, models)

    @property
    def runtime(self) -> str:
        """What drives an agent that a person invokes."""
        return str(getattr(self._host.settings, "runtime", "playbook"))

    @property
    def four_eyes(self) -> bool:
        """Whether the person who approves must be another than the starter of the run."""
        return bool(getattr(self._host.settings, "four_eyes", False))

    def now(self) -> datetime:
        """The present instant."""
        return self._host.clock()

    def judge(self, principal: Principal, call: Call) -> str | None:
        """The guard's verdict on any call of this deployment."""
        return self.gate.judge(principal, call)

    def compiled(self, ctx: Context) -> Compiled:
        """Policy and conflicts on this host, with the tools that the caller may see."""
        return self.library.compiled(acting.host_tools(acting.offered(ctx)))

    def explain(self, policy: Policy, agent: str, tool: str) -> Decision:
        """Whether an agent may use a tool now, taking its preconditions as met: those are told beside it."""
        rule = policy.preconditions.get(tool)
        facts = frozenset(rule.facts) if rule is not None else frozenset[str]()
        return decide(policy, Ask((agent,), tool, facts=facts, stopped=self.records.stopped()))

    def escalations(self) -> list[dict[str, Any]]:
        """What agents passed on to others last, newest first: which agent, to whom, the event, and why."""
        return self.records.latest_escalations(SHOWN_ESCALATIONS)

    def pending(self) -> Sequence[Approval]:
        """Calls that wait for a person."""
        return self.records.approvals(self._host.clock())

    def decide(self, approval: str, *, approve: bool, by: str, comment: str | None = None) -> Approval:
        """Approve or deny a call that waits.

        Raises:
            UserError: it does not wait any more, or this person may not decide it.
        """
        now = self._host.clock()
        found = self.records.approval(approval, now)
        if found is None:
            raise UserError("There is no approval with this id; see list_pending_approvals.", code="UNKNOWN_APPROVAL")
        if self.four_eyes and found.owner == by:
            raise UserError(
                "You cannot approve calls of a run that you started. Ask a second person.",
                code="FOUR_EYES",
            )
        if not self.records.decide(approval, approve=approve, by=by, comment=comment, now=now):
            raise UserError(
                f"That approval is {found.state} and cannot be decided again. Start the agent again for a new"
                " approval.",
                code="NOT_PENDING",
            )
        self.tally.approval("approved" if approve else "denied")
        return found


_DESKS: "WeakKeyDictionary[Host, AgentDesk]" = WeakKeyDictionary()


def desk_of(host: Host) -> AgentDesk:
    """The one desk of a host: the guard must know the runs that the tools started."""
    return _DESKS.setdefault(host, AgentDesk(host))
