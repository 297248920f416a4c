"""One person's roster as an iCalendar file (RFC 5545).

An event's UID is made from the assignment's id, so that a calendar read again
after a new version changes the same event instead of adding one. Times are
floating (RFC 5545, 3.3.5, form 1): a half-day is where the hospital is.
"""

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from packhorse_scheduling.domain.calendar import SESSIONS
from packhorse_scheduling.domain.roster import Cell, assignment_id_of
from packhorse_scheduling.errors import invalid, unavailable

if TYPE_CHECKING:
    from packhorse_scheduling.domain.opened import Opened

_PRODUCT = "-//packhorse//scheduling//EN"
_DOMAIN = "scheduling.packhorse"


def _icalendar() -> Any:
    try:
        import icalendar
    except ImportError as exc:
        raise unavailable("Calendars need icalendar: pip install 'packhorse-scheduling[calendar]'.") from exc
    return icalendar


def calendar_of(opened: "Opened", person_key: str) -> str:
    """The calendar of one person: an event for each half-day, and one for each approved leave."""
    icalendar = _icalendar()
    schedule, programme = opened.schedule, opened.programme
    person = programme.people[opened.kernel.person_of[person_key]]
    services = {service.code: service for service in programme.services}
    calendar = icalendar.Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", f"Roster of {person.name}")
    for key, day, half, code in schedule.cells:
        if key != person_key:
            continue
        service = services[code]
        span = service.span(half)
        if span is None:
            continue
        event = icalendar.Event()
        event.add("uid", f"{assignment_id_of(key, day, half)}@{_DOMAIN}")
        event.add("dtstart", _at(day, span.start))
        event.add("dtend", _at(day, span.end))
        event.add("summary", service.name)
        event.add("categories", [code])
        event.add("x-packhorse-session", SESSIONS[half])
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
        if session not in SESSIONS or len(codes) != 1 or not isinstance(start, datetime):
            raise invalid("file", "An event of this calendar is not one that packhorse has written.")
        found.append((person_key, start.date(), SESSIONS.index(session), codes[0]))
    return found


def _stamp(event: Any, opened: "Opened") -> None:
    event.add("dtstamp", opened.schedule.created_at)
    event.add("sequence", opened.schedule.version)


def _at(day: date, minutes: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minutes)
