"""A day-by-day plan run exactly as it is printed: every switch of the light at its own minute."""

from bisect import bisect_right
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from math import ceil

from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.nights import Sleep
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.planner.clockwork import CABIN_LUX, DIM_LUX, Home, State, level
from packhorse_circadian.domain.planner.outcome import LOWEST, NEVER, Low, Outcome
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.domain.voyage import AMBIENT_LUX

SWITCH, LONGEST_STEP = 0.5, 1.5
"""Hours: the first step into another light, and the longest of any. Lows are then within a minute of those by steps of
a tenth of an hour."""
NEAR_STATE = 0.1
"""Of x and xc, whose cycle has a radius of about 1: some 0.4 h of phase."""

Light = tuple[tuple[float, float], ...]
"""Hours and lux, one after another."""


def light(trip: Trip, slept: Iterable[Sleep], orders: Iterable[Order], start: datetime, end: datetime) -> Light:
    """The light on the traveller from ``start`` to ``end``: usual light by day, and what the plan changes about it."""
    ambient, bright = AMBIENT_LUX, trip.bright_lux
    spans = [(order.start, order.end, DIM_LUX) for order in orders if order.kind == "dim_light" and order.end]
    spans += [(order.start, order.end, bright) for order in orders if order.kind == "bright_light" and order.end]
    spans += [(leaves, lands, CABIN_LUX) for leaves, lands in trip.flights]
    spans += [(sleep.start, sleep.end, 0.0) for sleep in slept]
    spans += [(order.start, order.end, 0.0) for order in orders if order.kind == "nap" and order.end]
    edges = sorted({start, end, *(at for first, last, _ in spans for at in (first, last) if start < at < end)})
    lux = [ambient] * (len(edges) - 1)
    where = {at: n for n, at in enumerate(edges)}
    for begins, ends, lit in spans:
        if max(begins, start) < min(ends, end):
            for n in range(where[max(begins, start)], where[min(ends, end)]):
                lux[n] = lit
    found: list[tuple[float, float]] = []
    for n, lit in enumerate(lux):
        hours = (edges[n + 1] - edges[n]) / HOUR
        if found and found[-1][1] == lit:
            found[-1] = (found[-1][0] + hours, lit)
        else:
            found.append((hours, lit))
    return tuple(found)


def until(course: Light, hours: float) -> Light:
    """The first ``hours`` of it."""
    found, at = [], 0.0
    for length, lux in course:
        if at >= hours:
            break
        found.append((min(length, hours - at), lux))
        at += length
    return tuple(found)


def cut(course: Light, hours: float) -> Light:
    """What comes after the first ``hours`` of it."""
    found, at = [], 0.0
    for length, lux in course:
        at += length
        if at > hours:
            found.append((min(length, at - hours), lux))
    return tuple(found)


def lows(
    who: Home, state: State, course: Light, *, masked: bool = True, settles: bool = False
) -> tuple[list[float], State]:
    """Hours from the start to each low of this sleeper's clock, and the state at the end.

    Light that meets the low of body temperature moves it there and then: what
    is measured is ``masked``. Otherwise the clock's own low, without what
    light adds for the moment. With ``settles`` it ends where the days are the
    usual ones to the end and the clock is the entrained one of such days.
    """
    gears, scale = who.gears, who.lights.scale
    along = gears.along
    lowest = LOWEST if masked else 0.0
    found: list[float] = []
    time, before = 0.0, 1.0
    usual = _usual_from(course) if settles else len(course)
    for i, (stretch, lux) in enumerate(course):
        if i > usual and lux and _settled(state, who):
            break
        lit = lux * scale
        drive = level(lit, 0.5)[0] if masked else 0.0
        for hours in _parts(stretch, dark=not lux):
            if hours < 1e-6:
                continue
            x, xc, n = state
            state = along(state, level(lit, hours), hours)
            if x < lowest:
                now = xc + drive * (1 - n) * (1 - 0.4 * x) * (1 - 0.4 * xc)
                x2, xc2, n2 = state
                then = xc2 + drive * (1 - n2) * (1 - 0.4 * x2) * (1 - 0.4 * xc2)
                at = time if before < 0 <= now else time + hours * now / (now - then) if now < 0 <= then else -1.0
                if at >= 0 and (not found or at - found[-1] > 6):
                    found.append(at)
                before = then
            else:
                before = 1.0
            time += hours
    return found, state


def _usual_from(course: Light) -> int:
    """The index from which day follows day alike to the end, whose last stretch may be cut short."""
    first = max(len(course) - 3, 0)
    while first and course[first - 1] == course[first + 1]:
        first -= 1
    return first


def _settled(state: State, who: Home) -> bool:
    """Whether a clock on waking is within half an hour or so of the entrained one, and stays there under usual days."""
    x, xc, _ = who.states[who.asleep]
    return abs(state[0] - x) < NEAR_STATE and abs(state[1] - xc) < NEAR_STATE


@lru_cache(maxsize=1024)
def _parts(stretch: float, *, dark: bool) -> tuple[float, ...]:
    """Steps through constant light: a short one after its switch, when the eye adapts, then as few as are exact."""
    first = () if dark or stretch <= SWITCH else (SWITCH,)
    rest = stretch - sum(first)
    count = ceil(rest / LONGEST_STEP)
    return (*first, *((rest / count,) * count))


def outcome(who: Home, state: State, course: Light, begin: datetime, trip: Trip, *, masked: bool = True) -> Outcome:
    """The lows under ``course``, each against the entrained one at the destination, and when they are right to stay.

    Masked, up to where they are.
    """
    found, _ = lows(who, state, course, masked=masked, settles=masked)
    beds = _usual_bedtimes(trip, begin)
    late = []
    for at in found:
        bed = beds[max(bisect_right(beds, at) - 1, 0)]
        late.append(Low(at, (at - bed - who.low + 12) % 24 - 12))
    return Outcome(tuple(late), max((trip.arrival - begin) / HOUR, 0.0))


@lru_cache(maxsize=32)
def _usual_bedtimes(trip: Trip, begin: datetime) -> list[float]:
    """Usual bedtimes by the destination's clocks, in hours from ``begin``: clocks may change on the way."""
    table = Timetable(trip)
    return [
        (table.wake_at_destination(trip.arrival_date + n * DAY) - trip.night - begin) / HOUR
        for n in range(-trip.prep_days - 4, 24)
    ]


def mornings(result: Outcome) -> int:
    """Mornings after landing until the low is right to stay; 0 where it is so on landing.

    All that were simulated where the clock does not arrive.
    """
    if not result.lows:
        return 0
    days = result.days if result.days < NEVER else (result.lows[-1].at - result.since) / 24
    return max(ceil(days - 1e-9), 0)
