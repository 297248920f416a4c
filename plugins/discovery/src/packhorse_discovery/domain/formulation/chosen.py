"""What an answer chose, as tables a person can read: one a variable, with a column for each of its sets."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from packhorse_discovery.domain.formulation.form import Block, Formulation, label
from packhorse_discovery.domain.formulation.terms import Variable

MOST_CHARACTERS = 4_000
"""How long the tables of one answer may be."""


def tables(formulation: Formulation, values: Mapping[Variable, Fraction], limit: int = MOST_CHARACTERS) -> str:
    """The variables with sets that are not 0, as Markdown; a bool has no value column, since it is 1 in every row.

    At most ``limit`` characters, and a line for each variable that tells how many of its rows are left out.
    """
    lines: list[str] = []
    room = limit
    for block in formulation.blocks.values():
        rows = list(_rows(block, values))
        if not block.table.over or not rows:
            continue
        head = [block.name + ":", _line([*block.table.over, *_value_column(block)])]
        head.append(_line(["---"] * (head[1].count(" | ") + 1)))
        taken = sum(len(each) + 1 for each in head)
        kept: list[str] = []
        for row in rows:
            if taken + len(row) + 1 > room:
                break
            kept.append(row)
            taken += len(row) + 1
        if kept:
            lines += [*head, *kept]
            room -= taken
        if len(kept) < len(rows):
            lines.append(f"{block.name}: rows left out here: {len(rows) - len(kept)}; values holds all.")
    return "\n".join(lines)


def scalars(formulation: Formulation, values: Mapping[Variable, Fraction]) -> list[str]:
    """The variables without sets, such as "last = 5"."""
    return [
        f"{each.name} = {size_of(values[each]):g}"
        for block in formulation.blocks.values()
        if not block.table.over
        for each in block.variables
    ]


def size_of(value: Fraction) -> int | float:
    """A value as JSON holds it, to six decimals."""
    return int(value) if value.denominator == 1 else round(float(value), 6)


def _value_column(block: Block) -> list[str]:
    if block.kind == "bool":
        return []
    return [f"{block.name} ({block.unit})" if block.unit else block.name]


def _rows(block: Block, values: Mapping[Variable, Fraction]) -> Iterator[str]:
    for variable in block.variables:
        if not (size := size_of(values[variable])):
            continue
        rest = list(variable.key)
        cells: list[Any] = []
        for members in block.table.dimensions:
            parts = len(members[0]) if isinstance(members[0], tuple) else 1
            cells.append(label(tuple(rest[:parts])))
            rest = rest[parts:]
        yield _line([*cells, *([] if block.kind == "bool" else [f"{size:,}"])])


def _line(cells: list[Any]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "/") for cell in cells) + " |"
