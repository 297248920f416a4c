"""Windows of light found by search beforehand, by shift, preparation and hour of landing.

``rows.txt`` is written by ``benchmarks/circadian_rows.py``; its head names
seeds, size and time. Windows are half hours after the usual waking time, by
the day: ``o0`` is the date of departure at the origin, ``d0`` that of landing.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from attrs import frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.trip import Trip

_USUAL_WAKE = 7
"""The hour at which the sleepers of the search wake."""
_BETTER = 0.05
"""Days."""
_CLOSE = 2
"""Hours between two landings within which the row of one does for the other."""


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
class Row:
    """One plan of the search: hours a night at home moves from the last, half hours by which nights away are later."""

    shift: int
    prep: int
    landing: int
    home: float
    away: tuple[int, ...]
    slow: float
    """Days that four bodies of five take at most, of the search's own."""
    unaided: tuple[float, float, float]
    """Days without a plan: for half of them, for the fastest tenth and all but the slowest."""
    windows: tuple[Window, ...]


@cache
def table() -> dict[tuple[int, int, int], Row]:
    """Every row by shift (east above 0), days of preparation and hour of landing (of a sleeper who wakes at 7)."""
    text = Path(__file__).with_name("rows.txt").read_text("utf-8")
    rows = (_row(line) for line in text.splitlines() if line and not line.startswith("#"))
    return {(row.shift, row.prep, row.landing): row for row in rows}


def _row(line: str) -> Row:
    key, home, away, days, unaided, _, windows = (part.strip() for part in line.split("|"))
    shift, prep, landing = map(int, key.split())
    nights = tuple(map(int, away.split()))
    half, low, _, high = map(float, unaided.split())
    return Row(
        shift,
        prep,
        landing,
        float(home),
        nights,
        float(days.split()[2]),
        (half, low, high),
        tuple(_window(text) for text in windows.split()),
    )


def unaided(shift: float) -> tuple[float, float, float]:
    """Days that a shift in hours takes straight to local hours: for half of people, and the ends of the 80 % band.

    Of landings in the morning, interpolated between whole hours: the same figures wherever a traveller of usual
    hours is told days without a plan.
    """
    low = int(shift // 1)
    part = shift - low
    here, there = _unaided(low), _unaided(low + 1)
    half, least, most = (round(a + (b - a) * part, 1) for a, b in zip(here, there, strict=True))
    return half, least, most


def _unaided(whole: int) -> tuple[float, float, float]:
    row = table().get(((whole + 12) % 24 - 12, 0, 8))
    return row.unaided if row else (0.0, 0.0, 0.0)


def _window(text: str) -> Window:
    when, _, rest = text.partition("+")
    day, _, start = when[1:].partition(":")
    bright = "b" in rest
    length, worth = rest.split("b" if bright else "d")
    return Window(when[0] == "o", int(day), int(start), int(length), bright, float(worth))


def nearest(shift: float, prep: int, since_waking: float) -> list[Row]:
    """The rows for a shift in hours, the nearer whole hour first, of the nearest one or two hours of landing.

    ``since_waking`` is the hour of landing, counted from the usual waking there.
    """
    found = []
    for whole in sorted({int(shift // 1), int(-(-shift // 1))}, key=lambda hour: abs(hour - shift)):
        size = (whole + 12) % 24 - 12
        choices = [row for row in table().values() if row.shift == size and row.prep <= prep]
        for landing in _landings(choices, since_waking):
            there = sorted((row for row in choices if row.landing == landing), key=lambda row: row.prep)
            found.append(there[-1])
            # Where less preparation did better in the search, its row is tried too.
            least = min(there, key=lambda row: row.slow)
            if least.slow < there[-1].slow - _BETTER:
                found.append(least)
    return found


def _landings(rows: list[Row], since_waking: float) -> list[int]:
    """The hours of landing nearest to this one: one where it is close."""
    hours = sorted({row.landing for row in rows}, key=lambda hour: abs(_off(hour, since_waking)))
    return hours[: 1 if not hours or abs(_off(hours[0], since_waking)) <= _CLOSE else 2]


def _off(landing: int, since_waking: float) -> float:
    return (landing - _USUAL_WAKE - since_waking + 12) % 24 - 12


def _away_from(row: Row, since_waking: float) -> float:
    return _off(row.landing, since_waking)


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

    The departure is the search's own, 1.2 h for each hour of shift and one more before that.
    """
    nominal = landing + _away_from(row, since_waking) * HOUR
    way = max(1.2 * abs(row.shift) + 1, 2.0)
    left = nominal - round(way * 2) / 2 * HOUR
    there = zones.shown(nominal, trip.destination).date()
    home = zones.shown(left, trip.origin).date()
    wake = trip.aims.wake
    return Carried(
        row,
        zones.instant(home, trip.habits.wake, trip.origin),
        zones.instant(there, wake, trip.destination),
        trip,
    )
