"""What changes a published schedule: leave, repair, snapshots and swaps. Each is one transaction, and noted."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse_scheduling.domain.exchange import Approval, Swap, SwapType, Undo
from packhorse_scheduling.domain.opened import Opened
from packhorse_scheduling.domain.programme import Programme
from packhorse_scheduling.domain.records import LeaveRecord, Step, with_record
from packhorse_scheduling.domain.requests import LeaveKind
from packhorse_scheduling.domain.roster import Compliance, Schedule
from packhorse_scheduling.errors import forbidden_by_rule, invalid, not_found, not_generated
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.noticing import notice

if TYPE_CHECKING:
    from packhorse_scheduling.domain.kernel import Grid
    from packhorse_scheduling.domain.repair import Repaired
    from packhorse_scheduling.domain.swaps import Candidate, Verdict
    from packhorse_scheduling.store import Rosters

SECONDS_TO_REPAIR = 5.0
_STILL_OPEN = {"requested": " Somebody has not answered yet."}


@frozen
class ChangeDesk:
    """Changes to what is published. Nothing is written unless all of a change is."""

    desk: RosterDesk

    # Leave and repair

    def record_leave(
        self, person: str, start: date, end: date, kind: LeaveKind, *, approved: bool, by: str | None
    ) -> tuple[LeaveRecord, Opened]:
        """Put leave on record; approved leave binds at once, and the published schedule is judged with it.

        The same request twice is one.

        Raises:
            UserError: it is reversed, outside the year, or overlaps leave that is on record.
        """
        opened = self.desk.current()
        year = opened.programme.year
        if end < start:
            raise invalid("end_date", f"Leave ends on {end}, before it starts on {start}.")
        if end < year.start or start > year.end:
            raise invalid(
                "start_date", f"Leave from {start} to {end} lies outside the year, {year.start} to {year.end}."
            )
        known = self.desk.leave_records()
        live = [one for one in known if one.is_live and one.meets(person, start, end)]
        same = next((one for one in live if one.days == (person, start, end)), None)
        if same is not None and not approved and same.state == "requested":
            return same, opened
        met = next((one for one in live if one.state == "approved" or (one is not same and not approved)), None)
        if met is not None:
            raise invalid(
                "start_date",
                f"Leave of {person!r} from {start} overlaps the {met.state} one from {met.start} to {met.end}"
                f" ({met.id}): withdraw_request ends or shortens that one first.",
            )
        step = Step("approved" if approved else "requested", self.desk.now(), by)
        record = LeaveRecord(self.desk.host.new_id(), person, start, end, kind, "call", (step,))
        if same is not None:
            record = evolve(same, kind=kind).moved(step)
        return record, self.settle(opened, record, same, by, "leave recorded")

    def settle(
        self, opened: Opened, record: LeaveRecord, was: LeaveRecord | None, by: str | None, cause: str
    ) -> Opened:
        """Keep a record as it stands now, in the published programme and in one imported since; the schedule after.

        Raises:
            UserError: the programme cannot have it so, or somebody has just changed what is published.
        """
        from packhorse_scheduling.domain.kernel import Kernel
        from packhorse_scheduling.store.leaves import Leaves

        programme = with_record(opened.programme, record, was)
        faults = programme.faults()
        if faults:
            raise invalid("start_date", " ".join(faults[:3]))
        key, now = self.desk.host.new_id(), self.desk.now()
        kernel = Kernel(programme, opened.schedule.plan)
        schedule = evolve(opened.schedule, programme=key)
        after = Opened(schedule, kernel, opened.grid)
        compliance = compliance_of(after)
        with self.desk.rosters() as rosters, rosters.store.tx():
            self._still(rosters, opened)
            newer = self._newer(rosters, opened, record, was)
            rosters.save_programme(key, programme, now)
            if newer is not None:
                rosters.save_programme(self.desk.host.new_id(), newer, now)
            Leaves(rosters.store).keep([record])
            rosters.move_to(key, schedule.id, compliance)
            rosters.note(self.desk.host.new_id(), now, by, cause, schedule.id, leave=record.id, state=record.state)
            notice(rosters, opened, after, now, cause)
        return Opened(evolve(schedule, compliance=compliance), kernel, opened.grid)

    def _newer(
        self, rosters: "Rosters", opened: Opened, record: LeaveRecord, was: LeaveRecord | None
    ) -> Programme | None:
        """A programme imported since for the same days, with the record in it where it has the person; else None."""
        newest = next(rosters.programmes_of(opened.programme.year), None)
        if newest is None or newest[0] == opened.schedule.programme:
            return None
        programme = newest[1]
        with_it = with_record(programme, record, was)
        return programme if with_it.faults() else with_it

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

        from packhorse_scheduling.domain.judging import breach_of, breaches
        from packhorse_scheduling.domain.repair import repair
        from packhorse_scheduling.domain.roster import assignment_id_of
        from packhorse_scheduling.domain.solve.search import Effort

        base = self.desk.opened(schedule_id)
        by_id = {assignment_id_of(p, day, h): (p, day, h) for p, day, h, _ in base.schedule.cells}
        unknown = next((given for given in locked if given not in by_id), None)
        if unknown is not None:
            raise not_found("assignment", unknown)
        for _, start, end, _ in absences or ():
            self._check_absence(start, end)
        for who, start, end, kind in absences or ():
            self._record_absence(who, start, end, kind, by)
        opened = self.desk.newest(self.desk.opened(schedule_id))
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
            effort=Effort(seconds=SECONDS_TO_REPAIR, gap=0),
        )
        if found is None:
            raise not_generated(
                "No repair was found in the time allowed. Leave is recorded; name the absences one by one in absences,"
                " or generate the days again."
            )
        left = breaches(Opened(opened.schedule, kernel, found.grid))
        stands = [breach_of(kernel, one) for one in left]
        return opened, self.keep_draft(opened, found.grid, by, "repaired", unavoidable=stands), found

    def _check_absence(self, start: date, end: date) -> None:
        if end < start:
            raise invalid("end_date", f"The absence ends on {end}, before it starts on {start}.")
        for name, day in (("start_date", start), ("end_date", end)):
            if day not in self.desk.current().programme.year:
                raise invalid(name, f"{name} {day} is outside the programme's year.")

    def _record_absence(self, person: int, start: date, end: date, kind: LeaveKind, by: str | None) -> None:
        opened = self.desk.current()
        kernel = opened.kernel
        if not kernel.away[person, kernel.day_of(start) : kernel.day_of(end) + 1].all():
            self.record_leave(opened.programme.people[person].key, start, end, kind, approved=True, by=by)

    def snapshot(self, schedule_id: str | None, label: str, scenario: str | None, by: str | None) -> Opened:
        """Keep a copy of a version under a label; publish_schedule brings it back."""
        from packhorse_scheduling.store.exchanges import Exchanges

        opened = self.desk.opened(schedule_id)
        now = self.desk.now()
        with self.desk.rosters() as rosters, rosters.store.tx():
            copy = self._version(rosters, opened, opened.grid, by)
            Exchanges(rosters.store).snap(copy.schedule.id, label, scenario, now, by)
            rosters.note(self.desk.host.new_id(), now, by, "snapshot taken", copy.schedule.id)
        return copy

    def keep_draft(self, parent: Opened, grid: "Grid", by: str | None, what: str, **details: Any) -> Opened:
        """Keep a roster as a draft of its parent; ``details`` go to the record of changes."""
        with self.desk.rosters() as rosters, rosters.store.tx():
            draft = self._version(rosters, parent, grid, by)
            rosters.note(self.desk.host.new_id(), self.desk.now(), by, what, draft.schedule.id, **details)
        return draft

    # Swaps

    def candidates(
        self, opened: Opened, requester: int, slots: Sequence[tuple[int, int]], *, field: str
    ) -> "list[Candidate]":
        """Who could take these half-days over or exchange them, each checked against every rule, the best first.

        Raises:
            UserError: the requester is free then, or the half-days are past or locked; ``field`` is what named them.
        """
        from packhorse_scheduling.domain import swaps
        from packhorse_scheduling.domain.kernel import FREE
        from packhorse_scheduling.domain.wording import obstacle_words

        kernel, board = opened.kernel, opened.board()
        today = kernel.day_of(self.desk.now().date())
        own = [(requester, d, h, FREE) for d, h in swaps.whole_nights(board, requester, slots)]
        stands = swaps.obstacle(board, own, today)
        if stands is not None and stands[0] == "nothing":
            who = opened.programme.people[requester].name
            raise invalid(field, f"{who} is free then: there is nothing to give away.")
        if stands is not None:
            raise invalid(field, obstacle_words(kernel, *stands))
        return swaps.candidates(board, requester, slots, today=today)

    def request(
        self,
        kind: SwapType,
        requester: int,
        target: int,
        blocks: Sequence[str],
        slots: Sequence[tuple[int, int]],
        *,
        accepted: bool,
        by: str | None,
    ) -> Swap:
        """Keep a wanted swap that breaks no rule today; ``accepted`` when the requester asks in person."""
        from packhorse_scheduling.store.exchanges import Exchanges

        opened = self.desk.current()
        self._verdict(opened, kind, requester, target, slots)
        people, now = opened.programme.people, self.desk.now()
        swap = Swap(
            id=self.desk.host.new_id(),
            kind=kind,
            requester=people[requester].key,
            target=people[target].key,
            blocks=tuple(dict.fromkeys(blocks)),
            status="requested",
            created_at=now,
            created_by=by,
        )
        with self.desk.rosters() as rosters:
            same = next((one for one in Exchanges(rosters.store).open() if one.same_as(swap)), None)
        if same is not None:
            new = accepted and swap.requester in same.missing
            return self.respond(same, swap.requester, accept=True, by=by) if new else same
        if accepted:
            swap = swap.answered(Approval(swap.requester, accepted=True, at=now, recorded_by=by))
        with self.desk.rosters() as rosters, rosters.store.tx():
            Exchanges(rosters.store).add(swap)
            rosters.note(self.desk.host.new_id(), now, by, "swap requested", opened.schedule.id, swap=swap.id)
        return swap

    def swap(self, key: str) -> Swap:
        """The swap with this id."""
        from packhorse_scheduling.store.exchanges import Exchanges

        with self.desk.rosters() as rosters:
            found = Exchanges(rosters.store).swap(key)
        if found is None:
            raise not_found("swap", key)
        return found

    def respond(self, swap: Swap, person: str, *, accept: bool, by: str | None) -> Swap:
        """Record one party's answer.

        Raises:
            UserError: the swap is decided already.
        """
        if swap.status not in ("requested", "approved"):
            raise invalid("swap_id", f"This swap is {swap.status.replace('_', ' ')}, and cannot be answered any more.")
        after = swap.answered(Approval(person, accept, self.desk.now(), by))
        self.write_swap(swap, after, by, "swap answered")
        return after

    def execute(
        self, swap: Swap, slots_of: Callable[[Opened], Sequence[tuple[int, int]]], by: str | None
    ) -> "tuple[Swap, Opened, Verdict]":
        """Apply an approved swap to what is published: a new version, or nothing.

        Raises:
            UserError: a party has not accepted, a rule stands against it by now, or somebody changed something.
        """
        if swap.status != "approved":
            raise forbidden_by_rule(
                f"This swap is {swap.status.replace('_', ' ')}, and only one that both parties have accepted"
                f" (respond_swap) can be carried out.{_STILL_OPEN.get(swap.status, ' Request a new one.')}",
                status=swap.status,
            )
        opened = self.desk.current()
        kernel = opened.kernel
        verdict = self.verdict(opened, swap, slots_of(opened))
        grid = opened.grid.copy()
        changes = []
        codes = [*(service.code for service in opened.programme.services), None]  # FREE is the last
        for p, d, h, s in verdict.cells:
            if grid[p, d, h] == s:
                continue
            key, day = opened.programme.people[p].key, kernel.date_of(d).isoformat()
            changes.append(Undo(key, day, h, codes[grid[p, d, h]], codes[s]))
            grid[p, d, h] = s
        after = evolve(swap, status="executed", changes=tuple(changes), executed_at=self.desk.now())
        return after, self._publish(opened, grid, swap, after, by, "swap executed"), verdict

    def roll_back(self, swap: Swap, by: str | None) -> tuple[Swap, Opened]:
        """Put the cells of an executed swap back, within its window: a new version, or nothing.

        Raises:
            UserError: the window has passed, the cells have changed since, or a rule stands against it by now.
        """
        from packhorse_scheduling.domain.kernel import FREE

        deadline = swap.rollback_deadline
        if swap.status != "executed" or deadline is None:
            raise forbidden_by_rule(
                f"This swap is {swap.status.replace('_', ' ')}, and only an executed one can be rolled back."
            )
        if self.desk.now() > deadline:
            raise forbidden_by_rule("The window for rolling this swap back has passed: request the reverse swap.")
        opened = self.desk.current()
        kernel, grid = opened.kernel, opened.grid.copy()
        cells = []
        for undo in swap.changes:
            p, d = self._known(opened, undo.person), kernel.day_of(date.fromisoformat(undo.day))
            after, before = (
                FREE if code is None else kernel.service_of.get(code, FREE) for code in (undo.after, undo.before)
            )
            if not 0 <= d < kernel.D or grid[p, d, undo.session] != after:
                raise forbidden_by_rule("What this swap changed has been changed again: request a new swap instead.")
            if undo.day < self.desk.today().isoformat():
                raise forbidden_by_rule(f"{undo.day} has passed, and what went by stays as it was worked.")
            cells.append((p, d, undo.session, before))
        broken = [violation for violation in opened.board().breaks(cells) if violation.blocks]
        if broken:
            raise forbidden_by_rule(f"Rolling back would by now break {broken[0].rule}.", rule=broken[0].rule)
        for p, d, h, s in cells:
            grid[p, d, h] = s
        after_swap = evolve(swap, status="rolled_back")
        return after_swap, self._publish(opened, grid, swap, after_swap, by, "swap rolled back")

    def verdict(self, opened: Opened, swap: Swap, slots: Sequence[tuple[int, int]]) -> "Verdict":
        """What a kept swap would change today.

        Raises:
            UserError: a rule, a lock or the past stands against it.
        """
        requester, target = (self._known(opened, key) for key in swap.parties)
        return self._verdict(opened, swap.kind, requester, target, slots)

    def _verdict(
        self, opened: Opened, kind: SwapType, requester: int, target: int, slots: Sequence[tuple[int, int]]
    ) -> "Verdict":
        from packhorse_scheduling.domain import swaps
        from packhorse_scheduling.domain.wording import obstacle_words, violation_words

        kernel = opened.kernel
        if requester == target:
            raise invalid("target_person_id", "A swap needs two people, and target_person_id is the requester's own.")
        today = kernel.day_of(self.desk.now().date())
        if any(d < today for d, _ in slots):
            raise invalid("block_ids", "A block that has passed cannot be swapped.")
        if any(opened.grid[requester, d, h] < 0 for d, h in slots):
            raise invalid("block_ids", "The requester is not assigned in all of these blocks: swap only own ones.")
        board = opened.board()
        cells = (swaps.exchange if kind == "ONE_TO_ONE" else swaps.absorb)(board, requester, target, slots)
        stands = swaps.obstacle(board, cells, today)
        if stands is not None and stands[0] == "locked":
            raise forbidden_by_rule(obstacle_words(kernel, *stands), rule="LOCKED_ASSIGNMENT")
        if stands is not None:
            raise invalid("block_ids", obstacle_words(kernel, *stands))
        verdict = swaps.judge(board, cells)
        if not verdict.feasible:
            broken = [violation for violation in verdict.violations if violation.blocks]
            raise forbidden_by_rule(
                "This swap would break a rule. " + " ".join(violation_words(kernel, one) for one in broken[:3]),
                rules=sorted({violation.rule for violation in broken}),
            )
        return verdict

    def publish_by_hand(self, opened: Opened, grid: "Grid", by: str | None, why: str | None) -> Opened:
        """Publish a roster that somebody has changed by hand; who and why are on record."""
        with self.desk.rosters() as rosters, rosters.store.tx():
            self._still(rosters, opened)
            made = self._version(rosters, opened, grid, by)
            rosters.publish(made.schedule.id)
            now = self.desk.now()
            rosters.note(self.desk.host.new_id(), now, by, "changed by hand", made.schedule.id, why=why)
            notice(rosters, opened, made, now, "changed by hand")
        return made

    def _publish(self, opened: Opened, grid: "Grid", old: Swap, new: Swap, by: str | None, what: str) -> Opened:
        from packhorse_scheduling.store.exchanges import Exchanges

        with self.desk.rosters() as rosters, rosters.store.tx():
            self._still(rosters, opened)
            if not Exchanges(rosters.store).change(old, new):
                raise forbidden_by_rule("Somebody has just changed this swap: look at it again.")
            made = self._version(rosters, opened, grid, by)
            rosters.publish(made.schedule.id)
            rosters.note(self.desk.host.new_id(), self.desk.now(), by, what, made.schedule.id, swap=new.id)
            notice(rosters, opened, made, self.desk.now(), what)
        return made

    def write_swap(self, old: Swap, new: Swap, by: str | None, what: str) -> None:
        """Put a swap in the place of what it was.

        Raises:
            UserError: somebody has changed it in between.
        """
        from packhorse_scheduling.store.exchanges import Exchanges

        with self.desk.rosters() as rosters, rosters.store.tx():
            if not Exchanges(rosters.store).change(old, new):
                raise forbidden_by_rule("Somebody has just changed this swap: look at it again.")
            rosters.note(self.desk.host.new_id(), self.desk.now(), by, what, None, swap=new.id)

    def _version(self, rosters: "Rosters", parent: Opened, grid: "Grid", by: str | None) -> Opened:
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
        )
        made = Opened(schedule, parent.kernel, grid)
        schedule = evolve(schedule, compliance=compliance_of(made))
        rosters.save_schedule(schedule)
        return Opened(schedule, parent.kernel, grid)

    def _still(self, rosters: "Rosters", opened: Opened) -> None:
        now = rosters.published()
        if now is None or (now.id, now.programme) != (opened.schedule.id, opened.schedule.programme):
            raise forbidden_by_rule("The published schedule has just been changed by somebody else: try again.")

    def _known(self, opened: Opened, key: str) -> int:
        if key not in opened.kernel.person_of:
            raise not_found("person", "")
        return opened.kernel.person_of[key]


def compliance_of(opened: Opened) -> Compliance:
    """How a roster stands with its programme's rules; warnings do not count."""
    from packhorse_scheduling.domain.judging import breaches

    return "VIOLATIONS" if breaches(opened) else "COMPLIANT"
