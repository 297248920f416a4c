"""What of a policy can never work, always holds, or is said twice. Each finding can be proved by calls."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from packhorse_pai.domain.grants import Clause, Grant, Rule, Verdict
from packhorse_pai.domain.policy import Policy

Kind = str


@frozen
class Finding:
    """One thing to look at: its kind, the agent or tool that it is about, and in words what."""

    kind: Kind
    subject: str
    text: str


def findings(policy: Policy, agents: Sequence[str], schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[Finding]:
    """What is wrong with these agents of a policy. ``schemas`` are of tools at hand; empty where none is known."""
    reached = _reached(policy)
    for agent in sorted(set(agents) & policy.agents):
        use = policy.use.get(agent, frozenset())
        if agent not in reached:
            words = "nobody may invoke it and no agent that can be invoked starts it: write - **Exposed:** yes"
            yield Finding("unreachable", agent, words)
        if not use and not policy.spawn.get(agent):
            yield Finding("without_tools", agent, "it holds no tool and may start nobody: list some under ## Tools")
        for tool in sorted(use - schemas.keys()) if schemas else ():
            yield Finding("no_such_tool", agent, f"{tool} is offered by none of the packs at hand")
        for layer in policy.grants.get(agent, ())[1:]:
            for tool, grants in sorted(layer.grants.items()):
                yield from _of_grants(agent, tool, grants, schemas.get(tool))


def _of_grants(agent: str, tool: str, grants: Sequence[Grant], schema: Mapping[str, Any] | None) -> Iterator[Finding]:
    subject = f"{agent}: {tool}"
    for number, grant in enumerate(grants):
        if schema is not None:
            known = schema.get("properties", {})
            for name in sorted(grant.arguments.keys() - known.keys()):
                yield Finding("never_fires", subject, f"{tool} has no argument {name}")
            for name in sorted(set(schema.get("required", ())) - grant.arguments.keys()):
                yield Finding("never_fires", subject, f"{tool} needs {name}, and no rule is about it")
        if any(not words for words in grant.when):
            yield Finding("never_fires", subject, "a list of words under when is empty")
        for name, rule in sorted(grant.arguments.items()):
            if rule.otherwise is Verdict.DENY and not any(map(_possible, rule.alternatives)):
                yield Finding("never_fires", subject, f"no value of {name} can hold")
            if len(rule.alternatives) > 1 and any(_free(one) for one in rule.alternatives):
                yield Finding("always_holds", subject, f"{name} is free, so its other alternatives say nothing")
        if any(_covers(other, grant) for other in grants[:number]):
            yield Finding("shadowed", subject, f"grant {number + 1} allows nothing that another does not")


def _possible(alternative: Sequence[Clause]) -> bool:
    within = [set(map(repr, clause.about)) for clause in alternative if clause.kind == "in"]
    equal = [repr(clause.about) for clause in alternative if clause.kind == "equals"]
    if any(not values for values in within) or len(set(equal)) > 1:
        return False
    if within and not set.intersection(*within):
        return False
    return all(value in values for value in equal for values in within)


def _free(alternative: Sequence[Clause]) -> bool:
    return all(clause.kind == "free" for clause in alternative)


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
    return all(any(_weaker(wide, narrow) for wide in by.alternatives) for narrow in rule.alternatives)


def _weaker(wide: Sequence[Clause], narrow: Sequence[Clause]) -> bool:
    """Whether each clause of ``wide`` holds where those of ``narrow`` do."""
    return all(any(_follows(clause, given) for given in narrow) or clause.kind == "free" for clause in wide)


def _follows(clause: Clause, given: Clause) -> bool:
    if clause == given:
        return True
    if clause.kind == "in" and given.kind == "equals":
        return given.about in clause.about
    if clause.kind == given.kind == "in":
        return set(map(repr, given.about)) <= set(map(repr, clause.about))
    return clause.kind == given.kind and clause.kind in ("most", "short") and clause.about >= given.about


def _reached(policy: Policy) -> frozenset[str]:
    reached, waiting = set(policy.exposed), list(policy.exposed)
    while waiting:
        for child in policy.spawn.get(waiting.pop(), frozenset()) - reached:
            reached.add(child)
            waiting.append(child)
    return frozenset(reached)
