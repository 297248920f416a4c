"""Swaps from the request to the rollback."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_scheduling.errors import not_allowed
from packhorse_scheduling.models.changes import SwapAnswer, SwapNamed, SwapRequest
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.tools.changes import check_acts_for, check_person, is_planner, tell_changed, tell_inbox

_AFTER = {
    "requested": "The answer is recorded; the other person must still accept.",
    "approved": "Both have accepted: execute_swap carries the swap out.",
    "declined": "The swap is declined, and nothing has changed.",
}

if TYPE_CHECKING:
    from packhorse_scheduling.service.swapping import SwapDesk


@frozen
class SwapTools:
    """Asking, answering, carrying out and taking back."""

    desk: RosterDesk

    @property
    def swaps(self) -> SwapDesk:
        """What writes."""
        from packhorse_scheduling.service.swapping import SwapDesk

        return SwapDesk(self.desk)

    def request_swap(self, question: SwapRequest, ctx: Context) -> Reply[dict[str, Any]]:
        """Ask for a lawful swap; both accept (respond_swap), then a coordinator carries it out (execute_swap)."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import swap_record_from
        from packhorse_scheduling.convert.references import block_ids_of

        check_acts_for(self.desk, ctx, question.requester_id)
        opened = self.desk.current()
        requester = convert.person_from(opened.kernel, question.requester_id)
        slots = convert.slots_from(opened.kernel, question.block_ids, (opened, requester))
        swap = self.swaps.request(
            question.swap_type,
            requester,
            convert.person_from(opened.kernel, question.target_person_id),
            block_ids_of(opened.kernel, slots),
            slots,
            accepted=ctx.principal.kind != "agent"
            and ctx.principal.subject is not None
            and opened.programme.people[requester].subject == ctx.principal.subject,
            by=ctx.principal.subject,
        )
        who = "both people" if len(swap.missing) == 2 else "the other person"
        tell_inbox(ctx, swap.missing)
        words = f"The swap is requested as {swap.id}; {who} must still accept it (respond_swap)."
        return Reply(swap_record_from(swap), (Text(words),))

    def respond_swap(self, question: SwapAnswer, ctx: Context) -> Reply[dict[str, Any]]:
        """Accept or decline a requested swap as a party of it."""
        from packhorse_scheduling.convert.changes import swap_record_from
        from packhorse_scheduling.convert.references import people_named

        check_person(ctx)
        swap = self.swaps.swap(question.swap_id)
        subject = ctx.principal.subject
        people = {person.key: person for person in self.desk.current().programme.people}
        parties = [people[key] for key in swap.parties if key in people]
        named = (
            parties if question.person_id is None else [parties[p] for p in people_named(parties, question.person_id)]
        )
        if question.person_id is None or not is_planner(ctx):
            named = [person for person in named if person.subject == subject is not None]
        answering = [person.key for person in named]
        if len(answering) != 1:
            raise not_allowed(
                "Only the people of this swap can answer it. A coordinator gives the person in person_id."
            )
        after = self.swaps.respond(swap, answering[0], accept=question.accept, by=subject)
        tell_inbox(ctx, after.parties)
        return Reply(swap_record_from(after), (Text(_AFTER[after.status]),))

    def execute_swap(self, question: SwapNamed, ctx: Context) -> Reply[dict[str, Any]]:
        """Carry out an accepted swap in a new published version, or take it back within 24 hours."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.changes import swap_record_from
        from packhorse_scheduling.domain.insight.wording import violation_words, warned

        swap, before, by = self.swaps.swap(question.swap_id), self.desk.current(), ctx.principal.subject
        if question.take_back:
            after, made = self.swaps.roll_back(swap, by)
            body, words = swap_record_from(after), "The swap is taken back."
        else:
            after, made, verdict = self.swaps.execute(
                swap, lambda opened: convert.slots_from(opened.kernel, swap.blocks), by
            )
            warnings = [violation_words(made.kernel, one) for one in verdict.violations]
            body = {**swap_record_from(after), "warnings": warnings}
            words = f"The swap is carried out; it can be taken back until {body['rollback_deadline']}."
            words += warned(warnings)
        tell_changed(ctx, before, made)
        return Reply({**body, "schedule_id": made.schedule.id}, (Text(words),))
