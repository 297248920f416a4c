"""The master problem: shares of patterns that cover the days at the least cost, as a linear program solved by GLOP."""

from typing import TYPE_CHECKING

import numpy as np
from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]

from packhorse_scheduling.domain.shifts.columns import Columns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from packhorse_scheduling.domain.shifts.tables import Floats, Ints, Tables

WARM = "use_preprocessing: false"
"""Of GLOP, for large problems: preprocessing would start it anew each time. Small problems gain by it."""
ARTIFICIAL = 1e5
"""The cost of leaving a person without a pattern, above what any pattern could cost."""


class UnsolvedError(Exception):
    """GLOP gave no answer to a linear program, either time."""


class Master:
    """Rows: cover of each day and shift, with too few and too many; one pattern for each person."""

    def __init__(self, tables: "Tables", columns: Columns) -> None:
        self.tables, self.columns = tables, columns
        self.within: list[int] = []
        self.closed: set[int] = set()
        self._build()

    def _build(self, *, warm: bool | None = None) -> None:
        t = self.tables
        self.lp = pywraplp.Solver.CreateSolver("GLOP")
        if t.large if warm is None else warm:
            self.lp.SetSolverSpecificParametersAsString(WARM)
        self.objective = self.lp.Objective()
        self.objective.SetMinimization()
        infinity = self.lp.infinity()
        self.cover = {}
        for d in range(t.H):
            for k in range(t.K):
                if t.under[d, k] or t.over[d, k]:
                    row = self.lp.Constraint(t.required[d, k], t.required[d, k])
                    for sign, weight in ((1, t.under[d, k]), (-1, t.over[d, k])):
                        slack = self.lp.NumVar(0, infinity, "")
                        self.objective.SetCoefficient(slack, weight)
                        row.SetCoefficient(slack, sign)
                    self.cover[d, k] = row
        self.one = [self.lp.Constraint(1, 1) for _ in range(t.E)]
        for row in self.one:
            artificial = self.lp.NumVar(0, infinity, "")
            self.objective.SetCoefficient(artificial, ARTIFICIAL)
            row.SetCoefficient(artificial, 1)
        self.variables: list[pywraplp.Variable] = []
        self._has = set[int]()

    def add(self, numbers: "Iterable[int]") -> int:
        """Let these columns take part; how many are new."""
        columns, before = self.columns, len(self.within)
        infinity = self.lp.infinity()
        for n in numbers:
            if n in self._has:
                continue
            self._has.add(n)
            variable = self.lp.NumVar(0, infinity, "")
            self.objective.SetCoefficient(variable, float(columns.cost[n]))
            self.one[columns.owner[n]].SetCoefficient(variable, 1)
            row = columns.grid[n]
            for d in np.flatnonzero(row >= 0).tolist():
                cover = self.cover.get((d, int(row[d])))
                if cover is not None:
                    cover.SetCoefficient(variable, 1)
            self.variables.append(variable)
            self.within.append(n)
        return len(self.within) - before

    def solve(self) -> "tuple[float, Floats, Floats]":
        """The optimum of the linear program, the prices of cover [H, K] and of people [E].

        Raises:
            UnsolvedError: the linear program was not solved, either time.
        """
        t = self.tables
        status = self.lp.Solve()
        if status != pywraplp.Solver.OPTIMAL:
            self._again()
            status = self.lp.Solve()
        if status != pywraplp.Solver.OPTIMAL:
            raise UnsolvedError(f"the linear program ended with status {status}")
        prices = np.zeros((t.H, t.K))
        for at, row in self.cover.items():
            prices[at] = row.dual_value()
        people = np.array([row.dual_value() for row in self.one])
        return self.objective.Value(), np.clip(prices, -t.over, t.under), people

    def _again(self) -> None:
        """The same program from nothing, the other way about: a warm start can end in a singular basis."""
        within, closed = self.within, self.closed
        self.within, self.closed = [], set()
        self._build(warm=not self.tables.large)
        self.add(within)
        self.close(closed)

    def shares(self) -> "tuple[Ints, Floats]":
        """The columns in the solution, and how much of each."""
        open_ = [i for i in range(len(self.within)) if i not in self.closed]
        values = np.array([self.variables[i].solution_value() for i in open_])
        at = np.flatnonzero(values > 1e-7)
        return np.array(self.within, dtype=int)[np.array(open_, dtype=int)[at]], values[at]

    def close(self, which: "Iterable[int]") -> None:
        """Let the columns at these places of `within` take no part until `reopen`."""
        for i in which:
            if i not in self.closed:
                self.closed.add(i)
                self.variables[i].SetUb(0)

    def reopen(self, which: "set[int] | None" = None) -> None:
        """Let the columns at these places take part again, or all."""
        infinity = self.lp.infinity()
        for i in self.closed if which is None else which:
            self.variables[i].SetUb(infinity)
        self.closed = self.closed - which if which is not None else set()

    def keep(self, numbers: "Iterable[int]") -> None:
        """A new linear program with these columns alone: a small one is solved faster."""
        kept = list(numbers)
        self.within, self.closed = [], set()
        self._build()
        self.add(kept)
