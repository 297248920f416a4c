"""Cards, matrix, spawn edges and the host's tools to one policy, and a list of what contradicts what.

An agent may use a tool where every source that speaks of the agent grants it;
a spawn edge holds where the card and every source with a row for the parent
have it. Where sources differ the right is refused and the difference reported.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import evolve, frozen

from packhorse_pai.domain.card_lint import of_limits
from packhorse_pai.domain.cards import TIERS, Card, Reading
from packhorse_pai.domain.conflicts import Conflict, differences
from packhorse_pai.domain.deriving import derived, takes_address
from packhorse_pai.domain.grants import Grant, Layer
from packhorse_pai.domain.names import Agent, Token
from packhorse_pai.domain.policy import (
    DEFAULT_TURNS,
    LOWEST_TURNS,
    NEVER,
    SPAWN_TOOLS,
    TIER_TURNS,
    HostTool,
    Limits,
    Policy,
    below,
)
from packhorse_pai.domain.sources import Precondition, Source


@frozen
class Compiled:
    """The policy, and what could not be taken as written."""

    policy: Policy
    conflicts: tuple[Conflict, ...]


def compile_policy(
    readings: Mapping[str, Reading],
    sources: Sequence[Source],
    tools: Mapping[str, HostTool] | None = None,
    *,
    quiet: Collection[str] = (),
) -> Compiled:
    """Compile. ``tools`` are those the host offers, None where no host is at hand (then none counts as offered).

    Of the cards of ``quiet`` agents no conflict is told: they are only known to be there.
    """
    if replacing := [index for index, source in enumerate(sources) if source.replaces]:
        sources = sources[replacing[-1] :]
    usable = {name: reading.card for name, reading in readings.items() if name and not reading.grave}
    use = {agent: _agreed(agent, card.capabilities, sources) for agent, card in usable.items()}
    spawn = {
        agent: frozenset(
            child
            for child in _children(card.spawns, agent, sources)
            if child in usable and usable[child].spawnable and child != agent
        )
        for agent, card in usable.items()
    }
    narrowed = [source.delegates for source in sources if source.delegates]
    delegate = {agent: _delegable(agent, use, spawn, narrowed) for agent in usable}
    observing = frozenset().union(*(source.observing for source in sources))
    offered = {name: _seen(tool, observing) for name, tool in (tools or {}).items()}
    by_schema = {
        name: derived(name, tool.input_schema, read_only=tool.read_only, own_name=tool.own_name)
        for name, tool in offered.items()
        if not tool.read_only or takes_address(name, tool.input_schema)
    }
    policy = Policy(
        use=use,
        delegate=delegate,
        spawn=spawn,
        forbids=frozenset().union(*(source.forbids for source in sources)),
        exposed=frozenset(agent for agent, card in usable.items() if _exposed(agent, card, sources)),
        preconditions=_preconditions(sources),
        facts=tuple(rule for source in sources for rule in source.facts),
        events=tuple(rule for source in sources for rule in source.events),
        approvals=frozenset().union(*(source.approvals for source in sources)),
        grants={agent: _grants(agent, use[agent], card, sources, by_schema) for agent, card in usable.items()},
        limits={agent: _limits(card.tier, agent, sources).lowered(card.limits) for agent, card in usable.items()},
        tools=offered,
    )
    idle = [
        Conflict("limit_without_effect", agent, f"{agent}: {text}.", (f"card {agent}",))
        for agent, card in sorted(usable.items())
        if agent not in quiet
        for text in of_limits(
            card.limits,
            _limits(card.tier, agent, sources),
            card.tier,
            starts=bool(spawn[agent]),
            exposed=agent in policy.exposed,
        )
    ]
    return Compiled(policy, (*differences(readings, sources, quiet), *idle))


def _seen(tool: HostTool, observing: frozenset[str]) -> HostTool:
    """A tool that calls itself destructive is never taken for one that only looks."""
    return evolve(tool, read_only=True) if tool.name in observing and not tool.destructive else tool


def _exposed(agent: str, card: Card, sources: Sequence[Source]) -> bool:
    """Whether a person may invoke an agent: its card says so, or every list of a source that names it does.

    A list speaks of the agents that its source names, so an own file exposes an own agent and silences no other.
    """
    if card.exposed is not None:
        return card.exposed
    lists = [(source, source.exposed) for source in sources if source.exposed is not None]
    if not lists:
        return True
    speaking = [named for source, named in lists if agent in named or agent in source.uses or agent in source.spawns]
    return bool(speaking) and all(agent in named for named in speaking)


def _grants(
    agent: str,
    use: frozenset[str],
    card: Card,
    sources: Sequence[Source],
    by_schema: Mapping[str, Grant],
) -> tuple[Layer, ...]:
    """What the arguments of an agent's tools may be: as each source has it, else as the tool's schema gives it."""
    written = [(source.name, source.grants[agent]) for source in sources if agent in source.grants]
    if card.grants:
        written.append(("", card.grants))
    explicit = {grant.tool for _, grants in written for grant in grants}
    implied = [by_schema[name] for name in sorted(use & by_schema.keys() - explicit)]
    layers = (Layer.of(grants, whole=False, origin=origin) for origin, grants in written)
    return (Layer.of(implied, whole=False), *layers)


def _agreed(agent: str, capabilities: Iterable[str], sources: Sequence[Source]) -> frozenset[str]:
    said = [source.uses[agent] for source in sources if agent in source.uses]
    if own := frozenset(capabilities):
        said.append(own)
    held = frozenset.intersection(*said) if said else frozenset[str]()
    return held - NEVER - SPAWN_TOOLS.keys()


def _children(line: tuple[Token, ...], agent: str, sources: Sequence[Source]) -> frozenset[str]:
    said = [_named(line), *(_named(source.spawns[agent]) for source in sources if agent in source.spawns)]
    return frozenset.intersection(*said)


def _named(tokens: Iterable[Token]) -> frozenset[str]:
    return frozenset(token.name for token in tokens if isinstance(token, Agent))


def _delegable(
    agent: str,
    use: Mapping[str, frozenset[str]],
    spawn: Mapping[str, frozenset[str]],
    narrowed: Sequence[Mapping[str, frozenset[str]]],
) -> frozenset[str]:
    held = frozenset().union(*(use[name] for name in below(spawn, agent)))
    for table in narrowed:
        if agent in table:
            held &= table[agent]
    return held


def _preconditions(sources: Sequence[Source]) -> dict[str, tuple[Precondition, ...]]:
    """What every source asks for: a source adds to the others, and lifts nothing of theirs."""
    asked: dict[str, tuple[Precondition, ...]] = {}
    for source in sources:
        for tool, rule in source.preconditions.items():
            asked[tool] = (*asked.get(tool, ()), rule)
    return asked


def _limits(tier: str, agent: str, sources: Sequence[Source]) -> Limits:
    tiers = {tier, *(source.traits[agent]["tier"] for source in sources if "tier" in source.traits.get(agent, {}))}
    turns = min(TIER_TURNS.get(one, DEFAULT_TURNS) if one in TIERS else LOWEST_TURNS for one in tiers)
    for source in sources:
        if tier in source.turns:
            turns = min(turns, source.turns[tier])
    return Limits(turns=turns, calls=turns * 4)
