"""The policy in Cedar, so that a gateway above this host can enforce the same.

Each agent is an ``Agent``, each tool a ``Tool``. A chain is asked hop by hop:
the nearest agent for ``use``, each one above for ``delegate`` of the tool and
``spawn`` of the agent below it, and the person for ``invoke`` of the
outermost; the call may run where every answer is Allow. ``context`` holds
``facts`` (a set of names), ``stopped``, ``supervised`` and ``approved``.
Cedar denies by default and a ``forbid`` wins, as here.
"""

import json
from collections.abc import Iterator

from packhorse_pai.domain.policy import Policy


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
        if agent in policy.exposed:
            yield f'permit (principal is Person, action == Action::"invoke", {_at("Agent", agent)});'
    for agent, tool in sorted(policy.forbids):
        actions = 'action in [Action::"use", Action::"delegate"]'
        yield f"forbid ({_is('Agent', agent)}, {actions}, {_at('Tool', tool)});"


def _condition(policy: Policy, tool: str) -> str:
    clauses = []
    if rule := policy.preconditions.get(tool):
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
