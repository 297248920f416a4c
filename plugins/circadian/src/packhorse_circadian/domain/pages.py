"""The pages of a plan: one for every date and place of the trip."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import Literal
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.alertness import EVERY, Alert, alertness
from packhorse_circadian.domain.body import Low, dates
from packhorse_circadian.domain.ground import Course
from packhorse_circadian.domain.nights import Place
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.shift import DAY
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.trip import Trip

Phase = Literal["preparation", "travel", "adaptation", "return"]

_END = datetime.max.replace(tzinfo=UTC)


@frozen
class Page:
    """One date at one place.

    ``number`` counts down to 0 on the way (-3, -2, -1, 0) and up from 1 on the
    arrival date. ``low`` is the body's low that belongs to this date.
    """

    day: date
    zone: ZoneInfo
    place: Place
    phase: Phase
    number: int
    low: Low
    orders: tuple[Order, ...]
    alertness: tuple[Alert, ...] = ()


def pages_for(course: Course, orders: Iterable[Order], start: datetime) -> tuple[Page, ...]:
    """Every page in order, with its orders to the minute and the alertness of somebody who follows them."""
    shown = sorted((_on_the_minute(order, course.trip) for order in orders), key=lambda order: order.start)
    return _alert(_pages(course, shown), course, start)


def _on_the_minute(order: Order, trip: Trip) -> Order:
    zone = _zone(order.place, trip)
    return evolve(
        order,
        start=zones.whole_minute(order.start, zone),
        end=order.end and zones.whole_minute(order.end, zone),
    )


def _zone(place: Place, trip: Trip) -> ZoneInfo:
    # On board the watch still shows the origin's time.
    return trip.destination if place == "destination" else trip.origin


def sleeping(course: Course) -> list[Order]:
    """Nights, getting up and sleep on the way, as orders."""
    orders = []
    for sleep in course.sleeps:
        if sleep.place == "flight":
            stops = (stop.zone for stop in course.trip.layovers if stop.arrival <= sleep.start < stop.departure)
            there = next(stops, None)
            orders.append(Order("in_flight_sleep", sleep.start, end=sleep.end, place="flight", stop=there))
            continue
        if course.home.span.start <= sleep.start < course.away.span.end:
            orders.append(Order("sleep", sleep.start, end=sleep.end, place=sleep.place))
        if course.home.span.start <= sleep.end < course.away.span.end:
            orders.append(Order("wake", sleep.end, place=sleep.place))
    return orders


def _alert(pages: tuple[Page, ...], course: Course, start: datetime) -> tuple[Page, ...]:
    """The pages with how alert the traveller should be, every few hours by the clock of each."""
    naps = [
        Span(order.start, order.end) for page in pages for order in page.orders if order.kind == "nap" and order.end
    ]
    asleep = sorted([*naps, *(Span(sleep.start, sleep.end) for sleep in course.sleeps)], key=lambda span: span.start)
    found = []
    for page in pages:
        # On the days of travel each page has only the hours spent at its place.
        first, last = (start, course.trip.departure) if page.place == "origin" else (course.trip.arrival, _END)
        if page.place == "flight":
            first, last = course.trip.departure, course.trip.arrival
        times = (zones.instant(page.day, time(hour), page.zone) for hour in range(0, 24, EVERY))
        awake = alertness([at for at in times if first <= at < last], start, asleep, course.body)
        found.append(evolve(page, alertness=tuple(awake)))
    return tuple(found)


def _pages(course: Course, orders: list[Order]) -> tuple[Page, ...]:
    trip, body = course.trip, course.body
    filed: dict[tuple[date, Place], list[Order]] = {}
    for order in orders:
        day = zones.shown(order.start, _zone(order.place, trip)).date()
        # The departure date's page takes what is slept on board before midnight.
        place: Place = "origin" if order.place == "flight" and day == trip.departure_date else order.place
        filed.setdefault((day, place), []).append(order)

    def page(day: date, place: Place, phase: Phase, number: int) -> Page:
        zone = _zone(place, trip)
        return Page(
            day=day,
            zone=zone,
            place=place,
            phase=phase,
            number=number,
            low=body.low(day, zone),
            orders=tuple(filed.get((day, place), ())),
        )

    departs, arrives = trip.departure_date, trip.arrival_date
    before = [
        page(day, "origin", "travel" if day == departs else "preparation", (day - departs).days)
        for day in dates(trip.first_date, departs)
    ]
    # A date spent wholly in the air has a page, or the count of dates would jump.
    aboard = [
        page(day, "flight", "travel", 0)
        for day in dates(departs + DAY, zones.shown(trip.arrival, trip.origin).date())
        if (day, "flight") in filed or day < arrives
    ]
    after = [
        page(day, "destination", "adaptation", (day - arrives).days + 1) for day in dates(arrives, course.table.last)
    ]
    return (*before, *aboard, *after)
