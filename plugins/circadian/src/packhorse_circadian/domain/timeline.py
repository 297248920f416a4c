"""A trip by the half hour: light without a plan, where light can be chosen, and the clock aimed at."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise
from math import ceil
from zoneinfo import ZoneInfo

from attrs import frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.nights import LEAVE_BEFORE_DEPARTURE, Sleep, sleeps
from packhorse_circadian.domain.population.bodies import CABIN, DARK, EVENING, INDOOR, SLOTS, Habit, ordinary_day
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.trip import LEAST_NIGHT, SETTLING, Habits, Trip
from packhorse_circadian.domain.work import working_hours

SLOT = HOUR / 2
SIMULATED = 20 * DAY
"""After landing: all but a few in a hundred bodies have arrived by then."""

# Nothing is asked for between touchdown and the way out.
OFF_THE_PLANE = timedelta(minutes=30)


@frozen(eq=False, repr=False)
class Timeline:
    """``usual`` is the light by code of every slot from ``begin``, awake; ``free`` is 1 where light can be chosen.

    ``target`` gives the hours since waking that the clock should show at each
    slot's beginning: since usual waking at the destination, before landing as
    after it. ``landed`` is in hours from ``begin``.
    """

    trip: Trip
    begin: datetime
    usual: bytes
    free: bytes
    target: tuple[float, ...]
    landed: float
    since_waking: float
    """Hours since the usual waking at the origin, at the start."""

    @cached_property
    def changes(self) -> int:
        """The slot from which the clock aimed at is put neither forward nor back until the traveller has settled.

        A change later than `SETTLING` is none of this trip's: who has arrived by then has arrived.
        """
        first = self.slot(self.trip.arrival)
        week = self.target[first : first + SETTLING // SLOT]
        steps = (round(after - before - 0.5, 3) % 24 for before, after in pairwise(week))
        return max((first + k for k, step in enumerate(steps, 1) if step), default=0)

    def at(self, slot: float) -> datetime:
        """The instant at which ``slot`` begins."""
        return self.begin + slot * SLOT

    def slot(self, at: datetime) -> int:
        """The slot whose beginning is nearest to ``at``, within the time simulated."""
        return min(max(round((at - self.begin) / SLOT), 0), len(self.usual))

    def asleep(self, sleeps: Iterable[Sleep | Span]) -> bytearray:
        """The light under these sleeps and no plan."""
        lit = bytearray(self.usual)
        for sleep in sleeps:
            first, last = self.slot(sleep.start), self.slot(sleep.end)
            lit[first:last] = bytes((DARK,)) * (last - first)
        return lit

    def late(self, low: float, entrained: float) -> float:
        """Hours by which a low at ``low`` hours from the start is later than the entrained one at the destination."""
        slot = min(int(low * 2), len(self.target) - 1)
        return (self.target[slot] + low - slot / 2 - entrained + 12) % 24 - 12


def habit(habits: Habits) -> Habit:
    """Of a sleeper, for the population: to the half hour.

    Who sleeps less than the least night is taken to have that night in the dark, before and after: every plan gives
    it, and a clock under other nights than those that it is measured by would never count as arrived.
    """
    wake = habits.wake.hour + habits.wake.minute / 60
    return Habit(round(wake * 2) / 2 % 24, round(max(habits.span, LEAST_NIGHT) / SLOT) / 2)


def usual_begin(trip: Trip) -> datetime:
    """Bedtime before the plan's first morning, down to the half hour; earlier where an early flight has it so."""
    table = Timetable(trip)
    bed = table.wake_at_origin(trip.first_date) - trip.night
    bed = min([bed, *(sleep.start for sleep in sleeps(table)[:1])])
    return bed - timedelta(minutes=bed.minute % 30, seconds=bed.second, microseconds=bed.microsecond)


def since_waking(at: datetime, zone: ZoneInfo, habits: Habits) -> float:
    """Hours since the usual waking time by the clock of ``zone``."""
    local = zones.shown(at, zone)
    return (local.hour + local.minute / 60 - habits.wake.hour - habits.wake.minute / 60) % 24


def timeline(trip: Trip, begin: datetime, simulated: timedelta = SIMULATED) -> Timeline:
    """The trip from ``begin`` to ``simulated`` after landing, as if nobody left again."""
    end = trip.arrival + simulated
    count = int((end - begin) / SLOT) // 2 * 2
    there, home = ordinary_day(habit(trip.aims)), ordinary_day(habit(trip.habits))
    start = since_waking(begin, trip.origin, trip.habits)
    work = working_hours(trip, zones.shown(end, trip.destination).date(), trip.destination)

    def before(at: datetime) -> int:
        """The slots whose middle comes earlier."""
        return min(max(ceil((at - begin) / SLOT - 0.5), 0), count)

    def lit(day: tuple[int, ...], hours: list[float]) -> bytes:
        return bytes(day[int(since * 2 + 0.5) % SLOTS] or EVENING for since in hours)

    departs, arrives = before(trip.departure), before(trip.arrival)
    target = _since_waking(begin, count, trip.destination, trip.aims)
    usual = bytearray(lit(home, _since_waking(begin, departs, trip.origin, trip.habits)))
    usual += bytes((INDOOR,)) * (arrives - departs)
    usual += lit(there, target[arrives:])
    for leaves, lands in trip.flights:
        usual[before(leaves) : before(lands)] = bytes((CABIN,)) * (before(lands) - before(leaves))
    free = bytearray(b"\1" * count)
    leave, out = before(trip.departure - LEAVE_BEFORE_DEPARTURE), before(trip.arrival + OFF_THE_PLANE)
    free[leave:out] = bytes(out - leave)
    for span in work:
        first, last = round((span.start - begin) / SLOT), round((span.end - begin) / SLOT)
        free[max(first, 0) : max(last, 0)] = bytes(max(min(last, count) - max(first, 0), 0))
    return Timeline(trip, begin, bytes(usual), bytes(free), tuple(target), (trip.arrival - begin) / HOUR, start)


def _since_waking(begin: datetime, count: int, zone: ZoneInfo, habits: Habits) -> list[float]:
    """Hours since the usual waking at the beginning of each slot: day by day, slot by slot where clocks change."""
    found: list[float] = []
    for first in range(0, count, SLOTS):
        start, end = begin + first * SLOT, begin + (first + SLOTS) * SLOT
        if start.astimezone(zone).utcoffset() == end.astimezone(zone).utcoffset():
            since = since_waking(start, zone, habits)
            found += [(since + k / 2) % 24 for k in range(SLOTS)]
        else:
            found += [since_waking(start + k * SLOT, zone, habits) for k in range(SLOTS)]
    return found[:count]
