"""A plan as an iCalendar file (RFC 5545), for any calendar to open."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from attrs import frozen

from packhorse_circadian.domain import advice, order_words, zones
from packhorse_circadian.domain.first_hours import why
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.shift_plan import ShiftCourse, tasks

# RFC 5545, 3.1: lines are at most 75 octets long, without the line end.
_OCTETS = 75


def calendar(plan: Plan, stamp: datetime) -> str:
    """One event for each order that takes an action, at its instant in UTC, with the local time and zone in its text.

    ``stamp`` is when the file was made. The same plan gives the same event
    ids, so that importing it again replaces and does not double.
    """
    events = []
    trip = plan.trip
    for page, whose in plan.journey:
        for order in page.orders:
            # Getting up is the end of the night, and hours in which coffee is fine ask for nothing.
            if order.kind in {"wake", "caffeine_ok"}:
                continue
            # Two trips on the same day are two plans: the id knows the trip, not only the order.
            whole = (trip.origin.key, trip.destination.key, _utc(whose.trip.departure), order.kind)
            said = why(order, whose)
            events.append(Event(whole, order.start, order.end, page.zone, order_words.title(order), said))
    return _file(events, stamp)


def shift_calendar(course: ShiftCourse, stamp: datetime) -> str:
    """The same of a plan for shifts, the shifts themselves left to the calendar that they came from."""
    zone = course.ground.rota.zone
    events = [
        Event(
            (zone.key, task.kind), task.start, task.end if task.end > task.start else None, zone, task.title, task.why
        )
        for task in tasks(course)
        if task.kind != "shift"
    ]
    return _file(events, stamp)


@frozen
class Event:
    """One event: what tells it from others of its times, when, by which clock, and its words."""

    named: tuple[str, ...]
    start: datetime
    end: datetime | None
    zone: ZoneInfo
    title: str
    why: str


def _file(events: Iterable[Event], stamp: datetime) -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//packhorse//circadian//EN", "CALSCALE:GREGORIAN"]
    for event in events:
        lines += _event(event, stamp)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event(event: Event, stamp: datetime) -> list[str]:
    from hashlib import sha256  # only a calendar needs it

    end = event.end or event.start
    named = "|".join((*event.named, _utc(event.start), _utc(end)))
    when = f"{zones.shown(event.start, event.zone):%H:%M}"
    when += f" to {zones.shown(end, event.zone):%H:%M}" if event.end else ""
    words = f"{when} by the clock in {event.zone.key}. {event.why} {advice.NOT_MEDICAL}"
    return [
        "BEGIN:VEVENT",
        f"UID:{sha256(named.encode()).hexdigest()[:32]}@circadian.packhorse",
        f"DTSTAMP:{_utc(stamp)}",
        f"DTSTART:{_utc(event.start)}",
        *([f"DTEND:{_utc(event.end)}"] if event.end else []),
        f"SUMMARY:{_escaped(event.title)}",
        f"DESCRIPTION:{_escaped(words)}",
        f"LOCATION:{_escaped(event.zone.key)}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    for plain, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(plain, written)
    return text


def _folded(line: str) -> Iterator[str]:
    """The line in parts of at most 75 octets, each after the first led by a space."""
    part = ""
    for letter in line:
        if len((part + letter).encode()) > _OCTETS:
            yield part
            part = " "
        part += letter
    yield part
