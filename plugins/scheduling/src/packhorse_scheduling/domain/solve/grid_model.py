"""The grid of rotations as a CP-SAT model: a rotation for each resident and unit, and the weeks of nights over them."""

from collections.abc import Iterable, Sequence

import numpy as np
from attrs import evolve
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.roster.arrays import Ints
from packhorse_scheduling.domain.solve.grid import GridFault, RotationGrid
from packhorse_scheduling.domain.solve.night_weeks import NightWeeks
from packhorse_scheduling.domain.solve.quotas import Ranges
from packhorse_scheduling.domain.solve.search import TURNS, Effort, run

TWICE = 2
"""Cost of a rotation twice in a row. Our choice."""
PRICES = {"lock": 20, "demand": 6, "team": 5, "required": 2, "most": 2}
"""Of one person or unit missing, where there is no grid and the answer gives the nearest one. Our choice."""
Var = cp_model.IntVar
Terms = list[tuple[Var, int]]


class GridModel:
    """``soft``: its requirements may be missed at `PRICES`."""

    def __init__(self, grid: RotationGrid, soft: bool) -> None:
        self.grid, self.soft, self.kernel = grid, soft, grid.kernel
        self.cp = cp_model.CpModel()
        self.costs: Terms = []
        self.missed: list[tuple[Var, GridFault]] = []
        self.x = {(p, n, k): self.cp.new_bool_var("") for (p, n), ks in grid.choices.items() for k in ks}
        self.y: dict[tuple[int, int, int], Var] = {}
        self.off: dict[tuple[int, int, int, int], list[Var]] = {}
        """Person, week, unit and rotation: what takes the person off it that week."""

    def post(self, quota: "Ranges | None", slack: tuple[int, int], *, weeks: bool = True) -> None:
        """Every requirement and cost; without ``weeks``, all but what is given by weeks."""
        for p, n in self.grid.choices:
            self.cp.add_exactly_one([self.x[p, n, k] for k in self.grid.choices[p, n]])
        self._locks()
        if weeks and self.grid.nights is not None:
            self._weeks(self.grid.nights, None if quota is None else slack[1])
        self._teams(set() if weeks else set(self.grid.weekly))
        self._curriculum(quota, slack)
        self._costs()

    def run(
        self, effort: Effort, *, believed: bool, turns: "Sequence[tuple[bool, float]]" = TURNS
    ) -> cp_model.CpSolver | None:
        """A solver with a grid; None where there is none.

        Raises:
            TimeoutError: neither, and it was to be ``believed``.
        """
        self.cp.minimize(_sum(self.costs))
        ran = run(self.cp, effort, effort.units, turns=turns)
        if ran.status == cp_model.UNKNOWN and believed:
            raise TimeoutError
        return ran.solver if ran.solved else None

    def days(self, solver: cp_model.CpSolver) -> "tuple[Ints, Ints]":
        """``int32[P, D]`` twice: the rotation of everybody by day, and that of the days which locks decide."""
        grid, kernel = self.grid, self.kernel
        days = np.full((kernel.P, kernel.D), -1, np.int32)
        locked = np.full_like(days, -1)
        for (p, n), k in grid.fixed.items():
            known = kernel.rotation[p, slice(*grid.units[n])]
            days[p, slice(*grid.units[n])] = np.where((known < 0) | np.isin(known, grid.weekly), k, known)
        for (p, n), by_day in grid.split.items():
            days[p, slice(*grid.units[n])] = locked[p, slice(*grid.units[n])] = by_day
        for (p, n, k), v in self.x.items():
            if solver.boolean_value(v):
                days[p, slice(*grid.units[n])] = k
        for p, n in grid.locked:
            locked[p, slice(*grid.units[n])] = days[p, slice(*grid.units[n])]
        for (p, w, k), v in self.y.items():
            if grid.nights is not None and solver.value(v):
                days[p, slice(*grid.nights.weeks[w])] = k
                if grid.nights.held.get((p, w, k)):
                    locked[p, slice(*grid.nights.weeks[w])] = k
        return days, locked

    def faults(self, solver: cp_model.CpSolver) -> tuple[GridFault, ...]:
        """What was missed, and by how much: of a unit's parts the worst."""
        found: dict[GridFault, int] = {}
        for var, fault in self.missed:
            if n := int(solver.value(var)):
                found[fault] = max(n, found.get(fault, 0))
        return tuple(evolve(fault, missing=n) for fault, n in found.items())

    def _at_least(self, terms: Terms, least: int, fault: GridFault) -> None:
        """At least so many of these, or, where that is allowed, a miss that is counted."""
        if least <= 0 and all(w > 0 for _, w in terms):
            return
        extra: Terms = []
        if self.soft:
            miss = self.cp.new_int_var(0, max(least, len(terms)), "")
            self.missed.append((miss, fault))
            self.costs.append((miss, 100 * PRICES[fault.kind]))
            extra = [(miss, 1)]
        self.cp.add(_sum([*terms, *extra]) >= least)

    def _at_most(self, terms: Terms, most: int, fault: GridFault) -> None:
        if len(terms) <= most:
            return
        miss = self.cp.new_int_var(0, len(terms) if self.soft else 0, "")
        if self.soft:
            self.missed.append((miss, fault))
            self.costs.append((miss, 100 * PRICES[fault.kind]))
        self.cp.add(_sum(terms) <= max(most, 0) + miss)

    def _locks(self) -> None:
        for (p, n), left in self.grid.locked.items():
            if (p, n) in self.grid.choices:
                first, end = self.grid.units[n]
                mine = [(self.x[p, n, k], 1) for k in self.grid.choices[p, n] if k in left]
                only = next(iter(left)) if len(left) == 1 else -1
                self._at_least(mine, 1, GridFault("lock", first, end - 1, 0, 1, rotation=only, person=p))
        for at, n in self.grid.stuck:
            (first, end), person = self.grid.units[n], self.kernel.programme.rotation_locks[at].person
            self._at_least([], 1, GridFault("lock", first, end - 1, 0, 1, person=self.kernel.person_of[person]))

    # Weeks of nights

    def _weeks(self, nights: "NightWeeks", slack: int | None) -> None:
        """Who has which week: as many as it asks for, off a unit's rotation, seldom enough, and in equal turns."""
        grid = self.grid
        for w, (first, end) in enumerate(nights.weeks):
            fault = GridFault("lock", first, end - 1, 0, 1)
            for p in grid.residents:
                for k in nights.rotations:
                    known, held = (p, w, k) in nights.before, nights.held.get((p, w, k))
                    if nights.settled(w) and grid.before:
                        if known and not self._whole_unit(p, first, end, k):
                            self.y[p, w, k] = self.cp.new_int_var(1, 1, "")
                    elif held is not False and end > grid.asked.first and nights.may(p, w, k):
                        self.y[p, w, k] = self.cp.new_bool_var("")
                    mine: Terms = [(self.y[p, w, k], 1)] if (p, w, k) in self.y else []
                    stuck = nights.settled(w) and (self.kernel.rotation[p, first:end] >= 0).any()
                    if held and not stuck and not self._whole_unit(p, first, end, k):
                        self._at_least(mine, 1, evolve(fault, rotation=k, person=p))
            for p in grid.residents:
                self._leaving(p, w)
        people = {p for p, *_ in self.y}
        apart = nights.apart(len(people))
        total = sum(
            nights.need(w, k)
            for w in range(len(nights.weeks))
            if nights.weeks[w][1] > grid.asked.first
            for k in nights.rotations
        )
        for p in people:
            turns = [
                [v for k in nights.rotations if (v := self.y.get((p, w, k))) is not None]
                for w in range(len(nights.weeks))
            ]
            for w in range(len(turns) - apart + 1):
                window = [v for literals in turns[w : w + apart] for v in literals]
                if len(window) > 1 and not self.soft and not grid.before:
                    self.cp.add_at_most_one(window)
            if slack is not None:
                every = cp_model.LinearExpr.sum([v for literals in turns for v in literals])
                self.cp.add(every >= total // len(people) - slack)
                self.cp.add(every <= -(-total // len(people)) + slack)

    def _whole_unit(self, p: int, first: int, end: int, k: int) -> bool:
        """Whether the person has, or may have, the rotation for a whole unit on these days."""
        return any(
            self.grid.at(p, n, max(first, low)) == k or k in self.grid.choices.get((p, n), ())
            for n, (low, high) in enumerate(self.grid.units)
            if low < end and high > first
        )

    def _leaving(self, p: int, w: int) -> None:
        """Off one rotation of each unit that the week touches, and never off nights."""
        grid, nights = self.grid, self.grid.nights
        mine = [v for k in grid.weekly if (v := self.y.get((p, w, k))) is not None]
        if not mine or nights is None:
            return
        first, end = nights.weeks[w]
        for n, (low, high) in enumerate(grid.units):
            if low >= end or high <= first:
                continue
            if (p, n) not in grid.choices:
                for k in {grid.at(p, n, d) for d in range(max(low, first), min(high, end))}:
                    self.off.setdefault((p, w, n, k), []).extend(mine)
                continue
            left = []
            for k in grid.choices[p, n]:
                if k not in grid.weekly:
                    z = self.cp.new_bool_var("")
                    self.cp.add_implication(z, self.x[p, n, k])
                    self.off.setdefault((p, w, n, k), []).append(z)
                    left.append(z)
            self.cp.add(cp_model.LinearExpr.sum(left) == cp_model.LinearExpr.sum(mine))

    def _on(self, part: tuple[int, int, int], ks: "set[int]", people: "Iterable[int]") -> tuple[Terms, int]:
        """Terms of these people's being on one of the rotations in a part, and how many are there for certain.

        The part is a unit, a week and its first day.
        """
        grid, (n, w, d) = self.grid, part
        there = sum(grid.at(p, n, d) in ks for p in people)
        terms: Terms = []
        for p in people:
            for k in ks:
                if (p, n, k) in self.x:
                    terms.append((self.x[p, n, k], 1))
                    terms += [(v, -1) for v in self.off.get((p, w, n, k), ())]
                elif grid.at(p, n, d) == k:
                    terms += [(v, -1) for v in self.off.get((p, w, n, k), ())]
                if (v := self.y.get((p, w, k))) is not None:
                    terms.append((v, 1))
        return terms, there

    def start(self, solver: cp_model.CpSolver, solved: "GridModel", *, held: bool) -> None:
        """From every unit as another model of this grid has it: ``held``, or only as a hint."""
        for at, v in solved.x.items():
            if held:
                self.cp.add(self.x[at] == int(solver.boolean_value(v)))
            else:
                self.cp.add_hint(self.x[at], solver.boolean_value(v))

    def _teams(self, without: set[int]) -> None:
        """On every day enough of a team present, for itself and for each service's demand; never too many on it."""
        kernel, residents = self.kernel, self.grid.residents
        for k, rotation in enumerate(kernel.programme.rotations):
            for n, (first, end) in enumerate(self.grid.units if k not in without else ()):
                fault = GridFault("team", first, end - 1, 0, rotation.least, rotation=k)
                for w, low, high in self.grid.parts(n):
                    mine, there = self._on((n, w, low), {k}, residents)
                    if not (mine or self._parted(n)) or not self.grid.judged(low, high):
                        continue
                    if k in self.grid.weekly or self.grid.split or (w, low) == self.grid.parts(n)[0][:2]:
                        ons = [term for term in mine if term[1] > 0]
                        self._at_most(ons, rotation.most - there, evolve(fault, need=rotation.most))
                    for away in {tuple(kernel.away[residents, d].tolist()) for d in self.grid.judged(low, high)}:
                        here = [p for p, a in zip(residents, away, strict=True) if not a]
                        present, there_now = self._on((n, w, low), {k}, here)
                        self._at_least(present, rotation.least - there_now, fault)
        rotations = kernel.programme.rotations
        for one in self.grid.demands:
            code = kernel.programme.services[one.service].code
            holders = {k for k, rotation in enumerate(rotations) if code in rotation.services}
            terms, there = self._on((one.unit, one.week, one.day), holders, one.can)
            if (terms or self._parted(one.unit)) and not holders & without:
                fault = GridFault("demand", one.day, one.day, 0, one.least, service=one.service)
                self._at_least(terms, one.least - there, fault)

    def _parted(self, n: int) -> bool:
        """Whether locks part the unit for somebody: it is judged even where nobody's rotation is open."""
        return any((p, n) in self.grid.split for p in self.grid.residents)

    def _curriculum(self, quota: "Ranges | None", slack: tuple[int, int]) -> None:
        """The units that a year of training requires and allows, and the person's own quota."""
        grid, count = self.grid, len(self.grid.units)
        for p in grid.residents:
            for k in range(len(self.kernel.programme.rotations)):
                mine = [(self.x[p, n, k], 1) for n in range(count) if (p, n, k) in self.x]
                there = grid.done(p, k)
                least, most = grid.asked_of(p, k)
                fault = GridFault("required", self.kernel.tail, self.kernel.D - 1, 0, least, rotation=k, person=p)
                self._at_least(mine, least - there, fault)
                self._at_most(mine, most - there, evolve(fault, kind="most", need=most))
                if quota is not None and mine:
                    low, high = quota[p, k]
                    give = slack[grid.nightly[k]]
                    self.cp.add(_sum(mine) >= max(low - give, 0) - there)
                    self.cp.add(_sum(mine) <= max(high + give - there, 0))

    def _costs(self) -> None:
        grid, nights = self.grid, self.grid.nights
        near = grid.asked.near
        for (p, n, k), v in self.x.items():
            after = self.x.get((p, n + 1, k))
            if after is not None:
                twice = self.cp.new_bool_var("")
                self.cp.add(v + after <= 1 + twice)
                self.costs.append((twice, TWICE))
            if grid.before.get((p, n), k) != k:
                self.costs.append((v, grid.asked.kept))
            if near is not None and grid.before.get((p, n)) != k:  # what stands there would have to change
                first, end = grid.units[n]
                services = self.kernel.programme.rotations[k].services
                done = near[p, first:end]
                codes = [self.kernel.service_of[code] for code in services]
                self.costs.append((v, int((~np.isin(done[done >= 0], codes)).sum())))
        for (p, w, k), v in self.y.items():
            if nights is None:
                continue
            if grid.before:
                self.costs.append((v, -grid.asked.kept if (p, w, k) in nights.before else grid.asked.kept))
            elif near is not None:
                done = near[p, slice(*nights.weeks[w])]
                fits = np.isin(done, nights.services[k])
                self.costs.append((v, int((~fits & (done >= 0)).sum()) - int(fits.sum())))


def _sum(terms: "Sequence[tuple[Var, int]]") -> "cp_model.LinearExprT":
    return cp_model.LinearExpr.weighted_sum([v for v, _ in terms], [w for _, w in terms]) if terms else 0
