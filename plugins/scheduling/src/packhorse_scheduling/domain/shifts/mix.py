"""The best roster from patterns at hand: those of small reduced cost, mixed by a set-partitioning program (SCIP).

Reduced costs are taken at the prices of the best bound, less each person's smallest: for any roster they sum to at most
its objective less the bound, so that the filter keeps every better roster that is at hand.
"""

from typing import TYPE_CHECKING

import numpy as np
from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]

from packhorse_scheduling.domain.shifts import tuning

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.state import State
    from packhorse_scheduling.domain.shifts.tables import Grid, Ints


class Mixer:
    """Mixes again and again; the filter widens while programs are solved, and narrows when time runs out."""

    def __init__(self, state: "State") -> None:
        self.state = state
        self.gap = 2.0
        self._solved: tuple[int, int] | None = None

    def chosen(self, gap: float) -> "Ints":
        """Columns within the gap, the incumbent's among them."""
        state, columns = self.state, self.state.columns
        reduced = columns.paid(state.prices)
        least = np.full(state.tables.E, np.inf)
        np.minimum.at(least, columns.owner, reduced)
        reduced = reduced - least[columns.owner]
        order = np.argsort(reduced, kind="stable")
        rank = np.zeros(columns.count, dtype=int)
        seen = np.zeros(state.tables.E, dtype=int)
        for n in order.tolist():
            rank[n] = seen[columns.owner[n]]
            seen[columns.owner[n]] += 1
        kept = (reduced <= gap) | (rank < tuning.ALWAYS)
        at: Ints = order[kept[order]][: tuning.WIDEST]
        return at

    def run(self, seconds: float) -> "Grid | None":
        """A roster better than the incumbent, or None; ``seconds`` of processor time at most."""
        state = self.state
        gap = self.gap if state.objective is None else min(self.gap, state.objective - state.bound)
        at = self.chosen(gap)
        mark = len(at), state.columns.count
        if mark == self._solved:
            self.gap *= 1.7
            return None
        grid, solved = self.solve(at, seconds)
        self.gap *= 1.7 if solved else 0.6
        self._solved = mark if solved else None
        return grid

    def solve(self, at: "Ints", seconds: float) -> "tuple[Grid | None, bool]":
        """A roster better than the incumbent from these columns and the incumbent's; and whether it is proven best."""
        t, columns = self.state.tables, self.state.columns
        if self.state.best is not None:
            at = np.union1d(at, np.array(columns.add_roster(self.state.best), dtype=int))
        solver = pywraplp.Solver.CreateSolver("SCIP")
        objective = solver.Objective()
        objective.SetMinimization()
        ones = [solver.Constraint(1, 1) for _ in range(t.E)]
        cover = {}
        infinity = solver.infinity()
        for d in range(t.H):
            for k in range(t.K):
                if t.under[d, k] or t.over[d, k]:
                    row = cover[d, k] = solver.Constraint(t.required[d, k], t.required[d, k])
                    for sign, weight in ((1, t.under[d, k]), (-1, t.over[d, k])):
                        slack = solver.NumVar(0, infinity, "")
                        objective.SetCoefficient(slack, weight)
                        row.SetCoefficient(slack, sign)
        variables = []
        for n in at.tolist():
            variable = solver.BoolVar("")
            objective.SetCoefficient(variable, float(columns.cost[n]))
            ones[columns.owner[n]].SetCoefficient(variable, 1)
            shifts = columns.grid[n]
            for d in np.flatnonzero(shifts >= 0).tolist():
                if (d, int(shifts[d])) in cover:
                    cover[d, int(shifts[d])].SetCoefficient(variable, 1)
            variables.append(variable)
        if self.state.best is not None:
            incumbent = set(columns.add_roster(self.state.best))
            solver.SetHint(variables, [float(n in incumbent) for n in at.tolist()])
        # costs are whole: less than one apart is proven. clocktype 1 counts processor seconds.
        solver.SetSolverSpecificParametersAsString("limits/absgap = 0.99\ntiming/clocktype = 1\n")
        solver.SetTimeLimit(max(1, int(1000 * seconds)))
        status = solver.Solve()
        if status not in (pywraplp.Solver.OPTIMAL, pywraplp.Solver.FEASIBLE):
            return None, False
        grid = np.full((t.E, t.H), -1, dtype=np.int8)
        for n, variable in zip(at.tolist(), variables, strict=True):
            if variable.solution_value() > 0.5:
                grid[columns.owner[n]] = columns.grid[n]
        better = self.state.objective is None or t.objective(grid) < self.state.objective
        return (grid if better else None), status == pywraplp.Solver.OPTIMAL
