"""Tools whose answers are looked at: the roster as a grid, and its health as a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from packhorse import Context, Link, Reply, Text
from packhorse_scheduling.domain.insight.wording import counted, percent
from packhorse_scheduling.errors import invalid, not_allowed
from packhorse_scheduling.models.show import FindQuestion, RosterQuestion
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.tools.changes import is_planner

_HTML = "text/html"
MOST_PEOPLE = 20
"""On a page of find_person."""
MOST_WITH_ID = 8
"""The most people whose ids stand in an answer."""
MOST_DAYS_ON_A_PAGE = 260
"""Days of people together that one page shows; a row weighs `ROW_DAYS` more."""
ROW_DAYS = 10

if TYPE_CHECKING:
    from packhorse_scheduling.domain.rules.opened import Opened


@frozen
class ShowTools:
    """What a person wants to see rather than to be told."""

    desk: RosterDesk

    def show_roster(self, question: RosterQuestion, ctx: Context) -> Reply[dict[str, Any]]:
        """Show people by days with their services and hours, and the rules broken, up to 56 days."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.convert.briefly import page_of, page_words
        from packhorse_scheduling.convert.show import closely, duties_words, roster_from, roster_page, window

        if question.schedule_id is not None and not is_planner(ctx):
            raise not_allowed("Only coordinators may give `schedule_id`. Leave it out to see the published schedule.")
        opened = self.desk.opened(question.schedule_id)
        asked = None if question.start_date is None else convert.day_from("start_date", question.start_date)
        first, last = window(opened, asked or self.desk.now().date(), question.days)
        if asked is not None and first != opened.kernel.day_of(asked):
            year = opened.programme.year
            raise invalid(
                "start_date",
                f"`start_date` {asked} is outside the schedule, which runs from {year.start} to {year.end}.",
            )
        may_see, people = closely(opened, ctx.principal), self._people(opened, question)
        if ctx.shows_views:  # the page draws the structured answer, and the model reads the words
            body = roster_from(opened, first, last, people=people, may_see=may_see)
            return Reply(body, (Text(_in_words(body)),), in_words=True)
        shown, pages = page_of(people, question.page, max(1, MOST_DAYS_ON_A_PAGE // (last - first + 1 + ROW_DAYS)))
        body = roster_page(opened, first, last, people=people, shown=shown, may_see=may_see) | pages
        lines = [f"{_in_words(body)} {page_words(pages)}".strip(), duties_words(body)]
        link = Link("schedule://current/roster.html", "The next four weeks as a page", mime_type=_HTML)
        links = (link,) if question.schedule_id is None else ()
        return Reply(body, (Text("\n".join(lines)), *links), in_words=True)

    def _people(self, opened: Opened, question: RosterQuestion) -> list[int]:
        from packhorse_scheduling import convert

        people = opened.programme.people
        wanted = list(range(len(people)))
        if question.people is not None:
            found = {convert.person_from(opened.kernel, given, "people") for given in question.people}
            wanted = [p for p in wanted if p in found]
        return [p for p in wanted if question.role in (None, people[p].role)]

    def find_person(self, question: FindQuestion) -> Reply[dict[str, Any]]:
        """Tell who is who by name, key, id, role and year, or who is on duty or call now.

        Tools take names or keys for ids of people.
        """
        from packhorse_scheduling.convert import people
        from packhorse_scheduling.convert.briefly import page_of, page_words
        from packhorse_scheduling.convert.references import one_person, people_named, service_from

        if question.on_duty is not None:
            opened = self.desk.current()
            given = question.on_duty
            service = None if given.lower() == "all" else service_from(opened.programme.services, given)
            body = people.on_duty_from(opened, service, self.desk.zone, at=self.desk.now())
            return Reply(body, (Text(people.on_duty_words(body)),), in_words=True)
        in_force = self.desk.published()
        programme = self.desk.programme()[1] if in_force is None else in_force.programme
        everybody = programme.people
        found = list(range(len(everybody))) if question.name is None else people_named(everybody, question.name)
        if question.name is not None and not found:
            one_person(everybody, question.name, "name", "Leave `name` out to see everybody")  # refuses
        shown, pages = page_of(found, question.page, MOST_PEOPLE)
        body = (
            people.people_from(programme, shown, self.desk.today(), with_id=len(found) <= MOST_WITH_ID)
            | {"found": len(found)}
            | pages
        )
        lines = [f"{counted(len(found), 'person', 'people')}. {page_words(pages)}".strip(), people.people_words(body)]
        return Reply(body, (Text("\n".join(lines)),), in_words=True)

    def show_health(self, ctx: Context) -> Reply[dict[str, Any]]:
        """Show how well the next four weeks would cover an absence."""
        from packhorse_scheduling.convert.show import board_from

        body = board_from(self.desk.current(), at=self.desk.now())
        used, covered = body["metrics"]["utilization_rate"], body["metrics"]["coverage_rate"]
        words = f"Status {body['overall_status']}: {used:.0%} of the capacity is bound,"
        words += f" {percent(covered)} of places filled."
        words = " ".join([words, *(alert["message"] for alert in body["alerts"])])
        page = Link("resilience://health/board.html", "The same as a page", mime_type=_HTML)
        return Reply(body, (Text(words), *_pages(ctx, page)), in_words=True)


def _pages(ctx: Context, page: Link) -> tuple[Link, ...]:
    """Where a client that draws no views finds the page to open."""
    return () if ctx.shows_views else (page,)


def _in_words(body: dict[str, Any]) -> str:
    period, count = body["time_period"], body["violation_count"]
    people = counted(body.get("total_people", len(body["people"])), "person", "people")
    words = f"The {body['status']} roster from {period['start']} to {period['end']}: {people}, "
    words += (
        "no violations or warnings."
        if not count
        else f"{counted(count, 'violation or warning', 'violations or warnings')}."
    )
    return words + (f" The first: {body['violations'][0]['message']}" if count else "")
