"""All stints at once: the cheapest way to work l days from each start day, for each length of work and each count.

A stint is a run of work days. This is the inner half of the pricing: `Contract` is what the stints of a group of people
have in common, `Stints` the arrays. P is the number of people priced together.
"""

from functools import lru_cache
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


Step = tuple[int, list[int], list[tuple[int, int]]]
"""A signature, the classes that may precede, and the (signature, class) pairs that come of it."""


@frozen(eq=False)
class _Reachable:
    """Of each length of work: the signatures, which is left when the last day's class is taken away, and how to price.

    ``program``: how the costs of each length but the first come of those of a day less.
    """

    sigs: list[list[tuple[int, ...]]]
    before: "list[Ints]"
    program: list[list[Step]]


@lru_cache(maxsize=256)
def _reachable(step: tuple[tuple[int, ...], ...], follows: bytes, longest: int, caps: tuple[int, ...]) -> _Reachable:
    """From what a day of each class adds to a signature, and which class may follow which: [C, C]."""
    number = len(step)
    may = np.frombuffer(follows, dtype=bool).reshape(number, number)

    def allowed(sig: tuple[int, ...]) -> bool:
        return all(n <= cap for n, cap in zip(sig[1:], caps, strict=True))

    found = _Reachable([[]], [np.zeros((0, number), dtype=int)], [])
    reach: dict[tuple[int, ...], set[int]] = {}
    for c, one in enumerate(step):
        if allowed(one):
            reach.setdefault(one, set()).add(c)
    for length in range(1, longest + 1):
        if length > 1:
            after: dict[tuple[int, ...], set[int]] = {}
            for sig, ends in reach.items():
                for c, one in enumerate(step):
                    target = tuple(a + b for a, b in zip(sig, one, strict=True))
                    if allowed(target) and any(may[b, c] for b in ends):
                        after.setdefault(target, set()).add(c)
            reach = after
        if not reach:
            break
        found.sigs.append(sorted(reach))
        index = {sig: s for s, sig in enumerate(found.sigs[length - 1])} if length > 1 else {}
        before = np.full((len(reach), number), -1, dtype=int)
        for s, sig in enumerate(found.sigs[length]):
            for c in reach[sig]:
                rest = tuple(a - b for a, b in zip(sig, step[c], strict=True))
                before[s, c] = index.get(rest, -1) if length > 1 else 0
        found.before.append(before)
        if length > 1:
            found.program.append(_steps(may, found.before[length - 1], before))
    return found


def _steps(may: "Grid", earlier: "Ints", before: "Ints") -> list[Step]:
    """How the stints of one length come of those of a day less: grouped by the classes that may precede."""
    groups: dict[tuple[int, tuple[int, ...]], list[tuple[int, int]]] = {}
    for s, c in np.argwhere(before >= 0).tolist():
        b = int(before[s, c])
        ends = tuple(np.flatnonzero(may[:, c] & (earlier[b] >= 0)).tolist())
        if ends:
            groups.setdefault((b, ends), []).append((s, c))
    return [(b, list(ends), pairs) for (b, ends), pairs in sorted(groups.items())]


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
        reachable = _reachable(tuple(self.step), self.follows.tobytes(), min(contract.most_run, self.H), contract.caps)
        self.sigs, self.before, self._program = reachable.sigs, reachable.before, reachable.program
        self.longest = len(self.sigs) - 1
        self._buffers()

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

    def fill(self, day_cost: "Floats", extra: "Floats | None" = None) -> None:
        """Compute everything from ``day_cost[K, H, P]`` and what stints cost in addition, ``extra[l, start, p]``."""
        self._cheapest_members(day_cost)
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
            for b, ends, targets in self._program[length - 2]:
                source = before[b]
                if len(ends) == 1:
                    cheapest = source[ends[0], :days]
                else:
                    np.minimum(source[ends[0], :days], source[ends[1], :days], out=least)
                    for end in ends[2:]:
                        np.minimum(least, source[end, :days], out=least)
                    cheapest = least
                for s, c in targets:
                    np.add(cheapest, self.day[c, length - 1 :], out=after[s, c])
        for length in range(1, self.longest + 1):
            np.min(self.value[length], axis=1, out=self.cost[length])
            if length < self.contract.least_run:
                self.cost[length][:, 1 : self.H - length] = FORBIDDEN
            if extra is not None:
                self.cost[length] += extra[length, : self.H - length + 1]
        np.minimum(self.flat, FORBIDDEN, out=self.flat)

    def _cheapest_members(self, day_cost: "Floats") -> None:
        """Of each class, day and person the cheapest shift, and its cost."""
        self.day = np.empty((self.C, self.H, self.P))
        self.member = np.empty((self.C, self.H, self.P), dtype=np.int16)
        for c, members in enumerate(self.classes):
            if len(members) == 1:
                self.day[c], self.member[c] = day_cost[members[0]], members[0]
                continue
            several = day_cost[members]
            best = several.argmin(axis=0)
            self.day[c] = np.take_along_axis(several, best[None], axis=0)[0]
            self.member[c] = np.asarray(members)[best]

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
