"""Which rotation each resident has in each four-week unit: first how many of each, then which when.

The quota table counts only: so many units of each rotation to each person, as
even within a year of training as the curriculum, the teams and leave allow.
The grid then keeps to it. With the evenness in the grid's own costs instead,
16 residents stayed open after 27 CPU-seconds; with quotas they are proven in
under one.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from attrs import define, evolve, frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.people import ROLES
from packhorse_scheduling.domain.plan import UNIT_DAYS, Plan, stays_of, units_of
from packhorse_scheduling.domain.services import LEAVE_FREE_DAYS
from packhorse_scheduling.domain.solve.attending import stays_on
from packhorse_scheduling.domain.solve.posts import DAYS, Posts, posts_of
from packhorse_scheduling.domain.solve.search import Effort, lone_solver, solver_for

if TYPE_CHECKING:
    from packhorse_scheduling.domain.kernel import Bools, Grid, Ints, Kernel

TWICE, KEPT = 2, 10
"""Costs of a rotation twice in a row, and of a unit that differs from the plan in force. Our choice."""
PRICES = {"lock": 20, "demand": 6, "team": 5, "required": 2, "most": 2}
"""Of one person or unit missing, where there is no grid and the nearest to one is told. Our choice."""
SLACKS = ((0, 0), (1, 0), (1, 1), (2, 1))
"""Units by which a person may leave the quota table, where no grid keeps to it exactly: of rotations, of nights."""
WITHIN, OVERALL = 3, 1
"""What a unit of difference costs in the quota table: between people of one year of training, and between all.

Evenness within the years alone would let one year take all nights.
"""
IDLE, SHARE = 4, 0.75
"""Cost in the quota table of a unit in which a rotation has no work for one more, at this share of a person's
half-days. Our choice: the sample's residents worked .64 of theirs without it, and .70 with it."""
_RESIDENT = ROLES.index("RESIDENT")
_EVERYBODY = -1


@frozen
class GridFault:
    """What no grid can keep, in one unit of the plan (kernel days, both included) or over the year.

    ``missing`` people or units; ``need`` is what was asked.
    """

    kind: Literal["lock", "demand", "team", "required", "most"]
    first: int
    last: int
    missing: int
    need: int
    rotation: int = -1
    service: int = -1
    person: int = -1


@frozen(eq=False)
class Rotations:
    """``days[person, day]`` is a rotation's number, or -1 for those who do not rotate; ``locked`` likewise.

    ``units`` are the spans in which half-days are solved. ``posts`` are the frame of a programme without rotations.
    """

    kernel: "Kernel"
    units: tuple[tuple[int, int], ...]
    days: "Ints"
    locked: "Ints"
    faults: tuple[GridFault, ...] = ()
    posts: Posts | None = None

    def allowed(self) -> "Bools":
        """``bool[P, S, D]``: what each person may do on each day."""
        kernel = self.kernel
        rotations = kernel.programme.rotations
        holds = np.ones((len(rotations) + 1, kernel.S), bool)
        for k, rotation in enumerate(rotations):
            holds[k] = np.isin(np.arange(kernel.S), [kernel.service_of[code] for code in rotation.services])
        mask: Bools = holds[self.days].transpose(0, 2, 1).copy()
        return mask if self.posts is None else self.posts.narrow(mask)

    def main(self) -> "Ints":
        """``int32[P, D]``: the first service of each person's rotation, or -1."""
        mains = [self.kernel.service_of[rotation.services[0]] for rotation in self.kernel.programme.rotations]
        return np.array([*mains, -1], np.int32)[self.days] if self.posts is None else self.posts.days

    def plan(self) -> Plan:
        """As it is kept with the version."""
        tail = self.kernel.tail
        if self.posts is not None:
            return stays_on(self.kernel, self.posts.days)
        return stays_of(self.kernel.programme, self.days[:, tail:], self.locked[:, tail:])


@frozen
class Asked:
    """What the grid has to keep: the open days, and how dearly the plan in force is kept there."""

    first: int
    last: int
    kept: int = KEPT
    near: "Grid | None" = None


def rotate(kernel: "Kernel", effort: Effort, asked: Asked) -> Rotations:
    """The grid of rotations; where there is none, the nearest to one, with its faults.

    Hard: one rotation per resident and unit; the year of training; enough
    residents present every day for the rotation and for each service's demand,
    and not too many; long leave only where the rotation allows it; the units
    that the curriculum requires; locks of rotations and of half-days. Soft: the
    quota table, no rotation twice in a row, the plan in force.

    Raises:
        TimeoutError: neither a grid nor a proof within the effort.
    """
    units = tuple((first + kernel.tail, end + kernel.tail) for first, end in units_of(kernel.programme.year))
    grid = _Grid(kernel, units, asked)
    if not kernel.programme.rotations or not grid.residents:
        none = np.full((kernel.P, kernel.D), -1, np.int32)
        posts = posts_of(kernel, effort)
        if (posts.days < 0).all():
            return Rotations(kernel, units, none, none)
        halves = kernel.programme.year.periods(DAYS)
        return Rotations(kernel, tuple((a + kernel.tail, b + kernel.tail) for a, b in halves), none, none, posts=posts)
    quota = None if grid.before else _quotas(grid, effort)  # a plan in force is even already, and is to be kept
    for slack in SLACKS if quota is not None else ():
        found = grid.solved(effort, quota, slack)
        if found is not None:
            return found
    found = grid.solved(effort)
    if found is not None:
        return found
    found = grid.solved(effort, soft=True)
    if found is None:
        raise TimeoutError
    return found


@define(slots=False, eq=False)
class _Grid:
    """The people, the units that are open, and who may be on what."""

    kernel: "Kernel"
    units: tuple[tuple[int, int], ...]
    asked: Asked

    def __attrs_post_init__(self) -> None:
        programme = self.kernel.programme
        self.residents = [p for p, person in enumerate(programme.people) if person.role == "RESIDENT"]
        self.fixed: dict[tuple[int, int], int] = {}
        self.before: dict[tuple[int, int], int] = {}
        for p in self.residents:
            for n, (first, end) in enumerate(self.units):
                days = self.kernel.rotation[p, first:end]
                if (days >= 0).any():
                    k = int(np.bincount(days[days >= 0]).argmax())
                    self.before[p, n] = k
                    if first < self.asked.first or end - 1 > self.asked.last:
                        self.fixed[p, n] = k
        self.choices = {
            (p, n): self._may(p, n) for p in self.residents for n in range(len(self.units)) if (p, n) not in self.fixed
        }

    @cached_property
    def nightly(self) -> list[bool]:
        """Of each rotation, whether its main service is a night's."""
        kernel = self.kernel
        return [bool(kernel.overnight[kernel.service_of[one.services[0]]]) for one in kernel.programme.rotations]

    def _may(self, p: int, n: int) -> list[int]:
        person, (first, end) = self.kernel.programme.people[p], self.units[n]
        away = int(self.kernel.away[p, first:end].sum())
        return [
            k
            for k, rotation in enumerate(self.kernel.programme.rotations)
            if person.pgy in rotation.pgy and (rotation.leave or away <= LEAVE_FREE_DAYS)
        ]

    @cached_property
    def locked(self) -> "dict[tuple[int, int], set[int]]":
        """By person and unit: the rotations that its locks leave."""
        kernel, programme = self.kernel, self.kernel.programme
        number = {rotation.code: k for k, rotation in enumerate(programme.rotations)}
        left: dict[tuple[int, int], set[int]] = {}
        for lock in programme.rotation_locks:
            p, k = kernel.person_of[lock.person], number[lock.rotation]
            low, high = kernel.day_of(lock.start), kernel.day_of(lock.end)
            for n, (first, end) in enumerate(self.units):
                if low < end and high >= first:
                    mine = left.setdefault((p, n), set(number.values()))
                    mine &= set(number.values()) - {k} if lock.avoid else {k}
        for half_day in programme.locks:
            if half_day.service is None:
                continue
            p, s, d = (
                kernel.person_of[half_day.person],
                kernel.service_of[half_day.service],
                kernel.day_of(half_day.day),
            )
            if half_day.session == "AM" and kernel.overnight[s]:
                d -= 1
            unit = next((n for n, (first, end) in enumerate(self.units) if first <= d < end), -1)
            holders = {k for k, rotation in enumerate(programme.rotations) if half_day.service in rotation.services}
            if holders & set(self.choices.get((p, unit), ())):
                left[p, unit] = left.get((p, unit), set(number.values())) & holders
        return left

    @cached_property
    def demands(self) -> "list[tuple[int, int, int, tuple[int, ...], int]]":
        """Unit, service, day, who may do it then, and the minimum: each set of people once a unit."""
        kernel = self.kernel
        held = {
            (kernel.person_of[lock.person], kernel.day_of(lock.day), int(lock.session == "PM")): lock.service
            for lock in kernel.programme.locks
        }
        codes = [service.code for service in kernel.programme.services]
        found: dict[tuple[int, int, tuple[int, ...], int], int] = {}
        for n, (first, end) in enumerate(self.units):
            for s, at, h in np.argwhere(kernel.least[_RESIDENT, :, first:end] > 0).tolist():
                d = first + at
                if h == 0 and kernel.overnight[s]:
                    continue
                halves = [(d, h)]
                if kernel.overnight[s] and d + 1 < kernel.D:
                    halves.append((d + 1, 0))
                can = tuple(
                    p
                    for p in self.residents
                    if all(
                        kernel.may[p, s, day, half] and held.get((p, day, half), codes[s]) == codes[s]
                        for day, half in halves
                    )
                )
                found.setdefault((n, s, can, int(kernel.least[_RESIDENT, s, d, h])), d)
        return [(n, s, d, can, least) for (n, s, can, least), d in found.items()]

    def solved(
        self, effort: Effort, quota: "Ranges | None" = None, slack: tuple[int, int] = (0, 0), *, soft: bool = False
    ) -> Rotations | None:
        """A grid; None where there is none (or, with a quota, none was found at once)."""
        model = _Model(self, soft)
        model.post(quota, slack)
        solver = model.run(effort, believed=quota is None)
        if solver is None:
            return None
        days = np.full((self.kernel.P, self.kernel.D), -1, np.int32)
        for (p, n), k in self.fixed.items():
            days[p, slice(*self.units[n])] = k
        for (p, n, k), v in model.x.items():
            if solver.boolean_value(v):
                days[p, slice(*self.units[n])] = k
        known = self.kernel.rotation
        outside = np.ones(self.kernel.D, bool)
        outside[self.asked.first : self.asked.last + 1] = False
        days[:, outside] = np.where(known[:, outside] >= 0, known[:, outside], days[:, outside])
        locked = np.full_like(days, -1)
        for p, n in self.locked:
            locked[p, slice(*self.units[n])] = days[p, slice(*self.units[n])]
        return Rotations(self.kernel, self.units, days, locked, model.faults(solver))


Ranges = dict[tuple[int, int], tuple[int, int]]
"""Person and rotation to the least and the most units."""


class _Model:
    """The grid as a CP-SAT model; with ``soft``, its requirements may be missed at `PRICES`."""

    def __init__(self, grid: _Grid, soft: bool) -> None:
        self.grid, self.soft, self.kernel = grid, soft, grid.kernel
        self.cp = cp_model.CpModel()
        self.costs: list[tuple[cp_model.IntVar, int]] = []
        self.missed: list[tuple[cp_model.IntVar, GridFault]] = []
        self.x = {(p, n, k): self.cp.new_bool_var("") for (p, n), ks in grid.choices.items() for k in ks}

    def post(self, quota: Ranges | None, slack: tuple[int, int]) -> None:
        """Every requirement and cost."""
        for p, n in self.grid.choices:
            self.cp.add_exactly_one([self.x[p, n, k] for k in self.grid.choices[p, n]])
        self._locks()
        self._teams()
        self._curriculum(quota, slack)
        self._costs()

    def run(self, effort: Effort, *, believed: bool) -> cp_model.CpSolver | None:
        """A solver with a grid; None where there is none.

        Raises:
            TimeoutError: neither, and it was to be ``believed``.
        """
        self.cp.minimize(
            cp_model.LinearExpr.weighted_sum([v for v, _ in self.costs], [w for _, w in self.costs])
            if self.costs
            else 0
        )
        solver = lone_solver(effort, effort.units)  # one worker, so that its INFEASIBLE can be believed
        status = solver.solve(self.cp)
        if status == cp_model.UNKNOWN:
            solver = solver_for(effort)
            status = solver.solve(self.cp)
            if status == cp_model.INFEASIBLE and believed:
                solver = solver_for(evolve(effort, workers=1))
                status = solver.solve(self.cp)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return solver
        if status != cp_model.INFEASIBLE and believed:
            raise TimeoutError
        return None

    def faults(self, solver: cp_model.CpSolver) -> tuple[GridFault, ...]:
        """What was missed, and by how much."""
        return tuple(evolve(fault, missing=n) for var, fault in self.missed if (n := int(solver.value(var))))

    def _at_least(self, terms: "Sequence[cp_model.IntVar]", least: int, fault: GridFault) -> None:
        """At least so many of these, or, where that is allowed, a miss that is counted."""
        if least <= 0:
            return
        extra: list[cp_model.IntVar] = []
        if self.soft:
            miss = self.cp.new_int_var(0, least, "")
            self.missed.append((miss, fault))
            self.costs.append((miss, 100 * PRICES[fault.kind]))
            extra = [miss]
        self.cp.add(cp_model.LinearExpr.sum([*terms, *extra]) >= least)

    def _at_most(self, terms: "Sequence[cp_model.IntVar]", most: int, fault: GridFault) -> None:
        if len(terms) <= most:
            return
        miss = self.cp.new_int_var(0, len(terms) if self.soft else 0, "")
        if self.soft:
            self.missed.append((miss, fault))
            self.costs.append((miss, 100 * PRICES[fault.kind]))
        self.cp.add(cp_model.LinearExpr.sum(list(terms)) <= max(most, 0) + miss)

    def _locks(self) -> None:
        for (p, n), left in self.grid.locked.items():
            if (p, n) in self.grid.choices:
                first, end = self.grid.units[n]
                mine = [self.x[p, n, k] for k in self.grid.choices[p, n] if k in left]
                only = next(iter(left)) if len(left) == 1 else -1
                self._at_least(mine, 1, GridFault("lock", first, end - 1, 0, 1, rotation=only, person=p))

    def _on(self, n: int, ks: "set[int]", people: "Sequence[int]") -> tuple[list[cp_model.IntVar], int]:
        """Literals of these people's being on one of the rotations, and how many are for certain."""
        there = sum(self.grid.fixed.get((p, n), -1) in ks for p in people)
        return [self.x[p, n, k] for p in people for k in ks if (p, n, k) in self.x], there

    def _teams(self) -> None:
        """On every day enough of a team present, for itself and for each service's demand; never too many on it."""
        kernel, residents = self.kernel, self.grid.residents
        for k, rotation in enumerate(kernel.programme.rotations):
            for n, (first, end) in enumerate(self.grid.units):
                fault = GridFault("team", first, end - 1, 0, rotation.least, rotation=k)
                mine, there = self._on(n, {k}, residents)
                if not mine:
                    continue
                self._at_most(mine, rotation.most - there, evolve(fault, need=rotation.most))
                for away in {tuple(kernel.away[residents, d].tolist()) for d in range(first, end)}:
                    present, there = self._on(n, {k}, [p for p, a in zip(residents, away, strict=True) if not a])
                    self._at_least(present, rotation.least - there, fault)
        rotations = kernel.programme.rotations
        for n, s, d, can, least in self.grid.demands:
            code = kernel.programme.services[s].code
            literals, there = self._on(n, {k for k, one in enumerate(rotations) if code in one.services}, can)
            if literals:
                self._at_least(literals, least - there, GridFault("demand", d, d, 0, least, service=s))

    def _curriculum(self, quota: Ranges | None, slack: tuple[int, int]) -> None:
        """The units that a year of training requires and allows, and the person's own quota."""
        grid, programme = self.grid, self.kernel.programme
        count = len(grid.units)
        for p in grid.residents:
            pgy = programme.people[p].pgy
            for k, rotation in enumerate(programme.rotations):
                mine = [self.x[p, n, k] for n in range(count) if (p, n, k) in self.x]
                there = sum(grid.fixed.get((p, n)) == k for n in range(count))
                least, most = rotation.required_of(pgy, count), rotation.most_of(pgy, count)
                fault = GridFault("required", self.kernel.tail, self.kernel.D - 1, 0, least, rotation=k, person=p)
                self._at_least(mine, least - there, fault)
                self._at_most(mine, most - there, evolve(fault, kind="most", need=most))
                if quota is not None and mine:
                    low, high = quota[p, k]
                    give = slack[grid.nightly[k]]
                    self.cp.add(cp_model.LinearExpr.sum(mine) >= max(low - give, 0) - there)
                    self.cp.add(cp_model.LinearExpr.sum(mine) <= max(high + give - there, 0))

    def _costs(self) -> None:
        grid = self.grid
        for (p, n, k), v in self.x.items():
            after = self.x.get((p, n + 1, k))
            if after is not None:
                twice = self.cp.new_bool_var("")
                self.cp.add(v + after <= 1 + twice)
                self.costs.append((twice, TWICE))
            if grid.before.get((p, n), k) != k:
                self.costs.append((v, grid.asked.kept))
            near = grid.asked.near
            if near is not None and (p, n) not in grid.before:
                first, end = grid.units[n]
                services = self.kernel.programme.rotations[k].services
                done = near[p, first:end]
                codes = [self.kernel.service_of[code] for code in services]
                self.costs.append((v, int((~np.isin(done[done >= 0], codes)).sum())))


def _room(kernel: "Kernel", k: int) -> int:
    """Units of a rotation that its services have work for; what fills has no end."""
    codes = [kernel.service_of[code] for code in kernel.programme.rotations[k].services]
    if kernel.fills[codes].any():
        return len(units_of(kernel.programme.year)) * kernel.P
    places = np.minimum(kernel.most[_RESIDENT, codes, kernel.tail :], kernel.P).sum()
    return int(places / (2 * SHARE * UNIT_DAYS))


def _quotas(grid: _Grid, effort: Effort) -> Ranges | None:
    """Least and most units of each rotation for each person: the most even table within each year of training.

    Counts alone, so a table need not have a grid. None where there is no table, or none in time.
    """
    cp = cp_model.CpModel()
    programme, count = grid.kernel.programme, len(grid.units)
    n_of: dict[tuple[int, int], cp_model.IntVar] = {}
    for p in grid.residents:
        pgy = programme.people[p].pgy
        for k, rotation in enumerate(programme.rotations):
            open_to = sum(k in grid.choices.get((p, n), ()) or grid.fixed.get((p, n)) == k for n in range(count))
            there = sum(grid.fixed.get((p, n)) == k for n in range(count))
            most = min(open_to, max(rotation.most_of(pgy, count), there))
            least = max(there, rotation.required_of(pgy, count))
            if least > most:
                return None
            n_of[p, k] = cp.new_int_var(least, most, "")
        cp.add(cp_model.LinearExpr.sum([n_of[p, k] for k in range(len(programme.rotations))]) == count)
    idles: list[tuple[cp_model.IntVar, int]] = []
    on_leave = {k for k, rotation in enumerate(programme.rotations) if rotation.leave}
    for p in grid.residents:
        tied = sum(bool(ks) and set(ks) <= on_leave for n in range(count) if (ks := grid.choices.get((p, n), [])))
        cp.add(cp_model.LinearExpr.sum([n_of[p, k] for k in on_leave]) >= tied)
    for k, rotation in enumerate(programme.rotations):
        everybody = cp_model.LinearExpr.sum([n_of[p, k] for p in grid.residents])
        cp.add(everybody >= rotation.least * count)
        cp.add(everybody <= rotation.most * count)
        idle = cp.new_int_var(0, len(grid.residents) * count, "")
        cp.add(everybody <= _room(grid.kernel, k) + idle)
        idles.append((idle, IDLE))
    spreads: list[tuple[cp_model.IntVar, int]] = [*idles]
    classes: dict[int, list[int]] = {}
    for p in grid.residents:
        classes.setdefault(programme.people[p].pgy or 0, []).append(p)
    edges: dict[tuple[int, int], tuple[cp_model.IntVar, cp_model.IntVar]] = {}
    for k in range(len(programme.rotations)):
        for pgy, members in (*classes.items(), (_EVERYBODY, grid.residents)):
            low, high = cp.new_int_var(0, count, ""), cp.new_int_var(0, count, "")
            for p in members:
                cp.add(n_of[p, k] >= low)
                cp.add(n_of[p, k] <= high)
            edges[pgy, k] = low, high
            price = OVERALL if pgy == _EVERYBODY else WITHIN
            spreads += [(high, price), (low, -price)]
    cp.minimize(cp_model.LinearExpr.weighted_sum([v for v, _ in spreads], [w for _, w in spreads]))
    solver = lone_solver(evolve(effort, gap=0), effort.units)
    if solver.solve(cp) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {
        (p, k): (solver.value(edges[pgy, k][0]), solver.value(edges[pgy, k][1]))
        for pgy, members in classes.items()
        for p in members
        for k in range(len(programme.rotations))
    }
