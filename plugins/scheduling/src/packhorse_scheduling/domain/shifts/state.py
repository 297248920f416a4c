"""What a search knows at any moment: the best roster, the best bound, the columns, and who is told."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from packhorse_scheduling.domain.shifts.budget import Budget
from packhorse_scheduling.domain.shifts.columns import Columns
from packhorse_scheduling.domain.shifts.pricing import Pricer, impossible

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.tables import Floats, Grid, Tables

Told = Callable[[int | None, int], None]
"""Called with the incumbent's objective (None: none yet) and the bound."""

NEVER = 1e7


class NoPatternError(Exception):
    """Somebody's own limits and days off allow no pattern at all."""

    def __init__(self, person: str) -> None:
        super().__init__(person)
        self.person = person


class State:
    """The shared state of one search."""

    def __init__(self, tables: "Tables", budget: Budget, seed: int, told: Told) -> None:
        self.tables, self.budget, self.told = tables, budget, told
        self.rng = np.random.default_rng(seed)
        self.pricer = Pricer(tables)
        self.columns = Columns(tables)
        self.everybody = np.arange(tables.E)
        self.wish = np.where(tables.banned, NEVER, tables.wish)
        self.best: Grid | None = None
        self.objective: int | None = None
        self.bound = 0
        self.prices: Floats = np.zeros((tables.H, tables.K))

    @property
    def proven(self) -> bool:
        """Whether the incumbent is optimal: costs are whole numbers."""
        return self.objective is not None and self.objective <= self.bound

    def is_over(self) -> bool:
        """Whether to stop: proven, out of time, or called off."""
        return self.proven or self.budget.left <= 0

    def bounded(self, value: float) -> None:
        """A lower bound was found; costs are whole, so that it may be rounded up."""
        bound = int(np.ceil(value - 1e-4))
        if bound > self.bound:
            self.bound = bound
            self.told(self.objective, self.bound)

    def found(self, grid: "Grid") -> bool:
        """A lawful roster was found; whether it is the best so far. Its patterns become columns."""
        self.columns.add_roster(grid)
        objective = self.tables.objective(grid)
        if self.objective is not None and objective >= self.objective:
            return False
        self.best, self.objective = grid.copy(), objective
        self.told(self.objective, self.bound)
        return True

    def costly_day(self) -> int:
        """A day, the likelier the more its cover costs in the incumbent."""
        assert self.best is not None  # noqa: S101 - asked only once there is one
        cost = self.tables.cover_cost(self.tables.cells(self.best)).sum(axis=1) + 0.1
        return int(self.rng.choice(self.tables.H, p=cost / cost.sum()))

    def marginal(self, counts: "Floats") -> "Floats":
        """What one more on each shift of each day would cost: [H, K]."""
        t = self.tables
        return np.where(counts < t.required, -t.under, t.over)

    def pattern(self, e: int, cost: "Floats") -> "Grid | None":
        """The cheapest lawful pattern of one person under ``cost[H, K]`` for their cells; None if none was found.

        Raises:
            NoPatternError: there is none at all.
        """
        whole = np.zeros((self.tables.E, *cost.shape))
        whole[e] = cost
        for _ in range(12):
            priced = self.pricer.price(whole, self.everybody[e : e + 1])
            if len(impossible(priced.least)):
                if self.pricer.slack:
                    return None
                raise NoPatternError(self.tables.problem.people[e].id)
            if priced.lawful[0]:
                row: Grid = priced.grid[0]
                return row
        return None

    def polish(self, grid: "Grid", rounds: int = 3, budget: Budget | None = None) -> "Grid":
        """Each person's cheapest pattern against what the others leave uncovered, in turn, while it pays."""
        t = self.tables
        grid = grid.copy()
        counts = t.cells(grid)
        for _ in range(rounds):
            gained = False
            for e in self.rng.permutation(t.E):
                if (budget or self.budget).left <= 0:
                    return grid
                days = np.flatnonzero(grid[e] >= 0)
                counts[days, grid[e, days]] -= 1
                before = t.requests_cost(e, grid[e]) + self.marginal(counts)[days, grid[e, days]].sum()
                row = self.pattern(e, self.wish[e] + self.marginal(counts))
                if row is not None:
                    cells = np.flatnonzero(row >= 0)
                    after = t.requests_cost(e, row) + self.marginal(counts)[cells, row[cells]].sum()
                    if after < before - 1e-6:
                        grid[e], days, gained = row, cells, True
                counts[days, grid[e, days]] += 1
            if not gained:
                break
        return grid

    def greedy(self) -> "Grid":
        """A first roster: each person's cheapest pattern against what is uncovered so far.

        Raises:
            NoPatternError: somebody has none.
        """
        t = self.tables
        grid = np.full((t.E, t.H), -1, dtype=np.int8)
        counts = np.zeros((t.H, t.K))
        for e in self.rng.permutation(t.E).tolist():
            row = self.pattern(e, self.wish[e] + self.marginal(counts))
            if row is None:
                row = self.lawful(e)
            grid[e] = row
            cells = np.flatnonzero(row >= 0)
            counts[cells, row[cells]] += 1
        return grid

    def lawful(self, e: int) -> "Grid":
        """Some lawful pattern of e, by CP-SAT: where limits are too many to price.

        Raises:
            NoPatternError: there is none.
        """
        from packhorse_scheduling.domain.shifts.compact import one_person

        row = one_person(self.tables, e)
        if row is None:
            raise NoPatternError(self.tables.problem.people[e].id)
        return row
