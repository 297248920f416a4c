"""All stints at once: the cheapest way to work l days from each start day, for each length of work and each count.

A stint is a run of work days. This is the inner half of the pricing: `Contract` is what the stints of a group of people
have in common, `Stints` the arrays. P is the number of people priced together.
"""

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.tables import Floats, Grid, Ints, Tables

FORBIDDEN = 1e7
"""As `tables.NEVER`: a path that costs half of it or more does not exist."""


@frozen
class Contract:
    """The limits that a group of people share; lengths of work are in units of the problem's tables.

    ``counted`` are shifts whose limit is kept by a counter, with ``caps`` the limits. With ``slack`` above 0 only
    patterns are looked at whose units stay so near to an even pace: good ones, and no bound.
    """

    least_rest: int
    least_run: int
    most_run: int
    low: int
    high: int
    most_weekends: int
    shifts: tuple[int, ...]
    counted: tuple[int, ...] = ()
    caps: tuple[int, ...] = ()
    slack: int = 0


def classes_of(tables: "Tables", contract: Contract) -> list[list[int]]:
    """Shifts that the limits cannot tell apart: the same length, the same shifts before and after, not counted."""
    found: dict[object, list[int]] = {}
    for k in contract.shifts:
        key: object = (
            ("counted", k)
            if k in contract.counted
            else (int(tables.units[k]), tables.follows[k].tobytes(), tables.follows[:, k].tobytes())
        )
        found.setdefault(key, []).append(k)
    return list(found.values())


class Stints:
    """``cost[l][s, start, p]``: the cheapest stint of l days with signature s (units and counts) from a start day."""

    def __init__(self, tables: "Tables", contract: Contract, size: int) -> None:
        self.H, self.P = tables.H, size
        self.contract = contract
        self.classes = classes_of(tables, contract)
        self.C = len(self.classes)
        heads = [members[0] for members in self.classes]
        self.follows = tables.follows[np.ix_(heads, heads)]
        self.step = [(int(tables.units[k]), *(int(k == counted) for counted in contract.counted)) for k in heads]
        self.longest = min(contract.most_run, self.H)
        self._signatures()
        self._buffers()

    def _signatures(self) -> None:
        """Reachable signatures of each length, and which one is left when the last day's class is taken away."""
        self.sigs: list[list[tuple[int, ...]]] = [[]]
        self.before: list[Ints] = [np.zeros((0, self.C), dtype=int)]
        reach: dict[tuple[int, ...], set[int]] = {}
        for c, step in enumerate(self.step):
            if self._allowed(step):
                reach.setdefault(step, set()).add(c)
        for length in range(1, self.longest + 1):
            if length > 1:
                after: dict[tuple[int, ...], set[int]] = {}
                for sig, ends in reach.items():
                    for c, step in enumerate(self.step):
                        target = tuple(a + b for a, b in zip(sig, step, strict=True))
                        if self._allowed(target) and any(self.follows[b, c] for b in ends):
                            after.setdefault(target, set()).add(c)
                reach = after
            if not reach:
                self.longest = length - 1
                break
            self.sigs.append(sorted(reach))
            index = {sig: s for s, sig in enumerate(self.sigs[length - 1])} if length > 1 else {}
            before = np.full((len(reach), self.C), -1, dtype=int)
            for s, sig in enumerate(self.sigs[length]):
                for c in reach[sig]:
                    rest = tuple(a - b for a, b in zip(sig, self.step[c], strict=True))
                    before[s, c] = index.get(rest, -1) if length > 1 else 0
            self.before.append(before)

    def _allowed(self, sig: tuple[int, ...]) -> bool:
        return sig[0] <= self.contract.high and all(
            n <= cap for n, cap in zip(sig[1:], self.contract.caps, strict=True)
        )

    def _buffers(self) -> None:
        size = self.P
        self.value: list[Floats] = [np.zeros(0)]
        self.cost: list[Floats] = [np.zeros(0)]
        self.offset = [0]
        total = sum(len(sigs) * (self.H - length + 1) * size for length, sigs in enumerate(self.sigs))
        self.flat = np.full(total, FORBIDDEN)
        at = 0
        for length in range(1, self.longest + 1):
            days = self.H - length + 1
            self.value.append(np.full((len(self.sigs[length]), self.C, days, self.P), FORBIDDEN))
            cells = len(self.sigs[length]) * days * self.P
            self.cost.append(self.flat[at : at + cells].reshape(len(self.sigs[length]), days, self.P))
            self.offset.append(at)
            at += cells
        self._program = [self._steps(length) for length in range(2, self.longest + 1)]

    def _steps(self, length: int) -> list[tuple[int, int, list[int], list[int]]]:
        """For each signature before, the (signature, class) pairs after it: grouped by the classes that may precede."""
        groups: dict[tuple[int, tuple[int, ...]], list[tuple[int, int]]] = {}
        for s in range(len(self.sigs[length])):
            for c in range(self.C):
                b = int(self.before[length][s, c])
                if b >= 0:
                    ends = tuple(e for e in range(self.C) if self.follows[e, c] and self.before[length - 1][b, e] >= 0)
                    if ends:
                        groups.setdefault((b, ends), []).append((s, c))
        return [(b, 0, list(ends), [s * self.C + c for s, c in pairs]) for (b, ends), pairs in sorted(groups.items())]

    def fill(self, day_cost: "Floats") -> None:
        """Compute everything from ``day_cost[K, H, P]``."""
        self.day = np.empty((self.C, self.H, self.P))
        self.member = np.empty((self.C, self.H, self.P), dtype=np.int16)
        for c, members in enumerate(self.classes):
            if len(members) == 1:
                self.day[c] = day_cost[members[0]]
                self.member[c] = members[0]
            else:
                several = day_cost[members]
                best = several.argmin(axis=0)
                self.day[c] = np.take_along_axis(several, best[None], axis=0)[0]
                self.member[c] = np.asarray(members)[best]
        if not self.longest:
            return  # nobody may work at all
        first = self.value[1]
        for s in range(len(self.sigs[1])):
            for c in range(self.C):
                if self.before[1][s, c] >= 0:
                    first[s, c] = self.day[c]
        for length in range(2, self.longest + 1):
            days = self.H - length + 1
            before, after = self.value[length - 1], self.value[length]
            least = np.empty((days, self.P))
            for b, _, ends, targets in self._program[length - 2]:
                source = before[b]
                if len(ends) == 1:
                    cheapest = source[ends[0], :days]
                else:
                    np.minimum(source[ends[0], :days], source[ends[1], :days], out=least)
                    for end in ends[2:]:
                        np.minimum(least, source[end, :days], out=least)
                    cheapest = least
                for target in targets:
                    s, c = divmod(target, self.C)
                    np.add(cheapest, self.day[c, length - 1 :], out=after[s, c])
        for length in range(1, self.longest + 1):
            np.min(self.value[length], axis=1, out=self.cost[length])
            if length < self.contract.least_run:
                self.cost[length][:, 1 : self.H - length] = FORBIDDEN
        np.minimum(self.flat, FORBIDDEN, out=self.flat)

    def shifts_of(self, people: "Ints", starts: "Ints", lengths: "Ints", sigs: "Ints", grid: "Grid") -> None:
        """Write the shifts of these stints into ``grid[P, H]``, from the last day of each to its first."""
        sigs = sigs.copy()
        ends = np.full(len(people), -1)
        for length in range(self.longest, 0, -1):
            at = np.flatnonzero(lengths >= length)
            if not len(at):
                continue
            p, start, s = people[at], starts[at], sigs[at]
            value = self.value[length][s, :, start, p]
            after = ends[at]
            barred = (after >= 0)[:, None] & ~self.follows[:, np.maximum(after, 0)].T
            value = np.where(barred | (self.before[length][s] < 0), np.inf, value)
            c = value.argmin(axis=1)
            day = start + length - 1
            grid[p, day] = self.member[c, day, p]
            sigs[at] = self.before[length][s, c]
            ends[at] = c
