"""A plan in lines: what a tired traveller reads, a line for each date and place."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from attrs import evolve

from packhorse_circadian.domain import order_words, zones
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.nights import LEAVE_BEFORE_DEPARTURE
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.pages import Page, after_midnight, by_evening
from packhorse_circadian.domain.shift import DAY
from packhorse_circadian.domain.wording import clock, day_name, month_day
from packhorse_circadian.models import AdaptationPlan, BriefDay, PlanDay

_UNSAID = frozenset({"wake", "caffeine_ok"})
"""What the lines leave out: a night's end says when to get up, a cut-off until when coffee is fine."""


def brief_days_from(journey: Iterable[tuple[Page, Plan]]) -> list[BriefDay]:
    """Every page in lines, landings too, and each night on the line of its evening; a reason stands where it is new.

    Dates that follow one another and ask for the same are one.
    """
    pages = list(journey)
    evenings = by_evening([page for page, _ in pages])
    told, found = set[str](), list[BriefDay]()
    for n, ((page, plan), orders) in enumerate(zip(pages, evenings, strict=True)):
        after = pages[n + 1] if n + 1 < len(pages) else None
        goes_on = after is not None and after[0].zone == page.zone and after[0].day - page.day == DAY
        ends = after is None or plan.back is after[1]
        night = _last_night(page, plan, orders) if ends else ()
        found.append(_day(page, plan, (*orders, *night), told))
        if goes_on and page.place == "origin" and plan.trip.departure_date - DAY == page.day:
            found[-1].items.extend(_night_flight(page, plan))
        if plan.back and after and ends:
            found += (_day(there, plan.back, asked, told) for there, asked in _until_the_way_back(page, plan.back))
            eve = plan.back.trip.departure_date - DAY
            if found[-1].date == eve.isoformat():
                found[-1].items.extend(_night_flight(evolve(page, day=eve), plan.back))
    return list(_runs(found))


def _night_flight(page: Page, plan: Plan) -> list[str]:
    """When to leave on the evening before a flight soon after midnight, and where to sleep if not in a bed."""
    trip = plan.trip
    leave, fly = (zones.shown(at, page.zone) for at in (trip.departure - LEAVE_BEFORE_DEPARTURE, trip.departure))
    if leave.date() > page.day:
        return []
    slept = any(sleep.place == "origin" and sleep.end > trip.departure - DAY / 2 for sleep in plan.course.sleeps)
    said = f"{clock(leave)} leave for the flight at {clock(fly)} (after midnight, on {month_day(fly.date())})"
    if slept:
        return [said]
    aboard = any(sleep.place == "flight" for sleep in plan.course.sleeps)
    return [f"{said}: {'sleep on the plane' if aboard else 'no bed'}"]


def _runs(days: Sequence[BriefDay]) -> Iterator[BriefDay]:
    """Dates that follow one another and ask for the same, as one."""
    run: list[BriefDay] = []
    for day in days:
        alike = run and (run[-1].timezone, run[-1].phase, run[-1].items) == (day.timezone, day.phase, day.items)
        if run and not (alike and date.fromisoformat(day.date) - date.fromisoformat(run[-1].date) == DAY):
            yield _run(run)
            run = []
        run.append(day)
    if run:
        yield _run(run)


def _run(days: Sequence[BriefDay]) -> BriefDay:
    return days[0].model_copy(update={"until": days[-1].date}) if len(days) > 1 else days[0]


def _until_the_way_back(page: Page, back: Plan) -> Iterator[tuple[Page, tuple[Order, ...]]]:
    """The nights of a stay between the plan's last date there, ``page``, and the day of the flight back."""
    trip, table = back.trip, back.course.table
    last = [sleep for sleep in back.course.sleeps if sleep.place == "origin" and sleep.end <= trip.departure][:1]
    day = page.day + DAY
    while day < trip.departure_date:
        wake = table.wake_at_origin(day + DAY)
        night = [Order("sleep", wake - trip.night, end=wake, place="origin")]
        if day == trip.departure_date - DAY:
            night = [Order("sleep", sleep.start, end=sleep.end, place="origin") for sleep in last]
        yield evolve(page, day=day), tuple(night)
        day += DAY


def _last_night(page: Page, plan: Plan, orders: Sequence[Order]) -> tuple[Order, ...]:
    """That of the last evening there where it begins after midnight, on a date that has no page of its own."""
    nights = [order for order in orders if order.kind == "sleep" and order.end]
    return tuple(
        Order("sleep", sleep.start, end=sleep.end, place=page.place)
        for sleep in plan.course.sleeps
        if sleep.place == "destination"
        and after_midnight(sleep, page.zone)
        and zones.shown(sleep.start, page.zone).date() == page.day + DAY
        and not any(night.end and night.start < sleep.end and sleep.start < night.end for night in nights)
    )


def _day(page: Page, plan: Plan, orders: Iterable[Order], told: set[str]) -> BriefDay:
    lines = [(order.start, _line(order, page, plan, told)) for order in orders if order.kind not in _UNSAID]
    return BriefDay(
        date=page.day.isoformat(),
        timezone=page.zone.key,
        phase=page.phase,
        items=[line for _, line in sorted(lines, key=lambda line: line[0])],
    )


def _line(order: Order, page: Page, plan: Plan, told: set[str]) -> str:
    """From, until, what, and how much light matters; by the clock, and the date, of a stop what is done there."""
    zone = order.stop or page.zone
    begins = zones.shown(order.start, zone)
    start = clock(begins)
    on = f"on {month_day(begins.date())}, " if order.stop and begins.date() != page.day else ""
    if order.kind == "flight" and order.end:
        leaves = f"{start} {on}{zone.key} time" if order.stop else start
        return f"{leaves} fly, land {_dated(order.end, order.start, order_words.landing_zone(order, plan.trip), zone)}"
    times = f"{start}-{clock(zones.shown(order.end, zone))}" if order.end else start
    if order.kind == "in_flight_sleep":
        return f"{times} sleep {'at the stop' if order.stop else 'on board'} ({on}{zone.key} time)"
    said = f"{times} {order_words.words(order)}"
    if order.kind == "melatonin":
        reason = order_words.dose_reason(begins.hour, plan.course.body)
        busy = page.place == "origin" and order_words.busy(begins)
        after = order_words.ON_A_WORKING_DAY if busy else order_words.AFTER_A_DOSE
        said += f" (optional; {'' if reason in told else reason}{after})"
        told.add(reason)
    if order.worth is not None:
        said += f" ({order_words.cost(order)})"
    if begins.date() != page.day:
        said += f" (after midnight, on {month_day(begins.date())})"
    return said


def _dated(end: datetime, start: datetime, zone: ZoneInfo, left: ZoneInfo) -> str:
    """By the clock of ``zone``, with the date where it is another than at the start."""
    there = zones.shown(end, zone)
    on = "" if there.date() == zones.shown(start, left).date() else f" on {month_day(there.date())}"
    return f"{clock(there)}{on}, {zone.key} time"


_BY_RULE = "no more caffeine"
"""What the text says once, as a rule: how long before bed."""


def _asked(day: PlanDay | BriefDay) -> tuple[str, str, str]:
    items = day.items if isinstance(day, BriefDay) else [f"{item.time} {item.title}" for item in day.items]
    return day.timezone, day.phase, "; ".join(item for item in map(str, items) if _BY_RULE not in item)


LONGEST = 5_500
"""Characters of a page, about 1,700 tokens; of a longer one the later days are left to those who ask."""
_WHOLE = 20
_LINES = [
    (_WHOLE, _WHOLE, _WHOLE),
    *((back, _WHOLE, _WHOLE) for back in range(8, 3, -1)),
    *((3, there, _WHOLE) for there in range(8, 1, -1)),
    *((3, 2, before) for before in range(6, 2, -1)),
]
"""Lines of days on the way back, at the destination and of preparation: the first numbers that fit."""


def text_from(answer: AdaptationPlan, lead: str = "") -> str:
    """A plan as a page that a tired person can follow: its days by the clock of each place, in the order lived."""
    text = ""
    for back, there, before in _LINES:
        lines = [lead or answer.summary.key_advice, *answer.first_hours]
        lines += _day_lines(answer.days, {"return": back, "adaptation": there, "preparation": before})
        lines += [*answer.notes, answer.caution, f"Trip: {answer.trip}"]
        if answer.files:
            lines.append(f"Calendar: {answer.files.calendar}")
        text = "\n".join(lines)
        if len(text) <= LONGEST:
            break
    return text


def _day_lines(days: Sequence[PlanDay | BriefDay], most: Mapping[str, int]) -> Iterator[str]:
    """A line for each run of dates under the name of their clock; of each phase at most ``most``, then where to ask."""
    said: dict[str, int] = {}
    clock_said = ""
    for (zone, phase, asked), alike in groupby(days, key=_asked):
        runs = list(alike)
        first, last = date.fromisoformat(runs[0].date), date.fromisoformat(_until(runs[-1]))
        said[phase] = said.get(phase, 0) + 1
        if said[phase] > most.get(phase, _WHOLE):
            continue
        if zone != clock_said:
            yield f"By the clock of {zone}:"
            clock_said = zone
        yield f"{day_name(first)}{f' to {day_name(last)}' if last > first else ''}: {asked or 'nothing to do'}"
        if said[phase] == most.get(phase):
            rest = [day for day in days if day.phase == phase and day.date > _until(runs[-1])]
            if rest:
                end = day_name(date.fromisoformat(_until(rest[-1])))
                yield f"Later days, to {end}: ask what_now then, or for detail full now."


def _until(day: PlanDay | BriefDay) -> str:
    return (day.until if isinstance(day, BriefDay) else None) or day.date
