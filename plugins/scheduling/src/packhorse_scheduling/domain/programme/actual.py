"""Who really worked in a half-day gone by, and from when to when: beside the plan, which stays."""

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from attrs import field, frozen

from packhorse_scheduling.domain.programme.calendar import HALF_DAY, SESSIONS, Session
from packhorse_scheduling.domain.programme.services import Service, Span

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.programme import Programme

Place = tuple[str, date, Session]
"""A half-day of somebody."""


@frozen
class Actual:
    """A half-day as it was worked: this service, or None for free; without ``hours``, at the service's clock times."""

    person: str
    day: date
    session: Session
    service: str | None = None
    hours: Span | None = field(default=None)

    @hours.validator
    def _within(self, attribute: object, value: Span | None) -> None:
        if value is None:
            return
        if self.service is None:
            raise ValueError("a free half-day has no hours: name the service")
        if (value.start >= HALF_DAY) != (self.session == "PM"):
            raise ValueError(f"hours of the {self.session} lie on the other side of 12:00: they are another half-day's")

    @property
    def place(self) -> Place:
        """Whose half-day it is."""
        return self.person, self.day, self.session


def actual_faults(programme: "Programme") -> Iterator[str]:
    """Rows that the programme has no person, service or day for, or that stand twice; a sentence each."""
    services: dict[str | None, Service] = {service.code: service for service in programme.services}
    seen: set[Place] = set()
    for row in programme.actual_hours:
        where = f"Actual hours of {row.person[:40]!r} on {row.day} {row.session}"
        service = services.get(row.service)
        if row.service is not None and service is None:
            yield f"{where} name the unknown service {row.service!r}."
        if row.day not in programme.year:
            yield f"{where} are outside the programme's days."
        if service is not None and row.hours is None and service.span(SESSIONS.index(row.session)) is None:
            yield f"{where}: {service.code!r} has no clock times then, so that the hours are needed."
        if row.place in seen:
            yield f"{where} stand twice."
        seen.add(row.place)
