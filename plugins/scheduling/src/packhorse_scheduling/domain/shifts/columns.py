"""Patterns that were found, each once: whose, what the requests cost, and which day has which shift."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.tables import Floats, Grid, Ints, Tables


class Columns:
    """A growing table of lawful patterns. A column is known by its number, in order of arrival."""

    def __init__(self, tables: "Tables") -> None:
        self.tables = tables
        self.count = 0
        self._grid = np.full((256, tables.H), -1, dtype=np.int8)
        self._cost = np.zeros(256)
        self._owner = np.zeros(256, dtype=int)
        self._seen: dict[tuple[int, bytes], int] = {}
        self._days = np.arange(tables.H)

    @property
    def grid(self) -> "Grid":
        """[n, H]: the patterns."""
        return self._grid[: self.count]

    @property
    def cost(self) -> "Floats":
        """[n]: cost of the owner's requests."""
        return self._cost[: self.count]

    @property
    def owner(self) -> "Ints":
        """[n]: whose pattern it is."""
        return self._owner[: self.count]

    def add(self, e: int, row: "Grid") -> tuple[int, bool]:
        """The number of this pattern of e, and whether it is new."""
        key = e, row.tobytes()
        found = self._seen.get(key)
        if found is not None:
            return found, False
        if self.count == len(self._cost):
            self._grid = np.concatenate([self._grid, np.full_like(self._grid, -1)])
            self._cost = np.concatenate([self._cost, np.zeros_like(self._cost)])
            self._owner = np.concatenate([self._owner, np.zeros_like(self._owner)])
        n = self.count
        self._grid[n], self._owner[n], self._cost[n] = row, e, self.tables.requests_cost(e, row)
        self._seen[key] = n
        self.count += 1
        return n, True

    def add_roster(self, grid: "Grid") -> "list[int]":
        """The numbers of everybody's patterns."""
        return [self.add(e, row)[0] for e, row in enumerate(grid)]

    def paid(self, prices: "Floats", of: "Ints | slice" = slice(None)) -> "Floats":
        """Cost less the prices [H, K] that the pattern earns."""
        wide = np.concatenate([prices, np.zeros((len(prices), 1))], axis=1)  # the last one is found by -1, rest
        earned: Floats = wide[self._days, self.grid[of]].sum(axis=1)
        return self.cost[of] - earned
