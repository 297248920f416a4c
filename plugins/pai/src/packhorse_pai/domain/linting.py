"""What of a policy can never work, always holds, or is said twice. Each finding can be proved by calls."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from packhorse_pai.domain.deriving import is_address
from packhorse_pai.domain.grants import Clause, Grant, Rule, Verdict, equal
from packhorse_pai.domain.policy import HostTool, Policy
from packhorse_pai.domain.seen import kinds_in
from packhorse_pai.domain.values import Values, cover_together, covers, covers_all, follows, implies, is_possible
from packhorse_pai.domain.words import is_word


@frozen
class Finding:
    """One thing to look at: its kind, whom and what it is about, and in words why.

    ``grant`` counts from 0 among the grants of the tool in one layer; ``alternative`` among those of the argument;
    ``step`` counts from 1 in ``task``.
    """

    kind: str
    agent: str
    text: str
    tool: str = ""
    argument: str = ""
    grant: int | None = None
    alternative: int | None = None
    task: str = ""
    step: int | None = None

    @property
    def subject(self) -> str:
        """The agent, and the task, its step and the tool where there are any."""
        task = self.task if self.step is None else f"{self.task}, step {self.step}"
        return ": ".join(part for part in (self.agent, task, self.tool) if part)


def findings(policy: Policy, agents: Sequence[str]) -> Iterator[Finding]:
    """What is wrong with these agents of a policy. Where it knows no tools of a host, nothing is said of schemas."""
    reached = _reached(policy)
    for agent in sorted(set(agents) & policy.agents):
        use = policy.use.get(agent, frozenset())
        if agent not in reached:
            words = "nobody may invoke it and no agent that can be invoked starts it: write - **Exposed:** yes"
            yield Finding("unreachable", agent, words)
        if not use and not policy.spawn.get(agent):
            yield Finding("without_tools", agent, "it holds no tool and may start nobody: list some under ## Tools")
        written = policy.grants.get(agent, ())[1:]
        yield from _of_limits(agent, policy)
        named = use.union(*(layer.grants for layer in written))
        for tool in sorted(named - policy.tools.keys()) if policy.tools else ():
            yield Finding("no_such_tool", agent, f"{tool} is offered by none of the packs at hand", tool)
        values = Kinds.around(policy, agent, reached)
        for layer in written:
            for tool, grants in sorted(layer.grants.items()):
                if not policy.tools or tool in policy.tools:
                    yield from _of_grants(agent, tool, grants, policy.tools.get(tool), values)
        yield from _widened(policy, agent, reached)


def _of_limits(agent: str, policy: Policy) -> Iterator[Finding]:
    """Limits under which an agent can do nothing, or not what its card says."""
    limits = policy.limits[agent]
    if policy.use.get(agent):
        for kind in ("calls", "seconds"):
            if getattr(limits, kind) == 0:
                yield Finding("never_fires", agent, f"it has 0 {kind}, so none of its tools can be called")
    if policy.spawn.get(agent) and limits.spawns == 0:
        yield Finding("never_fires", agent, "it may start agents, but has 0 spawns")


@frozen
class Kinds:
    """Kinds of things whose ids a run of an agent can see, and those that it can make; None where no host is known."""

    seen: frozenset[str] | None
    made: frozenset[str] | None

    @classmethod
    def around(cls, policy: Policy, agent: str, reached: frozenset[str]) -> "Kinds":
        if not policy.tools:
            return cls(None, None)
        above = {one for one in reached if agent in _below(policy, one)}
        tree = {agent}.union(*(_below(policy, one) for one in above))
        held = frozenset[str]().union(*(policy.use.get(one, frozenset()) for one in tree)) & policy.tools.keys()
        return cls.of(policy.tools[name] for name in held)

    @classmethod
    def of(cls, tools: Iterable[HostTool]) -> "Kinds":
        """Those that some tools answer."""
        held = list(tools)
        seen = frozenset[str]().union(*(kinds_in(tool.output_schema) for tool in held))
        made = frozenset[str]().union(*(kinds_in(tool.output_schema, made=True) for tool in held if not tool.read_only))
        return cls(seen, made)


def _of_grants(
    agent: str, tool: str, grants: Sequence[Grant], offered: HostTool | None, kinds: Kinds
) -> Iterator[Finding]:
    schema: Mapping[str, Any] | None = offered.input_schema if offered is not None else None
    for number, grant in enumerate(grants):

        def finding(
            kind: str, text: str, argument: str = "", alternative: int | None = None, number: int = number
        ) -> Finding:
            return Finding(kind, agent, text, tool, argument, number, alternative)

        known = schema.get("properties", {}) if schema is not None else None
        if known is not None and schema is not None:
            for name in sorted(grant.arguments.keys() - known.keys()):
                yield finding("never_fires", f"{tool} has no argument {name}", name)
            for name in sorted(set(schema.get("required", ())) - grant.arguments.keys()):
                yield finding("never_fires", f"{tool} needs {name}, and no rule is about it", name)
        for name in sorted(grant.required - grant.arguments.keys()):
            yield finding("never_fires", f"{name} is required, and no rule is about it", name)
        for kind, text in _of_when(grant.when):
            yield finding(kind, text)
        always = 0
        for name, rule in sorted(grant.arguments.items()):
            values = Values.of(known.get(name) if known is not None else None, schema, kinds.seen, kinds.made)
            effect = offered is not None and not offered.read_only
            bound = effect and is_address(tool, name) and values.listed is None
            for kind, text, alternative in _of_rule(name, rule, values, bound=bound):
                yield finding(kind, text, name, alternative)
            holds = any(covers_all(way, values) for way in rule.alternatives)
            always += holds
            if holds and rule.otherwise > grant.otherwise:
                yield finding("never_fires", f"every value of {name} is allowed, so its else is never reached", name)
        if schema is not None and grant.otherwise is Verdict.ASK and not grant.when and always == len(grant.arguments):
            yield finding("never_fires", "it allows every call of its arguments, so its else is never reached")
        for other in (one for at, one in enumerate(grants) if at != number):
            if _covers(other, grant) and (not _covers(grant, other) or grants.index(other) < number):
                yield finding("shadowed", f"grant {number + 1} allows nothing that another does not")
                break


def _of_when(lists: Sequence[frozenset[str]]) -> Iterator[tuple[str, str]]:
    for at, words in enumerate(lists):
        dead = sorted(word for word in words if not is_word(word))
        if len(dead) == len(words):
            yield "never_fires", "no word of a list under when can stand in a mission: write single words"
        elif any(other < words or (other == words and before < at) for before, other in enumerate(lists)):
            said = "said twice" if words in lists[:at] else "wider than another"
            listed = ", ".join(sorted(words)[:4])
            yield "always_holds", f"the list {listed} under when is {said}, so it asks for nothing more"
        elif dead:
            yield "never_fires", f"no mission has {dead[0]!r}, which is no single word, under when"


def _of_rule(name: str, rule: Rule, values: Values, *, bound: bool) -> Iterator[tuple[str, str, int | None]]:
    ways = rule.alternatives
    if not ways and not rule.always_asks:
        asks = (
            ', so a person is always asked: where that is meant write [{ else = "ask" }]'
            if rule.otherwise is Verdict.ASK
            else ""
        )
        yield "never_fires", f"{name} has no alternative{asks}", None
    whole = [covers_all(way, values) for way in ways]
    if not any(whole) and cover_together(ways, values):
        yield (
            "always_holds",
            f"its alternatives together allow every value of {name}: write free, or leave some out",
            None,
        )
    for at, way in enumerate(ways):
        idle = [
            one for one in way if covers(one, values) or any(follows(one, other) for other in way if other is not one)
        ]
        if not is_possible(way, values):
            yield "never_fires", f"no value of {name} can be {_words(way)}", at
        elif whole[at] and len(ways) > 1:
            yield "always_holds", f"every value of {name} is {_words(way)}, so its other alternatives say nothing", at
        elif dead := _never_given(way, values):
            wrong = "stands twice" if values.has(dead[0]) else f"is nothing that {name} can be"
            yield "never_fires", f"{dead[0]!r} {wrong}: leave it out of the list", at
        elif bound and whole[at]:
            yield "always_holds", f"{name} is an address, and any is allowed: bind it, as by named", at
        elif idle and (len(way) > 1 or idle[0].kind != "free"):
            end = "write free, or a closer rule" if whole[at] else "leave that out, or make it closer"
            says = "the tool takes" if all(covers(one, values) for one in idle) else "its other clauses leave"
            yield "always_holds", f"every value of {name} that {says} is {_words(idle)}: {end}", at
        elif any(
            implies(other, way) and (not implies(way, other) or before < at)
            for before, other in enumerate(ways)
            if before != at and not whole[before]
        ):
            yield "shadowed", f"another alternative of {name} holds wherever {_words(way)} does", at


def _never_given(way: Sequence[Clause], values: Values) -> list[Any]:
    """Of the values that a clause lists, those that the schema never allows, and those that stand there twice."""
    listed = [value for clause in way if clause.kind == "in" for value in clause.about]
    return [
        value
        for at, value in enumerate(listed)
        if not values.has(value) or any(equal(value, before) for before in listed[:at])
    ]


def _widened(policy: Policy, agent: str, reached: frozenset[str]) -> Iterator[Finding]:
    """What an agent's file allows and those that start it do not: the lowest layer holds, so it has no effect."""
    parents = [one for one in reached if agent in policy.spawn.get(one, frozenset())]
    if agent in policy.exposed or not parents:
        return
    for layer in policy.grants.get(agent, ())[1:]:
        for tool, grants in sorted(layer.grants.items()):
            above = {
                parent: [one.grants[tool] for one in policy.grants.get(parent, ())[1:] if tool in one.grants]
                for parent in parents
            }
            for number, grant in enumerate(grants):
                if all(any(not any(_covers(wide, grant) for wide in some) for some in above[one]) for one in parents):
                    argument = _wider(grant, [wide for some in above[parents[0]] for wide in some])
                    words = (
                        f"it allows more of {argument or 'it'} than {', '.join(sorted(parents))}, which has no effect"
                    )
                    yield Finding("widened", agent, words, tool, argument, number)


def _wider(grant: Grant, above: Sequence[Grant]) -> str:
    """The argument by which a grant is wider than each of those above."""
    for name, rule in sorted(grant.arguments.items()):
        if not any(name in wide.arguments and _implied(rule, wide.arguments[name]) for wide in above):
            return name
    return ""


def _covers(other: Grant, grant: Grant) -> bool:
    """Whether ``other`` allows whatever ``grant`` does, as far as their form shows it."""
    words = all(any(given <= asked for given in grant.when) for asked in other.when)
    same_else = other.otherwise >= grant.otherwise or not other.when
    arguments = grant.arguments.keys() <= other.arguments.keys() and other.required <= grant.required
    return (
        words
        and same_else
        and arguments
        and all(_implied(rule, other.arguments[name]) for name, rule in grant.arguments.items())
    )


def _implied(rule: Rule, by: Rule) -> bool:
    if by.otherwise < rule.otherwise:
        return False
    return all(any(implies(wide, narrow) for wide in by.alternatives) for narrow in rule.alternatives)


def _words(way: Sequence[Clause]) -> str:
    return " and ".join(clause.kind if clause.about is None else f"{clause.kind} {clause.about}" for clause in way)


def _reached(policy: Policy) -> frozenset[str]:
    return frozenset().union(*(_below(policy, agent) for agent in policy.exposed))


def _below(policy: Policy, agent: str) -> frozenset[str]:
    """An agent and all that it may start, at any remove."""
    reached, waiting = {agent}, [agent]
    while waiting:
        for child in policy.spawn.get(waiting.pop(), frozenset()) - reached:
            reached.add(child)
            waiting.append(child)
    return frozenset(reached)
