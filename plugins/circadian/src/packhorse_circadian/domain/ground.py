"""The waking hours on the ground, where everything but sleep is ordered."""

from datetime import time, timedelta

from attrs import frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import BodyClock, Low, dates
from packhorse_circadian.domain.nights import LEAVE_BEFORE_DEPARTURE, Place, Sleep, sleeps
from packhorse_circadian.domain.orders import Span, between
from packhorse_circadian.domain.shift import DAY, NOTHING
from packhorse_circadian.domain.trip import Trip

# Nothing is ordered between touchdown and the way out.
OFF_THE_PLANE = timedelta(minutes=30)


@frozen
class Stay:
    """A stretch on the ground at one place: from when to when, the sleeps and the body's lows in it."""

    place: Place
    span: Span
    awake: tuple[Span, ...]
    lows: tuple[Low, ...]


@frozen
class Course:
    """The whole trip: every sleep, and the two stays around the flight."""

    body: BodyClock
    sleeps: tuple[Sleep, ...]
    home: Stay
    away: Stay

    @property
    def stays(self) -> tuple[Stay, Stay]:
        """Before and after the flight."""
        return (self.home, self.away)


def course(trip: Trip) -> Course:
    """The trip laid out, from midnight of the plan's first date to midnight after its last."""
    body = BodyClock(trip)
    slept = sleeps(trip)
    last = trip.arrival_date + body.days_after * DAY
    home = Span(zones.instant(trip.first_date, time(0), trip.origin), trip.departure - LEAVE_BEFORE_DEPARTURE)
    away = Span(trip.arrival + OFF_THE_PLANE, zones.instant(last, time(0), trip.destination))
    return Course(
        body=body,
        sleeps=slept,
        home=_stay(
            "origin",
            home,
            slept,
            tuple(body.low_at_origin(day) for day in dates(trip.first_date, trip.departure_date + 2 * DAY)),
        ),
        away=_stay(
            "destination",
            away,
            slept,
            tuple(
                low
                for day in dates(trip.arrival_date - DAY, last + DAY)
                if (low := body.low_at_destination(day)).left > NOTHING
            ),
        ),
    )


def _stay(place: Place, span: Span, slept: tuple[Sleep, ...], lows: tuple[Low, ...]) -> Stay:
    beds = [Span(sleep.start, sleep.end) for sleep in slept if sleep.place == place]
    return Stay(place, span, between(beds, span), lows)
