"""Plans and shifts, from the domain to the wire."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from packhorse_circadian.convert.lines import brief_days_from
from packhorse_circadian.domain import advice, order_words, zones
from packhorse_circadian.domain.first_hours import first_hours, why
from packhorse_circadian.domain.journey import Days, Plan
from packhorse_circadian.domain.lead import key_advice
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.pages import Page
from packhorse_circadian.domain.rows import unaided
from packhorse_circadian.domain.shift import HOUR, RATE_WITH, RATE_WITHOUT, Shift
from packhorse_circadian.domain.wording import days, number
from packhorse_circadian.models import (
    AdaptationPlan,
    Alertness,
    EstimatedDays,
    Item,
    ModelDays,
    Moment,
    PhaseShift,
    PlanDay,
    PopulationDays,
    Summary,
)
from packhorse_circadian.models.words import Detail


def phase_shift_from(shift: Shift) -> PhaseShift:
    """The answer of calculate_phase_shift."""
    taken = unaided(shift.signed / HOUR)
    return PhaseShift(
        raw_shift_hours=number(abs(shift.raw)),
        raw_direction=shift.raw_direction,
        optimal_shift_hours=number(shift.size),
        optimal_direction=shift.direction,
        difficulty=shift.difficulty,
        estimated_days=EstimatedDays(
            with_interventions=shift.days(RATE_WITH), without_interventions=shift.days(RATE_WITHOUT)
        ),
        explanation=advice.explanation(shift),
        population_days=PopulationDays(half=round(taken.half, 1), low=taken.band[0], high=taken.band[1]),
    )


def adaptation_plan_from(
    plan: Plan, *, asked_prep_days: int, detail: Detail = "full", now: datetime | None = None
) -> AdaptationPlan:
    """The answer of get_adaptation_plan, item by item or in lines; ``now`` says which flights have left."""
    trip, shift = plan.trip, plan.trip.shift
    notes = list(advice.notes(plan))
    if now is not None and trip.departure <= now:
        notes.append("This flight has left: what follows is the whole plan. For what is left of it use replan.")
    if trip.prep_days < asked_prep_days:
        notes.insert(
            0,
            f"prep_days was cut from {asked_prep_days} to {trip.prep_days}: "
            f"only {days(trip.prep_days)} left before the departure date."
            if trip.prep_days
            else f"prep_days was cut from {asked_prep_days} to 0: departure is today.",
        )
    return AdaptationPlan(
        summary=Summary(
            total_days=plan.days,
            prep_days=trip.prep_days,
            post_arrival_days=plan.days_after,
            shift_direction=shift.direction,
            shift_hours=number(shift.size),
            key_advice=key_advice(plan),
        ),
        first_hours=[line for _, line in first_hours(plan)],
        days=brief_days_from(plan.journey) if detail == "brief" else [day_from(*page) for page in plan.journey],
        notes=notes,
        caution=advice.caution(plan),
        model_days=model_days_from(plan.expected),
        model_direction=plan.course.body.way,
        return_days=model_days_from(plan.back.expected) if plan.back else None,
    )


def model_days_from(expected: Days) -> ModelDays:
    """How long it takes, on the wire."""
    return ModelDays(
        plan=expected.plan,
        low=expected.low,
        high=expected.high,
        no_plan=expected.without,
        no_plan_low=expected.without_low,
        no_plan_high=expected.without_high,
    )


def day_from(page: Page, plan: Plan) -> PlanDay:
    """One page on the wire."""
    return PlanDay(
        day=page.number,
        date=page.day.isoformat(),
        timezone=page.zone.key,
        place=page.place,
        phase=page.phase,
        hours_left=number(page.low.left),
        body_clock_low=moment_from(page.low.at, page.zone),
        items=[item_from(order, page.zone, plan) for order in page.orders],
        alertness=[
            Alertness(time=f"{zones.shown(alert.at, page.zone):%H:%M}", score=alert.score) for alert in page.alertness
        ],
    )


def item_from(order: Order, zone: ZoneInfo, plan: Plan) -> Item:
    """One order on the wire."""
    start = moment_from(order.start, zone)
    return Item(
        type=order.kind,
        title=order_words.title(order),
        why=why(order, plan),
        worth_days=None if order.worth is None else round(order.worth, 1),
        date=start.date,
        time=start.time,
        timezone=zone.key,
        utc=start.utc,
        until=moment_from(order.end, zone) if order.end else None,
        duration_minutes=round((order.end - order.start).total_seconds() / 60) if order.end else None,
    )


def moment_from(at: datetime, zone: ZoneInfo) -> Moment:
    """A moment on the wire."""
    local = zones.shown(at, zone)
    return Moment(
        date=local.date().isoformat(),
        time=f"{local:%H:%M}",
        utc=at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
