"""The pages of phase 2, a person's calendar, the stream of violations, and where a generation stands."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from packhorse import Context, RequestError, UserError
from packhorse_scheduling.models.access import PLANNERS
from packhorse_scheduling.resources import person_for, text_of
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.pages import Pages

RESOURCE_NOT_FOUND = -32002
MOST_NOTICES = 50


@frozen
class AnalyticsPages:
    """Pages by URI."""

    desk: RosterDesk
    kept: Pages

    def burnout(self) -> str:
        """Who may be under strain by planned duty, and what each part adds to the score: a heuristic."""

        def make() -> str:
            from packhorse_scheduling.convert.analytics import burnout_from

            return text_of(burnout_from(self.desk.current(), at=self.desk.now()))

        return self.kept.page("analytics://burnout-risk", make)

    def trends(self) -> str:
        """Hours, nights, utilisation and coverage week by week, and every version that was in force."""

        def make() -> str:
            from packhorse_scheduling.convert.analytics import trends_from

            opened = self.desk.current()
            with self.desk.rosters() as rosters:
                versions = rosters.in_force()
            return text_of(trends_from(opened, versions, at=self.desk.now()))

        return self.kept.page("analytics://trends", make)

    def ledger(self) -> str:
        """Nights, weekends and holidays of each person, what is carried from years before, and sick calls."""
        from packhorse_scheduling.convert.ledger import ledger_from
        from packhorse_scheduling.service.ledger import entries

        return text_of(ledger_from(self.desk.current(), entries(self.desk)))

    def forecasting(self) -> str:
        """Demand, capacity and coverage of the coming twelve weeks, and what illness may take: a heuristic."""

        def make() -> str:
            from packhorse_scheduling.convert.analytics import forecast_from

            return text_of(forecast_from(self.desk.current(), at=self.desk.now()))

        return self.kept.page("analytics://forecasting", make)

    def violations(self) -> dict[str, Any]:
        """What each change of the published roster has newly broken, the newest first; subscribe to hear of more."""
        from packhorse_scheduling.convert.analytics import stream_from
        from packhorse_scheduling.store.notices import Notices

        with self.desk.rosters() as rosters:
            notices = Notices(rosters.store).newest(MOST_NOTICES)
        return stream_from(notices, at=self.desk.now())

    def calendar(self, id: str, ctx: Context) -> str:  # noqa: A002 - the name in the URI template
        """One person's half-days as an iCalendar file; for coordinators, administrators and the person."""
        from packhorse_scheduling.convert.files.calendars import calendar_of

        opened = self.desk.current()
        number = person_for(ctx, opened, id)
        return calendar_of(opened, opened.programme.people[number].key, self.desk.zone)

    def requests(self, ctx: Context) -> dict[str, Any]:
        """Leave and swaps that wait for an answer: all for coordinators, their own for others."""
        from packhorse_scheduling.convert.inbox import requests_from
        from packhorse_scheduling.service.inbox import InboxDesk, key_of

        opened = self.desk.current()
        if ctx.principal.has_any(PLANNERS):
            return requests_from(opened, InboxDesk(self.desk).requests(None, every=False))
        key = key_of(opened, ctx.principal.subject)
        return requests_from(opened, [] if key is None else InboxDesk(self.desk).requests(key, every=False))

    async def job(self, id: str, ctx: Context) -> dict[str, Any]:  # noqa: A002 - the name in the URI template
        """How far a generation is, in the specification's words; for the person who started it and administrators."""
        from packhorse_scheduling.convert.jobs import job_from

        try:
            handle = (await ctx.call("job_status", {"job_id": id})).structured
        except (RequestError, UserError) as exc:
            raise _no_job() from exc
        if not str(handle["tool"]).endswith("generate_schedule"):
            raise _no_job()
        ended = handle["status"] in ("failed", "cancelled")
        return job_from(handle, self.desk.public_url, self.desk.left_by(id) if ended else None)


def _no_job() -> RequestError:
    return RequestError(RESOURCE_NOT_FOUND, "resource_not_found", "There is no such generation for this caller.")
