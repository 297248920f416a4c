"""A plan made again from what was actually done."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache

from attrs import evolve, field, frozen

from packhorse_circadian.domain import drafts
from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.choice import choose
from packhorse_circadian.domain.crowd import Life
from packhorse_circadian.domain.drafts import Draft, History
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.nights import sleeps
from packhorse_circadian.domain.plan import finished, with_return
from packhorse_circadian.domain.population.bodies import BRIGHT, DARK, Body
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.timeline import SIMULATED, Timeline
from packhorse_circadian.domain.trip import Trip

LATEST = 14 * DAY
"""After landing: by then a clock has arrived, or another trip has begun."""
WORTH_CHANGING = 0.3
"""[own choice] Days that a plan made again must save on average to take the place of the old one."""


@frozen
class Doings:
    """What happened until ``now``: the plan was followed until ``followed``, then these sleeps, in usual light."""

    now: datetime
    followed: datetime
    slept: tuple[Span, ...] = ()
    seen: tuple[Span, ...] = field(default=())
    """Stretches of bright light."""
    worst: datetime | None = None
    """When the traveller felt worst: about the low."""
    low: Span | None = None
    """The 90 % band of the low, where a log has found it: what was done is in it."""


@frozen
class Again:
    """The better of two: a new plan from the clocks as they now stand, or the old one gone on with."""

    plan: Plan
    kept: bool
    """Whether the old one is as good."""
    behind: timedelta
    """How far the clock is from the destination's now."""


def again(trip: Trip, first: Plan, doings: Doings) -> Again:
    """Run what was done in every body, plan from there, and compare with following the old plan from now on.

    Before the plan begins, weeks after landing and on home time there is
    nothing to plan again.
    """
    under_way = first.line.begin < doings.now < trip.arrival + LATEST
    keeps_home = bool(first.options) and first.options[0].moved != NOTHING
    if not under_way or keeps_home or not trip.shift.size:
        return Again(first, kept=True, behind=first.course.body.near(doings.now).left)
    if doings.low is not None:
        from packhorse_circadian.domain.measured import planned_from  # few travellers keep a log

        new = planned_from(trip, first, doings.now, doings.low)
        return Again(new, kept=False, behind=new.course.body.near(doings.now).left)
    if doings.worst is not None:
        first = _likely(first, doings.worst)
    spans = [(span.start, span.end, DARK) for span in doings.slept]
    spans += [(span.start, span.end, BRIGHT) for span in doings.seen]
    history = _lit_by(first.line, first.draft, spans, doings.followed, doings.now)
    going_on = drafts.drawn(first.crowd, first.draft.table, first.draft.blocks, history)
    new, kept = _planned_again(trip, first, history, doings.now, going_on)
    if first.back is not None:
        new = with_return(new)
    return Again(new, kept, new.course.body.near(doings.now).left)


def rest(made: Plan, now: datetime) -> Plan:
    """What of a plan is not over at ``now``; no pages where all of it is."""
    left = []
    for page in made.pages:
        orders = tuple(order for order in page.orders if (order.end or order.start) > now)
        if orders:
            left.append(evolve(page, orders=orders))
    back = made.back and rest(made.back, now)
    return evolve(made, pages=tuple(left), back=back)


def usual_bedtimes(trip: Trip, since: datetime, now: datetime) -> tuple[Span, ...]:
    """Nights at the usual hours where the traveller was: what is assumed where no sleep is given."""
    table = Timetable(trip, last=trip.arrival_date + 14 * DAY)
    slept = (Span(sleep.start, sleep.end).within(Span(since, now)) for sleep in sleeps(table))
    return tuple(span for span in slept if span.length > NOTHING)


def _likely(first: Plan, worst: datetime) -> Plan:
    """The plan on those bodies whose low on it was nearest to the hour that felt worst: the likelier half.

    People report that hour with a standard deviation of about 1.5 h, so that more cannot be told apart.
    """
    hour = (worst - first.line.begin) / HOUR

    def away(pair: tuple[Body, Life]) -> float:
        life = pair[1]
        return abs(life.lows[life.near(hour)] - hour) if life.lows else DAY / HOUR

    pairs = sorted(zip(first.crowd.people, first.draft.lives, strict=True), key=away)[: len(first.draft.lives) // 2]
    kept = {body for body, _ in pairs}
    states = dict(zip(first.crowd.people, first.crowd.starts, strict=True))
    lives = {body: life for body, life in zip(first.crowd.people, first.draft.lives, strict=True) if body in kept}
    crowd = evolve(first.crowd, people=tuple(lives), starts=tuple(states[body] for body in lives))
    # The lows that are printed are those of the body in the middle of these.
    order = sorted(pairs, key=lambda pair: pair[1].lows[pair[1].near(hour)] if pair[1].lows else hour)
    middle = order[len(order) // 2][0]
    alone = evolve(first.alone, people=(middle,), starts=(states[middle],))
    return evolve(first, crowd=crowd, alone=alone, draft=evolve(first.draft, crowd=crowd, lives=tuple(lives.values())))


def _planned_again(trip: Trip, first: Plan, history: History, since: datetime, going_on: Draft) -> tuple[Plan, bool]:
    """A plan for what is left after ``history``, on the bodies that lived it; and whether the old one is as good."""
    table = Timetable(first.line.trip, last=trip.arrival_date + SIMULATED)
    plain = cache(lambda: drafts.drawn(first.crowd, table, (), history))
    without = plain().spread
    best = choose(first.crowd, plain, without, history, under_way=True)
    gain = sum(going_on.days) - sum(best.days)
    kept = gain < WORTH_CHANGING * len(best.lives)
    return finished(trip, going_on if kept else best, first.crowd, first.alone, without, since=since), kept


def _lit_by(
    line: Timeline,
    first: Draft,
    spans: Iterable[tuple[datetime, datetime, int]],
    since: datetime,
    now: datetime,
) -> History:
    """The light lived until ``now``: the draft's until ``since``, then ordinary light with ``spans`` of other codes."""
    slot, split = line.slot(now), line.slot(min(max(since, line.begin), now))
    lit = bytearray(line.usual)
    lit[:split] = first.lit[:split]
    for start, end, code in spans:
        begin, until = max(line.slot(start), split), line.slot(end)
        if until > begin:
            lit[begin:until] = bytes((code,)) * (until - begin)
    return History(slot - slot % 2, bytes(lit))
