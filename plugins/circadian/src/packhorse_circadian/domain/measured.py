"""A trip planned again from where a log has found the clock."""

from datetime import datetime
from functools import cache
from statistics import NormalDist

from attrs import evolve

from packhorse_circadian.domain import choice, drafts
from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.crowd import crowd
from packhorse_circadian.domain.drafts import History
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.plan import finished, with_return
from packhorse_circadian.domain.population.bodies import Body
from packhorse_circadian.domain.population.clock import State
from packhorse_circadian.domain.shift import HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.timeline import SIMULATED, timeline
from packhorse_circadian.domain.trip import Trip

_EDGE = NormalDist().inv_cdf(0.95)


def planned_from(trip: Trip, first: Plan, now: datetime, low: Span) -> Plan:
    """The plan from ``now`` on, of bodies whose lows are spread over a 90 % band ``low``, the late types late in it."""
    begin = now.replace(minute=now.minute // 30 * 30, second=0, microsecond=0)
    people = first.crowd.people
    half = low.length / 2
    ranked = sorted(people, key=lambda body: body.low)
    spread = {body: NormalDist().inv_cdf((k + 0.5) / len(ranked)) / _EDGE for k, body in enumerate(ranked)}

    def state(body: Body) -> State:
        at = low.start + half + spread.get(body, 0.0) * half
        # Not `start`: the hours by which a first day is off are in the band already.
        return evolved(body, (begin - at) / HOUR)

    def evolved(body: Body, since_low: float) -> State:
        return body._replace(late=0.0).start(since_low + body.low)

    line = timeline(evolve(trip, back=None), begin)
    everybody, alone = crowd(line, people, state), crowd(line, first.alone.people, state)
    nothing_past = History(0, b"")
    table = Timetable(line.trip, last=trip.arrival_date + SIMULATED)
    plain = cache(lambda: drafts.drawn(everybody, table, (), nothing_past))
    best = choice.choose(everybody, plain, plain().spread, nothing_past, under_way=True)
    made = finished(trip, best, everybody, alone, plain().spread, under_way=True, since=begin)
    return with_return(made)
