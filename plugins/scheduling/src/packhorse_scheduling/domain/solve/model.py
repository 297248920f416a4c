"""One span of days and some of the people as a CP-SAT model; all else is constant.

The rules post themselves through the methods here. The same class serves a
block of residents, their faculty, both together, a repair, and (in `guards`)
an explanation.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from attrs import define
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.roster.arrays import Bools, Ints
from packhorse_scheduling.domain.rules.posting import At, Sum, Terms, Var
from packhorse_scheduling.domain.rules.supervision import FACULTY
from packhorse_scheduling.domain.solve.cells import Cells

SHORTFALL_COST = 10_000
"""Of one person missing for one half-day, where a draft with shortfalls was asked for: above all else together."""
SECOND_COST = 12
"""Of one half-day of a second attending on a ward, or of residents who need one."""
SHORT_REST_COST = 60
"""Of one rest below eight hours ("should" in the CPR): above any wish, below any demand."""


@define(slots=False, eq=False)
class Model(Cells):
    """With ``faculty_later`` supervision becomes a count of faculty per service, kept within who is available.

    ``shortfalls`` lets minimum demand be missed, at `SHORTFALL_COST`.
    """

    faculty_later: bool = False
    shortfalls: bool = False

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.costs: Terms = []
        self.short: list[tuple[Var, int, int, int, int]] = []
        self.on_faculty: dict[tuple[int, int, int], Var] = {}
        self._units: list[int] = self.kernel.units.tolist()
        self._index()

    def _index(self) -> None:
        """Who may be where, and who is there for certain: by role, service, day and session."""
        self._present: dict[At, list[tuple[int, Var]]] = {}
        self._still: dict[At, list[int]] = {}
        group = self.kernel.group.tolist()
        for p in self.persons:
            for d, h, s, v in self.choices(p):
                self._present.setdefault((group[p], s, d, h), []).append((p, v))
        there = self.known[:, self.first : self.last + 1]
        for p, d, h in np.argwhere(there >= 0).tolist():
            self._still.setdefault((group[p], int(there[p, d, h]), d + self.first, h), []).append(p)

    def post(self) -> None:
        """Post every rule of the programme."""
        for rule in self.kernel.rules:
            rule.post(self)
        if self.faculty_later:
            self._bound_faculty()

    # What rules ask for

    def daily(self, rule: Sum, p: int) -> "tuple[dict[int, Terms], Ints, Ints]":
        """Terms by day inside the span; the most a day can add; constants of all days."""
        constant: Ints = rule.amounts(self.known[p], p)
        most = np.zeros_like(constant)
        terms: dict[int, Terms] = {d: [] for d in range(self.first, self.last + 1)}
        if rule.weight is None:
            for d in terms:
                if not rule.is_counted(p, d):
                    continue
                var, constant[d] = self.worked(p, d)
                if var is not None:
                    terms[d] = [(var, 1)]
                    most[d] = 1
            return terms, most, constant
        weight = rule.weight.tolist()
        heaviest: dict[tuple[int, int], int] = {}
        for d, h, s, v in self.choices(p):
            if w := weight[s][h]:
                terms[d].append((v, w))
                heaviest[d, h] = max(w, heaviest.get((d, h), 0))
        for (d, _), w in heaviest.items():
            most[d] += w
        return terms, most, constant

    def reaches(self, most: "Ints", rule: Sum) -> "Ints":
        """The most that each window can add; over four weeks, no more days than the free ones leave."""
        days = np.lib.stride_tricks.sliding_window_view(most, rule.days)
        rules = self.kernel.programme.rules
        if rule.days == rules.average_days and rule.weight is not None and self.prunes:
            days = np.sort(days, axis=1)[:, -(rule.days - rules.free_days.value) :]
        return np.asarray(days.sum(axis=1), np.int32)

    def windows(self, rule: Sum) -> int:
        """How many windows of the rule may be judged: all whose days the kernel has."""
        return self.kernel.D - rule.days + 1

    prunes = True
    """Whether one rule's rows may be left out because another's imply them; an explanation keeps all."""

    def at_most(self, terms: Terms, bound: int, code: str, subject: int, day: int) -> None:
        """A weighted sum of literals is at most ``bound``."""
        self.cp.add(_sum(terms) <= bound)

    def _pattern(self, cells: "Sequence[tuple[int, int, int, frozenset[int]]]") -> tuple[Terms, int]:
        """What sums to more than the bound exactly where every cell is so: terms and bound."""
        terms: Terms = []
        bound = -1
        for p, d, h, services in cells:
            options = self.cell(p, d, h)
            if not services:
                terms += [(v, -1) for v in options.values()]
            elif options:
                terms += [(v, 1) for s, v in options.items() if s in services]
                bound += 1
        return terms, bound

    def forbid(self, cells: "Sequence[tuple[int, int, int, frozenset[int]]]", code: str, p: int, d: int) -> None:
        """Not all of these, which could be: each cell has one of its services (an empty set: is free)."""
        terms, bound = self._pattern(cells)
        if terms or self.touches(p, range(self.first, self.last + 1)):
            self.at_most(terms, bound, code, p, d)

    def discourage(self, cells: "Sequence[tuple[int, int, int, frozenset[int]]]", code: str) -> None:
        """As `forbid`, at a cost instead."""
        terms, bound = self._pattern(cells)
        if terms:
            var = self.cp.new_bool_var("")
            self.cp.add(_sum([*terms, (var, -1)]) <= bound)
            self.costs.append((var, SHORT_REST_COST))

    def same(self, one: At, other: At, code: str) -> None:
        """Both cells have their service, or neither."""
        a, b = self._literal(one), self._literal(other)
        if isinstance(a, int) and isinstance(b, int):
            return  # both constant: the validator's business
        if a is not b:
            self.cp.add(a == b)

    def _literal(self, at: At) -> Var | int:
        p, d, h, s = at
        value = self.value(p, d, h)
        if value is not None:
            return int(value == s)
        return self.cell(p, d, h).get(s, 0)

    def present(self, g: int, s: int, d: int, h: int) -> tuple[list[Var], int]:
        """Literals of a role on a service, and how many are there for certain."""
        return [v for _, v in self._present.get((g, s, d, h), ())], len(self._still.get((g, s, d, h), ()))

    def staffed(self, literals: list[Var], least: int, g: int, s: int, d: int, h: int) -> None:
        """At least so many, or, where allowed, a shortfall that is counted."""
        if not self.shortfalls:
            self.cp.add(_sum([(v, 1) for v in literals]) >= least)
            return
        short = self.cp.new_int_var(0, least, "")
        self.cp.add(_sum([*((v, 1) for v in literals), (short, 1)]) >= least)
        self.costs.append((short, SHORTFALL_COST))
        self.short.append((short, g, s, d, h))

    def supervise(self, s: int, d: int, h: int, code: str) -> None:
        """Residents' units within what the faculty there can supervise."""
        kernel = self.kernel
        room = kernel.programme.rules.faculty_units.value
        units: Terms = []
        constant = 0
        for g in range(len(kernel.least)):
            units += [(v, w) for p, v in self._present.get((g, s, d, h), ()) if (w := self._units[p])]
            constant += sum(self._units[p] for p in self._still.get((g, s, d, h), ()))
        if self.faculty_later:
            if units or constant:
                # No more than who could come, nor than the demand's maximum: the faculty's own model holds that.
                most = min(int(kernel.wanted[kernel.teaches, s, d, h].sum()), int(kernel.most[FACULTY, s, d, h]))
                faculty = self.cp.new_int_var(0, most, "")
                if most > 1 and kernel.programme.services[s].kind == "inpatient":
                    second = self.cp.new_int_var(0, most - 1, "")
                    self.cp.add(faculty <= second + 1)
                    self.costs.append((second, SECOND_COST))
                self.cp.add(_sum([*units, (faculty, -room)]) <= -constant)
                self.on_faculty[s, d, h] = faculty
            return
        literals, there = self.present(FACULTY, s, d, h)
        if units or (literals and constant > room * there):
            self.at_most(units + [(v, -room) for v in literals], room * there - constant, code, s, d)
        elif constant > room * there and self.first <= d <= self.last:
            self.at_most([], room * there - constant, code, s, d)

    def _bound_faculty(self) -> None:
        """Faculty needed at once are no more than are there: per service, and for every group of up to three."""
        kernel = self.kernel
        teachers = np.flatnonzero(kernel.teaches)
        for d in range(max(self.first, kernel.tail), self.last + 1):
            for h in (0, 1):
                need: dict[int, Var | int] = {
                    s: int(kernel.least[FACULTY, s, d, h])
                    for s in np.flatnonzero(kernel.least[FACULTY, :, d, h] > 0).tolist()
                }
                for s in range(kernel.S):
                    if (var := self.on_faculty.get((s, d, h))) is not None:
                        if need.get(s):
                            self.cp.add(var >= need[s])
                        need[s] = var
                can = kernel.wanted[teachers, :, d, h].copy()
                if self.fixed is not None:  # who is held somewhere can be there alone
                    for row, p in enumerate(teachers.tolist()):
                        if self.fixed[p, d, h]:
                            can[row] = np.arange(kernel.S) == self.grid[p, d, h]
                codes = sorted(need)
                for group in _groups(codes):
                    room = int(can[:, list(group)].any(axis=1).sum())
                    self.cp.add(cp_model.LinearExpr.sum([need[s] for s in group]) <= room)

    def bar(self, mask: "Bools", code: str) -> None:
        """Nothing may stand where ``mask`` (person, service, day): such literals do not exist here."""


def _sum(terms: Terms) -> "cp_model.LinearExprT":
    if not terms:
        return 0
    return cp_model.LinearExpr.weighted_sum([v for v, _ in terms], [w for _, w in terms])


def _groups(codes: list[int]) -> "Iterable[tuple[int, ...]]":
    from itertools import combinations

    sizes = {1, 2, 3, len(codes)}
    return (group for size in sorted(sizes) if 0 < size <= len(codes) for group in combinations(codes, size))
