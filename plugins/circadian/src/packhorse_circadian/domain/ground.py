"""The waking hours on the ground, where everything but sleep is ordered."""

from datetime import time

from attrs import frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import BodyClock, Low, Timetable
from packhorse_circadian.domain.nights import LEAVE_BEFORE_DEPARTURE, Place, Sleep
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span, between
from packhorse_circadian.domain.timeline import OFF_THE_PLANE
from packhorse_circadian.domain.trip import Trip

# With less than this left, the clock counts as arrived: the bar of the published comparisons.
ARRIVED = HOUR


@frozen(repr=False)
class Stay:
    """A stretch on the ground at one place: from when to when, the sleeps and the body's lows in it."""

    place: Place
    span: Span
    awake: tuple[Span, ...]
    lows: tuple[Low, ...]


@frozen(repr=False)
class Course:
    """The whole trip: every sleep, and the two stays around the journey."""

    table: Timetable
    body: BodyClock
    sleeps: tuple[Sleep, ...]
    home: Stay
    away: Stay

    @property
    def trip(self) -> Trip:
        """The trip it is for."""
        return self.table.trip

    @property
    def stays(self) -> tuple[Stay, Stay]:
        """Before and after the journey."""
        return (self.home, self.away)


def stays(table: Timetable, slept: tuple[Sleep, ...], lows: tuple[Low, ...] = ()) -> tuple[Stay, Stay]:
    """The waking hours before and after the journey.

    From midnight of the plan's first date to midnight of its last, or to the way to the flight back.
    """
    trip = table.trip
    home = Span(zones.instant(trip.first_date, time(0), trip.origin), trip.departure - LEAVE_BEFORE_DEPARTURE)
    until = zones.instant(table.last + DAY, time(0), trip.destination)
    if trip.leaves_again is not None:
        until = min(until, trip.leaves_again - LEAVE_BEFORE_DEPARTURE)
    away = Span(trip.arrival + OFF_THE_PLANE, until)
    return _stay("origin", home, slept, lows), _stay("destination", away, slept, lows)


def _stay(place: Place, span: Span, slept: tuple[Sleep, ...], lows: tuple[Low, ...]) -> Stay:
    beds = [Span(sleep.start, sleep.end) for sleep in slept if sleep.place == place]
    around = tuple(low for low in lows if span.start - DAY / 2 <= low.at <= span.end + DAY / 2 and low.left >= ARRIVED)
    return Stay(place, span, between(beds, span), around)
