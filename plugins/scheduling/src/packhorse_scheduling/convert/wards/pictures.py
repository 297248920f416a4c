"""A ward's roster as a picture (SVG) and as calendars (iCalendar)."""

import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from html import escape

from packhorse_scheduling.convert.files.calendars import PRODUCT, icalendar_module
from packhorse_scheduling.convert.files.workbooks import COLOURS
from packhorse_scheduling.convert.rotations import ROW, svg_box, svg_text
from packhorse_scheduling.domain.wards.question import REST, Ward
from packhorse_scheduling.domain.wards.roster import Roster

LEFT, TOP, STEP = 150, 46, 30


def picture(ward: Ward, roster: Roster) -> str:
    """People by days, a colour for each shift; weekends are shaded."""
    width, height = LEFT + STEP * ward.days + 4, TOP + ROW * len(ward.people) + 8
    parts = []
    for d in range(ward.days):
        x = LEFT + STEP * d
        if ward.weekday(d) >= 5:
            parts.append(f'<path d="M{x} {TOP - 4}h{STEP}V{height}h-{STEP}z" fill="#eee"/>')
        parts.append(
            svg_text(x + 2, TOP - 20, f"{ward.date(d):%a}"[:2]) + svg_text(x + 2, TOP - 8, f"{ward.date(d).day}")
        )
    for e, (person, row) in enumerate(zip(ward.people, roster.duty.tolist(), strict=True)):
        top = TOP + e * ROW
        parts.append(svg_text(4, top + 15, person.name or person.key))
        for d, k in enumerate(row):
            if k != REST:
                words = f"{person.name or person.key}, {ward.date(d)}: {ward.shifts[k].key}"
                parts.append(
                    svg_box(LEFT + STEP * d, top, STEP, f"#{COLOURS[k % len(COLOURS)]}", ward.shifts[k].key, words)
                )
    head = f"Roster of {ward.name}, {ward.date(0)} to {ward.date(ward.days - 1)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{escape(head)}">'
        "<style>text{font:11px sans-serif;fill:#222}rect{stroke:#fff;stroke-width:.7}</style>"
        f'<rect width="{width}" height="{height}" fill="#fff"/>{svg_text(4, 16, head)}{"".join(parts)}</svg>'
    )


def file_names(keys: Sequence[str]) -> list[str]:
    """A name for each key that any file system takes, no two alike: letters, figures, - and blanks."""
    found: list[str] = []
    for key in keys:
        plain = re.sub(r"[^\w-]+", " ", key).strip() or "person"
        same = sum(name.casefold() == plain.casefold() for name in found)
        found.append(f"{plain} {len(found) + 1}" if same else plain)
    return found


def calendar_of(ward: Ward, roster: Roster, e: int, now: datetime) -> str:
    """One person's shifts as events: of local time where shifts have a start, else of the whole day."""
    icalendar = icalendar_module()
    person = ward.people[e]
    calendar = icalendar.Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", f"{ward.name}: {person.name or person.key}")
    for d, k in enumerate(roster.duty[e].tolist()):
        if k == REST:
            continue
        shift, day = ward.shifts[k], ward.date(d)
        event = icalendar.Event()
        event.add("uid", f"{person.key}-{day.isoformat()}@ward.packhorse")
        event.add("dtstamp", now)
        event.add("summary", shift.key)
        if shift.start is None or shift.end is None:
            event.add("dtstart", day)
        else:
            midnight = datetime.combine(day, time())
            event.add("dtstart", midnight + timedelta(minutes=shift.start))
            event.add("dtend", midnight + timedelta(minutes=shift.end))
        calendar.add_component(event)
    text: str = calendar.to_ical().decode()
    return text
