"""The cheapest whole pattern of each person: a dynamic program over stints, all people of a contract at once.

``A[d]``: rest is complete and day d may start a stint; ``B[d]``: a stint ended on day d - 1. Both are indexed by units
of work, weekends worked, one counter for each counted shift, and the person. Stints are parted by a day of rest at
least, so that no weekend belongs to two of them and weekends add up. Only states from which the person's limits can
still be met are kept: a band of units for each day.
"""

from typing import TYPE_CHECKING

import numpy as np

from packhorse_scheduling.domain.shifts.stints import FORBIDDEN, Contract, Stints

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.edges import Edges
    from packhorse_scheduling.domain.shifts.tables import Floats, Grid, Ints, Tables


class Patterns:
    """The program of one contract for ``size`` people. Buffers and slices are made once; `solve` only computes.

    ``possible``: there are states at all, ``each`` of them for a person; for nobody no more than that is made.
    """

    def __init__(self, tables: "Tables", contract: Contract, size: int) -> None:
        self.H, self.P, self.contract = tables.H, size, contract
        self.stints = Stints(tables, contract, size)
        self.weekend_of = tables.weekend_of
        self.W = contract.most_weekends + 1
        self.counts = tuple(cap + 1 for cap in contract.caps)
        self.C = int(np.prod(self.counts, dtype=int))
        self.touch = self._weekends()
        self._bands()
        self.possible = self.a_band[0] is not None
        self.states = 0
        self.each = self.C * sum((band[1] - band[0] + 1) * (band[2] + 1) for band in self.a_band if band)
        if self.possible and size:
            self._layout()
            self._plan()
            self._combos()
            self.states = self.a_flat.size + self.b_flat.size + 2 * self.stints.flat.size

    def _weekends(self) -> "Ints":
        """[start, length]: how many weekends a stint touches."""
        found = np.zeros((self.H + 1, self.stints.longest + 1), dtype=int)
        for start in range(self.H):
            for length in range(1, min(self.stints.longest, self.H - start) + 1):
                days = self.weekend_of[start : start + length]
                found[start, length] = len(set(days[days >= 0].tolist()))
        return found

    def _lengths(self, start: int) -> list[int]:
        """Lengths that a stint from this day may have."""
        least = self.contract.least_run
        return [
            length
            for length in range(1, self.stints.longest + 1)
            if start + length <= self.H and (length >= least or start == 0 or start + length == self.H)
        ]

    def _bands(self) -> None:
        """For each day, which units can be reached and still lead to the limits: bit sets, by weekends worked."""
        days, wide, rest = self.H, self.W, self.contract.least_rest
        units = [sorted({sig[0] for sig in sigs}) for sigs in self.stints.sigs]
        full = (1 << (self.contract.high + 1)) - 1
        final = full & ~((1 << self.contract.low) - 1)
        a = [[0] * wide for _ in range(days + 1)]
        b = [[0] * wide for _ in range(days + 1)]
        a[0][0] = 1
        lines = [self._line(d) & full for d in range(days + 1)]
        for d in range(1, days + 1):
            for w in range(wide):
                a[d][w] = (a[d - 1][w] | (b[d - rest][w] if d >= rest else 0)) & lines[d]
            for length in range(1, min(self.stints.longest, d) + 1):
                s = d - length
                if length not in self._lengths(s):
                    continue
                touched = self.touch[s, length]
                for w in range(touched, wide):
                    for u in units[length]:
                        b[d][w] |= (a[s][w - touched] << u) & lines[d]
        ga = [[0] * wide for _ in range(days + 1)]
        gb = [[0] * wide for _ in range(days + 1)]
        for d in range(days, -1, -1):
            for w in range(wide):
                gb[d][w] = final if d > days - rest else ga[d + rest][w]
                ga[d][w] = final if d == days else ga[d + 1][w]
            for length in self._lengths(d):
                touched = self.touch[d, length]
                for w in range(wide - touched):
                    for u in units[length]:
                        ga[d][w] |= gb[d + length][w + touched] >> u
        self.a_band = [_band([x & y for x, y in zip(a[d], ga[d], strict=True)]) for d in range(days + 1)]
        self.b_band = [_band([x & y for x, y in zip(b[d], gb[d], strict=True)]) for d in range(days + 1)]

    def _line(self, day: int) -> int:
        """The units allowed by this day: all, or those near an even pace from none to the limits."""
        if not self.contract.slack:
            return -1
        low = max(0, self.contract.low * day // self.H - self.contract.slack)
        high = self.contract.high * day // self.H + self.contract.slack
        return ((1 << (high + 1)) - 1) & ~((1 << low) - 1)

    def _layout(self) -> None:
        def laid(bands: "list[tuple[int, int, int] | None]") -> "tuple[Floats, list[Floats | None], Ints]":
            where = np.zeros((self.H + 1, 4), dtype=int)  # first unit, units, weekends, offset
            at = 0
            for d, band in enumerate(bands):
                if band:
                    where[d] = band[0], band[1] - band[0] + 1, band[2] + 1, at
                    at += where[d, 1] * where[d, 2] * self.C * self.P
            flat = np.empty(at)
            views: list[Floats | None] = [
                flat[o : o + n * w * self.C * self.P].reshape(n, w, *self.counts, self.P) if n else None
                for _, n, w, o in where
            ]
            return flat, views, where

        self.a_flat, self.a, self.a_at = laid(self.a_band)
        self.b_flat, self.b, self.b_at = laid(self.b_band)

    def _plan(self) -> None:
        """For each day: what is added from where to where."""
        size = max((view.size for view in self.b if view is not None), default=0)
        scratch = np.empty(size)
        self.days: list[tuple[list[tuple[Floats, Floats, Floats, Floats]], list[tuple[Floats, Floats]]]] = []
        for d in range(1, self.H + 1):
            adds = []
            target = self.b[d]
            for length in range(1, min(self.stints.longest, d) + 1):
                s = d - length
                source = self.a[s]
                if target is None or source is None or length not in self._lengths(s):
                    continue
                touched = int(self.touch[s, length])
                for index, sig in enumerate(self.stints.sigs[length]):
                    views = _overlap(source, self.a_at[s], target, self.b_at[d], sig[0], touched, sig[1:])
                    if views:
                        room = scratch[: views[0].size].reshape(views[0].shape)
                        adds.append((views[0], self.stints.cost[length][index, s], room, views[1]))
            copies = []
            here = self.a[d]
            if here is not None:
                sources = [(self.a[d - 1], self.a_at[d - 1])]
                if d >= self.contract.least_rest:
                    before = d - self.contract.least_rest
                    sources.append((self.b[before], self.b_at[before]))
                for source, at in sources:
                    views = (
                        None
                        if source is None
                        else _overlap(source, at, here, self.a_at[d], 0, 0, (0,) * len(self.counts))
                    )
                    if views:
                        copies.append(views)
            self.days.append((adds, copies))

    def _combos(self) -> None:
        """Every length and signature in one list, for the way back."""
        rows = [
            (length, s, *sig)
            for length in range(1, self.stints.longest + 1)
            for s, sig in enumerate(self.stints.sigs[length])
        ]
        table = np.array(rows, dtype=int).reshape(len(rows), 3 + len(self.counts))
        self.c_length, self.c_sig, self.c_units, self.c_counts = table[:, 0], table[:, 1], table[:, 2], table[:, 3:]
        offset = np.array(self.stints.offset)
        self.c_at = offset[self.c_length] + self.c_sig * (self.H - self.c_length + 1) * self.P
        stride, strides = 1, []
        for n in reversed(self.counts):
            strides.append(stride)
            stride *= n
        self.count_stride = np.array(strides[::-1], dtype=int)

    def solve(
        self, day_cost: "Floats", low: "Ints", high: "Ints", weekends: "Ints", edges: "Edges | None" = None
    ) -> "tuple[Floats, Grid]":
        """The least cost of each person and a pattern that has it, from ``day_cost[K, H, P]``.

        ``low``, ``high`` and ``weekends`` are each person's own totals, within those of the contract.
        A cost of half of FORBIDDEN or more means that there is no pattern.
        """
        self.stints.fill(day_cost, None if edges is None else edges.stints)
        self.a_flat.fill(FORBIDDEN)
        self.b_flat.fill(FORBIDDEN)
        start = self.a[0]
        if start is not None:
            start[(0,) * (start.ndim - 1)] = 0
        for d, (adds, copies) in enumerate(self.days, start=1):
            for source, cost, room, target in adds:
                np.add(source, cost, out=room)
                np.minimum(target, room, out=target)
            for source, target in copies:
                np.minimum(target, source, out=target)
            here = self.a[1]
            if d == 1 and edges is not None and here is not None and not self.a_at[1, 0]:
                here[(0,) * (here.ndim - 1)] += edges.rest
        return self._back(low, high, weekends, edges)

    def _back(self, low: "Ints", high: "Ints", most: "Ints", edges: "Edges | None") -> "tuple[Floats, Grid]":
        last, size = self.H, self.P
        best = np.full(size, np.inf)
        day, units, weekends, counts = (np.zeros(size, dtype=int) for _ in range(4))
        rested = np.zeros(size, dtype=bool)
        ends = [(self.a[last], self.a_at[last], last, True)]
        ends += [
            (self.b[d], self.b_at[d], d, False) for d in range(max(1, last - self.contract.least_rest + 1), last + 1)
        ]
        for view, at, d, rest in ends:
            if view is None:
                continue
            total, weekend = at[0] + np.arange(at[1])[:, None], np.arange(at[2])[:, None]
            barred = ((total < low) | (total > high))[:, None] | (weekend > most)[None]
            flat = np.where(barred[:, :, None], np.inf, view.reshape(at[1], at[2], self.C, size)).reshape(-1, size)
            where = flat.argmin(axis=0)
            value = flat[where, np.arange(size)]
            if edges is not None:
                value = value + (edges.rested if rest else edges.ended[d])
            better = value < best
            best = np.where(better, value, best)
            state, c = np.divmod(where, self.C)
            u, w = np.divmod(state, at[2])
            day[better], rested[better] = d, rest
            units[better], weekends[better], counts[better] = (u + at[0])[better], w[better], c[better]
        grid = np.full((size, last), -1, dtype=np.int8)
        alive = np.flatnonzero(best < FORBIDDEN / 2)
        found: list[list[Ints]] = [[], [], [], []]
        while len(alive):
            alive = self._to_end(alive, day, units, weekends, counts, rested)
            if not len(alive):
                break
            length, sig = self._last_stint(alive, day, units, weekends, counts)
            for part, values in zip(found, (alive, day[alive], length, sig), strict=True):
                part.append(values)
            rested[alive] = True
        if found[0]:
            people, starts, lengths, sigs = (np.concatenate(part) for part in found)
            self.stints.shifts_of(people, starts, lengths, sigs, grid)
        return best, grid

    def _to_end(
        self, alive: "Ints", day: "Ints", units: "Ints", weekends: "Ints", counts: "Ints", rested: "Grid"
    ) -> "Ints":
        """Move those at rest back to the end of the stint before; who has none is done."""
        alive = alive[~(rested[alive] & (units[alive] == 0))]
        at = alive[rested[alive]]
        if len(at):
            d = np.arange(1, self.H + 1)
            first, n, w, offset = (self.b_at[d, i] for i in range(4))
            u = units[at][:, None] - first
            ok = (u >= 0) & (u < n) & (weekends[at][:, None] < w) & (d <= day[at][:, None] - self.contract.least_rest)
            index = offset + ((u * w + weekends[at][:, None]) * self.C + counts[at][:, None]) * self.P + at[:, None]
            value = np.where(ok, self.b_flat[np.where(ok, index, 0)], np.inf)
            day[at] = d[value.argmin(axis=1)]
            rested[at] = False
        return alive

    def _last_stint(
        self, at: "Ints", day: "Ints", units: "Ints", weekends: "Ints", counts: "Ints"
    ) -> "tuple[Ints, Ints]":
        """The stint that ended here: moves the states to its first day, and gives length and signature."""
        start = day[at][:, None] - self.c_length
        ok = start >= 0
        start = np.maximum(start, 0)
        first, n, w, offset = (self.a_at[start, i] for i in range(4))
        u = units[at][:, None] - self.c_units - first
        wk = weekends[at][:, None] - self.touch[start, self.c_length]
        ok &= (u >= 0) & (u < n) & (wk >= 0) & (wk < w)
        c = counts[at][:, None]
        for i, stride in enumerate(self.count_stride):
            ok &= (c // stride) % self.counts[i] >= self.c_counts[:, i]
        if len(self.counts):
            c = c - self.c_counts @ self.count_stride
        index = offset + ((u * w + wk) * self.C + c) * self.P + at[:, None]
        cost_at = self.c_at + start * self.P + at[:, None]
        value = np.where(ok, self.a_flat[np.where(ok, index, 0)] + self.stints.flat[np.where(ok, cost_at, 0)], np.inf)
        chosen = value.argmin(axis=1)
        rows = np.arange(len(at))
        units[at] -= self.c_units[chosen]
        weekends[at] = wk[rows, chosen]
        if len(self.counts):
            counts[at] = c[rows, chosen]
        day[at] = start[rows, chosen]
        return self.c_length[chosen], self.c_sig[chosen]


def _band(sets: list[int]) -> tuple[int, int, int] | None:
    """First and last unit of bit sets by weekends, and the most weekends; None where all are empty."""
    every = 0
    for bits in sets:
        every |= bits
    if not every:
        return None
    return (every & -every).bit_length() - 1, every.bit_length() - 1, max(w for w, bits in enumerate(sets) if bits)


def _overlap(
    source: "Floats",
    source_at: "Ints",
    target: "Floats",
    target_at: "Ints",
    units: int,
    weekends: int,
    counts: tuple[int, ...],
) -> "tuple[Floats, Floats] | None":
    """The part of source whose states, with these added, lie in target, and that part of target."""
    low = max(int(source_at[0]), int(target_at[0]) - units)
    high = min(int(source_at[0] + source_at[1]), int(target_at[0] + target_at[1]) - units)
    most = min(int(source_at[2]), int(target_at[2]) - weekends)
    if low >= high or most <= 0:
        return None
    here: list[slice] = [slice(low - int(source_at[0]), high - int(source_at[0])), slice(0, most)]
    there: list[slice] = [
        slice(low + units - int(target_at[0]), high + units - int(target_at[0])),
        slice(weekends, weekends + most),
    ]
    for n, size in zip(counts, source.shape[2:-1], strict=True):
        if n >= size:
            return None
        here.append(slice(0, size - n))
        there.append(slice(n, size))
    return source[tuple(here)], target[tuple(there)]
