"""The plan of a whole journey: light chosen for the population, nights, and what goes with them, on pages."""

from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import pairwise
from math import ceil, floor

from attrs import evolve

from packhorse_circadian.domain import drafts, zones
from packhorse_circadian.domain.body import BodyClock, Low, Timetable, dates
from packhorse_circadian.domain.caffeine import caffeine
from packhorse_circadian.domain.choice import choose
from packhorse_circadian.domain.crowd import (
    ARRIVED,
    AT_REST,
    OTHERS,
    Crowd,
    Life,
    crowd,
    median_body,
    population,
    quantile,
)
from packhorse_circadian.domain.drafts import Draft
from packhorse_circadian.domain.exercise import exercise
from packhorse_circadian.domain.ground import Course, stays
from packhorse_circadian.domain.journey import Days, Plan, Start
from packhorse_circadian.domain.melatonin import melatonin
from packhorse_circadian.domain.naps import naps
from packhorse_circadian.domain.nights import LEAVE_BEFORE_DEPARTURE, sleeps
from packhorse_circadian.domain.orders import Kind, Order
from packhorse_circadian.domain.pages import Page, pages_for, sleeping
from packhorse_circadian.domain.population.bodies import Body
from packhorse_circadian.domain.population.clock import State
from packhorse_circadian.domain.rows import NO_DAYS, Spread, unaided
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING, Direction
from packhorse_circadian.domain.spans import Span, between
from packhorse_circadian.domain.timeline import SIMULATED, Timeline, since_waking, timeline, usual_begin
from packhorse_circadian.domain.trip import SMALL_SHIFT, Trip
from packhorse_circadian.domain.work import working_hours

MOST_DAYS_AFTER = 13
SHORTEST_LIGHT = HOUR / 2
TOO_FEW = 2 / 3
"""[own choice] Of a trip's own bodies within the band of any trip of its shift, which is to hold four of five: with
fewer this flight's own hours decide, a night lost over one hour of shift say, and the trip's own days are printed."""


def plan(trip: Trip, start: Start | None = None) -> Plan:
    """The plan for ``trip``: the same for the same trip, always. ``start`` is a clock already under way."""
    if trip.back is not None and trip.short and trip.shift.size > SMALL_SHIFT:
        from packhorse_circadian.domain.stays import plan_stay  # few trips are so short

        return plan_stay(trip)
    return one_way(trip, start) if trip.back is None else with_return(one_way(trip, start))


def one_way(trip: Trip, start: Start | None = None, moved: timedelta | None = None) -> Plan:
    """The way out: chosen light and nights, or every night ``moved`` by as much from the wanted hours."""
    begin = start.at if start else usual_begin(trip)
    # How long a clock takes is asked of a traveller who stays.
    stays_on = evolve(trip, back=None)
    line = timeline(stays_on, begin)
    people = start.people if start else population(trip)
    states = start.state if start else None
    everybody = crowd(line, people, states)
    if trip.short or trip.homeward:
        everybody = evolve(everybody, settled=AT_REST)
    if moved is not None:
        table = Timetable(stays_on, {}, dict.fromkeys(_around(trip), moved), trip.arrival_date + SIMULATED)
        best, without = drafts.drawn(everybody, table, ()), None
    else:
        plain = cache(lambda: drafts.drawn(everybody, Timetable(stays_on, last=trip.arrival_date + SIMULATED), ()))
        others = () if start else population(trip, *OTHERS)
        without = unaided(trip.settled.signed / HOUR) if trip.usual and not start else plain().spread
        there = start is not None and quantile(plain().days, 0.5) <= 0
        if there or not trip.shift.size:
            best = plain()
        else:
            best = choose(everybody, plain, without, under_way=start is not None, others=others)
    if start and start.moved:
        best = drafts.first_night(best, start.moved)
    who = start.median if start else median_body(trip)
    return finished(trip, best, everybody, crowd(line, (who,), states), without, under_way=bool(start))


def _around(trip: Trip) -> tuple[date, ...]:
    return dates(trip.departure_date - 2 * DAY, trip.arrival_date + 22 * DAY)


def finished(
    trip: Trip,
    best: Draft,
    everybody: Crowd,
    alone: Crowd,
    without: Spread | None = None,
    *,
    under_way: bool = False,
    since: datetime | None = None,
) -> Plan:
    """The plan of a draft: its days over all bodies beside those ``without`` it, and every order that goes with it.

    ``alone`` is the body in the middle of the population, whose lows are printed; where no days are known without the
    plan, no clock is asked to move.
    """
    line = everybody.line
    if without is None or not trip.shift.size:
        expected = days_of(NO_DAYS, NO_DAYS)
    else:
        afresh = not under_way and since is None
        if not best.blocks and without.share_within(best.days) < TOO_FEW:
            without = best.spread
        expected = days_of(without if afresh and not best.blocks else best.spread, without)
    body = _body(trip, line, alone, best)
    if without is None:
        body = evolve(body, way="none")
    if without is None and trip.leaves_again is not None:
        # Hours kept against the clock there are told for every night.
        last = zones.shown(trip.leaves_again, trip.destination).date()
    else:
        last = _last_date(trip, line, best, expected, under_way=under_way)
    table = evolve(best.table, trip=trip, last=last)
    slept = sleeps(table)
    home, away = stays(table, slept, body.lows)
    course = Course(table=table, body=body, sleeps=slept, home=home, away=away)
    lights = _lights(line, best, course)
    doses = melatonin(course, lights)
    if not under_way and since is None:
        # None before preparation begins.
        begins = zones.instant(trip.departure_date - best.prepared * DAY, time(0), trip.origin)
        doses = tuple(dose for dose in doses if dose.start >= begins)
    orders = [*sleeping(course), *lights, *doses, *caffeine(course)]
    orders += exercise(course, orders)
    orders += naps(course, orders)
    orders += flights(trip)
    if trip.leaves_again is not None:
        again = trip.leaves_again - LEAVE_BEFORE_DEPARTURE
        orders = [order for order in orders if (order.end or order.start) <= again or order.kind == "sleep"]
    if since is not None:
        orders = [order for order in orders if order.kind in _ALWAYS or (order.end or order.start) > since]
    return Plan(course, pages_for(course, orders, line.begin), expected, line, everybody, alone, best)


_ALWAYS = frozenset({"sleep", "wake", "flight"})


def days_of(ours: Spread, without: Spread) -> Days:
    """Both in tenths of a day."""
    return Days(round(ours.half, 1), *ours.band, round(ours.slow, 1), round(without.half, 1), *without.band)


def flights(trip: Trip) -> list[Order]:
    """Each flight of the journey, and the arrival."""
    zones_left = (None, *(stop.zone for stop in trip.layovers))
    found = [
        Order("flight", leaves, end=lands, place="flight", stop=zone)
        for (leaves, lands), zone in zip(trip.flights, zones_left, strict=True)
    ]
    return [*found, Order("arrival", trip.arrival, place="destination")]


def _lights(line: Timeline, draft: Draft, course: Course) -> list[Order]:
    """The blocks of light to the quarter hour, where the traveller is awake, on the ground and not at work."""
    found = []
    trip = course.trip
    for block in draft.blocks:
        whole = drafts.span(line, block)
        for stay in course.stays:
            zone = trip.origin if stay.place == "origin" else trip.destination
            last = zones.shown(whole.end, zone).date()
            work = working_hours(trip, last, zone) if stay.place == "destination" else []
            for awake in stay.awake:
                for free in between(work, whole.within(awake)):
                    span = Span(*zones.quarters_within(free.start, free.end, zone))
                    if span.length >= SHORTEST_LIGHT:
                        kind: Kind = "bright_light" if block.bright else "dim_light"
                        found.append(Order(kind, span.start, end=span.end, place=stay.place, worth=block.worth))
    return found


def _last_date(trip: Trip, line: Timeline, best: Draft, expected: Days, *, under_way: bool) -> date:
    """The last date of the plan.

    At an hour a day for what preparation leaves, and one more: 7 h after 3 days leave 4 h, which take 5 days, as in
    the specification's example. Longer where light or a moved night comes later, or half of the bodies take longer.
    """
    left = max(trip.shift.size - trip.prep_days * HOUR, NOTHING)
    days = max(1 if under_way else left // HOUR + 1, min(ceil(expected.plan), 10))
    last = trip.arrival_date + (min(days, MOST_DAYS_AFTER) - 1) * DAY
    for block in best.blocks:
        last = max(last, zones.shown(line.at(block.last), trip.destination).date())
    last = max([last, *(day for day, by in best.table.away.items() if by and best.blocks)])
    last = min(last, trip.arrival_date + (MOST_DAYS_AFTER - 1) * DAY)
    if trip.leaves_again is not None:
        last = min(last, zones.shown(trip.leaves_again, trip.destination).date())
    return max(last, trip.arrival_date)


def _body(trip: Trip, line: Timeline, alone: Crowd, best: Draft) -> BodyClock:
    """The median body's lows on the plan, and which way it goes."""
    life = alone.follow(best.lit, len(best.lit))[0]
    lows = tuple(
        Low(line.begin + low * HOUR, min(floor(abs(late) * 4) / 4, 12.0) * HOUR)
        for low, late in zip(life.lows, life.late, strict=True)
    )
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
        goal = min({-signed, 24 - signed if signed > 0 else -24 - signed}, key=lambda goal: abs(goal - drift))
        way = "delay" if goal > 0 else "advance"
        if life.late and abs(life.late[0]) < ARRIVED:
            way = "none"
    gained = leaving if way == "delay" else -leaving
    return BodyClock(trip, lows, way, timedelta(hours=max(gained, 0.0)))


def with_return(out: Plan) -> Plan:
    """The plan with the way back on the same calendar: from the clocks, and the last night, that the stay leaves."""
    trip = out.trip
    if trip.back is None:
        return out
    home = evolve(
        trip,
        origin=trip.destination,
        destination=trip.origin,
        departure=trip.back[0],
        arrival=trip.back[1],
        habits=trip.aims,
        wanted=trip.habits,
        prep_days=0,
        layovers=(),
        working=None,
        back=None,
        stay=None,
        homeward=True,
    )
    begin = usual_begin(home)
    moved = out.course.table.away.get(home.departure_date, NOTHING)
    median = out.alone.people[0]
    lives = dict(zip(out.crowd.people, out.draft.lives, strict=True))
    lives[median] = out.alone.follow(out.draft.lit, len(out.draft.lit))[0]

    def state(body: Body) -> State:
        return state_at(lives[body], body, out.line, begin)

    back = one_way(home, Start(begin, out.crowd.people, median, state, moved))
    ends = max(zones.instant(home.departure_date, time(0), home.origin), trip.arrival)  # on a day's trip, with landing
    # A page by a clock that the way back has too would stand twice: the destination's, and any of a trip within a zone.
    again = {"destination"} if trip.origin != trip.destination else {"destination", "flight"}
    pages = tuple(
        evolve(page, orders=tuple(order for order in page.orders if order.start < ends))
        for page in out.pages
        if page.place not in again or page.day < home.departure_date
    )
    return evolve(out, pages=pages, back=evolve(back, pages=_after_landing(out, back)))


def _after_landing(out: Plan, back: Plan) -> tuple[Page, ...]:
    """Pages of the way back that ask for nothing before the way out has landed, nor in what is left of that night."""
    landed, day = out.trip.arrival, back.trip.departure_date
    if landed <= back.line.begin:
        return back.pages
    there = (page for page in out.pages if page.place == "destination" and page.day == day)
    slept = [order for page in there for order in page.orders if order.kind == "sleep" and order.end]
    night = [order for order in slept if order.end and order.end <= back.course.home.span.end][:1]
    up = [Order("wake", order.end, place="origin") for order in night if order.end]
    since = max([landed, *(order.start for order in up)])
    asked = [evolve(order, place="origin") for order in night] + up
    for order in back.pages[0].orders:
        if order.start >= since and not (up and order.kind == "wake"):
            asked.append(order)
        elif order.end and order.end > since and order.kind != "sleep":
            asked.append(evolve(order, start=since))
    return (evolve(back.pages[0], orders=tuple(asked)), *back.pages[1:])


def state_at(life: Life, body: Body, line: Timeline, at: datetime) -> State:
    """One body's state at ``at``; entrained at the destination where its course ends before, settled."""
    hour = round((at - line.begin) / HOUR)
    if hour < len(life.states):
        return life.states[max(hour, 0)]
    since = since_waking(at, line.trip.destination, line.trip.aims)
    return body.day[int(since) % 24]
