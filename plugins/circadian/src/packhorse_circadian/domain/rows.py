"""Windows of light found by search beforehand, by shift, preparation and hour of landing.

``rows.txt`` is written by ``benchmarks/circadian_rows.py``; its head names
seeds, size and time. Windows are half hours after the usual waking time, by
the day: ``o0`` is the date of departure at the origin, ``d0`` that of landing.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from math import ceil, floor
from pathlib import Path
from statistics import median

from attrs import astuple, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.trip import Trip

_HALF_BETWEEN = 0.5 + 1e-9
_HALF_A_DAY = 0.5
_USUAL_WAKE = 7
"""The hour at which the sleepers of the search wake."""


@frozen
class Window:
    """Bright or dim light on ``day``, from ``start`` half hours after the usual waking for ``length`` of them."""

    at_home: bool
    day: int
    start: int
    length: int
    bright: bool
    worth: float
    """Days that leaving it out costs the bodies of the search."""


@frozen
class Spread:
    """Days over a population: the median and the 10, 80 and 90 % quantiles."""

    half: float
    tenth: float
    slow: float
    ninety: float

    @property
    def band(self) -> tuple[float, float]:
        """What holds four bodies of five, in tenths of a day.

        From the 10 to the 90 % quantile; where the first of them takes less than half a day, from 0 to the 80 %
        quantile: how many are right on landing is known too little to leave them out.
        """
        low = round(self.tenth, 1)
        return (low, round(self.ninety, 1)) if low >= _HALF_A_DAY else (0.0, round(self.slow, 1))

    def share_within(self, days: Sequence[float]) -> float:
        """The share of bodies that take so many days as the band says."""
        low, high = self.band
        return sum(low <= round(taken, 1) <= high for taken in days) / len(days)

    def mixed(self, other: "Spread", share: float) -> "Spread":
        """This with ``share`` of ``other`` in it."""
        return Spread(*(a + (b - a) * share for a, b in zip(astuple(self), astuple(other), strict=True)))

    def corrected(self, there: "Spread", here: "Spread") -> "Spread":
        """This, found by many bodies ``there``, as few of them differ ``here`` from there; none below 0, in order."""
        many, base, now = (astuple(spread) for spread in (self, there, here))
        half, tenth, slow, ninety = (max(a + b - c, 0.0) for a, b, c in zip(many, now, base, strict=True))
        tenth, half = min(tenth, half), max(half, tenth)
        return Spread(half, tenth, max(slow, half), max(ninety, slow, half))


NO_DAYS = Spread(0.0, 0.0, 0.0, 0.0)


@frozen
class Row:
    """One plan of the search: hours a night at home moves from the last, half hours by which nights away are later.

    ``days`` and ``unaided``, with the plan and without, are of 500 bodies that the search did not see; ``few`` are the
    days with it of those few that a plan is chosen by and counted over.
    """

    shift: int
    prep: int
    landing: int
    home: float
    away: tuple[int, ...]
    days: Spread
    unaided: Spread
    few: Spread
    windows: tuple[Window, ...]

    @property
    def flight(self) -> timedelta:
        """How long the search flies: 1.2 h for each hour of shift and one more."""
        return round(max(1.2 * abs(self.shift) + 1, 2.0) * 2) / 2 * HOUR


@cache
def table() -> dict[tuple[int, int, int], Row]:
    """Every row by shift (east above 0), days of preparation and hour of landing (of a sleeper who wakes at 7).

    Where a day more of preparation found nothing better, the row is that of less: it begins later.
    """
    text = Path(__file__).with_name("rows.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    rows = {(row.shift, row.prep, row.landing): row for row in (_row(line) for line in lines if "=" not in line)}
    for line in lines:
        if "=" in line:
            shift, prep, landing, _, less = line.split()
            rows[int(shift), int(prep), int(landing)] = rows[int(shift), int(less), int(landing)]
    return rows


def _row(line: str) -> Row:
    key, home, away, days, unaided, few, _, windows = (part.strip() for part in line.split("|"))
    shift, prep, landing = map(int, key.split())
    nights = tuple(map(int, away.split()))
    taken, plain, own = (Spread(*map(float, text.split())) for text in (days, unaided, few))
    laid = tuple(_window(text) for text in windows.split())
    return Row(shift, prep, landing, float(home), nights, taken, plain, own, laid)


def unaided(shift: float) -> Spread:
    """Days that a shift in hours takes straight to local hours: of landings at any hour, between whole hours of shift.

    The same figures wherever a traveller of usual hours reads days without a plan.
    """
    low = int(shift // 1)
    return _unaided(low).mixed(_unaided(low + 1), shift - low)


@cache
def _unaided(whole: int) -> Spread:
    size = (whole + 12) % 24 - 12
    found = [row.unaided for (shift, prep, _), row in table().items() if (shift, prep) == (size, 0)]
    return Spread(*(median(column) for column in zip(*map(astuple, found), strict=True))) if found else NO_DAYS


def _window(text: str) -> Window:
    when, _, rest = text.partition("+")
    day, _, start = when[1:].partition(":")
    bright = "b" in rest
    length, worth = rest.split("b" if bright else "d")
    return Window(when[0] == "o", int(day), int(start), int(length), bright, float(worth))


def nearest(shift: float, prep: int, since_waking: float) -> list[Row]:
    """The row for a shift in hours of the nearest hour of landing; both neighbours' where the shift is half between.

    ``since_waking`` is the hour of landing, counted from the usual waking there.
    """
    landing = min({row for _, _, row in table()}, key=lambda hour: (abs(_off(hour, since_waking)), hour))
    wholes = {hour for hour in (floor(shift), ceil(shift)) if abs(hour - shift) <= _HALF_BETWEEN}
    keys = (((whole + 12) % 24 - 12, prep, landing) for whole in sorted(wholes))
    return [table()[key] for key in keys if key in table()]


def _off(landing: int, since_waking: float) -> float:
    return (landing - _USUAL_WAKE - since_waking + 12) % 24 - 12


@frozen
class Carried:
    """A row laid on a trip: the anchors of its days."""

    row: Row
    home: datetime
    away: datetime
    """Usual waking on the days that the row calls o0 and d0."""
    trip: Trip

    def windows(self) -> Iterator[tuple[Span, Window]]:
        """When each window is, whole."""
        for window in self.row.windows:
            zone = self.trip.origin if window.at_home else self.trip.destination
            dawn = self.home if window.at_home else self.away
            local = zones.shown(dawn, zone) + window.day * DAY
            start = local.replace(tzinfo=zone).astimezone(dawn.tzinfo) + window.start * HOUR / 2
            yield Span(start, start + window.length * HOUR / 2), window

    def moved_away(self) -> dict[int, timedelta]:
        """By how much nights away are later, by the days since the date of landing."""
        landed = zones.shown(self.away, self.trip.destination).date()
        first = (landed - self.trip.arrival_date).days
        return {first + k: by * HOUR / 2 for k, by in enumerate(self.row.away) if by}


def carried(row: Row, trip: Trip, since_waking: float, landing: datetime) -> Carried:
    """``row`` on ``trip``, which lands at ``landing``: its days are those of the nearest landing at the row's own hour.

    The departure is the search's own.
    """
    nominal = landing + _off(row.landing, since_waking) * HOUR
    left = nominal - row.flight
    there = zones.shown(nominal, trip.destination).date()
    home = zones.shown(left, trip.origin).date()
    wake = trip.aims.wake
    return Carried(
        row,
        zones.instant(home, trip.habits.wake, trip.origin),
        zones.instant(there, wake, trip.destination),
        trip,
    )
