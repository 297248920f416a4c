"""Leave as a record that outlives files: who asked, who decided, when, why, and how it stands."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal

from attrs import evolve, frozen

from packhorse_scheduling.domain.programme.calendar import name_id
from packhorse_scheduling.domain.programme.kinds import LeaveKind
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import Leave

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.reports import ActualRecord

LeaveState = Literal["requested", "approved", "declined", "withdrawn", "cancelled"]
Source = Literal["file", "call"]


@frozen
class Step:
    """One change of a record: the state it came to, when, by whose sign-in, and why."""

    state: LeaveState
    at: datetime
    by: str | None
    why: str | None = None


@frozen
class LeaveRecord:
    """One leave. ``steps`` are never altered; the last one says how it stands."""

    id: str
    person: str
    start: date
    end: date
    kind: LeaveKind
    source: Source
    steps: tuple[Step, ...]
    blocking: bool = True

    @property
    def state(self) -> LeaveState:
        """How it stands."""
        return self.steps[-1].state

    @property
    def is_live(self) -> bool:
        """Whether it is asked for or granted."""
        return self.state in ("requested", "approved")

    @property
    def days(self) -> tuple[str, date, date]:
        """What makes it the same leave as another: person and days."""
        return self.person, self.start, self.end

    @property
    def leave(self) -> Leave:
        """As the programme has it; only of a live one."""
        status: Literal["requested", "approved"] = "approved" if self.state == "approved" else "requested"
        return Leave(self.person, self.start, self.end, self.kind, status, self.blocking)

    def moved(self, step: Step) -> "LeaveRecord":
        """The record after one more step."""
        return evolve(self, steps=(*self.steps, step))

    def meets(self, person: str, start: date, end: date) -> bool:
        """Whether it is this person's and shares a day."""
        return self.person == person and self.start <= end and start <= self.end


@frozen
class Merged:
    """A programme with every record in it, the records that are new or changed, and what to tell whoever imports it.

    ``reports`` are new records of actual hours, ``kept`` leaves that the file does not have; ``conflicts`` have to be
    decided by somebody.
    """

    programme: Programme
    records: tuple[LeaveRecord, ...]
    reports: "tuple[ActualRecord, ...]" = ()
    kept: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


def with_record(programme: Programme, record: LeaveRecord, was: LeaveRecord | None) -> Programme:
    """The programme with a record as it stands: in where it is live, out where it is not; all other leaves stay."""
    left = without_records(programme, [record] if was is None else [record, was])
    live = [record.leave] if record.is_live and _fits(programme, record) else []
    return evolve(left, leaves=(*left.leaves, *live))


def without_records(programme: Programme, records: Iterable[LeaveRecord]) -> Programme:
    """The programme without the leave of these people on just these days."""
    gone = {record.days for record in records}
    return evolve(
        programme, leaves=tuple(row for row in programme.leaves if (row.person, row.start, row.end) not in gone)
    )


def records_of(programme: Programme, known: Sequence[LeaveRecord], at: datetime) -> list[LeaveRecord]:
    """A record of every leave of a programme that has none yet; its id is made of person and days."""
    days = {record.days for record in known}
    return [
        LeaveRecord(
            name_id("leave", f"{row.person}:{row.start}:{row.end}"),
            row.person,
            row.start,
            row.end,
            row.kind,
            "file",
            (Step(row.status, at, None, "from a programme's file"),),
            row.blocking,
        )
        for row in programme.leaves
        if (row.person, row.start, row.end) not in days
    ]


def merge(programme: Programme, known: Sequence[LeaveRecord], at: datetime) -> Merged:
    """Bring a programme from a file together with what is on record: no record is lost, none is overruled unseen."""
    by_days = {record.days: record for record in sorted(known, key=lambda record: record.is_live)}
    leaves: list[Leave] = []
    changed: list[LeaveRecord] = []
    conflicts: list[str] = []
    for given in programme.leaves:
        row = given
        days = (row.person, row.start, row.end)
        record = by_days.get(days)
        if record is not None:
            record, told = _reconciled(record, row, at)
            conflicts += told
            if record != by_days[days]:
                changed.append(record)
            if record.is_live:
                leaves.append(record.leave if record.state != row.status else row)
            elif record.state == row.status:
                leaves.append(row)
            continue
        met = next((one for one in known if one.state == "approved" and one.meets(*days)), None)
        if met is not None and row.binds:
            row = evolve(row, status="requested")
            conflicts.append(
                f"Leave of {row.person} from {row.start} to {row.end} overlaps approved leave from {met.start} to"
                f" {met.end}: it is kept as a request. Decline it, or cancel the other first."
            )
        leaves.append(row)
        changed += records_of(evolve(programme, leaves=(row,)), known, at)
    listed = {(row.person, row.start, row.end) for row in programme.leaves}
    missing = [one for one in known if one.is_live and one.days not in listed and _fits(programme, one)]
    kept = tuple(f"{one.state} {one.kind} leave of {one.person}, {one.start} to {one.end}" for one in missing)
    leaves += [one.leave for one in missing]
    return Merged(evolve(programme, leaves=tuple(leaves)), tuple(changed), kept=kept, conflicts=tuple(conflicts))


def _reconciled(record: LeaveRecord, row: Leave, at: datetime) -> tuple[LeaveRecord, list[str]]:
    """A record and the file's row of the same person and days."""
    if record.state == row.status or (record.state == "approved" and row.status == "requested"):
        return record, []
    if record.state == "requested":
        return record.moved(Step(row.status, at, None, "decided in a programme's file")), []
    words = f"Leave of {row.person} from {row.start} to {row.end} is {record.state} on record and {row.status} in"
    return record, [f"{words} the file: it stays {record.state}."]


def _fits(programme: Programme, record: LeaveRecord) -> bool:
    """Whether the programme has the person and one of the days."""
    year = programme.year
    return (
        record.start <= year.end
        and year.start <= record.end
        and any(person.key == record.person for person in programme.people)
    )
