"""What of a policy can never work, always holds, or is said twice. Each finding can be proved by calls."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from attrs import evolve

from packhorse_pai.domain.decision import lacking_facts
from packhorse_pai.domain.deriving import takes_address
from packhorse_pai.domain.findings import Finding, kinds_of, offered_by_none
from packhorse_pai.domain.grants import PLAIN, Clause, Grant, Layer, Rule, Verdict, World, holds
from packhorse_pai.domain.linting_grants import grant_findings, is_covered, is_free, is_implied
from packhorse_pai.domain.linting_starts import kept_back
from packhorse_pai.domain.policy import MOST_DEPTH, HostTool, Policy, below
from packhorse_pai.domain.seen import PERSON, UNKNOWN
from packhorse_pai.domain.values import Values, cover_together, covers_all
from packhorse_pai.domain.words import Words


def findings(policy: Policy, agents: Sequence[str], files: Collection[str] = ()) -> Iterator[Finding]:
    """What is wrong with these agents of a policy, and with what ``files`` of governance say about others.

    Where the policy knows no tools of a host, nothing is said of schemas.
    """
    room = _room(policy)
    for agent in sorted(policy.agents - {*agents}):
        layers = [layer for layer in policy.grants.get(agent, ()) if layer.origin in files]
        yield from _of_tools(agent, frozenset[str]().union(*(layer.grants for layer in layers)), policy)
        yield from _of_layers(agent, layers, policy)
    for agent in sorted(set(agents) & policy.agents):
        use = policy.use.get(agent, frozenset())
        if agent not in room:
            words = "nobody may invoke it and no agent that can be invoked starts it: write - **Exposed:** yes"
            if any(agent in below(policy.spawn, one) for one in policy.exposed):
                words = (
                    "nobody may invoke it, and agents that could start it have no depth, calls or spawns left for it"
                )
            yield Finding("unreachable", agent, words)
        if not use and not policy.spawn.get(agent):
            yield Finding("without_tools", agent, "it holds no tool and may start nobody: list some under ## Tools")
        yield from _of_limits(agent, policy)
        yield from _of_starts(agent, policy, room)
        written = policy.grants.get(agent, ())[1:]
        named = use.union(*(layer.grants for layer in written))
        yield from _of_tools(agent, named, policy)
        yield from _of_layers(agent, written, policy)
        yield from _widened(policy, agent, [one for one in room if agent in policy.spawn.get(one, ())])


def _of_layers(agent: str, layers: Sequence[Layer], policy: Policy) -> Iterator[Finding]:
    """What is wrong with the grants of some layers of an agent's, in themselves and beside its others."""
    held = _tree(policy, agent)
    values = kinds_of(policy.tools[name] for name in held) if policy.tools else UNKNOWN
    for layer in layers:
        for tool, grants in sorted(layer.grants.items()):
            if not policy.tools or tool in policy.tools:
                of_file = f"{layer.origin}: " if layer.origin else ""
                for found in grant_findings(agent, tool, grants, policy.tools.get(tool), values):
                    yield evolve(found, text=of_file + found.text)
    written = policy.grants.get(agent, ())[1:]
    for one, other in combinations(written, 2):
        if one in layers or other in layers:
            yield from _between(agent, one, other)
    for layer in layers:
        if layer.origin:
            yield from _idle(agent, layer, [one for one in written if one is not layer], policy)


def _of_tools(agent: str, named: frozenset[str], policy: Policy) -> Iterator[Finding]:
    """Tools that its card or a file names, and that it can never call."""
    use, held = policy.use.get(agent, frozenset()), _tree(policy, agent)
    for tool in sorted(named - policy.tools.keys()) if policy.tools else ():
        yield Finding("no_such_tool", agent, offered_by_none(tool, policy), tool)
    for tool in sorted(named):
        if (agent, tool) in policy.forbids:
            yield Finding("never_fires", agent, f"{tool} is forbidden to it by a governance file", tool)
        elif tool not in use and tool in policy.tools and tool not in _below(policy, agent):
            yield Finding("never_fires", agent, f"it is not granted {tool}, so rules about it are never read", tool)
        elif tool in policy.tools and policy.tools[tool].input_schema.get(PERSON) is True:
            yield Finding("never_fires", agent, f"{tool} refuses every agent: a person must call it", tool)
        elif tool in use and tool in policy.tools and (keeping := kept_back(policy, agent, tool)):
            words = f"it runs only below {', '.join(keeping)}, which may not pass {tool} on"
            yield Finding("never_fires", agent, words, tool)
        yield from _of_facts(agent, tool, policy, held)


def _of_limits(agent: str, policy: Policy) -> Iterator[Finding]:
    """Limits under which an agent can do nothing, or not what its card says."""
    limits = policy.limits[agent]
    for kind in ("calls", "seconds", "depth"):
        if getattr(limits, kind) == 0 and (kind != "depth" or agent in policy.exposed):
            yield Finding("never_fires", agent, f"it has 0 {kind}, so it can do nothing")
    for kind in ("turns", "tokens"):
        if getattr(limits, kind) == 0:
            words = f"it has 0 {kind}: under the runtime client that is not read, under another it can do nothing"
            yield Finding("never_fires", agent, words)
    if policy.spawn.get(agent) and limits.spawns == 0:
        yield Finding("never_fires", agent, "it may start agents, but has 0 spawns")


def _of_starts(agent: str, policy: Policy, room: dict[str, int]) -> Iterator[Finding]:
    """Agents that it may start, and that can never be started where it runs."""
    if agent not in room or not policy.limits[agent].spawns or not policy.limits[agent].calls:
        return
    for child in sorted(policy.spawn.get(agent, ())):
        left = _room(policy, without=child).get(agent)
        if left is None:
            yield Finding("never_fires", agent, f"{child} always runs above it, so it can never start {child}")
        elif left == 0:
            yield Finding(
                "never_fires", agent, f"it is the last agent that its chain may have, so it never starts {child}"
            )


def _of_facts(agent: str, tool: str, policy: Policy, held: frozenset[str]) -> Iterator[Finding]:
    """What must have been seen before a call, where no agent of its run has the tool that shows it."""
    if tool not in policy.tools:
        return

    for fact in lacking_facts(policy, tool, _shown(policy, held)):
        by = [one.tool for one in policy.facts if one.kind == fact and (not one.provided or one.tool in policy.tools)]
        why = f", which {' or '.join(by)} shows: no agent of its run has that" if by else ", which no tool shows"
        if by and held.issuperset(by):
            why = f", which {' or '.join(by)} shows: before that no agent can call it"
        yield Finding("never_fires", agent, f"{tool} needs {fact} first{why}", tool)


def _shown(policy: Policy, held: frozenset[str]) -> frozenset[str]:
    """The facts that a run with these tools may come to know: each by a tool that needs only such facts itself."""
    known, before = frozenset[str](), None
    while known != before:
        before = known
        known = frozenset(
            one.kind
            for one in policy.facts
            if one.tool in (policy.tools if one.provided else held)
            and (one.provided or not lacking_facts(policy, one.tool, known))
        )
    return known


def _below(policy: Policy, agent: str) -> frozenset[str]:
    """The tools of the agents that it starts, at any remove: rules on its card or in a file bind these too."""
    return frozenset[str]().union(*(policy.use.get(one, ()) for one in below(policy.spawn, agent) - {agent}))


def _tree(policy: Policy, agent: str) -> frozenset[str]:
    """The offered tools of all agents that a run of this one may have."""
    above = {one for one in policy.exposed if agent in below(policy.spawn, one)}
    tree = {agent}.union(*(below(policy.spawn, one) for one in above))
    return frozenset[str]().union(*(policy.use.get(one, frozenset()) for one in tree)) & policy.tools.keys()


def _widened(policy: Policy, agent: str, parents: Sequence[str]) -> Iterator[Finding]:
    """What an agent's card allows and those that start it do not: the lowest layer holds, so it has no effect."""
    if agent in policy.exposed or not parents:
        return
    for layer in policy.grants.get(agent, ())[1:]:
        for tool, grants in sorted(layer.grants.items()) if not layer.origin else ():
            offered = policy.tools.get(tool)
            above = {
                parent: [
                    [_freed(grant, offered) for grant in one.grants[tool]]
                    for one in policy.grants.get(parent, ())[1:]
                    if tool in one.grants
                ]
                for parent in parents
            }
            for number, grant in enumerate(grants):
                if all(
                    any(not any(is_covered(grant, wide) for wide in some) for some in above[one]) for one in parents
                ):
                    argument = _wider(grant, [wide for some in above[parents[0]] for wide in some])
                    words = (
                        f"it allows more of {argument or 'it'} than {', '.join(sorted(parents))}, which has no effect"
                    )
                    yield Finding("widened", agent, words, tool, argument, number)


def _freed(grant: Grant, offered: HostTool | None) -> Grant:
    """The grant with free in place of each rule that allows every value which the tool takes."""

    def freed(name: str, rule: Rule) -> Rule:
        schema = offered.input_schema if offered is not None else {}
        values, ways = Values.of(schema.get("properties", {}).get(name), schema), rule.alternatives
        whole = any(covers_all(way, values) for way in ways) or cover_together(ways, values)
        return Rule(((Clause("free"),),), rule.otherwise) if whole else rule

    return evolve(grant, arguments={name: freed(name, rule) for name, rule in grant.arguments.items()})


def _between(agent: str, one: Layer, other: Layer) -> Iterator[Finding]:
    """Where two layers about one agent allow no value in common: the lowest holds, so nothing passes."""
    for tool in sorted(one.grants.keys() & other.grants.keys()):
        for first, second in ((one, other), (other, one)):
            closed = _closed(first.grants[tool], second.grants[tool])
            if closed:
                words = " and ".join(layer.origin or "the card" for layer in (first, second))
                yield Finding("never_fires", agent, f"{words} allow no value of {closed} in common", tool, closed)
                break


def _idle(agent: str, layer: Layer, others: Sequence[Layer], policy: Policy) -> Iterator[Finding]:
    """Grants of a file that are free in all that an agent may give without them: a file only takes away."""
    for tool, grants in sorted(layer.grants.items()):
        names = {name for one in others for grant in one.grants.get(tool, ()) for name in grant.arguments}
        offered = policy.tools.get(tool)
        if not any(tool in one.grants for one in others):
            if offered is None or not offered.read_only or takes_address(tool, offered.input_schema):
                continue
            names = set(offered.input_schema.get("properties", ()))
        free = [one for one in grants if all(map(is_free, one.arguments.values())) and not one.when]
        if any(names <= one.arguments.keys() and not one.required for one in free):
            words = f"{layer.origin} leaves each argument free, so it takes nothing from what holds without it"
            yield Finding("no_effect", agent, words, tool)


def _closed(grants: Sequence[Grant], others: Sequence[Grant]) -> str:
    """The first argument of which each value that some grants list is one that none of the others allows."""
    names = set[str]().union(*(grant.arguments for grant in grants))
    for name in sorted(names):
        rules = [grant.arguments[name] for grant in grants if name in grant.arguments]
        ways = [way for rule in rules for way in rule.alternatives]
        listed = [[value for clause in way for value in clause.listed] for way in ways]
        over = [grant.arguments[name] for grant in others if name in grant.arguments]
        if (
            ways
            and all(listed)
            and not any(_may_pass(rule, value) for rule in over for some in listed for value in some)
        ):
            return name
    return ""


def _may_pass(rule: Rule, value: object) -> bool:
    """Whether a rule may allow a value: of clauses that look at the mission or the run it is not known."""
    world = World(Words(""), by_person=True)
    return any(
        all(clause.kind not in PLAIN or holds(clause, value, world) is Verdict.ALLOW for clause in way)
        for way in rule.alternatives
    )


def _wider(grant: Grant, above: Sequence[Grant]) -> str:
    """The argument by which a grant is wider than each of those above."""
    for name, rule in sorted(grant.arguments.items()):
        if not any(name in wide.arguments and is_implied(rule, wide.arguments[name]) for wide in above):
            return name
    return ""


def _room(policy: Policy, without: str = "") -> dict[str, int]:
    """By agent that can run, how many agents a chain may have below it at most, where ``without`` is in none."""
    most: dict[str, int] = {}
    for root in policy.exposed - {without}:
        left = min(MOST_DEPTH, policy.limits[root].depth) - 1
        level, seen = {root}, {root}
        while level and left >= 0:
            for one in level:
                most[one] = max(left, most.get(one, 0))
            starting = [one for one in level if policy.limits[one].spawns and policy.limits[one].calls]
            level = {child for one in starting for child in policy.spawn.get(one, ())} - seen - {without}
            seen |= level
            left -= 1
    return most
