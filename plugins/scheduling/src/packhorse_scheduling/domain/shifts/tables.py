"""A problem as dense arrays: what the engine computes with. E people, H days, K shifts."""

import math
from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.edges import Edges, edges
from packhorse_scheduling.domain.shifts.problem import Problem, Roster

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Grid = NDArray[np.int8]
    """[E, H]: the shift's index, or -1 for rest."""

NEVER = 1e7
"""The cost of what must not be. Far above any objective, far below where float64 loses units."""


class Tables:
    """Arrays of one problem.

    ``wish[e, d, k]`` is what a request adds when e works k on d (negative: a request fulfilled), ``unmet[e]`` what
    fulfilling nobody's wish to work would cost, so that the requests of e cost ``unmet[e]`` plus the wishes worked.
    ``banned`` are cells that a day off or a limit of 0 rules out. ``units[k]`` is the length of a shift over ``unit``
    minutes; ``low`` and ``high`` are a person's limits in units; people of one ``group`` have all limits in common.
    ``follows[k, j]``: j may be worked the day after k. ``large``: the first steps of a search are cheap ones.
    ``edges``: of a window, what the days beside it allow.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        people, shifts = problem.people, problem.shifts
        self.E, self.H, self.K = len(people), problem.days, len(shifts)
        person_of = {person.id: e for e, person in enumerate(people)}
        shift_of = {shift.id: k for k, shift in enumerate(shifts)}
        self.wish = np.zeros((self.E, self.H, self.K))
        self.unmet = np.zeros(self.E)
        for request in problem.requests:
            e = person_of[request.person]
            self.wish[e, request.day, shift_of[request.shift]] += -request.weight if request.wanted else request.weight
            self.unmet[e] += request.weight if request.wanted else 0
        self.required = np.zeros((self.H, self.K))
        self.under = np.zeros((self.H, self.K))
        self.over = np.zeros((self.H, self.K))
        for cover in problem.covers:
            at = cover.day, shift_of[cover.shift]
            self.required[at], self.under[at], self.over[at] = cover.required, cover.under, cover.over
        self.cap = np.array(
            [[min(self.H, person.most_of.get(shift.id, self.H)) for shift in shifts] for person in people], dtype=int
        ).reshape(self.E, self.K)
        self.banned = np.repeat((self.cap == 0)[:, None, :], self.H, axis=1)
        for e, person in enumerate(people):
            self.banned[e, sorted(person.days_off), :] = True
        self.unit = math.gcd(*(shift.minutes for shift in shifts))
        self.units = np.array([shift.minutes // self.unit for shift in shifts], dtype=int)
        self.high = np.array([person.most_minutes // self.unit for person in people], dtype=int)
        self.low = np.array([-(-person.least_minutes // self.unit) for person in people], dtype=int)
        self.most_run = np.array([person.most_run for person in people], dtype=int)
        self.least_run = np.array([person.least_run for person in people], dtype=int)
        self.least_rest = np.array([person.least_rest for person in people], dtype=int)
        self.most_weekends = np.array([person.most_weekends for person in people], dtype=int)
        self.follows = np.array([[b.id not in a.not_next for b in shifts] for a in shifts], dtype=bool)
        days = [d + problem.weekday for d in range(self.H)]
        self.weekend_of = np.array([d // 7 if d % 7 >= 5 else -1 for d in days], dtype=int)
        limits = (self.least_rest, self.least_run, self.most_run, self.low, self.high, self.most_weekends)
        self.group: Ints = np.unique(np.stack(limits, axis=1), axis=0, return_inverse=True)[1].reshape(self.E)
        self.large = problem.cells > tuning.LARGE
        self.edges: Edges | None = None

    def with_weekends(self, first: int, last: int) -> tuple[int, int]:
        """These days, the first and the one after them, with what they lack of weekends that they cut."""
        weekend = self.weekend_of
        while first > 0 and 0 <= weekend[first] == weekend[first - 1]:
            first -= 1
        while last < self.H and 0 <= weekend[last] == weekend[last - 1]:
            last += 1
        return first, last

    def part(self, grid: "Grid", first: int, last: int) -> "Tables":
        """The days from ``first`` to before ``last``, against what this roster has on the others.

        Totals are what those leave of them. The days cut no weekend, and are as many as the
        longest of the least rests, or all.
        """
        cut = copy(self)
        cut.H, cut.large, cut.unmet = last - first, False, np.zeros(self.E)
        others = grid.copy()
        others[:, first:last] = -1
        worked = (others[:, :, None] == np.arange(self.K)).sum(axis=1)
        weekends = [len(set(self.weekend_of[row >= 0].tolist()) - {-1}) for row in others]
        cut.cap = np.maximum(0, self.cap - worked)
        cut.low, cut.high = np.maximum(0, self.low - worked @ self.units), self.high - worked @ self.units
        cut.most_weekends = self.most_weekends - np.array(weekends, dtype=int)
        cut.wish, cut.weekend_of = self.wish[:, first:last], self.weekend_of[first:last]
        cut.required, cut.under, cut.over = (part[first:last] for part in (self.required, self.under, self.over))
        cut.banned = self.banned[:, first:last] | (worked >= self.cap)[:, None]
        if first:
            works = grid[:, first - 1] >= 0
            cut.banned[works, 0] |= ~self.follows[grid[works, first - 1]]
        if last < self.H:
            works = grid[:, last] >= 0
            cut.banned[works, -1] |= ~self.follows[:, grid[works, last]].T
        cut.edges = edges(self, grid, first, last)
        cut.group = self.least_rest  # all else in which limits differ is in the edges
        return cut

    def cells(self, grid: "Grid") -> "Floats":
        """How many work each shift of each day: [H, K]."""
        counts = np.zeros((self.H, self.K))
        _, days = np.nonzero(grid >= 0)
        np.add.at(counts, (days, grid[grid >= 0]), 1)
        return counts

    def requests_cost(self, e: int, row: "Grid") -> float:
        """What the requests of one person cost with this pattern."""
        days = np.nonzero(row >= 0)[0]
        return float(self.unmet[e] + self.wish[e, days, row[days]].sum())

    def cover_cost(self, counts: "Floats") -> "Floats":
        """What too few and too many cost: [H, K]."""
        return self.under * np.maximum(0, self.required - counts) + self.over * np.maximum(0, counts - self.required)

    def objective(self, grid: "Grid") -> int:
        """What the roster costs: requests and cover."""
        requests = sum(self.requests_cost(e, grid[e]) for e in range(self.E))
        return round(requests + float(self.cover_cost(self.cells(grid)).sum()))

    def broken(self, e: int, row: "Grid") -> bool:
        """Whether this pattern breaks a limit of person e."""
        work = row >= 0
        days = np.nonzero(work)[0]
        kinds = row[days]
        if self.banned[e, days, kinds].any() or (np.bincount(kinds, minlength=self.K) > self.cap[e]).any():
            return True
        if not self.low[e] <= self.units[kinds].sum() <= self.high[e]:
            return True
        both = work[:-1] & work[1:]
        if not self.follows[row[:-1][both], row[1:][both]].all():
            return True
        touched = self.weekend_of[days]
        if len(set(touched[touched >= 0].tolist())) > self.most_weekends[e]:
            return True
        edges = np.flatnonzero(np.diff(work.astype(np.int8))) + 1
        starts, ends = [0, *edges.tolist()], [*edges.tolist(), self.H]
        for a, b in zip(starts, ends, strict=True):
            inner = a > 0 and b < self.H
            least = self.least_run[e] if work[a] else self.least_rest[e]
            if (inner and b - a < least) or (work[a] and b - a > self.most_run[e]):
                return True
        return False

    def roster(self, grid: "Grid") -> Roster:
        """The grid as plain tuples."""
        return tuple(tuple(int(k) for k in row) for row in grid)
