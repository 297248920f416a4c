"""The policy in Cedar, so that a gateway above this host can enforce the same.

Each agent is an ``Agent``, each tool a ``Tool``. A chain is asked hop by hop:
the nearest agent for ``use``, each one above for ``delegate`` of the tool and
``spawn`` of the agent below it, and the person for ``invoke`` of the
outermost; the call may run where every answer is Allow. ``context`` holds
``facts`` (a set of names), ``stopped``, ``supervised`` and ``approved``.
Cedar denies by default and a ``forbid`` wins, as here.

Grants on arguments are asked layer by layer of each agent: a ``Layer`` for
``allow`` of the tool, and where that is denied for ``ask``, with the context of
`call_context`; the lowest answer over the layers holds. A list argument is
asked once for each element, since a set in Cedar holds all or any.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from math import ceil, floor
from typing import Any

from packhorse_pai.domain.grants import PLAIN, Clause, Grant, Layer, Rule, Verdict, World, holds
from packhorse_pai.domain.policy import Policy
from packhorse_pai.domain.words import number, same

HUNDREDTHS = 100
"""Cedar has whole numbers: a bound is compared in hundredths, rounded against the caller."""


def cedar(policy: Policy) -> str:
    """All statements, one a right, in an order that depends on nothing but the rights."""
    return "\n".join([f"// packhorse pai policy {policy.digest}", *_statements(policy), ""])


def _statements(policy: Policy) -> Iterator[str]:
    yield "forbid (principal, action, resource) when { context.stopped };"
    agents = sorted(policy.agents)
    for agent in agents:
        for tool in sorted(policy.use.get(agent, frozenset()) & policy.tools.keys()):
            condition = _condition(policy, tool)
            yield f'permit ({_is("Agent", agent)}, action == Action::"use", {_at("Tool", tool)}){condition};'
        for tool in sorted(policy.delegate.get(agent, frozenset())):
            yield f'permit ({_is("Agent", agent)}, action == Action::"delegate", {_at("Tool", tool)});'
        for child in sorted(policy.spawn.get(agent, frozenset()) & policy.agents):
            yield f'permit ({_is("Agent", agent)}, action == Action::"spawn", {_at("Agent", child)});'
        for number_, layer in enumerate(policy.grants.get(agent, ())):
            yield from layer_statements(f"{agent}/{number_}", layer)
        if agent in policy.exposed:
            yield f'permit (principal is Person, action == Action::"invoke", {_at("Agent", agent)});'
    for agent, tool in sorted(policy.forbids):
        actions = 'action in [Action::"use", Action::"delegate"]'
        yield f"forbid ({_is('Agent', agent)}, {actions}, {_at('Tool', tool)});"


def _condition(policy: Policy, tool: str) -> str:
    clauses = []
    for rule in policy.preconditions.get(tool, ()):
        needed = f"context.facts.containsAll({_set(rule.facts)})"
        clauses.append(f"({needed} || context.facts.containsAny({_set(rule.unless)}))" if rule.unless else needed)
    if tool in policy.approvals:
        clauses.append("context.approved")
    elif not policy.tools[tool].read_only:
        clauses.append("(!context.supervised || context.approved)")
    return f" when {{ {' && '.join(clauses)} }}" if clauses else ""


def _set(names: tuple[str, ...]) -> str:
    return "[" + ", ".join(json.dumps(name) for name in names) + "]"


def _is(kind: str, name: str) -> str:
    return f"principal == {kind}::{json.dumps(name)}"


def _at(kind: str, name: str) -> str:
    return f"resource == {kind}::{json.dumps(name)}"


def layer_statements(name: str, layer: Layer) -> Iterator[str]:
    """The grants of one layer: for each tool what allows a call, and what at least asks."""
    for tool, grants in sorted(layer.grants.items()):
        for grant in grants:
            for action, level in (("allow", Verdict.ALLOW), ("ask", Verdict.ASK)):
                scope = f"{_is('Layer', name)}, action == Action::{json.dumps(action)}, {_at('Tool', tool)}"
                yield f"permit ({scope}) when {{ {_granted(grant, level)} }};"


def call_context(arguments: Mapping[str, Any], world: World, layers: Iterable[Layer]) -> dict[str, Any]:
    """What the statements of these layers look at, for one call without lists."""
    asked = {
        clause
        for layer in layers
        for grants in layer.grants.values()
        for grant in grants
        for rule in grant.arguments.values()
        for way in rule.alternatives
        for clause in way
        if clause.kind not in PLAIN  # Cedar decides these by itself
    }
    given = {name: value for name, value in arguments.items() if value is not None}
    return {
        "given": sorted(given),
        "words": sorted(world.mission.bag),
        "by_person": world.by_person,
        "args": {name: _seen(value, world, asked) for name, value in given.items()},
    }


def _seen(value: Any, world: World, asked: Iterable[Clause]) -> dict[str, Any]:
    verdicts = {clause: holds(clause, value, world) for clause in asked}
    seen: dict[str, Any] = {
        "value": _value(value),
        "length": len(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)),
        "allow": sorted(_fact(one) for one, verdict in verdicts.items() if verdict is Verdict.ALLOW),
        "ask": sorted(_fact(one) for one, verdict in verdicts.items() if verdict is not Verdict.DENY),
    }
    amount = number(value)
    if amount is not None and abs(amount) < 10**15:
        scaled = amount * HUNDREDTHS
        seen["low"], seen["high"] = floor(scaled), ceil(scaled)
    return seen


def _granted(grant: Grant, level: Verdict) -> str:
    names = tuple(sorted(grant.arguments))
    parts = [f"{_set(names)}.containsAll(context.given)" if names else "context.given.isEmpty()"]
    if grant.required:
        parts.append(f"context.given.containsAll({_set(tuple(sorted(grant.required)))})")
    for words in grant.when:
        said = f"context.words.containsAny({_set(tuple(sorted(words)))})"
        if level is Verdict.ALLOW:
            parts.append(f"{said} && context.by_person")
        elif grant.otherwise is not Verdict.ASK:
            parts.append(said)
    parts += [
        f"(!context.given.contains({json.dumps(name)}) || {_ruled(name, grant.arguments[name], level)})"
        for name in names
    ]
    return " && ".join(parts)


def _ruled(name: str, rule: Rule, level: Verdict) -> str:
    if level <= rule.otherwise:
        return "true"
    at = f"context.args[{json.dumps(name)}]"
    ways = ["(" + " && ".join(_clause(at, clause, level) for clause in way) + ")" for way in rule.alternatives if way]
    return "(" + " || ".join(ways) + ")" if ways else "false"


def _clause(at: str, clause: Clause, level: Verdict) -> str:
    match clause.kind:
        case "equals":
            return f"{at}.value == {json.dumps(_value(clause.about))}"
        case "in":
            return (
                f"{_set(tuple(_value(one) for one in clause.about))}.contains({at}.value)" if clause.about else "false"
            )
        case "most":
            bound = number(clause.about)
            high = floor(bound * HUNDREDTHS) if bound is not None else -1
            return f"({at} has low && {at}.low >= 0 && {at}.high <= {high})"
        case "short":
            return f"{at}.length <= {clause.about}"
        case "free":
            return "true"
        case _:
            return f"{at}.{'allow' if level is Verdict.ALLOW else 'ask'}.contains({json.dumps(_fact(clause))})"


def _fact(clause: Clause) -> str:
    return clause.kind if clause.about is None else f"{clause.kind} {clause.about}"


def _value(value: Any) -> str:
    """A value as a text that is the same for what a clause takes for the same."""
    if isinstance(value, str):
        return f"text {same(value)}"
    amount = number(value)
    return f"number {amount.normalize():f}" if amount is not None else f"json {json.dumps(value, sort_keys=True)}"
