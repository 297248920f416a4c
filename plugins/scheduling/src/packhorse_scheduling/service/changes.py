"""Versions of a roster that come of a change: drafts, copies, what is published by hand. Each is one transaction."""

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse_scheduling.domain.roster.plan import Plan
from packhorse_scheduling.domain.roster.roster import Compliance, Schedule
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import forbidden_by_rule, invalid
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.ledger import enter
from packhorse_scheduling.service.noticing import notice
from packhorse_scheduling.service.versions import check_expected

if TYPE_CHECKING:
    from collections.abc import Callable

    from packhorse_scheduling.domain.programme.programme import Programme
    from packhorse_scheduling.domain.roster.arrays import Grid
    from packhorse_scheduling.store import Rosters


@frozen
class ChangeDesk:
    """Writes versions for one desk. Nothing is written unless all of a change is."""

    desk: RosterDesk

    def snapshot(self, schedule_id: str | None, label: str, scenario: str | None, by: str | None) -> Opened:
        """Keep a copy of a version under a label; publish_schedule brings it back."""
        from packhorse_scheduling.store.exchanges import Exchanges

        opened = self.desk.opened(schedule_id)
        now = self.desk.now()
        with self.desk.rosters() as rosters, rosters.store.tx():
            check_expected(opened.schedule)
            copy = self.version(rosters, opened, opened.grid, by)
            Exchanges(rosters.store).snap(copy.schedule.id, label, scenario, now, by)
            rosters.note(self.desk.host.new_id(), now, by, "snapshot taken", copy.schedule.id)
        return copy

    def keep_draft(
        self,
        parent: Opened,
        grid: "Grid",
        by: str | None,
        what: str,
        *,
        plan: Plan = (),
        bound: bool = True,
        **details: Any,
    ) -> Opened:
        """Keep a roster as a draft of its parent, with a rotation plan of its own where one is given.

        ``details`` go to the record of changes. Not ``bound`` is what comes after a write of the same call.
        """
        with self.desk.rosters() as rosters, rosters.store.tx():
            if bound:
                check_expected(parent.schedule)
            draft = self.version(rosters, parent, grid, by, plan)
            rosters.note(self.desk.host.new_id(), self.desk.now(), by, what, draft.schedule.id, **details)
        return draft

    def publish_by_hand(self, opened: Opened, grid: "Grid", by: str | None, why: str | None) -> Opened:
        """Publish a roster that somebody has changed by hand; who and why are on record."""
        with self.desk.rosters() as rosters, rosters.store.tx():
            self.check_still(rosters, opened)
            made = self.version(rosters, opened, grid, by)
            rosters.publish(made.schedule.id)
            now = self.desk.now()
            rosters.note(self.desk.host.new_id(), now, by, "changed by hand", made.schedule.id, why=why)
            notice(rosters, opened, made, now, "changed by hand")
            enter(rosters, opened, made, now)
        return made

    def restate(
        self,
        opened: Opened,
        change: "Callable[[Programme], Programme]",
        by: str | None,
        cause: str,
        keep: "Callable[[Rosters], None]",
        **details: Any,
    ) -> Opened:
        """Let what is in force stand under a changed programme, and change one imported since for the same days alike.

        ``keep`` writes the records that the change comes of, in the same transaction. The schedule after.

        Raises:
            UserError: the programme cannot have it so, or somebody has just changed what is published.
        """
        key, now = self.desk.host.new_id(), self.desk.now()
        after = self.restated(opened, change, key)
        programme, schedule = after.programme, after.schedule
        compliance = compliance_of(after)
        with self.desk.rosters() as rosters, rosters.store.tx():
            self.check_still(rosters, opened)
            newest = next(rosters.programmes_of(opened.programme.year), None)
            rosters.save_programme(key, programme, now)
            if newest is not None and newest[0] != opened.schedule.programme:
                newer = change(newest[1])
                rosters.save_programme(self.desk.host.new_id(), newest[1] if newer.faults() else newer, now)
            keep(rosters)
            rosters.move_to(key, schedule.id, compliance)
            rosters.note(self.desk.host.new_id(), now, by, cause, schedule.id, **details)
            notice(rosters, opened, after, now, cause)
        return Opened(evolve(schedule, compliance=compliance), after.kernel, opened.grid)

    def restated(self, opened: Opened, change: "Callable[[Programme], Programme]", key: str) -> Opened:
        """A roster under a changed programme, whose id will be ``key``; nothing is kept.

        Raises:
            UserError: the programme cannot have it so.
        """
        from packhorse_scheduling.domain.rules.kernel import Kernel

        programme = change(opened.programme)
        faults = programme.faults()
        if faults:
            raise invalid("start_date", " ".join(faults[:3]))
        kernel = Kernel(programme, opened.schedule.plan)
        return Opened(evolve(opened.schedule, programme=key), kernel, opened.grid)

    def version(self, rosters: "Rosters", parent: Opened, grid: "Grid", by: str | None, plan: Plan = ()) -> Opened:
        """Save a new draft of its parent, with the parent's rotation plan where none is given."""
        from packhorse_scheduling.domain.rules.kernel import Kernel

        now = self.desk.now()
        schedule = Schedule(
            id=self.desk.host.new_id(),
            version=rosters.next_version(),
            programme=parent.schedule.programme,
            status="draft",
            compliance="UNKNOWN",
            created_at=now,
            created_by=by,
            cells=tuple(parent.kernel.cells_of(grid)),
            parent=parent.schedule.id,
            target_utilization=parent.schedule.target_utilization,
            plan=plan,
        )
        kernel = Kernel(parent.programme, plan) if plan else parent.kernel
        made = Opened(schedule, kernel, grid)
        schedule = evolve(schedule, compliance=compliance_of(made))
        rosters.save_schedule(schedule)
        return Opened(schedule, kernel, grid)

    def check_still(self, rosters: "Rosters", opened: Opened) -> None:
        """Let pass what is still in force as it was read.

        Raises:
            UserError: somebody has changed it since.
        """
        now = rosters.published()
        check_expected(now)
        if now is None or (now.id, now.programme) != (opened.schedule.id, opened.schedule.programme):
            raise forbidden_by_rule("Another change was made at the same moment, so nothing was written. Try again.")


def compliance_of(opened: Opened) -> Compliance:
    """How a roster stands with its programme's rules; warnings do not count."""
    from packhorse_scheduling.domain.change.judging import breaches

    return "VIOLATIONS" if breaches(opened) else "COMPLIANT"
