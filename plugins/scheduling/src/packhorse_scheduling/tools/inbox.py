"""The inbox: what was asked for, answered by people alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_scheduling.errors import forbidden_by_rule, invalid, not_allowed
from packhorse_scheduling.models.inbox import AnswerQuestion, AssignQuestion, RequestsQuestion, WithdrawQuestion
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.tools.changes import check_acts_for, check_person, is_planner, tell_changed, tell_inbox

if TYPE_CHECKING:
    from packhorse_scheduling.domain.rules.opened import Opened
    from packhorse_scheduling.service.actual import ActualDesk
    from packhorse_scheduling.service.inbox import InboxDesk, Request


@frozen
class InboxTools:
    """Listing, answering and taking back."""

    desk: RosterDesk

    @property
    def inbox(self) -> InboxDesk:
        """What reads and writes."""
        from packhorse_scheduling.service.inbox import InboxDesk

        return InboxDesk(self.desk)

    @property
    def actual(self) -> ActualDesk:
        """What writes actual hours."""
        from packhorse_scheduling.service.actual import ActualDesk

        return ActualDesk(self.desk)

    def list_requests(self, question: RequestsQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """List leave and swaps asked for and hours reported."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.inbox import requests_from, requests_words
        from packhorse_scheduling.service.inbox import key_of

        opened = self.desk.current()
        person = key_of(opened, ctx.principal.subject)
        if is_planner(ctx):
            people = opened.programme.people
            asked = question.person_id
            person = None if asked is None else people[convert.person_from(opened.kernel, asked)].key
        elif person is None:
            raise not_allowed(
                "You are not a person of this programme. A coordinator enters your sign-in name as `subject`."
            )
        body = requests_from(opened, self.inbox.requests(person, every=question.all), question.page)
        return Reply(body, (Text(requests_words(body)),), in_words=True)

    def answer_request(self, question: AnswerQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Approve or decline a request, as the coordinator says. Without confirm it tells the effect only."""
        from packhorse_scheduling.convert.inbox import DECLINED, effect_words, request_from
        from packhorse_scheduling.service.inbox import check_open

        check_person(ctx)
        opened, request = self.desk.current(), self.inbox.request(question.request_id)
        check_open(request)
        effect = self._effect(opened, request) if question.decision == "approve" else None
        body: dict[str, Any] = {"request": request_from(opened, request), "done": question.confirm}
        if effect is not None:
            body["effect"] = effect
        told = "" if effect is None else f" {effect_words(effect)}"
        if not question.confirm:
            words = f"To approve this:{told}" if told else DECLINED
            return Reply(body, (Text(f"{words} Nothing is done yet: confirm true carries it out."),))
        after, made = self._answered(request, question, ctx)
        if made is not None:
            body["schedule_id"] = made.schedule.id
        body["request"] = request_from(opened, after)
        self._tell(ctx, after, opened, made)
        return Reply(body, (Text(f"The request is {body['request']['status'].replace('_', ' ')}.{told}"),))

    def withdraw_request(self, question: WithdrawQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Take back a request, cancel leave, or end it early; one's own, or as a coordinator."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.inbox import given_back, given_back_words, request_from
        from packhorse_scheduling.domain.change.exchange import Swap
        from packhorse_scheduling.domain.programme.records import LeaveRecord
        from packhorse_scheduling.service.inbox import key_of

        check_person(ctx)
        opened, request = self.desk.current(), self.inbox.request(question.request_id)
        whose = request.parties if isinstance(request, Swap) else (request.person,)
        own = key_of(opened, ctx.principal.subject) in whose
        if not own and not is_planner(ctx):
            raise not_allowed("Only the person who made the request, or a coordinator, can withdraw it.")
        day = None if question.from_date is None else convert.day_from("from_date", question.from_date)
        after, made = self.inbox.withdraw(request, own=own, from_day=day, by=ctx.principal.subject, why=question.reason)
        self._tell(ctx, after, opened, made)
        row = request_from(opened, after)
        words = f"The request is {row['status']}."
        if row["kind"] == "leave" and row["status"] in ("requested", "approved"):
            words = f"The leave ends on {row['end_date']} now."
        body: dict[str, Any] = {"request": row, "done": True}
        if made is not None and isinstance(request, LeaveRecord) and isinstance(after, LeaveRecord):
            empty = given_back(made, request, after, self.desk.today())
            if empty is not None:
                body["empty"] = empty
                words += given_back_words(row["person_name"], empty)
        return Reply(body, (Text(words),))

    def change_assignment(self, question: AssignQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Assign somebody in one half-day, or free them; without confirm it tells the effect only.

        One gone by is put on record as it was worked, which people report of themselves.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.inbox import effect_words, swap_effect_from
        from packhorse_scheduling.convert.references import service_from
        from packhorse_scheduling.domain.insight.wording import violation_words, warned

        check_person(ctx)
        check_acts_for(self.desk, ctx, question.person_id)
        opened = self.desk.current()
        person = convert.person_from(opened.kernel, question.person_id)
        slot = one_slot(convert.slots_from(opened.kernel, [question.block_id], (opened, person)), question.block_id)
        times = (question.start_time, question.end_time)
        if any(times) and not all(times):
            raise invalid("end_time", "Give both `start_time` and `end_time`.")
        if self.actual.is_over(opened, person, slot):
            return self._reported(question, ctx, opened, person, slot)
        if any(times):
            raise invalid("block_id", "`start_time` and `end_time` can be given only for a past half-day.")
        if not is_planner(ctx):
            raise not_allowed(
                "Only a coordinator can change a planned half-day. To exchange it with somebody, use request_swap."
            )
        services = opened.programme.services
        service = None if question.service is None else services[service_from(services, question.service)].code
        verdict = self.inbox.by_hand(opened, person, slot, service)
        effect = swap_effect_from(opened, verdict.cells)
        broken = [violation_words(opened.kernel, one) for one in verdict.violations if one.blocks]
        told = [violation_words(opened.kernel, one) for one in verdict.violations if not one.blocks]
        effect |= {"new_violations": len(broken), "violations": broken[:5], "warnings": told}
        words = (
            f"{effect_words(effect)} {'It would break: ' + ' '.join(broken[:3]) if broken else 'It breaks no rule.'}"
            f"{warned(told)}"
        )
        if not question.confirm:
            return Reply({"done": False, "effect": effect}, (Text(f"{words} Nothing is done yet."),))
        made = self.inbox.assign(opened, verdict, ctx.principal.subject, question.reason)
        tell_changed(ctx, opened, made)
        body = {"done": True, "effect": effect, "schedule_id": made.schedule.id}
        return Reply(body, (Text(f"Version {made.schedule.version} is published. {words}"),))

    def _reported(
        self, question: AssignQuestion, ctx: Context, opened: Opened, person: int, slot: tuple[int, int]
    ) -> Reply[dict[str, Any]]:
        from packhorse_scheduling.convert.inbox import actual_effect_from, effect_words, request_from

        span = (question.start_time, question.end_time) if question.start_time and question.end_time else None
        rows = self.actual.rows(opened, person, slot, question.service, span)
        after, found = self.actual.effect(opened, rows)
        effect = actual_effect_from(after, found)
        words = effect_words(effect)
        if not question.confirm:
            return Reply({"done": False, "effect": effect}, (Text(f"{words} Nothing is done yet."),))
        planner, by = is_planner(ctx), ctx.principal.subject
        made, now = self.actual.report(opened, rows, confirmed=planner, by=by, why=question.reason)
        key = opened.programme.people[person].key
        tell_inbox(ctx, [key])
        if planner:
            tell_changed(ctx, opened, now, [key])
        end = "It is on record." if planner else f"A coordinator answers {', '.join(one.id for one in made)}."
        body = {"done": True, "effect": effect, "requests": [request_from(now, one) for one in made]}
        return Reply(body, (Text(f"{words} {end}"),))

    def _effect(self, opened: Opened, request: Request) -> dict[str, Any]:
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.inbox import actual_effect_from, leave_effect_from, swap_effect_from
        from packhorse_scheduling.domain.change.exchange import Swap
        from packhorse_scheduling.domain.programme.reports import ActualRecord

        if isinstance(request, Swap):
            if request.status == "requested":
                names = {person.key: person.name for person in opened.programme.people}
                waiting = " and ".join(names.get(key, key) for key in request.missing)
                raise forbidden_by_rule(
                    f"{waiting} must first accept this swap with respond_swap. A coordinator can answer for a person"
                    " there, with person_id.",
                    status=request.status,
                )
            verdict = self.inbox.swaps.verdict(opened, request, convert.slots_from(opened.kernel, request.blocks))
            return swap_effect_from(opened, verdict.cells)
        if isinstance(request, ActualRecord):
            return actual_effect_from(*self.actual.effect_of_report(opened, request))
        after, broken = self.inbox.effect(request)
        return leave_effect_from(after, request, broken)

    def _answered(self, request: Request, question: AnswerQuestion, ctx: Context) -> tuple[Request, Opened | None]:
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.change.exchange import Swap

        by, approve = ctx.principal.subject, question.decision == "approve"
        if not isinstance(request, Swap):
            return self.inbox.answer_record(request, "approved" if approve else "declined", by, question.reason)
        if not approve:
            return self.inbox.decline_swap(request, by, question.reason), None
        after, made, _ = self.inbox.swaps.execute(
            request, lambda opened: convert.slots_from(opened.kernel, request.blocks), by
        )
        return after, made

    def _tell(self, ctx: Context, after: Request, before: Opened, made: Opened | None) -> None:
        from packhorse_scheduling.domain.change.exchange import Swap

        whose = after.parties if isinstance(after, Swap) else (after.person,)
        tell_inbox(ctx, whose)
        if made is not None:
            tell_changed(ctx, before, made, whose)


def one_slot(slots: list[tuple[int, int]], given: str) -> tuple[int, int]:
    """The one half-day that was named.

    Raises:
        UserError: a date alone, of a day with two.
    """
    if len(slots) != 1:
        raise invalid("block_id", f"Add AM or PM to {given}.")
    return slots[0]
