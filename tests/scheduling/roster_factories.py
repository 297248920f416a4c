"""Small programmes with one thing changed."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import Demand
from packhorse_scheduling.domain.programme.services import Service, Span

MONDAY = date(2026, 7, 6)


def span(start: int, end: int) -> Span:
    return Span(start * 60, end * 60)


DAY = Service("DAY", "Ward by day", "inpatient", span(7, 12), span(12, 17))
LONG = Service("LONG", "Long ward", "inpatient", span(6, 12), span(12, 18))
CALL = Service("CALL", "In-house call", "call", span(0, 7), span(12, 24), overnight=True)
NIGHT = Service("NIGHT", "Night float", "night_float", span(0, 7), span(19, 24), overnight=True)
HANDOVER = Service("TALK", "Hand-over", "education", span(7, 11), span(12, 13), transition=True)
SEEN = Service("SEEN", "Supervised clinic", "clinic", span(8, 12), span(13, 17), supervised=True)
LICENSED = Service(
    "SKILL", "Procedures", "procedure", span(8, 12), span(13, 17), credentials=frozenset({"X"}),
    credential_roles=frozenset({"RESIDENT", "FACULTY"}),
)  # fmt: skip
SERVICES = (DAY, LONG, CALL, NIGHT, HANDOVER, SEEN, LICENSED)


def resident(key: str = "R1", pgy: int = 2, **changed: Any) -> Person:
    return Person(key, f"Resident {key}", "RESIDENT", f"{key.lower()}@example.org", pgy=pgy, **changed)


def faculty(key: str = "F1", **changed: Any) -> Person:
    return Person(key, f"Dr. {key}", "FACULTY", f"{key.lower()}@example.org", **changed)


def programme(
    days: int = 56, people: Iterable[Person] = (), demands: Iterable[Demand] = (), **changed: Any
) -> Programme:
    values: dict[str, Any] = {
        "name": "Small",
        "year": Year(MONDAY, MONDAY + timedelta(days=days - 1)),
        "people": tuple(people) or (resident("R1"), resident("R2"), faculty("F1")),
        "services": SERVICES,
        "demands": tuple(demands),
    }
    return Programme(**{**values, **changed})


def cells(*rows: tuple[str, int, str, str]) -> list[tuple[str, date, int, str]]:
    """(person, day from 0, sessions such as "AP", service) to filled half-days."""
    return [
        (person, MONDAY + timedelta(days=day), int(letter == "P"), service)
        for person, day, letters, service in rows
        for letter in letters
    ]
