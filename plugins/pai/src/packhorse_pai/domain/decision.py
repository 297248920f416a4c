"""May this chain of agents make this call? A pure function over sets: deny by default, with every reason.

The chain's nearest agent acts; the others are those that started it, up to
the one a person invoked. The agent must hold the tool, every agent above must
be allowed to delegate it, and every link must be an edge of the policy. What
the person may do is the host's own check, made with the same call.
"""

import itertools
from enum import StrEnum

from attrs import frozen

from packhorse_pai.domain.policy import MOST_DEPTH, NEVER, SPAWN_TOOLS, Policy
from packhorse_pai.domain.seen import PERSON


class Effect(StrEnum):
    """What becomes of the call. Of several, the strictest holds: deny, then needs_approval, then allow."""

    ALLOW = "allow"
    NEEDS_APPROVAL = "needs_approval"
    DENY = "deny"


class Rule(StrEnum):
    """Why. A closed set, fit for the label of a metric."""

    GRANTED = "granted"
    EDGE = "edge"
    APPROVED = "approved"
    STOPPED = "stopped"
    NO_AGENT = "no_agent"
    UNKNOWN_AGENT = "unknown_agent"
    NOT_EXPOSED = "not_exposed"
    NO_EDGE = "no_edge"
    CYCLE = "cycle"
    TOO_DEEP = "too_deep"
    UNKNOWN_TOOL = "unknown_tool"
    NEVER_AN_AGENT = "never_an_agent"
    NOT_GRANTED = "not_granted"
    NOT_DELEGATED = "not_delegated"
    FORBIDDEN = "forbidden"
    PRECONDITION = "precondition"
    APPROVAL = "approval"
    BUDGET = "budget"
    ARGUMENT = "argument"
    TOO_MANY_ASKS = "too_many_asks"


@frozen
class Reason:
    """One rule that decided, and in words what it saw."""

    rule: Rule
    text: str


@frozen
class Decision:
    """The verdict with its reasons; there is at least one, also where it is to allow."""

    effect: Effect
    reasons: tuple[Reason, ...]

    @property
    def allowed(self) -> bool:
        """Whether the call may run now."""
        return self.effect is Effect.ALLOW

    @property
    def text(self) -> str:
        """Every reason, in one line."""
        return " ".join(reason.text for reason in self.reasons)


@frozen
class Ask:
    """A call that an agent wants to make.

    ``chain`` is nearest first. ``facts`` are those that hold now about the
    thing the call would change. ``supervised`` says that the person asked to
    approve each change of this run; ``approved`` that one approval is bound to
    exactly this call.
    """

    chain: tuple[str, ...]
    tool: str
    facts: frozenset[str] = frozenset()
    stopped: bool = False
    supervised: bool = False
    approved: bool = False
    argued: str = ""
    """Why a person must look at the arguments; empty where nobody must."""


def decide(policy: Policy, ask: Ask) -> Decision:
    """Whether the nearest agent of the chain may use the tool now."""
    against = _against_chain(policy, ask.chain, stopped=ask.stopped)
    tool = ask.tool
    if tool in NEVER or tool in SPAWN_TOOLS:
        against.append(Reason(Rule.NEVER_AN_AGENT, f"No agent can hold {tool}."))
    elif tool not in policy.tools:
        against.append(Reason(Rule.UNKNOWN_TOOL, f"This host offers no tool {tool}."))
    elif policy.tools[tool].input_schema.get(PERSON) is True:
        against.append(Reason(Rule.NEVER_AN_AGENT, f"{tool} refuses every agent: a person must call it."))
    if ask.chain:
        actor = ask.chain[0]
        if tool not in policy.use.get(actor, _NONE):
            against.append(Reason(Rule.NOT_GRANTED, f"{actor} is not granted {tool}."))
        for above in ask.chain[1:]:
            if tool not in policy.delegate.get(above, _NONE):
                against.append(Reason(Rule.NOT_DELEGATED, f"{above} may not pass {tool} on."))
        for agent in ask.chain:
            if (agent, tool) in policy.forbids:
                against.append(Reason(Rule.FORBIDDEN, f"{tool} is forbidden to {agent} and to agents that act for it."))
    if lacking := lacking_facts(policy, tool, ask.facts):
        against.append(Reason(Rule.PRECONDITION, f"{tool} needs first: {', '.join(lacking)}."))
    if against:
        return Decision(Effect.DENY, tuple(against))
    if needs_approval(policy, ask):
        if not ask.approved:
            words = f"A person must approve {tool}{': ' + ask.argued if ask.argued else ''}."
            return Decision(Effect.NEEDS_APPROVAL, (Reason(Rule.APPROVAL, words),))
        return Decision(Effect.ALLOW, (Reason(Rule.APPROVED, f"A person approved this call of {tool}."),))
    return Decision(Effect.ALLOW, (Reason(Rule.GRANTED, f"{ask.chain[0]} is granted {tool}."),))


def decide_spawn(policy: Policy, chain: tuple[str, ...], child: str, *, stopped: bool = False) -> Decision:
    """Whether the nearest agent of the chain may start ``child``; an empty chain is a person's own invocation."""
    against = _against_chain(policy, chain, stopped=stopped) if chain else _stopped(stopped)
    if child not in policy.limits:
        against.append(Reason(Rule.UNKNOWN_AGENT, f"There is no agent {child[:64]!r} with a valid card."))
    elif not chain and child not in policy.exposed:
        against.append(Reason(Rule.NOT_EXPOSED, f"{child} cannot be invoked from outside."))
    elif chain and child in chain:
        against.append(Reason(Rule.CYCLE, f"{child} is already running above this agent."))
    elif chain and child not in policy.spawn.get(chain[0], _NONE):
        against.append(Reason(Rule.NO_EDGE, f"{chain[0]} may not spawn {child}."))
    if chain and len(chain) >= _depth(policy, chain):
        against.append(
            Reason(
                Rule.TOO_DEEP, f"{len(chain)} agents are already running above this agent, so it may not start another."
            )
        )
    if against:
        return Decision(Effect.DENY, tuple(against))
    starter = chain[0] if chain else "A person"
    return Decision(Effect.ALLOW, (Reason(Rule.EDGE, f"{starter} may start {child}."),))


def needs_approval(policy: Policy, ask: Ask) -> bool:
    """Whether a person must approve the call: by policy, or because its run is supervised and it changes something."""
    if ask.tool in policy.approvals or ask.argued:
        return True
    tool = policy.tools.get(ask.tool)
    return ask.supervised and (tool is None or not tool.read_only)


def lacking_facts(policy: Policy, tool: str, facts: frozenset[str]) -> tuple[str, ...]:
    """Facts that the tool needs and that do not hold, unless one holds that lifts them."""
    asked = (rule for rule in policy.preconditions.get(tool, ()) if facts.isdisjoint(rule.unless))
    return tuple(dict.fromkeys(fact for rule in asked for fact in rule.facts if fact not in facts))


def proper_parents(policy: Policy, child: str) -> tuple[str, ...]:
    """The agents that may start ``child``, by name."""
    return tuple(sorted(parent for parent, children in policy.spawn.items() if child in children))


def _against_chain(policy: Policy, chain: tuple[str, ...], *, stopped: bool) -> list[Reason]:
    against = _stopped(stopped)
    if not chain:
        against.append(Reason(Rule.NO_AGENT, "The call does not say which agent makes it."))
        return against
    known = policy.limits
    for agent in chain:
        if agent not in known:
            against.append(Reason(Rule.UNKNOWN_AGENT, f"There is no agent {agent[:64]!r} with a valid card."))
    if chain[-1] in known and chain[-1] not in policy.exposed:
        against.append(Reason(Rule.NOT_EXPOSED, f"{chain[-1]} cannot be invoked from outside."))
    if len(set(chain)) != len(chain):
        against.append(Reason(Rule.CYCLE, "An agent occurs twice in the chain."))
    if len(chain) > _depth(policy, chain):
        against.append(Reason(Rule.TOO_DEEP, f"{len(chain)} agents in one chain are more than the limit."))
    for child, parent in itertools.pairwise(chain):
        if child not in policy.spawn.get(parent, _NONE):
            against.append(Reason(Rule.NO_EDGE, f"{parent} may not spawn {child}."))
    return against


def _depth(policy: Policy, chain: tuple[str, ...]) -> int:
    """The root's own limit bounds the whole chain: nobody below can widen it."""
    root = policy.limits.get(chain[-1])
    return MOST_DEPTH if root is None else min(MOST_DEPTH, root.depth)


def _stopped(stopped: bool) -> list[Reason]:  # one fact, named by the function
    return [Reason(Rule.STOPPED, "All agents are stopped by the kill switch.")] if stopped else []


_NONE: frozenset[str] = frozenset()
