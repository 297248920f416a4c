"""What an expression comes to: linear sums over variables and over what is not linear, and conditions on them."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from attrs import field, frozen

from packhorse_discovery.domain.formulation.units import BARE, Unit

Kind = Literal["bool", "int", "real"]
Key = tuple[int | str, ...]
Operator = Literal["<=", "<", "==", "!="]


@frozen(eq=False)
class Variable:
    """One unknown. Bounds of None are infinite."""

    name: str
    key: Key
    kind: Kind
    low: Fraction | None
    high: Fraction | None

    @property
    def label(self) -> str:
        """As it is written in an expression."""
        return f"{self.name}[{', '.join(map(str, self.key))}]" if self.key else self.name


@frozen(eq=False)
class Linear:
    """``constant`` plus each atom times its coefficient, in ``unit``."""

    coefficients: Mapping["Atom", Fraction] = field(factory=dict)
    constant: Fraction = Fraction(0)
    unit: Unit = BARE


@frozen(eq=False)
class Product:
    """Two sums multiplied."""

    left: Linear
    right: Linear


@frozen(eq=False)
class Extreme:
    """The largest or smallest of several sums; an absolute value is the larger of a sum and its negative."""

    kind: Literal["max", "min"]
    items: Sequence[Linear]


@frozen(eq=False)
class Element:
    """``items[index - first]``."""

    items: Sequence[Linear]
    index: Linear
    first: int


@frozen(eq=False)
class Truth:
    """1 where the condition holds, else 0."""

    condition: "Condition"


@frozen(eq=False)
class Relation:
    """``left`` stands in this relation to 0."""

    operator: Operator
    left: Linear


@frozen(eq=False)
class Every:
    """All of these hold."""

    items: Sequence["Condition"]


@frozen(eq=False)
class Some:
    """At least one of these holds."""

    items: Sequence["Condition"]


@frozen(eq=False)
class Global:
    """A named constraint on rows of sums; the nodes of a circuit are plain values."""

    kind: Literal["all_different", "no_overlap", "cumulative", "circuit"]
    rows: Sequence[Sequence["Linear | int | str | Key"]]
    capacity: Linear | None = None


Atom = Variable | Product | Extreme | Element | Truth
Condition = bool | Relation | Every | Some | Global


def negated(condition: Condition) -> Condition:
    """The opposite.

    Raises:
        ValueError: a global constraint has none.
    """
    match condition:
        case bool():
            return not condition
        case Relation("<=", left):
            return Relation("<", scaled(left, Fraction(-1)))
        case Relation("<", left):
            return Relation("<=", scaled(left, Fraction(-1)))
        case Relation(operator, left):
            return Relation("!=" if operator == "==" else "==", left)
        case Every(items):
            return Some([negated(each) for each in items])
        case Some(items):
            return Every([negated(each) for each in items])
        case Global(kind):
            raise ValueError(f"{kind} holds always or not at all; it cannot be denied or depend on a condition")


def scaled(sum_: Linear, factor: Fraction) -> Linear:
    """The sum times a bare number."""
    return Linear(
        {atom: number * factor for atom, number in sum_.coefficients.items()}, sum_.constant * factor, sum_.unit
    )


def is_whole(sum_: Linear) -> bool:
    """Whether the sum takes whole values only, times the least common denominator."""
    return all(_whole(atom) for atom in sum_.coefficients)


def _whole(atom: Atom) -> bool:
    match atom:
        case Variable():
            return atom.kind != "real"
        case Product(left, right):
            return is_whole(left) and is_whole(right)
        case Extreme(_, items) | Element(items):
            return all(map(is_whole, items))
        case Truth():
            return True


def variables_in(node: "Linear | Condition | Atom") -> set[Variable]:
    """Every variable that a sum or condition depends on."""
    if isinstance(node, Variable):
        return {node}
    return {found for part in _parts(node) for found in variables_in(part)}


def _parts(node: "Linear | Condition | Atom") -> "Iterable[Linear | Condition | Atom]":
    match node:
        case Linear(coefficients):
            return coefficients
        case Product(left, right):
            return left, right
        case Extreme(_, items) | Every(items) | Some(items):
            return items
        case Element(items, index):
            return [*items, index]
        case Truth(condition):
            return (condition,)
        case Relation(_, left):
            return (left,)
        case Global(_, rows, capacity):
            return [each for row in rows for each in (*row, capacity) if isinstance(each, Linear)]
    return ()
