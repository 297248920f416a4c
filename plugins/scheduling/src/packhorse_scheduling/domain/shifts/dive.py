"""A dive: cells are fixed where the master's shares agree, patterns are priced again, until everybody has one.

Cells (person, day, shift) are fixed, never whole columns, and of each person only cells of one and the same pattern:
so that the fixed cells of a person always have a lawful pattern, and, as cover is soft, a dive cannot fail. Where a
roster below some cost is wanted and the master's value comes above it, the last cells are freed, and others go first.
"""

from typing import TYPE_CHECKING

import numpy as np

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.generation import improving
from packhorse_scheduling.domain.shifts.master import Master
from packhorse_scheduling.domain.shifts.state import NEVER, State

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.budget import Budget
    from packhorse_scheduling.domain.shifts.tables import Floats, Grid, Ints

REWARD = 1e4
"""What working a fixed cell earns in the pricing: a pattern that leaves one out is never worth while."""


class Dive:
    """One dive from the root of ``master``, with what it has fixed."""

    def __init__(
        self, state: State, master: Master, *, noise: float = 0.0, grain: float = 1.0, most: float = np.inf
    ) -> None:
        t = state.tables
        self.most = most
        self.state, self.master, self.noise = state, master, noise
        self.grain = grain
        self.cost = state.wish.copy()
        self.fixed = np.full((t.E, t.H), -1, dtype=np.int8)
        self.whole = np.full(t.E, -1)
        self.batches = 0
        self.took = 0.0
        self.value, self.step = np.inf, np.inf
        self.hurry = 0.0
        self.avoided = np.zeros((t.E, t.H, t.K), dtype=bool)
        """Cells after whose fixing the value came above ``most``."""
        self.before: list[tuple[Grid, Ints, set[int]]] = []
        """What was fixed, and which columns were closed, before each batch."""
        self.failures = 0

    def keep(self, grid: "Grid", people: "Ints") -> None:
        """Leave these people's patterns as they are: the dive is then about the others alone."""
        numbers = [self.state.columns.add(e, grid[e])[0] for e in people.tolist()]
        self.master.add(numbers)
        self.whole[people] = numbers
        self.fixed[people] = grid[people]
        self._close(people)

    def settle(self, budget: "Budget") -> float:
        """Price before anything is fixed, until the value is below ``most`` and near its bound; the value then.

        It ends early, with infinity, where a bound shows that ``most`` cannot be reached, and where neither the value
        nor the bound moves any more.
        """
        state, t = self.state, self.state.tables
        open_, closed = np.flatnonzero(self.whole < 0), self.whole[self.whole >= 0]
        need = t.required - t.cells(state.columns.grid[closed])
        fixed = float(state.columns.cost[closed].sum() + t.unmet[open_].sum())
        centre, best, smooth = np.clip(state.prices, -t.over, t.under), -np.inf, tuning.SMOOTH
        value, prices, people = self.master.solve()
        still = 0
        while budget.left > 0 and still < tuning.SETTLED:
            asked = smooth * centre + (1 - smooth) * prices
            at_most = self._cheapest(asked)[open_] - t.unmet[open_]
            priced = state.pricer.price(self.cost - asked, open_, at_most, quick=True)
            bound = float((asked * need).sum() + priced.least.sum()) + fixed
            still += 1
            if bound > best + 1e-6:
                best, centre, still = bound, asked, 0
            if best > self.most:
                return np.inf
            numbers = [state.columns.add(int(open_[i]), priced.grid[i])[0] for i in np.flatnonzero(priced.lawful)]
            if not self.master.add(improving(state, numbers, prices, people)):
                if smooth == 0:
                    break
                smooth = smooth / 2 if smooth > 0.2 else 0.0
                continue
            before = value
            value, prices, people = self.master.solve()
            if value < self.most and value - best < max(0.5, tuning.NEARLY * (self.most - value)):
                break
            if value < before - 1e-6:
                still = 0
        return value

    def _cheapest(self, prices: "Floats") -> "Floats":
        """Of each person, the least reduced cost of the master's columns at these prices: [E]."""
        columns = self.state.columns
        within = np.array(self.master.within, dtype=int)
        least = np.full(self.state.tables.E, np.inf)
        np.minimum.at(least, columns.owner[within], columns.paid(prices, within))
        return least

    def run(self, budget: "Budget") -> "Grid | None":
        """A roster; cut short, it completes the open people against what is uncovered.

        None: the master's value has come above ``most``, and no better roster is to be had from here.
        """
        try:
            return self._run(budget)
        finally:
            self.master.reopen()

    def _run(self, budget: "Budget") -> "Grid | None":
        while True:
            began = budget.spent
            value, prices, people = self.master.solve()
            value, prices, people = self._price(value, prices, people, budget)
            self._weigh(value)
            if value > self.most:
                if budget.left <= 0 or not self._undo():
                    return None
                continue
            numbers, shares = self.master.shares()
            heaviest, weight = self._heaviest(numbers, shares)
            if (weight >= tuning.DECIDED).all():
                return self.state.columns.grid[heaviest].copy()
            if budget.left <= 0:
                return self._complete(heaviest, weight)
            self._pace(budget.spent - began, budget.left)
            if np.isfinite(self.most):
                self.before.append((self.fixed.copy(), self.whole.copy(), set(self.master.closed)))
            self._fix(numbers, shares, heaviest, weight)

    def _undo(self) -> bool:
        """Take back the last batches, the more of them the more often that was needed; whether to go on from there."""
        self.failures += 1
        if not self.before or self.failures > tuning.FAILURES:
            return False
        e, d = np.nonzero((self.fixed >= 0) & (self.fixed != self.before[-1][0]))
        self.avoided[e, d, self.fixed[e, d]] = True
        to = max(0, len(self.before) - (1 << (self.failures - 1)))
        self.fixed, self.whole, closed = self.before[to]
        del self.before[to:]
        self.cost = self.state.wish.copy()
        self._bind(*np.nonzero(self.fixed >= 0))
        self.master.reopen(self.master.closed - closed)
        self.value = np.inf
        return True

    def _bind(self, e: "Ints", d: "Ints") -> None:
        """In these cells only what is fixed may be worked."""
        k = self.fixed[e, d]
        self.cost[e, d] = NEVER
        self.cost[e, d, k] = self.state.wish[e, d, k] - REWARD

    def _pace(self, took: float, left: float) -> None:
        """The share of the remaining time that a batch takes, from the last few; the first, which sets up, is none."""
        if self.batches == 1:
            self.took = took
        elif self.batches:
            self.took += 0.3 * (took - self.took)
        self.batches += 1
        self.hurry = self.took / max(left, 1e-3)

    def _weigh(self, value: float) -> None:
        """Larger steps while they cost nothing, smaller ones once they do."""
        rise = (value - self.value) / max(1.0, abs(value))
        self.step *= 1.5 if rise < tuning.FLAT else 0.6 if rise > tuning.STEEP else 1.0
        self.value = value

    def _number(self, rest: int) -> int:
        """How many of the remaining cells to fix now: the fewest that pay where time allows, else a step."""
        finest = max(2.0, self.grain * tuning.FINEST * int((self.whole < 0).sum()) * self.state.tables.H)
        even = rest * self.hurry
        if even <= finest:
            return int(finest)
        self.step = float(np.clip(self.step, max(finest, even / 3), max(finest, even, rest / 5)))
        return int(self.step)

    def _price(
        self, value: float, prices: "Floats", people: "Floats", budget: "Budget"
    ) -> "tuple[float, Floats, Floats]":
        state, t = self.state, self.state.tables
        still = 0
        for _ in range(tuning.ROUNDS if self.hurry < tuning.BEHIND else tuning.ROUNDS // 4):
            if budget.left <= 0:
                break
            numbers, shares = self.master.shares()
            _, weight = self._heaviest(numbers, shares)
            asked = np.flatnonzero((self.whole < 0) & ((weight < tuning.DECIDED) | (state.rng.random(t.E) < 0.3)))
            if not len(asked):
                break
            if not self._improve(asked, prices, people):
                break
            before = value
            value, prices, people = self.master.solve()
            still = still + 1 if before - value < 1e-4 * abs(before) else 0
            if still == tuning.STILL:
                break
        return value, prices, people

    def _improve(self, asked: "Ints", prices: "Floats", people: "Floats") -> int:
        """Columns of those asked about that improve the master; how many are new to it."""
        state, t = self.state, self.state.tables
        earned = REWARD * (self.fixed[asked] >= 0).sum(axis=1)
        at_most = people[asked] - t.unmet[asked] - earned - 1e-6
        priced = state.pricer.price(self.cost - prices, asked, at_most, quick=True)
        good = np.flatnonzero(priced.lawful & (priced.least < at_most))
        numbers = [state.columns.add(int(asked[i]), priced.grid[i])[0] for i in good.tolist()]
        return self.master.add(improving(state, [n for n in numbers if self._fits(n)], prices, people))

    def _fits(self, n: int) -> bool:
        """Whether a column has every fixed cell of its owner."""
        fixed = self.fixed[self.state.columns.owner[n]]
        return bool((self.state.columns.grid[n][fixed >= 0] == fixed[fixed >= 0]).all())

    def _heaviest(self, numbers: "Ints", shares: "Floats") -> "tuple[Ints, Floats]":
        """Each person's column with the largest share, and the share."""
        t = self.state.tables
        owner = self.state.columns.owner[numbers]
        order = np.argsort(shares, kind="stable")
        heaviest, weight = np.full(t.E, -1), np.zeros(t.E)
        heaviest[owner[order]], weight[owner[order]] = numbers[order], shares[order]
        for e in np.flatnonzero(heaviest < 0).tolist():  # the master has rounded all of them away
            heaviest[e] = next(n for n in self.master.within if self.state.columns.owner[n] == e and self._fits(n))
        return heaviest, weight

    def _fix(self, numbers: "Ints", shares: "Floats", heaviest: "Ints", weight: "Floats") -> None:
        state, t = self.state, self.state.tables
        x = np.zeros((t.E, t.H, t.K + 1))
        rows = state.columns.grid[numbers]
        np.add.at(x, (state.columns.owner[numbers][:, None], np.arange(t.H)[None, :], rows), shares[:, None])
        patterns = state.columns.grid[heaviest]
        e, d = np.nonzero((patterns >= 0) & (self.fixed < 0) & (self.whole < 0)[:, None])
        if not len(e):
            self._fix_people(heaviest, weight)
            return
        k = patterns[e, d]
        share = x[e, d, k]
        liked = share + self.noise * state.rng.random(len(e)) * (share < tuning.DECIDED)
        order = np.argsort(self.avoided[e, d, k] * (share < tuning.DECIDED) - liked, kind="stable")
        sure = int((share >= tuning.DECIDED).sum())
        near = int(((share >= 0.9) & (share < tuning.DECIDED)).sum())
        most = self._number(len(e) - sure)
        least = max(2, most // 3)
        chosen = order[: sure + min(most, max(least, near))] if sure < len(order) else order
        self.fixed[e[chosen], d[chosen]] = k[chosen]
        self._bind(e[chosen], d[chosen])
        self._close(np.unique(e[chosen]))
        if sure == len(order):
            self._fix_people(heaviest, weight)

    def _fix_people(self, heaviest: "Ints", weight: "Floats") -> None:
        """Give the most decided of the undecided the heaviest pattern, rest days and all."""
        open_ = np.flatnonzero((self.whole < 0) & (weight < tuning.DECIDED))
        if not len(open_):
            return
        number = max(1, int(1.5 * len(open_) * self.hurry))
        chosen = open_[np.argsort(-weight[open_], kind="stable")[:number]]
        self.whole[chosen] = heaviest[chosen]
        self.fixed[chosen] = self.state.columns.grid[heaviest[chosen]]
        self._close(chosen)

    def _close(self, people: "Ints") -> None:
        """Close the columns of these people that lack a fixed cell."""
        columns = self.state.columns
        within = np.array(self.master.within, dtype=int)
        at = np.flatnonzero(np.isin(columns.owner[within], people))
        numbers = within[at]
        fixed = self.fixed[columns.owner[numbers]]
        lacking = ((columns.grid[numbers] != fixed) & (fixed >= 0)).any(axis=1)
        decided = self.whole[columns.owner[numbers]]
        lacking |= (decided >= 0) & (decided != numbers)
        self.master.close(at[lacking].tolist())

    def _complete(self, heaviest: "Ints", weight: "Floats") -> "Grid":
        """The decided as they are, the others each their cheapest pattern against what is left."""
        state, t = self.state, self.state.tables
        grid = state.columns.grid[heaviest].copy()
        open_ = np.flatnonzero(weight < tuning.DECIDED)
        counts = t.cells(np.delete(grid, open_, axis=0))
        for e in open_[np.argsort(-weight[open_])].tolist():
            row = state.pattern(e, self.cost[e] + state.marginal(counts))
            if row is not None:
                grid[e] = row
            cells = np.flatnonzero(grid[e] >= 0)
            counts[cells, grid[e, cells]] += 1
        return grid
