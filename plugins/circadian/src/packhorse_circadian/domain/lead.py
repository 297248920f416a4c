"""The one line that a plan leads with."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from itertools import groupby

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.alertness import wakeful
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.nights import Place
from packhorse_circadian.domain.orders import Kind
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING
from packhorse_circadian.domain.trip import Habits, Trip
from packhorse_circadian.domain.wording import clock, hours, listed, month_day

WAY = {"advance": "earlier", "delay": "later"}
_SOUGHT: Mapping[Kind, str] = {"bright_light": "bright light", "dim_light": "dim light"}
_DONE: Mapping[Kind, str] = {"bright_light": "seek bright light", "dim_light": "keep light dim"}
_PARTS = (("morning", range(4, 12), 15), ("afternoon", range(12, 17), 19), ("evening", range(17, 24), 30))
"""Parts of a day: the hours in which a block of light begins, and by which it ends, to be called after one."""
_AS_SAID = "when the day says so"


def key_advice(plan: Plan) -> str:
    """How to sleep before the flight and after it, and which light to seek; first whether it is a child's plan."""
    said = _advice(plan)
    if not plan.trip.child:
        return said
    bed, wake = plan.trip.night_at(plan.trip.habits)
    assumed = f", taken to sleep from {bed:%H:%M} to {wake:%H:%M}" if plan.trip.habits == Habits() else ""
    return f"For a child of {plan.trip.age}{assumed}: {said[:1].lower()}{said[1:]}"


def _advice(plan: Plan) -> str:
    trip, body = plan.trip, plan.course.body
    if plan.options and plan.options[0].moved:
        return _keeping(plan)
    if body.way == "none":
        return f"No body-clock shift to make: keep sleeping from {_kept(trip)} local time."
    sought = _light(plan, "destination", verbs=True)
    if sought:
        there = sought
    else:
        there = (
            "sleep when the plan says"
            if any(plan.course.table.away.values())
            else f"sleep from {_kept(trip)} local time"
        )
        reason = (
            "the light that would help falls into your work"
            if light_at_work(plan)
            else "no light is worth planning for there"
        )
        there += f": {reason}"
    before = _moved_nights(plan)
    if before:
        lit = _light(plan, "origin")
        return f"{before}{f', with {lit}' if lit else ''}; at the destination {there}."
    return f"At the destination {there}."


def _kept(trip: Trip) -> str:
    return "{:%H:%M} to {:%H:%M}".format(*trip.night_at(trip.aims))


def light_at_work(plan: Plan) -> bool:
    """Whether hours at work took all the bright light that the search has for the destination."""
    row = plan.draft.row
    wanted = row is not None and any(window.bright and not window.at_home for window in row.windows)
    lit = any(order.kind == "bright_light" and order.place == "destination" for order in plan.orders)
    return plan.trip.working is not None and wanted and not lit


def _keeping(plan: Plan) -> str:
    """Which hours a short stay is slept by, and that this is what is recommended."""
    trip, name = plan.trip, plan.options[0].name
    wake = plan.course.table.wake_at_destination(trip.arrival_date + DAY)
    bed, up = (clock(zones.shown(at, trip.destination)) for at in (wake - trip.night, wake))
    moves = "your body clock stays at home" if name == "home" else "your body clock moves half as far"
    asked = "as you chose" if trip.stay else "recommended for so short a stay"
    by = "by home hours" if name == "home" else "half way between home and local hours"
    return f"Sleep {by}, about {bed} to {up} there ({asked}): {moves}."


def _moved_nights(plan: Plan) -> str:
    """The nights before the flight that move: by how much each day, from when, and at what hours bed is."""
    trip, table = plan.trip, plan.course.table
    moved = {day: by for day, by in table.home.items() if day > trip.first_date and by}
    slept = (
        (zones.shown(sleep.end, trip.origin).date(), sleep) for sleep in plan.course.sleeps if sleep.place == "origin"
    )
    nights = [(day, sleep) for day, sleep in slept if day in moved]
    if not nights:
        return ""
    day, last = nights[-1]
    cut = last.start != table.wake_at_origin(day) - trip.night
    beds = [clock(zones.shown(sleep.start, trip.origin)) for _, sleep in nights]
    # Nights that stay where they are, once the whole shift is made, are one.
    steps = [bed for bed, _ in groupby(beds[:-1] if cut else beds)]
    if not steps:
        return ""
    last_night = f"; at {beds[-1]} the last night, for the flight" if cut else ""
    last_night += "; sleep may come late" if any(wakeful(sleep.start, plan.course.body) for _, sleep in nights) else ""
    way = WAY["delay" if min(moved.values()) > NOTHING else "advance"]
    step = hours(min(HOUR, *map(abs, moved.values())))
    first = month_day(nights[0][0] - DAY)
    each = f"each day from {first}" if len(nights) > 1 else f"on {first}"
    return f"Go to bed and get up {step} {way} {each} (bed at {listed(steps)}{last_night})"


def _light(plan: Plan, place: Place, *, verbs: bool = False) -> str:
    """The light that the plan asks for at a place, with the part of the day where it is always the same."""
    zone = plan.trip.origin if place == "origin" else plan.trip.destination
    found: list[tuple[bool, str]] = []
    dates: set[date] = set()
    for kind, words in (_DONE if verbs else _SOUGHT).items():
        blocks = [order for order in plan.orders if order.kind == kind and order.place == place]
        dates |= {zones.shown(order.start, zone).date() for order in blocks}
        parts = {_part(zones.shown(order.start, zone), order.length) for order in blocks}
        part = f" in the {parts.pop()}" if len(parts) == 1 and None not in parts else ""
        found += [(not part, f"{words}{part}")] if blocks else []
    if not found:
        return ""
    light = " and ".join(said for _, said in sorted(found))
    if len(dates) == 1:
        return f"{light} on {month_day(dates.pop())}"
    return f"({_AS_SAID}) {light}" if verbs else f"{light} {_AS_SAID}"


def _part(start: datetime, length: timedelta) -> str | None:
    end = start.hour + start.minute / 60 + length / HOUR
    return next((part for part, hours, last in _PARTS if start.hour in hours and end <= last), None)
