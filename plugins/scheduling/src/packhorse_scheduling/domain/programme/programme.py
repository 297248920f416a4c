"""A residency programme: everything a roster is made from."""

from collections.abc import Iterator
from datetime import date, timedelta

from attrs import field, frozen

from packhorse_scheduling.domain.programme.actual import Actual, actual_faults
from packhorse_scheduling.domain.programme.bounds import value_faults
from packhorse_scheduling.domain.programme.calendar import Session, Year
from packhorse_scheduling.domain.programme.figures import Figure, figure_faults
from packhorse_scheduling.domain.programme.kinds import DEPARTURE
from packhorse_scheduling.domain.programme.limits import RuleSet
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Lock, Preference, RotationLock
from packhorse_scheduling.domain.programme.services import Rotation, Service

MOST_PEOPLE = 500
"""Above this a roster is several programmes."""
MOST_SERVICES = 60
MOST_ROWS = 20_000
"""Demands, leaves, preferences and locks, each."""


@frozen
class Worked:
    """A half-day already worked before the programme's first day: the tail that rolling limits look back on."""

    person: str
    day: date
    session: Session
    service: str


@frozen
class Programme:
    """People and services are named by their keys and codes throughout."""

    name: str
    year: Year
    people: tuple[Person, ...]
    services: tuple[Service, ...]
    demands: tuple[Demand, ...] = ()
    rotations: tuple[Rotation, ...] = ()
    leaves: tuple[Leave, ...] = ()
    preferences: tuple[Preference, ...] = ()
    locks: tuple[Lock, ...] = ()
    rotation_locks: tuple[RotationLock, ...] = ()
    history: tuple[Worked, ...] = ()
    actual_hours: tuple[Actual, ...] = ()
    ledger: tuple[Figure, ...] = ()
    rules: RuleSet = field(factory=RuleSet)

    def faults(self) -> list[str]:
        """What contradicts itself, a sentence each; empty when a kernel can be built."""
        found = list(self._size_faults())
        if not found:
            found = [*value_faults(self), *self._name_faults(), *self._reference_faults(), *self._leave_faults()]
            found += [*actual_faults(self), *figure_faults(self)]
        return list(dict.fromkeys(found))

    def gone_since(self, person: str, day: date) -> date | None:
        """The first day without somebody who has gone for good by ``day``; None while they are here."""
        rows = (row for row in self.leaves if row.person == person and row.kind == DEPARTURE and row.binds)
        return min((row.start for row in rows if row.start <= day), default=None)

    def _stranger_faults(self) -> Iterator[str]:
        """One sentence for each person who is not there, with all that names them."""
        known = {person.key for person in self.people}
        named: dict[str, dict[str, list[int]]] = {}
        for table in ("history", "leaves", "preferences", "locks", "rotation_locks", "actual_hours", "ledger"):
            for number, row in enumerate(getattr(self, table), start=1):
                if row.person not in known:
                    named.setdefault(row.person, {}).setdefault(table, []).append(number)
        for person, tables in named.items():
            where = "; ".join(f"{table}, item {', '.join(map(str, rows))}" for table, rows in tables.items())
            yield (
                f"The unknown person {person[:40]!r} is named in {where}: take these out, too, or keep the person, with"
                f" leave of kind {DEPARTURE} from the day they go."
            )

    def _size_faults(self) -> Iterator[str]:
        for what, count, most in (
            ("people", len(self.people), MOST_PEOPLE),
            ("services", len(self.services), MOST_SERVICES),
            ("demands", len(self.demands), MOST_ROWS),
            ("leaves", len(self.leaves), MOST_ROWS),
            ("preferences", len(self.preferences), MOST_ROWS),
            ("locks", len(self.locks), MOST_ROWS),
            ("rotation locks", len(self.rotation_locks), MOST_ROWS),
            ("rows of actual hours", len(self.actual_hours), MOST_ROWS),
            ("figures of the ledger", len(self.ledger), MOST_ROWS),
        ):
            if count > most:
                yield f"{count} {what} are more than {most}: split the programme."
        if not self.people or not self.services:
            yield "A programme needs at least one person and one service."

    def _name_faults(self) -> Iterator[str]:
        for what, names in (
            ("person key", [person.key for person in self.people]),
            ("service code", [service.code for service in self.services]),
            ("rotation code", [rotation.code for rotation in self.rotations]),
        ):
            for name in sorted({name for name in names if names.count(name) > 1}):
                yield f"The {what} {name!r} is used twice."
        subjects = [person.subject for person in self.people if person.subject]
        for subject in sorted({name for name in subjects if subjects.count(name) > 1}):
            yield f"The subject {subject!r} is two people's."

    def _reference_faults(self) -> Iterator[str]:
        services = {service.code: service for service in self.services}
        for rotation in self.rotations:
            for code in rotation.services:
                if code not in services:
                    yield f"Rotation {rotation.code!r} names the unknown service {code!r}."
        rotations = {rotation.code for rotation in self.rotations}
        for person in self.people:
            for code in sorted(person.rotations_done.keys() - rotations):
                yield f"Person {person.key!r} did the unknown rotation {code!r} elsewhere."
        for demand in self.demands:
            service = services.get(demand.service)
            if service is None:
                yield f"A demand names the unknown service {demand.service!r}."
            elif demand.role not in service.roles:
                yield f"{service.code!r} is not done by {demand.role}, and a demand asks for it."
            elif any(service.span(int(session == "PM")) is None for session in demand.sessions):
                yield f"A demand asks for {service.code!r} in a session in which it has no clock times."
        yield from self._stranger_faults()
        yield from self._row_faults(services)
        yield from self._rotation_lock_faults()

    def _row_faults(self, services: dict[str, Service]) -> Iterator[str]:
        rows: tuple[Preference | Lock | Worked, ...] = (*self.preferences, *self.locks, *self.history)
        for row in rows:
            what = "row of the history" if isinstance(row, Worked) else type(row).__name__.lower()
            if row.service is not None and row.service not in services:
                yield f"A {what} names the unknown service {row.service!r}."
            if isinstance(row, Worked):
                if row.day >= self.year.start:
                    yield f"The history has {row.day}, which is not before the programme's first day."
            elif row.day not in self.year:
                yield f"A {what} is on {row.day}, outside the programme's days."
            service = services.get(row.service or "")
            if service is not None and row.session and service.span(int(row.session == "PM")) is None:
                yield f"A {what} on {row.day} asks for {service.code!r} in the {row.session}, when it is not done."

    def _rotation_lock_faults(self) -> Iterator[str]:
        rotations = {rotation.code for rotation in self.rotations}
        for lock in self.rotation_locks:
            if lock.rotation not in rotations:
                yield f"A rotation lock names the unknown rotation {lock.rotation!r}."
            if lock.start not in self.year or lock.end not in self.year:
                yield f"A rotation lock of {lock.person!r} from {lock.start} lies outside the programme's days."

    def _leave_faults(self) -> Iterator[str]:
        last: dict[str, Leave] = {}
        for leave in sorted(self.leaves, key=lambda leave: (leave.person, leave.start)):
            if leave.end < self.year.start or leave.start > self.year.end:
                yield f"Leave of {leave.person!r} from {leave.start} to {leave.end} lies outside the programme's days."
            before = last.get(leave.person)
            if before is not None and leave.binds and leave.start <= before.end:
                yield f"Leave of {leave.person!r} from {leave.start} overlaps the one that ends on {before.end}."
            if leave.binds:
                last[leave.person] = leave


def days_of(leave: Leave, year: Year) -> range:
    """The numbers of the programme's days that a leave covers."""
    first = max(0, year.index(leave.start))
    return range(first, min(year.days, year.index(leave.end + timedelta(days=1))))
