"""Limits on a sum over every rolling window of days: hours, days off, call, nights and days in a row."""

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.programme.limits import Limit
from packhorse_scheduling.domain.roster.arrays import Arrays, Bools, Grid, Ints
from packhorse_scheduling.domain.rules.board import Board, Changes
from packhorse_scheduling.domain.rules.posting import Posting
from packhorse_scheduling.domain.rules.violation import Violation

UNBOUNDED = 1 << 20
"""Of a window without a day present: it has no average. All minutes of 28 days are 40,320."""


@frozen(eq=False)
class Window:
    """In every ``days`` days in a row, the sum of a daily amount is at most ``ceiling[person, first day]``.

    The daily amount is ``weight[service, session]`` summed over the day, or,
    where ``weight`` is None, 1 for a day with any duty in it. Only windows that
    lie wholly inside the known days are judged; an average needs a day present.
    """

    kernel: "Arrays"
    code: str
    limit: Limit
    days: int
    weight: "Ints | None"
    ceiling: "Ints"
    bound: "Bools"
    unit: str
    scale: float = 1
    room: "Callable[[Ints], Ints] | None" = None
    """The ceiling by days present, where leave is taken out of the average."""
    beyond: "Ints | None" = None
    """``[P, D]``: what was really worked beyond the services' weights."""

    def is_counted(self, p: int, d: int) -> bool:
        """Whether a day counts: of averages of days those on leave do not, though a night may end on the first."""
        return self.weight is not None or self.room is None or not self.kernel.away[p, d]

    @property
    def codes(self) -> tuple[str, ...]:
        return (self.code,)

    def amounts(self, grid: "Grid", p: int | None = None) -> "Ints":
        """The daily amounts of everybody; of p alone, if given, whose rows the grid has."""
        if self.weight is None:
            worked = (grid >= 0).any(axis=-1)
            if self.room is not None:
                worked &= ~(self.kernel.away if p is None else self.kernel.away[p])
            return np.asarray(worked, np.int32)
        found: Ints = self.weight[grid[..., 0], 0] + self.weight[grid[..., 1], 1]
        return found if self.beyond is None else found + (self.beyond if p is None else self.beyond[p])

    def amount(self, am: int, pm: int) -> int:
        """One day's amount."""
        if self.weight is None:
            return int(am >= 0 or pm >= 0)
        return int(self.weight[am, 0]) + int(self.weight[pm, 1])

    def slack(self, grid: "Grid", p: int | None = None) -> "Ints":
        """How far each window is from its ceiling, negative when broken; ``grid`` is p's own row if given."""
        total = np.zeros((grid.shape[0], grid.shape[1] + 1), np.int32)
        np.cumsum(self.amounts(grid, p), axis=1, out=total[:, 1:])
        ceiling = self.ceiling if p is None else self.ceiling[p : p + 1]
        slack: Ints = ceiling - (total[:, self.days :] - total[:, : -self.days])
        return slack

    def check(self, grid: "Grid") -> list[Violation]:
        """One violation for each stretch of windows that overlap and are broken, with its worst window."""
        if not self.ceiling.size:
            return []
        slack = self.slack(grid)
        broken = (slack < 0) & self.bound[:, None]
        if not broken.any():
            return []
        found = []
        for p in np.flatnonzero(broken.any(axis=1)).tolist():
            windows = np.flatnonzero(broken[p])
            for stretch in np.split(windows, np.flatnonzero(np.diff(windows) >= self.days) + 1):
                worst = int(stretch[np.argmin(slack[p, stretch])])
                found.append(self._violation(p, worst, int(slack[p, worst]), len(stretch)))
        return found

    def _violation(self, p: int, first: int, slack: int, windows: int = 1) -> Violation:
        ceiling = int(self.ceiling[p, first])
        away = int(self.kernel.away[p, first : first + self.days].sum())
        return Violation(
            rule=self.code,
            severity=self.limit.severity,
            authority=self.limit.authority,
            first=first,
            last=first + self.days - 1,
            value=(ceiling - slack) * self.scale,
            limit=ceiling * self.scale,
            unit=self.unit,
            person=p,
            extra={"windows": windows, "leave_days": away},
        )

    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]:
        """Windows that a change makes worse and leaves broken."""
        found = []
        for p, days in changes.by_person.items():
            if not self.bound[p] or not self.ceiling.size:
                continue
            rise = {
                d: self.amount(*new) - self.amount(*board.day(p, d)) for d, new in days.items() if self.is_counted(p, d)
            }
            if max(rise.values(), default=0) <= 0:
                continue
            slack = board.slack(self)[p]
            if len(rise) == 1:
                ((d, more),) = rise.items()
                low, high = max(0, d - self.days + 1), d + 1
                part = slack[low:high]
                left = min(part, default=more)
                if left < more:
                    found.append(self._violation(p, low + part.index(left), left - more))
                continue
            found += self._hurts_many(p, rise, slack)
        return found

    def _hurts_many(self, p: int, rise: "dict[int, int]", slack: "list[int]") -> list[Violation]:
        worst: tuple[int, int] | None = None
        for first in range(max(0, min(rise) - self.days + 1), min(len(slack), max(rise) + 1)):
            more = sum(amount for d, amount in rise.items() if first <= d < first + self.days)
            if more > 0 and slack[first] < more and (worst is None or slack[first] - more < worst[0]):
                worst = slack[first] - more, first
        return [self._violation(p, worst[1], worst[0])] if worst else []

    def post(self, model: "Posting") -> None:
        """A row for each window that reaches into the model's days and could be broken."""
        for p in model.persons:
            if not self.bound[p]:
                continue
            terms, most, constant = model.daily(self, p)
            # Days still to come hold nothing but what is settled: a sum that is too high now stays too high.
            low, high = max(model.first_known, model.first - self.days + 1), min(model.last + 1, model.windows(self))
            if low >= high:
                continue
            span = slice(low, high + self.days - 1)
            settled = np.lib.stride_tricks.sliding_window_view(constant[span], self.days).sum(axis=1)
            tight = settled + model.reaches(most[span], self) > self.ceiling[p, low:high]
            for first in (low + np.flatnonzero(tight)).tolist():
                ceiling, outside = int(self.ceiling[p, first]), int(settled[first - low])
                if constant[first : model.first].sum() > ceiling:
                    outside = ceiling  # broken before the span begins: nothing more is added to it
                inside = range(max(first, model.first), min(first + self.days, model.last + 1))
                literals = [(v, w) for d in inside for v, w in terms[d]]
                if literals:
                    model.at_most(literals, ceiling - outside, self.code, p, first)
                elif outside > ceiling and model.touches(p, inside):
                    model.at_most([], ceiling - outside, self.code, p, first)


def windows_of(kernel: "Arrays") -> tuple[Window, ...]:
    """The window rules of a programme, leave taken out of both sides of each average."""
    rules = kernel.programme.rules
    days = rules.average_days
    nobody = days > kernel.D
    total = np.zeros((kernel.P, kernel.D + 1), np.int32)
    np.cumsum(kernel.away, axis=1, out=total[:, 1:])
    present = np.zeros((kernel.P, 0), np.int32) if nobody else days - (total[:, days:] - total[:, :-days])
    services = kernel.programme.services

    def night(kind: str) -> "Ints":
        # A night is counted once, in the evening it begins.
        weight = np.zeros((kernel.S + 1, 2), np.int32)
        weight[:-1, 1] = [service.overnight and service.kind == kind for service in services]
        return weight

    weekly, free_days, every = rules.weekly_hours.value * 60, rules.free_days.value, rules.call_every.value

    def averaged(
        code: str,
        limit: Limit,
        weight: "Ints | None",
        room: "Callable[[Ints], Ints]",
        unit: str,
        scale: float = 1,
        beyond: "Ints | None" = None,
    ) -> Window:
        ceiling = np.where(present > 0, room(present), UNBOUNDED)
        return Window(kernel, code, limit, days, weight, ceiling, kernel.resident, unit, scale, room, beyond)

    return (
        averaged(
            "80_HOUR_RULE",
            rules.weekly_hours,
            kernel.minutes,
            lambda there: there * weekly // 7,
            "hours",
            1 / 60,
            kernel.beyond if kernel.actual else None,
        ),
        averaged(
            "1_IN_7_RULE",
            rules.free_days,
            None,
            lambda there: there - -(-there * free_days // days),
            "days worked",
        ),
        averaged(
            "CALL_FREQUENCY_RULE", rules.call_every, night("call"), lambda there: there // every, "nights on call"
        ),
        _run(kernel, "NIGHT_FLOAT_RULE", rules.night_run, night("night_float"), kernel.resident, "nights"),
        _run(kernel, "CONSECUTIVE_DAYS_RULE", rules.day_run, None, kernel.runs, "days worked"),
    )


def _run(kernel: "Arrays", code: str, limit: Limit, weight: "Ints | None", bound: "Bools", unit: str) -> Window:
    length = limit.value + 1
    ceiling = np.full((kernel.P, max(0, kernel.D - length + 1)), limit.value, np.int32)
    return Window(kernel, code, limit, length, weight, ceiling, bound, unit)
