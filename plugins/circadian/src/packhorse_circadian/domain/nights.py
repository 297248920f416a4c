"""When to sleep: at home, on the flight and after landing."""

from datetime import datetime, timedelta
from typing import Literal

from attrs import evolve, field, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import Timetable, dates
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.trip import LEAST_NIGHT, Trip
from packhorse_circadian.domain.work import early_bed, late_rising

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
# Nobody is kept awake for longer than this for the clock's sake: after 17 to 19 h people react as slowly as with 0.5
# per mille of alcohol in the blood (Williamson & Feyer 2000, Occup Environ Med 57:649).
LONGEST_AWAKE = 20 * HOUR
# Nobody falls asleep on purpose soon after a night: wait this long after waking.
AWAKE_FIRST = 5 * HOUR
# With room for this much, sleep by the body's night where the destination's has no part in it.
LONG_REST = 3 * HOUR
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


def sleeps(table: Timetable) -> tuple[Sleep, ...]:
    """Every sleep of the trip in order, none overlapping another.

    The first is the night before the plan's first morning; the last is the
    night after the plan's last evening. Nights that the flight leaves no room
    for are missing.
    """
    home = _at_origin(table)
    away = _at_destination(table)
    aboard = _on_the_way(table, home, away)
    return home + aboard + _shortened(table.trip, away, aboard)


def _at_origin(table: Timetable) -> tuple[Sleep, ...]:
    trip = table.trip
    leave = trip.departure - LEAVE_BEFORE_DEPARTURE
    nights: list[Sleep] = []
    for day in dates(trip.first_date, trip.departure_date + DAY):
        wake = table.wake_at_origin(day)
        if nights and wake - trip.night < nights[-1].end:
            continue  # a date that the zone left out, as Samoa did in 2011, has no night of its own
        bed = usual = wake - trip.night
        if wake > leave:
            # An early flight: to bed earlier, for as much of the night as still fits.
            bed = max(min(usual, leave - trip.night), usual - MOST_MOVED)
            if nights:
                bed = max(bed, nights[-1].start + DAY - MOST_MOVED)
            wake = min(bed + trip.night, leave)
        night = _snapped(bed, wake, "origin", table)
        if night and night.length >= SHORTEST_NIGHT:
            nights.append(night)
    return tuple(nights)


def _at_destination(table: Timetable) -> tuple[Sleep, ...]:
    trip = table.trip
    earliest = trip.arrival + BED_AFTER_LANDING
    again = trip.leaves_again and trip.leaves_again - LEAVE_BEFORE_DEPARTURE
    nights: list[Sleep] = []
    for day in dates(trip.arrival_date - DAY, table.last + DAY):
        wake = table.wake_at_destination(day)
        bed = wake - trip.night
        if nights and bed < nights[-1].end:
            continue  # as at the origin
        usual = wake
        if bed < earliest:
            # Landed in the middle of it: what is left, and up to 3 h longer in the morning; 7 h in any case.
            wake += MOST_MOVED
            if wake - earliest >= SHORTEST_NIGHT:
                wake = min(earliest + trip.night, max(wake, earliest + LEAST_NIGHT))
            wake = late_rising(trip, wake, usual)
            bed = earliest
        if again is not None and wake > again:
            # An early flight on: to bed earlier, as before the first.
            soonest = nights[-1].start + DAY - MOST_MOVED if nights else earliest
            bed = early_bed(trip, max(min(bed, again - trip.night), bed - MOST_MOVED, soonest), bed)
            wake = min(bed + trip.night, again)
            if wake - bed < SHORTEST_NIGHT:
                break
        night = _snapped(bed, wake, "destination", table)
        if night and night.length >= SHORTEST_NIGHT:
            nights.append(night)
    return tuple(nights)


def _on_the_way(table: Timetable, home: tuple[Sleep, ...], away: tuple[Sleep, ...]) -> tuple[Sleep, ...]:
    """Sleep on board, and at stops long enough for a bed."""
    trip = table.trip
    out = (trip.arrival - trip.departure) // DAY + 1
    there = [table.wake_at_destination(trip.arrival_date + k * DAY) for k in range(-out - 1, 2)]
    here = [table.wake_at_origin(trip.departure_date + k * DAY) for k in range(out + 2)]
    found: list[Sleep] = []
    for start, end, least in _rests(trip):
        slept = found or home
        first = max(start, slept[-1].end + AWAKE_FIRST) if slept else start
        sleeps = _parts(table, there, first, end, least)
        if not sleeps and end - first >= LONG_REST:
            landing = end == trip.arrival - WAKE_BEFORE_LANDING
            last = min(end, away[0].start - AWAKE_BEFORE_BED) if away and landing else end
            sleeps = _parts(table, here, first, last, least)
        if sleeps and slept and sleeps[0].start - slept[-1].end > LONGEST_AWAKE:
            # First a rest in the body's own night.
            rests = _parts(table, here, first, sleeps[0].start - AWAKE_FIRST, least)[:1]
            sleeps = [evolve(rest, end=min(rest.end, rest.start + LONG_REST)) for rest in rests] + sleeps
        found += sleeps
    return tuple(found)


def _rests(trip: Trip) -> list[tuple[datetime, datetime, timedelta]]:
    """From when to when sleep is possible on each flight and at each stop, and how much of it is worth while."""
    found = [
        (leaves + SLEEP_AFTER_TAKEOFF, lands - WAKE_BEFORE_LANDING, SHORTEST_IN_FLIGHT)
        for leaves, lands in trip.flights
    ]
    found += [
        (stop.arrival + BED_AFTER_LANDING, stop.departure - LEAVE_BEFORE_DEPARTURE, SHORTEST_NIGHT)
        for stop in trip.layovers
    ]
    return sorted(found)


def _parts(table: Timetable, wakings: list[datetime], first: datetime, last: datetime, least: timedelta) -> list[Sleep]:
    """What of the nights before ``wakings`` lies between ``first`` and ``last``."""
    found: list[Sleep] = []
    for wake in wakings:
        start, end = max(first, wake - table.trip.night), min(last, wake)
        if least >= SHORTEST_NIGHT and end - start >= least:
            # In a bed the night may be whole: what the way cuts off one side is slept on the other.
            start = max(first, end - table.trip.night) if end == last else start
            end = min(last, start + table.trip.night)
        sleep = _snapped(start, end, "flight", table) if end - start >= least else None
        if sleep and (not found or sleep.start >= found[-1].end + AWAKE_FIRST):
            found.append(sleep)
    return found


def _shortened(trip: Trip, away: tuple[Sleep, ...], aboard: tuple[Sleep, ...]) -> tuple[Sleep, ...]:
    """The nights away; of one that began on board, only what was not slept there."""
    if not (away and aboard) or away[0].start - aboard[-1].end >= AWAKE_BEFORE_BED:
        return away
    first, *others = away
    room = min(first.length, trip.night - aboard[-1].length)
    rest = (evolve(first, end=first.start + room),) if room >= SHORTEST_NIGHT else ()
    return (*rest, *others)


def _snapped(start: datetime, end: datetime, place: Place, table: Timetable) -> Sleep | None:
    zone = table.trip.destination if place == "destination" else table.trip.origin
    start, end = zones.whole_minute(start, zone), zones.whole_minute(end, zone)
    return Sleep(start, end, place) if end > start else None
