"""Absences: leave on record, judged at once, and the repair of the roster around it."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from packhorse_scheduling.domain.programme.kinds import DEPARTURE, LeaveKind
from packhorse_scheduling.domain.programme.records import LeaveRecord, Step, with_record, without_records
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid, not_found, not_generated
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import ChangeDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.change.repair import Repaired


@frozen
class AbsenceDesk:
    """Leave and repair for one desk."""

    desk: RosterDesk

    @property
    def changes(self) -> ChangeDesk:
        """What writes versions."""
        return ChangeDesk(self.desk)

    def record_leave(
        self, person: str, start: date, end: date, kind: LeaveKind, *, approved: bool, by: str | None
    ) -> tuple[LeaveRecord, Opened]:
        """Put leave on record; approved leave binds at once, and the published schedule is judged with it.

        Raises:
            UserError: it is reversed, outside the year, or overlaps leave that is on record.
        """
        opened = self.desk.current()
        record, was, over = self.leave_asked(opened, person, start, end, kind, approved=approved, by=by)
        return record, opened if record is was else self.settle(opened, record, was, by, "leave recorded", over)

    def leave_asked(
        self, opened: Opened, person: str, start: date, end: date, kind: LeaveKind, *, approved: bool, by: str | None
    ) -> tuple[LeaveRecord, LeaveRecord | None, list[LeaveRecord]]:
        """The record that leave would be, what it was before, and records that it ends; nothing is kept.

        The same request twice is one. A departure lasts to the programme's end, whatever the end given; approved, it
        ends the leave that lies within it.

        Raises:
            UserError: as `record_leave`.
        """
        year = opened.programme.year
        if kind == DEPARTURE:
            end = year.end
        if end < start:
            raise invalid("end_date", f"`end_date` {end} is before `start_date` {start}.")
        if end < year.start or start > year.end:
            raise invalid(
                "start_date",
                f"Leave from {start} to {end} is outside the programme, which runs from {year.start} to {year.end}.",
            )
        known = self.desk.leave_records()
        live = [one for one in known if one.is_live and one.meets(person, start, end)]
        same = next((one for one in live if one.days == (person, start, end)), None)
        if same is not None and not approved and same.state == "requested":
            return same, same, []
        gone = approved and kind == DEPARTURE
        behind = [one for one in live if gone and one.start >= start and one is not same]
        met = next(
            (
                one
                for one in live
                if one not in behind and (one.state == "approved" or (one is not same and not approved))
            ),
            None,
        )
        if met is not None:
            name = next(one.name for one in opened.programme.people if one.key == person)
            early = f" with from_date {start}" if met.start < start else ""
            raise invalid(
                "start_date",
                f"{name} already has {met.state} leave from {met.start} to {met.end}. End that leave first:"
                f" withdraw_request with request_id {met.id}{early}.",
            )
        step = Step("approved" if approved else "requested", self.desk.now(), by)
        ended = evolve(step, state="cancelled", why=f"gone for good from {start}")
        record = LeaveRecord(self.desk.host.new_id(), person, start, end, kind, "call", (step,))
        if same is not None:
            record = evolve(same, kind=kind).moved(step)
        return record, same, [one.moved(ended) for one in behind]

    def under(
        self, opened: Opened, record: LeaveRecord, was: LeaveRecord | None, over: Sequence[LeaveRecord]
    ) -> Opened:
        """What is in force as it would stand with a record; nothing is kept.

        Raises:
            UserError: the programme cannot have it so.
        """
        return self.changes.restated(
            opened,
            lambda programme: with_record(without_records(programme, over), record, was),
            opened.schedule.programme,
        )

    def settle(
        self,
        opened: Opened,
        record: LeaveRecord,
        was: LeaveRecord | None,
        by: str | None,
        cause: str,
        over: Sequence[LeaveRecord] = (),
    ) -> Opened:
        """Keep a record as it stands now, in the published programme and in one imported since; the schedule after.

        ``over`` are records that it ends.

        Raises:
            UserError: the programme cannot have it so, or somebody has just changed what is published.
        """
        from packhorse_scheduling.store.records import Leaves

        return self.changes.restate(
            opened,
            lambda programme: with_record(without_records(programme, over), record, was),
            by,
            cause,
            lambda rosters: Leaves(rosters.store).keep([*over, record]),
            leave=record.id,
            state=record.state,
        )

    def repair(
        self,
        absences: Sequence[tuple[int, date, date, LeaveKind]] | None,
        *,
        locked: Sequence[str],
        by: str | None,
        schedule_id: str | None = None,
    ) -> "tuple[Opened, Opened, Repaired]":
        """Record absences where they are not yet, and keep a draft that differs as little as can be.

        Without ``absences`` everything that is open is mended: half-days of
        people on leave, and every other violation from today on.
        ``schedule_id`` names a draft to mend; the roster in force by default.
        Gives the roster that was mended, the draft, and what was changed.

        Raises:
            UserError: no time was left to find a repair; the leave stays recorded.
        """
        import numpy as np

        from packhorse_scheduling.domain.change.judging import breach_of, breaches
        from packhorse_scheduling.domain.change.repair import repair
        from packhorse_scheduling.domain.roster.roster import assignment_id_of

        base = self.desk.newest(self.desk.opened(schedule_id))
        by_id = {assignment_id_of(p, day, h): (p, day, h) for p, day, h, _ in base.schedule.cells}
        unknown = next((given for given in locked if given not in by_id), None)
        if unknown is not None:
            raise not_found("assignment", unknown)
        for _, start, end, _ in absences or ():
            self._check_absence(start, end)
        for who, start, end, kind in absences or ():
            self._record_absence(who, start, end, kind, by)
        opened = self.desk.newest(self.desk.opened(schedule_id))
        if schedule_id is not None:  # a draft is mended behind the days that were worked since it was made
            opened = evolve(opened, grid=self.desk.with_past(opened, self.desk.published()).grid)
        kernel = opened.kernel
        fixed = np.zeros(opened.grid.shape, bool)
        for key, day, h in (by_id[given] for given in locked):
            fixed[kernel.person_of[key], kernel.day_of(day), h] = True
        found = repair(
            kernel,
            opened.grid,
            None if absences is None else [(p, kernel.day_of(s), kernel.day_of(e)) for p, s, e, _ in absences],
            today=kernel.day_of(self.desk.today()),
            locked=fixed,
        )
        if found is None:
            raise not_generated(
                "No repair was found in the time allowed. The leave is recorded. Give fewer absences at a time,"
                " or generate the days again."
            )
        left = breaches(Opened(opened.schedule, kernel, found.grid))
        stands = [breach_of(kernel, one) for one in left]
        bound = opened.schedule.programme == base.schedule.programme  # absences just recorded moved it on
        draft = self.changes.keep_draft(opened, found.grid, by, "repaired", bound=bound, unavoidable=stands)
        return opened, draft, found

    def _check_absence(self, start: date, end: date) -> None:
        if end < start:
            raise invalid("end_date", f"`end_date` {end} is before `start_date` {start}.")
        for name, day in (("start_date", start), ("end_date", end)):
            if day not in self.desk.current().programme.year:
                raise invalid(name, f"`{name}` {day} is outside the programme's year.")

    def _record_absence(self, person: int, start: date, end: date, kind: LeaveKind, by: str | None) -> None:
        opened = self.desk.current()
        kernel = opened.kernel
        if not kernel.away[person, kernel.day_of(start) : kernel.day_of(end) + 1].all():
            self.record_leave(opened.programme.people[person].key, start, end, kind, approved=True, by=by)
