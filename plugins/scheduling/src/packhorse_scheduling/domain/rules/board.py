"""What a rule is, and one roster with its running sums: what would a change of a few cells break?

``kernel.board(grid).breaks([(p, d, h, s), ...])`` lists the violations that
setting those cells would newly make (nothing is changed); ``apply`` sets them.
The grid is the board's own copy.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from attrs import define, field

from packhorse_scheduling.domain.roster.arrays import Arrays, Grid, counts
from packhorse_scheduling.domain.rules.posting import Posting, Sum
from packhorse_scheduling.domain.rules.violation import Violation

Cells = list[tuple[int, int, int, int]]


@define(slots=False, eq=False)
class Changes:
    """Cells to set: (person, day, session, service or FREE). ``by_person`` has the new whole days."""

    cells: Cells
    by_person: "dict[int, dict[int, tuple[int, int]]]"
    _moves: "dict[tuple[int, int, int, int], int] | None" = None

    @classmethod
    def of(cls, board: "Board", cells: "Iterable[tuple[int, int, int, int]]") -> "Changes":
        """The changes among ``cells`` (one that sets what is there already is none)."""
        real: Cells = []
        people: dict[int, dict[int, tuple[int, int]]] = {}
        rows = board.rows
        for (p, d, h), s in {(p, d, h): s for p, d, h, s in cells}.items():  # the last word on a cell counts
            if rows[p][d][h] == s:
                continue
            real.append((p, d, h, s))
            days = people.setdefault(p, {})
            am, pm = days.get(d) or rows[p][d]
            days[d] = (s, pm) if h == 0 else (am, s)
        return cls(real, people)

    def cell(self, board: "Board", p: int, d: int) -> tuple[int, int]:
        """A person's day after the changes."""
        return self.by_person[p].get(d) or board.day(p, d)

    def moves(self, board: "Board") -> "Mapping[tuple[int, int, int, int], int]":
        """How many more (or fewer) of a role a service has: (role, service, day, session) to a difference."""
        if self._moves is None:
            moves: dict[tuple[int, int, int, int], int] = {}
            for p, d, h, s in self.cells:
                g = board.roles[p]
                old = board.rows[p][d][h]
                if old >= 0:
                    moves[g, old, d, h] = moves.get((g, old, d, h), 0) - 1
                if s >= 0:
                    moves[g, s, d, h] = moves.get((g, s, d, h), 0) + 1
            self._moves = {key: step for key, step in moves.items() if step}
        return self._moves

    def units(self, board: "Board", s: int, d: int, h: int) -> int:
        """How many more supervision units the service has in that half-day."""
        more = 0
        for p, day, half, new in self.cells:
            if (day, half) == (d, h):
                more += board.weights[p] * ((new == s) - (board.rows[p][d][h] == s))
        return more


class Rule(Protocol):
    """See the package's own words."""

    @property
    def codes(self) -> tuple[str, ...]: ...
    def check(self, grid: Grid) -> list[Violation]: ...
    def hurts(self, board: "Board", changes: Changes) -> Sequence[Violation]: ...
    def post(self, model: "Posting") -> None: ...


@define(slots=False, eq=False)
class Board:
    """A roster that can be asked and changed. Not for two threads at once."""

    kernel: Arrays
    rules: Sequence[Rule]
    grid: Grid = field(converter=np.copy)
    _slacks: "dict[str, tuple[Sum, list[list[int]]]]" = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.rows: list[list[tuple[int, int]]] = [[(a, b) for a, b in row] for row in self.grid.tolist()]
        self.roles: list[int] = self.kernel.group.tolist()
        self.weights: list[int] = self.kernel.units.tolist()

    @cached_property
    def count(self) -> "list[list[list[list[int]]]]":
        """How many of each role are on each service: [role][service][day][session]."""
        nested: list[list[list[list[int]]]] = counts(self.kernel, self.grid).tolist()
        return nested

    @cached_property
    def units(self) -> "list[list[list[int]]]":
        """Supervision units on each service: [service][day][session]."""
        nested: list[list[list[int]]] = counts(self.kernel, self.grid, self.kernel.units).sum(axis=0).tolist()
        return nested

    def slack(self, rule: "Sum") -> list[list[int]]:
        """The rule's slack by person and window."""
        known = self._slacks.get(rule.code)
        if known is None:
            known = self._slacks[rule.code] = rule, rule.slack(self.grid).tolist()
        return known[1]

    def day(self, p: int, d: int) -> tuple[int, int]:
        """A person's morning and afternoon."""
        return self.rows[p][d]

    def breaks(self, cells: "Iterable[tuple[int, int, int, int]]", *, first: bool = False) -> list[Violation]:
        """What setting these cells would newly break; with ``first``, at most the first rule's worth of errors."""
        changes = Changes.of(self, cells)
        found: list[Violation] = []
        if not changes.cells:
            return found
        for rule in self.rules:
            found += rule.hurts(self, changes)
            if first and any(violation.blocks for violation in found):
                break
        return found

    def apply(self, cells: "Iterable[tuple[int, int, int, int]]") -> None:
        """Set the cells."""
        changes = Changes.of(self, cells)
        for (g, s, d, h), step in changes.moves(self).items():
            self.count[g][s][d][h] += step
        for p, d, h, s in changes.cells:
            old = self.rows[p][d][h]
            for service, step in ((old, -1), (s, 1)):
                if service >= 0:
                    self.units[service][d][h] += step * self.weights[p]
            self.grid[p, d, h] = s
            self.rows[p][d] = (s, self.rows[p][d][1]) if h == 0 else (self.rows[p][d][0], s)
        for rule, slacks in self._slacks.values():
            for p in changes.by_person:
                slacks[p] = rule.slack(self.grid[p : p + 1], p)[0].tolist()
