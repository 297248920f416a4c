"""Questions from the wire to the domain, and answers back."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from attrs import field, frozen

from packhorse import UserError
from packhorse_circadian.domain import advice, zones
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.plan import Page, Plan
from packhorse_circadian.domain.shift import NOTHING, RATE_WITH, RATE_WITHOUT, Shift
from packhorse_circadian.domain.trip import (
    LONGEST_FLIGHT,
    LONGEST_SLEEP,
    SHORTEST_FLIGHT,
    SHORTEST_SLEEP,
    Habits,
    Trip,
)
from packhorse_circadian.domain.wording import days, hours, number, span
from packhorse_circadian.models import (
    AdaptationPlan,
    EstimatedDays,
    Item,
    Moment,
    PhaseShift,
    PhaseShiftQuestion,
    PlanDay,
    PlanQuestion,
    Summary,
)


@frozen
class _Faults:
    """Everything wrong with one question, so that one refusal can say it all."""

    found: list[dict[str, str]] = field(factory=list)

    def add(self, name: str, code: str, message: str) -> None:
        self.found.append({"field": name, "code": code, "message": message})

    def refusal(self) -> UserError:
        codes = {fault["code"] for fault in self.found}
        return UserError(
            " ".join(fault["message"] for fault in self.found),
            code=codes.pop() if len(codes) == 1 else "INVALID_ARGUMENTS",
            details={"faults": self.found},
        )


def journey_from(question: PhaseShiftQuestion) -> tuple[ZoneInfo, ZoneInfo, date | None]:
    """Origin, destination and date.

    Raises:
        UserError: naming every field at fault.
    """
    faults = _Faults()
    origin = _zone("origin_timezone", question.origin_timezone, faults)
    destination = _zone("destination_timezone", question.destination_timezone, faults)
    day = None
    if question.travel_date is not None:
        day = _date("travel_date", question.travel_date, faults)
    if faults.found or origin is None or destination is None:
        raise faults.refusal()
    return origin, destination, day


def trip_from(question: PlanQuestion) -> Trip:
    """The trip that was asked about.

    Raises:
        UserError: naming every field at fault.
    """
    faults = _Faults()
    origin = _zone("origin_timezone", question.origin_timezone, faults)
    destination = _zone("destination_timezone", question.destination_timezone, faults)
    departures = _instants("departure_datetime", question.departure_datetime, origin, faults)
    arrivals = _instants("arrival_datetime", question.arrival_datetime, destination, faults)
    flight = _flight(departures, arrivals, faults)
    habits = _habits(question, faults)
    if origin is None or destination is None or flight is None or habits is None:
        raise faults.refusal()
    departure, arrival = flight
    return Trip(
        origin=origin,
        destination=destination,
        departure=departure,
        arrival=arrival,
        habits=habits,
        prep_days=question.prep_days,
        melatonin=question.interventions.melatonin,
        caffeine=question.interventions.caffeine,
    )


def phase_shift_from(shift: Shift) -> PhaseShift:
    """The answer of calculate_phase_shift."""
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
    )


def adaptation_plan_from(plan: Plan, *, asked_prep_days: int) -> AdaptationPlan:
    """The answer of get_adaptation_plan."""
    trip, shift = plan.trip, plan.trip.shift
    notes = list(advice.notes(plan))
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
            key_advice=advice.key_advice(plan),
        ),
        days=[_day(page, plan) for page in plan.pages],
        notes=notes,
        caution=advice.caution(plan),
    )


def _day(page: Page, plan: Plan) -> PlanDay:
    return PlanDay(
        day=page.number,
        date=page.day.isoformat(),
        timezone=page.zone.key,
        place=page.place,
        phase=page.phase,
        hours_left=number(page.low.left),
        body_clock_low=_moment(page.low.at, page.zone),
        items=[_item(order, page.zone, plan.trip) for order in page.orders],
    )


def _item(order: Order, zone: ZoneInfo, trip: Trip) -> Item:
    start = _moment(order.start, zone)
    return Item(
        type=order.kind,
        title=advice.title(order),
        why=advice.why(order, trip),
        date=start.date,
        time=start.time,
        timezone=zone.key,
        utc=start.utc,
        until=_moment(order.end, zone) if order.end else None,
        duration_minutes=round((order.end - order.start).total_seconds() / 60) if order.end else None,
    )


def _moment(at: datetime, zone: ZoneInfo) -> Moment:
    local = zones.shown(at, zone)
    return Moment(
        date=local.date().isoformat(),
        time=f"{local:%H:%M}",
        utc=at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )


ZONE_SHOWN = 32
"""The longest name in the tz database (America/Argentina/ComodRivadavia) has 32 characters."""


def _zone(name: str, value: str, faults: _Faults) -> ZoneInfo | None:
    zone = zones.find(value)
    if zone is None:
        near = zones.meant(value)
        cure = f"did you mean {near}?" if near else "write a name such as Asia/Tokyo or America/New_York."
        shown = f" {value!r}" if len(value) <= ZONE_SHOWN else ""  # no zone's name is longer: do not recite
        faults.add(name, "INVALID_TIMEZONE", f"{name}{shown} is not an IANA time zone: {cure}")
    return zone


def _date(name: str, value: str, faults: _Faults) -> date | None:
    try:
        return date.fromisoformat(value)
    except ValueError:
        faults.add(name, "INVALID_DATE", f"{name} {value!r} is no date of the calendar: write one such as 2026-02-15.")
        return None


def _instants(name: str, value: str, zone: ZoneInfo | None, faults: _Faults) -> tuple[datetime, ...]:
    """When clocks in ``zone`` show ``value``; empty where that is at fault or cannot be said."""
    try:
        wall = datetime.fromisoformat(value)
    except ValueError:
        faults.add(
            name,
            "INVALID_DATETIME",
            f"{name} {value!r} is on no date of the calendar: write one such as 2026-02-15T11:30.",
        )
        return ()
    if zone is None:
        return ()
    found = zones.instants(wall, zone)
    if not found:
        next_valid = zones.after_gap(wall, zone).isoformat(timespec="minutes")
        faults.add(
            name,
            "INVALID_DATETIME",
            f"{name} {value} does not exist in {zone.key}: clocks skip it. The next valid minute is {next_valid}.",
        )
    return found


def _flight(
    departures: tuple[datetime, ...], arrivals: tuple[datetime, ...], faults: _Faults
) -> tuple[datetime, datetime] | None:
    """Departure and arrival: of wall times that occur twice, the first that makes a flight."""
    if not (departures and arrivals):
        return None
    for departure in departures:
        for arrival in arrivals:
            if SHORTEST_FLIGHT <= arrival - departure <= LONGEST_FLIGHT:
                return departure, arrival
    flight = arrivals[0] - departures[0]
    if not flight:
        length = "the same moment as departure_datetime"
    else:
        length = f"{span(abs(flight))} {'after' if flight > NOTHING else 'before'} departure_datetime"
    faults.add(
        "arrival_datetime",
        "INVALID_FLIGHT",
        f"arrival_datetime is {length} once both are told in UTC; a flight takes 15 minutes to 24 hours. "
        "Give each in local time of its own place, and check dates and time zones.",
    )
    return None


def _habits(question: PlanQuestion, faults: _Faults) -> Habits | None:
    habits = Habits(time.fromisoformat(question.usual_wake_time), time.fromisoformat(question.usual_sleep_time))
    if SHORTEST_SLEEP <= habits.span <= LONGEST_SLEEP:
        return habits
    length = f"{hours(habits.span)} of sleep" if habits.span else "no sleep at all, both being one time"
    faults.add(
        "usual_sleep_time",
        "INVALID_SLEEP",
        f"usual_sleep_time {question.usual_sleep_time} and usual_wake_time {question.usual_wake_time} make {length}; "
        "give 4 to 12 hours, such as 23:00 and 07:00.",
    )
    return None
