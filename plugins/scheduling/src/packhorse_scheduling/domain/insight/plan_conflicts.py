"""Why there is no rotation plan: a smallest set of locks, leave, demands and rules that clash, and the ways out.

A model of its own beside the grid's (`solve.rotations`): no costs, a switch on
every requirement. Where leave or a lock keeps somebody from a half-day, giving
it up makes them present again.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from attrs import define, field
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.insight.explain import MOST_WAYS, Explanation, cheapest, core_of, shrunk
from packhorse_scheduling.domain.programme.services import LEAVE_FREE_DAYS, Rotation
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.supervision import RESIDENT
from packhorse_scheduling.domain.solve.grid import Asked, RotationGrid
from packhorse_scheduling.domain.solve.guards import Requirement
from packhorse_scheduling.domain.solve.rotations import grids_of

Var = cp_model.IntVar
Present = tuple[int, frozenset[Requirement]]
"""A person, and what keeps them away while it is kept."""


def explain_plan(kernel: "Kernel", first: int, last: int) -> Explanation | None:
    """Why the units within these days have no grid beside the plan in force; None when they have one."""
    model = PlanModel(kernel, first, last)
    model.post()
    core = core_of(model.cp, model.guards, list(model.guards))
    if core is None:
        return None
    conflict = shrunk(sorted(core), lambda rest: core_of(model.cp, model.guards, rest))
    model.cp.clear_assumptions()
    priced = {}
    for one, guard in model.guards.items():
        if one.weight is None:
            model.cp.add(guard == 1)
        else:
            priced[one] = guard
    return Explanation(first, last, conflict, cheapest(model.cp, priced, MOST_WAYS))


@define(slots=False, eq=False)
class PlanModel:
    """One rotation for each resident and unit; ``guards`` switch the requirements."""

    kernel: "Kernel"
    first: int
    last: int
    cp: cp_model.CpModel = field(factory=cp_model.CpModel, init=False)
    guards: dict[Requirement, Var] = field(factory=dict, init=False)
    _opened: dict[int, Var] = field(factory=dict, init=False)

    def post(self) -> None:
        """Every requirement of a grid."""
        self.x = {
            (p, n, k): self.cp.new_bool_var("")
            for p in self.residents
            for n in range(len(self.units))
            for k in range(len(self.rotations))
        }
        for p in self.residents:
            for n in range(len(self.units)):
                self.cp.add_exactly_one([self.x[p, n, k] for k in range(len(self.rotations))])
        self._people()
        self._locks()
        self._teams()
        self._demands()

    @cached_property
    def grid(self) -> RotationGrid:
        """What is asked of the grid: its people and units, and what of the plan in force has to stay."""
        return grids_of(self.kernel, Asked(self.first, self.last))[0]

    @property
    def residents(self) -> list[int]:
        """Who rotates."""
        return self.grid.residents

    @property
    def units(self) -> tuple[tuple[int, int], ...]:
        """First kernel day and one past the last of each unit."""
        return self.grid.units

    @property
    def fixed(self) -> dict[tuple[int, int], int]:
        """Person and unit to the rotation of the plan in force, where the unit is not all within the days."""
        return self.grid.fixed

    def in_force(self, p: int, n: int) -> Var:
        """The switch of a settled unit: it went by, it has begun before the open days, or it goes on behind them."""
        first, end = self.units[n]
        code = "ROTATION_DONE" if end <= self.first else "ROTATION_BEGUN" if first < self.first else "ROTATION_PLAN"
        return self.guard(Requirement(code, person=p, day=first, number=self.fixed[p, n]))

    @property
    def rotations(self) -> tuple[Rotation, ...]:
        """The programme's."""
        return self.kernel.programme.rotations

    def guard(self, one: Requirement) -> Var:
        """The switch of a requirement."""
        if one not in self.guards:
            self.guards[one] = self.cp.new_bool_var(str(one))
        return self.guards[one]

    @cached_property
    def leaves(self) -> "dict[int, list[tuple[Requirement, range]]]":
        """By person: each binding leave as a requirement, and the kernel days it covers."""
        found: dict[int, list[tuple[Requirement, range]]] = {}
        for number, leave in enumerate(self.kernel.programme.leaves):
            if leave.binds:
                p = self.kernel.person_of[leave.person]
                days = range(self.kernel.day_of(leave.start), self.kernel.day_of(leave.end) + 1)
                found.setdefault(p, []).append((Requirement("LEAVE_RULE", person=p, number=number), days))
        return found

    @cached_property
    def locks(self) -> "dict[tuple[int, int, int], tuple[Requirement, str | None]]":
        """Each locked half-day: the lock as a requirement, and its service (None: free)."""
        found = {}
        for number, lock in enumerate(self.kernel.programme.locks):
            p, d = self.kernel.person_of[lock.person], self.kernel.day_of(lock.day)
            one = Requirement("LOCKED_ASSIGNMENT", person=p, day=d, number=number)
            found[p, d, int(lock.session == "PM")] = one, lock.service
        return found

    def _people(self) -> None:
        """The plan in force, the year of training, leave that a rotation does not allow, and the curriculum."""
        for p in self.residents:
            for n in range(len(self.units)):
                if (p, n) in self.fixed:
                    self.cp.add_implication(self.in_force(p, n), self.x[p, n, self.fixed[p, n]])
                elif (p, n) in self.grid.choices:
                    self._may(p, n)
            self._curriculum(p)

    def _may(self, p: int, n: int) -> None:
        first, end = self.units[n]
        away = [
            (self.guard(one), inside)
            for one, days in self.leaves.get(p, ())
            if (inside := len(range(max(days.start, first), min(days.stop, end))))
        ]
        total = sum(inside for _, inside in away)
        for k, rotation in enumerate(self.rotations):
            x = self.x[p, n, k]
            if self.kernel.programme.people[p].pgy not in rotation.pgy:
                self.cp.add_implication(self.guard(Requirement("ROTATION_YEAR", person=p, number=k)), x.Not())
            if not rotation.leave and total > LEAVE_FREE_DAYS:
                days = cp_model.LinearExpr.weighted_sum([guard for guard, _ in away], [inside for _, inside in away])
                self.cp.add(days + (total - LEAVE_FREE_DAYS) * x <= total)

    def _curriculum(self, p: int) -> None:
        count = len(self.units)
        for k in range(len(self.rotations)):
            whole = [n for n in range(count) if (p, n) in self.fixed or (p, n) in self.grid.choices]
            there = self.grid.done(p, k) - sum(self.fixed.get((p, n)) == k for n in whole)
            mine = cp_model.LinearExpr.sum([self.x[p, n, k] for n in whole]) + there
            least, most = self.grid.asked_of(p, k)
            if least > 0:
                guard = self.guard(Requirement("CURRICULUM_LEAST", person=p, number=k))
                self.cp.add(mine >= least).only_enforce_if(guard)
            if most < count:
                guard = self.guard(Requirement("CURRICULUM_MOST", person=p, number=k))
                self.cp.add(mine <= most).only_enforce_if(guard)

    def _locks(self) -> None:
        """Locks of rotations in the units that they touch, and locks of half-days in the rotations that hold them."""
        number = {rotation.code: k for k, rotation in enumerate(self.rotations)}
        for at, lock in enumerate(self.kernel.programme.rotation_locks):
            p, k = self.kernel.person_of[lock.person], number[lock.rotation]
            low, high = self.kernel.day_of(lock.start), self.kernel.day_of(lock.end)
            for n, (first, end) in enumerate(self.units):
                free = (p, n) in self.grid.choices
                if low < end and high >= first and (free or (at, n) in self.grid.stuck):
                    x = self.x[p, n, k]
                    guard = self.guard(Requirement("ROTATION_LOCK", person=p, number=at))
                    self.cp.add_implication(guard, x.Not() if lock.avoid else x)
        for (p, d, h), (one, code) in self.locks.items():
            if code is None or p not in self.residents:
                continue
            eve = d - 1 if h == 0 and self.kernel.overnight[self.kernel.service_of[code]] else d
            unit = next((n for n, (first, end) in enumerate(self.units) if first <= eve < end), None)
            holders = self._holders(code)
            if unit is None or (p, unit) not in self.grid.choices or not self._could(p, unit, holders):
                continue
            self.cp.add_bool_or([self.guard(one).Not(), *(self.x[p, unit, k] for k in holders)])

    def _could(self, p: int, n: int, holders: Iterable[int]) -> bool:
        """Whether a rotation that holds it is the person's to have: else the half-day is worked off the rotation."""
        first, end = self.units[n]
        pgy, away = self.kernel.programme.people[p].pgy, int(self.kernel.away[p, first:end].sum())
        return any(
            pgy in self.rotations[k].pgy and (self.rotations[k].leave or away <= LEAVE_FREE_DAYS) for k in holders
        )

    def _holders(self, code: str) -> list[int]:
        return [k for k, rotation in enumerate(self.rotations) if code in rotation.services]

    def _teams(self) -> None:
        """On every day enough of a rotation's residents present; never too many on it."""
        for k, rotation in enumerate(self.rotations):
            for n, (first, end) in enumerate(self.units):
                days = self.grid.judged(first, end)
                if not days:
                    continue
                if rotation.most < len(self.residents):
                    guard = self.guard(Requirement("ROTATION_MOST", day=first, number=k))
                    for _, d, _ in self.grid.parts(n):
                        on = cp_model.LinearExpr.sum([self._at(p, n, d, [k]) for p in self.residents])
                        self.cp.add(on <= rotation.most).only_enforce_if([guard, *self._open(n)])
                if rotation.least <= 0:
                    continue
                guard = self.guard(Requirement("ROTATION_LEAST", day=first, number=k))
                for there, d in {(frozenset(self._there(d)), self._part(n, d)) for d in days}:
                    on = cp_model.LinearExpr.sum([self._present(one, n, d, [k]) for one in there])
                    self.cp.add(on >= rotation.least).only_enforce_if([guard, *self._open(n)])

    def _there(self, d: int) -> list[Present]:
        return [(p, frozenset(one for one, days in self.leaves.get(p, ()) if d in days)) for p in self.residents]

    def _part(self, n: int, d: int) -> int:
        """The first day of the part of a unit that holds a day."""
        return next(first for _, first, end in self.grid.parts(n) if first <= d < end)

    def _at(self, p: int, n: int, d: int, rotations: Iterable[int]) -> "cp_model.LinearExprT":
        """Whether the person is on one of the rotations that day."""
        if (p, n) in self.grid.split:
            return int(self.grid.at(p, n, d) in rotations)
        return cp_model.LinearExpr.sum([self.x[p, n, k] for k in rotations])

    def _present(self, one: Present, n: int, d: int, rotations: Iterable[int]) -> "cp_model.LinearExprT":
        """Whether the person is on one of the rotations, and nothing keeps them away."""
        p, blockers = one
        if not blockers:
            return self._at(p, n, d, rotations)
        there = self.cp.new_bool_var("")
        self.cp.add(there <= self._at(p, n, d, rotations))
        for blocker in blockers:
            self.cp.add_implication(there, self.guard(blocker).Not())
        return there

    def _demands(self) -> None:
        """For each service's demand of residents enough on a rotation that holds it: each set of people once a unit."""
        kernel = self.kernel
        rows: dict[tuple[int, int, int, frozenset[Present], int], int] = {}
        for n, (first, end) in enumerate(self.units):
            for s, at, h in np.argwhere(kernel.least[RESIDENT, :, first:end] > 0).tolist():
                if h == 0 and kernel.overnight[s]:
                    continue
                d = first + at
                if d not in self.grid.judged(first, end):
                    continue
                part = self._part(n, d)
                rows.setdefault((n, part, s, self._able(s, d, h), int(kernel.least[RESIDENT, s, d, h])), d)
        for (n, part, s, able, least), d in rows.items():
            holders = self._holders(kernel.programme.services[s].code)
            if holders:
                on = cp_model.LinearExpr.sum([self._present(one, n, part, holders) for one in able])
                guard = self.guard(Requirement("MINIMUM_STAFFING", service=s, role=RESIDENT, day=d))
                self.cp.add(on >= least).only_enforce_if([guard, *self._open(n)])

    def _open(self, n: int) -> list[Var]:
        """What is true where anybody's rotation in the unit is open; nothing where somebody's always is.

        A unit that the plan in force has settled for everybody is not judged again.
        """
        if any((p, n) not in self.fixed for p in self.residents):
            return []
        if n not in self._opened:
            self._opened[n] = self.cp.new_bool_var("")
            for p in self.residents:
                self.cp.add_implication(self.in_force(p, n).Not(), self._opened[n])
        return [self._opened[n]]

    def _able(self, s: int, d: int, h: int) -> frozenset[Present]:
        """Everybody who may do it then (of a night: both halves), and what keeps each from it."""
        kernel, code = self.kernel, self.kernel.programme.services[s].code
        halves = [(d, h)]
        if kernel.overnight[s] and d + 1 < kernel.D:
            halves.append((d + 1, 0))
        found = []
        for p in self.residents:
            if not all(kernel.valid[p, s, day] for day, _ in halves):
                continue
            away = [one for one, days in self.leaves.get(p, ()) if any(day in days for day, _ in halves)]
            held = [self.locks[p, day, half] for day, half in halves if (p, day, half) in self.locks]
            found.append((p, frozenset([*away, *(one for one, service in held if service != code)])))
        return frozenset(found)
