"""When a small dose of melatonin helps the clock along."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import Low
from packhorse_circadian.domain.ground import Course, Stay
from packhorse_circadian.domain.nights import LEAVE_BEFORE_DEPARTURE
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.shift import HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.work import is_weekday, working_hours

# Burgess, Revell, Molina & Eastman 2010 (J Clin Endocrinol Metab 95:3325):
# 0.5 mg advances most when taken 2 to 4 h before the onset of the body's own
# melatonin (3 mg about 5 h before), and delays most soon after waking.
BEFORE_ONSET: Mapping[float, tuple[timedelta, timedelta]] = {0.5: (4 * HOUR, 2 * HOUR), 3.0: (6 * HOUR, 4 * HOUR)}
AFTER_WAKING = timedelta(minutes=15)
# The delaying half of that curve, as hours after the onset of melatonin.
DELAYS_FROM, DELAYS_UNTIL = 5.5 * HOUR, 15.5 * HOUR

# Shifts below this need no medicine: the Cochrane review (Herxheimer & Petrie
# 2002, CD001520) recommends it from five zones and allows it from two.
SMALLEST_SHIFT = 2 * HOUR

# No driving or work for 5 h after a dose: none in the hours before leaving home, and none before the way from the
# airport is done.
SLEEPY = 5 * HOUR
AFTER_LANDING = 2 * HOUR

# Where lows follow one another faster or slower than this the clock is turning over, and has no phase to dose by.
STEADY = (20 * HOUR, 28 * HOUR)

# One dose a day; lows may lie closer where a large shift turns the clock over.
BETWEEN = 18 * HOUR

_STEP = timedelta(minutes=15)


def melatonin(course: Course, lights: Iterable[Order] = ()) -> tuple[Order, ...]:
    """A dose for each low; none where its window is slept through, too near the flight or the clock turns over.

    No dose falls into bright light, which keeps the night from beginning.
    """
    bright = [Span(light.start, light.end) for light in lights if light.kind == "bright_light" and light.end]
    trip = course.trip
    if not trip.melatonin or trip.shift.size < SMALLEST_SHIFT or course.body.way == "none":
        return ()
    earliest, latest = trip.arrival + AFTER_LANDING, trip.departure - LEAVE_BEFORE_DEPARTURE - SLEEPY
    times = _after_waking if course.body.way == "delay" else _before_onset
    turning = _turning(course.body.lows)
    orders: list[Order] = []
    for stay in course.stays:
        steady = [low for low in stay.lows if low.at not in turning]
        doses = {at for low in steady if (at := times(low, stay, trip.melatonin_mg, bright))}
        for at in sorted(doses):
            if (at > latest if stay.place == "origin" else at < earliest) or _meets_work(at, course, stay):
                continue
            if not orders or at - orders[-1].start >= BETWEEN:
                orders.append(Order("melatonin", at, place=stay.place, dose_mg=trip.melatonin_mg))
    return tuple(orders)


def _meets_work(at: datetime, course: Course, stay: Stay) -> bool:
    """Whether the hours after a dose meet told hours of work; on waking at home, any morning from Monday to Friday."""
    trip, there = course.trip, stay.place == "destination"
    if course.body.way == "delay" and there == trip.homeward:
        return is_weekday(zones.shown(at, trip.destination if there else trip.origin))
    work = working_hours(trip, course.table.last, trip.destination) if there else []
    return any(span.meets(Span(at, at + SLEEPY)) for span in work)


def _turning(lows: Iterable[Low]) -> set[datetime]:
    """The lows beside one that comes too soon or too late."""
    pairs = pairwise(low.at for low in lows)
    return {at for pair in pairs if not STEADY[0] <= pair[1] - pair[0] <= STEADY[1] for at in pair}


def _before_onset(low: Low, stay: Stay, dose_mg: float, bright: Sequence[Span]) -> datetime | None:
    first, last = (low.onset - edge for edge in BEFORE_ONSET[dose_mg])
    middle = first + (last - first) / 2
    middle -= timedelta(minutes=middle.minute % 15, seconds=middle.second, microseconds=middle.microsecond)
    tries = [middle + side * n * _STEP for n in range(5) for side in (1, -1)]
    dark = [at for at in tries if not any(span.start <= at < span.end for span in bright)]
    return next((at for at in dark if any(awake.holds(at) for awake in stay.awake)), None)


def _after_waking(low: Low, stay: Stay, dose_mg: float, bright: Sequence[Span]) -> datetime | None:
    first, last = low.onset + DELAYS_FROM, low.onset + DELAYS_UNTIL
    doses = [awake.start + AFTER_WAKING for awake in stay.awake if awake.start > stay.span.start]
    dark = [at for at in doses if not any(span.start <= at < span.end for span in bright)]
    return next((at for at in dark if first <= at <= last), None)
