"""A trip laid out in the planner's slots, and a plan in slots read back as nights and light."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

from attrs import evolve, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import Timetable, dates
from packhorse_circadian.domain.nights import (
    BED_AFTER_LANDING,
    LEAVE_BEFORE_DEPARTURE,
    SHORTEST_NIGHT,
    Place,
    sleeps,
)
from packhorse_circadian.domain.planner.board import Board, Night, Rows
from packhorse_circadian.domain.planner.clockwork import (
    AMBIENT,
    CABIN,
    DARK,
    DAY_SLOTS,
    SLOT,
    Gears,
    Home,
    Lights,
    State,
    home,
)
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.domain.work import window, working_hours

# Nothing is ordered between touchdown and the way out.
OFF_THE_PLANE = timedelta(minutes=30)

# Usual light indoors by day: the level of the published comparisons.
AMBIENT_LUX = 200.0

NIGHTS = 10
"""Nights at the destination that the search may move."""
SIMULATED = 20 * DAY

# Eastman & Burgess 2009 (Sleep Med Clin 4:241): bedtimes and light can move the clock 1 h a day at home; 2 h a day
# gained little more and broke sleep (Eastman et al. 2005, Sleep 28:33).
PREPARED_A_DAY = 2
"""Slots a day."""
MOST_MOVED = 6
"""Slots by which nights after landing move from one to the next at most: 3 h."""
HOUR_OF_CHANGE = 1.0
"""Hours by which clocks change in spring and autumn."""
WINDOW, WIDE_WINDOW = (-4, 4), (-7, 8)
"""Slots that bedtime after landing may lie off the usual one: 2 h either way, and for shifts above 10 h all that the
published comparison allowed; the narrow window met every bar there too."""
WIDE_FROM = 10.0
BOTH_WAYS = 9.5
"""Hours of shift from which on nights may move either way: the shorter way round is not always the faster."""
_FREE = 10**6


@frozen(eq=False, repr=False)
class Start:
    """When the simulation begins, and the clock of each sleeper at that moment."""

    at: datetime
    of: Callable[[Home], State]


@frozen(eq=False, repr=False)
class Voyage:
    """The board of a trip.

    ``days`` names each of its nights: where, and the date of waking; None is the day of landing.
    """

    trip: Trip
    start: Start
    board: Board
    days: tuple[tuple[Place, date] | None, ...]

    def at(self, slot: int) -> datetime:
        """The instant at which ``slot`` begins."""
        return self.start.at + self.board.hours(slot) * HOUR

    @property
    def since(self) -> float:
        """Hours from the start to landing: days of a plan count from there."""
        return max((self.trip.arrival - self.start.at) / HOUR, 0.0)

    def timetable(self, rows: Rows, last: date) -> Timetable:
        """A plan's nights."""
        moved: dict[Place, dict[date, timedelta]] = {"origin": {}, "destination": {}, "flight": {}}
        for named, row in zip(self.days, rows, strict=True):
            if named:
                place, day = named
                moved[place][day] = row[0] * SLOT * HOUR
        return Timetable(self.trip, moved["origin"], moved["destination"], last)


def usual_start(trip: Trip) -> Start:
    """Bedtime before the plan's first morning, after weeks of habit."""
    bed = Timetable(trip).wake_at_origin(trip.first_date) - trip.night
    return Start(bed, lambda sleeper: sleeper.at(0.0))


def sleeper(trip: Trip, *, scale: float = 1.0, tau: float | None = None) -> Home:
    """The traveller at home, or one with another period or with all light so many times as bright."""
    asleep = round(trip.night / HOUR / SLOT)
    return home(asleep, Lights(AMBIENT_LUX, trip.bright_lux, scale), Gears(tau or trip.period))


def voyage(trip: Trip, start: Start) -> Voyage:
    """The trip as a board: what may move, by how much, and what is fixed."""
    table = Timetable(trip)
    shift = trip.shift.signed / HOUR
    zero = start.at
    departs = (trip.departure - zero) / HOUR
    odd = max(int(departs / SLOT), 0)
    first_bed = (table.wake_at_destination(trip.arrival_date + DAY) - trip.night - zero) / HOUR
    part = (first_bed - odd * SLOT) % SLOT
    part = part if part > 1 / 60 else SLOT

    def slot(at: datetime) -> int:
        hours = (at - zero) / HOUR
        return round(hours / SLOT) if hours <= odd * SLOT else round((hours - part - odd * SLOT) / SLOT) + odd + 1

    who = sleeper(trip)
    end_at = trip.arrival + SIMULATED if trip.leaves_again is None else min(trip.leaves_again, trip.arrival + SIMULATED)
    end = max(slot(end_at), 1)
    nights: list[Night] = []
    days: list[tuple[Place, date] | None] = []
    leave = trip.departure - LEAVE_BEFORE_DEPARTURE
    for day in dates(trip.first_date, trip.departure_date + DAY):
        wake = table.wake_at_origin(day)
        if wake <= zero or wake - trip.night + SHORTEST_NIGHT > leave:
            continue
        prepared = min((day - trip.first_date).days, trip.prep_days, max(int(abs(shift) - 1e-9), 0))
        reach = PREPARED_A_DAY * prepared
        both = abs(shift) >= BOTH_WAYS
        nights.append(
            Night(
                base=slot(wake - trip.night),
                asleep=who.asleep,
                first=-reach if both or shift > 0 else 0,
                last=reach if both or shift < 0 else 0,
                most=PREPARED_A_DAY,
                earliest=0 if wake - trip.night < zero else -_FREE,
                up_by=slot(leave),
                free_until=slot(leave),
            )
        )
        days.append(("origin", day))
    out = trip.arrival + OFF_THE_PLANE
    bed_from = max(trip.arrival + BED_AFTER_LANDING, zero)
    low, high = WIDE_WINDOW if abs(shift) > WIDE_FROM else WINDOW
    first_away = True
    wakings = [table.wake_at_destination(day) for day in dates(trip.arrival_date, trip.arrival_date + NIGHTS * DAY)]
    windows = [window(trip, wake, low, high, SLOT) for wake in wakings]
    # One window for all nights: from a weekend to a Monday they may not move by more than between other days.
    low, high = max(first for first, _ in windows), min(last for _, last in windows)
    for day in dates(trip.arrival_date - DAY, trip.arrival_date + NIGHTS * DAY):
        wake = table.wake_at_destination(day)
        if wake < bed_from + SHORTEST_NIGHT or wake - trip.night >= end_at:
            continue
        base = slot(wake - trip.night)
        if first_away:
            begin = max(out, zero)
            if wake - trip.night - begin >= HOUR:
                nights.append(Night(slot(begin), 0, 0, 0, _FREE))
                days.append(None)
        toward = round(shift / SLOT)
        # Where the clocks change between two nights, their hour is part of the move.
        most = MOST_MOVED if first_away else MOST_MOVED - abs(base - nights[-1].base - DAY_SLOTS)
        free = abs(shift) >= BOTH_WAYS or not first_away or zero > trip.departure
        nights.append(
            Night(
                base=base,
                asleep=who.asleep,
                first=low if free else max(low, min(0, toward)),
                last=high if free else min(high, max(0, toward)),
                most=_FREE if first_away else most,
                earliest=slot(bed_from),
                free_until=end,
            )
        )
        days.append(("destination", day))
        first_away = False
    if nights and days[-1] and days[-1][0] == "destination":
        # The night after the last is at the usual hours: no further from it than nights may move, clock change or not.
        most = MOST_MOVED - round(HOUR_OF_CHANGE / SLOT)
        nights[-1] = evolve(nights[-1], first=max(nights[-1].first, -most), last=min(nights[-1].last, most))
    bases = [
        slot(table.wake_at_destination(day) - trip.night)
        for day in dates(trip.arrival_date - (trip.prep_days + 4) * DAY, trip.arrival_date + SIMULATED + 2 * DAY)
    ]
    canvas = bytearray((AMBIENT,)) * end
    for base in bases:
        if base > (nights[-1].base if nights else slot(bed_from)):
            canvas[base : base + who.asleep] = bytes((DARK,)) * min(who.asleep, max(end - base, 0))
    del canvas[end:]
    board = Board(
        home=who,
        begin=start.of,
        canvas=bytes(canvas),
        fixed=_aboard(table, slot, zero),
        nights=tuple(nights),
        bedtimes=_bedtimes(bases, end),
        probes=_probes(bases, who.asleep, slot(max(trip.arrival, zero)), end),
        shift=shift,
        odd=odd,
        part=part,
        banned=_at_work(trip, slot, end_at),
        lead=sum(1 for named in days if named is None or named[0] == "origin"),
        prepared=max(
            (
                max(night.last, -night.first)
                for night, named in zip(nights, days, strict=True)
                if named and named[0] == "origin"
            ),
            default=0,
        )
        * SLOT,
    )
    return Voyage(trip, start, board, tuple(days))


def _aboard(table: Timetable, slot: Callable[[datetime], int], zero: datetime) -> tuple[tuple[int, bytes], ...]:
    """The cabin, and sleep in it; of a flight under way, what is left."""
    found = []
    trip = table.trip
    stretches = [(leaves, lands, CABIN) for leaves, lands in trip.flights]
    stretches += [(sleep.start, sleep.end, DARK) for sleep in sleeps(table) if sleep.place == "flight"]
    for start, end, code in stretches:
        first, last = max(slot(max(start, zero)), 0), slot(max(end, zero))
        if last > first:
            found.append((first, bytes((code,)) * (last - first)))
    return tuple(found)


def _bedtimes(bases: list[int], end: int) -> tuple[int, ...]:
    """For each slot's beginning, the slots since the destination's usual bedtime; a day of 23 or 25 hours included."""
    found = []
    at = 0
    for k in range(end + 1):
        while at + 1 < len(bases) and bases[at + 1] <= k:
            at += 1
        found.append((k - bases[at]) % DAY_SLOTS)
    return tuple(found)


def _probes(bases: list[int], asleep: int, landed: int, end: int) -> tuple[int, ...]:
    found = tuple(probe for base in bases if landed < (probe := base + asleep - 5) <= end)
    return found or (end,)


def _at_work(trip: Trip, slot: Callable[[datetime], int], end: datetime) -> tuple[tuple[int, int], ...]:
    """Weekday hours at work after landing, in which no light can be chosen."""
    if trip.working is None:
        return ()
    hours = working_hours(trip, zones.shown(end, trip.destination).date(), trip.destination)
    # A shift may have begun before the plan does, and one on its last evening may end after it.
    cut = ((max(slot(span.start), 0), min(slot(span.end), slot(end))) for span in hours)
    return tuple((first, last) for first, last in cut if last > first)
