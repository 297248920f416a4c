"""One person's roster as an iCalendar file (RFC 5545).

An event's UID is made from the assignment's id, so that a calendar read again
after a new version changes the same event instead of adding one. A night is one event. Times are
those of the hospital's time zone where it is set (RFC 5545, 3.3.5, form 3),
else floating (form 1): a half-day is where the hospital is.
"""

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from packhorse_scheduling.domain.calendar import SESSIONS
from packhorse_scheduling.domain.roster import Cell, assignment_id_of
from packhorse_scheduling.errors import invalid, unavailable

if TYPE_CHECKING:
    from packhorse_scheduling.domain.opened import Opened

_PRODUCT = "-//packhorse//scheduling//EN"
_DOMAIN = "scheduling.packhorse"
_NIGHT = "NIGHT"
"""The session of an event that holds an evening and the next morning."""


def _icalendar() -> Any:
    try:
        import icalendar
    except ImportError as exc:
        raise unavailable("Calendars need icalendar: pip install 'packhorse-scheduling[calendar]'.") from exc
    return icalendar


def calendar_of(opened: "Opened", person_key: str, zone: str | None = None) -> str:
    """The calendar of one person: an event for each half-day or whole night, and one for each approved leave."""
    icalendar = _icalendar()
    programme = opened.programme
    person = programme.people[opened.kernel.person_of[person_key]]
    services = {service.code: service for service in programme.services}
    calendar = icalendar.Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", f"Roster of {person.name}")
    where = None if zone is None else ZoneInfo(zone)
    cells = {(day, half): code for key, day, half, code in opened.schedule.cells if key == person_key}
    nights = {
        (day, half)
        for (day, half), code in cells.items()
        if half == 1 and services[code].overnight and cells.get((day + timedelta(days=1), 0)) == code
    }
    for (day, half), code in cells.items():
        service = services[code]
        span = service.span(half)
        if span is None or (half == 0 and (day - timedelta(days=1), 1) in nights):
            continue
        end = _at(day, span.end, where)
        morning = service.span(0)
        if (day, half) in nights and morning is not None:
            end = _at(day + timedelta(days=1), morning.end, where)
        event = icalendar.Event()
        event.add("uid", f"{assignment_id_of(person_key, day, half)}@{_DOMAIN}")
        event.add("dtstart", _at(day, span.start, where))
        event.add("dtend", end)
        event.add("summary", service.name)
        event.add("categories", [code])
        event.add("x-packhorse-session", _NIGHT if (day, half) in nights else SESSIONS[half])
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


def cells_of_calendar(text: str, person_key: str) -> list[Cell]:
    """The half-days of a calendar that `calendar_of` has written.

    Raises:
        UserError: it is no iCalendar file, or not one of ours.
    """
    icalendar = _icalendar()
    try:
        calendar = icalendar.Calendar.from_ical(text)
    except (ValueError, IndexError) as exc:
        raise invalid("file", "This is no iCalendar file.") from exc
    found = []
    for event in calendar.walk("VEVENT"):
        session = str(event.get("x-packhorse-session", ""))
        if not session:
            continue
        codes = [str(code) for code in event["categories"].cats]
        start = event.decoded("dtstart")
        if session not in (*SESSIONS, _NIGHT) or len(codes) != 1 or not isinstance(start, datetime):
            raise invalid("file", "An event of this calendar is not one that packhorse has written.")
        if session == _NIGHT:
            found.append((person_key, start.date() + timedelta(days=1), 0, codes[0]))
        found.append((person_key, start.date(), 0 if session == SESSIONS[0] else 1, codes[0]))
    return found


def _stamp(event: Any, opened: "Opened") -> None:
    event.add("dtstamp", opened.schedule.created_at)
    event.add("sequence", opened.schedule.version)


def _at(day: date, minutes: int, zone: ZoneInfo | None) -> datetime:
    return datetime.combine(day, time(), zone) + timedelta(minutes=minutes)
