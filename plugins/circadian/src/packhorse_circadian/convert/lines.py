"""The days of a plan in lines: one for each date, by the one clock of where the traveller is."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from packhorse_circadian.domain import order_words, zones
from packhorse_circadian.domain.evenings import lived
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.nights import LEAVE_BEFORE_DEPARTURE
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.pages import Page
from packhorse_circadian.domain.shift import DAY
from packhorse_circadian.domain.wording import clock, month_day
from packhorse_circadian.models import BriefDay

_UNSAID = frozenset({"wake", "caffeine_ok"})
"""What the lines leave out: a night's end says when to get up, a cut-off until when coffee is fine."""
AFTER_MIDNIGHT = "after midnight"


def brief_days_from(journey: Iterable[tuple[Page, Plan]]) -> list[BriefDay]:
    """Every date in lines, landings too, and each night on the line of its evening; a reason stands where it is new.

    Dates that follow one another and ask for the same are one.
    """
    told = set[str]()
    found = []
    for page, plan in lived(journey):
        items = [_line(order, page, plan, told) for order in page.orders if order.kind not in _UNSAID]
        items += _night_flight(page, plan)
        if items or page.orders:
            found.append(BriefDay(date=page.day.isoformat(), timezone=page.zone.key, phase=page.phase, items=items))
    return list(_runs(found))


def _night_flight(page: Page, plan: Plan) -> list[str]:
    """When to leave on the evening before a flight soon after midnight, and where to sleep if not in a bed."""
    leg = plan if page.place == "origin" else plan.back
    if leg is None or page.zone != leg.trip.origin or page.day != leg.trip.departure_date - DAY:
        return []
    trip = leg.trip
    leave, fly = (zones.shown(at, page.zone) for at in (trip.departure - LEAVE_BEFORE_DEPARTURE, trip.departure))
    if leave.date() > page.day:
        return []
    said = f"{clock(leave)} leave for the flight at {clock(fly)} (after midnight, on {month_day(fly.date())})"
    if any(sleep.place == "origin" and sleep.end > trip.departure - DAY / 2 for sleep in leg.course.sleeps):
        return [said]
    aboard = any(sleep.place == "flight" for sleep in leg.course.sleeps)
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


def _line(order: Order, page: Page, plan: Plan, told: set[str]) -> str:
    """From, until and what; in brackets how much it matters, why, and that it is after midnight."""
    begins = zones.shown(order.start, page.zone)
    until = f"-{clock(zones.shown(order.end, page.zone))}" if order.end and order.kind != "flight" else ""
    notes = list(filter(None, _notes(order, page, plan, told)))
    if begins.date() > page.day:
        notes.append(AFTER_MIDNIGHT)
    ends = ((at, zones.which_of_two(at, page.zone)) for at in (order.start, order.end) if at)
    notes += [f"{clock(zones.shown(at, page.zone))} {which}" for at, which in ends if which]
    brackets = f" ({'; '.join(notes)})" if notes else ""
    return f"{clock(begins)}{until} {order_words.words(order)}{brackets}"


def _notes(order: Order, page: Page, plan: Plan, told: set[str]) -> Iterator[str]:
    begins = zones.shown(order.start, page.zone)
    if order.kind == "melatonin":
        yield "optional"
        yield _once(order_words.dose_reason(begins.hour, plan.course.body), told)
        busy = page.place == "origin" and order_words.busy(begins)
        yield order_words.ON_A_WORKING_DAY if busy else order_words.AFTER_A_DOSE
    elif order.worth is not None:
        yield order_words.cost(order)
    elif order.kind == "sleep":
        moved, why = order_words.other_hours(order, page.zone, plan)
        yield moved
        yield _once(why, told) if moved else why


def _once(reason: str, told: set[str]) -> str:
    """A reason where it is new."""
    if reason in told:
        return ""
    told.add(reason)
    return reason
