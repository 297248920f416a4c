"""A plan made again from what was actually done."""

from datetime import datetime, timedelta

from attrs import evolve, field, frozen

from packhorse_circadian.domain import lived
from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.nights import sleeps
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.plan import Plan, plan
from packhorse_circadian.domain.planner.clockwork import Home, State
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.domain.voyage import SIMULATED, Start, sleeper, usual_start

LATEST = 14 * DAY
"""After landing: by then a clock has arrived, or another trip has begun."""


@frozen
class Doings:
    """What happened until ``now``: the plan was followed until ``followed``, then these sleeps, in usual light."""

    now: datetime
    followed: datetime
    slept: tuple[Span, ...] = ()
    seen: tuple[Span, ...] = field(default=())
    """Stretches of bright light."""


@frozen
class Again:
    """The better of two: a new plan from the clock as it now stands, or the old one gone on with."""

    plan: Plan
    kept: bool
    """Whether the old one is as good."""
    behind: timedelta
    """How far the clock is from the destination's now."""


def again(trip: Trip, first: Plan, doings: Doings) -> Again:
    """Run what was done, plan from there, and compare with following the old plan from now on.

    Before the plan begins, weeks after landing and on home time there is
    nothing to plan again.
    """
    under_way = first.start.at < doings.now < trip.arrival + LATEST
    if not under_way or trip.keeps_home_time or not trip.shift.size:
        return Again(first, kept=True, behind=first.course.body.near(doings.now).left)
    history = _history(trip, first, doings)

    def state(who: Home) -> State:
        return lived.lows(who, first.start.of(who), history)[1]

    start = Start(doings.now, state)
    new = plan(trip, start)
    rest = lived.cut(first.light, (doings.now - first.start.at) / HOUR)
    who = sleeper(trip)
    going_on = lived.outcome(who, state(who), rest, doings.now, trip)
    renewed = lived.outcome(who, state(who), new.light, doings.now, trip)
    kept = lived.mornings(going_on) <= lived.mornings(renewed)
    low = new.course.body.near(doings.now)
    return Again(first if kept else new, kept, low.left)


def rest(made: Plan, now: datetime) -> Plan:
    """What of a plan is not over at ``now``; no pages where all of it is."""
    left = []
    for page in made.pages:
        orders = tuple(order for order in page.orders if (order.end or order.start) > now)
        if orders:
            left.append(evolve(page, orders=orders))
    return evolve(made, pages=tuple(left))


def _history(trip: Trip, first: Plan, doings: Doings) -> lived.Light:
    """The plan's own light while it was followed, then what was done instead."""
    begin = first.start.at
    followed = min(max(doings.followed, begin), doings.now)
    kept = lived.until(first.light, (followed - begin) / HOUR)
    orders = [Order("nap", span.start, end=span.end, place="destination") for span in doings.slept]
    orders += [Order("bright_light", span.start, end=span.end, place="destination") for span in doings.seen]
    return (*kept, *lived.light(trip, (), orders, followed, doings.now)) if followed < doings.now else kept


def usual_bedtimes(trip: Trip, since: datetime, now: datetime) -> tuple[Span, ...]:
    """Nights at the usual hours where the traveller was: what is assumed where no sleep is told."""
    table = Timetable(trip, last=trip.arrival_date + 14 * DAY)
    told = (Span(sleep.start, sleep.end).within(Span(since, now)) for sleep in sleeps(table))
    return tuple(span for span in told if span.length > NOTHING)


def start_after(made: Plan, trip: Trip) -> Start:
    """Where ``trip`` starts, with the clock as an earlier plan leaves it; weeks later, entrained there."""
    usual = usual_start(trip)
    hours = (usual.at - made.start.at) / HOUR
    if hours < 0 or usual.at > made.trip.arrival + SIMULATED:
        return usual
    before = lived.until(made.light, hours)
    return Start(usual.at, lambda who: lived.lows(who, made.start.of(who), before)[1])
