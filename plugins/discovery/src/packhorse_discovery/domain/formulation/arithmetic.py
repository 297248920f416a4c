"""Arithmetic on plain numbers and on sums over variables; plain numbers stay plain."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from packhorse_discovery.domain.formulation import units
from packhorse_discovery.domain.formulation.fault import ExpressionError
from packhorse_discovery.domain.formulation.terms import (
    Atom,
    Condition,
    Every,
    Extreme,
    Global,
    Linear,
    Product,
    Relation,
    Some,
    Truth,
    Variable,
    is_whole,
    scaled,
)

MAX_POWER = 10
"""The highest power that is worked out."""

MAX_BITS = 512
"""How long a number may be that is raised to a power."""


def as_sum(value: Any) -> Linear:
    """A number, a sum or a condition as a sum; a condition counts 1 where it holds."""
    match value:
        case Linear():
            return value
        case bool():
            return Linear(constant=Fraction(int(value)))
        case int() | Fraction():
            return Linear(constant=Fraction(value))
        case Relation() | Every() | Some():
            return Linear({Truth(value): Fraction(1)})
        case Global(kind):
            raise ExpressionError(f"{kind} is a condition and cannot be counted or added")
    raise ExpressionError(f"{words_of(value)} is no number")


def plain(value: Any) -> int | Fraction | None:
    """The number that a value is, without its unit; None where it depends on a variable or is none."""
    if isinstance(value, Linear):
        return None if value.coefficients else value.constant
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None


def added(values: Iterable[Any], verb: str = "adds") -> Linear | int | Fraction:
    """The sum of values in one unit."""
    coefficients: dict[Atom, Fraction] = {}
    constant, unit, summed = Fraction(0), units.BARE, False
    for value in values:
        if not isinstance(value, Linear) and (number := plain(value)) is not None:
            constant += number
            continue
        each, summed = as_sum(value), True
        for atom, number in each.coefficients.items():
            coefficients[atom] = coefficients.get(atom, Fraction(0)) + number
        constant += each.constant
        unit = _joined(unit, each.unit, verb)
    if not summed:
        return _lean(constant)
    return Linear({atom: number for atom, number in coefficients.items() if number}, constant, unit)


def subtracted(left: Any, right: Any) -> Linear | int | Fraction:
    """The difference, in the unit of both."""
    return added([left, multiplied(right, -1)])


def multiplied(left: Any, right: Any) -> Linear | int | Fraction:
    """The product; of two variables where both are whole, or one of them 0 or 1."""
    if not isinstance(left, Linear) and not isinstance(right, Linear):
        one, other = plain(left), plain(right)
        if one is not None and other is not None:
            return one * other
    one_sum, other_sum = as_sum(left), as_sum(right)
    unit = units.times(one_sum.unit, other_sum.unit)
    if not one_sum.coefficients or not other_sum.coefficients:
        factor, rest = (one_sum, other_sum) if not one_sum.coefficients else (other_sum, one_sum)
        found = scaled(rest, factor.constant)
        return Linear(found.coefficients, found.constant, unit)
    if not (is_whole(one_sum) and is_whole(other_sum)) and not (is_bit(one_sum) or is_bit(other_sum)):
        raise ExpressionError(
            "multiplies two variables of which one is real; no solver here can prove an optimum of that: "
            "make both int, make one bool, or write the rule without the product"
        )
    return Linear({Product(one_sum, other_sum): Fraction(1)}, Fraction(0), unit)


def divided(left: Any, right: Any) -> Linear | int | Fraction:
    """The quotient by a constant."""
    number = plain(right)
    if number is None:
        raise ExpressionError("divides by a variable; multiply both sides by it instead")
    if number == 0:
        raise ExpressionError("divides by 0")
    if not isinstance(left, Linear) and not isinstance(right, Linear):
        top = plain(left)
        if top is not None:
            return _lean(Fraction(top) / number)
    found = scaled(as_sum(left), 1 / Fraction(number))
    return Linear(found.coefficients, found.constant, units.times(found.unit, as_sum(right).unit, -1))


def raised(base: Any, power: Any) -> Linear | int | Fraction:
    """A power by a whole constant."""
    exponent, number = plain(power), plain(base)
    if exponent is None or exponent != int(exponent) or not 0 <= exponent <= MAX_POWER:
        raise ExpressionError(f"raises to a power that is not a whole constant from 0 to {MAX_POWER}")
    if number is not None and abs(number.numerator).bit_length() + number.denominator.bit_length() > MAX_BITS:
        raise ExpressionError("raises a number to a power that grows too large")
    if number is not None and not isinstance(base, Linear):
        return _lean(Fraction(number) ** int(exponent))
    found: Any = 1
    for _ in range(int(exponent)):
        found = multiplied(found, base)
    return found  # type: ignore[no-any-return]


def whole_part(operator: str, left: Any, right: Any) -> int | Fraction:
    """``//`` or ``%`` of two constants."""
    one, other = plain(left), plain(right)
    if one is None or other is None:
        raise ExpressionError(f"uses {operator} with a variable; it takes constants only")
    if other == 0:
        raise ExpressionError("divides by 0")
    return _lean(Fraction(one // other if operator == "//" else one % other))


def rounded(name: str, value: Any) -> int:
    """``floor`` or ``ceil`` of a constant."""
    number = plain(value)
    if number is None:
        raise ExpressionError(f"takes {name} of a variable; it takes constants only")
    return math.floor(number) if name == "floor" else math.ceil(number)


def extreme(kind: str, values: Sequence[Any]) -> Linear | int | Fraction:
    """``max`` or ``min`` of several values, or ``abs`` of one."""
    if not values:
        raise ExpressionError(f"takes {kind} of nothing")
    if kind == "abs":
        return extreme("max", [values[0], multiplied(values[0], -1)])
    numbers = [plain(each) for each in values]
    if all(number is not None for number in numbers) and not any(isinstance(each, Linear) for each in values):
        return max(numbers) if kind == "max" else min(numbers)  # type: ignore[type-var,return-value]
    sums = [as_sum(each) for each in values]
    unit = units.BARE
    for each in sums:
        unit = _joined(unit, each.unit, f"takes the {kind} of")
    if all(not each.coefficients for each in sums):
        ends = [each.constant for each in sums]
        return Linear(constant=max(ends) if kind == "max" else min(ends), unit=unit)
    return Linear({Extreme("max" if kind == "max" else "min", sums): Fraction(1)}, Fraction(0), unit)


def related(operator: str, left: Any, right: Any, *, tolerance: Fraction) -> Condition:
    """A comparison; worked out at once where both sides are constants, within ``tolerance`` of their size."""
    if isinstance(left, str | tuple | list) or isinstance(right, str | tuple | list):
        if operator not in ("==", "!="):
            raise ExpressionError(f"compares {words_of(left)} and {words_of(right)} by {operator}")
        return bool(left == right) == (operator == "==")
    one, other = as_sum(left), as_sum(right)
    _joined(one.unit, other.unit, "compares")
    if not one.coefficients and not other.coefficients:
        return _compared(operator, one.constant, other.constant, tolerance)
    if operator in (">", ">="):
        one, other, operator = other, one, {">": "<", ">=": "<="}[operator]
    difference = as_sum(subtracted(Linear(one.coefficients, one.constant), Linear(other.coefficients, other.constant)))
    if not difference.coefficients:
        return _compared(operator, difference.constant, Fraction(0), tolerance)
    return Relation(operator, difference)  # type: ignore[arg-type]


def as_condition(value: Any) -> Condition:
    """A condition; a variable of 0 or 1 holds where it is 1."""
    if isinstance(value, bool | Relation | Every | Some | Global):
        return value
    if isinstance(value, Linear) and is_bit(value):
        return Relation("<=", Linear({atom: -number for atom, number in value.coefficients.items()}, Fraction(1)))
    if isinstance(value, Linear) and not value.coefficients and value.constant in (0, 1):
        return bool(value.constant)
    raise ExpressionError("is a value, not a condition: it needs <=, >=, == or a global constraint")


def words_of(value: Any) -> str:
    """A value as a person would write it."""
    match value:
        case str():
            return repr(value)
        case list():
            return "a list"
        case tuple():
            return f"({', '.join(map(str, value))})"
        case int():
            return str(value)
        case Fraction():
            return str(int(value)) if value.denominator == 1 else f"{float(value):g}"
        case Linear():
            return "a sum"
    return "a condition" if isinstance(value, Relation | Every | Some | Global) else str(value)


def _compared(operator: str, left: Fraction, right: Fraction, tolerance: Fraction) -> bool:
    slack = tolerance * max(Fraction(1), abs(left), abs(right))
    match operator:
        case "<=":
            return left <= right + slack
        case ">=":
            return left >= right - slack
        case "<":
            return left < right
        case ">":
            return left > right
        case "==":
            return abs(left - right) <= slack
    return abs(left - right) > slack


def is_bit(value: Linear) -> bool:
    """Whether a sum is one 0/1 variable, or one condition, and nothing else."""
    if len(value.coefficients) != 1 or value.constant != 0:
        return False
    (atom, number), *_ = value.coefficients.items()
    return number == 1 and (isinstance(atom, Truth) or (isinstance(atom, Variable) and atom.kind == "bool"))


def _joined(one: units.Unit, other: units.Unit, verb: str) -> units.Unit:
    try:
        return units.joined(one, other)
    except ValueError as exc:
        raise ExpressionError(f"{verb} {exc}; bring both to one unit") from exc


def _lean(number: Fraction) -> int | Fraction:
    return int(number) if number.denominator == 1 else number
