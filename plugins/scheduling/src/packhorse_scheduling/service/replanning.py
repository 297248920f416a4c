"""Editing the rotation plan: its effect is shown first, then kept as a draft on the edited plan."""

from datetime import date, timedelta
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import forbidden_by_rule, invalid, not_found, not_generated
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import ChangeDesk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from packhorse_scheduling.domain.change.replan import Edit
    from packhorse_scheduling.domain.roster.plan import Plan


@frozen
class PlanDesk:
    """The rotation plan of one desk."""

    desk: RosterDesk

    def edited(
        self,
        opened: Opened,
        person: int,
        day: date,
        *,
        until: date | None,
        rotation: str | None = None,
        other: int | None = None,
    ) -> "Edit":
        """The plan with one person on another rotation, or with two people's blocks exchanged; nothing is kept.

        It is of the unit of four weeks (of attendings: the week) that holds the
        day, to the end of the one that holds ``until`` where that is given, and
        from today on.

        Raises:
            UserError: the days have passed, a rotation lock stands against it, or nothing would change.
        """
        from packhorse_scheduling.domain.change.replan import (
            Edit,
            follow,
            locks_against,
            with_exchange,
            with_stay,
        )
        from packhorse_scheduling.domain.rules.kernel import Kernel

        programme = opened.programme
        first, last = self._days(opened, person, day, until)
        people = (person,) if other is None else (person, other)
        keys = [programme.people[p].key for p in people]
        plan = opened.schedule.plan
        if other is not None:
            plan = with_exchange(plan, keys[0], keys[1], first, last)
        elif rotation is not None:
            if programme.people[person].role != "RESIDENT":
                raise invalid("rotation", "`with_person_id` is required, because attendings can only exchange weeks.")
            plan = with_stay(plan, keys[0], first, last, self._code(opened, rotation))
        if _held(plan, keys) == _held(opened.schedule.plan, keys):
            raise invalid("rotation", "Nothing would change: the plan already says this.")
        against = locks_against(programme, plan, keys, first, last)
        if against:
            lock = against[0]
            name = programme.people[opened.kernel.person_of[lock.person]].name
            raise forbidden_by_rule(
                f"{name} is locked {'off' if lock.avoid else 'on'} {lock.rotation} from {lock.start} to {lock.end}. To"
                " change that, import the programme without this lock.",
                rule="ROTATION_LOCK",
            )
        kernel = Kernel(programme, plan)
        days = kernel.day_of(first), kernel.day_of(last)
        try:
            found = follow(kernel, opened.grid, people, days, kernel.day_of(self.desk.today()))
        except TimeoutError as exc:
            raise not_generated(
                "No roster for this plan was found in the time allowed. Change fewer blocks, or import the plan and"
                " generate the days."
            ) from exc
        return Edit(opened, Opened(opened.schedule, kernel, found.grid), found, people, first, last)

    def keep(self, edit: "Edit", by: str | None, why: str | None) -> Opened:
        """Keep an edit as a draft of the version that it was made from; who and why are on record."""
        people = [edit.before.programme.people[p].key for p in edit.people]
        return ChangeDesk(self.desk).keep_draft(
            edit.before,
            edit.found.grid,
            by,
            "rotation plan edited",
            plan=edit.after.kernel.plan,
            people=people,
            first=edit.first.isoformat(),
            last=edit.last.isoformat(),
            why=why,
        )

    def _code(self, opened: Opened, rotation: str) -> str:
        for one in opened.programme.rotations:
            if rotation in (one.code, one.name):
                return one.code
        codes = ", ".join(one.code for one in opened.programme.rotations[:20])
        raise not_found("rotation", rotation, f"The programme's rotations: {codes or 'none'}")

    def _days(self, opened: Opened, person: int, day: date, until: date | None) -> tuple[date, date]:
        """First and last day: of residents the plan's units, of attendings weeks from Monday; from today on."""
        from packhorse_scheduling.domain.change.replan import unit_at, week_at

        programme = opened.programme
        for name, one in (("date", day), ("until", until or day)):
            if one not in programme.year:
                raise invalid(name, f"`{name}` {one} is outside the programme, which ends on {programme.year.end}.")
        span_at = unit_at if programme.people[person].role == "RESIDENT" else week_at
        first, last = max(span_at(programme, day)[0], self.desk.today()), span_at(programme, until or day)[1]
        if last < first:
            raise invalid("until", f"`until` must be in a block that ends after {first}. The block ends on {last}.")
        return first, last


def _held(plan: "Plan", keys: "Sequence[str]") -> set[tuple[str, date, str]]:
    """Person, day and rotation of every day that the plan gives these people."""
    return {
        (one.person, one.first + timedelta(days=n), one.rotation)
        for one in plan
        if one.person in keys
        for n in range((one.last - one.first).days + 1)
    }
