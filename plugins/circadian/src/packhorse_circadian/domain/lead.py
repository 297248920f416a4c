"""The one line that a plan leads with."""

from datetime import datetime
from itertools import groupby

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.nights import Place
from packhorse_circadian.domain.orders import Kind
from packhorse_circadian.domain.plan import Plan
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING
from packhorse_circadian.domain.wording import clock, hours, listed, month_day

# For a sleeper from 23 to 7 this ends at about 10:00, the hour that the specification's own advice names; the
# advancing part of the curve of Khalsa et al. 2003 is spent by then.
AFTER_LOW = 5.5 * HOUR

WAY = {"advance": "earlier", "delay": "later"}
_SOUGHT: tuple[tuple[Kind, str], ...] = (("bright_light", "seek bright light"), ("dim_light", "avoid light"))


def key_advice(plan: Plan) -> str:
    """How to sleep before the flight and after it, and which light to seek; first whether it is a child's plan."""
    said = _advice(plan)
    return f"For a child of {plan.trip.age}: {said[:1].lower()}{said[1:]}" if plan.trip.child else said


def _advice(plan: Plan) -> str:
    trip, body = plan.trip, plan.course.body
    if plan.options and plan.options[0].moved:
        return _keeping(plan)
    if body.way == "none":
        hours_kept = f"{trip.aims.sleep:%H:%M} to {trip.aims.wake:%H:%M}"
        return f"No body-clock shift to make: keep sleeping from {hours_kept} local time."
    light = {(order.place, order.kind) for order in plan.orders}
    sought = [words for kind, words in _SOUGHT if ("destination", kind) in light]
    if sought:
        there = f"{' and '.join(sought)} when each day says: the right hours move with your body clock"
    else:
        there = (
            "sleep when the plan says"
            if any(plan.course.table.away.values())
            else f"sleep from {trip.aims.sleep:%H:%M} to {trip.aims.wake:%H:%M} local time"
        )
        reason = (
            "the light that would help falls into your work"
            if light_at_work(plan)
            else "no light is worth planning for there"
        )
        there += f": {reason}"
    before = _moved_nights(plan)
    if before:
        return f"{before}{_light_at_home(plan, light)}; after landing {there}."
    return f"After landing sleep when the plan says, and {there}." if sought else f"After landing {there}."


def light_at_work(plan: Plan) -> bool:
    """Whether hours at work took all the bright light that the search has for the destination."""
    row = plan.draft.row
    wanted = row is not None and any(window.bright and not window.at_home for window in row.windows)
    lit = any(order.kind == "bright_light" and order.place == "destination" for order in plan.orders)
    return plan.trip.working is not None and wanted and not lit


def half_hour(at: datetime) -> datetime:
    """Down to the half hour: a low is not known to the minute."""
    return at.replace(minute=at.minute // 30 * 30, second=0, microsecond=0)


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
    way = WAY["delay" if min(moved.values()) > NOTHING else "advance"]
    step = hours(min(HOUR, *map(abs, moved.values())))
    first = month_day(nights[0][0] - DAY)
    each = f"each day from {first}" if len(nights) > 1 else f"on {first}"
    return f"Go to bed and get up {step} {way} {each} (bed at {listed(steps)}{last_night})"


def _light_at_home(plan: Plan, asked: set[tuple[Place, Kind]]) -> str:
    """The light of the days of preparation in a phrase, as far as the plan asks for it."""
    trip, body = plan.trip, plan.course.body
    bright, dim = (("origin", kind) in asked for kind, _ in _SOUGHT)
    if body.way == "delay":
        if not bright:
            return ", with dim light on waking" if dim else ""
        low = zones.shown(body.low(trip.first_date, trip.origin).at + AFTER_LOW, trip.origin)
        return f", with bright light in the evening and none before {clock(half_hour(low))}, later each day"
    said = ["bright light on waking"] * bright + ["dim light in the evening"] * dim
    return f", with {' and '.join(said)}" if said else ""
