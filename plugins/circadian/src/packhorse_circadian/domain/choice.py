"""Which light to ask for on one trip: a row carried to it, trimmed where bodies differ too much, and each block valued.

Nothing is asked for that is worth less than a tenth of a day to the bodies of
the population, and nothing bright that more than a few of them would meet on
the wrong side of their low.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta

from attrs import evolve, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.crowd import Crowd, Life, quantile
from packhorse_circadian.domain.nights import Sleep, sleeps
from packhorse_circadian.domain.population.bodies import BRIGHT, DARK, DIM
from packhorse_circadian.domain.rows import Carried, Row, Spread, carried, nearest, unaided
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.timeline import SIMULATED, SLOT, Timeline, since_waking
from packhorse_circadian.domain.work import window

LEAST_WORTH = 0.1
"""Days: what leaving a block out must cost on average for it to be asked for."""
MOST_WRONG = 0.055
"""Share of bodies that may meet light on the wrong side: two of forty; the search held 2.5 % of its own 160."""
SHORTEST = 2
"""Slots of a block."""
SLOW = 0.8
"""The quantile of days by which plans are chosen: the slow fifth begins there."""
LOWEST, HIGHEST = 0.1, 0.9
"""The quantiles between which four travellers of five lie."""
_AS_SEARCHED = 0.05
"""Days by which a plan may be slower for the slow than on the trip that it was searched for."""
_WRONG_COST = 20.0
"""Of the share of bodies above `MOST_WRONG`, in days: the search's own weight."""
_MOST_TRIMS = 8
_MOST_CARRIED = 1
"""Rows carried to a trip after which no row of fewer days is tried."""
_PREPARED = HOUR
# Eastman & Burgess 2009 (Sleep Med Clin 4:241): bedtimes can move the clock 1 h a day at home; 2 h a day gained little
# more and broke sleep (Eastman et al. 2005, Sleep 28:33).


@frozen
class Block:
    """Light to seek or to keep low from slot ``first`` to before ``last``."""

    first: int
    last: int
    bright: bool
    worth: float = 0.0
    """Mean days that leaving it out costs; 0 where that is not known yet."""


@frozen(eq=False, repr=False)
class Draft:
    """Nights and light of one plan, and every body's course under them."""

    table: Timetable
    sleeps: tuple[Sleep, ...]
    blocks: tuple[Block, ...]
    lit: bytes
    lives: tuple[Life, ...]
    row: Row | None = None
    """The row of the search that it was carried from."""

    def days(self, landed: float) -> list[float]:
        """Days that each body takes."""
        return [life.arrives(landed) for life in self.lives]

    def spread(self, landed: float) -> Spread:
        """Days of the bodies; where a row is known the search's own, as these few differ here from its trip."""
        days = self.days(landed)
        here = Spread(*(quantile(days, share) for share in (0.5, LOWEST, SLOW, HIGHEST)))
        return self.row.days.corrected(self.row.few, here) if self.row else here


@frozen(eq=False, repr=False)
class History:
    """What is past when a plan is made: the light of every slot before ``slot``."""

    slot: int
    lit: bytes


def choose(
    crowd: Crowd,
    plain: Callable[[], Draft],
    history: History | None = None,
    *,
    under_way: bool = False,
) -> Draft:
    """The plan; ``plain()``, nights at the destination's hours with no other measure, where nothing better is found.

    After ``history`` only what comes later is planned. The clocks of a
    traveller ``under_way`` say how far they have to go; those of another are
    at home.
    """
    line = crowd.line
    if under_way:
        hour = history.slot / 2 if history else 0.0
        shift = quantile([life.late[life.near(hour)] for life in plain().lives], 0.5)
        carry = _best(crowd, shift, 0, history)
        carry = carry and evolve(carry, row=None)  # those bodies began elsewhere
    else:
        carry = _best(crowd, line.trip.settled.signed / HOUR, line.trip.prep_days, history)
    if carry is None or not carry.blocks:
        return plain()
    best = _valued(crowd, _trimmed(crowd, carry, history), history)
    # Moved nights alone are not worth the trouble.
    whole = all(block.worth for block in carry.blocks) and best.blocks == carry.blocks
    if best.blocks and not whole:
        usual = line.trip.usual and not under_way
        without = unaided(line.trip.settled.signed / HOUR) if usual else plain().spread(line.landed)
        whole = _gains(best, without, line)
    return best if best.blocks and whole else plain()


def _gains(best: Draft, without: Spread, line: Timeline) -> bool:
    """Whether half of the bodies and the slow fifth arrive, on average of both, enough sooner."""
    ours = best.spread(line.landed)
    return without.half - ours.half + without.slow - ours.slow >= 2 * LEAST_WORTH


def _best(crowd: Crowd, shift: float, prep: int, history: History | None) -> Draft | None:
    """The row for a shift in hours carried to the trip.

    Where a flight or work makes it slower here than on its own trip, the row of fewer days of preparation that comes
    next is tried too: with that, preparation begins later.
    """
    line = crowd.line
    at = line.at(history.slot) if history else line.trip.arrival
    landing = since_waking(at, line.trip.destination, line.trip.aims)
    found: dict[tuple[int, int], Draft] = {}
    for days in range(prep, -1, -1):
        rows = [row for row in nearest(shift, days, landing) if (row.shift, row.prep) not in found]
        for row in rows:
            found[row.shift, row.prep] = _laid(crowd, carried(row, line.trip, landing, at), history)
        here = (found[row.shift, row.prep].spread(line.landed).slow - row.days.slow for row in rows)
        if len(found) > _MOST_CARRIED or any(off <= _AS_SEARCHED for off in here):
            break
    return min(found.values(), key=lambda draft: _cost(draft, line), default=None)


def _cost(draft: Draft, line: Timeline) -> float:
    wrong = sum(_wrong(draft.blocks, life) for life in draft.lives) / len(draft.lives)
    return draft.spread(line.landed).slow + _WRONG_COST * max(wrong - MOST_WRONG, 0)


def _wrong(blocks: Iterable[Block], life: Life) -> bool:
    return any(block.bright and life.meets_wrong_side(block.first / 2, block.last / 2) for block in blocks)


def _laid(crowd: Crowd, carry: Carried, history: History | None) -> Draft:
    line = crowd.line
    trip = line.trip
    reach = max(int(trip.shift.size / HOUR - 1e-9), 0)
    prep = carry.row.prep
    begins = trip.departure_date - prep * DAY
    home = {begins + k * DAY: min(k, reach) * carry.row.home * _PREPARED for k in range(1, prep + 1)}
    away = {trip.arrival_date + k * DAY: by for k, by in carry.moved_away().items()}
    table = Timetable(trip, home if history is None else {}, away, trip.arrival_date + SIMULATED)
    if trip.working:
        table = evolve(table, away={day: _beside_work(table, day, by) for day, by in away.items()})
    slept = sleeps(table)
    lit = line.asleep(slept)
    blocks: list[Block] = []
    for span, searched in carry.windows():
        first, last = (round((at - line.begin) / SLOT) for at in (span.start, span.end))
        for block in free(line, lit, max(first, history.slot if history else 0), last, searched.bright):
            whole = (block.first, block.last) == (first, last)
            blocks.append(evolve(block, worth=searched.worth) if whole else block)
    return evolve(drawn(crowd, table, apart(blocks), history), row=carry.row)


def _beside_work(table: Timetable, day: date, by: timedelta) -> timedelta:
    low, high = window(table.trip, evolve(table, away={}).wake_at_destination(day), -4, 4, 0.5)
    return min(max(by, low * HOUR / 2), high * HOUR / 2)


def free(line: Timeline, lit: bytearray, first: int, last: int, bright: bool) -> list[Block]:
    """What of a window lies awake on the ground, in parts of an hour and more."""
    found, start = [], None
    for slot in range(max(first, 0), min(last, len(lit)) + 1):
        free = slot < min(last, len(lit)) and line.free[slot] and lit[slot] != DARK
        if free and start is None:
            start = slot
        elif not free and start is not None:
            if slot - start >= SHORTEST:
                found.append(Block(start, slot, bright))
            start = None
    return found


def apart(blocks: list[Block]) -> tuple[Block, ...]:
    """In order, none overlapping another: what comes later begins where the one before ends."""
    found: list[Block] = []
    for block in sorted(blocks, key=lambda block: block.first):
        first = max(block.first, found[-1].last) if found else block.first
        if block.last - first >= SHORTEST:
            found.append(block if first == block.first else evolve(block, first=first, worth=0.0))
    return tuple(found)


def _light(line: Timeline, slept: Sequence[Sleep], blocks: Iterable[Block], history: History | None) -> bytearray:
    lit = line.asleep(slept)
    for block in blocks:
        code = BRIGHT if block.bright else DIM
        lit[block.first : block.last] = bytes((code,)) * (block.last - block.first)
    if history is not None:
        lit[: history.slot] = history.lit[: history.slot]
    return lit


def _quiet(crowd: Crowd, table: Timetable, blocks: Sequence[Block]) -> int:
    """The slot from which light and nights are ordinary."""
    trip = crowd.line.trip
    moved = max((day for day, by in table.away.items() if by), default=trip.arrival_date)
    nights = crowd.line.slot(zones.instant(moved + DAY, trip.aims.wake, trip.destination))
    return max([nights, crowd.line.slot(trip.arrival + DAY), *(block.last for block in blocks)])


def drawn(crowd: Crowd, table: Timetable, blocks: tuple[Block, ...], history: History | None = None) -> Draft:
    """Nights and blocks, and every body's course under them."""
    slept = sleeps(table)
    lit = bytes(_light(crowd.line, slept, blocks, history))
    return Draft(table, slept, blocks, lit, crowd.follow(lit, _quiet(crowd, table, blocks)))


def _redrawn(crowd: Crowd, draft: Draft, blocks: tuple[Block, ...], first: int, history: History | None) -> Draft:
    """The draft with other blocks, alike before slot ``first``."""
    lit = bytes(_light(crowd.line, draft.sleeps, blocks, history))
    quiet = _quiet(crowd, draft.table, blocks)
    return evolve(draft, blocks=blocks, lit=lit, lives=crowd.follow(lit, quiet, draft.lives, first))


def _trimmed(crowd: Crowd, draft: Draft, history: History | None) -> Draft:
    """Bright blocks cut until few bodies meet any on the wrong side: the first at fault, then again."""
    for _ in range(_MOST_TRIMS):
        met = [_wrong(draft.blocks, life) for life in draft.lives]
        if sum(met) <= MOST_WRONG * len(met):
            break
        at = max(range(len(draft.blocks)), key=lambda k: (_wrong_count(draft.blocks[k], draft.lives), -k))
        block = draft.blocks[at]
        parts = [
            evolve(block, first=first, last=last, worth=0.0)
            for first in range(block.first, block.last - SHORTEST + 1)
            for last in range(first + SHORTEST, block.last + 1)
            if (first, last) != (block.first, block.last)
        ]
        kept = [part for part in parts if _wrong_count(part, draft.lives) <= MOST_WRONG / 2 * len(met)]
        left = (max(kept, key=lambda part: part.last - part.first),) if kept else ()
        blocks = (*draft.blocks[:at], *left, *draft.blocks[at + 1 :])
        draft = _redrawn(crowd, draft, blocks, block.first, history)
    return draft


def _wrong_count(block: Block, lives: Iterable[Life]) -> int:
    return sum(_wrong((block,), life) for life in lives)


def _valued(crowd: Crowd, draft: Draft, history: History | None) -> Draft:
    """Each block with the days that leaving it out costs; the one worth least goes, while that is too little.

    Of windows that came through as they were searched for the row's own figures hold, from more bodies; those that
    sleep, work or a flight cut are run without, and again after each that goes.
    """
    landed = crowd.line.landed
    while True:
        own = sum(draft.days(landed))
        worths = {block: block.worth for block in draft.blocks}
        less: dict[Block, Draft] = {}
        for block in draft.blocks:
            if not block.worth:
                others = tuple(other for other in draft.blocks if other is not block)
                less[block] = _redrawn(crowd, draft, others, block.first, history)
                worths[block] = (sum(less[block].days(landed)) - own) / len(draft.lives)
        least = min(less, key=lambda block: worths[block], default=None)
        if least is None or worths[least] >= LEAST_WORTH:
            return evolve(draft, blocks=tuple(evolve(block, worth=worths[block]) for block in draft.blocks))
        draft = less[least]


def span(line: Timeline, block: Block) -> Span:
    """When a block is."""
    return Span(line.at(block.first), line.at(block.last))


def first_night(crowd: Crowd, draft: Draft, moved: timedelta) -> Draft:
    """The draft with the night before its first morning at the hours of the stay that it ends."""
    trip = crowd.line.trip
    table = evolve(draft.table, home={**draft.table.home, trip.first_date: moved})
    return evolve(draft, table=table, sleeps=sleeps(table))
