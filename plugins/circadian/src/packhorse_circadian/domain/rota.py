"""Shifts at work, and the sleeps that they leave room for, by the half hour."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from attrs import evolve, field, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import dates
from packhorse_circadian.domain.population.bodies import DARK, EVENING, INDOOR, OUTDOOR, parameters
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.timeline import SLOT
from packhorse_circadian.domain.trip import LEAST_NIGHT, Habits

LONGEST_SHIFT = 24 * HOUR
MOST_DAYS = 28
"""Of shifts, from the first start to the last end."""
JOINED = HOUR
"""Shifts with less between them are one: nobody goes home."""
AFTERWARDS = 4 * DAY
"""Days after the last shift that are planned: the way back."""
SEEN = 4 * DAY
"""After those at usual hours, in which what the plan leaves behind still costs sleep."""
UNWIND = HOUR
"""At home before a sleep and after it. Day sleeps of trials began 1.5 h after the shift, with half an hour on the way
(Smith & Eastman 2012, Nat Sci Sleep 4:111)."""
DAY_SLEEP = 7 * HOUR
"""The dark bed of the same trials, and the least that adults need (Watson et al. 2015, Sleep 38:843)."""
LEAST_SLEEP = 3 * HOUR
"""[own] Between two shifts; less is a nap."""
AWAKE_BEFORE_DAY_SLEEP = 12 * HOUR
"""[own] A worker who has been awake so long on getting home sleeps at once, and not at the next bedtime."""
AWAKE_BETWEEN = 6 * HOUR
"""[own] Between two main sleeps."""
DIM_AT_WORK = 3 * HOUR
"""[own] At the end of a night at work, where the job allows orange glasses; trials kept to the way home (Boivin,
Boudreau & Tremblay 2012, Chronobiol Int 29:609)."""
_SUNRISE, _SUNSET = 7, 19
"""As in an ordinary day of the population."""


@frozen
class Rota:
    """Shifts of one worker, in order and apart, in UTC; how they sleep on days off and what they may use."""

    zone: ZoneInfo
    shifts: tuple[Span, ...]
    habits: Habits = field(factory=Habits)
    commute: timedelta = HOUR / 2
    adult: bool = True
    caffeine: bool = True

    @property
    def begin(self) -> datetime:
        """Usual waking on the day before the first shift, down to the half hour."""
        first = zones.shown(self.shifts[0].start, self.zone).date() - DAY
        at = zones.instant(first, self.habits.wake, self.zone)
        return at - timedelta(minutes=at.minute % 30, seconds=at.second, microseconds=at.microsecond)

    @property
    def night(self) -> timedelta:
        """Time in bed on days off."""
        return max(self.habits.span, LEAST_NIGHT)

    def with_ways(self) -> list[Span]:
        """Each shift with the way there and back."""
        return [Span(shift.start - self.commute, shift.end + self.commute) for shift in self.shifts]


@frozen
class Bed:
    """One main sleep, in slots; it may move by the half hour between ``first`` and ``last``, if they leave room."""

    start: int
    end: int
    first: int
    last: int
    by_day: bool = False
    """After a shift, straight away."""
    usual: int = 0
    """Where it stands by the usual hours and the shifts alone."""

    def moved(self, slots: int) -> "Bed":
        """The same so many slots later, as far as there is room."""
        by = min(max(slots, self.first - self.start), self.last - self.end)
        return evolve(self, start=self.start + by, end=self.end + by)


@frozen(eq=False, repr=False)
class Grid:
    """A rota by the half hour from ``begin``: what each slot is, and the main sleeps."""

    rota: Rota
    begin: datetime
    count: int
    at_work: bytes
    """1 at work, 2 on the way to it or from it, else 0."""
    by_day: bytes
    """1 where there is daylight."""
    indoors: bytes
    """Light by code of somebody awake, outdoors on the way alone."""
    beds: tuple[Bed, ...]

    @property
    def planned(self) -> datetime:
        """When the plan ends, and usual hours go on."""
        return self.rota.shifts[-1].end + AFTERWARDS

    def at(self, slot: float) -> datetime:
        """The instant at which ``slot`` begins."""
        return self.begin + slot * SLOT

    def local(self, slot: float) -> datetime:
        """What the clock on the wall shows then."""
        return zones.shown(self.at(slot), self.rota.zone)

    def may_dim(self) -> bytes:
        """1 where light may be kept dim: off duty, and in the last hours of a shift that is slept off by day."""
        free = bytearray(kind != 1 for kind in self.at_work)
        for bed in self.beds:
            if bed.by_day:
                slot = bed.start - 1
                while self.at_work[slot] != 1:
                    slot -= 1
                first = slot + 1 - int(DIM_AT_WORK / SLOT)
                free[first : slot + 1] = bytes(
                    kind == 1 or free[at] for at, kind in enumerate(self.at_work[first : slot + 1], first)
                )
        return bytes(free)

    def light(self, beds: tuple[Bed, ...]) -> bytearray:
        """Light by code under these sleeps and no plan: by the clock, outdoors on the way and on getting up."""
        lit = bytearray(self.indoors)
        for first, last in awake(beds, self.count):
            for start, end in parameters()["day"]["outdoors"]:
                for slot in range(first + int(start * 2), min(first + int(end * 2), last)):
                    if self.by_day[slot] and not self.at_work[slot]:
                        lit[slot] = OUTDOOR
        for bed in beds:
            lit[bed.start : bed.end] = bytes((DARK,)) * (bed.end - bed.start)
        return lit


def awake(beds: tuple[Bed, ...], count: int) -> list[tuple[int, int]]:
    """The stretches between sleeps, in slots: before the first, between each two, after the last."""
    edges = [0, *(edge for bed in beds for edge in (bed.start, bed.end)), count]
    return list(zip(edges[::2], edges[1::2], strict=True))


def grid(rota: Rota) -> Grid:
    """The rota by the half hour, with sleeps by the usual hours and the shifts alone."""
    begin = rota.begin
    count = int((rota.shifts[-1].end + AFTERWARDS + SEEN - begin) / SLOT) // 2 * 2
    work = bytearray(count)
    for shift, whole in zip(rota.shifts, rota.with_ways(), strict=True):
        for part, kind in ((whole, 2), (shift, 1)):
            first, last = _outward(part, begin)
            work[max(first, 0) : last] = bytes((kind,)) * (min(last, count) - max(first, 0))
    hours = (zones.shown(begin + slot * SLOT, rota.zone).hour for slot in range(count))
    by_day = bytes(_SUNRISE <= hour < _SUNSET for hour in hours)
    indoors = bytes(
        OUTDOOR if kind == 2 and lit else INDOOR if lit else EVENING for kind, lit in zip(work, by_day, strict=True)
    )
    return Grid(rota, begin, count, bytes(work), by_day, indoors, tuple(_beds(rota, begin, count)))


def _outward(span: Span, begin: datetime) -> tuple[int, int]:
    """The slots that a stretch touches."""
    return int((span.start - begin) // SLOT), int(-((begin - span.end) // SLOT))


def _beds(rota: Rota, begin: datetime, count: int) -> list[Bed]:
    found: list[Bed] = []
    edges = [begin, *(edge for shift in rota.shifts for edge in (shift.start, shift.end)), begin + count * SLOT - DAY]
    away = rota.commute + UNWIND
    for n, (home, leaves) in enumerate(zip(edges[::2], edges[1::2], strict=True)):
        first = home + (away if n else NOTHING)
        last = leaves - (away if n < len(rota.shifts) else NOTHING)
        found += _between(rota, begin, Span(first, last), found[-1].end if found else 0, after_shift=n > 0)
    return _with_room(found)


def _between(rota: Rota, begin: datetime, free: Span, awake_since: int, *, after_shift: bool) -> list[Bed]:
    """The main sleeps between two shifts: by day after a night at work, then each usual night with room for it."""
    room = _inward(free, begin)
    found: list[Bed] = []
    least = int(LEAST_SLEEP / SLOT)
    night = int(rota.night / SLOT)
    local = zones.shown(free.start, rota.zone).date()
    for day in dates(local - DAY, zones.shown(free.end, rota.zone).date()):
        bed = round((zones.instant(day, rota.habits.sleep, rota.zone) - begin) / SLOT)
        end = bed + night
        if not found and after_shift and bed > room[0]:
            by_day = _day_sleep(room, awake_since, bed)
            if by_day is not None:
                found.append(by_day)
        begins = max(bed, room[0])
        if end > room[1]:  # up early for the next shift: to bed as much sooner
            begins, end = max(min(begins, room[1] - int(LEAST_NIGHT / SLOT)), room[0]), room[1]
        before = found[-1].end if found else awake_since
        if end - begins < least or begins < before + int(AWAKE_BETWEEN / SLOT) or begins < bed - night:
            continue
        if begins > bed:  # home late: as long as a night, where the next shift allows it
            end = min(max(end, begins + int(LEAST_NIGHT / SLOT)), room[1])
        found.append(Bed(begins, end, room[0], room[1], usual=begins))
    return found


def _day_sleep(room: tuple[int, int], awake_since: int, bed: int) -> Bed | None:
    """A sleep on getting home, where somebody has been awake long and the next bedtime is far."""
    first, last = room
    tired = first - awake_since >= AWAKE_BEFORE_DAY_SLEEP / SLOT
    if not tired or bed - first < (LEAST_SLEEP + AWAKE_BETWEEN) / SLOT or last - first < LEAST_SLEEP / SLOT:
        return None
    end = min(first + int(DAY_SLEEP / SLOT), last)
    return Bed(first, end, first, end, by_day=True, usual=first)


def _inward(span: Span, begin: datetime) -> tuple[int, int]:
    """The slots that lie whole within a stretch."""
    return max(int(-((begin - span.start) // SLOT)), 0), int((span.end - begin) // SLOT)


def _with_room(beds: list[Bed]) -> list[Bed]:
    """Sleeps that may move no nearer to each other than hours awake between them, as they stand now."""
    gap = int(AWAKE_BETWEEN / SLOT)
    found = []
    for n, bed in enumerate(beds):
        first = max(bed.first, beds[n - 1].end + gap) if n else bed.first
        last = min(bed.last, beds[n + 1].start - gap) if n + 1 < len(beds) else bed.last
        found.append(evolve(bed, first=min(first, bed.start), last=max(last, bed.end)))
    return found
