"""The judgement of every call that an agent makes, nested ones included: it stands in the host's own door."""

import threading
from collections.abc import Mapping
from typing import Any

from packhorse import Call, Principal
from packhorse.contract.clock import Clock
from packhorse_pai.domain.actions import action_digest
from packhorse_pai.domain.budgets import Kind, Pace, reserve
from packhorse_pai.domain.decision import Ask, Decision, Effect, Reason, Rule, decide, decide_spawn
from packhorse_pai.domain.facts import holding
from packhorse_pai.domain.policy import SPAWN_TOOLS
from packhorse_pai.service.acting import owner_of, person_of, run_of
from packhorse_pai.service.runs import Run, Wanted
from packhorse_pai.service.tally import Tally
from packhorse_pai.store import Records

_ARGUMENT: Mapping[str, str] = {"invoke_agent": "agent_name", "invoke_coordinator_agent": "coordinator_name"}


class Gate:
    """Runs at work, and what they may do. One lock: budgets of a tree are taken by one call at a time."""

    def __init__(self, records: Records, clock: Clock, tally: Tally) -> None:
        self._records = records
        self._tally = tally
        self._clock = clock
        self._lock = threading.Lock()
        self._runs: dict[str, Run] = {}
        self._paces: dict[str, Pace] = {}

    def enter(self, run: Run) -> None:
        """A run begins, or goes on."""
        with self._lock:
            self._runs[run.id] = run

    def leave(self, run: Run) -> None:
        """A run ends, or waits: from now on nothing may be called in its name."""
        with self._lock:
            self._runs.pop(run.id, None)

    def find(self, run: str | None) -> Run | None:
        """A run at work."""
        with self._lock:
            return self._runs.get(run) if run is not None else None

    @property
    def active(self) -> int:
        """How many runs are at work."""
        with self._lock:
            return len(self._runs)

    def judge(self, principal: Principal, call: Call) -> str | None:
        """None to allow, or why not. A caller that is no agent is not this gate's business."""
        if principal.kind != "agent":
            return None
        run = self.find(run_of(principal))
        if run is None or run.chain != principal.chain or run.person != person_of(principal):
            return "This agent has no run on this host."
        if run.owner != owner_of(principal):
            return "This agent acts for another person."
        decision = self.decided(run, call.tool, _plain(call.arguments), consume=True)
        first = decision.reasons[0].rule
        self._tally.decision(run.agent, decision.effect, first)
        if first is Rule.APPROVED:
            self._tally.approval("used")
        if decision.allowed:
            return None
        run.denials.extend(decision.reasons)
        return decision.text

    def decided(self, run: Run, tool: str, arguments: Mapping[str, Any], *, consume: bool) -> Decision:
        """The verdict on a call of ``run`` now. With ``consume``, budget and approval are used up by an allow."""
        stopped = self._records.stopped()
        if tool in SPAWN_TOOLS:
            return self._spawn(run, tool, arguments, stopped=stopped, consume=consume)
        now = self._clock()
        rule = run.policy.preconditions.get(tool)
        ask = Ask(
            run.chain,
            tool,
            facts=holding(self._records.facts(run.root), rule, arguments, now) if rule else frozenset(),
            stopped=stopped,
            supervised=any(above.supervised for above in run.line),
        )
        decision = decide(run.policy, ask)
        offered = run.policy.tools.get(tool)
        if any(above.reading for above in run.line) and offered is not None and not offered.read_only:
            reason = Reason(Rule.FORBIDDEN, f"This run may change nothing, but {tool} may change something.")
            return Decision(Effect.DENY, (reason,))
        if decision.effect is Effect.DENY or not consume:
            return decision
        if (exhausted := self._reserve(run, {"calls": 1})) is not None:
            return exhausted
        if decision.effect is Effect.ALLOW:
            return decision
        pinned = run.policy.tools[tool].digest  # there is one: what this host does not offer was denied above
        action = self.action(run, tool, arguments)
        if not self._records.consume(run.id, action, run.policy.digest, pinned, now):
            run.wanted = Wanted(tool, arguments, action)
            return decision
        return Decision(Effect.ALLOW, (Reason(Rule.APPROVED, f"A person approved this call of {tool}."),))

    def action(self, run: Run, tool: str, arguments: Mapping[str, Any]) -> str:
        """The digest that an approval of this call is bound to."""
        offered = run.policy.tools.get(tool)
        return action_digest(
            tool=tool,
            tool_digest=offered.digest if offered else "",
            arguments=arguments,
            chain=run.chain,
            owner=run.owner,
            policy=run.policy.digest,
        )

    def take(self, run: Run, kind: Kind, amount: int) -> str | None:
        """Use some of the budget; what is exhausted, where it is."""
        with self._lock:
            return reserve(run.ledgers, {kind: amount}, self._clock())

    def _spawn(self, run: Run, tool: str, arguments: Mapping[str, Any], *, stopped: bool, consume: bool) -> Decision:
        child = SPAWN_TOOLS[tool] or arguments.get(_ARGUMENT[tool])
        decision = decide_spawn(run.policy, run.chain, child if isinstance(child, str) else "", stopped=stopped)
        if not run.spawning:
            reason = Reason(
                Rule.FORBIDDEN,
                f"{run.agent} was invoked with spawn_specialists false, so it may not start specialists.",
            )
            return Decision(Effect.DENY, (reason,))
        if not decision.allowed or not consume:
            return decision
        return self._reserve(run, {"calls": 1, "spawns": 1}) or decision

    def _reserve(self, run: Run, wanted: Mapping[Kind, int]) -> Decision | None:
        now = self._clock()
        with self._lock:
            exhausted = reserve(run.ledgers, wanted, now)
            if exhausted is None and run.card.rate is not None:
                pace = self._paces.setdefault(run.agent, Pace(run.card.rate))
                exhausted = (
                    None if pace.take(now) else f"{run.agent} has made as many calls as its rate allows: {pace.rate}."
                )
        return Decision(Effect.DENY, (Reason(Rule.BUDGET, exhausted),)) if exhausted is not None else None


def _plain(value: Any) -> Any:
    """Frozen arguments as plain JSON values."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
