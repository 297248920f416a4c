"""What each order means, in words for the traveller."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.alertness import wakeful
from packhorse_circadian.domain.body import BodyClock, effect
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.orders import Kind, Order
from packhorse_circadian.domain.shift import DAY, NOTHING
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.domain.wording import clock, span
from packhorse_circadian.domain.work import is_weekday

# Hours by the clock between which there is daylight in most places and seasons.
SUN_UP, SUN_DOWN = 8, 17

MATTERS_MOST, MATTERS = 0.4, 0.2
"""Days that a block of light is worth from which its words say so; below a tenth it is not asked for."""

_TITLES: dict[Kind, str] = {
    "sleep": "Sleep",
    "wake": "Get up",
    "bright_light": "Seek bright light",
    "dim_light": "Keep light dim",
    "melatonin": "Melatonin (optional)",
    "caffeine_ok": "Caffeine is fine",
    "caffeine_cutoff": "No caffeine from here to bedtime",
    "nap": "Short nap (optional)",
    "exercise": "Exercise in the light",
    "in_flight_sleep": "Sleep on the flight",
    "flight": "Flight",
    "arrival": "Land",
}

_WHY: dict[Kind, str] = {
    "sleep": "Dark, cool and quiet; the night follows the body clock toward destination time.",
    "wake": "A fixed time to get up holds the shift.",
    "exercise": "At these hours it moves the clock the same way as the light, outdoors best.",
    "caffeine_ok": "Far enough from the next sleep.",
    "caffeine_cutoff": "What is still in the blood at bedtime costs sleep; at most 400 mg a day, 200 mg in pregnancy.",
    "nap": "At most 30 minutes, and at least 7 hours before bed, so that the night stays whole.",
}

_LIGHT: dict[tuple[str, str], str] = {
    ("bright_light", "delay"): "before the low it moves the clock later.",
    ("bright_light", "advance"): "after the low it moves the clock earlier.",
    ("bright_light", "none"): "it keeps the rest of the day's light from pulling the clock back.",
    ("dim_light", "delay"): "light before the low would move the clock later: lamps low, screens off.",
    ("dim_light", "advance"): "light after the low would move the clock earlier: sunglasses or indoors.",
    ("dim_light", "none"): "it makes the eye ready for the bright hours.",
}

_BRIEF: Mapping[Kind, str] = {
    "sleep": "sleep",
    "bright_light": "seek bright light",
    "dim_light": "keep light dim",
    "caffeine_cutoff": "no more caffeine",
    "nap": "nap (optional)",
    "exercise": "exercise",
    "arrival": "land",
    "flight": "fly",
}

_DOSE = {
    "delay": "Soon after waking it moves the clock later, which an evening dose would not.",
    "advance": "Some hours before the body's own it moves the clock earlier.",
}
NOON = 12
MORNING = range(4, NOON)
"""Hours by the clock at which nobody expects melatonin."""
SLEEPY = "It makes sleepy for 5 hours: skip it where you drive or work in that time."


def weight(cost: float) -> str:
    """How much a block of light matters, by what leaving it out costs."""
    return "Matters most" if cost >= MATTERS_MOST else "Matters" if cost >= MATTERS else "Helps"


def worth(order: Order) -> str:
    """The same with the days."""
    taken = _days(order)
    return f"{weight(taken)} (leaving it out costs about {taken:.1f} day{'s' if taken > 1 else ''})"


def cost(order: Order) -> str:
    """The same in a line of many."""
    taken = _days(order)
    return f"{weight(taken).lower()}: {taken:.1f} day{'s' if taken > 1 else ''}"


def _days(order: Order) -> float:
    return round(order.worth or 0.0, 1)


def words(order: Order) -> str:
    """What to do, in a line of many."""
    if order.kind == "in_flight_sleep":
        return "sleep at the stop" if order.stop else "sleep on board"
    return f"melatonin {order.dose_mg:g} mg" if order.dose_mg is not None else _BRIEF[order.kind]


AFTER_A_DOSE = "no driving or work for 5 h"
ON_A_WORKING_DAY = "skip it if you will drive or work within 5 h"


def busy(at: datetime) -> bool:
    """Whether somebody at home may still work or drive then: a weekday between noon and bedtime."""
    return is_weekday(at) and at.hour >= NOON


def dose_reason(hour: int, body: BodyClock) -> str:
    """That the hour of a dose is no misprint, where nobody expects it: after waking, or in the morning."""
    if body.way == "delay":
        return "a dose after waking moves your clock later"
    return "at this hour it moves your clock earlier" if hour in MORNING else ""


def other_hours(night: Order, zone: ZoneInfo, plan: Plan) -> tuple[str, str]:
    """By how much a night is not at the usual hours, and why, where the plan's first line does not say so."""
    trip, table = plan.trip, plan.course.table
    there = night.start >= trip.arrival
    leaves = trip.leaves_again if there else trip.departure
    up = night.start + night.length
    day = zones.shown(up, zone).date()
    planned = (table.wake_at_destination(day) if there else table.wake_at_origin(day)) - trip.night
    if leaves and up > leaves - DAY and (night.start < planned or night.length < trip.night):
        return "", "for the flight"
    by = table.away.get(day, NOTHING) if there and not plan.options else NOTHING
    if not by or night.start != planned:
        return "", ""
    return f"{span(abs(by))} {'later' if by > NOTHING else 'earlier'} than usual", "to move your clock"


def title(order: Order) -> str:
    """A few words that name the order."""
    if order.dose_mg is not None:
        return f"Melatonin {order.dose_mg:g} mg (optional)"
    if order.stop is not None and order.kind != "flight":
        return "Sleep at the stop"
    return _TITLES[order.kind]


def why(order: Order, body: BodyClock) -> str:
    """One sentence for the order."""
    if order.kind == "in_flight_sleep" and order.end:
        zone = order.stop or body.trip.destination
        there = [clock(zones.shown(at, zone)) for at in (order.start, order.end)]
        if order.stop is not None:
            return f"{there[0]} to {there[1]} by the clock there, {zone.key}: a bed near the airport, set two alarms."
        return f"Night by the plan: {there[0]} to {there[1]} {zone.key} time."
    if order.kind == "sleep" and wakeful(order.start, body):
        return (
            "Your body clock is at its most wakeful here: go to bed in the dark all the same, and let sleep come late."
        )
    if order.kind == "melatonin":
        return f"{_DOSE[body.way]} {SLEEPY}"
    if order.kind == "flight":
        return _flight(order, body)
    if order.kind in _WHY:
        return _WHY[order.kind]
    middle = body.phase(order.start + order.length / 2)
    said = f"{worth(order)}: {_LIGHT[order.kind, effect(middle)]}"
    if order.kind == "bright_light":
        zone = body.trip.destination if order.place == "destination" else body.trip.origin
        hour = zones.shown(order.start, zone).hour
        said += "" if SUN_UP <= hour < SUN_DOWN else " A lamp will do while it is dark outside."
    return said


def landing_zone(order: Order, trip: Trip) -> ZoneInfo:
    """The clock at the place where a flight lands."""
    return next((stop.zone for stop in trip.layovers if order.end and order.end <= stop.arrival), trip.destination)


def _flight(order: Order, body: BodyClock) -> str:
    zone = landing_zone(order, body.trip)
    return f"Lands at {clock(zones.shown(order.end or order.start, zone))} {zone.key} time."
