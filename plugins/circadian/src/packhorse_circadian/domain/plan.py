"""The plan: chosen by the search, run again as it is printed, and put on pages."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from math import ceil, floor

from attrs import evolve, frozen

from packhorse_circadian.domain import lived, zones
from packhorse_circadian.domain.body import BodyClock, Low, Timetable, dates
from packhorse_circadian.domain.caffeine import caffeine
from packhorse_circadian.domain.exercise import exercise
from packhorse_circadian.domain.ground import Course, stays
from packhorse_circadian.domain.light import MANNERS, SMALLEST_SHIFT, blocks, filled
from packhorse_circadian.domain.melatonin import melatonin
from packhorse_circadian.domain.naps import naps
from packhorse_circadian.domain.nights import LEAVE_BEFORE_DEPARTURE, Sleep, sleeps
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.pages import Page, pages_for, sleeping
from packhorse_circadian.domain.planner.board import Rows
from packhorse_circadian.domain.planner.choice import choose
from packhorse_circadian.domain.planner.outcome import Outcome
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING, Direction
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.domain.voyage import SIMULATED, Start, Voyage, sleeper, usual_start, voyage

# Field protocols reach 50 to 80 % of what the models promise (1.4-1.5 h of 2.3 in three days of preparation, 1.8-1.9
# of 3.5: Eastman et al. 2005, Sleep 28:33); the middle of it is what travellers are told to expect.
SHARE, SLOWEST_SHARE, FASTEST_SHARE = 0.65, 0.5, 0.8
MOST_DAYS_AFTER = 13
_TRUTHS: tuple[tuple[float, float | None], ...] = ((1.0, 24.0), (1.0, 24.5), (0.5, None), (2.0, None))
"""Factors on all light, and periods of the clock, in which plan and plain jump are run beside each other."""


@frozen
class Days:
    """Mornings after landing until the body clock is right to within an hour.

    ``model`` and ``model_without`` are the model's own; the rest is what
    people take: the model's divided by `SHARE`, and the range over bodies and
    light that may be otherwise.
    """

    model: int
    model_without: int
    low: int
    high: int
    without_low: int
    without_high: int

    @property
    def plan(self) -> int:
        """With the plan."""
        return told(self.model, SHARE)

    @property
    def without(self) -> int:
        """Sleeping at the destination's hours from the first night on, with no further measures."""
        return told(self.model_without, SHARE)


def told(mornings: int, share: float) -> int:
    """Mornings as people take them, where the model takes ``mornings``."""
    return ceil(mornings / share - 1e-9)


@frozen(repr=False)
class Plan:
    """Everything to do on one trip, and the course it was made from."""

    course: Course
    pages: tuple[Page, ...]
    expected: Days
    light: lived.Light
    plain: lived.Light
    start: Start

    @property
    def trip(self) -> Trip:
        """The trip it is for."""
        return self.course.trip

    @property
    def days_after(self) -> int:
        """Dates at the destination, the arrival date included."""
        return (self.course.table.last - self.trip.arrival_date).days + 1

    @property
    def days(self) -> int:
        """Dates of preparation and adaptation; the travel days between them come on top."""
        return self.trip.prep_days + self.days_after


@frozen(repr=False)
class _Draft:
    """Nights and light of one plan, run as printed."""

    table: Timetable
    sleeps: tuple[Sleep, ...]
    orders: tuple[Order, ...]
    light: lived.Light
    outcome: Outcome


def plan(trip: Trip, start: Start | None = None) -> Plan:
    """The plan for ``trip``: the same for the same trip, always. ``start`` is a clock already under way."""
    begin = start or usual_start(trip)
    laid = voyage(trip, begin)
    if trip.keeps_home_time:
        return _at_home_time(laid)
    nothing = tuple((0,) * 5 for _ in laid.board.nights)
    plain = _draft(laid, nothing, ())
    best = plain
    # After a stay on home time, or late in a plan made again, the clock may be right already.
    there = start is not None and not lived.mornings(plain.outcome)
    if trip.shift.size > NOTHING and not there:
        best = _best(laid, choose(laid.board, laid.since).rows, plain)
    expected = _expected(trip, begin, best, plain)
    last = trip.arrival_date + (0 if there else _days_after(trip, expected) - 1) * DAY
    body = _body(trip, begin, best)
    if there:
        body = evolve(body, way="none")
    longest = trip.arrival_date + (MOST_DAYS_AFTER - 1) * DAY
    while last < longest and body.low(last, trip.destination).left >= HOUR:
        last += DAY
    if trip.leaves_again is not None:
        last = min(last, zones.shown(trip.leaves_again, trip.destination).date())
    return _plan(laid, best, plain, expected, body, last)


def _at_home_time(laid: Voyage) -> Plan:
    """Nights by the clock at home, as long as the stay lasts; nothing is to be shifted."""
    trip = laid.trip
    again = trip.leaves_again or trip.arrival
    last = min(zones.shown(again, trip.destination).date(), trip.arrival_date + (MOST_DAYS_AFTER - 1) * DAY)
    # From before the journey on: sleep on board keeps home time too.
    away = dict.fromkeys(dates(trip.departure_date - 2 * DAY, last + 2 * DAY), trip.shift.signed)
    table = Timetable(trip, {}, away, last)
    kept = _relit(laid, _Draft(table, sleeps(table), (), (), Outcome((), 0.0)), ())
    body = evolve(_body(trip, laid.start, kept), way="none")
    return _plan(laid, kept, kept, Days(0, 0, 0, 0, 0, 0), body, last)


def _plan(laid: Voyage, best: _Draft, plain: _Draft, expected: Days, body: BodyClock, last: date) -> Plan:
    trip = laid.trip
    table = evolve(best.table, last=last)
    slept = sleeps(table)
    home, away = stays(table, slept, body.lows)
    course = Course(table=table, body=body, sleeps=slept, home=home, away=away)
    shining = [order for order in best.orders if order.start < away.span.end or order.place != "destination"]
    orders = [*sleeping(course), *shining, *melatonin(course), *caffeine(course), *exercise(course, shining)]
    orders += naps(course, orders)
    if trip.leaves_again is not None:
        again = trip.leaves_again - LEAVE_BEFORE_DEPARTURE
        orders = [order for order in orders if (order.end or order.start) <= again]
    pages = pages_for(course, orders, laid.start.at)
    return Plan(course, pages, expected, best.light, plain.light, laid.start)


def _best(laid: Voyage, rows: Rows, plain: _Draft) -> _Draft:
    """The chosen plan as it will be printed: something to seek and avoid every day, no morning later than slam."""
    bare = _draft(laid, rows, ())
    if laid.trip.shift.size <= SMALLEST_SHIFT:
        return bare if lived.mornings(bare.outcome) <= lived.mornings(plain.outcome) else plain
    bar = min(lived.mornings(bare.outcome), lived.mornings(plain.outcome))
    tried = []
    for draft in (bare, plain):
        body = _body(laid.trip, laid.start, draft)
        last = evolve(draft.table, last=_last_filled(laid.trip, draft))
        around = stays(last, sleeps(last), body.lows)
        for manner in MANNERS:
            more = filled(laid, draft.orders, around, body, manner)
            full = _relit(laid, draft, tuple(more))
            tried.append(full)
            if lived.mornings(full.outcome) <= bar:
                return full
    fastest = min(tried, key=lambda full: lived.mornings(full.outcome))
    return fastest if lived.mornings(fastest.outcome) <= lived.mornings(plain.outcome) else plain


def _last_filled(trip: Trip, draft: _Draft) -> date:
    """The last date that may be in the plan. Clocks that change after landing ask for an hour once more."""
    latest = trip.arrival_date + MOST_DAYS_AFTER * DAY
    if zones.offset_at_noon(trip.destination, trip.arrival_date) != zones.offset_at_noon(trip.destination, latest):
        return latest
    by_rule = trip.shift.size // HOUR + 1
    days = min(max(told(lived.mornings(draft.outcome), SHARE), by_rule) + 2, MOST_DAYS_AFTER)
    return trip.arrival_date + days * DAY


def _draft(laid: Voyage, rows: Rows, more: Sequence[Order]) -> _Draft:
    trip = laid.trip
    table = laid.timetable(rows, trip.arrival_date + SIMULATED)
    slept = sleeps(table)
    orders = tuple(blocks(laid, rows, stays(table, slept)))
    return _relit(laid, _Draft(table, slept, orders, (), Outcome((), 0.0)), (*orders, *more))


def _relit(laid: Voyage, draft: _Draft, orders: tuple[Order, ...]) -> _Draft:
    trip, begin = laid.trip, laid.start
    light = lived.light(trip, (*draft.sleeps, *_staying(draft.table)), orders, begin.at, trip.arrival + SIMULATED)
    who = sleeper(trip)
    return evolve(draft, orders=orders, light=light, outcome=lived.outcome(who, begin.of(who), light, begin.at, trip))


def _staying(table: Timetable) -> tuple[Sleep, ...]:
    """The nights after the flight back if it were not flown: how long a clock takes is asked of one that stays."""
    trip, again = table.trip, table.trip.leaves_again
    if again is None:
        return ()
    stays_on = evolve(table, trip=evolve(trip, back=None))
    return tuple(sleep for sleep in sleeps(stays_on) if sleep.start >= again)


def _expected(trip: Trip, begin: Start, best: _Draft, plain: _Draft) -> Days:
    """Mornings with the plan and without, in the planned body and light and in others."""
    if not trip.shift.size:
        return Days(0, 0, 0, 0, 0, 0)
    runs = {"with": [lived.mornings(best.outcome)], "without": [lived.mornings(plain.outcome)]}
    for scale, tau in _TRUTHS:
        who = sleeper(trip, scale=scale, tau=tau)
        state = begin.of(who)
        for name, draft in (("with", best), ("without", plain)):
            runs[name].append(lived.mornings(lived.outcome(who, state, draft.light, begin.at, trip)))
    with_plan, without = runs["with"], runs["without"]
    return Days(
        model=with_plan[0],
        model_without=without[0],
        low=told(min(with_plan), FASTEST_SHARE),
        high=told(max(with_plan), SHARE),
        without_low=told(min(without), FASTEST_SHARE),
        without_high=told(max(without), SHARE),
    )


def _days_after(trip: Trip, expected: Days) -> int:
    """Dates after landing that the plan covers.

    At an hour a day for what preparation leaves, and one more: 7 h after 3
    days leave 4 h, which take 5 days, as in the specification's example. More
    where the simulated clock takes longer.
    """
    left = max(trip.shift.size - trip.prep_days * HOUR, NOTHING)
    return min(max(left // HOUR + 1, expected.model + 1), MOST_DAYS_AFTER)


def _body(trip: Trip, begin: Start, draft: _Draft) -> BodyClock:
    who = sleeper(trip)
    own = lived.outcome(who, begin.of(who), draft.light, begin.at, trip, masked=False)
    lows = tuple(Low(begin.at + low.at * HOUR, min(floor(abs(low.late) * 4) / 4, 12.0) * HOUR) for low in own.lows)
    if not trip.shift.size:
        lows = tuple(Low(low.at, NOTHING) for low in lows)
    drift, leaving = 0.0, 0.0
    for before, after in pairwise(lows):
        step = (after.at - before.at) / HOUR
        drift += step - 24 * round(step / 24)
        if after.at <= trip.departure:
            leaving = drift
    signed = trip.shift.signed / HOUR
    way: Direction = trip.shift.direction
    if way != "none":
        goals = {-signed, 24 - signed if signed > 0 else -24 - signed}
        goal = min(goals, key=lambda goal: abs(goal - drift))
        way = "delay" if goal > 0 else "advance"
    gained = leaving if way == "delay" else -leaving
    return BodyClock(trip, lows, way, timedelta(hours=max(gained, 0.0)))
