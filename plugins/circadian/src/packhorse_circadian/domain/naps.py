"""A short nap on the first days, when sleep pressure is highest and where it does not spoil the night."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from packhorse_circadian.domain.alertness import alertness, wakeful
from packhorse_circadian.domain.ground import Course
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.work import working_hours

# Ten to thirty minutes refresh without grogginess: Brooks & Lack 2006, Sleep 29:831.
LENGTH = timedelta(minutes=30)
# Awake for at least this long before the night, so that enough tiredness is
# left: the landed original's rule.
BEFORE_BED = 7 * HOUR
AFTER_LANDING = 2.5 * HOUR
# The early-afternoon dip of a sleeper from 23 to 7 lies nine to ten hours before bed.
BEST_BEFORE_BED = 9.5 * HOUR

# With less of the shift left, nights are good enough.
SMALLEST_LEFT = 3 * HOUR
DAYS = 2

_STEP = timedelta(minutes=15)


def naps(course: Course, taken: Sequence[Order]) -> tuple[Order, ...]:
    """At most one nap on each of the first two days after landing, clear of every order in ``taken``."""
    trip = course.trip
    if not trip.naps or course.body.way == "none" or course.body.near(trip.arrival).left < SMALLEST_LEFT:
        return ()
    busy = [Span(order.start, order.end or order.start + _STEP) for order in taken if order.kind != "caffeine_ok"]
    busy += working_hours(trip, course.table.last, trip.destination)
    asleep = [Span(sleep.start, sleep.end) for sleep in course.sleeps]
    found = []
    for bed in (sleep for sleep in course.sleeps if sleep.place == "destination"):
        first = max(trip.arrival + AFTER_LANDING, bed.start - DAY / 2)
        last = bed.start - BEFORE_BED - LENGTH
        if last > trip.arrival + DAYS * DAY:
            break
        free = [start for start in _quarters(first, last) if _fits(Span(start, start + LENGTH), course, busy)]
        sleepy = alertness(free, asleep[0].start, asleep, course.body)
        if sleepy:
            # Of hours as sleepy as each other, the one nearest to the dip of the afternoon.
            best = min(sleepy, key=lambda alert: (alert.score, abs(alert.at - (bed.start - BEST_BEFORE_BED))))
            found.append(Order("nap", best.at, end=best.at + LENGTH, place="destination"))
    return tuple(found)


def _quarters(first: datetime, last: datetime) -> list[datetime]:
    return [first + n * _STEP for n in range(int((last - first) / _STEP) + 1)] if last >= first else []


def _fits(nap: Span, course: Course, busy: Sequence[Span]) -> bool:
    """Whether it lies in waking hours, clear of everything else, and at a time at which sleep comes."""
    awake = any(span.start <= nap.start and nap.end <= span.end for span in course.away.awake)
    return awake and not wakeful(nap.start, course.body) and not any(nap.meets(other) for other in busy)
