"""Tools that change what is published, or say why it is as it is."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.domain.programme.kinds import LEAVE_KINDS, LeaveKind
from packhorse_scheduling.errors import invalid, not_allowed, not_found
from packhorse_scheduling.models.access import CURRENT, HEALTH, INBOX, PLANNERS, VIOLATIONS
from packhorse_scheduling.models.changes import (
    FALLBACKS,
    ExplainQuestion,
    LeaveQuestion,
    PublishQuestion,
    RepairQuestion,
    SnapshotQuestion,
)
from packhorse_scheduling.service import RosterDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.rules.opened import Opened
    from packhorse_scheduling.service.absences import AbsenceDesk


MOST_TOLD = 5
"""Violations that stood before, told in words when a draft is published."""


def is_planner(ctx: Context) -> bool:
    """Whether the caller may act for everybody."""
    return ctx.principal.has_any(PLANNERS)


def check_person(ctx: Context) -> None:
    """Let people through: what a person says for themselves no agent says, whatever it was granted.

    Raises:
        UserError: an agent is at work.
    """
    if ctx.principal.kind == "agent":
        raise not_allowed("An agent may not call this tool for a person. The person must call it.")


def check_acts_for(desk: RosterDesk, ctx: Context, person_id: str) -> None:
    """Let coordinators and the person through.

    Raises:
        UserError: it is somebody else; the same words whether or not the person exists.
    """
    if is_planner(ctx):
        return
    from packhorse_scheduling.convert.references import is_own

    if not is_own(desk.current().programme.people, person_id, ctx.principal.subject):
        raise not_allowed("You may act only for yourself. Give your own name or id, or ask a coordinator.")


@frozen
class ChangeTools:
    """Publishing, snapshots, leave, repair and explanations."""

    desk: RosterDesk

    @property
    def absences(self) -> AbsenceDesk:
        """What writes leave and repairs."""
        from packhorse_scheduling.service.absences import AbsenceDesk

        return AbsenceDesk(self.desk)

    def publish_schedule(self, question: PublishQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Put a draft in force; refused where it adds a violation. Days gone by stay."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.warnings import warnings_told, warnings_words
        from packhorse_scheduling.domain.change.judging import judge_change, parted
        from packhorse_scheduling.domain.change.notices import new_violations
        from packhorse_scheduling.domain.insight.wording import violation_words

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
        ahead, past = parted(opened.kernel, standing, self.desk.today())
        words = f"Version {schedule.version} is published."
        if standing:
            new = new_violations(former, opened)[0]
            ordered = (*sorted(ahead, key=lambda one: one not in new), *past)
            told = [violation_words(opened.kernel, one) for one in ordered]
            body |= {"standing_violations": len(told), "standing": told[:MOST_TOLD]}
            if ahead:
                words += (
                    f" {counted(len(ahead), 'violation')} stood before and stay: {' '.join(told[: len(ahead)][:3])}"
                )
            if past:
                words += f" {counted(len(past), 'violation')} of days gone by {'stay' if len(past) > 1 else 'stays'}."
        body |= warnings_told(opened, self.desk.today())
        words += warnings_words(opened, self.desk.today())
        return Reply(body, (Text(words),), in_words=True)

    def snapshot_schedule(self, question: SnapshotQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Keep a copy of a schedule; publish_schedule brings it back."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.references import chosen
        from packhorse_scheduling.service.changes import ChangeDesk

        scenario = None
        if question.fallback_for is not None:
            scenario = chosen("fallback_for", question.fallback_for, FALLBACKS)
        copy = (
            ChangeDesk(self.desk)
            .snapshot(question.schedule_id, question.label, scenario, ctx.principal.subject)
            .schedule
        )
        body = {
            "schedule_id": copy.id,
            "version": copy.version,
            "label": question.label,
            "taken_at": convert.instant(copy.created_at),
            "compliance_status": copy.compliance,
            "assignments": len(copy.cells),
        }
        if scenario is not None:
            body["fallback_for"] = scenario
        return Reply(body, (Text(f"A copy is kept as version {copy.version}."),))

    def record_leave(self, question: LeaveQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Record that somebody is away: binding from a coordinator, else a request. repair_schedule then mends."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import leave_from
        from packhorse_scheduling.convert.inbox import overridden_words
        from packhorse_scheduling.convert.references import chosen

        check_acts_for(self.desk, ctx, question.person_id)
        opened = self.desk.current()
        person = opened.programme.people[convert.person_from(opened.kernel, question.person_id)]
        leave, after = self.absences.record_leave(
            person.key,
            convert.day_from("start_date", question.start_date),
            convert.day_from("end_date", question.end_date),
            chosen("kind", question.kind, LEAVE_KINDS),
            approved=is_planner(ctx),
            by=ctx.principal.subject,
        )
        tell_changed(ctx, opened, after, [person.key])
        body = leave_from(after, leave, at=self.desk.now())
        words = f"Leave is {leave.state}; it collides with"
        words += f" {counted(body['conflicting_assignments'], 'half-day')} of the roster."
        words += overridden_words(body["overridden_locks"])
        if leave.state == "requested":
            tell_inbox(ctx)
            words += f" A coordinator answers request {leave.id} (answer_request)."
        return Reply(body, (Text(words),))

    def repair_schedule(self, question: RepairQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Make a draft that mends the roster from today on with the fewest changes.

        Without absences: all that is open, leave and other violations. absences are recorded as approved leave.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.references import assignments_named, chosen
        from packhorse_scheduling.convert.repairs import repair_from, repair_words
        from packhorse_scheduling.domain.change.judging import judge_change

        opened = self.desk.current()
        absences: list[tuple[int, date, date, LeaveKind]] | None = None
        if question.absences is not None:
            absences = [
                (
                    convert.person_from(opened.kernel, one.person_id),
                    convert.day_from("start_date", one.start_date),
                    convert.day_from("end_date", one.end_date),
                    chosen("kind", one.kind, LEAVE_KINDS),
                )
                for one in question.absences
            ]
        base, draft, found = self.absences.repair(
            absences,
            locked=assignments_named(opened.kernel, question.locked_assignments),
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
        gone = int(base.kernel.collisions(base.grid)[:, : max(0, today)].sum())
        return Reply(body, (Text(repair_words(body, gone)),), in_words=True)

    def explain_assignment(self, question: ExplainQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Say why somebody works in a half-day, and why not others."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import explanation_from, explanation_words
        from packhorse_scheduling.domain.change.reasons import reason_for
        from packhorse_scheduling.domain.programme.calendar import SESSIONS
        from packhorse_scheduling.service.ledger import entries

        check_acts_for(self.desk, ctx, question.person_id)
        opened = self.desk.current()
        kernel = opened.kernel
        person = convert.person_from(kernel, question.person_id)
        instead = None if question.instead_id is None else convert.person_from(kernel, question.instead_id)
        if instead is not None and (instead == person or kernel.group[instead] != kernel.group[person]):
            raise invalid("instead_id", "`instead_id` must be another person of the same role.")
        slot = convert.slots_from(kernel, [question.block_id], (opened, person))[0]
        reason = reason_for(opened, person, slot)
        if reason is None:
            name, when = opened.programme.people[person].name, f"{kernel.date_of(slot[0])} {SESSIONS[slot[1]]}"
            why = "is away" if kernel.away[person, slot[0]] else "is free"
            raise not_found(
                "assignment to explain",
                "",
                f"{name} {why} on {when}. To learn why, give somebody who works then as person_id, and {name} as"
                " instead_id",
            )
        body = explanation_from(opened, reason, slot, instead, entries(self.desk))
        return Reply(body, (Text(explanation_words(body)),), in_words=True)


def tell_changed(ctx: Context, before: Opened | None, after: Opened, also: Iterable[str] = ()) -> None:
    """Tell subscribers of the roster, its health, its violations, and of everybody whose half-days or leave changed.

    ``also`` are keys of people whose leave changed. From a tool's own thread.
    """
    from packhorse_scheduling.domain.programme.calendar import name_id

    was = frozenset() if before is None else frozenset(before.schedule.cells)
    moved = {cell[0] for cell in was.symmetric_difference(after.schedule.cells)} if before is not None else set()
    people = sorted(name_id("person", key) for key in {*moved, *also})
    for uri in (CURRENT, HEALTH, VIOLATIONS, *(f"schedule://person/{one}" for one in people)):
        ctx.wait(ctx.notify_resource_updated, uri)


def tell_inbox(ctx: Context, people: Iterable[str] = ()) -> None:
    """Tell subscribers of the requests, and of the pages of whoever is asked (by key)."""
    from packhorse_scheduling.domain.programme.calendar import name_id

    for uri in (INBOX, *(f"schedule://person/{name_id('person', key)}" for key in people)):
        ctx.wait(ctx.notify_resource_updated, uri)
