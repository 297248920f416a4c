"""Exercise, in the hours of bright light."""

from collections.abc import Iterable
from datetime import timedelta

from packhorse_circadian.domain.ground import Course
from packhorse_circadian.domain.orders import Order

# An hour of moderate exercise moves the clock much as light of the same hours does: earlier in the morning and early
# afternoon, later in the evening (Youngstedt, Elliott & Kripke 2019, J Physiol 597:2253).
LENGTH = timedelta(minutes=45)
# Exertion just before bed delays sleep: the review of Stutz, Eiholzer & Spengler 2019 (Sports Med 49:269) finds it for
# vigorous exercise that ends an hour before bed or later.
BEFORE_BED = timedelta(minutes=90)
BETWEEN = timedelta(hours=12)


def exercise(course: Course, light: Iterable[Order]) -> tuple[Order, ...]:
    """Where asked for, exercise once a day, at the beginning of a block of bright light that leaves room before bed."""
    if not course.trip.exercise:
        return ()
    beds = [sleep.start for sleep in course.sleeps]
    found: list[Order] = []
    for block in sorted(light, key=lambda block: block.start):
        end = block.start + LENGTH
        early = all(not block.start <= bed < end + BEFORE_BED for bed in beds)
        again = bool(found) and block.start - found[-1].start < BETWEEN
        if block.kind == "bright_light" and block.end and block.end >= end and early and not again:
            found.append(Order("exercise", block.start, end=end, place=block.place))
    return tuple(found)
