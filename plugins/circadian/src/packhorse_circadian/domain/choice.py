"""Which light to ask for on one trip: a row carried to it, trimmed where bodies differ too much, and each block valued.

Nothing is asked for that is worth less than a tenth of a day to the bodies of
the population, and nothing bright that more than a few of them would meet on
the wrong side of their low.
"""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from attrs import evolve, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.crowd import Crowd, Life, quantile
from packhorse_circadian.domain.nights import Sleep, sleeps
from packhorse_circadian.domain.population.bodies import BRIGHT, DARK, DIM
from packhorse_circadian.domain.rows import Carried, carried, nearest
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.timeline import SIMULATED, SLOT, Timeline, since_waking
from packhorse_circadian.domain.work import window

LEAST_WORTH = 0.1
"""Days: what leaving a block out must cost on average for it to be asked for."""
MOST_WRONG = 0.055
"""Share of bodies that may meet light on the wrong side: two of forty; the search held 2.5 % of its own 160."""
_CLEAR = 0.25
"""Days from which a block's worth stays above the limit whatever else goes."""
SHORTEST = 2
"""Slots of a block."""
SLOW = 0.8
"""The quantile of days that counts beside the mean: the slow fifth begins there."""
_WRONG_COST = 20.0
"""Of the share of bodies above `MOST_WRONG`, in days: the search's own weight."""
_MOST_TRIMS = 8
_MOST_TRIMMED = 2
"""Of the rows carried to a trip, how many are trimmed before the best is taken."""
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

    def days(self, landed: float) -> list[float]:
        """Days that each body takes."""
        return [life.arrives(landed) for life in self.lives]


@frozen(eq=False, repr=False)
class History:
    """What is past when a plan is made: the light of every slot before ``slot``."""

    slot: int
    lit: bytes


def choose(
    crowd: Crowd,
    plain: Draft,
    history: History | None = None,
    *,
    under_way: bool = False,
) -> Draft:
    """The plan; ``plain``, nights at the destination's hours with no other measure, where nothing better is found.

    After ``history`` only what comes later is planned. The clocks of a
    traveller ``under_way`` say how far they have to go; those of another are
    at home.
    """
    line = crowd.line
    laid = (_laid(crowd, carry, history) for carry in _carried(crowd, plain, history, under_way=under_way))
    ranked = sorted([plain, *laid], key=lambda draft: _cost(draft, line))
    tried = [(_trimmed(crowd, draft, history), len(draft.blocks)) for draft in ranked[:_MOST_TRIMMED]]
    best, planned = min(tried, key=lambda pair: _cost(pair[0], line))
    if not best.blocks:
        return plain
    best = _valued(crowd, best, planned, history)
    # Moved nights alone are not worth the trouble.
    return best if best.blocks and _gains(best, plain, line) else plain


def _gains(best: Draft, plain: Draft, line: Timeline) -> bool:
    ours, theirs = best.days(line.landed), plain.days(line.landed)
    return sum(theirs) - sum(ours) >= LEAST_WORTH * len(ours)


def _cost(draft: Draft, line: Timeline) -> float:
    days = draft.days(line.landed)
    wrong = sum(_wrong(draft.blocks, life) for life in draft.lives) / len(days)
    return quantile(days, SLOW) + sum(days) / len(days) + _WRONG_COST * max(wrong - MOST_WRONG, 0)


def _wrong(blocks: Iterable[Block], life: Life) -> bool:
    return any(block.bright and life.meets_wrong_side(block.first / 2, block.last / 2) for block in blocks)


def _carried(crowd: Crowd, plain: Draft, history: History | None, *, under_way: bool) -> list[Carried]:
    line = crowd.line
    trip = line.trip
    at = line.at(history.slot) if history else trip.arrival
    landing = since_waking(at, trip.destination, trip.aims)
    shift = trip.shift.signed / HOUR
    if under_way:
        hour = history.slot / 2 if history else 0.0
        shift = quantile([life.late[life.near(hour)] for life in plain.lives], 0.5)
    return [carried(row, trip, landing, at) for row in nearest(shift, trip.prep_days if not under_way else 0, landing)]


def _laid(crowd: Crowd, carry: Carried, history: History | None) -> Draft:
    line = crowd.line
    trip = line.trip
    reach = max(int(trip.shift.size / HOUR - 1e-9), 0)
    home = {trip.first_date + k * DAY: min(k, reach) * carry.row.home * _PREPARED for k in range(1, trip.prep_days + 1)}
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
    return drawn(crowd, table, apart(blocks), history)


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


def _valued(crowd: Crowd, draft: Draft, planned: int, history: History | None) -> Draft:
    """Each block with the days that leaving it out costs; the one worth least goes, while that is too little.

    Of ``planned`` blocks that all came through as they were searched for, the row's own figures hold, from more
    bodies. What a block is worth depends on the others: else those near the limit are run, and again after each that
    goes.
    """
    landed = crowd.line.landed
    worths = {block: block.worth for block in draft.blocks}
    if len(worths) == planned and min(worths.values()) >= LEAST_WORTH:
        return draft
    while True:
        own = sum(draft.days(landed))
        less: dict[Block, Draft] = {}
        for block in draft.blocks:
            if worths[block] < _CLEAR:
                others = tuple(other for other in draft.blocks if other is not block)
                less[block] = _redrawn(crowd, draft, others, block.first, history)
                worths[block] = (sum(less[block].days(landed)) - own) / len(draft.lives)
        least = min(draft.blocks, key=lambda block: worths[block], default=None)
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
