"""A bound for long horizons: totals are priced and not counted, so that a person's program has days as its only state.

Every limit over the whole horizon (minutes, weekends, how often a shift) gets a multiplier beside the prices of cover,
and all of them are moved along subgradients (Held, Wolfe and Crowder 1974, with Polyak's step and the deflection of
Camerini, Fratta and Maffioli 1975). For any multipliers the sum of the least costs, with what the limits earn, is a
lower bound of the whole (Lagrangian relaxation).
"""

from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.stints import FORBIDDEN, Contract, Stints

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.budget import Budget
    from packhorse_scheduling.domain.shifts.state import State
    from packhorse_scheduling.domain.shifts.tables import Floats, Grid, Ints, Tables


class _Lengths:
    """What `Stints` reads of tables, with every shift of length 1: the signature of a stint is its number of days."""

    def __init__(self, tables: "Tables") -> None:
        self.H, self.follows = tables.H, tables.follows
        self.units = np.ones(tables.K, dtype=int)


class Runs:
    """The cheapest pattern of people of one contract when only runs of work and of rest are limited."""

    def __init__(self, tables: "Tables", contract: Contract, people: "Ints") -> None:
        self.tables, self.people, self.contract = tables, people, contract
        free = evolve(contract, low=0, high=tables.H, most_weekends=tables.H, counted=(), caps=())
        self.stints = Stints(_Lengths(tables), free, len(people))  # type: ignore[arg-type]
        touch = np.zeros((self.stints.longest + 1, tables.H), dtype=int)
        for length in range(1, self.stints.longest + 1):
            for start in range(tables.H - length + 1):
                days = tables.weekend_of[start : start + length]
                touch[length, start] = len(set(days[days >= 0].tolist()))
        self.touch = touch

    def solve(self, day_cost: "Floats", weekend: "Floats") -> "tuple[Floats, Grid]":
        """Least costs and patterns from ``day_cost[K, H, P]`` and the price of a weekend [P]."""
        horizon, size, rest = self.tables.H, len(self.people), self.contract.least_rest
        if not self.stints.longest:
            return np.zeros(size), np.full((size, horizon), -1, dtype=np.int8)
        self.stints.fill(day_cost)
        costs = [np.zeros((0, size))]
        costs += [
            self.stints.cost[length][0] + self.touch[length, : horizon - length + 1, None] * weekend
            for length in range(1, self.stints.longest + 1)
        ]
        ready = np.zeros((horizon + 1, size))
        ended = np.full((horizon + 1, size), FORBIDDEN)
        how = np.zeros((horizon + 1, size), dtype=int)
        for d in range(1, horizon + 1):
            several = np.array([ready[d - n] + costs[n][d - n] for n in range(1, min(self.stints.longest, d) + 1)])
            how[d] = several.argmin(axis=0) + 1
            ended[d] = several.min(axis=0)
            ready[d] = np.minimum(ready[d - 1], ended[d - rest]) if d >= rest else ready[d - 1]
        last = np.concatenate([ready[horizon:], ended[max(1, horizon - rest + 1) :]])
        best = last.min(axis=0)
        where = last.argmin(axis=0)
        day = np.where(where == 0, horizon, max(1, horizon - rest + 1) + where - 1)
        resting = where == 0
        found: list[list[Ints]] = [[], [], []]
        at = np.arange(size)
        while len(at):
            idle = resting[at] & (day[at] > 0)
            same = idle & (ready[day[at], at] == ready[np.maximum(day[at] - 1, 0), at])
            over = idle & ~same
            day[at[same]] -= 1
            day[at[over]] -= rest
            resting[at[over]] = False
            working = at[~resting[at]]
            length = how[day[working], working]
            day[working] -= length
            resting[working] = True
            for part, values in zip(found, (working, day[working].copy(), length), strict=True):
                part.append(values)
            at = at[day[at] > 0]
        grid = np.full((size, horizon), -1, dtype=np.int8)
        people, starts, lengths = (np.concatenate(part) for part in found)
        self.stints.shifts_of(people, starts, lengths, np.zeros_like(people), grid)
        return best, grid


class Relaxed:
    """The multipliers and the best bound so far."""

    def __init__(self, state: "State") -> None:
        t = state.tables
        self.state = state
        groups: dict[Contract, list[int]] = {}
        for e, contract in enumerate(state.pricer.contracts):
            groups.setdefault(contract, []).append(e)
        self.runs = [Runs(t, contract, np.array(people)) for contract, people in groups.items()]
        self.unit, self.weekend = np.zeros(t.E), np.zeros(t.E)
        self.cap = np.zeros((t.E, t.K))
        self.prices = np.clip(state.prices, -t.over, t.under)
        self.scale = float(t.units.mean())

    def run(self, budget: "Budget") -> None:
        """Move the multipliers until the budget ends; every better bound goes to the state."""
        state, t = self.state, self.state.tables
        best, still, theta = self._start(budget), 0, 1.0
        kept = self._all()
        direction: list[Floats] | None = None
        while budget.left > 0 and theta > 1e-3:
            value, grid = self._value()
            if value > best:
                best, still, kept = value, 0, self._all()
                state.bounded(value)
                state.prices = self.prices.copy()
            else:
                still += 1
                if still >= tuning.HALVED:
                    theta, still, direction = theta / 2, 0, None
                    self.prices, self.unit, self.weekend, self.cap = (part.copy() for part in kept)
                    continue
            gradient = self._gradient(grid)
            direction = (
                gradient if direction is None else [g + 0.7 * d for g, d in zip(gradient, direction, strict=True)]
            )
            size = sum(float((part * part).sum()) for part in direction)
            target = (
                1.05 * max(best, 1.0) + 10
                if state.objective is None
                else min(state.objective, 1.1 * max(best, 1.0) + 100)
            )
            step = theta * max(target - value, 1.0) / max(size, 1e-9)
            self.prices = np.clip(self.prices + step * direction[0], -t.over, t.under)
            self.unit = self.unit + step * direction[1] / self.scale
            self.weekend = np.maximum(0, self.weekend + step * direction[2])
            self.cap = np.maximum(0, self.cap + step * direction[3])

    def _start(self, budget: "Budget") -> float:
        """The best of some even prices, which show at once where people are too few or too many for the work.

        Weekends: a price on their days, and on a weekend what its two days earn. Too much work: the price of one too
        many on the other days, and on a unit of work what it costs.
        """
        t = self.state.tables
        best, chosen = -np.inf, self._all()
        on_weekend = (t.weekend_of >= 0)[:, None]
        for share in tuning.STARTS:
            for over in (0.0, 1.0):
                if budget.left <= 0:
                    break
                self.prices = np.where(on_weekend, share * t.under, -over * t.over)
                self.weekend = np.full(t.E, 2 * share * float(t.under.max()))
                self.unit = np.full(t.E, -over * float(t.over.max()) / self.scale)
                value, _ = self._value()
                if value > best:
                    best, chosen = value, self._all()
                    self.state.bounded(value)
        self.prices, self.unit, self.weekend, self.cap = chosen
        return best

    def _all(self) -> "tuple[Floats, Floats, Floats, Floats]":
        return self.prices.copy(), self.unit.copy(), self.weekend.copy(), self.cap.copy()

    def _value(self) -> "tuple[float, Grid]":
        """The bound at the multipliers, and the patterns that give it."""
        state, t = self.state, self.state.tables
        cost = state.wish - self.prices + (self.unit[:, None] * t.units)[:, None, :] + self.cap[:, None, :]
        value = float((self.prices * t.required).sum() + t.unmet.sum())
        value -= float(np.where(self.unit > 0, self.unit * t.high, self.unit * t.low).sum())
        value -= float((self.weekend * t.most_weekends).sum() + (self.cap * t.cap).sum())
        grid = np.full((t.E, t.H), -1, dtype=np.int8)
        for runs in self.runs:
            at = runs.people
            least, rows = runs.solve(np.ascontiguousarray(cost[at].transpose(2, 1, 0)), self.weekend[at])
            value += float(least.sum())
            grid[at] = rows
        return value, grid

    def _gradient(self, grid: "Grid") -> "list[Floats]":
        t = self.state.tables
        worked = np.stack([(grid == k).sum(axis=1) for k in range(t.K)], axis=1)
        units = worked @ t.units
        limit = np.where(self.unit > 0, t.high, np.where(self.unit < 0, t.low, np.clip(units, t.low, t.high)))
        weekends = np.array([len({w for w in t.weekend_of[row >= 0].tolist() if w >= 0}) for row in grid], dtype=float)
        cover = t.required - t.cells(grid)
        cover = np.where((t.under + t.over) > 0, cover, 0)
        over = worked - t.cap
        return [
            cover,
            (units - limit) / self.scale,
            np.where((self.weekend > 0) | (weekends > t.most_weekends), weekends - t.most_weekends, 0.0),
            np.where((self.cap > 0) | (over > 0), over, 0).astype(float),
        ]
