"""Column generation: patterns are priced until none improves the master, and every round proves a bound.

Prices are smoothed (Wentges 1997, "Weighted Dantzig-Wolfe decomposition"): those that gave the best bound, mixed with
the master's own.
"""

from typing import TYPE_CHECKING

import numpy as np

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.master import Master
from packhorse_scheduling.domain.shifts.pricing import impossible
from packhorse_scheduling.domain.shifts.state import NoPatternError, State

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.budget import Budget
    from packhorse_scheduling.domain.shifts.tables import Floats, Ints


class Generation:
    """Column generation at the root: no cell is fixed."""

    def __init__(self, state: State, master: Master) -> None:
        self.state, self.master = state, master
        self.best = -np.inf
        self.value = np.inf
        self.rounds = 0
        self.lawful = 1.0
        self.pace = 0.0
        """Seconds of a round of the last phase."""

    def run(self, budget: "Budget") -> None:
        """Until no column is found, or the budget ends. Bound and prices go to the state."""
        pricer = self.state.pricer
        for limit in tuning.LIMITS:
            if limit < pricer.limit:
                continue
            pricer.harden(limit)
            began, rounds = budget.spent, self.rounds
            self._phase(budget, last=limit == tuning.LIMITS[-1])
            self.pace = (budget.spent - began) / max(1, self.rounds - rounds)
            if not pricer.soft or self.value - self.best < tuning.NARROW * self.value:
                break

    def _phase(self, budget: "Budget", *, last: bool) -> None:
        state, smooth = self.state, tuning.SMOOTH
        values: list[float] = []
        while budget.left > 0:
            self.value, prices, people = self.master.solve()
            values.append(self.value)
            asked = smooth * state.prices + (1 - smooth) * prices if np.isfinite(self.best) else prices
            added = self._price(asked, prices, people)
            self.rounds += 1
            if self.value < self.best + 0.3:
                break
            stalled = len(values) > tuning.STALLED and values[-tuning.STALLED - 1] - self.value < self.value / 2000
            if state.pricer.soft and not last and (stalled or self.lawful < tuning.HALF):
                break
            if not added:
                if smooth == 0:
                    break
                smooth = smooth / 2 if smooth > 0.2 else 0.0

    def _price(self, asked: "Floats", prices: "Floats", people: "Floats") -> int:
        state, t = self.state, self.state.tables
        priced = state.pricer.price(state.wish - asked, state.everybody)
        nobody = impossible(priced.least)
        if len(nobody):
            raise NoPatternError(t.problem.people[nobody[0]].id)
        bound = float((asked * t.required).sum() + t.unmet.sum() + priced.least.sum())
        if bound > self.best:
            self.best, state.prices = bound, asked
            state.bounded(bound)
        self.lawful += 0.3 * (float(priced.lawful.mean()) - self.lawful)
        numbers = [state.columns.add(e, priced.grid[e])[0] for e in np.flatnonzero(priced.lawful).tolist()]
        return self.master.add(improving(state, numbers, prices, people))


def improving(state: State, numbers: list[int], prices: "Floats", people: "Floats") -> "Ints":
    """Those of these columns whose reduced cost under the master's prices is negative."""
    at = np.array(numbers, dtype=int)
    if not len(at):
        return at
    reduced = state.columns.paid(prices, at) - people[state.columns.owner[at]]
    found: Ints = at[reduced < -1e-6]
    return found
