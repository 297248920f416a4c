"""Until when coffee does no harm."""

from datetime import timedelta
from math import ceil, log2

from packhorse_circadian.domain.ground import Course
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.shift import HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.trip import Trip

# Gardiner et al. 2023 (Sleep Med Rev 69:101764): a coffee of about 107 mg
# shortens sleep unless taken 8.8 h before bed. The specification says 9 h.
BEFORE_BED = 9 * HOUR
USUAL_MG = 107.0
USUAL_HALF_LIFE = 5 * HOUR
SHORTEST = timedelta(minutes=30)

# What those 107 mg leave in the blood after 8.8 h at a half-life of 5 h. The same review's 13.2 h for 217 mg is 13.9 h
# by this rule.
HARMLESS_MG = 107 * 2 ** (-8.8 / 5)
_BOUNDS = (4 * HOUR, 18 * HOUR)


def before_bed(trip: Trip) -> timedelta:
    """How long before bed the last cup is: 9 h, or by its caffeine and the traveller's half-life where told.

    Until no more is left than the cup of the review leaves; to the quarter
    hour, 4 to 18 h.
    """
    usual = trip.caffeine_half_life == USUAL_HALF_LIFE
    if trip.caffeine_mg is None and usual:
        return BEFORE_BED
    halvings = log2((trip.caffeine_mg or USUAL_MG) / HARMLESS_MG)
    quarters = ceil(halvings * (trip.caffeine_half_life / HOUR) * 4)
    return min(max(quarters * HOUR / 4, _BOUNDS[0]), _BOUNDS[1])


def without_on_the_way(course: Course) -> tuple[Span, ...]:
    """The stretches without caffeine that reach into the journey, each to the end of the last sleep that it is for.

    From `before_bed` before the first sleep, or from waking where a night at
    home ends later; sleeps that follow before another cup would do no harm
    prolong it.
    """
    trip = course.trip
    found: list[Span] = []
    awake = max((sleep.end for sleep in course.sleeps if sleep.start < trip.departure), default=None)
    for sleep in course.sleeps:
        if sleep.start < trip.departure:
            continue
        stops = sleep.start - before_bed(trip)
        stops = max(stops, awake) if awake else stops
        if stops >= trip.arrival:
            break
        if found and stops - found[-1].end < SHORTEST:
            found[-1] = Span(found[-1].start, sleep.end)
        else:
            found.append(Span(stops, sleep.end))
    return tuple(found)


def caffeine(course: Course) -> tuple[Order, ...]:
    """For each sleep a cut-off before it (`before_bed`), and the hours before that as free for coffee.

    Nothing where the cut-off would fall on the flight, on the way to it, into a
    sleep or before an earlier one, which has its own.
    """
    if not course.trip.caffeine:
        return ()
    orders = []
    stopped: set[Span] = set()
    for sleep in course.sleeps:
        if sleep.start >= course.away.span.end:
            break  # the night after the plan's last date is on no page of it
        cutoff = sleep.start - before_bed(course.trip)
        for stay in course.stays:
            for awake in stay.awake:
                if not awake.start < cutoff < awake.end or awake in stopped:
                    continue
                stopped.add(awake)
                free = Span(awake.start, cutoff)
                if free.length >= SHORTEST:
                    orders.append(Order("caffeine_ok", free.start, end=free.end, place=stay.place))
                orders.append(Order("caffeine_cutoff", cutoff, place=stay.place))
    return tuple(orders)
