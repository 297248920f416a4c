"""A short stay: home hours, half way or local ones, each run both ways over the population, and the least of them."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from attrs import evolve

from packhorse_circadian.domain import choice, drafts
from packhorse_circadian.domain.crowd import Life
from packhorse_circadian.domain.journey import Option, Plan
from packhorse_circadian.domain.nights import Sleep
from packhorse_circadian.domain.plan import finished, one_way, with_return
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.domain.work import works_at_night

SOCIAL = 0.2
"""[own choice] Mornings that a night one hour off local time is worth avoiding for."""
_DAYS_HOME = 9
"""Days after the way back in which mornings off are counted."""


def plan_stay(trip: Trip) -> Plan:
    """The plan of a stay of a few nights, by the hours that cost least, or those that the traveller chose."""
    full = trip.shift.signed
    half = round(full / HOUR) * HOUR / 2
    plans = {"home": _kept(trip, full), "half": _kept(trip, half), "local": with_return(one_way(trip))}
    moved = {"home": full, "half": half, "local": NOTHING}
    nights = max(round((trip.back[0] - trip.arrival) / DAY), 1) if trip.back else 1
    options = [
        Option(name, moved[name], round(mornings_off(made, moved[name]), 1), abs(moved[name]) / HOUR * SOCIAL * nights)
        for name, made in plans.items()
    ]
    if trip.stay is not None:
        chosen = next(option for option in options if option.name == trip.stay)
    else:
        free = [option for option in options if not works_at_night(trip, plans[option.name].course.table)]
        chosen = min(free or options, key=lambda option: option.mornings + option.social)
    others = (option for option in options if option is not chosen)
    return evolve(plans[chosen.name], options=(chosen, *others))


def _kept(trip: Trip, moved: timedelta) -> Plan:
    """Every night moved from local hours; with the light, if any, that holds the clock there best."""
    bare = one_way(trip, moved=moved)
    best, least = bare, mornings_off(with_return(bare), moved)
    for blocks in filter(None, _holding(bare)):
        draft = drafts.drawn(bare.crowd, bare.draft.table, blocks)
        draft = evolve(draft, blocks=tuple(evolve(block, worth=0.0) for block in draft.blocks))
        held = finished(trip, draft, bare.crowd, bare.alone)
        mornings = mornings_off(with_return(held), moved)
        if mornings <= least - choice.LEAST_WORTH * len(blocks):
            worth = (least - mornings) / len(blocks)
            valued = evolve(draft, blocks=tuple(evolve(block, worth=worth) for block in blocks))
            best = finished(trip, valued, bare.crowd, bare.alone)
            least = mornings
    return with_return(best)


def _holding(made: Plan) -> Iterator[tuple[drafts.Block, ...]]:
    """Light that holds a clock where it is against the sun: bright on waking and dim before bed, or the reverse."""
    line, trip = made.line, made.trip
    sleeps = [sleep for sleep in made.draft.sleeps if sleep.place == "destination"]
    sleeps = [sleep for sleep in sleeps if trip.leaves_again and sleep.start < trip.leaves_again]
    lit = line.asleep(made.draft.sleeps)
    for on_waking in (True, False):
        blocks: list[drafts.Block] = []
        for sleep in sleeps:
            for start, end, bright in _around(sleep, on_waking=on_waking):
                first, last = (round((at - line.begin) / (HOUR / 2)) for at in (start, end))
                blocks += drafts.free(line, lit, first, last, bright)
        yield drafts.apart(blocks)


def _around(sleep: Sleep, *, on_waking: bool) -> Iterator[tuple[datetime, datetime, bool]]:
    yield sleep.end, sleep.end + 3 * HOUR, on_waking
    yield sleep.start - 3 * HOUR, sleep.start, not on_waking


def mornings_off(made: Plan, moved: timedelta) -> float:
    """Mornings, on the stay and after it, at which the low is an hour off the night as slept; half an hour counts half.

    The mean of the population.
    """
    back = made.back
    if back is None:
        return 0.0
    out, leave = made.line, (back.trip.departure - made.line.begin) / HOUR
    total = 0.0
    for there, home in zip(made.draft.lives, back.draft.lives, strict=True):
        total += _off(there, out.landed, leave, moved / HOUR)
        total += _off(home, back.line.landed, back.line.landed + 24 * _DAYS_HOME, 0.0)
    return total / len(made.draft.lives)


def _off(life: Life, since: float, until: float, moved: float) -> float:
    off = 0.0
    for low, late in zip(life.lows, life.late, strict=True):
        if since <= low < until:
            away = abs((late - moved + 12) % 24 - 12)
            off += 1.0 if away >= 1 else 0.5 if away >= 0.5 else 0.0
    return off
