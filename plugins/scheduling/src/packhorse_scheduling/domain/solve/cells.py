"""The cells of a span of days: which the solver decides, among which services, and which are constant.

A cell is a constant when it lies outside the span, belongs to somebody outside
the model, is in ``fixed``, or is the morning of a night that was begun. A night
is one literal, shared by its evening and its morning.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from attrs import define, field
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.roster.arrays import FREE, Bools, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.posting import Classes, Pattern, Var


@define(slots=False, eq=False)
class Cells:
    """``allowed`` narrows who may do what (``bool[P, S, D]``, from rotations); None allows what the kernel does.

    ``last_known`` is the last day whose cells count: rolling windows that reach
    beyond it are judged later; ``first_known`` is the first, likewise.
    """

    kernel: Kernel
    grid: "Grid"
    persons: Sequence[int]
    first: int
    last: int
    last_known: int
    allowed: "Bools | None" = None
    fixed: "Bools | None" = None
    first_known: int = 0
    cp: cp_model.CpModel = field(factory=cp_model.CpModel, init=False)

    def __attrs_post_init__(self) -> None:
        self.inside = set(self.persons)
        self.groups: list[int] = sorted({int(self.kernel.group[p]) for p in self.persons})
        self._cells: dict[tuple[int, int, int], dict[int, Var]] = {}
        self._constant: dict[tuple[int, int, int], int] = {}
        self._worked: dict[tuple[int, int], tuple[Var | None, int]] = {}
        self._reachable: dict[tuple[int, frozenset[int]], Bools] = {}
        self._make_cells()
        self.known: Grid = self.grid.copy()
        for at, s in self._constant.items():
            self.known[at] = s
        for at in self._cells:
            self.known[at] = FREE
        self._planned = self.known
        self.known = self.kernel.worked(self._planned)
        self._choices: dict[int, list[tuple[int, int, int, Var]]] = {p: [] for p in self.persons}
        for (p, d, h), options in self._cells.items():
            self._choices[p] += [(d, h, s, v) for s, v in options.items()]

    def _make_cells(self) -> None:
        for p in self.persons:
            open_to = self._open_to(p)
            for d in range(self.first, self.last + 1):
                for h in (0, 1):
                    self._make_cell(p, d, h, open_to[d - self.first][h])

    def _make_cell(self, p: int, d: int, h: int, services: Iterable[int]) -> None:
        kernel = self.kernel
        if h == 0 and d > self.first_known and kernel.overnight[before := self._constant_before(p, d)]:
            self._constant[p, d, h] = before
            return
        if (p, d, h) in self.kernel.actual or (self.fixed is not None and self.fixed[p, d, h]):
            self._constant[p, d, h] = int(self.grid[p, d, h])
            return
        options: dict[int, Var] = {}
        for s in services:
            if not kernel.overnight[s]:
                options[s] = self.cp.new_bool_var("")
            elif h == 0:
                evening = self._cells.get((p, d - 1, 1), {}).get(s)
                if evening is not None:
                    options[s] = evening  # one night, one decision
                elif d == self.first_known:
                    options[s] = self.cp.new_bool_var("")
            elif self._may_begin_night(p, d, s) and not self._ends_otherwise(p, d, s):
                options[s] = self.cp.new_bool_var("")
        self._cells[p, d, h] = options
        if len(options) > 1:
            self.cp.add_at_most_one(options.values())

    def _may_begin_night(self, p: int, d: int, s: int) -> bool:
        return d + 1 >= self.kernel.D or bool(self.kernel.wanted[p, s, d + 1, 0])

    def _ends_otherwise(self, p: int, d: int, s: int) -> bool:
        """Whether the next morning is settled, and is not this night's."""
        settled = self.fixed is not None and self.fixed[p, d + 1, 0] if d < self.last else d + 1 <= self.last_known
        return bool(settled and self.grid[p, d + 1, 0] != s)

    def _constant_before(self, p: int, d: int) -> int:
        if d == self.first:
            return int(self.grid[p, d - 1, 1])
        return self._constant.get((p, d - 1, 1), FREE)

    def _open_to(self, p: int) -> list[list[list[int]]]:
        """The services that a person may be given, by day of the span and session."""
        return [[np.flatnonzero(mask).tolist() for mask in day] for day in self.open_to(p).transpose(1, 2, 0)]

    def open_to(self, p: int) -> "Bools":
        """``bool[S, days of the span, 2]``: what the person may be given."""
        days = slice(self.first, self.last + 1)
        mask: Bools = self.kernel.wanted[p, :, days]
        if self.allowed is None:
            return mask
        allowed = self.allowed[p, :, days]
        mask = mask & allowed[:, :, None]
        # A night belongs to the rotation in which its evening lies.
        night = np.flatnonzero(self.kernel.overnight[:-1])
        eve = np.maximum(np.arange(self.first, self.last + 1) - 1, 0)
        mask[night, :, 0] = self.kernel.wanted[p, night, days, 0] & self.allowed[p][np.ix_(night, eve)]
        return mask

    @property
    def size(self) -> int:
        """How many choices there are."""
        return sum(map(len, self._cells.values()))

    def cell(self, p: int, d: int, h: int) -> dict[int, Var]:
        """The literals of a cell, by service; empty when it is constant."""
        return self._cells.get((p, d, h), {})

    def choices(self, p: int) -> list[tuple[int, int, int, Var]]:
        """Every choice of a person, by time: day, session, service, literal."""
        return self._choices[p]

    def value(self, p: int, d: int, h: int) -> int | None:
        """The constant in a cell, or None where the model decides."""
        return None if (p, d, h) in self._cells else int(self.known[p, d, h])

    def worked(self, p: int, d: int) -> tuple[Var | None, int]:
        """Whether the day has duty: a literal (only forced up), or a constant."""
        found = self._worked.get((p, d))
        if found is None:
            constant = int(max(self.known[p, d]) >= 0)
            sums = [list(options.values()) for h in (0, 1) if (options := self.cell(p, d, h))]
            if constant or not sums:
                found = None, constant
            elif len(sums) == 1 and len(sums[0]) == 1:
                found = sums[0][0], 0
            else:
                var = self.cp.new_bool_var("")
                for group in sums:
                    self.cp.add(cp_model.LinearExpr.sum(group) <= var)
                found = var, 0
            self._worked[p, d] = found
        return found

    def touches(self, p: int, days: range) -> bool:
        """Whether the model decides anything for this person on these days."""
        return any(self.cell(p, d, h) for d in days for h in (0, 1))

    # Sequences of half-days

    def classes_of(self, p: int) -> "Classes":
        """The services a person may meet in the span, by clock times: morning and afternoon."""
        around = self.known[p, max(0, self.first - 3) : self.last + 4]
        met = [set(around[:, h].tolist()) - {FREE} for h in (0, 1)]
        for _, h, s, _ in self._choices[p]:
            met[h].add(s)
        return self._classes(met[0], 0), self._classes(met[1], 1)

    def _classes(self, services: Iterable[int], h: int) -> tuple[frozenset[int], ...]:
        kernel = self.kernel
        found: dict[tuple[int, int, bool], set[int]] = {}
        for s in services:
            key = int(kernel.start[s, h]), int(kernel.end[s, h]), bool(kernel.transition[s])
            found.setdefault(key, set()).add(s)
        return tuple(frozenset(group) for _, group in sorted(found.items()))

    def openings(self, p: int, pattern: "Pattern") -> list[int]:
        """Half-days at which a pattern meets the span and the known days, and every one of its cells can be so."""
        length = len(pattern)
        low = max(2 * self.first_known, 2 * self.first - length + 1)
        high = min(2 * self.last + 1, 2 * self.last_known + 2 - length)
        start = np.arange(low + (low + pattern[0][0]) % 2, high + 1, 2)
        can = np.ones(len(start), bool)
        for i, (_, services) in enumerate(pattern):
            can &= self._can_be(p, services)[start + i]
        found: list[int] = start[can].tolist()
        return found

    def _can_be(self, p: int, services: frozenset[int]) -> "Bools":
        """``bool[half-days]``: where the person can have one of the services, or, where there are none, be free."""
        found = self._reachable.get((p, services))
        if found is None:
            wanted = np.zeros(self.kernel.S + 1, bool)
            wanted[list(services) or [FREE]] = True
            found = wanted[self.known[p]].reshape(-1)
            if services:
                for d, h, s, _ in self._choices[p]:
                    found[2 * d + h] |= s in services
            self._reachable[p, services] = found
        return found

    # The answer

    def filled(self, value: "cp_model.CpSolver") -> "Grid":
        """The background with the span filled in from a solution."""
        grid = self._planned.copy()
        for p, choices in self._choices.items():
            for d, h, s, v in choices:
                if value.boolean_value(v):
                    grid[p, d, h] = s
        return grid

    def hint(self, grid: "Grid") -> None:
        """Start the search from a roster."""
        self.cp.clear_hints()  # type: ignore[no-untyped-call]
        for (p, d, h), options in self._cells.items():
            for s, v in options.items():
                if not (h == 0 and self.kernel.overnight[s] and d > self.first):
                    self.cp.add_hint(v, int(grid[p, d, h] == s))
