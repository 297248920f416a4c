"""What a shift, a plan and each order mean, in words for the traveller."""

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.caffeine import BEFORE_BED
from packhorse_circadian.domain.light import AFTER_LOW
from packhorse_circadian.domain.melatonin import DOSE_MG
from packhorse_circadian.domain.orders import Kind, Order
from packhorse_circadian.domain.plan import Plan
from packhorse_circadian.domain.shift import HOUR, RATE_WITH, RATE_WITHOUT, Direction, Shift
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.domain.wording import an_hours_move, clock, days, hours, month_day

NOT_MEDICAL = "General information, not medical advice."

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
    trip, body = plan.trip, plan.course.body
    habits = trip.habits
    if not body.sign:
        return (
            f"No body-clock shift to make: keep sleeping from {habits.sleep:%H:%M} to {habits.wake:%H:%M} local time."
        )
    way = _WAY[trip.shift.direction]
    step = hours(min(body.whole, HOUR))
    if not trip.prep_days:
        return (
            f"After landing move bedtime and waking {way}, about {step} a day, and follow each day's light times: "
            "they move with your body clock."
        )
    if body.sign > 0:
        low = zones.shown(body.low_at_origin(trip.first_date).at, trip.origin)
        light = f"with bright light in the evening and none before {clock(low + AFTER_LOW)}, later each day"
    else:
        light = "with bright light on waking and dim light in the evening"
    until = f" until you have moved {hours(body.prepared)}" if body.prepared > HOUR else ""
    return (
        f"Go to bed and get up {step} {way} each day from {month_day(trip.first_date)}{until}, {light}; "
        "after landing follow each day's light times, which move with your body clock."
    )


def notes(plan: Plan) -> tuple[str, ...]:
    """What the traveller should know about this plan as a whole."""
    body = plan.course.body
    said = []
    if body.sign:
        last = plan.pages[-1]
        said.append(
            f"By the morning of {month_day(last.day)} the body clock should have arrived"
            f"{' to within the hour' if last.low.left else ''}; estimates of the body-clock low may be off by an hour."
        )
        said.append(
            "Made by published rules, not by a simulation of your body: at most 1 hour a day before departure and "
            "after landing, slower than the quick estimate of 1.5 hours a day with every measure taken."
        )
    else:
        said.append("Both places show the same hour: no light or melatonin is ordered.")
    said += _said_of_the_flight(plan)
    return tuple(said)


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
    home = [sleep for sleep in course.sleeps if sleep.place == "origin"]
    if home and home[-1].length < trip.habits.span:
        said.append(f"The flight cuts the last night at home to {hours(home[-1].length)}.")
    said += [
        f"No caffeine on board after {clock(zones.shown(at, trip.origin))} {trip.origin.key} time: "
        "the next sleep is 9 hours away."
        for at in (sleep.start - BEFORE_BED for sleep in course.sleeps)
        if trip.caffeine and trip.departure <= at < course.away.span.start
    ]
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
            f"Melatonin is optional: {DOSE_MG} mg, no driving for 5 hours after it, prescription-only in some "
            "countries. Ask a doctor or pharmacist first if you are pregnant or breastfeeding, under 18, have "
            "epilepsy or an autoimmune disease, or take anticoagulants, immunosuppressants, antidepressants "
            "(fluvoxamine above all) or medicines for blood pressure or diabetes."
        )
    return " ".join(words)


_TITLES: dict[Kind, str] = {
    "sleep": "Sleep",
    "wake": "Get up",
    "bright_light": "Seek bright light",
    "dim_light": "Keep light dim",
    "melatonin": f"Melatonin {DOSE_MG} mg (optional)",
    "caffeine_ok": "Caffeine is fine",
    "caffeine_cutoff": "No caffeine from here to bedtime",
    "nap": "Short nap (optional)",
    "in_flight_sleep": "Sleep on the flight",
}

_WHY: dict[Kind, str] = {
    "sleep": "Dark, cool and quiet; the night follows the body clock toward destination time.",
    "wake": "A fixed time to get up holds the shift.",
    "caffeine_ok": "Far enough from the next sleep.",
    "caffeine_cutoff": "Caffeine within 9 hours of bed costs sleep.",
    "nap": "At most 30 minutes, and at least 7 hours before bed, so that the night stays whole.",
}

_WHY_LIGHT: dict[tuple[Kind, Direction], str] = {
    ("bright_light", "delay"): "Before the body-clock low, light moves the clock later.",
    ("dim_light", "delay"): "After the body-clock low, light would move the clock earlier: sunglasses or indoors.",
    ("bright_light", "advance"): "After the body-clock low, light moves the clock earlier.",
    ("dim_light", "advance"): "Before the body-clock low, light would move the clock later: lamps low, screens off.",
    ("melatonin", "delay"): "Soon after waking it moves the clock later; see the caution.",
    ("melatonin", "advance"): "Two to four hours before the body's own it moves the clock earlier; see the caution.",
}


def title(order: Order) -> str:
    """A few words that name the order."""
    return _TITLES[order.kind]


def why(order: Order, trip: Trip) -> str:
    """One sentence for the order."""
    if order.kind == "in_flight_sleep" and order.end:
        there = [clock(zones.shown(at, trip.destination)) for at in (order.start, order.end)]
        return f"Night by the plan: {there[0]} to {there[1]} {trip.destination.key} time."
    return _WHY.get(order.kind) or _WHY_LIGHT[order.kind, trip.shift.direction]


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]
