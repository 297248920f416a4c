"""A journey as it is lived: by the clock of where the traveller is, each night under the date of its evening."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import pairwise

from attrs import evolve

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import dates
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.order_words import other_hours
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.pages import Page
from packhorse_circadian.domain.shift import DAY
from packhorse_circadian.domain.spans import Span

AFTER_MIDNIGHT = 6
"""A night that begins before this hour belongs to the evening before: it is what "tonight" means."""
_NIGHT = frozenset({"sleep", "in_flight_sleep"})


def lived(journey: Iterable[tuple[Page, Plan]]) -> list[tuple[Page, Plan]]:
    """The pages of a journey, and those of nights on dates without one; a stop has pages by its own clock."""
    pages: list[tuple[Page, Plan]] = []
    for page, plan in _every_night(list(journey)):
        for part in _by_clock(page, plan):
            last = pages[-1][0] if pages else None
            if last and (last.zone, last.day, last.place, part.place) == (part.zone, part.day, "flight", "flight"):
                pages[-1] = evolve(last, orders=(*last.orders, *part.orders)), plan
            else:
                pages.insert(_place(pages, part), (part, plan))
    evenings = by_evening([page for page, _ in pages])
    return [(evolve(page, orders=orders), plan) for (page, plan), orders in zip(pages, evenings, strict=True)]


def lands_at_night(plan: Plan, since: datetime | None = None) -> bool:
    """Whether a flight, there or back, lands in a night that began on the date before; ``since``: of those to come."""
    legs = filter(None, (plan, plan.back))
    landings = [(leg.trip, lands) for leg in legs for _, lands in leg.trip.flights if since is None or lands > since]
    return any(zones.shown(lands, trip.clock_at(lands)).hour < AFTER_MIDNIGHT for trip, lands in landings)


def _place(pages: Sequence[tuple[Page, Plan]], part: Page) -> int:
    """Where a page belongs: sleep on board comes before the landing, which stands on the page of its flight."""
    at = len(pages)
    while part.orders and at and (before := pages[at - 1][0].orders) and before[0].start > part.orders[0].start:
        at -= 1
    return at


def by_evening(pages: Sequence[Page]) -> list[tuple[Order, ...]]:
    """The orders of each page, with the night of its evening, and what is done until then, though after midnight."""
    found = [list(page.orders) for page in pages]
    until = AFTER_MIDNIGHT
    for n, (page, after) in enumerate(pairwise(pages)):
        night = None
        goes_on = after.place in (page.place, "flight")
        if goes_on and page.zone == after.zone and after.day - page.day == DAY:
            # A flight keeps the date of its ticket, and what is slept on it.
            nights = (order for order in found[n + 1] if order.kind in _NIGHT or order.kind == "flight")
            night = next((night for night in nights if _after_midnight(night.start, after, until)), None)
            night = None if night and night.kind == "flight" else night
        if night is None:
            until = AFTER_MIDNIGHT
            continue
        found[n] += [order for order in found[n + 1] if order.start <= night.start]
        found[n + 1] = [order for order in found[n + 1] if order.start > night.start]
        # A bedtime that goes on moving later stays the night of its evening.
        until = max(zones.shown(night.start, after.zone).hour + 2, AFTER_MIDNIGHT)
    return [tuple(orders) for orders in found]


def _after_midnight(at: datetime, page: Page, until: int = AFTER_MIDNIGHT) -> bool:
    """Whether what begins then belongs to the evening before."""
    return zones.shown(at, page.zone).hour < until


def _by_clock(page: Page, plan: Plan) -> Iterator[Page]:
    """A page, and what is done on the way by the clock of a stop, landing there too, on pages of its own."""
    trip = plan.trip
    landings = [Order("arrival", lands, place="flight") for _, lands in trip.flights[:-1]]
    flown = {order.end for order in page.orders if order.kind == "flight"}
    orders = [*page.orders, *(landing for landing in landings if landing.start in flown)]
    found: dict[tuple[str, date], list[Order]] = {}
    clocks = {}
    for order in sorted(orders, key=lambda order: order.start):
        zone = trip.clock_at(order.start) if order.place == "flight" else page.zone
        day = page.day if zone == page.zone else zones.shown(order.start, zone).date()
        found.setdefault((zone.key, day), []).append(order)
        clocks[zone.key] = zone
    for (key, day), asked in found.items() if found else [((page.zone.key, page.day), [])]:
        ours = (key, day) == (page.zone.key, page.day)
        yield evolve(
            page, zone=clocks.get(key, page.zone), day=day, place=page.place if ours else "flight", orders=tuple(asked)
        )


def _every_night(pages: Sequence[tuple[Page, Plan]]) -> Iterator[tuple[Page, Plan]]:
    for n, (page, plan) in enumerate(pages):
        if not n:
            yield evolve(page, day=page.day - DAY, orders=_night_before(page, plan)), plan
        yield page, plan
        if n + 1 == len(pages) or pages[n + 1][1] is plan.back:
            yield from ((evolve(page, day=day, orders=night), plan) for day, night in _later(page, plan))


def _night_before(page: Page, plan: Plan) -> tuple[Order, ...]:
    """The night before a plan that begins on the day of the flight, where it is for the flight at other hours."""
    ends = {order.start for order in page.orders if order.kind == "wake" and page.phase == "travel"}
    nights = (
        Order("sleep", sleep.start, end=sleep.end, place=sleep.place)
        for sleep in plan.course.sleeps
        if sleep.end in ends and _on(sleep.start, page) < page.day
    )
    return tuple(night for night in nights if any(other_hours(night, page.zone, plan)))


def _later(page: Page, plan: Plan) -> Iterator[tuple[date, tuple[Order, ...]]]:
    """The nights after a plan's last page, by the date on which each begins, until the pages of the way back."""
    back = plan.back
    days = dates(page.day + DAY, back.trip.departure_date - DAY if back else page.day + DAY)
    # What is left of the last evening, then nights at the usual hours, and the last as the flight back has it.
    slept = [
        Span(sleep.start, sleep.end)
        for sleep in plan.course.sleeps
        if sleep.place == "destination"
        and _after_midnight(sleep.start, page)
        and _on(sleep.start, page) == page.day + DAY
    ]
    if back:
        wakings = (back.course.table.wake_at_origin(day + DAY) for day in days[:-1])
        slept += [Span(wake - back.trip.night, wake) for wake in wakings]
        slept += [Span(sleep.start, sleep.end) for sleep in back.course.sleeps[:1] if sleep.place == "origin"]
    nights = [Order("sleep", span.start, end=span.end, place="destination") for span in slept]
    for day in days:
        yield day, tuple(night for night in nights if _on(night.start, page) == day)


def _on(at: datetime, page: Page) -> date:
    return zones.shown(at, page.zone).date()
