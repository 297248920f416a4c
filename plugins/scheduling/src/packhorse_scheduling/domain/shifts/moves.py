"""Moves of one person at a time: many people's cheapest patterns against what the others leave, priced at once.

Each pattern is the optimum of its person under costs with some noise. It is taken when it lowers what the roster really
costs, and sometimes when it raises it (simulated annealing: Kirkpatrick, Gelatt and Vecchi 1983), so that a shortage
wanders from cell to cell until somebody can fill it.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.budget import Budget
    from packhorse_scheduling.domain.shifts.state import State
    from packhorse_scheduling.domain.shifts.tables import Floats, Grid

HOTTEST, COLDEST = 0.2, 0.003
"""Temperatures at the beginning and the end of a run, as shares of what one missing costs."""
SHARE = 0.35
"""Of the people, how many are priced at once: all see the roster as it was then."""


class Moves:
    """The search, from the incumbent each time."""

    def __init__(self, state: "State") -> None:
        self.state = state

    def run(self, budget: "Budget") -> bool:
        """Cool down once; whether that has gained."""
        state, t = self.state, self.state.tables
        if state.best is None or state.objective is None:
            return False
        before = state.objective
        grid, counts = state.best.copy(), t.cells(state.best)
        cost = float(state.objective)
        number = max(1, round(SHARE * t.E))
        seconds = max(budget.left, 1e-3)
        unit = float(np.median(t.under[t.under > 0])) if (t.under > 0).any() else 1.0
        while budget.left > 0 and not state.proven:
            warmth = unit * HOTTEST * (COLDEST / HOTTEST) ** (1 - budget.left / seconds)
            some = state.rng.permutation(t.E)[:number]
            asked = self._costs(grid, counts)
            asked[some] += warmth * state.rng.random((number, t.H, t.K))
            priced = state.pricer.price(asked, some, quick=True)
            for i in np.flatnonzero(priced.lawful).tolist():
                change = self.change(int(some[i]), priced.grid[i], grid, counts)
                if change <= 0 or state.rng.random() < math.exp(-change / warmth):
                    self._put(int(some[i]), priced.grid[i], grid, counts)
                    cost += change
            if cost < state.objective - 0.5:
                state.found(grid)
        return state.objective < before

    def _costs(self, grid: "Grid", counts: "Floats") -> "Floats":
        """What each cell would cost its person, who leaves the cells they have now."""
        state, t = self.state, self.state.tables
        costs: Floats = state.wish + state.marginal(counts)
        e, d = np.nonzero(grid >= 0)
        k = grid[e, d]
        kept = np.where(counts[d, k] - 1 < t.required[d, k], -t.under[d, k], t.over[d, k])
        costs[e, d, k] = state.wish[e, d, k] + kept
        return costs

    def change(self, e: int, row: "Grid", grid: "Grid", counts: "Floats") -> float:
        """By how much this pattern of e would change the cost."""
        t, old = self.state.tables, grid[e]
        days = np.flatnonzero(row != old)
        gone, come = days[old[days] >= 0], days[row[days] >= 0]
        less, more = old[gone], row[come]
        change = float(t.wish[e, come, more].sum() - t.wish[e, gone, less].sum())
        change += float(
            np.where(counts[gone, less] <= t.required[gone, less], t.under[gone, less], -t.over[gone, less]).sum()
        )
        return change + float(
            np.where(counts[come, more] < t.required[come, more], -t.under[come, more], t.over[come, more]).sum()
        )

    def _put(self, e: int, row: "Grid", grid: "Grid", counts: "Floats") -> None:
        for pattern, one in ((grid[e], -1), (row, 1)):
            days = np.flatnonzero(pattern >= 0)
            counts[days, pattern[days]] += one
        grid[e] = row
