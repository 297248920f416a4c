"""The roster and its health as pages to open, for clients that show no views."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from packhorse import Context, View
from packhorse_scheduling.service import RosterDesk

DAYS_AHEAD = 28
"""A rotation."""


@frozen
class Boards:
    """Each is the page of a view with its answer inside."""

    desk: RosterDesk
    roster_view: View
    health_view: View

    def roster(self, ctx: Context) -> str:
        """The next four weeks of the published roster as a page (HTML): people by days, violations marked."""
        from packhorse_scheduling.convert.show import closely, roster_from, window

        opened = self.desk.current()
        first, last = window(opened, self.desk.now().date(), DAYS_AHEAD)
        return self.roster_view.page(
            roster_from(opened, first, last, people=range(opened.kernel.P), may_see=closely(opened, ctx.principal))
        )

    def people(self) -> dict[str, Any]:
        """Who is who: names and keys by role and year of training, and the services by code."""
        from packhorse_scheduling.convert.people import page_from

        return page_from(self.desk.current(), self.desk.today())

    def on_call(self) -> dict[str, Any]:
        """Who is on duty at this moment on every service, and who is next on call."""
        from packhorse_scheduling.convert.people import on_duty_from

        return on_duty_from(self.desk.current(), None, self.desk.zone, at=self.desk.now())

    def rotations(self) -> dict[str, Any]:
        """Who is on which rotation in each four-week unit, the attendings of the next four weeks, and what is off."""
        from packhorse_scheduling.convert.rotations import rotations_from

        return rotations_from(self.desk.current(), self.desk.now().date())

    def chart(self) -> str:
        """The rotation plan as a picture (SVG): residents by units, and the attendings of each ward by week."""
        from packhorse_scheduling.convert.rotations import chart

        return chart(self.desk.current())

    def health(self) -> str:
        """The health of the next four weeks as a page (HTML)."""
        from packhorse_scheduling.convert.show import board_from

        return self.health_view.page(board_from(self.desk.current(), at=self.desk.now()))
