"""Swaps from the request to the rollback."""

from typing import Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_scheduling.errors import not_allowed
from packhorse_scheduling.models.changes import SwapAnswer, SwapNamed, SwapRequest
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import ChangeDesk
from packhorse_scheduling.tools.changes import check_acts_for, is_planner
from packhorse_scheduling.tools.telling import tell_changed, tell_inbox

_AFTER = {
    "requested": "The answer is recorded; the other person must still accept.",
    "approved": "Both have accepted: execute_swap carries the swap out.",
    "declined": "The swap is declined, and nothing has changed.",
}


@frozen
class SwapTools:
    """Asking, answering, carrying out and taking back."""

    desk: RosterDesk

    @property
    def changes(self) -> ChangeDesk:
        """What writes."""
        return ChangeDesk(self.desk)

    def request_swap(self, question: SwapRequest, ctx: Context) -> Reply[dict[str, Any]]:
        """Ask for a swap of half-days, for oneself or, as a coordinator, for others. It must break no rule today.

        Nothing is changed before both have accepted (respond_swap) and a coordinator has carried it out
        (execute_swap). A person who asks has accepted.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import swap_record_from

        check_acts_for(self.desk, ctx, question.requester_id)
        opened = self.desk.current()
        requester = convert.person_from(opened.kernel, question.requester_id)
        swap = self.changes.request(
            question.swap_type,
            requester,
            convert.person_from(opened.kernel, question.target_person_id),
            question.block_ids,
            convert.slots_from(opened.kernel, question.block_ids),
            accepted=ctx.principal.subject is not None
            and opened.programme.people[requester].subject == ctx.principal.subject,
            by=ctx.principal.subject,
        )
        who = "both people" if len(swap.missing) == 2 else "the other person"
        tell_inbox(ctx, swap.missing)
        words = f"The swap is requested as {swap.id}; {who} must still accept it (respond_swap)."
        return Reply(swap_record_from(swap), (Text(words),))

    def respond_swap(self, question: SwapAnswer, ctx: Context) -> Reply[dict[str, Any]]:
        """Accept or decline a requested swap as one of its parties; one refusal ends it.

        A coordinator records a party's answer by naming the party in person_id; who recorded it is kept.
        """
        from packhorse_scheduling.convert.changes import swap_record_from

        swap = self.changes.swap(question.swap_id)
        subject = ctx.principal.subject
        people = {person.key: person for person in self.desk.current().programme.people}
        parties = [people[key] for key in swap.parties if key in people]
        if question.person_id is not None and is_planner(ctx):
            answering = [person.key for person in parties if person.id == question.person_id]
        else:
            answering = [
                person.key
                for person in parties
                if subject is not None and person.subject == subject and question.person_id in (None, person.id)
            ]
        if not answering:
            raise not_allowed("Only a party of this swap answers it; a coordinator names the party in person_id.")
        after = self.changes.respond(swap, answering[0], accept=question.accept, by=subject)
        tell_inbox(ctx, after.parties)
        return Reply(swap_record_from(after), (Text(_AFTER[after.status]),))

    def execute_swap(self, question: SwapNamed, ctx: Context) -> Reply[dict[str, Any]]:
        """Carry out a swap that both parties have accepted: a new published version, or no change at all.

        Every rule is checked again. rollback_swap takes it back within 24 hours.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import swap_record_from
        from packhorse_scheduling.domain.wording import violation_words

        swap, before = self.changes.swap(question.swap_id), self.desk.current()
        after, made, verdict = self.changes.execute(
            swap, lambda opened: convert.slots_from(opened.kernel, swap.blocks), ctx.principal.subject
        )
        tell_changed(ctx, before, made)
        warnings = [violation_words(made.kernel, one) for one in verdict.violations]
        body = {**swap_record_from(after), "schedule_id": made.schedule.id, "warnings": warnings}
        return Reply(body, (Text(f"The swap is carried out; it can be taken back until {body['rollback_deadline']}."),))

    def rollback_swap(self, question: SwapNamed, ctx: Context) -> Reply[dict[str, Any]]:
        """Take back an executed swap within its 24 hours: both have what they had, in a new published version.

        Refused once the cells have changed again, or where a rule would by now be broken.
        """
        from packhorse_scheduling.convert.changes import swap_record_from

        before = self.desk.current()
        after, made = self.changes.roll_back(self.changes.swap(question.swap_id), ctx.principal.subject)
        tell_changed(ctx, before, made)
        body = {**swap_record_from(after), "schedule_id": made.schedule.id}
        return Reply(body, (Text("The swap is taken back."),))
