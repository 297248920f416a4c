"""One person's roster as an iCalendar file (RFC 5545).

An event's UID is made from the assignment's id, so that a calendar read again
after a new version changes the same event instead of adding one. A night is one
event, and so is a day on one service. Times are
those of the hospital's time zone where it is set (RFC 5545, 3.3.5, form 3),
else floating (form 1): a half-day is where the hospital is.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.programme.services import Service
from packhorse_scheduling.domain.roster.roster import Cell, assignment_id_of
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid, unavailable

PRODUCT = "-//packhorse//scheduling//EN"
_DOMAIN = "scheduling.packhorse"
_READ_AGAIN = timedelta(hours=1)
_NIGHT, _WHOLE = "NIGHT", "DAY"
"""The sessions of events that hold an evening and the next morning, and both halves of one day."""


def icalendar_module() -> Any:
    """icalendar, where it is installed.

    Raises:
        UserError: it is not.
    """
    try:
        import icalendar
    except ImportError as exc:
        raise unavailable("Calendars need icalendar: pip install 'packhorse-scheduling[calendar]'.") from exc
    return icalendar


def calendar_of(opened: "Opened", person_key: str, zone: str | None = None) -> str:
    """The calendar of one person: an event for each half-day, whole day or night, and one for each approved leave."""
    icalendar = icalendar_module()
    programme = opened.programme
    person = programme.people[opened.kernel.person_of[person_key]]
    services = {service.code: service for service in programme.services}
    calendar = icalendar.Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", f"Roster of {person.name}")
    calendar.add("refresh-interval", _READ_AGAIN, parameters={"VALUE": "DURATION"})  # RFC 7986, section 5.7
    calendar.add("x-published-ttl", "PT1H")  # the same for Outlook
    where = None if zone is None else ZoneInfo(zone)
    cells = {(day, half): code for key, day, half, code in opened.schedule.cells if key == person_key}
    for day, half, ends, session in _events(cells, services):
        code = cells[day, half]
        start, last = services[code].span(half), services[code].span(ends[1])
        if start is None or last is None:
            continue
        event = icalendar.Event()
        event.add("uid", f"{assignment_id_of(person_key, day, half)}@{_DOMAIN}")
        event.add("dtstart", _at(day, start.start, where))
        event.add("dtend", _at(ends[0], last.end, where))
        event.add("summary", services[code].name)
        event.add("categories", [code])
        event.add("x-packhorse-session", session)
        _stamp(event, opened)
        calendar.add_component(event)
    for leave in programme.leaves:
        if leave.person != person_key or not leave.binds:
            continue
        event = icalendar.Event()
        event.add("uid", f"leave-{person.id}-{leave.start.isoformat()}@{_DOMAIN}")
        event.add("dtstart", leave.start)
        event.add("dtend", leave.end + timedelta(days=1))
        event.add("summary", "Away")
        event.add("transp", "TRANSPARENT")
        _stamp(event, opened)
        calendar.add_component(event)
    if where is not None:
        calendar.add_missing_timezones()
    text: str = calendar.to_ical().decode()
    return text


def _events(
    cells: Mapping[tuple[date, int], str], services: Mapping[str, "Service"]
) -> Iterator[tuple[date, int, tuple[date, int], str]]:
    """The half-day that each event begins with, the one that it ends with, and its session."""
    within: set[tuple[date, int]] = set()
    for (day, half), code in sorted(cells.items()):
        if (day, half) in within:
            continue
        overnight = services[code].overnight
        other, session = ((day + timedelta(days=1), 0), _NIGHT) if half else ((day, 1), _WHOLE)
        if cells.get(other) == code and overnight == bool(half):
            within.add(other)
            yield day, half, other, session
        else:
            yield day, half, (day, half), SESSIONS[half]


def cells_of_calendar(text: str, person_key: str) -> list[Cell]:
    """The half-days of a calendar that `calendar_of` has written.

    Raises:
        UserError: it is no iCalendar file, or not one of ours.
    """
    icalendar = icalendar_module()
    try:
        calendar = icalendar.Calendar.from_ical(text)
    except (ValueError, IndexError) as exc:
        raise invalid("file", "This is not an iCalendar file.") from exc
    found = []
    for event in calendar.walk("VEVENT"):
        session = str(event.get("x-packhorse-session", ""))
        if not session:
            continue
        codes = [str(code) for code in event["categories"].cats]
        start = event.decoded("dtstart")
        if session not in (*SESSIONS, _NIGHT, _WHOLE) or len(codes) != 1 or not isinstance(start, datetime):
            raise invalid("file", "This calendar has an event that packhorse did not write.")
        if session == _NIGHT:
            found.append((person_key, start.date() + timedelta(days=1), 0, codes[0]))
        if session == _WHOLE:
            found.append((person_key, start.date(), 1, codes[0]))
        found.append((person_key, start.date(), int(session in (SESSIONS[1], _NIGHT)), codes[0]))
    return found


def _stamp(event: Any, opened: "Opened") -> None:
    event.add("dtstamp", opened.schedule.created_at)
    event.add("sequence", opened.schedule.version)


def _at(day: date, minutes: int, zone: ZoneInfo | None) -> datetime:
    return datetime.combine(day, time(), zone) + timedelta(minutes=minutes)
