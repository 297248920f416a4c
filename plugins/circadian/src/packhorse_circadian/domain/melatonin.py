"""When a small dose of melatonin helps the clock along."""

from datetime import datetime, timedelta

from packhorse_circadian.domain.body import Low
from packhorse_circadian.domain.ground import Course, Stay
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.shift import HOUR

DOSE_MG = 0.5

# Burgess, Revell, Molina & Eastman 2010 (J Clin Endocrinol Metab 95:3325):
# 0.5 mg advances most when taken 2 to 4 h before the onset of the body's own
# melatonin (5 h is the best time of 3 mg), and delays most soon after waking.
BEFORE_ONSET = (4 * HOUR, 2 * HOUR)
AFTER_WAKING = timedelta(minutes=15)
# The delaying half of that curve, as hours after the onset of melatonin.
DELAYS_FROM, DELAYS_UNTIL = 5.5 * HOUR, 15.5 * HOUR

# Shifts below this need no medicine: the Cochrane review (Herxheimer & Petrie
# 2002, CD001520) recommends it from five zones and allows it from two.
SMALLEST_SHIFT = 2 * HOUR

# No driving for 5 h after a dose: none in the hours before leaving home, and
# none before the way from the airport is done.
BEFORE_DEPARTURE = 5 * HOUR
AFTER_LANDING = 2 * HOUR

_STEP = timedelta(minutes=15)


def melatonin(course: Course) -> tuple[Order, ...]:
    """One dose for each low, or none where its window is slept through or too near the flight."""
    trip = course.body.trip
    if not trip.melatonin or course.body.whole < SMALLEST_SHIFT:
        return ()
    earliest, latest = trip.arrival + AFTER_LANDING, trip.departure - BEFORE_DEPARTURE
    times = _after_waking if course.body.sign > 0 else _before_onset
    orders = []
    for stay in course.stays:
        doses = {at for low in stay.lows if (at := times(low, stay))}
        orders += [
            Order("melatonin", at, place=stay.place)
            for at in sorted(doses)
            if (at <= latest if stay.place == "origin" else at >= earliest)
        ]
    return tuple(orders)


def _before_onset(low: Low, stay: Stay) -> datetime | None:
    first, last = (low.onset - edge for edge in BEFORE_ONSET)
    middle = first + (last - first) / 2
    tries = [middle + side * n * _STEP for n in range(5) for side in (1, -1)]
    return next((at for at in tries if any(awake.holds(at) for awake in stay.awake)), None)


def _after_waking(low: Low, stay: Stay) -> datetime | None:
    first, last = low.onset + DELAYS_FROM, low.onset + DELAYS_UNTIL
    doses = [awake.start + AFTER_WAKING for awake in stay.awake if awake.start > stay.span.start]
    return next((at for at in doses if first <= at <= last), None)
