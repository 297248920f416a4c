"""Windows: some days of the incumbent are decided anew for everybody by column generation and a dive, the others stay.

Only those days are priced, against what the days beside them allow of runs and what the others leave of each
person's totals: so that a window takes seconds however long the horizon is.
"""

from typing import TYPE_CHECKING

import numpy as np

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.dive import Dive
from packhorse_scheduling.domain.shifts.master import Master
from packhorse_scheduling.domain.shifts.state import State

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.budget import Budget


class Windows:
    """The search; it learns how many days it may open."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.days = float(min(tuning.WINDOW, state.tables.H))
        self.barren: set[tuple[int, int]] = set()
        """Windows in which nothing better was found since the incumbent changed there."""

    def run(self, budget: "Budget") -> None:
        """One window."""
        state = self.state
        if state.best is None or state.objective is None:
            return
        before, began = state.objective, budget.spent
        first, last = self._window(round(self.days))
        self._solve(first, last, budget)
        if state.objective < before:
            near = first - tuning.BESIDE, last + tuning.BESIDE
            self.barren = {(a, b) for a, b in self.barren if b <= near[0] or a >= near[1]}
        else:
            self.barren.add((first, last))
        took, most = budget.spent - began, tuning.LONGEST * state.budget.seconds
        change = 1.15 if took < 0.4 * most else 0.85 if took > 0.9 * most else 1.0
        longest = min(state.tables.H, tuning.WIDEST_WINDOW)
        fewest = min(max(tuning.FEWEST, int(state.tables.least_rest.max())), longest)
        self.days = float(np.clip(change * self.days, fewest, longest))

    def _window(self, length: int) -> tuple[int, int]:
        """Days around one that costs, where a few tries find some that are not known to be barren."""
        horizon = self.state.tables.H
        span = 0, horizon
        for _ in range(10):
            first = int(np.clip(self.state.costly_day() - self.state.rng.integers(length), 0, horizon - length))
            span = self.state.tables.with_weekends(first, first + length)
            if span not in self.barren:
                break
        return span

    def _solve(self, first: int, last: int, budget: "Budget") -> None:
        whole = self.state
        assert whole.best is not None  # noqa: S101 - `run` has looked
        tables, days = whole.tables.part(whole.best, first, last), slice(first, last)
        state = State(tables, budget, int(whole.rng.integers(1 << 30)), lambda objective, bound: None)
        state.prices = whole.prices[days]
        state.found(whole.best[:, days])
        assert state.objective is not None  # noqa: S101 - just found
        self._pool(state, first, last)
        master = Master(tables, state.columns)
        master.add(range(state.columns.count))
        dive = Dive(state, master, grain=tuning.WINDOW_GRAIN, most=state.objective - 0.999)
        most = tuning.LONGEST * whole.budget.seconds
        lowest = dive.settle(budget.until(0.5 * most))
        if lowest >= dive.most:
            return
        grid = dive.run(budget)
        if grid is not None:
            better = whole.best.copy()
            better[:, days] = grid
            whole.found(better)

    def _pool(self, state: State, first: int, last: int) -> None:
        """Patterns at hand that agree with the incumbent on the other days."""
        whole = self.state
        assert whole.best is not None  # noqa: S101 - `run` has looked
        columns = whole.columns
        outside = np.r_[0:first, last : whole.tables.H]
        agreeing = (columns.grid[:, outside] == whole.best[columns.owner][:, outside]).all(axis=1)
        for n in np.flatnonzero(agreeing).tolist():
            state.columns.add(int(columns.owner[n]), columns.grid[n, first:last])
