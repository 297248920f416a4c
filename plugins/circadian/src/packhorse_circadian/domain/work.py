"""Hours at work at the destination."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import Timetable, dates
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.trip import Trip

# To dress, eat and travel: nights that the plan moves end so long before work, and begin so long after it.
TO_WORK = HOUR
_SATURDAY = 5


def is_weekday(day: date) -> bool:
    """Monday to Friday."""
    return day.weekday() < _SATURDAY


def working_hours(trip: Trip, last: date, zone: ZoneInfo) -> list[Span]:
    """Each weekday's hours at work from landing to ``last``; a shift that landing falls into counts from there."""
    work = trip.working
    if work is None:
        return []
    found = []
    for day in dates(trip.arrival_date - DAY, last):
        if is_weekday(day):
            start = zones.instant(day, work.start, zone)
            stop = zones.instant(day if work.end > work.start else day + DAY, work.end, zone)
            if stop > max(trip.arrival, start):
                found.append(Span(max(start, trip.arrival), stop))
    return found


def late_rising(trip: Trip, wake: datetime, usual: datetime) -> datetime:
    """``wake``, or as much sooner as the next hours at work ask for; ``usual`` at the soonest."""
    day = zones.shown(wake, trip.destination).date()
    starts = [span.start for span in working_hours(trip, day, trip.destination) if usual <= span.start < wake + TO_WORK]
    return max(min((start - TO_WORK for start in starts), default=wake), usual)


def early_bed(trip: Trip, bed: datetime, usual: datetime) -> datetime:
    """``bed``, or as much later as the hours at work before ``usual`` ask for; ``usual`` at the latest."""
    day = zones.shown(usual, trip.destination).date()
    ends = [span.end + TO_WORK for span in working_hours(trip, day, trip.destination) if span.end <= usual]
    return min(max([bed, *ends]), max(bed, usual))


def works_at_night(trip: Trip, table: Timetable) -> bool:
    """Whether hours at work fall into the nights that ``table`` has at the destination."""
    days = dates(trip.arrival_date, table.last)
    nights = [Span(wake - trip.night, wake) for wake in map(table.wake_at_destination, days)]
    return any(span.meets(night) for span in working_hours(trip, table.last, trip.destination) for night in nights)


def window(trip: Trip, wake: datetime, first: int, last: int, slot: float) -> tuple[int, int]:
    """Slots (of ``slot`` hours) by which the night before ``wake`` may move and keep clear of work.

    A night that is not clear of it at the usual hours stays where it is: 0, 0 at the least.
    """
    day = zones.shown(wake, trip.destination).date()
    for span in working_hours(trip, day + 2 * DAY, trip.destination):
        if span.start >= wake:
            last = max(min(last, int((span.start - TO_WORK - wake) / HOUR // slot)), 0)
        elif span.end <= wake - trip.night:
            first = min(max(first, -int((wake - trip.night - TO_WORK - span.end) / HOUR // slot)), 0)
    return first, last
