"""Tools that change what is published, or say why it is as it is."""

from datetime import date
from typing import Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_scheduling.domain.wording import counted
from packhorse_scheduling.errors import invalid, not_allowed, not_found
from packhorse_scheduling.models.access import PLANNERS
from packhorse_scheduling.models.changes import (
    Absence,
    ExplainQuestion,
    LeaveKind,
    LeaveQuestion,
    PublishQuestion,
    RepairQuestion,
    SnapshotQuestion,
)
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import ChangeDesk
from packhorse_scheduling.tools.telling import tell_changed, tell_inbox

MOST_TOLD = 20
"""Violations that stood before, told in words when a draft is published."""


def is_planner(ctx: Context) -> bool:
    """Whether the caller may act for everybody."""
    return ctx.principal.has_any(PLANNERS)


def check_acts_for(desk: RosterDesk, ctx: Context, person_id: str) -> None:
    """Let coordinators and the person through.

    Raises:
        UserError: it is somebody else; the same words whether or not the person exists.
    """
    if is_planner(ctx):
        return
    subject = ctx.principal.subject
    people = desk.current().programme.people
    if subject is None or not any(person.id == person_id and person.subject == subject for person in people):
        raise not_allowed("This caller may act only for themselves: give your own person id, or ask a coordinator.")


@frozen
class ChangeTools:
    """Publishing, snapshots, leave, repair and explanations."""

    desk: RosterDesk

    @property
    def changes(self) -> ChangeDesk:
        """What writes."""
        return ChangeDesk(self.desk)

    def publish_schedule(self, question: PublishQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Make a draft the schedule that everybody works by; the former one is superseded, never lost.

        Refused where the draft adds a violation to what is in force, leave recorded since it was made included.
        What stood before stays and is told. Days before today stay as they were.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.judging import judge_change
        from packhorse_scheduling.domain.wording import violation_words

        former = self.desk.published()
        opened = self.desk.publish(question.schedule_id, ctx.principal.subject)
        tell_changed(ctx, former, opened)
        schedule = opened.schedule
        body = {
            "schedule_id": schedule.id,
            "version": schedule.version,
            "status": schedule.status,
            "published_at": convert.instant(self.desk.now()),
            "compliance_status": schedule.compliance,
        }
        if former is not None and former.schedule.id != schedule.id:
            body["superseded_schedule_id"] = former.schedule.id
        standing = judge_change(opened, opened, self.desk.today()).standing
        words = f"Version {schedule.version} is published."
        if standing:
            told = [violation_words(opened.kernel, one) for one in standing]
            body |= {"standing_violations": len(told), "standing": told[:MOST_TOLD]}
            words += f" {counted(len(told), 'violation')} stood before and stay: {' '.join(told[:3])}"
        return Reply(body, (Text(words),))

    def snapshot_schedule(self, question: SnapshotQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Keep a copy of a schedule under a label, before something risky or as a prepared fallback.

        publish_schedule with its id brings it back.
        """
        from packhorse_scheduling import convert

        copy = self.changes.snapshot(
            question.schedule_id, question.label, question.fallback_for, ctx.principal.subject
        ).schedule
        body = {
            "schedule_id": copy.id,
            "version": copy.version,
            "label": question.label,
            "taken_at": convert.instant(copy.created_at),
            "compliance_status": copy.compliance,
            "assignments": len(copy.cells),
        }
        if question.fallback_for is not None:
            body["fallback_for"] = question.fallback_for
        return Reply(body, (Text(f"A copy is kept as version {copy.version}."),))

    def record_leave(self, question: LeaveQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Record that somebody is away: at once binding from a coordinator, a request from the person.

        The published roster is judged with it, and not changed: repair_schedule makes the draft that is.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import leave_from

        check_acts_for(self.desk, ctx, question.person_id)
        opened = self.desk.current()
        person = opened.programme.people[convert.person_from(opened.kernel, question.person_id)]
        leave, after = self.changes.record_leave(
            person.key,
            convert.day_from("start_date", question.start_date),
            convert.day_from("end_date", question.end_date),
            question.kind,
            approved=is_planner(ctx),
            by=ctx.principal.subject,
        )
        tell_changed(ctx, opened, after, [person.key])
        body = leave_from(after, leave, at=self.desk.now())
        words = f"Leave is {leave.state}; it collides with"
        words += f" {counted(body['conflicting_assignments'], 'half-day')} of the roster."
        if leave.state == "requested":
            tell_inbox(ctx)
            words += f" A coordinator answers request {leave.id} (answer_request)."
        return Reply(body, (Text(words),))

    def repair_schedule(self, question: RepairQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Mend the roster with as few changes as can be, the more so at short notice; a draft.

        Without absences everything that is open from today on is mended at once: half-days of people on leave, and
        other violations. Absences are recorded as approved leave where they are not yet. Locked assignments and past
        days stay. What nobody can fill is named, and stands in the draft.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import repair_from, repair_words
        from packhorse_scheduling.domain.judging import judge_change

        opened = self.desk.current()
        asked = None if question.absences is None else list(question.absences)
        single = (question.person_id, question.start_date, question.end_date)
        if any(single) and not all(single):
            raise invalid("person_id", "One absence needs person_id, start_date and end_date; without all, open ones.")
        if all(single):
            asked = [
                *(asked or ()),
                Absence.model_validate(question.model_dump(include={"person_id", "start_date", "end_date", "kind"})),
            ]
        absences: list[tuple[int, date, date, LeaveKind]] | None = None
        if asked is not None:
            absences = [
                (
                    convert.person_from(opened.kernel, one.person_id),
                    convert.day_from("start_date", one.start_date),
                    convert.day_from("end_date", one.end_date),
                    one.kind,
                )
                for one in asked
            ]
        base, draft, found = self.changes.repair(
            absences,
            locked=question.locked_assignments,
            by=ctx.principal.subject,
            schedule_id=question.schedule_id,
        )
        now = self.desk.current()
        if now.schedule.programme != opened.schedule.programme:  # absences were recorded as leave
            people = opened.programme.people
            tell_changed(ctx, opened, now, [people[p].key for p, *_ in absences or ()])
        today = base.kernel.day_of(self.desk.today())
        standing = judge_change(draft, draft, self.desk.today()).standing
        body = repair_from(base, draft, found, standing, today)
        past = base.grid[:, : max(0, today)] >= 0
        gone = int((past & base.kernel.away[:, : max(0, today), None]).sum())
        return Reply(body, (Text(repair_words(body, gone)),))

    def explain_assignment(self, question: ExplainQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Say why somebody works in a block, and why not somebody else: the need, and what each would break.

        For coordinators, and for people about their own assignments.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import explanation_from
        from packhorse_scheduling.domain.reasons import reason_for

        check_acts_for(self.desk, ctx, question.person_id)
        opened = self.desk.current()
        kernel = opened.kernel
        person = convert.person_from(kernel, question.person_id)
        instead = None if question.instead_id is None else convert.person_from(kernel, question.instead_id)
        if instead is not None and (instead == person or kernel.group[instead] != kernel.group[person]):
            raise invalid("instead_id", "instead_id must be somebody else of the same role.")
        slot = convert.slots_from(kernel, [question.block_id])[0]
        reason = reason_for(opened, person, slot)
        if reason is None:
            raise not_found("assignment of this person in that block", "")
        body = explanation_from(opened, reason, slot, instead)
        return Reply(body, (Text(" ".join(body["reasons"])),))
