"""Pricing: the cheapest lawful pattern of each person under given prices, and a bound that holds when it is not found.

Limits on how often a shift is worked are counted only for people whose patterns break them (decremental state space).
Where counters would multiply to more than `Pricer.limit` states, a limit is priced instead: a multiplier on the shift,
raised until the pattern keeps it. The value less multiplier times limit stays a lower bound of that person's cost.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, frozen

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.patterns import Patterns
from packhorse_scheduling.domain.shifts.stints import FORBIDDEN, Contract

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.tables import Floats, Grid, Ints, Tables

POWERS = tuple(1 << i for i in range(10))


@frozen(eq=False)
class Priced:
    """Of each person asked about, in order: a lower bound of the cost, a pattern, and whether it keeps every limit."""

    least: "Floats"
    grid: "Grid"
    lawful: "Grid"


class Pricer:
    """Prices people of one problem. What it has learned of binding limits stays from call to call."""

    def __init__(self, tables: "Tables") -> None:
        self.tables = tables
        # beyond a quarter of a year the states of all paces are too many: a week of work to each side is kept
        self.slack = 5 * int(tables.units.max()) if tables.H > tuning.LONG else 0
        self.limit = tuning.LIMITS[0] if tables.large else tuning.LIMITS[1]
        self.counted: list[tuple[int, ...]] = [()] * tables.E
        self.multiplier = np.zeros((tables.E, tables.K))
        self.guide = np.zeros((tables.E, tables.K))
        """The last multipliers of limits that are counted since."""
        self.soft: set[tuple[int, int]] = set()
        self.contracts = [self._contract(e) for e in range(tables.E)]
        self._programs: dict[tuple[Contract, int], Patterns] = {}
        self._largest: dict[Contract, int] = {}

    def _contract(self, e: int) -> Contract:
        t = self.tables
        alike = t.group == t.group[e]
        shifts = tuple(int(k) for k in np.flatnonzero((t.cap[alike] > 0).any(axis=0)))
        return Contract(
            int(t.least_rest[e]),
            int(t.least_run[alike].min()),
            int(t.most_run[alike].max()),
            int(t.low[alike].min()),
            int(t.high[alike].max()),
            min(int(t.most_weekends[alike].max()), t.H // 7 + 1),
            shifts,
            slack=self.slack,
        )

    def price(self, cost: "Floats", people: "Ints", at_most: "Floats | None" = None, *, quick: bool = False) -> Priced:
        """The cheapest patterns under ``cost[E, H, K]``, in which what is banned costs FORBIDDEN.

        ``at_most`` are values above which a person's pattern is of no use: theirs may then break a limit, and only the
        bound holds. ``quick``: a lawful pattern that earlier multipliers give will do, if it is not the cheapest.
        """
        quick = quick and bool(self.guide.any())
        least, grid = self._priced(cost, people, guided=quick)
        lawful = np.ones(len(people), dtype=bool)
        open_ = np.arange(len(people))
        if at_most is not None:
            open_ = np.flatnonzero(least < at_most - 1e-7)
            lawful[:] = False
            lawful[open_] = True
        open_ = self._breaking(people, grid, open_)
        for attempt in range(tuning.COUNTED + tuning.STEERED * quick):
            if not len(open_):
                break
            guided = quick and attempt < tuning.STEERED
            if guided:
                self._steer(people[open_], grid[open_])
            else:
                self._learn(people[open_], grid[open_])
            again, grid[open_] = self._priced(cost, people[open_], guided=guided, counted=not guided)
            least[open_] = np.maximum(least[open_], again)
            open_ = self._breaking(people, grid, open_)
        lawful[open_] = False
        self._ease(people, grid)
        return Priced(least, grid, lawful)

    def _priced(self, cost: "Floats", people: "Ints", *, guided: bool, counted: bool = False) -> "tuple[Floats, Grid]":
        """Bounds and patterns with multipliers for what is priced, and with guides for what else would be counted."""
        multiplier = self.multiplier + self.guide if guided else self.multiplier
        softened = cost + multiplier[:, None, :] if guided or self.soft else cost
        counts = tuple(self.counted[e] for e in people) if counted else ()
        least, grid = self._run(softened, people, counts)
        return least - (multiplier[people] * self.tables.cap[people]).sum(axis=1), grid

    def _steer(self, people: "Ints", grid: "Grid") -> None:
        """Raise the guides of limits that these patterns break."""
        over = self._counts(grid) > self.tables.cap[people]
        for k in np.flatnonzero(over.any(axis=0)).tolist():
            others = self.guide[:, k]
            like = float(np.median(others[others > 0])) if (others > 0).any() else 4.0
            at = people[over[:, k]]
            self.guide[at, k] = np.clip(np.maximum(1.7 * self.guide[at, k], like), 1.0, tuning.HIGHEST)

    def _breaking(self, people: "Ints", grid: "Grid", among: "Ints") -> "Ints":
        """Of these, who works some shift too often."""
        if not len(among):
            return among
        over = self._counts(grid[among]) > self.tables.cap[people[among]]
        return among[over.any(axis=1)]

    def _counts(self, grid: "Grid") -> "Ints":
        return np.stack([(grid == k).sum(axis=1) for k in range(self.tables.K)], axis=1)

    def _learn(self, people: "Ints", grid: "Grid") -> None:
        """Count, or price, what these patterns work too often."""
        over = self._counts(grid) - self.tables.cap[people]
        for i, e in enumerate(people.tolist()):
            for k in np.flatnonzero(over[i] > 0).tolist():
                counted = self.counted[e]
                if k in counted:
                    continue
                caps = self.tables.cap[e]
                if np.prod([caps[j] + 1 for j in (*counted, k)]) <= self.limit:
                    self.counted[e] = tuple(sorted((*counted, k)))
                    self.multiplier[e, k] = 0
                    self.soft.discard((e, k))
                else:
                    self.soft.add((e, k))
                    others = self.multiplier[:, k]
                    like = float(np.median(others[others > 0])) if (others > 0).any() else 4.0
                    self.multiplier[e, k] = max(1.0, self.multiplier[e, k] * 1.7, min(like, tuning.HIGHEST))

    def _ease(self, people: "Ints", grid: "Grid") -> None:
        """Lower the multipliers of limits that are kept with room to spare: the bound is best where they just hold."""
        spare = self._counts(grid) < self.tables.cap[people]
        self.multiplier[people] *= np.where(spare, 0.85, 1.0)
        self.guide[people] *= np.where(spare, 0.85, 1.0)

    def harden(self, limit: int) -> None:
        """Let counters multiply to more states, and count what was priced until now where that fits."""
        self.limit = limit
        for e, k in sorted(self.soft, key=lambda at: -self.multiplier[at]):
            caps = self.tables.cap[e]
            if np.prod([caps[j] + 1 for j in (*self.counted[e], k)]) <= limit:
                self.counted[e] = tuple(sorted((*self.counted[e], k)))
                self.guide[e, k] = self.multiplier[e, k]
                self.multiplier[e, k] = 0
                self.soft.discard((e, k))

    def _run(self, cost: "Floats", people: "Ints", counted: Sequence[tuple[int, ...]]) -> "tuple[Floats, Grid]":
        t = self.tables
        least = np.full(len(people), np.inf)
        grid = np.full((len(people), t.H), -1, dtype=np.int8)
        groups: dict[Contract, list[int]] = {}
        for i, e in enumerate(people.tolist()):
            contract = self.contracts[e]
            if counted and counted[i]:
                contract = evolve(contract, counted=counted[i], caps=tuple(int(t.cap[e, k]) for k in counted[i]))
            groups.setdefault(contract, []).append(i)
        for contract, members in groups.items():
            most = self._most(contract, len(members))
            for first in range(0, len(members), most):
                at = np.array(members[first : first + most])
                program = self._program(contract, len(at))
                if not program.possible:
                    continue
                asked = np.full(program.P, at[0])
                asked[: len(at)] = at
                who = people[asked]
                ends = t.low[who], t.high[who], t.most_weekends[who], t.edges.of(who) if t.edges else None
                value, rows = program.solve(np.ascontiguousarray(cost[who].transpose(2, 1, 0)), *ends)
                least[at], grid[at] = value[: len(at)], rows[: len(at)]
        return least, grid

    def _most(self, contract: Contract, wanted: int) -> int:
        """How many people fit into one table."""
        if contract not in self._largest:
            each = Patterns(self.tables, contract, 0).each
            fitting = [size for size in (POWERS if contract.counted else tuning.SIZES) if size * each <= tuning.TABLE]
            self._largest[contract] = fitting[-1] if fitting else 1
        return min(self._largest[contract], max(wanted, 1))

    def _program(self, contract: Contract, wanted: int) -> Patterns:
        if self.tables.edges:  # a window's tables are small: to make one takes longest
            least = tuning.FEW if contract.counted else self.contracts.count(contract)
            wanted = min(self._largest[contract], max(wanted, least))
        size = next(size for size in (POWERS if contract.counted else tuning.SIZES) if size >= wanted)
        if not contract.counted:
            size = wanted if size > wanted and (contract, wanted) in self._programs else size
        key = contract, size
        found = self._programs.pop(key, None)
        if found is None:
            found = Patterns(self.tables, contract, size)
            while len(self._programs) and sum(one.states for one in self._programs.values()) > tuning.KEPT:
                del self._programs[next(iter(self._programs))]
        self._programs[key] = found  # the one used last stands last
        return found


def impossible(least: "Floats") -> "Ints":
    """Who has no lawful pattern at all."""
    return np.flatnonzero(least >= FORBIDDEN / 2)
