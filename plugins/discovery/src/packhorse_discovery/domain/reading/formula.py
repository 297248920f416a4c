"""A formula over the numbers of an answer: ``90 / 300 * 60`` from "90 loaves" and "300 an hour"."""

import ast
import operator
from collections.abc import Callable, Iterator
from itertools import islice, product

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.case.units import unit_of
from packhorse_discovery.domain.reading.amount import Amount, close
from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.times import of_clock
from packhorse_discovery.domain.reading.words import Words, content

_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
_CONVERTS = frozenset({7.0, 24.0, 60.0, 3600.0})
"""Numbers that change a unit of time and need not be said."""
_SCALES: dict[float, tuple[str, ...]] = {100.0: ("share", "length"), 1000.0: ("mass", "volume", "length")}
"""Numbers that change another unit, where the answer has one of its kind."""
GENERAL_UNITS = frozenset({"piece", "batch", "unit", "item", "part", ""})
"""Units of a count that need not be said."""
_TRIES = 512
_Sized = tuple[float, int]
"""A number with its dimension in time: minutes 1, a rate -1."""


def agrees(
    formula: str, value: str, unit: str, answer: Words, fits: Callable[[Amount], bool], counts: Callable[[Amount], bool]
) -> tuple[str, list[Amount]]:
    """What is wrong with ``formula`` for ``value`` in ``unit``, "" where nothing is; and the numbers it uses.

    ``fits`` says whether a length of time in the answer may be of the row that the formula is for, ``counts`` whether
    a number without a unit may.
    """
    try:
        tree = ast.parse(formula, mode="eval").body
        constants = [one for one in ast.walk(tree) if isinstance(one, ast.Constant)]
        numbers = [float(str(one.value)) for one in sorted(constants, key=lambda one: one.col_offset)]
        plain, _ = _evaluate(tree, iter([(one, 0) for one in numbers]))
        wanted = float(value)
    except (SyntaxError, ValueError, TypeError, ZeroDivisionError):
        return "the formula must be numbers with + - * /", []
    rounded = 0.5 * 10.0 ** -len(value.partition(".")[2]) + 1e-9
    slack = min(rounded, 0.005 * max(1.0, abs(wanted)))
    if abs(plain - wanted) > slack:
        return f"the formula gives {plain:g}", []
    timed = unit_of(unit) in MINUTES
    measured = unit_of(unit) and any(one.unit == unit_of(unit) for one in amounts(answer))
    general = unit.casefold().rstrip("s") in GENERAL_UNITS
    if not (timed or measured or general or all(answer.places(word) for word in content(unit))):
        return f"{unit} are not in the answer", []
    readings = [list(_readings(one, answer, fits, counts, timed=timed)) for one in numbers]
    for number, found in zip(numbers, readings, strict=True):
        if not found:
            return f"{number:g} of the formula is not in the answer", []
    used = [one for found in readings for _, one in found if one is not None]
    target = (wanted * MINUTES[unit_of(unit)], 1) if timed else (wanted, 0)
    for choice in islice(product(*readings), _TRIES):
        try:
            result = _evaluate(tree, iter([sized for sized, _ in choice]))
        except (ValueError, ZeroDivisionError):
            continue
        if (
            result[1] == target[1]
            and abs(result[0] - target[0]) <= slack * (target[0] / wanted if wanted else 1) + 1e-6
        ):
            return "", used
    return "the units of the formula do not come out", []


def _readings(
    number: float, answer: Words, fits: Callable[[Amount], bool], counts: Callable[[Amount], bool], *, timed: bool
) -> Iterator[tuple[_Sized, Amount | None]]:
    """What ``number`` may be: an amount of the answer, a rate of one, or a number that converts."""
    for one in amounts(answer):
        shift = answer.texts[one.last + 1 : one.last + 2] in (("later",), ("earlier",))  # "a week later"
        if not close(one.low, one.high) or one.ordinal or shift or of_clock(one, answer):
            continue
        own = (one.unit,) if one.unit else ("", *one.carried)
        for unit in own:
            if unit in MINUTES:
                if fits(one) and any(close(one.low * MINUTES[unit] / each, number) for each in MINUTES.values()):
                    yield (one.low * MINUTES[unit], 1), one
            elif close(one.low, number) and counts(one):
                yield ((number / one.per, -1) if one.per else (number, 0)), one
            elif unit == "percent" and close(one.low / 100, number):
                yield (number, 0), one
    if number in _CONVERTS:
        yield (1.0, 0), None
        if not timed:
            yield (number, 0), None
    if any(one.family in _SCALES.get(number, ()) for one in amounts(answer)):
        yield (number, 0), None


def _evaluate(node: ast.expr, numbers: Iterator[_Sized]) -> _Sized:
    """The value of an expression whose constants, from left to right, are ``numbers``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return next(numbers)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        (one, mine), (other, its) = _evaluate(node.left, numbers), _evaluate(node.right, numbers)
        result = _OPERATORS[type(node.op)](one, other)
        if isinstance(node.op, ast.Mult | ast.Div):
            return result, mine + its if isinstance(node.op, ast.Mult) else mine - its
        if mine != its:
            raise ValueError("a sum of unlike things")
        return result, mine
    raise ValueError("only numbers and + - * /")
