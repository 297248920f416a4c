"""When to sleep: at home, on the flight and after landing."""

from datetime import datetime, timedelta
from typing import Literal

from attrs import evolve, field, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import BodyClock, dates
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.trip import Trip

Place = Literal["origin", "flight", "destination"]

# Airlines ask for check-in two to three hours before a long flight; the way
# there is in it too. Every order at home ends by then.
LEAVE_BEFORE_DEPARTURE = 3 * HOUR

# Border, luggage and the way to bed after landing.
BED_AFTER_LANDING = 1.5 * HOUR

# A night that landing or take-off would cut below this is not planned at all:
# two sleep cycles of about 90 minutes (Carskadon & Dement, Principles and
# Practice of Sleep Medicine) are the least worth undressing for.
SHORTEST_NIGHT = 3 * HOUR

# Planned bedtimes and waking times move no further than this from one night to
# the next; more broke sleep in the protocols cited in `body`.
MOST_MOVED = 3 * HOUR

# On board: settle first, and be awake for the landing.
SLEEP_AFTER_TAKEOFF = timedelta(minutes=45)
WAKE_BEFORE_LANDING = HOUR
SHORTEST_IN_FLIGHT = HOUR
# Nobody falls asleep on purpose soon after a night: wait this long after waking.
AWAKE_FIRST = 5 * HOUR
# On flights this long, sleep by the body's night where the destination's has no part in them.
LONG_FLIGHT = 5 * HOUR
# Such a sleep must leave enough tiredness for the first night in a bed.
AWAKE_BEFORE_BED = 8 * HOUR


@frozen
class Sleep:
    """One sleep, ``start`` to ``end`` in UTC, and where it is slept."""

    start: datetime
    end: datetime = field()
    place: Place

    @end.validator
    def _after_start(self, _: object, value: datetime) -> None:
        if value <= self.start:
            raise ValueError("a sleep ends after it starts")

    @property
    def length(self) -> timedelta:
        """Time asleep."""
        return self.end - self.start


def sleeps(trip: Trip) -> tuple[Sleep, ...]:
    """Every sleep of the trip in order, none overlapping another.

    The first is the night before the plan's first morning; the last is the
    night after the plan's last evening. Nights that the flight leaves no room
    for are missing.
    """
    body = BodyClock(trip)
    home = _at_origin(body)
    away = _at_destination(body)
    aboard = _in_flight(body, home, away)
    return home + aboard + _shortened(trip, away, aboard)


def _at_origin(body: BodyClock) -> tuple[Sleep, ...]:
    trip = body.trip
    leave = trip.departure - LEAVE_BEFORE_DEPARTURE
    nights: list[Sleep] = []
    for day in dates(trip.first_date, trip.departure_date + DAY):
        wake = body.wake_at_origin(day)
        if nights and wake - trip.habits.span < nights[-1].end:
            continue  # a date that the zone left out, as Samoa did in 2011, has no night of its own
        bed = usual = wake - trip.habits.span
        if wake > leave:
            # An early flight: to bed earlier, for as much of the night as still fits.
            bed = max(min(usual, leave - trip.habits.span), usual - MOST_MOVED)
            if nights:
                bed = max(bed, nights[-1].start + DAY - MOST_MOVED)
            wake = min(bed + trip.habits.span, leave)
        night = _snapped(bed, wake, "origin", body)
        if night and night.length >= SHORTEST_NIGHT:
            nights.append(night)
    return tuple(nights)


def _at_destination(body: BodyClock) -> tuple[Sleep, ...]:
    trip = body.trip
    earliest = trip.arrival + BED_AFTER_LANDING
    nights: list[Sleep] = []
    for day in dates(trip.arrival_date - DAY, trip.arrival_date + body.days_after * DAY):
        wake = body.wake_at_destination(day)
        bed = wake - trip.habits.span
        if nights and bed < nights[-1].end:
            continue  # as at the origin
        if bed < earliest:
            # Landed in the middle of it: what is left, and up to 3 h longer in the morning.
            wake = min(earliest + trip.habits.span, wake + MOST_MOVED)
            bed = earliest
        night = _snapped(bed, wake, "destination", body)
        if night and night.length >= SHORTEST_NIGHT:
            nights.append(night)
    return tuple(nights)


def _in_flight(body: BodyClock, home: tuple[Sleep, ...], away: tuple[Sleep, ...]) -> tuple[Sleep, ...]:
    trip = body.trip
    first = trip.departure + SLEEP_AFTER_TAKEOFF
    last = trip.arrival - WAKE_BEFORE_LANDING
    if home:
        first = max(first, home[-1].end + AWAKE_FIRST)

    def part(wake: datetime, last: datetime) -> Sleep | None:
        start, end = max(first, wake - trip.habits.span), min(last, wake)
        long_enough = end - start >= SHORTEST_IN_FLIGHT
        return _snapped(start, end, "flight", body) if long_enough else None

    there = [body.wake_at_destination(trip.arrival_date + n * DAY) for n in (-2, -1, 0, 1)]
    found = [sleep for wake in there if (sleep := part(wake, last))]
    if not found and trip.flight >= LONG_FLIGHT:
        if away:
            last = min(last, away[0].start - AWAKE_BEFORE_BED)
        here = [body.wake_at_origin(trip.departure_date + n * DAY) for n in (0, 1, 2)]
        found = [sleep for wake in here if (sleep := part(wake, last))]
    return tuple(found)


def _shortened(trip: Trip, away: tuple[Sleep, ...], aboard: tuple[Sleep, ...]) -> tuple[Sleep, ...]:
    """The nights away; of one that began on board, only what was not slept there."""
    if not (away and aboard) or away[0].start - aboard[-1].end >= AWAKE_BEFORE_BED:
        return away
    first, *others = away
    room = min(first.length, trip.habits.span - aboard[-1].length)
    rest = (evolve(first, end=first.start + room),) if room >= SHORTEST_NIGHT else ()
    return (*rest, *others)


def _snapped(start: datetime, end: datetime, place: Place, body: BodyClock) -> Sleep | None:
    zone = body.trip.destination if place == "destination" else body.trip.origin
    start, end = zones.whole_minute(start, zone), zones.whole_minute(end, zone)
    return Sleep(start, end, place) if end > start else None
