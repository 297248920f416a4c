"""The judgement of every call that an agent makes, nested ones included: it stands in the host's own door."""

import threading
from collections.abc import Collection, Mapping
from typing import Any

from packhorse import Call, Principal
from packhorse.contract.clock import Clock
from packhorse_pai.domain.budgets import Kind, Pace, reserve
from packhorse_pai.domain.decision import Ask, Decision, Effect, Reason, Rule, decide, decide_spawn
from packhorse_pai.domain.digests import action_digest
from packhorse_pai.domain.findings import meant
from packhorse_pai.domain.grants import Finding, Verdict, World, for_tasks, judge
from packhorse_pai.domain.policy import SPAWN_TOOLS
from packhorse_pai.domain.words import mission_words, same
from packhorse_pai.service.acting import owner_of, person_of
from packhorse_pai.service.running.runs import Run, Wanted
from packhorse_pai.service.trail.counters import Counters
from packhorse_pai.store.records import Records

_ARGUMENT: Mapping[str, str] = {"invoke_agent": "agent_name", "invoke_coordinator_agent": "coordinator_name"}
_OWN = ("email", "sub")
"""Claims of a verified caller that are an address of theirs."""


class Checker:
    """Runs at work, and what they may do. One lock: budgets of a tree are taken by one call at a time.

    Where ``tasks_ask``, what a playbook changes asks a person: its arguments come from the context that a client gave.
    """

    def __init__(self, records: Records, clock: Clock, counters: Counters, *, tasks_ask: bool = False) -> None:
        self._tasks_ask = tasks_ask
        self._records = records
        self._counters = counters
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
        """None to allow, or why not. A caller that is no agent is not this checker's business."""
        if principal.kind != "agent":
            return None
        run = self.find(principal.run)
        if run is None or run.chain != principal.chain or run.person != person_of(principal):
            return "This agent has no run on this host."
        if run.owner != owner_of(principal):
            return "This agent acts for another person."
        decision = self.decided(run, call.tool, _plain(call.arguments), call.defaulted, consume=True)
        self.count(run, decision)
        if decision.allowed:
            return None
        run.denials.extend(decision.reasons)
        return decision.text

    def count(self, run: Run, decision: Decision) -> None:
        """Count a decision under its first reason."""
        first = decision.reasons[0].rule
        self._counters.decision(run.agent, decision.effect, first)
        if first is Rule.APPROVED:
            self._counters.approval("used")

    def rights(self, run: Run, tool: str) -> Decision:
        """Whether the run's agent holds the tool at all: asked before anything shows the tool's shape."""
        facts = frozenset(run.policy.needs(tool))
        decision = decide(run.policy, Ask(run.chain, tool, facts=facts, stopped=self._records.stopped()))
        return decision if decision.effect is Effect.DENY else self._reading(run, tool) or decision

    def decided(
        self,
        run: Run,
        tool: str,
        arguments: Mapping[str, Any],
        defaulted: Collection[str] = frozenset(),
        *,
        consume: bool,
    ) -> Decision:
        """The verdict on a call of ``run`` now. With ``consume``, budget and approval are used up by an allow.

        Of arguments that were not given, but ``defaulted`` to the own values of a tool that changes something, only
        rules about values are asked; those of a tool that only reads are absent.
        """
        stopped = self._records.stopped()
        if tool in SPAWN_TOOLS:
            return self._spawn(run, tool, arguments, stopped=stopped, consume=consume)
        now, version = self._clock(), self.version(run, tool)
        argued = self.argued(run, tool, arguments, defaulted)
        ask = Ask(
            run.chain,
            tool,
            facts=self._facts(run, tool, version),
            stopped=stopped,
            supervised=any(above.supervised for above in run.line),
            argued=f"{argued.argument} {argued.because}".strip() if argued.verdict is Verdict.ASK else "",
        )
        decision = decide(run.policy, ask)
        only_facts = {reason.rule for reason in decision.reasons} == {Rule.PRECONDITION}
        if (decision.effect is not Effect.DENY or only_facts) and (reading := self._reading(run, tool)) is not None:
            return reading
        if decision.effect is not Effect.DENY and argued.verdict is Verdict.DENY:
            return _denial(run, tool, argued)
        if decision.effect is Effect.DENY or not consume:
            return decision
        if (exhausted := self._reserve(run, {"calls": 1})) is not None:
            return exhausted
        if decision.effect is Effect.ALLOW:
            return decision
        pinned = run.policy.tools[tool].digest  # there is one: what this host does not offer was denied above
        action = self.action(run, tool, arguments)
        if not self._records.consume(run.id, action, run.policy.digest, pinned, now):
            run.wanted = Wanted(tool, arguments, action, decision.text)
            return decision
        return Decision(Effect.ALLOW, (Reason(Rule.APPROVED, f"A person approved this call of {tool}."),))

    def _facts(self, run: Run, tool: str, version: str) -> frozenset[str]:
        """What is proved of the data that a call would change, or of what it names and a proof is about."""
        if tool not in run.policy.preconditions:
            return frozenset()
        subjects = run.subjects if run.foreseen is not None and run.foreseen[0] == tool else {}
        proved = {one: self._records.facts(run.root, one) for one in {version}.union(*subjects.values())}
        kinds = frozenset[str]().union(*proved.values())
        return frozenset(kind for kind in kinds if any(kind in proved[one] for one in subjects.get(kind, (version,))))

    def wanting(
        self, run: Run, tool: str, arguments: Mapping[str, Any], defaulted: Collection[str]
    ) -> Decision | Wanted | None:
        """What keeps a call from the host's door: a denial, or a person's word that is not there yet.

        Asked before the door is, where even a call that is held would use up the tool's own limit.
        """
        decision = self.decided(run, tool, arguments, defaulted, consume=False)
        if decision.effect is Effect.DENY:
            return decision
        if decision.effect is Effect.ALLOW:
            return None
        action = self.action(run, tool, arguments)
        standing = self._records.standing(run.id, action, self._clock())
        if standing is not None and standing.state == "approved":
            return None
        self.count(run, decision)
        return Wanted(tool, arguments, action, decision.text)

    def argued(
        self, run: Run, tool: str, arguments: Mapping[str, Any], defaulted: Collection[str] = frozenset()
    ) -> Finding:
        """What the arguments are worth: the lowest over this agent's layers, those above it, and the run's own.

        A playbook's arguments are its author's, so its steps are not bound to the mission's words; what its agent's
        card says of plain values holds for them too.
        """
        if run.driver == "playbook" and self._tasks_ask:
            offered = run.policy.tools.get(tool)
            if offered is not None and not offered.read_only:
                return Finding(Verdict.ASK, because="changes something for a task that a client began")
        own = run.policy.grants.get(run.agent, ())
        if run.driver == "playbook":
            own = tuple(for_tasks(layer) for layer in own[1:])
        above = (layer for agent in run.chain[1:] for layer in run.policy.grants.get(agent, ())[1:])
        layers = [layer for layer in (*own, *above, *run.narrowed) if tool in layer.grants]
        if not layers:
            return Finding(Verdict.ALLOW)
        offered = run.policy.tools.get(tool)
        if defaulted and offered is not None and offered.read_only:
            arguments, defaulted = {name: arguments[name] for name in arguments.keys() - defaulted}, ()
        claims = run.person.claims
        mine = {"address": frozenset(same(claims[key]) for key in _OWN if isinstance(claims.get(key), str))}
        world = World(mission_words(run.top.mission.text), run.top.by_person, run.top.seen, mine, defaulted)
        return judge(layers, tool, arguments, world)

    def arguments(self, run: Run, tool: str, arguments: Mapping[str, Any]) -> Decision | None:
        """The denial of a call whose arguments no rule allows, whatever else is wrong with it."""
        argued = self.argued(run, tool, arguments)
        return _denial(run, tool, argued) if argued.verdict is Verdict.DENY else None

    def version(self, run: Run, tool: str) -> str:
        """The version that the call was looked at on; empty where its tool names none, or it is a nested call."""
        seen = run.foreseen
        return (seen[1].version or "") if seen is not None and seen[0] == tool else ""

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
            version=self.version(run, tool),
        )

    def take(self, run: Run, kind: Kind, amount: int) -> str | None:
        """Use some of the budget; what is exhausted, where it is."""
        with self._lock:
            return reserve(run.ledgers, {kind: amount}, self._clock())

    def _reading(self, run: Run, tool: str) -> Decision | None:
        """The denial of a tool that may change something, in a run that changes nothing."""
        offered = run.policy.tools.get(tool)
        if offered is None or offered.read_only or not any(above.reading for above in run.line):
            return None
        return Decision(
            Effect.DENY, (Reason(Rule.FORBIDDEN, f"This run may change nothing, but {tool} may change something."),)
        )

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


def _denial(run: Run, tool: str, argued: Finding) -> Decision:
    offered = run.policy.tools.get(tool)
    known = offered.input_schema.get("properties", {}) if offered is not None else {}
    words = f"{tool}: the argument {argued.argument} {argued.because}." if argued.argument else argued.because
    if argued.argument and known and argued.argument not in known:
        words = f"{tool} has no argument {argued.argument}{meant(argued.argument, known, '.')}"
    return Decision(Effect.DENY, (Reason(Rule.ARGUMENT, words),))


def _plain(value: Any) -> Any:
    """Frozen arguments as plain JSON values."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
