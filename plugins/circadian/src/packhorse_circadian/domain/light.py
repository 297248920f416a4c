"""Bright and dim light: the planner's blocks on the ground, and something to seek and to avoid on every day.

Light before the body's low makes the clock later, light after it earlier
(phase response curve of Khalsa et al. 2003, J Physiol 549:945). When exactly,
the simulation decides.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, time, timedelta
from typing import Literal

from attrs import evolve

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import BodyClock, dates
from packhorse_circadian.domain.ground import Stay
from packhorse_circadian.domain.orders import Kind, Order
from packhorse_circadian.domain.planner.board import Rows
from packhorse_circadian.domain.planner.clockwork import BRIGHT, DIM
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span, between
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.domain.voyage import Voyage
from packhorse_circadian.domain.work import working_hours

SHORTEST = timedelta(minutes=30)
"""Of a block that sleep or the journey cuts; the planner's own are an hour and more."""

_KINDS: dict[int, Kind] = {BRIGHT: "bright_light", DIM: "dim_light"}

FILLED = HOUR
"""Length of what is added on a day for which the planner asks nothing."""
_STEP = timedelta(minutes=30)
# Peaks of the phase response curve lie about 3 h either side of the low (Khalsa et al. 2003); nine hours after the low
# and more, in the afternoon of somebody adapted, light does little.
_PEAK = 3 * HOUR
_DEAD = 10 * HOUR
# The last hours before bed of somebody who sleeps from six hours before the low on.
_BEFORE_BED = -6.5 * HOUR

Manner = Literal["helping", "evening", "still", "least"]
MANNERS: tuple[Manner, ...] = ("helping", "evening", "still", "least")

SMALLEST_SHIFT = 3 * HOUR
"""Above it every day has light to seek and light to avoid."""


def blocks(plan: Voyage, rows: Rows, stays: tuple[Stay, Stay]) -> list[Order]:
    """The planner's blocks where the traveller is awake and on the ground."""
    lit = plan.board.draw(rows)
    trip = plan.trip
    found: list[Order] = []
    first = 0
    for slot in range(1, len(lit) + 1):
        if slot < len(lit) and lit[slot] == lit[first]:
            continue
        kind = _KINDS.get(lit[first])
        if kind:
            found += _on_the_ground(Span(plan.at(first), plan.at(slot)), kind, stays, trip)
        first = slot
    return found


def _on_the_ground(span: Span, kind: Kind, stays: Iterable[Stay], trip: Trip) -> list[Order]:
    found = []
    for stay in stays:
        zone = trip.origin if stay.place == "origin" else trip.destination
        work = working_hours(trip, zones.shown(span.end, zone).date(), zone) if stay.place == "destination" else []
        for free in between(work, span):
            for awake in stay.awake:
                if not free.meets(awake):
                    continue
                inside = free.within(awake)
                part = Span(*zones.quarters_within(inside.start, inside.end, zone))
                if part.length >= SHORTEST:
                    found.append(Order(kind, part.start, end=part.end, place=stay.place))
    return found


def filled(
    plan: Voyage, orders: Sequence[Order], stays: tuple[Stay, Stay], body: BodyClock, manner: Manner
) -> list[Order]:
    """The blocks of light, with an hour to seek and an hour to avoid on each date that has none.

    ``helping``: on the side of the low where they help most. ``evening``:
    light in the afternoon, where it does least, and dim hours before bed.
    ``still``: both where they do least. ``least``: so, and only half an hour.
    """
    trip = plan.trip
    lights = [order for order in orders if order.kind in _KINDS.values()]
    added: list[Order] = []
    for stay in stays:
        zone = trip.origin if stay.place == "origin" else trip.destination
        if stay.span.end <= stay.span.start:
            continue
        first, last = (zones.shown(at, zone).date() for at in (stay.span.start, stay.span.end - _STEP))
        work = working_hours(trip, last, zone) if stay.place == "destination" else []
        for day in dates(first, last):
            date = Span(zones.instant(day, time(0), zone), zones.instant(day + DAY, time(0), zone))
            waking = [part for awake in stay.awake if (part := awake.within(date)).length > SHORTEST]
            for kind in _KINDS.values():
                there = [order for order in (*lights, *added) if order.place == stay.place]
                if any(order.kind == kind and date.holds(order.start) for order in there):
                    continue
                taken = [Span(order.start, order.end) for order in there if order.end]
                busy = sorted([*taken, *work], key=lambda span: span.start)
                free = [
                    Span(*zones.quarters_within(part.start, part.end, zone))
                    for awake in waking
                    for part in between(busy, awake)
                ]
                span = _best([part for part in free if part.length >= SHORTEST], kind, body, manner)
                if span is None:
                    span = _shared(lights, added, date, stay, kind)
                if span:
                    added.append(Order(kind, span.start, end=span.end, place=stay.place))
    return [*lights, *added]


def _shared(lights: list[Order], added: list[Order], date: Span, stay: Stay, kind: Kind) -> Span | None:
    """Half an hour off the longest block of the other kind on a date that is full of it, which is cut short by it.

    Its end; its start where it goes on past the date.
    """
    for held in (lights, added):
        there = [n for n, order in enumerate(held) if order.place == stay.place and date.holds(order.start)]
        if not there:
            continue
        longest = max(there, key=lambda n: held[n].length)
        order = held[longest]
        if order.end is None or order.length < 2 * SHORTEST:
            return None
        if order.end > date.end:
            cut = Span(order.start, order.start + SHORTEST)
            held[longest] = evolve(order, start=cut.end)
        else:
            cut = Span(order.end - SHORTEST, order.end)
            held[longest] = evolve(order, end=cut.start)
        return cut
    return None


def _best(free: list[Span], kind: Kind, body: BodyClock, manner: Manner) -> Span | None:
    """The free hour whose middle is nearest to where this light helps most, or does least.

    One in which it would push the wrong way, or light to be avoided would have helped, comes last; then shorter ones.
    """
    later = (body.way == "delay") == (kind == "bright_light")
    wanted = -_PEAK if later else _PEAK
    if manner != "helping":
        wanted = _BEFORE_BED if manner == "evening" and kind == "dim_light" else _DEAD
    most = SHORTEST if manner == "least" else FILLED
    tries: list[tuple[tuple[bool, timedelta], timedelta, datetime, Span]] = []
    for span in free:
        length = min(span.length, most)
        start = span.start
        while start + length <= span.end:
            phase = body.phase(start + length / 2)
            away = abs(phase - wanted) % DAY
            contrary = manner == "helping" and effect(phase) == ("earlier" if later else "later")
            lacking = (contrary, most - length)
            tries.append((lacking, min(away, DAY - away), start, Span(start, start + length)))
            start += _STEP
    return min(tries, key=lambda tried: tried[:3])[3] if tries else None


def works(order: Order, body: BodyClock) -> str:
    """What light in the middle of ``order`` does to the clock: see `effect`."""
    return effect(body.phase(order.start + order.length / 2))


def effect(phase: timedelta) -> str:
    """What light so long after the low does to the clock: ``later`` before it, ``earlier`` after it, or ``little``."""
    if abs(phase) > 9 * HOUR:
        return "little"
    return "later" if phase < timedelta(0) else "earlier"
