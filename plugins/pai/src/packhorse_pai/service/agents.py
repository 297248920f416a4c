"""What tools, pages, commands and the guard share: the library, opened once, and what runs and judges agents."""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from packhorse import Call, Context, Host, Measure, Principal, UserError
from packhorse_pai.domain.compiling import Compiled
from packhorse_pai.domain.decision import Ask, Decision, decide
from packhorse_pai.domain.people import Person
from packhorse_pai.domain.policy import SPAWN_TOOLS, HostTool, Policy
from packhorse_pai.errors import GovernanceError
from packhorse_pai.service import acting, is_fenced
from packhorse_pai.service.judging.approving import Approving
from packhorse_pai.service.judging.checker import Checker
from packhorse_pai.service.library import Library
from packhorse_pai.service.running.acts import Acts
from packhorse_pai.service.running.engine import Engine
from packhorse_pai.service.running.runs import CLIENT
from packhorse_pai.service.running.steps import OWN_ACCOUNT
from packhorse_pai.service.trail.counters import Counters
from packhorse_pai.store.records import Records

SHOWN_ESCALATIONS = 50


class AgentService:
    """Everything that tools, commands and the guard ask. Nothing is read before the first question."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.records = Records(host)

    @cached_property
    def library(self) -> Library:
        """Cards, sources and playbooks.

        Raises:
            UserError: a folder or file of the deployer's that cannot be read; the log of the start names it.
        """
        settings = self._host.settings
        try:
            return Library.opened(
                getattr(settings, "cards", None),
                getattr(settings, "governance", None),
                getattr(settings, "playbooks", None),
            )
        except GovernanceError as exc:
            raise UserError(
                "This server's agents cannot be read. Its log says why, and so does 'packhorse check': the operator"
                " can correct the file and start the server again.",
                code="AGENTS_UNREADABLE",
            ) from exc

    @cached_property
    def counters(self) -> Counters:
        """What is counted."""
        return Counters(lambda: frozenset(self.library.readings))

    def figures(self) -> Sequence[Measure]:
        """The metrics as they stand now."""
        return self.counters.figures(
            self.checker.active,
            {
                "pending_approvals": ("Calls that wait for a person.", len(self.approving.pending())),
                "stopped": ("1 while the kill switch is on.", float(self.records.stopped())),
            },
        )

    @cached_property
    def checker(self) -> Checker:
        """The judgement of agents' calls."""
        tasks_ask = self.fenced and not self.by_person
        return Checker(self.records, self._host.clock, self.counters, tasks_ask=tasks_ask)

    @cached_property
    def approving(self) -> Approving:
        """What waits for a person."""
        return Approving(self._host, self.records, self.counters, lambda: self._setting("four_eyes", "auto"))

    @cached_property
    def engine(self) -> Engine:
        """What runs agents."""
        call_person = self.approving.call_person
        models = self._setting("models", None)
        return Engine(self._host, self.library, self.records, self.checker, self.counters, call_person, models)

    @cached_property
    def acts(self) -> Acts:
        """What plays open runs, move by move."""
        return Acts(self._host, self.records, self.checker, self.engine)

    @property
    def runtime(self) -> str:
        """What drives an agent that a person invokes without a task."""
        return str(self._setting("runtime", CLIENT))

    @property
    def fenced(self) -> bool:
        """Whether what changes something can be called by agents alone."""
        return is_fenced(self._host)

    @property
    def own_tools(self) -> frozenset[str]:
        """This pack's tools that begin runs and make their moves: what they do is judged by itself."""
        return frozenset({"act_as_agent", *SPAWN_TOOLS})

    def is_own_account(self, principal: Principal) -> bool:
        """Whether this is the host's own call, for a run that needs a proof; never a client's."""
        return OWN_ACCOUNT.get() == acting.owner_of(principal)

    def served(self) -> dict[str, HostTool]:
        """The tools of every pack that these settings serve: for the terminal, where no caller is at hand."""
        return acting.host_tools(self._host.served())

    @property
    def own_cards(self) -> Path | None:
        """The deployer's folder of cards."""
        folder: Path | None = self._setting("cards", None)
        return folder

    @property
    def by_person(self) -> bool:
        """Whether missions come from people by themselves, as the deployer says."""
        return bool(self._setting("missions", "client") == "person")

    def _setting(self, name: str, default: Any) -> Any:
        return getattr(self._host.settings, name, default)

    def now(self) -> datetime:
        """The present instant."""
        return self._host.clock()

    def judge(self, principal: Principal, call: Call) -> str | None:
        """The guard's verdict on any call of this deployment."""
        return self.checker.judge(principal, call)

    def compiled(self, ctx: Context) -> Compiled:
        """Policy and conflicts on this host, with the tools that the caller may see."""
        return self.library.compiled(acting.host_tools(ctx.offered()))

    def explain(self, policy: Policy, agent: str, tool: str) -> Decision:
        """Whether an agent may use a tool now, taking its preconditions as met: they stand beside the answer."""
        facts = frozenset(policy.needs(tool))
        return decide(policy, Ask((agent,), tool, facts=facts, stopped=self.records.stopped()))

    def stop(self, by: Person) -> None:
        """Stop every agent, in every process of this server."""
        self.records.stop(str(by), self.now())
        self._host.record("stop all agents", acting.principal_of(by), by=by.words)

    def start(self, by: Person) -> None:
        """Let agents work again."""
        self.records.start()
        self._host.record("start agents again", acting.principal_of(by), by=by.words)

    def escalations(self) -> list[dict[str, Any]]:
        """What agents passed on to others last, newest first: which agent, to whom, the event, and why."""
        return self.records.latest_escalations(SHOWN_ESCALATIONS)
