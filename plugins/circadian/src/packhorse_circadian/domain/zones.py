"""Time zones: which names are real, and what their clocks show when.

Local wall times are naive datetimes here; every instant is aware, in UTC.
"""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

NOON = time(12)
_MINUTE = timedelta(minutes=1)
_QUARTER = timedelta(minutes=15)

# Files of a zone tree that are no place: the machine's own setting, the default
# for POSIX rules, and the marker of a clock that was never set.
_NOT_PLACES = frozenset({"localtime", "posixrules", "Factory"})


@cache
def names() -> frozenset[str]:
    """Every name of the time zone database, legacy aliases included. Read once: about 25 ms."""
    return frozenset(available_timezones()) - _NOT_PLACES


def find(name: str) -> ZoneInfo | None:
    """The zone of that exact name, or None.

    The index decides, not the file system: there ``europe/paris`` is found on
    some machines, and ``../`` leads out of the tree.
    """
    return ZoneInfo(name) if name in names() else None


def meant(name: str) -> str | None:
    """The zone that ``name`` is, but for its capitals."""
    typed = name.lower()
    return next((known for known in sorted(names()) if known.lower() == typed), None)


def offset_at_noon(zone: ZoneInfo, day: date) -> timedelta:
    """How far ahead of UTC clocks are at local noon of ``day``.

    Noon, so that a clock change in the small hours of that date has happened.
    On a date that a zone left out, the offset before the leap.
    """
    return datetime.combine(day, NOON, UTC) - datetime.combine(day, NOON, zone)


def instants(wall: datetime, zone: ZoneInfo) -> tuple[datetime, ...]:
    """The instants at which clocks in ``zone`` show ``wall``, earliest first.

    None of them when the clocks were put forward over it, two when they were
    put back over it.
    """
    found = []
    for fold in (0, 1):
        instant = wall.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        if shown(instant, zone) == wall and instant not in found:
            found.append(instant)
    return tuple(found)


def which_of_two(at: datetime, zone: ZoneInfo) -> str:
    """Of an hour that clocks in ``zone`` show twice that night, which of them ``at`` is; else nothing."""
    readings = instants(shown(at, zone), zone)
    return f"{'before' if at == readings[0] else 'after'} clocks go back" if len(readings) > 1 else ""


def after_gap(wall: datetime, zone: ZoneInfo) -> datetime:
    """The first wall time that exists after ``wall``, which does not."""
    # Read with the offset before the change, a time in a gap lands after the
    # change; read with the one after it, before (PEP 495).
    late = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    early = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    before = early.astimezone(zone).utcoffset()
    while late - early > timedelta(seconds=1):
        middle = early + (late - early) // 2
        if middle.astimezone(zone).utcoffset() == before:
            early = middle
        else:
            late = middle
    return shown(late, zone).replace(microsecond=0)


def instant(day: date, at: time, zone: ZoneInfo) -> datetime:
    """When clocks in ``zone`` first show ``at`` on ``day``; just after the gap where they skip it."""
    return datetime.combine(day, at, zone).astimezone(UTC)


def shown(at: datetime, zone: ZoneInfo) -> datetime:
    """What clocks in ``zone`` show at an instant."""
    return at.astimezone(zone).replace(tzinfo=None, fold=0)


def whole_minute(at: datetime, zone: ZoneInfo) -> datetime:
    """The instant at which the local minute of ``at`` began, or the next one where a clock change hides that.

    Offsets with odd seconds did exist (Monrovia until 1972), so that a whole
    minute in UTC need not be one on the wall.
    """
    local = shown(at, zone)
    past = timedelta(seconds=local.second, microseconds=local.microsecond)
    began = at - past
    return at + (_MINUTE - past) if past and shown(began, zone).second else began


def quarter_hour(at: datetime, zone: ZoneInfo) -> datetime:
    """The instant nearest to ``at`` at which clocks in ``zone`` show a quarter, or its minute where they show none."""
    local = shown(at, zone)
    past = timedelta(minutes=local.minute % 15, seconds=local.second, microseconds=local.microsecond)
    moved = at - past if past < _QUARTER / 2 else at + (_QUARTER - past)
    return moved if not shown(moved, zone).minute % 15 else whole_minute(at, zone)


def quarters_within(start: datetime, end: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The stretch cut to quarters of an hour by the local clock; reversed where none is left."""
    after = -shown(start, zone).minute % 15
    over = shown(end, zone).minute % 15
    return start + timedelta(minutes=after), end - timedelta(minutes=over)
