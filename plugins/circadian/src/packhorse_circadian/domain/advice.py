"""What a shift, a plan and each order mean, in words for the traveller."""

from datetime import datetime, timedelta

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.alertness import wakeful
from packhorse_circadian.domain.body import BodyClock
from packhorse_circadian.domain.caffeine import before_bed
from packhorse_circadian.domain.light import FILLED, works
from packhorse_circadian.domain.orders import Kind, Order
from packhorse_circadian.domain.plan import Plan
from packhorse_circadian.domain.shift import DAY, HOUR, RATE_WITH, RATE_WITHOUT, Shift
from packhorse_circadian.domain.voyage import AMBIENT_LUX
from packhorse_circadian.domain.wording import an_hours_move, clock, days, hours, length, listed, month_day, number
from packhorse_circadian.domain.work import works_at_night

NOT_MEDICAL = "General information, not medical advice."

# For a sleeper from 23 to 7 this ends at about 10:00, the hour that the specification's own advice names; the
# advancing part of the curve of Khalsa et al. 2003 is spent by then.
AFTER_LOW = 5.5 * HOUR

HALF_HOUR = HOUR / 2
SMALL = 2 * HOUR
UNCERTAIN = 10 * HOUR
# Hours by the clock between which there is daylight in most places and seasons.
SUN_UP, SUN_DOWN = 8, 17

OUT_OF_SIGHT = 28
"""Days: the simulation ends after 20, which people take 31 for; beyond four weeks it says no more than that."""

_WAY = {"advance": "earlier", "delay": "later"}


def explanation(shift: Shift) -> str:
    """What ``shift`` asks of the body clock, which way to move bedtime and how long it takes."""
    if shift.direction == "none":
        if shift.wraps:
            first = f"{_capital(an_hours_move(abs(shift.raw), shift.raw_direction))} is a change of date, not of hour"
        else:
            first = "Both places keep the same time on this date"
        return f"{first}: your body clock needs no shift, so keep your usual bedtime. {NOT_MEDICAL}"
    size = an_hours_move(shift.size, shift.direction)
    if shift.wraps:
        first = f"{_capital(an_hours_move(abs(shift.raw), shift.raw_direction))} equals {size}, the shorter way round."
    else:
        first = f"Your body clock needs {size}."
    way = _WAY[shift.direction]
    step = hours(min(shift.size, HOUR))
    return (
        f"{first} Move bedtime and waking {way}, about {step} a day; expect about "
        f"{days(shift.days(RATE_WITH))} to adapt with well-timed light and sleep, "
        f"{days(shift.days(RATE_WITHOUT))} without. {NOT_MEDICAL}"
    )


def key_advice(plan: Plan) -> str:
    """The one line to lead with."""
    trip, course = plan.trip, plan.course
    habits, body = trip.habits, course.body
    if trip.keeps_home_time:
        return (
            f"You leave again within 3 days: stay on home time. Sleep and eat by {trip.origin.key} clocks as far as "
            "you can, and see daylight when it is day at home."
        )
    if body.way == "none":
        return (
            f"No body-clock shift to make: keep sleeping from {habits.sleep:%H:%M} to {habits.wake:%H:%M} local time."
        )
    later = body.way == "delay"
    moved = [night for day, night in sorted(course.table.home.items()) if day > trip.first_date and night]
    there = (
        "seek bright light and avoid light when each day says: the right hours move with your body clock"
        if trip.prep_days and moved
        else "After landing sleep when the plan says, and seek and avoid bright light at each day's hours: "
        "they move with your body clock."
    )
    if not (trip.prep_days and moved):
        return there
    most = max(abs(night) for night in moved)
    light = (
        "with bright light in the evening and none on waking"
        if later
        else "with bright light on waking and dim light in the evening"
    )
    low = zones.shown(body.low(trip.first_date, trip.origin).at + AFTER_LOW, trip.origin)
    if later:
        light = f"with bright light in the evening and none before {clock(_half_hour(low))}, later each day"
    until = f" until you have moved {hours(most)}" if most > HOUR else ""
    return (
        f"Go to bed and get up {hours(min(most, HOUR))} {_WAY[body.way]} each day from {month_day(trip.first_date)}"
        f"{until}, {light}; after landing {there}."
    )


def _half_hour(at: datetime) -> datetime:
    """Down to the half hour: a low is not known to the minute."""
    return at.replace(minute=at.minute // 30 * 30, second=0, microsecond=0)


def notes(plan: Plan) -> tuple[str, ...]:
    """What the traveller should know about this plan as a whole."""
    trip, body, expected = plan.trip, plan.course.body, plan.expected
    said = []
    if body.way != "none":
        said.append(_promise(plan))
        if body.way != trip.shift.direction:
            said.append(
                f"{_capital(an_hours_move(trip.shift.size, trip.shift.direction))} is the shorter way round by the "
                f"clock; for this trip the model arrives sooner the other way, so sleep and light move your clock "
                f"{_WAY[body.way]}."
            )
        if body.gained >= HALF_HOUR:
            least, likely, most = (_tenths(body.gained * share) for share in (0.5, 0.65, 0.8))
            said.append(
                f"Preparation should bring about {hours(likely)} of the shift before you leave ({number(least)} to "
                f"{number(most)}); the model promises more, and people reach 50 to 80 % of it."
            )
        said.append(
            "Made by running a published model of the human clock (Forger, Jewett & Kronauer 1999) on the light and "
            f"sleep of this plan, with {trip.bright_lux:g} lux for bright light and {AMBIENT_LUX:g} lux otherwise. "
            "Such models run about 1.5 times faster than people in field studies, and one person's low may be an hour "
            "off: the days above allow for both."
        )
        if trip.shift.size >= UNCERTAIN:
            said.append("Shifts this large may go either way round in different people: take the days as a guess.")
        overlap = min(expected.high, expected.without_high) - max(expected.low, expected.without_low)
        if overlap * 2 > expected.without_high - expected.without_low and trip.shift.size <= SMALL:
            said.append(
                "For so small a shift the gain over simply sleeping at local hours is unsure: fixed bedtimes and one "
                "block of light a day do most of it."
            )
    elif trip.keeps_home_time:
        said.append("The stay is too short to shift for: the nights below are those at home, by the local clock.")
    elif trip.shift.size:
        said.append("Your body clock is at the destination's hours already: no light or melatonin is ordered.")
    else:
        said.append("Both places show the same hour: no light or melatonin is ordered.")
    said += _said_of_the_flight(plan)
    return tuple(said)


def _promise(plan: Plan) -> str:
    expected, trip = plan.expected, plan.trip
    if expected.model:
        said = (
            f"By the model your body clock is within an hour from the {_nth(expected.model)} morning after landing; "
            f"expect about {_days(expected.plan)} ({_range(expected.low, expected.high)})."
        )
    else:
        said = "By the model your body clock has arrived when you land"
        said += f"; expect up to {_days(expected.high)}." if expected.high else "."
    if trip.leaves_again is not None and expected.high > (stay := (trip.leaves_again - trip.arrival) // DAY):
        said += f" You leave after {days(stay)}, which may be before it arrives."
    return (
        f"{said} Going straight to local hours with no light plan: about {_days(expected.without)} "
        f"({_range(expected.without_low, expected.without_high)})."
    )


def _days(count: int) -> str:
    return days(count) if count < OUT_OF_SIGHT else "four weeks or more"


def _range(low: int, high: int) -> str:
    return f"{low} to {high}" if high < OUT_OF_SIGHT else f"{low} to {OUT_OF_SIGHT} and more"


def _nth(count: int) -> str:
    ending = "th" if 10 < count % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{ending}"


def _tenths(length: timedelta) -> timedelta:
    return timedelta(hours=round(length / HOUR, 1))


def _said_of_the_flight(plan: Plan) -> list[str]:
    trip, course = plan.trip, plan.course
    said = []
    for name, at, zone in (
        ("departure_datetime", trip.departure, trip.origin),
        ("arrival_datetime", trip.arrival, trip.destination),
    ):
        readings = zones.instants(zones.shown(at, zone), zone)
        if len(readings) > 1:
            which = "first" if at == readings[0] else "second"
            said.append(f"{name} occurs twice that night in {zone.key}; the {which} was taken.")
    if works_at_night(trip, course.table):
        said.append(
            "Your hours at work fall into the nights of this plan. Sleep then what you can outside them, and ask again "
            "with the hours at which you will sleep there as the usual ones."
        )
    home = [sleep for sleep in course.sleeps if sleep.place == "origin"]
    if home and home[-1].length < trip.night:
        said.append(f"The flight cuts the last night at home to {length(home[-1].length)}.")
    last = [sleep.start - before_bed(trip) for sleep in course.sleeps]
    aboard = [zones.shown(at, trip.origin) for at in last if trip.departure <= at < course.away.span.start]
    if trip.caffeine and aboard:
        dated = [f"{clock(at)} on {month_day(at.date())}" if len(aboard) > 1 else clock(at) for at in aboard]
        said.append(
            f"No caffeine on the way after {listed(dated)} {trip.origin.key} time: "
            f"the next sleep is {hours(before_bed(trip))} away."
        )
    return said


def caution(plan: Plan) -> str:
    """What every plan must say; more where melatonin is in it."""
    words = [NOT_MEDICAL, "Do not drive when sleepy, least of all after a night flight."]
    if any(order.kind.endswith("light") for page in plan.pages for order in page.orders):
        words.append(
            "With eye disease, bipolar disorder or medicines that make skin or eyes sensitive to light, "
            "ask a doctor before using bright lamps; never look at the sun."
        )
    if any(order.kind == "melatonin" for page in plan.pages for order in page.orders):
        words.append(
            f"Melatonin is optional: {plan.trip.melatonin_mg:g} mg, no driving for 5 hours after it, prescription-only "
            "in some countries. Ask a doctor or pharmacist first if you are pregnant or breastfeeding, under 18, have "
            "epilepsy or an autoimmune disease, or take anticoagulants, immunosuppressants, antidepressants "
            "(fluvoxamine above all) or medicines for blood pressure or diabetes."
        )
    return " ".join(words)


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
}

_WHY: dict[Kind, str] = {
    "sleep": "Dark, cool and quiet; the night follows the body clock toward destination time.",
    "wake": "A fixed time to get up holds the shift.",
    "exercise": "At these hours it moves the clock the same way as the light, outdoors best.",
    "caffeine_ok": "Far enough from the next sleep.",
    "caffeine_cutoff": "What is still in the blood at bedtime costs sleep; at most 400 mg a day, 200 mg in pregnancy.",
    "nap": "At most 30 minutes, and at least 7 hours before bed, so that the night stays whole.",
}

_WHY_LIGHT: dict[tuple[str, str], str] = {
    ("bright_light", "later"): "Before the body-clock low, light moves the clock later.",
    ("bright_light", "earlier"): "After the body-clock low, light moves the clock earlier.",
    ("bright_light", "little"): "Light moves the clock little at this hour; it keeps you alert and the rhythm strong.",
    ("dim_light", "later"): "Before the body-clock low, light would move the clock later: lamps low, screens off.",
    ("dim_light", "earlier"): "After the body-clock low, light would move the clock earlier: sunglasses or indoors.",
    ("dim_light", "little"): "Light moves the clock little here: dim it where that is easy.",
    # Where a short day has no better hour for them.
    ("bright_light", "against"): "Not the best hour for light, but this day has no better one; it keeps you alert.",
    ("dim_light", "against"): "Of this day's light this matters least: rest your eyes.",
    # Where the simulation does better against the rule: about the turn of light's effect, or lest the clock go too far.
    ("bright_light", "by the plan"): "By the simulation the plan does better with light at these hours.",
    ("dim_light", "by the plan"): "By the simulation the plan does better without light at these hours.",
    ("melatonin", "delay"): "Soon after waking it moves the clock later; see the caution.",
    ("melatonin", "advance"): "Some hours before the body's own it moves the clock earlier; see the caution.",
}


def title(order: Order) -> str:
    """A few words that name the order."""
    if order.dose_mg is not None:
        return f"Melatonin {order.dose_mg:g} mg (optional)"
    if order.stop is not None:
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
        return _WHY_LIGHT[order.kind, body.way]
    if order.kind in _WHY:
        return _WHY[order.kind]
    effect = works(order, body)
    helps = body.way != "none" and effect == _WAY[body.way]
    if body.way != "none" and effect != "little" and helps == (order.kind == "dim_light"):
        effect = "against" if order.length <= FILLED else "by the plan"
    said = _WHY_LIGHT[order.kind, effect]
    if order.kind == "bright_light":
        zone = body.trip.destination if order.place == "destination" else body.trip.origin
        hour = zones.shown(order.start, zone).hour
        said += "" if SUN_UP <= hour < SUN_DOWN else " A lamp will do while it is dark outside."
    return said


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]
