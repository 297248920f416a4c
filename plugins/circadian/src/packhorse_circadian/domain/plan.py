"""The plan: one page for every date and place of the trip."""

from datetime import date
from typing import Literal
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import Low, dates
from packhorse_circadian.domain.caffeine import caffeine
from packhorse_circadian.domain.ground import Course, course
from packhorse_circadian.domain.light import light
from packhorse_circadian.domain.melatonin import melatonin
from packhorse_circadian.domain.naps import naps
from packhorse_circadian.domain.nights import Place, Sleep
from packhorse_circadian.domain.orders import Order
from packhorse_circadian.domain.shift import DAY
from packhorse_circadian.domain.trip import Trip

Phase = Literal["preparation", "travel", "adaptation"]


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


@frozen
class Plan:
    """Everything to do on one trip, and the course it was made from."""

    course: Course
    pages: tuple[Page, ...]

    @property
    def trip(self) -> Trip:
        """The trip it is for."""
        return self.course.body.trip

    @property
    def days_after(self) -> int:
        """Dates at the destination, the arrival date included."""
        return self.course.body.days_after

    @property
    def days(self) -> int:
        """Dates of preparation and adaptation; the travel days between them come on top."""
        return self.trip.prep_days + self.days_after


def plan(trip: Trip) -> Plan:
    """The plan for ``trip``: the same for the same trip, always."""
    laid = course(trip)
    orders = [*_sleeping(laid), *light(laid), *melatonin(laid), *caffeine(laid)]
    orders += naps(laid, orders)
    shown = [_on_the_minute(order, trip) for order in orders]
    return Plan(laid, _pages(laid, sorted(shown, key=lambda order: order.start)))


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


def _sleeping(course: Course) -> list[Order]:
    orders = []
    for sleep in course.sleeps:
        if sleep.place == "flight":
            orders.append(Order("in_flight_sleep", sleep.start, end=sleep.end, place="flight"))
            continue
        if _on_a_page(course, sleep):
            orders.append(Order("sleep", sleep.start, end=sleep.end, place=sleep.place))
        if course.home.span.start <= sleep.end < course.away.span.end:
            orders.append(Order("wake", sleep.end, place=sleep.place))
    return orders


def _on_a_page(course: Course, sleep: Sleep) -> bool:
    return course.home.span.start <= sleep.start < course.away.span.end


def _pages(course: Course, orders: list[Order]) -> tuple[Page, ...]:
    trip, body = course.body.trip, course.body
    filed: dict[tuple[date, Place], list[Order]] = {}
    for order in orders:
        day = zones.shown(order.start, _zone(order.place, trip)).date()
        # The departure date's page takes what is slept on board before midnight.
        place: Place = "origin" if order.place == "flight" and day == trip.departure_date else order.place
        filed.setdefault((day, place), []).append(order)

    def page(day: date, place: Place, phase: Phase, number: int) -> Page:
        there = place == "destination"
        return Page(
            day=day,
            zone=_zone(place, trip),
            place=place,
            phase=phase,
            number=number,
            low=body.low_at_destination(day) if there else body.low_at_origin(day),
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
        page(day, "destination", "adaptation", (day - arrives).days + 1)
        for day in dates(arrives, arrives + (body.days_after - 1) * DAY)
    ]
    return (*before, *aboard, *after)
