"""Comparisons, the present moment and plans made again: from the wire and back."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from packhorse_circadian.convert.faults import Faults
from packhorse_circadian.convert.lines import brief_days_from
from packhorse_circadian.convert.plan import (
    adaptation_plan_from,
    day_from,
    item_from,
    model_days_from,
    moment_from,
)
from packhorse_circadian.convert.trip import first_instant, found_zone, trip_from
from packhorse_circadian.convert.trip_line import SHOWN, question_from_line
from packhorse_circadian.domain import advice, order_words, zones
from packhorse_circadian.domain.first_hours import first_hours
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.nights import Place
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.replan import Again, Doings, rest, usual_bedtimes
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.domain.wording import clock, days, hours, month_day, number
from packhorse_circadian.models import (
    AdaptationPlan,
    Compared,
    CompareQuestion,
    Comparison,
    PlanFiles,
    RemainingPlan,
    Replanned,
    ReplanQuestion,
    WhatNow,
    WhatNowQuestion,
)

SHORT_NIGHT = 6 * HOUR


def itineraries_from(question: CompareQuestion) -> list[tuple[str, Trip]]:
    """Each label and its trip.

    Raises:
        UserError: for labels that are missing or the same, and for the first trip at fault.
    """
    pairs = [line.partition(": ")[::2] for line in question.itineraries]
    labels = [label.strip() for label, _ in pairs]
    if len(set(labels)) < len(labels) or not all(line for _, line in pairs) or len(max(labels, key=len)) > SHOWN:
        faults = Faults()
        faults.add(
            "itineraries",
            "INVALID_LABEL",
            f"Write each of `itineraries` as a label, a colon and a trip. Labels must differ, and have"
            f" at most {SHOWN} characters.",
        )
        raise faults.refusal()
    return [(label, trip_from(question_from_line(line))) for label, (_, line) in zip(labels, pairs, strict=True)]


def comparison_from(plans: Sequence[tuple[str, Plan]]) -> Comparison:
    """The easiest first: by days to adapt and nights lost, then by the days at worst, then by hours of travel."""
    ranked = sorted(plans, key=lambda pair: _hardship(pair[1]))
    rows = [_compared(label, n + 1, plan) for n, (label, plan) in enumerate(ranked)]
    first, second = rows[0], rows[1]
    reasons = []
    ours, theirs = first.model_days, second.model_days
    if round(ours.plan) != round(theirs.plan):
        reasons.append(f"about {days(round(ours.plan))} to adapt against {round(theirs.plan)}")
    elif round(ours.high) != round(theirs.high):
        reasons.append(f"up to {days(round(ours.high))} to adapt for the slow against {round(theirs.high)}")
    if first.nights_cut_short != second.nights_cut_short:
        reasons.append(f"{first.nights_cut_short} nights cut short against {second.nights_cut_short}")
    if not reasons:
        reasons.append(
            f"the body notices little difference; the journey takes {first.journey_hours:.3g} hours "
            f"against {second.journey_hours:.3g}"
        )
    return Comparison(
        easiest=first.label,
        explanation=f"{first.label} is the easiest: {' and '.join(reasons)} for {second.label}.",
        itineraries=rows,
        caution=advice.NOT_MEDICAL,
    )


def _hardship(plan: Plan) -> tuple[float, float, float]:
    """Whole days to adapt with a day for each night lost; then those of the slow; then hours of travel."""
    lost = _cut_short(plan)
    return (round(plan.expected.plan) + lost, round(plan.expected.high) + lost, plan.trip.flight / HOUR)


def _cut_short(plan: Plan) -> int:
    """Nights between two days before departure and two after landing with less than 6 h of sleep in 24 h."""
    trip, sleeps = plan.trip, plan.course.sleeps
    count, at = 0, trip.departure - DAY
    while at < trip.arrival + DAY:
        slept = sum((max(min(sleep.end, at + DAY) - max(sleep.start, at), NOTHING) for sleep in sleeps), start=NOTHING)
        count += slept < SHORT_NIGHT
        at += DAY
    return count


def _compared(label: str, rank: int, plan: Plan) -> Compared:
    sleeps = plan.course.sleeps
    aboard = sum((sleep.length for sleep in sleeps if sleep.place == "flight"), start=NOTHING)
    first = next((sleep.length for sleep in sleeps if sleep.place == "destination"), NOTHING)
    return Compared(
        label=label,
        rank=rank,
        shift_hours=number(plan.trip.shift.size),
        shift_direction=plan.trip.shift.direction,
        model_days=model_days_from(plan.expected),
        journey_hours=number(plan.trip.flight),
        sleep_aboard_hours=number(aboard),
        first_night_hours=number(first),
        nights_cut_short=_cut_short(plan),
    )


def moment_asked(question: WhatNowQuestion | ReplanQuestion, trip: Trip) -> datetime | None:
    """The moment that the question is about; None for the present one.

    Raises:
        UserError: naming every field at fault.
    """
    faults = Faults()
    zone = found_zone("now_timezone", question.now_timezone or trip.destination.key, faults)
    at = None
    if question.now_datetime is not None:
        at = first_instant("now_datetime", question.now_datetime, zone, faults)
    if faults.found:
        raise faults.refusal()
    return at


def doings_from(question: ReplanQuestion, trip: Trip, now: datetime) -> Doings:
    """What was done until ``now``.

    Raises:
        UserError: naming every field at fault.
    """
    faults = Faults()
    zone = found_zone("now_timezone", question.now_timezone or trip.destination.key, faults)
    followed = trip.departure - 60 * DAY
    if question.followed_until_datetime is not None:
        followed = first_instant("followed_until_datetime", question.followed_until_datetime, zone, faults) or followed
        if followed > now:
            faults.add(
                "followed_until_datetime",
                "INVALID_DATETIME",
                "`followed_until_datetime` must not be in the future.",
            )
    seen = _stretches("bright_light", question.bright_light, zone, now, faults)
    worst = None
    if question.felt_worst is not None:
        worst = first_instant("felt_worst", question.felt_worst, zone, faults)
    slept = _stretches("slept", question.slept or [], zone, now, faults)
    low = _band(question.clock_low, zone, now, faults)
    if faults.found:
        raise faults.refusal()
    if question.slept is None:
        slept = usual_bedtimes(trip, followed, now)
    return Doings(now, followed, slept, seen, worst, low)


def _band(given: str | None, zone: ZoneInfo | None, now: datetime, faults: Faults) -> Span | None:
    """The band of the low that a log has found."""
    if given is None:
        return None
    start, end = (first_instant("clock_low", part, zone, faults) for part in given.split("/"))
    if start is None or end is None:
        return None
    if not NOTHING < end - start <= DAY or abs(start + (end - start) / 2 - now) > 2 * DAY:
        faults.add(
            "clock_low",
            "INVALID_DATETIME",
            "`clock_low` must end at most 24 hours after it starts, and lie within two days of now.",
        )
        return None
    return Span(start, end)


def _stretches(
    name: str, given: Sequence[str], zone: ZoneInfo | None, now: datetime, faults: Faults
) -> tuple[Span, ...]:
    found = []
    for n, stretch in enumerate(given):
        first, _, last = stretch.partition("/")
        start = first_instant(f"{name}.{n}", first, zone, faults)
        end = first_instant(f"{name}.{n}", last, zone, faults)
        if start and end:
            if not NOTHING < end - start <= DAY or end > now:
                faults.add(
                    f"{name}.{n}",
                    "INVALID_DATETIME",
                    f"`{name}.{n}` must end at most 24 hours after it starts, and not in the future.",
                )
            else:
                found.append(Span(start, end))
    return tuple(found)


def what_now_from(plan: Plan, now: datetime, ahead_hours: int) -> WhatNow:
    """The next hours of a plan."""
    trip = plan.trip
    place: Place = "origin" if now < trip.departure else "flight" if now < trip.arrival else "destination"
    zone = trip.destination if place == "destination" else trip.origin
    items = [(order, page.zone, whose) for page, whose in plan.journey for order in page.orders]
    doing = [item for item in items if item[0].start <= now < (item[0].end or item[0].start)]
    following = [item for item in items if now < item[0].start <= now + ahead_hours * HOUR]
    low = plan.course.body.near(now)
    here = moment_from(now, zone)
    return WhatNow(
        date=here.date,
        time=here.time,
        timezone=zone.key,
        utc=here.utc,
        place=place,
        doing=[item_from(*item) for item in doing],
        next=[item_from(*item) for item in following],
        body_clock_low=moment_from(zones.whole_minute(low.at, zone), zone),
        hours_left=number(low.left),
        advice=_advice([order for order, *_ in doing], [item[:2] for item in items], now, zone, ahead_hours),
        caution=advice.caution(plan),
    )


def _advice(
    doing: list[Order], items: list[tuple[Order, ZoneInfo]], now: datetime, here: ZoneInfo, ahead_hours: int
) -> str:
    words = [f"Now: {order_words.title(order).lower()}." for order in doing if order.kind != "caffeine_ok"]
    for order, zone in [item for item in items if now < item[0].start <= now + ahead_hours * HOUR][:3]:
        whose = "" if zone == here else f" {zone.key} time"
        words.append(f"At {clock(zones.shown(order.start, zone))}{whose}: {order_words.title(order).lower()}.")
    if words:
        return " ".join(words)
    if items and now < items[0][0].start:
        first, zone = items[0]
        begins = zones.shown(first.start, zone)
        return f"The plan begins on {month_day(begins.date())}, {clock(begins)}."
    if items and now >= (last := max(order.end or order.start for order, _ in items)):
        return f"The plan ended on {month_day(zones.shown(last, items[-1][1]).date())}; nothing is left to do."
    return f"The plan asks for nothing in the next {hours(ahead_hours * HOUR)}."


def replanned_from(
    found: Again, now: datetime, question: ReplanQuestion, *, asked_prep_days: int, files: PlanFiles
) -> Replanned:
    """The plan from now on, and why."""
    full = adaptation_plan_from(found.plan, asked_prep_days=asked_prep_days)
    left = rest(found.plan, now).journey
    days = brief_days_from(left) if question.detail == "brief" else [day_from(*page) for page in left]
    ahead = [line for until, line in first_hours(found.plan) if until > now]
    kept = {name: getattr(full, name) for name in AdaptationPlan.model_fields}
    said = (
        "From here, continuing the old plan is as good as a new plan."
        if found.kept
        else "A new plan from where your body clock stands now gets you there sooner than continuing the old plan."
    )
    behind = number(found.behind)
    if not days:
        said = "All days of this plan are over."
    return Replanned(
        plan=RemainingPlan(**{**kept, "first_hours": ahead, "days": days, "files": files, "trip": question.trip}),
        kept_old_plan=found.kept,
        hours_left=behind,
        explanation=f"{said} By the model {behind:g} hours are left; days in the plan count from landing, or from now.",
    )
