"""Moves of one person at a time: many people's cheapest patterns against what the others leave, priced at once.

Each pattern is the optimum of its person under costs with some noise. It is taken when it lowers what the roster costs,
and sometimes when it raises it (simulated annealing: Kirkpatrick, Gelatt and Vecchi 1983), so that a shortage wanders
from cell to cell until somebody can fill it.

Once prices are known, the cover is eased at first. For prices p within -over..under of each cell the objective is a
bound, plus the reduced costs of all patterns, plus under - p for each one missing and over + p for each one too many
(linear programming duality). The part of the cover is taken at a small share, which rises to the whole: patterns that
are cheap at the prices come first, and then they are fitted to each other. At a share of 1 it is the objective itself.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.shifts import tuning

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.budget import Budget
    from packhorse_scheduling.domain.shifts.state import State
    from packhorse_scheduling.domain.shifts.tables import Floats, Grid, Ints


@frozen
class Course:
    """Of a run, at beginning and end: temperatures, as shares of what one missing costs, and shares of the cover."""

    warm: float
    cold: float
    eased: float
    firm: float

    def warmth(self, gone: float) -> float:
        """The temperature when so much of the run is over."""
        return float(self.warm * (self.cold / self.warm) ** gone)

    def cover(self, gone: float) -> float:
        """The share of the cover then."""
        return 1.0 if gone >= tuning.FULL_COVER else self.eased * (self.firm / self.eased) ** (gone / tuning.FULL_COVER)


BLIND = Course(warm=0.2, cold=0.003, eased=1.0, firm=1.0)
"""Without prices."""
PRICED = Course(warm=0.02, cold=0.005, eased=0.1, firm=0.4)
"""With the prices of a good bound."""


@frozen(eq=False)
class Cover:
    """What one missing and one too many cost: [H, K] each."""

    required: "Floats"
    under: "Floats"
    over: "Floats"

    def eased(self, prices: "Floats", share: float) -> "Cover":
        """The prices, and this share of what the cover costs beyond them."""
        return Cover(self.required, prices + share * (self.under - prices), share * (self.over + prices) - prices)

    def leaving(self, counts: "Floats", d: "Ints", k: "Grid") -> "Floats":
        """What one less costs."""
        return np.where(counts[d, k] <= self.required[d, k], self.under[d, k], -self.over[d, k])

    def coming(self, counts: "Floats", d: "Ints", k: "Grid") -> "Floats":
        """What one more costs."""
        return np.where(counts[d, k] < self.required[d, k], -self.under[d, k], self.over[d, k])


class Moves:
    """The search."""

    def __init__(self, state: "State") -> None:
        self.state = state
        t = state.tables
        self.cover = Cover(t.required, t.under, t.over)
        self.unit = float(np.median(t.under[t.under > 0])) if (t.under > 0).any() else 1.0

    def run(self, budget: "Budget", course: Course, start: "Grid | None" = None) -> bool:
        """Cool down once, from this roster or from the incumbent; whether that has gained."""
        state, t = self.state, self.state.tables
        if state.best is None or state.objective is None:
            return False
        before = state.objective
        grid = (state.best if start is None else start).copy()
        counts, cost = t.cells(grid), float(t.objective(grid))
        number = max(1, round(tuning.MOVED * t.E))
        seconds = max(budget.left, 1e-3)
        prices = np.clip(state.prices, -t.over, t.under)
        while budget.left > 0 and not state.proven:
            gone = 1 - budget.left / seconds
            warmth = self.unit * course.warmth(gone)
            cover = self.cover.eased(prices, course.cover(gone))
            some = state.rng.permutation(t.E)[:number]
            asked = self._costs(grid, counts, cover)
            asked[some] += warmth * state.rng.random((number, t.H, t.K))
            priced = state.pricer.price(asked, some, quick=True)
            for i in np.flatnonzero(priced.lawful).tolist():
                e, row = int(some[i]), priced.grid[i]
                change = self.change(e, row, grid, counts, cover)
                if change <= 0 or state.rng.random() < math.exp(-change / warmth):
                    cost += self.change(e, row, grid, counts, self.cover)
                    self._put(e, row, grid, counts)
            if cost < state.objective - 0.5:
                state.found(grid)
        return state.objective < before

    def _costs(self, grid: "Grid", counts: "Floats", cover: Cover) -> "Floats":
        """What each cell would cost its person, who leaves the cells they have now."""
        state = self.state
        costs: Floats = state.wish + np.where(counts < cover.required, -cover.under, cover.over)
        e, d = np.nonzero(grid >= 0)
        k = grid[e, d]
        costs[e, d, k] = state.wish[e, d, k] - cover.leaving(counts, d, k)
        return costs

    def change(self, e: int, row: "Grid", grid: "Grid", counts: "Floats", cover: Cover) -> float:
        """By how much this pattern of e would change the cost."""
        t, old = self.state.tables, grid[e]
        days = np.flatnonzero(row != old)
        gone, come = days[old[days] >= 0], days[row[days] >= 0]
        less, more = old[gone], row[come]
        wishes = float(t.wish[e, come, more].sum() - t.wish[e, gone, less].sum())
        return wishes + float(cover.leaving(counts, gone, less).sum() + cover.coming(counts, come, more).sum())

    def _put(self, e: int, row: "Grid", grid: "Grid", counts: "Floats") -> None:
        for pattern, one in ((grid[e], -1), (row, 1)):
            days = np.flatnonzero(pattern >= 0)
            counts[days, pattern[days]] += one
        grid[e] = row
