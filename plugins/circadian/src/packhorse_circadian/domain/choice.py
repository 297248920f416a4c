"""Which light to ask for on one trip: a row carried to it, trimmed where bodies differ too much, and each block valued.

Nothing is asked for that is worth less than a tenth of a day to the bodies of
the population, and nothing bright that more than a few of them would meet on
the wrong side of their low.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from enum import Enum
from math import inf

from attrs import evolve

from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.crowd import Crowd, Life, quantile
from packhorse_circadian.domain.drafts import (
    SHORTEST,
    Block,
    Draft,
    History,
    apart,
    drawn,
    free,
    joined,
    meets_wrong,
    parted,
    redrawn,
)
from packhorse_circadian.domain.nights import sleeps
from packhorse_circadian.domain.population.bodies import Body
from packhorse_circadian.domain.preparation import slots_between, with_days
from packhorse_circadian.domain.rows import Carried, Row, Spread, carried, nearest
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.timeline import SIMULATED, SLOT, since_waking
from packhorse_circadian.domain.work import window

LEAST_WORTH = 0.1
"""Days: what leaving a block out must cost on average for it to be asked for."""
_ASKED_WORTH, _OF_FEW, _HOPELESS, _OPEN = 0.13, 0.11, 0.1, 0.15
"""The same by what the bodies of a plan lose, by which strangers' loss is known to about .03; by the few of a plan
under way to .04; and between which two the few of another leave it open."""
_PLAIN = 0.18
"""[own choice] Days: with what half of the few lose, strangers' loss is plainly enough."""
_STILL_AWAY = 1.0
"""Days that the slow take at least where what the search found of a block holds on another trip. Where most have
arrived on landing, the trip's own bodies alone say what a block is worth."""
_SURE_WORTH = 0.17
"""Days: a block that the search found worth as much is not run without on a trip like the search's."""
_SAME_SHIFT, _SURE_BETWEEN = 0.25, 0.3
"""[own choice] Hours by which the shift of a row may differ from the trip's for that, and what a block must have been
worth where it differs by more."""
_LONGER = 3 * HOUR
"""[seen in strangers' losses on 90 random trips] By how much longer the flight is where what the search found of a
block often misses by more than .15 day."""
_SEARCHED = 0.4
"""[fitted to strangers' losses on 45 random trips] Weight of what the search found."""
MOST_WRONG = 0.055
"""Share of bodies that may meet light on the wrong side: two of forty; the search held 2.5 % of its own 160."""
_CLOSE = 0.05
"""[own choice] Days by which a row must be sooner than one that is valued, to be valued as well."""
_WRONG_COST = 20.0
"""Of the share of bodies above `MOST_WRONG`, in days: the search's own weight."""
_UNTRIMMED = 5.0
"""[own choice] The same of a draft whose light can still be cut, which mostly costs less: with 20, at 2 of 138 landings
a day more of preparation took the slow .3 or .4 day longer, with 5 at none."""
_MOST_TRIMS = 8
_UNLIKE, _SWING = 0.3, 1.5
"""[own choice] Days by which the slow may be sooner with a row of fewer days than with the row on its own trip, and by
which what a trip adds to the days of a row may be less than with others."""
_PREPARED = HOUR
# Eastman & Burgess 2009 (Sleep Med Clin 4:241): bedtimes can move the clock 1 h a day at home; 2 h a day gained little
# more and broke sleep (Eastman et al. 2005, Sleep 28:33).


class _Stage(Enum):
    """How far a candidate has come: a row, carried to the trip, trimmed and valued, and by the others too."""

    SEARCHED, CARRIED, VALUED, SEEN = range(4)


def choose(
    crowd: Crowd,
    plain: Callable[[], Draft],
    without: Spread,
    history: History | None = None,
    *,
    under_way: bool = False,
    others: Sequence[Body] = (),
) -> Draft:
    """The plan; ``plain()``, nights at the destination's hours with no other measure, where nothing better is found.

    ``without`` are the days that ``plain()`` takes. After ``history`` only what comes later is planned. The clocks of a
    traveller ``under_way`` say how far they have to go; those of another are
    at home. ``others`` are more bodies like those of the crowd, by which light
    is cut and valued; days are counted over the crowd, for which the rows have them too.
    """
    line = crowd.line
    shift = line.trip.settled.signed / HOUR
    if under_way:
        hour = history.slot / 2 if history else 0.0
        shift = quantile([life.late[life.near(hour)] for life in plain().lives], 0.5)
    best = _best(crowd, shift, history, others, under_way=under_way)
    if best is None:
        return plain()
    if not _gains(best.spread, without):
        return plain()
    return best if best.crowd is crowd else _begun_later(crowd, best)


def _begun_later(crowd: Crowd, draft: Draft) -> Draft:
    """A draft whose preparation begins later for ``crowd``: its days are those that were counted then."""
    by = slots_between(draft.crowd, crowd)
    blocks = tuple(evolve(block, first=block.first + by, last=block.last + by) for block in draft.blocks)
    whole = drawn(crowd, evolve(draft.table, trip=crowd.line.trip), blocks)
    return evolve(whole, row=draft.row, counted=draft.spread)


def _gains(ours: Spread, without: Spread) -> bool:
    """Whether half of the bodies and the slow fifth arrive, on average of both, enough sooner."""
    return without.half - ours.half + without.slow - ours.slow >= 2 * LEAST_WORTH


def _best(
    crowd: Crowd, shift: float, history: History | None, others: Sequence[Body], *, under_way: bool
) -> Draft | None:
    """The row with the soonest slow fifth once it is carried to the trip, its light trimmed and valued.

    With a row of fewer days of preparation than asked, that begins later, on a timeline of its own. It is tried while
    the slow may be sooner with it, by their days on the trip of the search and by what this trip adds or takes with
    rows of more days.
    """
    line = crowd.line
    at = line.at(history.slot) if history else line.trip.arrival
    landing = since_waking(at, line.trip.destination, line.trip.aims)
    least = _HOPELESS if others else _OF_FEW
    most = 0 if under_way else line.trip.prep_days
    crowds, later = {most: crowd}, dict[int, float]()
    # How soon the slow may be with each, and what it is by now.
    tried: list[tuple[float, Row | Draft, _Stage]] = [
        (-inf, row, _Stage.SEARCHED) for row in nearest(shift, most, landing)
    ]
    while tried:
        soonest = min(tried, key=lambda one: one[0])
        tried.remove(soonest)
        _, found, stage = soonest
        if isinstance(found, Row):
            on = crowds[found.prep] = crowds.get(found.prep) or with_days(crowd, found.prep)
            draft = _laid(on, carried(found, on.line.trip, landing, at), history)
            tried.append((_cost(draft, _UNTRIMMED), draft, _Stage.CARRIED))
            less = later[found.shift] = min(later.get(found.shift, inf), draft.spread.slow - found.days.slow)
            fewer = [row for row in nearest(shift, found.prep - 1, landing) if row.shift == found.shift]
            tried += [
                (row.days.slow + max(less - _SWING, min(less, 0)) - _UNLIKE, row, _Stage.SEARCHED) for row in fewer
            ]
        elif stage is _Stage.CARRIED:
            # Bodies of a traveller under way began elsewhere than the row's.
            best = _valued(_trimmed(evolve(found, row=None) if under_way else found), least)
            if best.wrong > MOST_WRONG:
                # What went had kept others on the right side.
                best = _valued(_trimmed(best), least)
            # Moved nights alone are not worth the trouble.
            if best.blocks:
                tried.append((_cost(best) - _CLOSE, best, _Stage.VALUED if others else _Stage.SEEN))
        elif stage is _Stage.VALUED:
            best = _judged(found, others)
            if best.blocks:
                tried.append((_cost(best) - _CLOSE, best, _Stage.SEEN))
        else:
            return found
    return None


def _cost(draft: Draft, wrong_cost: float = _WRONG_COST) -> float:
    return draft.spread.slow + wrong_cost * max(draft.wrong - MOST_WRONG, 0)


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


def _trimmed(draft: Draft) -> Draft:
    """Bright blocks cut until few bodies meet any on the wrong side: the first at fault, then again."""
    for _ in range(_MOST_TRIMS):
        if draft.wrong <= MOST_WRONG:
            break
        at = max(range(len(draft.blocks)), key=lambda k: (_wrong_count(draft.blocks[k], draft.lives), -k))
        block = draft.blocks[at]
        parts = [
            evolve(block, first=first, last=last, worth=0.0)
            for first in range(block.first, block.last - SHORTEST + 1)
            for last in range(first + SHORTEST, block.last + 1)
            if (first, last) != (block.first, block.last)
        ]
        kept = [part for part in parts if _wrong_count(part, draft.lives) <= MOST_WRONG / 2 * len(draft.lives)]
        left = (max(kept, key=lambda part: part.last - part.first),) if kept else ()
        blocks = (*draft.blocks[:at], *left, *draft.blocks[at + 1 :])
        draft = redrawn(draft, blocks, block.first)
    return draft


def _wrong_count(block: Block, lives: Iterable[Life]) -> int:
    return sum(meets_wrong((block,), life) for life in lives)


def _valued(draft: Draft, least: float) -> Draft:
    """Each block with the days that leaving it out costs, without those that are worth too little.

    The row's own figures hold of windows that came through as they were searched for and that clearly matter, where
    bodies are still on the way; more clearly where the shift is not the row's. All others are run without.
    """
    row, trip = draft.row, draft.crowd.line.trip
    alike = (
        row is not None
        and draft.spread.slow >= _STILL_AWAY
        and trip.settled == trip.shift
        and trip.flight <= row.flight + _LONGER
    )
    off = (row.shift - trip.settled.signed / HOUR + 12) % 24 - 12 if row else 0.0
    sure = _SURE_WORTH if abs(off) <= _SAME_SHIFT else _SURE_BETWEEN
    known = {block: block.worth for block in draft.blocks if alike and block.worth >= sure}

    def value(there: Draft, block: Block) -> float:
        searched = _SEARCHED if alike and block.worth else 0.0
        if row is None:
            return _costs(there, block)
        half = len(there.lives) // 2
        costs = _costs(parted(there, 0, half), block)
        if costs + (block.worth - costs) * searched < _PLAIN:
            costs += (_costs(parted(there, half), block) - costs) / 2
        return costs + (block.worth - costs) * searched

    return _pruned(draft, known, value, least)


def _judged(draft: Draft, others: Sequence[Body]) -> Draft:
    """The draft as others have it too.

    Light that too many of all meet on the wrong side is cut, a block whose worth the few leave open is valued by the
    others as well.
    """
    few = len(draft.lives)
    whole = _trimmed(joined(draft, others))

    def value(there: Draft, block: Block) -> float:
        costs = _costs(parted(there, few), block)
        return costs + (block.worth - costs) * few / len(there.lives) if block.worth else costs

    whole = _pruned(whole, {block: block.worth for block in whole.blocks if block.worth >= _OPEN}, value, _ASKED_WORTH)
    return evolve(draft, blocks=whole.blocks, lit=whole.lit, lives=whole.lives[:few])


def _pruned(draft: Draft, known: Mapping[Block, float], value: Callable[[Draft, Block], float], least: float) -> Draft:
    """The draft without blocks worth less than ``least``, one at a time, and what the others are worth.

    A block that was worth more is not valued again when another has gone: it is worth the more then.
    """
    worths = {block: known.get(block, -inf) for block in draft.blocks}
    fresh = set[Block]()
    while worths:
        cheap = min(worths, key=lambda block: (worths[block], block.first))
        if worths[cheap] >= least:
            break
        if cheap in fresh:
            del worths[cheap]
            draft, fresh = _without(draft, cheap), set()
        else:
            worths[cheap] = value(draft, cheap)
            fresh.add(cheap)
    return evolve(draft, blocks=tuple(evolve(block, worth=worths[block]) for block in draft.blocks))


def _without(draft: Draft, block: Block) -> Draft:
    return redrawn(draft, tuple(other for other in draft.blocks if other is not block), block.first)


def _costs(draft: Draft, block: Block) -> float:
    """Days that leaving a block out costs on average."""
    return (sum(_without(draft, block).days) - sum(draft.days)) / len(draft.lives)
