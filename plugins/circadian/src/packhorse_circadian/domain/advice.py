"""What a shift, a plan and each order mean, in words for the traveller."""

from datetime import time
from itertools import groupby
from math import floor
from zoneinfo import ZoneInfo

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import LOW_BEFORE_WAKE
from packhorse_circadian.domain.caffeine import before_bed, without_on_the_way
from packhorse_circadian.domain.crowd import typical_low
from packhorse_circadian.domain.journey import Days, Plan
from packhorse_circadian.domain.lead import WAY, light_at_work
from packhorse_circadian.domain.rows import unaided
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING, RATE_WITH, RATE_WITHOUT, Shift
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.trip import Habits, Trip
from packhorse_circadian.domain.wording import (
    an_hours_move,
    clock,
    day_name,
    days,
    half_hour,
    hours,
    length,
    listed,
    month_day,
)
from packhorse_circadian.domain.work import works_at_night

NOT_MEDICAL = "General information, not medical advice."

HALF_HOUR = HOUR / 2
FIELD_WEST = 92 / 60
"""Hours a day that travellers going west were seen to shift unaided (Aschoff et al. 1975): faster than the population,
which is fitted to laboratories."""
ASK_FROM = 5 * HOUR
"""Shifts from which a slow clock is asked after on the third morning."""
FAR_FROM_HOME_HOURS = 4 * HOUR
"""Nights of preparation moved so far collide with evenings or mornings at home."""
AGREED = 0.6
"""Mean resultant length of the bodies' lows below which no hour stands for them: a standard deviation of 3.9 hours."""
NOON = time(12)
SUN = " (shade, sunscreen or a hat do no harm: eyes need the light, not skin)"
UNSURE = 8 * HOUR
"""Shifts from which a few in a hundred, with fast clocks, are later with the plan than without."""
_HOURS_KEPT = {"home": "home hours", "half": "hours half way", "local": "local hours"}
_NOTICED = 7 * DAY
"""After landing: a change of clocks until then is said, where the way back is not known."""


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
    way = WAY[shift.direction]
    step = hours(min(shift.size, HOUR))
    taken = unaided(shift.signed / HOUR)
    low, high = taken.band
    return (
        f"{first} Move bedtime and waking {way}, about {step} a day; by rule of thumb {days(shift.days(RATE_WITH))} to "
        f"adapt with well-timed light and sleep, {days(shift.days(RATE_WITHOUT))} without. Over a population of bodies "
        f"it takes {_whole(taken.half)} without a plan for half of people, {low:.0f} to {high:.0f} for four of five. "
        f"{NOT_MEDICAL}"
    )


def notes(plan: Plan) -> tuple[str, ...]:
    """What the traveller should know about this plan as a whole."""
    trip, body, expected = plan.trip, plan.course.body, plan.expected
    said = []
    if trip.child:
        said.append(_for_a_child(trip))
    if plan.options:
        said.append(_stay(plan))
    if trip.caffeine:
        said.append(_coffee(plan))
    if body.way != "none":
        lit = any(order.kind == "bright_light" for page, _ in plan.journey for order in page.orders)
        said.append(
            f"Bright light: outdoors by day{SUN if lit else ''}, close to a bright lamp when it is dark; in "
            "brackets stand the days that skipping it costs. In all other hours ordinary light does no harm."
        )
        said.append(promise(plan))
        if body.way != trip.shift.direction:
            said.append(
                f"{_capital(an_hours_move(trip.shift.size, trip.shift.direction))} is the shorter way round by the "
                f"clock; on this plan most bodies arrive sooner the other way, so sleep and light move your clock "
                f"{WAY[body.way]}."
            )
        if expected.gains_little:
            said.append("A plan gains little here: fixed bedtimes and daylight do most of it.")
        if trip.shift.size >= UNSURE:
            said.append(
                "Up to one person in twenty, with a fast clock, adapts a day or more later with the plan than without."
            )
        said += _preparation(plan)
        if trip.shift.size >= ASK_FROM and (asked := _third_morning(plan)):
            said.append(asked)
        said.append(
            "Counted over a population of bodies (Forger, Jewett & Kronauer 1999, fitted to trials)"
            f"{_given_light(plan)}: no model knows yours."
        )
    elif plan.options:
        pass
    elif trip.shift.size:
        said.append("Your body clock is at the destination's hours already: no light or melatonin is ordered.")
    else:
        said.append("Both places show the same hour: no light or melatonin is ordered.")
    if plan.back is not None and plan.back.course.body.way != "none":
        said.append(_promised_back(plan.back.expected))
    said += _clock_changes(plan)
    said += _said_of_the_flight(plan)
    return tuple(said)


def _preparation(plan: Plan) -> list[str]:
    """What it moves the clock by, that it begins later than asked or not at all, and what to do about far nights."""
    trip, body, prepared = plan.trip, plan.course.body, plan.draft.prepared
    said = []
    if body.gained >= HALF_HOUR:
        gained = hours(round(body.gained / HOUR, 1) * HOUR)
        said.append(f"Preparation moves a middling clock about {gained} before you leave.")
    if prepared < trip.prep_days and plan.draft.history is None:
        begins, later = month_day(trip.departure_date - prepared * DAY), days(trip.prep_days - prepared)
        said.append(
            f"Preparation begins on {begins}, {later} later than asked: beginning sooner gains nothing on this trip."
            if prepared
            else "No preparation is planned: it gains nothing on this trip. Keep your usual hours until the flight."
        )
    if max(map(abs, plan.course.table.home.values()), default=NOTHING) >= FAR_FROM_HOME_HOURS:
        said.append("Where nights at home cannot move so far from their hours, ask again with fewer prep_days.")
    return said


def promise(plan: Plan) -> str:
    """How many days it takes, with the plan and without, for half of people and for the slow."""
    expected, trip = plan.expected, plan.trip
    middle, slow = _after(expected.plan), _after(expected.high)
    said = f"Your body clock is on local time, to within an hour, {middle} for half of people, {slow} for the slow"
    if trip.leaves_again is not None and expected.high > (stay := (trip.leaves_again - trip.arrival) // DAY):
        said += f" (you leave after {days(stay)})"
    without = f"{_whole(expected.without)}, up to {_whole(expected.without_high)}"
    if trip.shift.direction == "delay" and trip.shift.size >= ASK_FROM:
        field = trip.shift.size / HOUR / FIELD_WEST
        without += f". In field studies travellers going west took {field:.0f}"
    return f"{said}. Straight to local hours with no plan: {without}."


def _promised_back(expected: Days) -> str:
    without = f"{_whole(expected.without)}, up to {_whole(expected.without_high)}"
    middle, slow = _after(expected.plan), _after(expected.high)
    return f"After the way back: {middle} for half of people, {slow} for the slow; with no plan {without}."


def _whole(count: float) -> str:
    return days(floor(count + 0.5)) if count >= 0.5 else "no day"  # round() takes half a day for none


def _after(count: float) -> str:
    return f"{_whole(count)} after landing" if count >= 0.5 else "when you land"


def _for_a_child(trip: Trip) -> str:
    """That it is a child's plan, and what that leaves out."""
    said = f"A plan for a child of {trip.age}: without caffeine or melatonin. The days counted are those of adults."
    if trip.habits == Habits():
        said += (
            f" The usual hours were not told: nights of {hours(trip.least_night)}, the least advised at this age, are "
            "assumed. Ask again with usual_sleep_time and usual_wake_time."
        )
    return said


def _stay(plan: Plan) -> str:
    """Which hours are recommended, and what home hours, half way and local hours would cost."""
    chosen, *others = plan.options
    rest = " and ".join(f"on {_mornings(option.mornings)} with {_HOURS_KEPT[option.name]}" for option in others)
    sooner = [option for option in others if option.mornings < chosen.mornings and option.social]
    odd = " and ".join(f"{_mornings(option.social)} with {_HOURS_KEPT[option.name]}" for option in sooner)
    why = f" Nights at hours that are odd there count too: as much as {odd}." if odd and not plan.trip.stay else ""
    return (
        f"{'You chose' if plan.trip.stay else 'Recommended here:'} {_HOURS_KEPT[chosen.name]}. By simulation your body "
        f"clock is an hour or more off your sleep on {_mornings(chosen.mornings)} with them, there and back home "
        f"together; {rest}.{why} To choose other hours, set short_stay to home, half or local."
    )


def _mornings(count: float) -> str:
    whole = round(count)
    return f"{whole or 'no'} morning{'s' if whole > 1 else ''}"


def _given_light(plan: Plan) -> str:
    lux = plan.trip.bright_lux
    return f", with {lux:g} lux for bright light" if lux is not None else ""


def _third_morning(plan: Plan) -> str | None:
    """Two questions that find a slow clock, and the hour to compare with."""
    trip = plan.trip
    day = trip.arrival_date + 2 * DAY
    if trip.leaves_again is not None and day >= zones.shown(trip.leaves_again, trip.destination).date():
        return None
    if plan.course.body.low(day, trip.destination).left < HOUR:
        return None
    begin = plan.line.begin
    noon = (zones.instant(day, NOON, trip.destination) - begin) / HOUR
    low, agreement = typical_low(plan.draft.lives, noon)
    whose = "the child" if trip.child else "you"
    asked = (
        f"On the morning of {day_name(day)}, the third day there: at what hour of the last 24 did {whose} feel worst "
        f"(if asleep: {hours(LOW_BEFORE_WAKE)} before waking for good)? "
    )
    if agreement < AGREED:
        return f"{asked}People's clocks lie hours apart by then: tell that hour and ask to replan (felt_worst)."
    at = zones.shown(begin + low * HOUR, trip.destination)
    worst = f"{half_hour(at)}{' the evening before' if at.date() < day else ''}"
    return (
        f"{asked}If two hours or more from {worst}, the clock runs otherwise than planned for: tell the hour and ask "
        "to replan (felt_worst)."
    )


def _clock_changes(plan: Plan) -> list[str]:
    """Summer time that begins or ends at either place during the journey."""
    trip, back, found = plan.trip, plan.back, []
    end = back.course.table.last if back else max(plan.course.table.last, trip.arrival_date + _NOTICED)
    landed = zones.shown(trip.arrival, trip.origin).date()
    for zone in dict.fromkeys((trip.origin, trip.destination)):
        # Nobody reads a clock that is left for good, or one before landing under it.
        day = trip.first_date if zone == trip.origin else trip.arrival_date - DAY
        while day < (end if back or zone == trip.destination else landed):
            change = zones.offset_at_noon(zone, day + DAY) - zones.offset_at_noon(zone, day)
            if change:
                way = "forward" if change > NOTHING else "back"
                found.append(
                    f"Clocks in {zone.key} go {way} by {hours(abs(change))} on {month_day(day + DAY)}; "
                    "every time here is by the clock of its day."
                )
            day += DAY
    return found


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
            said.append(
                f"{name} occurs twice that night in {zone.key}; the {which} was taken, {zones.which_of_two(at, zone)}."
            )
    if works_at_night(trip, course.table):
        said.append(
            "Your hours at work fall into the nights of this plan. Sleep then what you can outside them, and ask again "
            "with the hours at which you will sleep there as the usual ones."
        )
    if light_at_work(plan):
        said.append(
            "The bright light that would help you there falls into your hours at work, so none is asked for: go by "
            "the hours of sleep. The days are counted with ordinary indoor light at work."
        )
    home = [sleep for sleep in course.sleeps if sleep.place == "origin"]
    if home and home[-1].length < trip.night:
        said.append(f"The flight cuts the last night at home to {length(home[-1].length)}.")
    return said


def _coffee(plan: Plan) -> str:
    """How long before bed the last cup is, and from when to when there is none on the way out and on the way back."""
    found = []
    for name, leg in (("out", plan), ("back", plan.back)):
        stretches = without_on_the_way(leg.course) if leg else ()
        if leg and stretches:
            trip = leg.trip
            whole = stretches[0].start <= trip.departure and stretches[0].end >= trip.arrival
            said = [
                f"{listed([_stretch(span, zone, trip) for span in same])}, {zone.key} time"
                for zone, same in groupby(stretches, key=lambda span: trip.clock_at(span.start))
            ]
            found.append(f"none {'at all ' if whole else ''}on the way {name} {listed(said)}")
    rule = f"No caffeine in the {hours(before_bed(plan.trip))} before any sleep but a nap"
    return f"{rule}, so {'; '.join(found)}." if found else f"{rule}."


def _stretch(span: Span, zone: ZoneInfo, trip: Trip) -> str:
    """From when to when, open where it lasts beyond landing."""
    start, end = (zones.shown(at, zone) for at in (span.start, span.end))
    on = f" on {month_day(start.date())}"
    if span.end >= trip.arrival:
        return f"from {clock(start)}{on}"
    same = start.date() == end.date()
    return f"from {clock(start)}{'' if same else on} to {clock(end)} on {month_day(end.date())}"


def caution(plan: Plan) -> str:
    """What every plan must say; more where melatonin is in it."""
    driver = "Who travels with the child must not drive" if plan.trip.child else "Do not drive"
    words = [NOT_MEDICAL, f"{driver} when sleepy, least of all after a night flight."]
    if any(order.kind.endswith("light") for order in plan.orders):
        words.append(
            "With eye disease, bipolar disorder or medicines that make skin or eyes sensitive to light, "
            "ask a doctor before using bright lamps; never look at the sun."
        )
    if any(order.kind == "melatonin" for order in plan.orders):
        words.append(
            f"Melatonin is optional: {plan.trip.melatonin_mg:g} mg, no driving or work for 5 hours after it, "
            "prescription-only in some countries. Ask a doctor or pharmacist first if you are pregnant or "
            "breastfeeding, under 18, have epilepsy or an autoimmune disease, or take anticoagulants, "
            "immunosuppressants, antidepressants (fluvoxamine above all) or medicines for blood pressure or diabetes."
        )
    return " ".join(words)


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]
