"""Dives about some people, the others as they are in the incumbent.

Patterns of those people are priced first: where nothing better is there, or neither value nor bound moves, the next are
chosen at once. Else a dive follows, and a mix of the patterns it has met.
"""

from typing import TYPE_CHECKING

import numpy as np

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.dive import Dive
from packhorse_scheduling.domain.shifts.master import Master

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.budget import Budget
    from packhorse_scheduling.domain.shifts.mix import Mixer
    from packhorse_scheduling.domain.shifts.state import State
    from packhorse_scheduling.domain.shifts.tables import Ints


class Partial:
    """The search; it learns how many people it may open."""

    def __init__(self, state: "State", mixer: "Mixer") -> None:
        self.state, self.mixer = state, mixer
        self.size = float(np.clip(0.35 * state.tables.E, tuning.FEWEST, 50))

    def run(self, budget: "Budget") -> None:
        """One dive."""
        state, t = self.state, self.state.tables
        if state.best is None or state.objective is None:
            return
        began = budget.spent
        most = tuning.LONGEST * state.budget.seconds
        some = self._people(min(t.E, round(self.size)))
        master = self._master(some)  # one of its own: few columns are solved fast
        dive = Dive(state, master, noise=0.05, grain=3, most=state.objective - 0.999)
        dive.keep(state.best, np.setdiff1d(state.everybody, some))
        lowest = dive.settle(budget.until(0.5 * most))
        if lowest < dive.most:
            grid = dive.run(budget)
            if grid is not None:
                state.found(grid)
            if budget.left > 0 and lowest < state.objective - 0.999:
                self._mix(master, some, min(budget.left, 0.25 * most))
        took = budget.spent - began
        change = 1.15 if took < most / 4 else 0.85 if took > 0.9 * most else 1.0
        self.size = float(np.clip(change * self.size, tuning.FEWEST, 0.7 * t.E))

    def _people(self, number: int) -> "Ints":
        """Some people, the likelier those who could work around a day that costs."""
        state, t = self.state, self.state.tables
        day = state.costly_day()
        likely = 1.0 + 2.0 * ~t.banned[:, max(0, day - 1) : day + 2].all(axis=(1, 2))
        chosen: Ints = state.rng.choice(t.E, size=number, replace=False, p=likely / likely.sum())
        return chosen

    def _master(self, some: "Ints") -> Master:
        state, columns = self.state, self.state.columns
        assert state.best is not None  # noqa: S101 - `run` has looked
        reduced = columns.paid(state.prices)
        master = Master(state.tables, columns)
        master.add(columns.add_roster(state.best))
        for e in some.tolist():
            own = np.flatnonzero(columns.owner[: len(reduced)] == e)
            master.add(own[np.argsort(reduced[own], kind="stable")[: tuning.NEAR]].tolist())
        return master

    def _mix(self, master: Master, some: "Ints", seconds: float) -> None:
        """The best of the patterns that the dive has met, the latest first."""
        columns = self.state.columns
        within = np.array(master.within, dtype=int)
        latest = within[np.isin(columns.owner[within], some)][-tuning.MIXED :]
        grid, _ = self.mixer.solve(latest, seconds)
        if grid is not None:
            self.state.found(grid)
