"""A plan's calendar, pictures and page to print."""

from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_circadian.models import ReplanQuestion
from packhorse_circadian.service import JetLagDesk

if TYPE_CHECKING:
    from packhorse_circadian.domain.journey import Plan


@frozen
class PlanPages:
    """Each makes the plan again from its address: the same question gives the same plan."""

    desk: JetLagDesk

    def calendar(self, plan: str) -> str:
        """The plan as an iCalendar file: every item at its instant in UTC, with local time and zone in words."""
        return self.desk.calendar(self._plan(plan))

    def picture(self, plan: str) -> str:
        """The plan as a picture (SVG), day by day: sleep, light, flight and body clock, on white."""
        return self.desk.actogram(self._plan(plan), "light")

    def picture_dark(self, plan: str) -> str:
        """The same picture on black."""
        return self.desk.actogram(self._plan(plan), "dark")

    def page(self, plan: str) -> str:
        """The plan as a page to print (HTML), with the picture, every day and the cautions."""
        return self.desk.sheet(self._plan(plan))

    def shifts(self, plan: str) -> str:
        """A plan for shifts as an iCalendar file."""
        from packhorse_circadian import convert

        rota = convert.rota_from(convert.shifts_question_from(plan))
        return self.desk.shift_calendar(self.desk.shifts(rota, lambda done, total: None, lambda: False))

    def _plan(self, token: str) -> "Plan":
        from packhorse_circadian import convert
        from packhorse_circadian.domain.replan import rest

        question = convert.question_from(token)
        if isinstance(question, ReplanQuestion):
            trip = convert.trip_from(convert.question_from_line(question.trip))
            now = self.desk.now(convert.moment_asked(question, trip))
            return rest(self.desk.replan(trip, convert.doings_from(question, trip, now)).plan, now)
        return self.desk.plan_as_asked(convert.trip_from(question))
