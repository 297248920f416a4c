"""Continuous duty and the rest after it, in minutes across half-days.

A duty period is a run of duty whose pauses are no longer than
``pause_minutes``; its length counts the pauses. Residents only.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from attrs import define, field, frozen

from packhorse_scheduling.domain.programme.calendar import DAY
from packhorse_scheduling.domain.programme.limits import Limit
from packhorse_scheduling.domain.roster.arrays import Arrays, Bools, Grid, Ints
from packhorse_scheduling.domain.rules.board import Board, Changes
from packhorse_scheduling.domain.rules.posting import Classes, Condemned, Pattern, Posting
from packhorse_scheduling.domain.rules.violation import Violation

_NEVER = -(10**8)
REACH_DAYS = 3
"""A change is felt no further: 28 hours of duty and 14 of rest fit in three days on either side."""
Clocked = Sequence[tuple[int, int, int, int]]
"""Half-days with clock times of their own: row, half-day, start and end in minutes of the day."""
_LONGEST_PATTERN = 6
"""Half-days in a pattern: up to four of duty, one free, and the one that comes too soon."""
_FORBIDDEN = (0, 1)
"""The kinds of fault that no roster may have; the third only costs."""


@frozen(eq=False)
class _Judged:
    """Per half-day: too long a period, rest too short after 24 hours, rest shorter than it should be; the numbers."""

    long: "Bools"
    after_call: "Bools"
    short: "Bools"
    length: "Ints"
    gap: "Ints"


@define(eq=False)
class DutyPeriods:
    """24 hours and up to 4 more for hand-over; 14 hours off after 24; 8 hours off otherwise (a warning)."""

    kernel: "Arrays"
    codes: tuple[str, ...] = ("24_PLUS_4_RULE", "14_HOUR_REST_RULE", "8_HOUR_REST_RULE")
    _seen: "dict[bytes, frozenset[tuple[int, int]]]" = field(factory=dict)
    _known: "dict[Classes, tuple[tuple[Pattern, int], ...]]" = field(factory=dict)

    def judge(self, cells: "Grid", session: int = 0, clocked: Clocked = ()) -> _Judged:
        """Judge rows of consecutive half-days (``int8[rows, length]``), the first being AM (0) or PM (1)."""
        kernel, rules = self.kernel, self.kernel.programme.rules
        position = np.arange(cells.shape[1]) + session
        half, midnight = position % 2, (position // 2) * DAY
        on = cells >= 0
        start, ends = kernel.start[cells, half], kernel.end[cells, half]
        for row, c, *clock in clocked:
            start[row, c], ends[row, c] = clock
        start += midnight
        end = np.where(on, ends + midnight, _NEVER)
        ended = np.empty_like(end)
        ended[:, 0] = _NEVER
        np.maximum.accumulate(end[:, :-1], axis=1, out=ended[:, 1:])
        gap = start - ended
        fresh = on & (gap > rules.pause_minutes.value)
        began = np.maximum.accumulate(np.where(fresh, start, _NEVER), axis=1)
        length = np.where(on, end - began, 0)
        before = np.empty_like(length)
        before[:, 0] = 0
        last = np.maximum.accumulate(np.where(on, np.arange(cells.shape[1]), 0), axis=1)
        before[:, 1:] = np.take_along_axis(length, last[:, :-1], axis=1)
        day = rules.continuous_hours.value * 60
        long = (length > day) & (~kernel.transition[cells] | (length > day + rules.transition_hours.value * 60))
        after_call = fresh & (before >= day) & (gap < rules.rest_after_call_hours.value * 60)
        short = fresh & (before < day) & (gap < rules.rest_hours.value * 60)
        return _Judged(long, after_call, short, length, gap)

    def check(self, grid: "Grid") -> list[Violation]:
        rows = np.flatnonzero(self.kernel.resident)
        if not rows.size:
            return []
        cells = grid[rows].reshape(len(rows), -1)
        clocked = [(row, *at) for row, p in enumerate(rows.tolist()) for at in self.kernel.clocked.get(p, ())]
        judged = self.judge(cells, clocked=clocked)
        return [
            self._violation(k, int(rows[row]), c, judged, row)
            for k, mask in enumerate((judged.long, judged.after_call, judged.short))
            for row, c in np.argwhere(mask).tolist()
        ]

    def _limit(self, k: int) -> Limit:
        rules = self.kernel.programme.rules
        return (rules.continuous_hours, rules.rest_after_call_hours, rules.rest_hours)[k]

    def _violation(self, k: int, p: int, c: int, judged: _Judged, row: int) -> Violation:
        limit = self._limit(k)
        minutes = int(judged.length[row, c] if k == 0 else judged.gap[row, c])
        return Violation(
            rule=self.codes[k],
            severity=limit.severity,
            authority=limit.authority,
            first=max(0, c // 2 - (1 if minutes > c % 2 * DAY // 2 else 0)),
            last=c // 2,
            value=minutes / 60,
            limit=limit.value,
            unit="hours",
            person=p,
            session=c % 2,
        )

    def _clocked(self, p: int, low: int, high: int) -> Clocked:
        """The person's half-days with clock times of their own in these days, counted from the first."""
        known = self.kernel.clocked.get(p, ())
        return [(0, c - 2 * low, start, end) for c, start, end in known if 2 * low <= c < 2 * high]

    def _around(self, days: "Grid", clocked: Clocked = ()) -> frozenset[tuple[int, int]]:
        """(kind, half-day) of every fault in a few days, remembered: rosters repeat themselves."""
        key = days.tobytes()
        known = None if clocked else self._seen.get(key)
        if known is None:
            judged = self.judge(days.reshape(1, -1), clocked=clocked)
            masks = (judged.long, judged.after_call, judged.short)
            known = frozenset((k, c) for k, mask in enumerate(masks) for c in np.flatnonzero(mask[0]).tolist())
            if len(self._seen) > 200_000:
                self._seen.clear()
            if not clocked:
                self._seen[key] = known
        return known

    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]:
        found = []
        for p, days in changes.by_person.items():
            if not self.kernel.resident[p]:
                continue
            low, high = max(0, min(days) - REACH_DAYS), max(days) + REACH_DAYS + 1
            now = board.grid[p, low:high]
            then = now.copy()
            for d, new in days.items():
                then[d - low] = new
            clocked = self._clocked(p, low, high)
            made = self._around(then, clocked) - self._around(now, clocked)
            if made:
                judged = self.judge(then.reshape(1, -1), clocked=clocked)
                for k, c in sorted(made):
                    violation = self._violation(k, p, c, judged, 0)
                    found.append(_moved(violation, low))
        return found

    def post(self, model: "Posting") -> None:
        """Forbid every shortest sequence of half-days that this rule condemns; a warning costs instead."""
        kernel = self.kernel
        for p in model.persons:
            if not kernel.resident[p]:
                continue
            for pattern, k in self._patterns_of(model.classes_of(p)):
                for c in model.openings(p, pattern):
                    cells = [(p, (c + i) // 2, (c + i) % 2, services) for i, (_, services) in enumerate(pattern)]
                    self._condemn(model, cells, k)
            for condemned, k in self._after_actual(model, p):
                self._condemn(model, condemned, k)

    def _condemn(self, model: "Posting", cells: "Condemned", k: int) -> None:
        if self._limit(k).severity == "WARNING":
            model.discourage(cells, self.codes[k])
        else:
            p, d, *_ = cells[-1]
            model.forbid(cells, self.codes[k], p, d)

    def _after_actual(self, model: "Posting", p: int) -> "Iterator[tuple[Condemned, int]]":
        """What of the span's first days is condemned by how long the person really worked just before it."""
        low, first = max(model.first_known, model.first - REACH_DAYS), 2 * model.first
        clocked = self._clocked(p, low, model.first)
        if not clocked:
            return
        known = model.known[p, low : model.first].reshape(-1).tolist()
        alive: list[tuple[frozenset[int], ...]] = [()]
        for n in range(min(_LONGEST_PATTERN, 2 * (model.last + 1) - first)):
            classes = (*model.classes_of(p)[n % 2], frozenset[int]())
            grown = [(*row, group) for row in alive for group in classes]
            rows = np.array([known + [min(group, default=-1) for group in row] for row in grown], np.int8)
            judged = self.judge(rows, clocked=[(row, *at[1:]) for row in range(len(rows)) for at in clocked])
            alive = []
            for row, group in enumerate(grown):
                faults = [k for k, m in enumerate((judged.long, judged.after_call, judged.short)) if m[row, -1]]
                if faults:
                    cells = [(p, (first + i) // 2, (first + i) % 2, one) for i, one in enumerate(group)]
                    yield cells, faults[0]
                elif rows[row, -1] < 0 or judged.gap[row, -1] <= self.kernel.programme.rules.pause_minutes.value:
                    alive.append(group)

    def _patterns_of(self, classes: "Classes") -> "tuple[tuple[Pattern, int], ...]":
        """`patterns` without what others imply, in as few rows as can be; remembered: few sets are met, and often."""
        if classes not in self._known:
            self._known[classes] = tuple(_gathered(_shortest(list(self.patterns(classes)))))
        return self._known[classes]

    def patterns(self, classes: "Classes") -> "Iterator[tuple[Pattern, int]]":
        """Shortest condemned sequences over classes of services with the same clock times: (session, services) each.

        The empty class stands for a free half-day.
        """
        free: frozenset[int] = frozenset()
        for session in (0, 1):
            alive: list[tuple[frozenset[int], ...]] = [(group,) for group in classes[session]]
            for size in range(2, _LONGEST_PATTERN + 1):
                half = (session + size - 1) % 2
                grown = [(*row, group) for row, group in product(alive, (*classes[half], free))]
                if not grown:
                    break
                cells = np.array([[min(group, default=-1) for group in row] for row in grown], np.int8)
                judged = self.judge(cells, session)
                alive = []
                for n, row in enumerate(grown):
                    faults = [bool(m[n, -1]) for m in (judged.long, judged.after_call, judged.short)]
                    if any(faults):
                        yield tuple(((session + i) % 2, group) for i, group in enumerate(row)), faults.index(True)
                    elif self._lives(cells[n], judged, n, session):
                        alive.append(row)

    def _lives(self, cells: "Grid", judged: _Judged, n: int, session: int) -> bool:
        """Whether what comes next could still be condemned because of the first half-day."""
        on = np.flatnonzero(cells >= 0)
        last = int(on[-1])
        # A new period after a pause forgets the first half-day, save through the rest before it, already judged.
        fresh = judged.gap[n, on] > self.kernel.programme.rules.pause_minutes.value
        if fresh[1:].any():
            return False
        rules = self.kernel.programme.rules
        ended = int(self.kernel.end[cells[last], (session + last) % 2]) + (session + last) // 2 * DAY
        next_start = (session + len(cells)) // 2 * DAY + (session + len(cells)) % 2 * (DAY // 2)
        return next_start - ended < max(rules.rest_after_call_hours.value, rules.rest_hours.value) * 60


def _shortest(patterns: "list[tuple[Pattern, int]]") -> "list[tuple[Pattern, int]]":
    """Without those that hold another within them: a shorter one of the same kind, or any that is forbidden."""
    known = dict(patterns)

    def implied(pattern: "Pattern", k: int) -> bool:
        parts = (pattern[a:b] for a in range(len(pattern)) for b in range(a + 1, len(pattern) + 1))
        return any(known.get(part) in (k, *_FORBIDDEN) for part in parts if len(part) < len(pattern))

    return [(pattern, k) for pattern, k in patterns if not implied(pattern, k)]


def _gathered(patterns: "list[tuple[Pattern, int]]") -> "list[tuple[Pattern, int]]":
    """One for all that differ in the services of one half-day alone, as often as there are such.

    A half-day has one service at most, so that their sum in one row says the
    same as a row each, and the relaxation is tighter: with it a block of twelve
    residents has two fifths of the variables.
    """
    while True:
        before = len(patterns)
        for i in range(_LONGEST_PATTERN):
            alike: dict[object, list[tuple[Pattern, int]]] = {}
            for pattern, k in patterns:
                open_at = i < len(pattern) and bool(pattern[i][1])
                key = (k, pattern[:i], pattern[i][0], pattern[i + 1 :]) if open_at else (k, pattern)
                alike.setdefault(key, []).append((pattern, k))
            patterns = [_union(group, i) for group in alike.values()]
        if len(patterns) == before:
            return patterns


def _union(group: "list[tuple[Pattern, int]]", i: int) -> "tuple[Pattern, int]":
    pattern, k = group[0]
    if len(group) > 1:
        services = frozenset[int]().union(*(other[i][1] for other, _ in group))
        pattern = (*pattern[:i], (pattern[i][0], services), *pattern[i + 1 :])
    return pattern, k


def _moved(violation: Violation, days: int) -> Violation:
    from attrs import evolve

    return evolve(violation, first=violation.first + days, last=violation.last + days)
