"""One sheet of a workbook as plain values: texts, numbers, dates and fill colours by row and column, counted from 1."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property

from attrs import define, field

Value = str | int | float | date
At = tuple[int, int]
"""A row and a column."""
Rect = tuple[int, int, int, int]
"""First row, first column, last row, last column."""


@define(slots=False, frozen=True, eq=False)
class Sheet:
    """What stands where.

    ``colours`` are fills as RRGGBB; white and no fill are left out.
    ``counted`` are cells with a formula, ``struck`` those whose text is struck
    through, ``noted`` those with a comment. A merged area has one value, that of its first cell. A
    ``flipped`` sheet has rows and columns exchanged, and still tells the
    coordinates that the workbook shows.
    """

    name: str
    values: Mapping[At, Value]
    colours: Mapping[At, str] = field(factory=dict)
    merged: tuple[Rect, ...] = ()
    counted: frozenset[At] = frozenset()
    struck: frozenset[At] = frozenset()
    noted: frozenset[At] = frozenset()
    flipped: bool = False
    hidden: tuple[str, ...] = ()
    """Rows and columns that the workbook does not show, and that are read all the same."""

    @cached_property
    def area(self) -> dict[At, Rect]:
        """The merged area that a cell lies in."""
        return {
            (row, column): rect
            for rect in self.merged
            for row in range(rect[0], rect[2] + 1)
            for column in range(rect[1], rect[3] + 1)
        }

    @cached_property
    def height(self) -> int:
        """The last row with a value or a colour."""
        return max((row for row, _ in (*self.values, *self.colours)), default=0)

    @cached_property
    def width(self) -> int:
        """The last column with a value or a colour."""
        return max((column for _, column in (*self.values, *self.colours)), default=0)

    def first_of(self, at: At) -> At:
        """The cell that holds the value of this one: itself, or the first of its merged area."""
        rect = self.area.get(at)
        return at if rect is None else (rect[0], rect[1])

    def value(self, at: At) -> Value | None:
        """The value of a cell; None where it is empty."""
        found = self.values.get(self.first_of(at))
        return None if isinstance(found, str) and not found.strip() else found

    def text(self, at: At) -> str:
        """The value as one line of text; empty where there is none."""
        found = self.value(at)
        if found is None:
            return ""
        if isinstance(found, float) and found.is_integer():
            found = int(found)
        return " ".join(str(found).split())

    def colour(self, at: At) -> str:
        """The fill of a cell; empty where it has none."""
        return self.colours.get(self.first_of(at), "")

    def name_of(self, at: At) -> str:
        """The cell as a spreadsheet calls it, such as C7."""
        row, column = at[::-1] if self.flipped else at
        letters = ""
        while column:
            column, rest = divmod(column - 1, 26)
            letters = chr(65 + rest) + letters
        return f"{letters}{row}"

    def flip(self) -> "Sheet":
        """The same with rows and columns exchanged."""
        return Sheet(
            self.name,
            {at[::-1]: value for at, value in self.values.items()},
            {at[::-1]: colour for at, colour in self.colours.items()},
            tuple((left, top, right, bottom) for top, left, bottom, right in self.merged),
            frozenset(at[::-1] for at in self.counted),
            frozenset(at[::-1] for at in self.struck),
            frozenset(at[::-1] for at in self.noted),
            not self.flipped,
            self.hidden,
        )
