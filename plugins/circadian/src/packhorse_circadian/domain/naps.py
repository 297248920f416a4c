"""A short nap on the first days, where it does not spoil the night."""

from collections.abc import Sequence
from datetime import timedelta

from packhorse_circadian.domain.body import DAILY_MOVE
from packhorse_circadian.domain.ground import Course
from packhorse_circadian.domain.orders import Order, Span
from packhorse_circadian.domain.shift import DAY, HOUR

# Ten to thirty minutes refresh without grogginess: Brooks & Lack 2006, Sleep 29:831.
LENGTH = timedelta(minutes=30)
# Awake for at least this long before the night, so that enough tiredness is
# left: the landed original's rule.
BEFORE_BED = 7 * HOUR
AFTER_LANDING = 2.5 * HOUR
# The early-afternoon dip of a sleeper from 23 to 7 lies nine to ten hours before bed.
BEST_BEFORE_BED = 9.5 * HOUR

# With less of the shift left, nights are good enough.
SMALLEST_LEFT = 3 * DAILY_MOVE
DAYS = 2

_STEP = timedelta(minutes=15)


def naps(course: Course, taken: Sequence[Order]) -> tuple[Order, ...]:
    """At most one nap on each of the first two days after landing, clear of every order in ``taken``."""
    trip = course.body.trip
    if course.body.left(trip.arrival_date) < SMALLEST_LEFT:
        return ()
    busy = [Span(order.start, order.end or order.start + _STEP) for order in taken if order.kind != "caffeine_ok"]
    beds = [sleep for sleep in course.sleeps if sleep.place == "destination"]
    found = []
    for bed in beds:
        first = max(trip.arrival + AFTER_LANDING, bed.start - DAY / 2)
        last = bed.start - BEFORE_BED - LENGTH
        if last > trip.arrival + DAYS * DAY:
            break
        best = max(first, bed.start - BEST_BEFORE_BED)
        tries = [best + n * _STEP for n in range(20)] + [best - n * _STEP for n in range(1, 20)]
        for start in tries:
            nap = Span(start, start + LENGTH)
            awake = any(span.start <= nap.start and nap.end <= span.end for span in course.away.awake)
            if first <= start <= last and awake and not any(nap.meets(other) for other in busy):
                found.append(Order("nap", nap.start, end=nap.end, place="destination"))
                break
    return tuple(found)
