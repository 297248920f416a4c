"""A problem, or some cells of it, as a CP-SAT model: a Boolean for each person, day and shift that is free.

Used for small problems as a whole, for neighbourhoods of a roster, for the pattern of one person, and as the peer of
the benchmark.
"""

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen
from ortools.sat.python import cp_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from ortools.sat.python import cp_model_helper as cmh

    from packhorse_scheduling.domain.shifts.tables import Grid, Tables

    Work = cmh.Literal | int


@frozen(eq=False)
class Solved:
    """What CP-SAT gave: a grid (None: nothing found), a bound of the whole objective, whether it is proven or empty."""

    grid: "Grid | None"
    bound: float
    optimal: bool
    infeasible: bool


class Compact:
    """The model with ``free[E, H]`` cells open and the others as they are in ``grid``."""

    def __init__(self, tables: "Tables", free: "Grid", grid: "Grid", *, cover: bool = True) -> None:
        self.tables, self.free, self.grid = tables, free, grid
        self.model = cp_model.CpModel()
        self.x: dict[tuple[int, int, int], cp_model.IntVar] = {}
        self.costs: list[tuple[cp_model.IntVar, int]] = []
        self.constant = 0.0
        self.people = np.flatnonzero(free.any(axis=1)).tolist()
        for e in self.people:
            _Person(self, e).post()
        if cover:
            self._cover()
            variables = [v for v, _ in self.costs]
            self.model.minimize(cp_model.LinearExpr.weighted_sum(variables, [w for _, w in self.costs]))

    def _cover(self) -> None:
        t = self.tables
        counts = t.cells(np.where(self.free, -1, self.grid))
        by_cell: dict[tuple[int, int], list[cp_model.IntVar]] = {}
        for (_, d, k), variable in self.x.items():
            by_cell.setdefault((d, k), []).append(variable)
        for d in range(t.H):
            for k in range(t.K):
                there = by_cell.get((d, k), [])
                under, over = int(t.under[d, k]), int(t.over[d, k])
                missing = int(t.required[d, k] - counts[d, k])
                if not there:
                    self.constant += under * max(0, missing) + over * max(0, -missing)
                    continue
                total = cp_model.LinearExpr.sum(there)
                if under and missing > 0:
                    short = self.model.new_int_var(0, missing, "")
                    self.model.add(total + short >= missing)
                    self.costs.append((short, under))
                if over and missing < len(there):
                    most = len(there) - missing
                    if missing < 0:
                        self.constant += over * -missing
                        missing, most = 0, len(there)
                    spare = self.model.new_int_var(0, most, "")
                    self.model.add(total - spare <= missing)
                    self.costs.append((spare, over))

    def hint(self, grid: "Grid") -> None:
        """Start from this roster."""
        self.model.clear_hints()  # type: ignore[no-untyped-call]
        for (e, d, k), variable in self.x.items():
            self.model.add_hint(variable, bool(grid[e, d] == k))

    def solve(
        self,
        seconds: float,
        *,
        seed: int = 1,
        workers: int = 1,
        told: "Callable[[Grid, float], None] | None" = None,
        stop: "Callable[[], bool]" = lambda: False,
    ) -> Solved:
        """Search for so many processor seconds: deterministic units, of which one is about a second of a core."""
        solver = cp_model.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = workers
        parameters.random_seed = seed
        parameters.max_deterministic_time = seconds
        parameters.max_time_in_seconds = 4 * seconds + 1  # a machine that others use gives less than it shows
        status = solver.solve(self.model, _Watch(self, told, stop))
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            grid = self.filled(lambda variable: bool(solver.boolean_value(variable)))
            bound = solver.best_objective_bound + self.constant
            return Solved(grid, bound, status == cp_model.OPTIMAL, infeasible=False)
        bound = -np.inf if status != cp_model.UNKNOWN else solver.best_objective_bound + self.constant
        return Solved(None, bound, optimal=False, infeasible=status == cp_model.INFEASIBLE)

    def filled(self, value: "Callable[[cp_model.IntVar], bool]") -> "Grid":
        """The grid with the free cells as the solver has them."""
        grid = np.where(self.free, -1, self.grid).astype(np.int8)
        for (e, d, k), variable in self.x.items():
            if value(variable):
                grid[e, d] = k
        return grid


class _Watch(cp_model.CpSolverSolutionCallback):
    """Tells of solutions, and stops at the next one when asked to."""

    def __init__(
        self, compact: Compact, told: "Callable[[Grid, float], None] | None", stop: "Callable[[], bool]"
    ) -> None:
        super().__init__()
        self._compact, self._told, self._stop = compact, told, stop

    def on_solution_callback(self) -> None:
        if self._told is not None:
            bound = self.best_objective_bound + self._compact.constant
            self._told(self._compact.filled(lambda variable: bool(self.boolean_value(variable))), bound)
        if self._stop():
            self.stop_search()


class _Person:
    """The rules of one person: each is posted only where it touches a free cell."""

    def __init__(self, compact: Compact, e: int) -> None:
        self.c, self.e, self.t = compact, e, compact.tables
        self.free, self.row = compact.free[e], compact.grid[e]
        open_ = np.flatnonzero(self.free)
        longest = max(int(part[e]) for part in (self.t.most_run, self.t.least_run, self.t.least_rest))
        self.first = max(0, int(open_[0]) - longest - 1)
        self.last = min(self.t.H, int(open_[-1]) + longest + 2)
        # outside of these days everything is fixed, and no rule there touches a free cell but the totals
        self.shift: dict[int, list[Work]] = {}
        self.work: dict[int, Work] = {}
        for d in range(self.first, self.last):
            self._day(d)
        fixed = np.flatnonzero(~self.free & (self.row >= 0))
        self.kinds = np.bincount(self.row[fixed], minlength=self.t.K)
        compact.constant += float(self.t.wish[e, fixed, self.row[fixed]].sum())

    def _day(self, d: int) -> None:
        t, e, model = self.t, self.e, self.c.model
        if not self.free[d]:
            k = int(self.row[d])
            self.shift[d] = [int(j == k) for j in range(t.K)]
            self.work[d] = int(k >= 0)
            return
        cells: list[Work] = [0] * t.K
        there = []
        for k in np.flatnonzero(~t.banned[e, d]).tolist():
            variable = model.new_bool_var("")
            self.c.x[e, d, k] = cells[k] = variable
            there.append(variable)
            if t.wish[e, d, k]:
                self.c.costs.append((variable, int(t.wish[e, d, k])))
        self.shift[d] = cells
        if not there:
            self.work[d] = 0
        elif len(there) == 1:
            self.work[d] = there[0]
        else:
            works = model.new_bool_var("")
            model.add_exactly_one([*there, works.negated()])
            self.work[d] = works

    def post(self) -> None:
        """Post every rule."""
        self.c.constant += float(self.t.unmet[self.e])
        self._order()
        self._runs()
        self._totals()

    def _order(self) -> None:
        t = self.t
        for d in range(self.first, self.last - 1):
            if not (self.free[d] or self.free[d + 1]):
                continue
            for k in range(t.K):
                barred = [self.shift[d + 1][j] for j in np.flatnonzero(~t.follows[k]).tolist()]
                self._at_most(1, [self.shift[d][k], *barred])

    def _runs(self) -> None:
        t, e = self.t, self.e
        longest = int(t.most_run[e])
        for d in range(self.first, self.last - longest):
            if self.free[d : d + longest + 1].any():
                self._at_most(longest, [self.work[i] for i in range(d, d + longest + 1)])
        resting = {d: _not(work) for d, work in self.work.items()}
        for least, inside, outside in (
            (int(t.least_run[e]), self.work, resting),
            (int(t.least_rest[e]), resting, self.work),
        ):
            for length in range(1, least):
                for d in range(self.first + 1, self.last - length):
                    if self.free[d - 1 : d + length + 1].any():
                        run = [outside[i] for i in range(d, d + length)]
                        self._clause([inside[d - 1], *run, inside[d + length]])

    def _totals(self) -> None:
        t, e, model = self.t, self.e, self.c.model
        open_ = np.flatnonzero(self.free).tolist()
        cells = [
            (self.shift[d][k], int(t.units[k]))
            for d in open_
            for k in range(t.K)
            if not isinstance(self.shift[d][k], int)
        ]
        if cells:
            fixed = int(self.kinds @ t.units)
            total = cp_model.LinearExpr.weighted_sum([cell for cell, _ in cells], [units for _, units in cells])
            model.add_linear_constraint(total, int(t.low[e]) - fixed, int(t.high[e]) - fixed)
        for k in range(t.K):
            if 0 < t.cap[e, k] < t.H:
                self._at_most(int(t.cap[e, k] - self.kinds[k]), [self.shift[d][k] for d in open_])
        weekends = len(set(t.weekend_of[t.weekend_of >= 0].tolist()))
        if t.most_weekends[e] < weekends:
            self._at_most(int(t.most_weekends[e]), self._weekends())

    def _weekends(self) -> "list[Work]":
        found: list[Work] = []
        days: dict[int, list[int]] = {}
        for d in np.flatnonzero(self.t.weekend_of >= 0).tolist():
            days.setdefault(int(self.t.weekend_of[d]), []).append(d)
        for of_one in days.values():
            if any(not self.free[d] and self.row[d] >= 0 for d in of_one):
                found.append(1)
                continue
            open_ = [self.work[d] for d in of_one if self.free[d] and not isinstance(self.work[d], int)]
            if len(open_) == 1:
                found.append(open_[0])
            elif open_:
                touched = self.c.model.new_bool_var("")
                for one in open_:
                    self.c.model.add_implication(one, touched)
                found.append(touched)
        return found

    def _at_most(self, most: int, items: "list[Work]") -> None:
        fixed = sum(item for item in items if isinstance(item, int))
        open_ = [item for item in items if not isinstance(item, int)]
        if len(open_) <= most - fixed or not open_:
            return
        if most - fixed == 1:
            self.c.model.add_at_most_one(open_)
        else:
            self.c.model.add(cp_model.LinearExpr.sum(open_) <= most - fixed)

    def _clause(self, items: "list[Work]") -> None:
        if any(isinstance(item, int) and item for item in items):
            return
        self.c.model.add_bool_or([item for item in items if not isinstance(item, int)])


def _not(work: "Work") -> "Work":
    return 1 - work if isinstance(work, int) else work.negated()


def one_person(tables: "Tables", e: int, seconds: float = 20) -> "Grid | None":
    """Some lawful pattern of one person; None where there is none, or none was found in time."""
    free = np.zeros((tables.E, tables.H), dtype=bool)
    free[e] = True
    solved = Compact(tables, free, np.full((tables.E, tables.H), -1, dtype=np.int8), cover=False).solve(seconds)
    return None if solved.grid is None else solved.grid[e]


def whole(tables: "Tables") -> Compact:
    """The model of everything."""
    free = np.ones((tables.E, tables.H), dtype=bool)
    return Compact(tables, free, np.full((tables.E, tables.H), -1, dtype=np.int8))
