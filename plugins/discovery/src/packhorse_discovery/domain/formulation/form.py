"""A formulation that is ready: sets listed, tables filled, variables with bounds, rules parsed."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from attrs import frozen

from packhorse_discovery.domain.formulation import arithmetic as a
from packhorse_discovery.domain.formulation.expressions import Evaluator, Table
from packhorse_discovery.domain.formulation.terms import (
    Condition,
    Every,
    Key,
    Kind,
    Linear,
    Relation,
    Some,
    Variable,
    variables_in,
)

DEFAULT_HIGH = Fraction(1_000_000)
"""The bound of a whole variable that declares none; an answer at it is reported as unbounded."""
Sense = Literal["minimize", "maximize"]


@frozen
class Datum:
    """What was said: a value or a table, its unit and quote.

    ``formulas`` are the texts of what was derived, ``worked_out`` the keys of the values that they gave.
    """

    name: str
    table: Table
    unit: str
    quote: str
    formulas: tuple[str, ...] = ()
    worked_out: frozenset[Key] = frozenset()


@frozen
class Block:
    """Variables of one name."""

    name: str
    kind: Kind
    unit: str
    table: Table
    texts: tuple[str, ...] = ()

    @property
    def variables(self) -> Iterator[Variable]:
        """Each variable."""
        for cell in self.table.cells.values():
            (found,) = cell.coefficients
            yield found


@frozen
class Rule:
    """A rule by its name; ``quote`` are the words it comes from, where given."""

    name: str
    text: str
    quote: str
    tree: ast.expr
    condition: Condition


@frozen
class Goal:
    """What is made as small or as large as possible."""

    sense: Sense
    text: str
    tree: ast.expr
    total: Linear


@frozen
class Formulation:
    """A formulation that can be solved."""

    sets: Mapping[str, Sequence[Any]]
    set_texts: Mapping[str, str]
    data: Mapping[str, Datum]
    blocks: Mapping[str, Block]
    rules: Sequence[Rule]
    goal: Goal | None
    ignored: Mapping[str, str]

    @property
    def variables(self) -> list[Variable]:
        """Every variable."""
        return [each for block in self.blocks.values() for each in block.variables]

    def evaluator(self, values: Mapping[Variable, Fraction], tolerance: Fraction) -> Evaluator:
        """One that works out expressions with ``values`` in place of the variables."""
        names: dict[str, Any] = {**self.sets, **{name: each.table for name, each in self.data.items()}}
        for name, block in self.blocks.items():
            cells = {}
            for key, cell in block.table.cells.items():
                (variable,) = cell.coefficients
                cells[key] = Linear(constant=values[variable], unit=cell.unit)
            names[name] = Table(name, block.table.over, block.table.dimensions, cells)
        return Evaluator(names, tolerance)


def exact(value: Any) -> Fraction | None:
    """A JSON number or a worked-out value as an exact fraction; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return Fraction(repr(value)) if value == value and abs(value) != float("inf") else None
    number = a.plain(value)
    return None if number is None else Fraction(number)


def variables_named(tree: ast.expr, names: Mapping[str, Any]) -> bool:
    """Whether an expression names a variable."""
    return any(
        isinstance(node, ast.Name)
        and isinstance(table := names.get(node.id), Table)
        and any(cell.coefficients for cell in table.cells.values())
        for node in ast.walk(tree)
    )


def presses(total: Linear, sense: Sense, conditions: Sequence[Condition]) -> bool:
    """Whether some condition pulls against the goal; where none does, the best answer lies at the bounds."""
    sign = 1 if sense == "minimize" else -1
    pulled = {atom: sign * number for atom, number in total.coefficients.items()}
    if not all(isinstance(atom, Variable) for atom in pulled):
        return True

    def pulls(condition: Condition) -> bool:
        match condition:
            case Every(items) | Some(items):
                return any(map(pulls, items))
            case Relation("<=" | "<", left):
                return any(
                    pulled.get(atom, 0) * number < 0
                    if isinstance(atom, Variable)
                    else not pulled.keys().isdisjoint(variables_in(atom))
                    for atom, number in left.coefficients.items()
                )
        return not pulled.keys().isdisjoint(variables_in(condition))

    return any(map(pulls, conditions))


def label(member: Any) -> str:
    """A member of a set as the key of an object: pairs are joined by commas."""
    return ",".join(map(str, member)) if isinstance(member, tuple) else str(member)
