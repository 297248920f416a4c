"""all_different, no_overlap, cumulative and circuit: built from rows of values, and checked where all are constants."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from packhorse_discovery.domain.formulation import arithmetic as a
from packhorse_discovery.domain.formulation.fault import ExpressionError
from packhorse_discovery.domain.formulation.terms import Condition, Global, Linear

NAMES = ("all_different", "no_overlap", "cumulative", "circuit")
_ROWS = {
    "no_overlap": ("(start, duration) or (start, duration, present)", (2, 3)),
    "cumulative": ("(start, duration, demand)", (3,)),
    "circuit": ("(from, to, is_used)", (3,)),
}


def maker(name: str) -> Callable[[Sequence[Any]], Condition]:
    """The function that a rule calls."""
    return lambda given: _made(name, given)


def _made(name: str, given: Sequence[Any]) -> Condition:
    wanted = 2 if name == "cumulative" else 1
    if len(given) != wanted or not isinstance(given[0], list | tuple):
        raise ExpressionError(f"{name} takes a list{' and a capacity' if wanted > 1 else ''}")
    capacity = a.as_sum(given[1]) if wanted > 1 else None
    rows: list[tuple[Any, ...]] = []
    for row in given[0]:
        if name == "all_different":
            rows.append((a.as_sum(row),))
            continue
        shape, lengths = _ROWS[name]
        if not isinstance(row, tuple) or len(row) not in lengths:
            raise ExpressionError(f"{name} takes rows {shape}")
        rows.append((row[0], row[1], a.as_sum(row[2])) if name == "circuit" else tuple(map(a.as_sum, row)))
    made = Global(name, rows, capacity)  # type: ignore[arg-type]
    sums = [each for row in rows for each in row if isinstance(each, Linear)] + ([capacity] if capacity else [])
    return holds(made) if all(not each.coefficients for each in sums) else made


def holds(rule: Global) -> bool:
    """Whether a global constraint on constants holds."""
    match rule.kind:
        case "all_different":
            values = [_number(row[0]) for row in rule.rows]
            return len(set(values)) == len(values)
        case "no_overlap":
            present = [row for row in rule.rows if len(row) == 2 or _number(row[2]) == 1]
            return _fits([(_number(row[0]), _number(row[1]), Fraction(1)) for row in present], Fraction(1))
        case "cumulative":
            rows = [(_number(row[0]), _number(row[1]), _number(row[2])) for row in rule.rows]
            return _fits(rows, rule.capacity.constant if rule.capacity else Fraction(0))
        case "circuit":
            return _is_circuit([(row[0], row[1]) for row in rule.rows if _number(row[2]) == 1], rule)


def _fits(rows: Sequence[tuple[Fraction, Fraction, Fraction]], capacity: Fraction) -> bool:
    return all(
        sum(demand for start, length, demand in rows if start <= at < start + length) <= capacity
        for at in {start for start, length, _ in rows if length > 0}
    )


def _is_circuit(arcs: Sequence[tuple[Any, Any]], rule: Global) -> bool:
    """One round through every node, except those with an arc to themselves."""
    nodes = {end for row in rule.rows for end in row[:2]}
    following = dict(arcs)
    if len(following) != len(arcs) or set(following) != nodes or set(following.values()) != nodes:
        return False
    visited = [node for node in nodes if following[node] != node]
    if not visited:
        return True
    at, steps = following[visited[0]], 1
    while at != visited[0]:
        at, steps = following[at], steps + 1
    return steps == len(visited)


def _number(value: Any) -> Fraction:
    return value.constant if isinstance(value, Linear) else Fraction(value)
