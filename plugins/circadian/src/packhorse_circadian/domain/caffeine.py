"""Until when coffee does no harm."""

from datetime import timedelta

from packhorse_circadian.domain.ground import Course
from packhorse_circadian.domain.orders import Order, Span
from packhorse_circadian.domain.shift import HOUR

# Gardiner et al. 2023 (Sleep Med Rev 69:101764): a coffee of about 107 mg
# shortens sleep unless taken 8.8 h before bed. The specification says 9 h.
BEFORE_BED = 9 * HOUR
SHORTEST = timedelta(minutes=30)


def caffeine(course: Course) -> tuple[Order, ...]:
    """For each sleep a cut-off exactly 9 h before it, and the hours before that as free for coffee.

    Nothing where the cut-off would fall on the flight, on the way to it or into a sleep.
    """
    if not course.body.trip.caffeine:
        return ()
    orders = []
    for sleep in course.sleeps:
        if sleep.start >= course.away.span.end:
            break  # the night after the plan's last date is on no page of it
        cutoff = sleep.start - BEFORE_BED
        for stay in course.stays:
            for awake in stay.awake:
                if not awake.start < cutoff < awake.end:
                    continue
                free = Span(awake.start, cutoff)
                if free.length >= SHORTEST:
                    orders.append(Order("caffeine_ok", free.start, end=free.end, place=stay.place))
                orders.append(Order("caffeine_cutoff", cutoff, place=stay.place))
    return tuple(orders)
