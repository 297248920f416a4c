"""A calendar's secret address: made by a tool, read by whatever program subscribes to it."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from packhorse import Context, Reply, Text
from packhorse_scheduling.errors import not_allowed
from packhorse_scheduling.models.changes import CalendarQuestion
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.tools.changes import check_person, is_planner


@frozen
class FeedTools:
    """Making, renewing and ending addresses, and the page behind them."""

    desk: RosterDesk

    def calendar_address(self, question: CalendarQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Give the secret web address of a person's calendar, for other programs to subscribe to."""
        from packhorse_scheduling.service.feeds import FeedDesk

        check_person(ctx)
        person = self._person(question, ctx)
        feeds, by = FeedDesk(self.desk), ctx.principal.subject
        if question.action == "end":
            since = feeds.end(person, by)
            summary = "There was no address." if since is None else "The address has ended: it gives nothing more."
            return Reply({"summary": summary}, (Text(summary),))
        address = feeds.address(person, by, renew=question.action == "renew")
        summary = "Subscribe to this address. It is shown once; anybody who has it can read the calendar."
        return Reply({"summary": summary, "address": address}, (Text(f"{address}\n{summary}"),))

    def _person(self, question: CalendarQuestion, ctx: Context) -> str:
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.references import is_own
        from packhorse_scheduling.service.inbox import key_of

        opened = self.desk.current()
        own = key_of(opened, ctx.principal.subject)
        if question.person_id is None:
            if own is None:
                step = "A coordinator enters your sign-in name as `subject`."
                if is_planner(ctx):
                    step = "Say with `person_id` whose calendar address you mean."
                raise not_allowed(f"You are not a person of this programme. {step}")
            return own
        if not is_planner(ctx) and not is_own(opened.programme.people, question.person_id, ctx.principal.subject):
            raise not_allowed("You may ask only for the address of your own calendar.")
        return opened.programme.people[convert.person_from(opened.kernel, question.person_id)].key

    def calendar(self, secret: str) -> str:
        """The calendar of the person whose address this is."""
        from packhorse_scheduling.convert.files.calendars import calendar_of
        from packhorse_scheduling.service.feeds import FeedDesk

        opened, person = FeedDesk(self.desk).opened(secret)
        return calendar_of(opened, person, self.desk.zone)
