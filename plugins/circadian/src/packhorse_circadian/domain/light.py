"""Bright light and dim light, on the right side of the body's low point.

Light before the low makes the clock later, light after it earlier (phase
response curve of Khalsa et al. 2003, J Physiol 549:945). So a delay wants
bright light before the low and dim light after it, and an advance the reverse.
"""

from datetime import timedelta

from packhorse_circadian.domain.ground import Course, Stay
from packhorse_circadian.domain.orders import Order, Span
from packhorse_circadian.domain.shift import HOUR

# How far either side of the low light is ordered: our reading of the strong
# parts of the curve of Khalsa et al. 2003, whose peaks lie about 3 h before and
# after it. For a sleeper from 23 to 7 the second ends at 10:00, the hour that
# the specification's own advice names.
BEFORE_LOW = 8 * HOUR
AFTER_LOW = 6 * HOUR

# Eastman & Burgess 2009 shifted people with two to three and a half hours of bright light a day.
LONGEST_BRIGHT = 3 * HOUR
SHORTEST = timedelta(minutes=30)


def light(course: Course) -> tuple[Order, ...]:
    """One bright and one dim stretch for each low, where waking hours on the ground allow."""
    if not course.body.sign:
        return ()
    return tuple(order for stay in course.stays for order in _at(stay, delay=course.body.sign > 0))


def _at(stay: Stay, *, delay: bool) -> list[Order]:
    orders = []
    for low in stay.lows:
        before = [part for awake in stay.awake if _enough(part := Span(low.at - BEFORE_LOW, low.at).within(awake))]
        after = [part for awake in stay.awake if _enough(part := Span(low.at, low.at + AFTER_LOW).within(awake))]
        seek, shun = (before, after) if delay else (after, before)
        if seek:
            # The stretch nearest the low works best.
            span = seek[-1] if delay else seek[0]
            length = min(span.length, LONGEST_BRIGHT)
            start = span.end - length if delay else span.start
            orders.append(Order("bright_light", start, end=start + length, place=stay.place))
        orders += [Order("dim_light", span.start, end=span.end, place=stay.place) for span in shun]
    return orders


def _enough(span: Span) -> bool:
    return span.length >= SHORTEST
