"""Reports of what was worked as records: who, when, why, and how each stands."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from attrs import evolve, frozen

from packhorse_scheduling.domain.programme.actual import Actual
from packhorse_scheduling.domain.programme.calendar import name_id
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.records import LeaveState, Source, Step


@frozen
class ActualRecord:
    """A report of a half-day gone by. ``steps`` are never altered; the last one says how it stands."""

    id: str
    row: Actual
    source: Source
    steps: tuple[Step, ...]

    @property
    def person(self) -> str:
        """Whose half-day it is."""
        return self.row.person

    @property
    def state(self) -> LeaveState:
        """How it stands."""
        return self.steps[-1].state

    @property
    def is_live(self) -> bool:
        """Whether it is reported or confirmed."""
        return self.state in ("requested", "approved")

    def moved(self, step: Step) -> "ActualRecord":
        """The record after one more step."""
        return evolve(self, steps=(*self.steps, step))


def with_actual(programme: Programme, known: Iterable[ActualRecord]) -> Programme:
    """The programme with the confirmed records that it has person, service and day for."""
    people = {person.key for person in programme.people}
    services = {service.code for service in programme.services}
    rows = [
        one.row
        for one in known
        if one.state == "approved"
        and one.row.person in people
        and one.row.service in {None, *services}
        and one.row.day in programme.year
    ]
    return evolve(programme, actual_hours=tuple(sorted(rows, key=lambda row: (row.day, row.session, row.person))))


def actual_of(programme: Programme, known: Sequence[ActualRecord], at: datetime) -> list[ActualRecord]:
    """A record of every row of a programme that has none yet; its id is made of person and half-day."""
    places = {one.row.place for one in known if one.state == "approved"}
    return [
        ActualRecord(
            name_id("actual", f"{row.person}:{row.day}:{row.session}"),
            row,
            "file",
            (Step("approved", at, None, "from a programme's file"),),
        )
        for row in programme.actual_hours
        if row.place not in places
    ]


def merge_actual(
    programme: Programme, known: Sequence[ActualRecord], at: datetime
) -> tuple[Programme, list[ActualRecord], list[str]]:
    """A programme from a file with all that is confirmed in it, the records that are new, and what was kept against it.

    What is on record stays; a row of the file that says otherwise is told.
    """
    on_record = {one.row.place: one.row for one in known if one.state == "approved"}
    told = [
        f"Actual hours of {row.person} on {row.day} {row.session} are on record otherwise than in the file: they stay."
        for row in programme.actual_hours
        if on_record.get(row.place, row) != row
    ]
    new = actual_of(programme, known, at)
    return with_actual(programme, [*known, *new]), new, told
