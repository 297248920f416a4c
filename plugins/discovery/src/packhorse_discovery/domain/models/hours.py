"""Working hours and closures as stretches of seconds from the start of the schedule."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from fractions import Fraction

from attrs import frozen

from packhorse_discovery.domain.models.source import Source
from packhorse_discovery.domain.models.span import Day, UnclearError, source_of
from packhorse_discovery.domain.scr import Window

DAY = 86_400
WEEK = 7 * DAY
EVERYONE = "*"

_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CLOCK = re.compile(r"^(\d{1,2}):(\d{2})$")


@frozen
class Stretch:
    """From ``start`` to before ``end``, in seconds from the start of the schedule."""

    start: int
    end: int
    source: Source


def instant(text: str, *, end_of_day: bool = False) -> datetime:
    """An ISO 8601 date or date-time, local; a date is its first moment, or the last with ``end_of_day``.

    Raises:
        UnclearError: it is neither.
    """
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError as exc:
        raise UnclearError(f"{text.strip()[:40]} is not an ISO 8601 date or date-time") from exc
    found = found.replace(tzinfo=None)
    return found + timedelta(days=1) if end_of_day and len(text.strip()) == len("2026-01-01") else found


def clock_seconds(text: str) -> int:
    """``08:30`` as seconds from midnight; ``24:00`` is the end of the day.

    Raises:
        UnclearError: it is not a time of day.
    """
    match = _CLOCK.match(text.strip())
    if match is None or int(match[1]) > 24 or int(match[2]) > 59:
        raise UnclearError(f"{text.strip()[:40]} is not a time of day like 08:30")
    return int(match[1]) * 3600 + int(match[2]) * 60


def weekday(text: str) -> int:
    """Monday is 0; names may be shortened to two letters or more.

    Raises:
        UnclearError: it is no day of the week.
    """
    wanted = text.strip().casefold()
    for number, name in enumerate(_NAMES):
        if len(wanted) >= 2 and name.startswith(wanted):
            return number
    raise UnclearError(f"{text.strip()[:40]} is not a day of the week")


@frozen
class Hours:
    """All windows of a project, counted from ``start``; with ``strict`` nothing goes on outside them."""

    windows: tuple[Window, ...]
    start: datetime
    strict: bool = False

    def closed(self, resource: str, until: int) -> list[Stretch]:
        """When ``resource`` does not work, up to ``until`` seconds, in order; hours of its own replace those of all.

        Raises:
            UnclearError: a window cannot be read.
        """
        every = [each for each in self.windows if each.resource.value in {resource, EVERYONE}]
        own = [each for each in every if each.working and each.resource.value == resource]
        working = own or [each for each in every if each.working]
        shut = [piece for each in every if not each.working for piece in self._pieces(each, until)]
        if working:
            opened = [piece for each in working for piece in self._pieces(each, until)]
            shut += _between(opened, until, source_of(working[0].start))
        return _merged(shut, until)

    def own(self, resource: str) -> bool:
        """Whether the resource is bound to its hours: it has windows of its own, or nothing runs outside them."""
        return self.strict or any(each.resource.value == resource for each in self.windows)

    def day(self) -> Day | None:
        """The length of a shift, where all weekly hours that hold for everyone have one length."""
        weekly = [each for each in self.windows if each.working and each.days and each.resource.value == EVERYONE]
        lengths = {_length(each) for each in weekly}
        if len(lengths) != 1:
            return None
        seconds = lengths.pop()
        return Day(Fraction(seconds), f"{seconds / 3600:g} hours long, as the working hours are")

    def instants(self) -> Iterator[Fraction]:
        """Seconds from midnight at which windows begin and end: instants that should fall on a tick."""
        for each in self.windows:
            for text in (each.start.value, each.end.value):
                if each.days:
                    yield Fraction(clock_seconds(text))
                else:
                    found = instant(text)
                    yield Fraction(found.hour * 3600 + found.minute * 60 + found.second)

    def _pieces(self, window: Window, until: int) -> list[Stretch]:
        source = source_of(window.start)
        if not window.days:
            start = (instant(window.start.value) - self.start) // timedelta(seconds=1)
            end = (instant(window.end.value, end_of_day=True) - self.start) // timedelta(seconds=1)
            if end <= start:
                raise UnclearError(f"the window from {window.start.value[:40]} ends before it starts")
            return [Stretch(max(start, 0), end, source)] if end > 0 and start < until else []
        monday = self.start - timedelta(days=self.start.weekday())
        monday = monday.replace(hour=0, minute=0, second=0, microsecond=0)
        first = (monday - self.start) // timedelta(seconds=1)
        opens, lasts = clock_seconds(window.start.value), _length(window)
        found = []
        for week in range(first - WEEK, until, WEEK):
            for day in sorted({weekday(each.value) for each in window.days}):
                start = week + day * DAY + opens
                if start + lasts > 0 and start < until:
                    found.append(Stretch(max(start, 0), start + lasts, source))
        return found


def longest_open(closed: Sequence[Stretch], until: int) -> int:
    """Seconds of the longest stretch without a closure; one still open at ``until`` counts as it stands."""
    edges = [0, *(edge for each in closed for edge in (each.start, each.end)), until]
    return max((end - start for start, end in zip(edges[::2], edges[1::2], strict=True)), default=until)


def _length(window: Window) -> int:
    opens, closes = clock_seconds(window.start.value), clock_seconds(window.end.value)
    return closes - opens if closes > opens else closes + DAY - opens


def _between(opened: list[Stretch], until: int, source: Source) -> list[Stretch]:
    found, last = [], 0
    for piece in _merged(opened, until):
        if piece.start > last:
            found.append(Stretch(last, piece.start, source))
        last = piece.end
    return [*found, Stretch(last, until, source)] if last < until else found


def _merged(pieces: list[Stretch], until: int) -> list[Stretch]:
    found: list[Stretch] = []
    for piece in sorted(pieces, key=lambda each: (each.start, each.end)):
        end = min(piece.end, until)
        if found and piece.start <= found[-1].end:
            found[-1] = Stretch(found[-1].start, max(found[-1].end, end), found[-1].source)
        else:
            found.append(Stretch(piece.start, end, piece.source))
    return found
