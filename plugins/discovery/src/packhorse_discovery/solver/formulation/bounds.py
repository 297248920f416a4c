"""Bounds that follow from declared bounds and rules: activity bounds, Savelsbergh, ORSA J. Computing 6 (1994) 445."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from packhorse_discovery.domain.formulation.form import DEFAULT_HIGH
from packhorse_discovery.domain.formulation.terms import Condition, Every, Linear, Relation, Variable, scaled

Span = tuple[Fraction | None, Fraction | None]
"""Lowest and highest value; None where there is no bound."""

_ROUNDS = 4


def propagated(variables: Iterable[Variable], conditions: Iterable[Condition]) -> dict[Variable, Span]:
    """The span of each variable after a few rounds over the conditions that are plain inequalities."""
    spans: dict[Variable, Span] = {each: _declared(each) for each in variables}
    sums = [each for condition in conditions for each in _inequalities(condition)]
    for _ in range(_ROUNDS):
        changed = [_tightened(spans, each) for each in sums]
        if not any(changed):
            break
    return {each: _with_default(each, span) for each, span in spans.items()}


def span_of(terms: Iterable[tuple[Span, Fraction]], constant: Fraction) -> Span:
    """The span of a linear sum."""
    low: Fraction | None = constant
    high: Fraction | None = constant
    for span, number in terms:
        ends = span if number > 0 else span[::-1]
        low = None if low is None or ends[0] is None else low + number * ends[0]
        high = None if high is None or ends[1] is None else high + number * ends[1]
    return low, high


def _declared(variable: Variable) -> Span:
    """Without the bound that was only assumed, so that rules can give a better one."""
    low, high = variable.low, variable.high
    if variable.kind == "int":
        return (None if low == -DEFAULT_HIGH else low), (None if high == DEFAULT_HIGH else high)
    return low, high


def _with_default(variable: Variable, span: Span) -> Span:
    low, high = span
    if variable.kind == "real":
        return span
    low, high = (variable.low if low is None else low), (variable.high if high is None else high)
    return (None if low is None else Fraction(math.ceil(low))), (None if high is None else Fraction(math.floor(high)))


def _inequalities(condition: Condition) -> Iterable[Linear]:
    """Sums that are at most 0."""
    match condition:
        case Every(items):
            for each in items:
                yield from _inequalities(each)
        case Relation(operator, left) if operator != "!=" and all(
            isinstance(each, Variable) for each in left.coefficients
        ):
            yield left
            if operator == "==":
                yield scaled(left, Fraction(-1))


def _tightened(spans: dict[Variable, Span], total: Linear) -> bool:
    lows: dict[Variable, Fraction | None] = {}
    for atom, number in total.coefficients.items():
        assert isinstance(atom, Variable)  # noqa: S101 -- as `_inequalities` chose them
        end = spans[atom][0 if number > 0 else 1]
        lows[atom] = None if end is None else number * end
    open_ones = [each for each, low in lows.items() if low is None]
    if len(open_ones) > 1:
        return False
    known = total.constant + sum(low for low in lows.values() if low is not None)
    changed = False
    for atom in open_ones or list(lows):
        number = total.coefficients[atom]
        limit = -(known - (lows[atom] or 0)) / number
        low, high = spans[atom]
        if number > 0 and (high is None or limit < high):
            spans[atom], changed = (low, limit), True
        elif number < 0 and (low is None or limit > low):
            spans[atom], changed = (limit, high), True
    return changed
