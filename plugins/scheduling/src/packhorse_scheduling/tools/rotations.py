"""The plan and the versions: why a block is as it is, what another would change, what differs before publishing."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_scheduling.errors import invalid, not_found
from packhorse_scheduling.models.changes import ComparisonQuestion, RotationQuestion
from packhorse_scheduling.service import RosterDesk


@frozen
class RotationTools:
    """Explaining and editing the plan, and comparing versions."""

    desk: RosterDesk

    def change_rotation(self, question: RotationQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Say why somebody is on a rotation, give them another, or exchange whole blocks of two people.

        Without confirm it tells the effect only; with it a draft is kept.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.replanning import edit_from, edit_words, stay_from
        from packhorse_scheduling.domain.insight.stays import reason_for_stay
        from packhorse_scheduling.service.replanning import PlanDesk

        opened = self.desk.newest(self.desk.current())
        person, day = convert.person_from(opened.kernel, question.person_id), convert.day_from("date", question.date)
        if question.rotation is None and question.with_person_id is None:
            year, name = opened.programme.year, opened.programme.people[person].name
            if day not in year:
                raise invalid(
                    "date", f"`date` {day} is outside the programme, which runs from {year.start} to {year.end}."
                )
            reason = reason_for_stay(opened, person, day)
            if reason is None:
                raise not_found(f"rotation of {name} on {day}", "", "Give another person or another date")
            body = stay_from(opened, reason)
            return Reply(body, (Text(" ".join(body["reasons"])),))
        if question.rotation is not None and question.with_person_id is not None:
            raise invalid("with_person_id", "Give `rotation` or `with_person_id`, not both.")
        other = None
        if question.with_person_id is not None:
            other = convert.person_from(opened.kernel, question.with_person_id)
            if other == person or opened.kernel.group[other] != opened.kernel.group[person]:
                raise invalid("with_person_id", "`with_person_id` must be another person of the same role.")
        desk = PlanDesk(self.desk)
        until = None if question.until is None else convert.day_from("until", question.until)
        edit = desk.edited(opened, person, day, until=until, rotation=question.rotation, other=other)
        body = edit_from(edit, self.desk.today())
        words = edit_words(edit, body)
        if not question.confirm:
            return Reply(body, (Text(f"{words} Nothing is kept yet: confirm true keeps a draft."),))
        draft = desk.keep(edit, ctx.principal.subject, question.reason)
        body |= {"done": True, "schedule_id": draft.schedule.id}
        return Reply(body, (Text(f"{words} Version {draft.schedule.version} is a draft: publish_schedule decides."),))

    def compare_versions(self, question: ComparisonQuestion) -> Reply[dict[str, Any]]:
        """Tell what a draft changes before it is published: who gains and loses what."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.comparison import comparison_from, comparison_words
        from packhorse_scheduling.domain.change.judging import as_known

        after, before = (self.desk.newest(self.desk.opened(one)) for one in (question.schedule_id, question.against))
        person = None
        if question.person_id is not None:
            person = after.programme.people[convert.person_from(after.kernel, question.person_id)].key
        if (before.programme.people, before.programme.services) != (after.programme.people, after.programme.services):
            before = as_known(before, after.kernel)
        body = comparison_from(before, after, person, question.page, self.desk.today())
        return Reply(body, (Text(comparison_words(body)),))
