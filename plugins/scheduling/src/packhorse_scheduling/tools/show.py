"""Tools whose answers are looked at: the roster as a grid, and its health as a board."""

from typing import Any

from attrs import frozen

from packhorse import Context, Link, Reply, Text
from packhorse_scheduling.domain.wording import counted, percent
from packhorse_scheduling.errors import invalid, not_allowed
from packhorse_scheduling.models.show import RosterQuestion
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.tools.changes import is_planner

_HTML = "text/html"


@frozen
class ShowTools:
    """What a person wants to see rather than to be told."""

    desk: RosterDesk

    def show_roster(self, question: RosterQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Show the roster as a grid of people by days, with every service, and where a rule is broken.

        Choose it for "show me the schedule", for a week or a rotation at a time (up to 56 days). half_days are the
        AM and PM of each day in turn. Coordinators see leave and violations of everybody, others their own.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.show import closely, roster_from, window

        if question.schedule_id is not None and not is_planner(ctx):
            raise not_allowed(
                "A schedule by its id is for coordinators; without schedule_id the published one is shown."
            )
        opened = self.desk.opened(question.schedule_id)
        asked = None if question.start_date is None else convert.day_from("start_date", question.start_date)
        first, last = window(opened, asked or self.desk.now().date(), question.days)
        if asked is not None and first != opened.kernel.day_of(asked):
            year = opened.programme.year
            raise invalid(
                "start_date", f"start_date {asked} is outside the schedule: it runs from {year.start} to {year.end}."
            )
        body = roster_from(opened, first, last, role=question.role, may_see=closely(opened, ctx.principal))
        pages = _pages(ctx, Link("schedule://current/roster.html", "The next four weeks as a page", mime_type=_HTML))
        return Reply(body, (Text(_in_words(body)), *(pages if question.schedule_id is None else ())))

    def show_health(self, ctx: Context) -> Reply[dict[str, Any]]:
        """Show how well the next four weeks would cover an absence: utilisation, coverage, alerts, who is critical.

        Choose it for "how are we doing?"; resilience://health has the same without the weeks.
        """
        from packhorse_scheduling.convert.show import board_from

        body = board_from(self.desk.current(), at=self.desk.now())
        used, covered = body["metrics"]["utilization_rate"], body["metrics"]["coverage_rate"]
        words = f"Status {body['overall_status']}: {used:.0%} of the capacity is bound,"
        words += f" {percent(covered)} of places filled."
        words = " ".join([words, *(alert["message"] for alert in body["alerts"])])
        page = Link("resilience://health/board.html", "The same as a page", mime_type=_HTML)
        return Reply(body, (Text(words), *_pages(ctx, page)))


def _pages(ctx: Context, page: Link) -> tuple[Link, ...]:
    """Where a client that draws no views finds the page to open."""
    return () if ctx.shows_views else (page,)


def _in_words(body: dict[str, Any]) -> str:
    period, count = body["time_period"], body["violation_count"]
    people = counted(len(body["people"]), "person", "people")
    words = f"The {body['status']} roster from {period['start']} to {period['end']}: {people}, "
    words += (
        "no violations or warnings."
        if not count
        else f"{counted(count, 'violation or warning', 'violations or warnings')}."
    )
    return words + (f" The first: {body['violations'][0]['message']}" if count else "")
