"""Large neighbourhood search: some cells of the incumbent are opened and decided anew by CP-SAT, the others stay.

Kinds: whole people; all people on the days around one that costs; some people on somewhat more of those days. The kind
is chosen by what it has gained for its time, the size by whether solves end in time.
"""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.compact import Compact
from packhorse_scheduling.domain.shifts.turns import Turns

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.budget import Budget
    from packhorse_scheduling.domain.shifts.state import State
    from packhorse_scheduling.domain.shifts.tables import Grid, Ints

KINDS = ("people", "days", "people and days", "shortage")


class Neighbourhoods:
    """The search; it learns which kind pays, and how large its neighbourhoods may be."""

    def __init__(self, state: "State") -> None:
        self.state = state
        days = float(np.clip(tuning.REOPENED / state.tables.E, 3, 7))
        self.size = dict(zip(KINDS, (3.0, days, 1.5 * days, 10.0), strict=True))
        self.turns = Turns(KINDS)
        self.settled: set[tuple[int, int]] = set()

    def run(self, budget: "Budget") -> bool:
        """Neighbourhoods until the budget ends; whether any gained."""
        state, before = self.state, self.state.objective
        while budget.left > 0 and not state.proven and state.best is not None:
            kind = self.turns.next(state.rng)
            self.turns.take(kind, partial(self._neighbourhood, kind, budget), state, budget)
        return state.objective != before

    def _neighbourhood(self, kind: str, budget: "Budget") -> None:
        state = self.state
        assert state.best is not None  # noqa: S101 - `run` has looked
        people, span = self._free(kind)
        began = budget.clock()
        compact = Compact(state.tables, _cells(state.tables.E, state.tables.H, people, span), state.best)
        compact.hint(state.best)
        seconds = min(tuning.REOPENING, budget.left)
        solved = compact.solve(seconds, seed=int(state.rng.integers(1 << 30)), stop=state.budget.cancelled)
        took = budget.clock() - began
        if solved.grid is not None and state.found(solved.grid):
            self.settled.clear()
        if solved.optimal and kind == "days":
            self.settled.add(span)
        if solved.optimal and took < tuning.REOPENING / 2:
            self.size[kind] *= 1.05
        elif not solved.optimal:
            self.size[kind] = max(2.0, self.size[kind] * 0.93)

    def _free(self, kind: str) -> "tuple[Ints, tuple[int, int]]":
        """Whose cells, and of which days, are opened."""
        t, rng = self.state.tables, self.state.rng
        size = self.size[kind]
        if kind == "people":
            return self._people(min(t.E, round(size))), (0, t.H)
        day, shift = self._costly()
        if kind == "days":
            return np.arange(t.E), self._unsettled(day, round(size))
        if kind == "people and days":
            return self._people(max(3, round(0.4 * t.E))), _around(day, round(1.5 * size), t.H)
        able = np.flatnonzero(~t.banned[:, max(0, day - 1) : day + 2, shift].all(axis=1))
        few = rng.permutation(able)[: max(3, round(0.5 * len(able)))]
        others = rng.permutation(t.E)[: max(2, round(0.15 * t.E))]
        return np.union1d(few, others), _around(day, round(size), t.H)

    def _unsettled(self, day: int, length: int) -> tuple[int, int]:
        """Days around this one; more of them where fewer are known to hold nothing better."""
        horizon = self.state.tables.H
        span = _around(day, length, horizon)
        while span in self.settled and length < horizon:
            length += 1
            span = _around(day, length, horizon)
        return span

    def _costly(self) -> tuple[int, int]:
        """A day and shift, the likelier the more its cover costs."""
        state, t = self.state, self.state.tables
        assert state.best is not None  # noqa: S101 - there is an incumbent while neighbourhoods are searched
        cost = t.cover_cost(t.cells(state.best)) + 0.2
        at = state.rng.choice(t.H * t.K, p=(cost / cost.sum()).ravel())
        return divmod(int(at), t.K)

    def _people(self, number: int) -> "Ints":
        """Some people, the likelier the more their requests cost."""
        state, t = self.state, self.state.tables
        assert state.best is not None  # noqa: S101 - as above
        cost = np.array([t.requests_cost(e, state.best[e]) for e in range(t.E)]) + 1.0
        chosen: Ints = state.rng.choice(t.E, size=number, replace=False, p=cost / cost.sum())
        return chosen


def _around(day: int, length: int, horizon: int) -> tuple[int, int]:
    first = max(0, min(day - length // 2, horizon - length))
    return first, min(horizon, first + max(2, length))


def _cells(people: int, days: int, chosen: "Ints", span: tuple[int, int]) -> "Grid":
    free = np.zeros((people, days), dtype=bool)
    free[np.asarray(chosen), span[0] : span[1]] = True
    return free
