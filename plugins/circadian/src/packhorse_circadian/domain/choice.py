"""Which light to ask for on one trip: a row carried to it, trimmed where bodies differ too much, and each block valued.

Nothing is asked for that is worth less than a tenth of a day to the bodies of
the population, and nothing bright that more than a few of them would meet on
the wrong side of their low.
"""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from math import inf

from attrs import evolve

from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.crowd import Crowd, Life, quantile
from packhorse_circadian.domain.drafts import SHORTEST, Block, Draft, History, apart, drawn, free, meets_wrong, redrawn
from packhorse_circadian.domain.nights import sleeps
from packhorse_circadian.domain.preparation import slots_between, with_days
from packhorse_circadian.domain.rows import Carried, Row, Spread, carried, nearest, unaided
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.timeline import SIMULATED, SLOT, since_waking
from packhorse_circadian.domain.work import window

LEAST_WORTH = 0.1
"""Days: what leaving a block out must cost on average for it to be asked for."""
_ASKED_WORTH = 0.11
"""The same by what the bodies of a plan lose, by which strangers' loss is known to about .04."""
_STILL_AWAY = 1.0
"""Days that the slow take at least where what the search found of a block holds on another trip. Where most have
arrived on landing, the trip's own bodies alone say what a block is worth."""
_SURE_WORTH, _CLEAR = 0.17, 0.13
"""Days: a block that the search found worth as much is not run without; of another both figures count. And what it must
be worth by them not to be run without again after another has gone."""
_SAME_SHIFT, _SURE_BETWEEN = 0.25, 0.3
"""[own choice] Hours by which the shift of a row may differ from the trip's for that, and what a block must have been
worth where it differs by more."""
_SEARCHED = 0.4
"""[fitted to strangers' losses on 45 random trips] Weight of what the search found."""
MOST_WRONG = 0.055
"""Share of bodies that may meet light on the wrong side: two of forty; the search held 2.5 % of its own 160."""
_CLOSE = 0.05
"""[own choice] Days by which a row must be sooner than one that is valued, to be valued as well."""
_WRONG_COST = 20.0
"""Of the share of bodies above `MOST_WRONG`, in days: the search's own weight."""
_MOST_TRIMS = 8
_UNLIKE, _SWING = 0.3, 1.5
"""[own choice] Days by which the slow may be sooner with a row of fewer days than with the row on its own trip, and by
which what a trip adds to the days of a row may be less than with others."""
_PREPARED = HOUR
# Eastman & Burgess 2009 (Sleep Med Clin 4:241): bedtimes can move the clock 1 h a day at home; 2 h a day gained little
# more and broke sleep (Eastman et al. 2005, Sleep 28:33).


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
    shift = line.trip.settled.signed / HOUR
    if under_way:
        hour = history.slot / 2 if history else 0.0
        shift = quantile([life.late[life.near(hour)] for life in plain().lives], 0.5)
    best = _best(crowd, shift, history, under_way=under_way)
    if best is None:
        return plain()
    without = unaided(shift) if line.trip.usual and not under_way else plain().spread
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


def _best(crowd: Crowd, shift: float, history: History | None, *, under_way: bool) -> Draft | None:
    """The row with the soonest slow fifth once it is carried to the trip, its light trimmed and valued.

    With a row of fewer days of preparation than asked, that begins later, on a timeline of its own. It is tried while
    the slow may be sooner with it, by their days on the trip of the search and by what this trip adds or takes with
    rows of more days.
    """
    line = crowd.line
    at = line.at(history.slot) if history else line.trip.arrival
    landing = since_waking(at, line.trip.destination, line.trip.aims)
    most = 0 if under_way else line.trip.prep_days
    crowds, later = {most: crowd}, dict[int, float]()
    # How soon the slow may be with a row, one that is carried, or one that is valued.
    tried: list[tuple[float, Row | Draft, bool]] = [(-inf, row, False) for row in nearest(shift, most, landing)]
    while tried:
        soonest = min(tried, key=lambda one: one[0])
        tried.remove(soonest)
        _, found, valued = soonest
        if isinstance(found, Row):
            on = crowds[found.prep] = crowds.get(found.prep) or with_days(crowd, found.prep)
            draft = _laid(on, carried(found, on.line.trip, landing, at), history)
            tried.append((_cost(draft), draft, False))
            less = later[found.shift] = min(later.get(found.shift, inf), draft.spread.slow - found.days.slow)
            fewer = [row for row in nearest(shift, found.prep - 1, landing) if row.shift == found.shift]
            tried += [(row.days.slow + max(less - _SWING, min(less, 0)) - _UNLIKE, row, False) for row in fewer]
        elif not valued:
            # Bodies of a traveller under way began elsewhere than the row's.
            best = _valued(_trimmed(evolve(found, row=None) if under_way else found))
            if best.wrong > MOST_WRONG:
                # What went had kept others on the right side.
                best = _valued(_trimmed(best))
            # Moved nights alone are not worth the trouble.
            if best.blocks:
                tried.append((_cost(best) - _CLOSE, best, True))
        else:
            return found
    return None


def _cost(draft: Draft) -> float:
    return draft.spread.slow + _WRONG_COST * max(draft.wrong - MOST_WRONG, 0)


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


def _valued(draft: Draft) -> Draft:
    """Each block with the days that leaving it out costs; the one worth least goes, while that is too little.

    The row's own figures hold of windows that came through as they were searched for and that clearly matter, where
    bodies are still on the way; more clearly where the shift is not the row's. All others are run without, and again
    after each that goes where they may be the next.
    """
    worths = {block: block.worth for block in draft.blocks}
    away = draft.row is not None and draft.spread.slow >= _STILL_AWAY
    shift = draft.crowd.line.trip.settled.signed / HOUR
    alike = draft.row is not None and abs((draft.row.shift - shift + 12) % 24 - 12) <= _SAME_SHIFT
    sure = _SURE_WORTH if alike else _SURE_BETWEEN
    known = {block for block in draft.blocks if away and block.worth >= sure}
    while True:
        own = sum(draft.days)
        less: dict[Block, Draft] = {}
        for block in draft.blocks:
            if block not in known:
                others = tuple(other for other in draft.blocks if other is not block)
                less[block] = redrawn(draft, others, block.first)
                costs = (sum(less[block].days) - own) / len(draft.lives)
                worths[block] = costs + (block.worth - costs) * _SEARCHED if away and block.worth else costs
        least = min(less, key=lambda block: worths[block], default=None)
        if least is None or worths[least] >= _ASKED_WORTH:
            return evolve(draft, blocks=tuple(evolve(block, worth=worths[block]) for block in draft.blocks))
        draft = less[least]
        known |= {block for block in less if worths[block] >= _CLEAR}
