"""Which light to ask for on one trip: a row carried to it, trimmed where bodies differ too much, and each block valued.

Nothing is asked for that is worth less than a tenth of a day to the bodies of
the population, and nothing bright that more than a few of them would meet on
the wrong side of their low.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from math import inf

from attrs import evolve

from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.crowd import Crowd, Life, quantile
from packhorse_circadian.domain.drafts import SHORTEST, Block, Draft, History, apart, drawn, free, redrawn
from packhorse_circadian.domain.nights import sleeps
from packhorse_circadian.domain.preparation import slots_between, with_days
from packhorse_circadian.domain.rows import Carried, Spread, carried, nearest, unaided
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.timeline import SIMULATED, SLOT, Timeline, since_waking
from packhorse_circadian.domain.work import window

LEAST_WORTH = 0.1
"""Days: what leaving a block out must cost on average for it to be asked for."""
_SURE_WORTH = 0.13
"""Days: a block that the search found worth less than this may be worth less than `LEAST_WORTH` to other bodies (500
know it to about .03), and is valued on the trip's own."""
MOST_WRONG = 0.055
"""Share of bodies that may meet light on the wrong side: two of forty; the search held 2.5 % of its own 160."""
_AS_SEARCHED = 0.05
"""Days by which a plan may be slower for the slow than on the trip that it was searched for."""
_WRONG_COST = 20.0
"""Of the share of bodies above `MOST_WRONG`, in days: the search's own weight."""
_MOST_TRIMS = 8
_SURE_GAIN = 0.6
"""[own choice] Days that preparation gains the slow on the trip of the search from which it does so on others too."""
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
    if under_way:
        hour = history.slot / 2 if history else 0.0
        shift = quantile([life.late[life.near(hour)] for life in plain().lives], 0.5)
        # Those bodies began elsewhere than the row's.
        rows = [(evolve(carry, row=None), on) for carry, on in _carried(crowd, shift, 0, history)[:1]]
    else:
        rows = _carried(crowd, line.trip.settled.signed / HOUR, line.trip.prep_days, history)
    if not rows or not rows[0][0].blocks:
        return plain()
    best, carry, on = _best(rows, history)
    # Moved nights alone are not worth the trouble.
    whole = all(block.worth for block in carry.blocks) and best.blocks == carry.blocks
    if best.blocks and not whole:
        usual = line.trip.usual and not under_way
        without = unaided(line.trip.settled.signed / HOUR) if usual else plain().spread(line.landed)
        whole = _gains(best, without, on.line)
    if not (best.blocks and whole):
        return plain()
    return best if on is crowd else _begun_later(crowd, best, on)


def _begun_later(crowd: Crowd, draft: Draft, on: Crowd) -> Draft:
    """A draft of ``on``, whose preparation begins later, for ``crowd``: its days are those that were counted there."""
    by = slots_between(on, crowd)
    blocks = tuple(evolve(block, first=block.first + by, last=block.last + by) for block in draft.blocks)
    whole = drawn(crowd, evolve(draft.table, trip=crowd.line.trip), blocks)
    return evolve(whole, row=draft.row, counted=draft.spread(on.line.landed))


def _gains(best: Draft, without: Spread, line: Timeline) -> bool:
    """Whether half of the bodies and the slow fifth arrive, on average of both, enough sooner."""
    ours = best.spread(line.landed)
    return without.half - ours.half + without.slow - ours.slow >= 2 * LEAST_WORTH


def _best(rows: Sequence[tuple[Draft, Crowd]], history: History | None) -> tuple[Draft, Draft, Crowd]:
    """What is left of the first row when its light is trimmed and valued, what it was, and its bodies.

    Or of the next, where that has become the slower for it.
    """
    found: list[tuple[Draft, Draft, Crowd]] = []
    for carry, on in rows:
        if not found or _slow(carry, on) < min(_cost(best, there) for best, _, there in found):
            found.append((_valued(on, _trimmed(on, carry, history), history), carry, on))
    return min(found, key=lambda best: _cost(best[0], best[2]))


def _carried(crowd: Crowd, shift: float, prep: int, history: History | None) -> list[tuple[Draft, Crowd]]:
    """The rows for a shift in hours carried to the trip, each with the bodies on the timeline of its preparation.

    Where a flight, work or the bodies make one dearer here than on its own trip, or its days of preparation gain little
    there, the row of fewer days that comes next is tried too, as long as that is no dearer: with it, preparation begins
    later. The soonest for the slow is first.
    """
    line = crowd.line
    at = line.at(history.slot) if history else line.trip.arrival
    landing = since_waking(at, line.trip.destination, line.trip.aims)
    found: dict[tuple[int, int], tuple[Draft, Crowd]] = {}
    begun = {prep: crowd}
    dearest = inf
    for days in range(prep, -1, -1):
        rows = [row for row in nearest(shift, days, landing) if (row.shift, row.prep) not in found]
        if not rows:
            continue
        for row in rows:
            if row.prep not in begun:
                begun[row.prep] = with_days(crowd, row.prep)
            on = begun[row.prep]
            found[row.shift, row.prep] = _laid(on, carried(row, on.line.trip, landing, at), history), on
        costs = [_cost(*found[row.shift, row.prep]) for row in rows]
        as_searched = any(cost - row.days.slow <= _AS_SEARCHED for cost, row in zip(costs, rows, strict=True))
        fewer = nearest(shift, min(row.prep for row in rows) - 1, landing)
        gained = min((row.days.slow for row in fewer), default=inf) - min(row.days.slow for row in rows)
        if min(costs) > dearest or (as_searched and gained > _SURE_GAIN):
            break
        dearest = min(costs)
    return sorted(found.values(), key=lambda pair: _slow(*pair))


def _slow(draft: Draft, crowd: Crowd) -> float:
    return draft.spread(crowd.line.landed).slow


def _cost(draft: Draft, crowd: Crowd) -> float:
    wrong = sum(_wrong(draft.blocks, life) for life in draft.lives) / len(draft.lives)
    return _slow(draft, crowd) + _WRONG_COST * max(wrong - MOST_WRONG, 0)


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
            known = whole and searched.worth >= _SURE_WORTH
            blocks.append(evolve(block, worth=searched.worth) if known else block)
    return evolve(drawn(crowd, table, apart(blocks), history), row=carry.row)


def _beside_work(table: Timetable, day: date, by: timedelta) -> timedelta:
    low, high = window(table.trip, evolve(table, away={}).wake_at_destination(day), -4, 4, 0.5)
    return min(max(by, low * HOUR / 2), high * HOUR / 2)


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
        draft = redrawn(crowd, draft, blocks, block.first, history)
    return draft


def _wrong_count(block: Block, lives: Iterable[Life]) -> int:
    return sum(_wrong((block,), life) for life in lives)


def _valued(crowd: Crowd, draft: Draft, history: History | None) -> Draft:
    """Each block with the days that leaving it out costs; the one worth least goes, while that is too little.

    Of windows that came through as they were searched for the row's own figures hold, from more bodies; those that
    sleep, work or a flight cut, or that hardly matter, are run without, and again after each that goes.
    """
    landed = crowd.line.landed
    while True:
        own = sum(draft.days(landed))
        worths = {block: block.worth for block in draft.blocks}
        less: dict[Block, Draft] = {}
        for block in draft.blocks:
            if not block.worth:
                others = tuple(other for other in draft.blocks if other is not block)
                less[block] = redrawn(crowd, draft, others, block.first, history)
                worths[block] = (sum(less[block].days(landed)) - own) / len(draft.lives)
        least = min(less, key=lambda block: worths[block], default=None)
        if least is None or worths[least] >= LEAST_WORTH:
            return evolve(draft, blocks=tuple(evolve(block, worth=worths[block]) for block in draft.blocks))
        draft = less[least]
