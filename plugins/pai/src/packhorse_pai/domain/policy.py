"""The compiled policy: frozen, with one digest. Everything that decides reads this and nothing else."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from attrs import field, frozen

from packhorse_pai.domain.digests import digest
from packhorse_pai.domain.grants import Grant, Layer
from packhorse_pai.domain.sources import EventRule, FactRule, Precondition

MOST_DEPTH = 4
"""Agents in one chain."""

DAY_SECONDS = 24 * 3600
"""How long a person's approval may be waited for, and holds."""

NEVER = frozenset({"act_as_agent", "decide_approval", "list_pending_approvals"})
"""Tools that no agent can hold, whatever a card or a matrix says: they are the caller's and the person's side."""

SPAWN_TOOLS: Mapping[str, str | None] = MappingProxyType(
    {
        "invoke_agent": None,
        "invoke_coordinator_agent": None,
        "invoke_scheduler_agent": "SCHEDULER",
        "invoke_swap_manager_agent": "SWAP_MANAGER",
        "invoke_compliance_auditor_agent": "COMPLIANCE_AUDITOR",
    }
)
"""Tools by which an agent is started, and which agent, where the name says it."""

# The original registry's limits of turns by tier; the others are ours.
TIER_TURNS: Mapping[str, int] = MappingProxyType(
    {"Deputy": 50, "Coordinator": 20, "G-Staff": 20, "Special Staff": 15, "Specialist": 5}
)
DEFAULT_TURNS = 10
LOWEST_TURNS = min(*TIER_TURNS.values(), DEFAULT_TURNS)


def below(spawn: Mapping[str, frozenset[str]], agent: str) -> frozenset[str]:
    """An agent and all that it may start, at any remove."""
    reached, waiting = {agent}, [agent]
    while waiting:
        for child in spawn.get(waiting.pop(), frozenset()) - reached:
            reached.add(child)
            waiting.append(child)
    return frozenset(reached)


@frozen
class Limits:
    """How much one agent's run may use, its descendants' use included. ``seconds`` is wall time."""

    turns: int = DEFAULT_TURNS
    calls: int = 40
    spawns: int = 20
    tokens: int = 200_000
    seconds: int = 300
    depth: int = MOST_DEPTH

    def lowered(self, by: Mapping[str, int]) -> "Limits":
        """The lower of each."""
        return Limits(
            turns=min(self.turns, by.get("turns", self.turns)),
            calls=min(self.calls, by.get("calls", self.calls)),
            spawns=min(self.spawns, by.get("spawns", self.spawns)),
            tokens=min(self.tokens, by.get("tokens", self.tokens)),
            seconds=min(self.seconds, by.get("seconds", self.seconds)),
            depth=min(self.depth, by.get("depth", self.depth)),
        )


@frozen
class HostTool:
    """A tool that this host really offers. ``digest`` is of its name, description and schemas.

    ``own_name`` is what its own pack or server calls it, where this host puts something before that.
    """

    name: str
    read_only: bool = False
    destructive: bool = False
    digest: str = ""
    description: str = ""
    input_schema: Mapping[str, Any] = field(factory=dict, hash=False)
    output_schema: Mapping[str, Any] | None = field(default=None, hash=False)
    own_name: str = ""
    codes: frozenset[str] = frozenset()
    """Of all its refusals, and of others of its pack; none where they are not known."""


@frozen
class Policy:
    """Who may do what. Absent means no.

    ``use`` is what an agent may call itself. ``delegate`` is what may be
    called beneath it: unless narrowed, its own and its descendants' tools.
    """

    use: Mapping[str, frozenset[str]] = field(factory=dict, hash=False)
    delegate: Mapping[str, frozenset[str]] = field(factory=dict, hash=False)
    spawn: Mapping[str, frozenset[str]] = field(factory=dict, hash=False)
    forbids: frozenset[tuple[str, str]] = frozenset()
    exposed: frozenset[str] = frozenset()
    preconditions: Mapping[str, tuple[Precondition, ...]] = field(factory=dict, hash=False)
    """By tool what each file asks for: a call needs all of it, and ``unless`` lifts the facts of its own file alone."""
    facts: tuple[FactRule, ...] = ()
    events: tuple[EventRule, ...] = ()
    approvals: frozenset[str] = frozenset()
    grants: Mapping[str, tuple[Layer, ...]] = field(factory=dict, hash=False)
    """What arguments an agent's tools may have, layer by layer; the first is derived from the tools' schemas."""
    limits: Mapping[str, Limits] = field(factory=dict, hash=False)
    tools: Mapping[str, HostTool] = field(factory=dict, hash=False)
    digest: str = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "digest", _digest(self))

    @property
    def agents(self) -> frozenset[str]:
        """Every agent with a valid card."""
        return frozenset(self.limits)

    def needs(self, tool: str) -> tuple[str, ...]:
        """The facts that a tool needs first, those among them that something may lift."""
        return tuple(dict.fromkeys(fact for rule in self.preconditions.get(tool, ()) for fact in rule.facts))

    def missing(self, agent: str) -> tuple[str, ...]:
        """Tools that are granted to ``agent`` and that this host does not offer."""
        return tuple(sorted(self.use.get(agent, frozenset()) - self.tools.keys()))


def _told(rule: FactRule) -> list[str]:
    parts = [rule.kind, rule.tool, rule.refusal, rule.when, rule.provided]
    return [str(part) for part in parts] + sorted(f"{key}={value}" for key, value in rule.arguments.items())


def _listed(layers: tuple[Layer, ...]) -> list[list[str]]:
    """Layers as sorted texts: the same rights in another order are the same."""
    return [sorted(repr(_sorted(grant)) for grants in layer.grants.values() for grant in grants) for layer in layers]


def _sorted(grant: Grant) -> list[Any]:
    rules = [[name, repr(rule)] for name, rule in sorted(grant.arguments.items())]
    words = [sorted(words) for words in grant.when]
    return [grant.tool, rules, sorted(grant.required), words, grant.otherwise.name]


def _digest(policy: Policy) -> str:
    def sets(table: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
        return {key: sorted(value) for key, value in table.items()}

    return digest(
        {
            "use": sets(policy.use),
            "delegate": sets(policy.delegate),
            "spawn": sets(policy.spawn),
            "forbids": sorted(list(pair) for pair in policy.forbids),
            "exposed": sorted(policy.exposed),
            "preconditions": {
                tool: sorted([sorted(rule.facts), sorted(rule.unless)] for rule in rules)
                for tool, rules in policy.preconditions.items()
            },
            "facts": sorted(_told(rule) for rule in policy.facts),
            "events": sorted(
                [r.event, r.tool, r.path or "", str(r.above), str(r.equals), r.refusal or ""] for r in policy.events
            ),
            "approvals": sorted(policy.approvals),
            "grants": {agent: _listed(layers) for agent, layers in policy.grants.items()},
            "limits": {
                agent: [one.turns, one.calls, one.spawns, one.tokens, one.seconds, one.depth]
                for agent, one in policy.limits.items()
            },
            "tools": {name: [tool.read_only, tool.destructive, tool.digest] for name, tool in policy.tools.items()},
        }
    )
