"""A plan as an iCalendar file (RFC 5545), for any calendar to open."""

from collections.abc import Iterator
from datetime import UTC, datetime

from packhorse_circadian.domain import advice, zones
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.pages import Page
from packhorse_circadian.domain.plan import Plan

# RFC 5545, 3.1: lines are at most 75 octets long, without the line end.
_OCTETS = 75


def calendar(plan: Plan, stamp: datetime) -> str:
    """One event for each order that takes an action, at its instant in UTC, with the local time and zone in its text.

    ``stamp`` is when the file was made. The same plan gives the same event
    ids, so that importing it again replaces and does not double.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//packhorse//circadian//EN", "CALSCALE:GREGORIAN"]
    for page, whose in plan.journey:
        for order in page.orders:
            # Getting up is the end of the night, and hours in which coffee is fine ask for nothing.
            if order.kind not in {"wake", "caffeine_ok"}:
                lines += _event(order, page, whose, stamp)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event(order: Order, page: Page, plan: Plan, stamp: datetime) -> list[str]:
    from hashlib import sha256  # only a calendar needs it

    end = order.end or order.start
    local = zones.shown(order.start, page.zone)
    trip = plan.trip
    # Two trips on the same day are two plans: the id knows the trip, not only the order.
    named = "|".join(
        (trip.origin.key, trip.destination.key, _utc(trip.departure), order.kind, _utc(order.start), _utc(end))
    )
    when = f"{local:%H:%M}" + (f" to {zones.shown(end, page.zone):%H:%M}" if order.end else "")
    told = f"{when} by the clock in {page.zone.key}. {advice.why(order, plan.course.body)} {advice.NOT_MEDICAL}"
    return [
        "BEGIN:VEVENT",
        f"UID:{sha256(named.encode()).hexdigest()[:32]}@circadian.packhorse",
        f"DTSTAMP:{_utc(stamp)}",
        f"DTSTART:{_utc(order.start)}",
        *([f"DTEND:{_utc(order.end)}"] if order.end else []),
        f"SUMMARY:{_escaped(advice.title(order))}",
        f"DESCRIPTION:{_escaped(told)}",
        f"LOCATION:{_escaped(page.zone.key)}",
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
