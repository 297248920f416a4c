"""A plan in lines: what a tired traveller reads, a line for each date and place."""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from packhorse_circadian.domain import order_words, zones
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.pages import Page, after_midnight, by_evening
from packhorse_circadian.domain.plan import Plan
from packhorse_circadian.domain.shift import DAY
from packhorse_circadian.domain.wording import clock, month_day
from packhorse_circadian.models import AdaptationPlan, BriefDay, PlanDay

_UNSAID = frozenset({"wake", "caffeine_ok"})
"""What the lines leave out: a night's end says when to get up, a cut-off until when coffee is fine."""


def brief_days_from(journey: Iterable[tuple[Page, Plan]]) -> list[BriefDay]:
    """Every page in lines, landings too, and each night on the line of its evening; a reason stands where it is new."""
    pages = list(journey)
    evenings = by_evening([page for page, _ in pages])
    if pages:
        evenings[-1] += _last_night(*pages[-1])
    told = set[str]()
    return [_day(page, plan, orders, told) for (page, plan), orders in zip(pages, evenings, strict=True)]


def _last_night(page: Page, plan: Plan) -> tuple[Order, ...]:
    """That of the last evening where it begins after midnight, on a date that has no page."""
    return tuple(
        Order("sleep", sleep.start, end=sleep.end, place=sleep.place)
        for sleep in plan.course.sleeps
        if sleep.place == page.place
        and after_midnight(sleep, page.zone)
        and zones.shown(sleep.start, page.zone).date() == page.day + DAY
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
    if order.kind == "melatonin":
        reason = order_words.dose_reason(begins.hour, plan.course.body)
        why = "" if reason in told else reason
        told.add(reason)
        return f"{start} {order_words.words(order)[:-1]}; {why}{order_words.AFTER_A_DOSE})"
    times = f"{start}-{clock(zones.shown(order.end, zone))}" if order.end else start
    if order.kind == "in_flight_sleep":
        return f"{times} sleep {'at the stop' if order.stop else 'on board'} ({on}{zone.key} time)"
    said = f"{times} {order_words.words(order)}"
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


def _asked(day: PlanDay | BriefDay) -> tuple[str, str]:
    items = day.items if isinstance(day, BriefDay) else [f"{item.time} {item.title}" for item in day.items]
    return day.timezone, "; ".join(map(str, items))


def text_from(answer: AdaptationPlan, lead: str = "") -> str:
    """A plan as a page that a tired person can follow."""
    lines = [lead or answer.summary.key_advice, *answer.first_hours]
    for (zone, asked), alike in groupby(answer.days, key=_asked):
        first, *rest = (day.date for day in alike)
        dates = f"{first} to {rest[-1]}" if rest else first
        lines.append(f"{dates} {zone}: {asked or 'nothing to do'}")
    lines += [*answer.notes, answer.caution, f"Trip: {answer.trip}"]
    if answer.files:
        lines.append(f"Calendar: {answer.files.calendar}")
    return "\n".join(lines)
