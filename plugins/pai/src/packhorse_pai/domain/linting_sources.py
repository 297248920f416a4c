"""What of a governance file can never work or changes nothing: names that are not there, facts that nothing shows."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from packhorse_pai.domain.cards import TIERS
from packhorse_pai.domain.findings import Finding, meant
from packhorse_pai.domain.names import Agent
from packhorse_pai.domain.policy import DEFAULT_TURNS, TIER_TURNS, HostTool, Policy, below
from packhorse_pai.domain.schemas import Part
from packhorse_pai.domain.seen import PERSON
from packhorse_pai.domain.sources import EventRule, FactRule, Source

_CODE = re.compile(r"[A-Z][A-Z0-9_]*", re.ASCII)
_Said = tuple[str, str]
"""Kind of finding, and text."""


def source_findings(
    sources: Sequence[Source],
    policy: Policy,
    shipped: Collection[str] = (),
    served: Mapping[str, HostTool] | None = None,
) -> Iterator[Finding]:
    """What is wrong with these files, ``policy`` being that of a host which has them all.

    About agents of their own, files and cards contradict each other, which is told apart; not about ``shipped`` ones.
    ``served`` are the tools as their packs mark them.
    """
    only_read = frozenset(name for name, tool in (served or {}).items() if tool.read_only)
    for source in sources:
        checks = (_names, _exposed, _preconditions, _facts, _events, _turns, _delegates)
        for kind, text in (said for check in checks for said in check(source, policy)):
            yield Finding(kind, source.name, text)
        for text in _of_approvals(source, only_read):
            yield Finding("no_effect", source.name, text)
        for text in _wider(source, policy, shipped):
            yield Finding("no_effect", source.name, text)
        for text in source.remarks:
            yield Finding("no_effect", source.name, text)


def _names(source: Source, policy: Policy) -> Iterator[_Said]:
    tools = {
        "approval": source.approvals,
        "observing": source.observing,
        "preconditions": source.preconditions.keys(),
        "facts": {rule.tool for rule in source.facts},
        "events": {rule.tool for rule in source.events},
        "forbid": {tool for _, tool in source.forbids},
        "delegate": frozenset[str]().union(*source.delegates.values()),
        "grant": {grant.tool for grants in source.grants.values() for grant in grants},
    }
    for field, named in tools.items():
        for tool in sorted(named - policy.tools.keys()) if policy.tools else ():
            yield "no_such_tool", f"{field}: {tool} is offered by none of the packs at hand"
    agents = {
        "exposed": source.exposed or (),
        "forbid": {agent for agent, _ in source.forbids},
        "delegate": source.delegates.keys(),
        "grant": source.grants.keys(),
    }
    for field, who in agents.items():
        for agent in sorted(set(who) - policy.agents):
            yield "no_such_agent", f"{field}: no agent {agent} has a valid card"
    for field in ("approval", "preconditions"):
        for tool in sorted(tools[field] & policy.tools.keys()):
            if not _is_held(tool, policy):
                yield "never_fires", f"{field}: no agent holds {tool}, so nothing is ever asked of a call of it"
    for tool in sorted(tools["forbid"] & policy.tools.keys()):
        if policy.tools[tool].input_schema.get(PERSON) is True:
            yield "no_effect", f"forbid: {tool} refuses every agent anyway: a person must call it"
    for tool in sorted(source.observing & policy.tools.keys()):
        if policy.tools[tool].destructive:
            yield "no_effect", f"observing: {tool} calls itself destructive, and so is never among them"


def _wider(source: Source, policy: Policy, shipped: Collection[str]) -> Iterator[str]:
    """Rights that a file lists for shipped agents, and that these do not have: a file only takes away."""
    why = "what is shipped, or another file, does not list that, and files only take away"
    for agent in sorted(shipped):
        for tool in sorted(source.uses.get(agent, frozenset()) - policy.use.get(agent, frozenset())):
            yield f"use: {agent} does not get {tool}: {why}"
        for token in source.spawns.get(agent, ()):
            if isinstance(token, Agent) and token.name not in policy.spawn.get(agent, ()):
                yield f"spawn: {agent} may not start {token.name}: {why}"


def _of_approvals(source: Source, only_read: Collection[str]) -> Iterator[str]:
    """Tools of which a file says that they need no approval, where they need none anyway, or where it asks for one."""
    for tool in sorted(source.observing):
        if tool in source.approvals:
            yield f"observing: approval names {tool} too, which counts: a person decides each call"
        elif tool in only_read:
            yield f"observing: {tool} only reads, so it needs no approval anyway"


def _exposed(source: Source, policy: Policy) -> Iterator[_Said]:
    if source.exposed is not None:
        for agent in sorted(source.exposed & policy.agents - policy.exposed):
            yield "no_effect", f"exposed: {agent} is not exposed by its card, or by another file"
        for agent in sorted((source.uses.keys() | source.spawns.keys()) & policy.exposed - source.exposed):
            yield "no_effect", f"exposed leaves {agent} out, and its card says that it is exposed, which counts"


def _preconditions(source: Source, policy: Policy) -> Iterator[_Said]:
    known = {rule.kind for rule in policy.facts}
    for tool, rule in sorted(source.preconditions.items()):
        if not rule.facts:
            yield "no_effect", f"preconditions.{tool} has no facts, so it asks for none"
        for fact in rule.facts:
            if fact not in known:
                yield "never_fires", f"preconditions.{tool}: nothing shows {fact}, so {tool} can never be called"
        if both := sorted(set(rule.facts) & set(rule.unless)):
            words = "stands under facts and unless: where it is shown, nothing else is asked for"
            yield "never_fires", f"preconditions.{tool}: {both[0]} {words}"
        for fact in rule.unless:
            if fact not in known:
                yield "never_fires", f"preconditions.{tool}: nothing shows {fact}, so it never lifts the others"


def _facts(source: Source, policy: Policy) -> Iterator[_Said]:
    asked = {fact for rules in policy.preconditions.values() for rule in rules for fact in (*rule.facts, *rule.unless)}
    for rule in source.facts:
        if rule.kind not in asked:
            yield "no_effect", f"facts.{rule.kind}: no precondition asks for it"
        yield from _of_provided(rule, policy)
        yield from _of_tool(f"facts.{rule.kind}", rule, policy)
        if rule.when is not None and rule.refusal is not None:
            yield "no_effect", f"facts.{rule.kind}: where there is a refusal, when is not read"
        elif rule.when is not None and "boolean" not in _kinds(rule, rule.when, policy):
            yield "never_fires", f"facts.{rule.kind}: {rule.tool} never answers true at {rule.when}"


def _of_tool(where: str, rule: FactRule | EventRule, policy: Policy) -> Iterator[_Said]:
    """A tool that no agent may call, and a code that no refusal can have."""
    offered = policy.tools.get(rule.tool)
    if offered is not None and offered.input_schema.get(PERSON) is True and not getattr(rule, "provided", False):
        yield "never_fires", f"{where}: {rule.tool} refuses every agent: a person must call it"
    elif offered is not None and not _is_held(rule.tool, policy):
        yield "never_fires", f"{where}: no agent holds {rule.tool}, so none ever calls it"
    if rule.refusal is not None and not _CODE.fullmatch(rule.refusal):
        words = "is no code of a refusal: these are capitals, digits and '_', such as NOT_FOUND"
        yield "never_fires", f"{where}: {rule.refusal!r} {words}"
    elif rule.refusal is not None and offered is not None and offered.codes and rule.refusal not in offered.codes:
        cure = meant(rule.refusal, offered.codes)
        yield "never_fires", f"{where}: neither {rule.tool} nor its pack refuses with {rule.refusal}{cure}"


def _is_held(tool: str, policy: Policy) -> bool:
    """Whether some agent may call a tool, or the host calls it itself to show a fact."""
    by_host = any(rule.provided and rule.tool == tool for rule in policy.facts)
    return by_host or any(tool in use for use in policy.use.values())


def _of_provided(rule: FactRule, policy: Policy) -> Iterator[_Said]:
    """What the host's own call lacks: it has the rule's arguments, and those that the waiting call shares."""
    offered = policy.tools.get(rule.tool)
    if not rule.provided or offered is None:
        return
    known = offered.input_schema.get("properties", {})
    for name in sorted(rule.arguments.keys() - known.keys()):
        yield "never_fires", f"facts.{rule.kind}: {rule.tool} has no argument {name}{meant(name, known)}"
    waiting = [
        tool
        for tool, rules in policy.preconditions.items()
        if any(rule.kind in (*one.facts, *one.unless) for one in rules) and tool in policy.tools
    ]
    shared = frozenset[str]().union(*(policy.tools[tool].input_schema.get("properties", {}) for tool in waiting))
    for name in sorted(
        set(offered.input_schema.get("required", ())) - rule.arguments.keys() - shared if waiting else ()
    ):
        words = f"{rule.tool} needs {name}, which neither arguments nor {' or '.join(sorted(waiting))} gives"
        yield "never_fires", f"facts.{rule.kind}: {words}"


def _events(source: Source, policy: Policy) -> Iterator[_Said]:
    for rule in source.events:
        where = f"events.{rule.event}"
        yield from _of_tool(where, rule, policy)
        if rule.refusal is not None:
            if rule.path is not None:
                yield "no_effect", f"{where}: where there is a refusal, path is not read"
        elif rule.path is None or (rule.above is None and rule.equals is None):
            yield "never_fires", f"{where} needs a refusal, or a path with above or equals"
        elif not _may_be(rule, policy):
            bound = f"above {rule.above}" if rule.above is not None else f"equal to {rule.equals!r}"
            yield "never_fires", f"{where}: {rule.tool} never answers {rule.path} {bound}"
        elif rule.above is not None and rule.equals is not None:
            yield "no_effect", f"{where}: beside above, equals is not read"
        elif rule.above is not None and all(
            part is not None and (low := part.lowest()) is not None and low > rule.above
            for part in _parts(rule.tool, rule.path, policy)
        ):
            yield "always_holds", f"{where}: every {rule.path} that {rule.tool} answers is above {rule.above:g}"


def _kinds(rule: FactRule | EventRule, path: str, policy: Policy) -> frozenset[str]:
    """The kinds of values that a tool may answer at a path; all of them where that is not known."""
    found = _parts(rule.tool, path, policy)
    if None in found:
        return frozenset({"string", "number", "boolean"})
    return frozenset[str]().union(*(part.kinds() for part in found if part is not None))


def _parts(tool: str, path: str, policy: Policy) -> list[Part | None]:
    offered = policy.tools.get(tool)
    if offered is None or offered.output_schema is None:
        return [None]
    return list(Part(offered.output_schema, offered.output_schema).at(path.split(".")))


def _may_be(rule: EventRule, policy: Policy) -> bool:
    path = str(rule.path)
    if rule.above is None:
        return any(part is None or part.allows(rule.equals) for part in _parts(rule.tool, path, policy))
    highest = [None if part is None else part.highest() for part in _parts(rule.tool, path, policy)]
    return "number" in _kinds(rule, path, policy) and any(end is None or end > rule.above for end in highest)


def _turns(source: Source, policy: Policy) -> Iterator[_Said]:
    for tier, turns in sorted(source.turns.items()):
        if tier not in TIERS:
            yield "no_effect", f"turns: there is no tier {tier!r}; there are {', '.join(TIERS)}"
        elif turns >= (most := TIER_TURNS.get(tier, DEFAULT_TURNS)):
            yield "no_effect", f"turns: {tier} has {most} already, and a file can only lower that"


def _delegates(source: Source, policy: Policy) -> Iterator[_Said]:
    for agent, tools in sorted(source.delegates.items()):
        if agent in policy.agents and not policy.spawn.get(agent):
            yield "no_effect", f"delegate.{agent}: it may start nobody, so it passes nothing on"
            continue
        held = frozenset[str]().union(*(policy.use.get(one, ()) for one in below(policy.spawn, agent)))
        for tool in sorted((tools & policy.tools.keys()) - held if agent in policy.agents else ()):
            yield "no_effect", f"delegate.{agent}: neither it nor an agent below it has {tool}"
