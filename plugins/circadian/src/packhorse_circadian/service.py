"""The desk: reads the clock, asks the domain."""

from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from packhorse import UserError
from packhorse.contract.clock import Clock

if TYPE_CHECKING:
    from packhorse_circadian.domain.actogram import Scheme
    from packhorse_circadian.domain.clock_log import ClockLog, Standing
    from packhorse_circadian.domain.journey import Plan
    from packhorse_circadian.domain.oscillators.daylight import Protocol
    from packhorse_circadian.domain.oscillators.runs import Course
    from packhorse_circadian.domain.replan import Again, Doings
    from packhorse_circadian.domain.rota import Rota
    from packhorse_circadian.domain.shift import Shift
    from packhorse_circadian.domain.shift_plan import ShiftCourse
    from packhorse_circadian.domain.trip import Trip
    from packhorse_circadian.search.shifts import Report

# Hours: the step of the published reference runs; lows are then exact to 0.02 h.
LABORATORY_STEP = 0.1


@frozen
class JetLagDesk:
    """Answers about one journey. ``clock`` gives the present instant in UTC.

    What a call asks for (plans, files, the laboratory's models) is imported when it does: starting needs none.
    """

    clock: Clock

    def shift(self, origin: ZoneInfo, destination: ZoneInfo, day: date | None) -> "Shift":
        """The shift on ``day``, or today at the origin; offsets are read at local noon in each zone."""
        from packhorse_circadian.domain import zones
        from packhorse_circadian.domain.shift import Shift

        day = day or self._today(origin)
        return Shift(zones.offset_at_noon(destination, day) - zones.offset_at_noon(origin, day))

    def plan(self, trip: "Trip") -> "Plan":
        """A plan for ``trip``, with no more preparation days than there are dates left before departure.

        A trip already begun is planned as asked.
        """
        if trip.departure > self.clock():
            left = (trip.departure_date - self._today(trip.origin)).days
            trip = evolve(trip, prep_days=min(trip.prep_days, left))
        return self.plan_as_asked(trip)

    def plan_as_asked(self, trip: "Trip") -> "Plan":
        """The same with every preparation day: for a plan already under way."""
        from packhorse_circadian.domain.plan import plan

        return plan(trip)

    def now(self, at: datetime | None) -> datetime:
        """The moment asked about, or the present one to the minute."""
        return at or self.clock().replace(second=0, microsecond=0)

    def replan(self, trip: "Trip", doings: "Doings") -> "Again":
        """The better of a new plan from what was done, and the old one."""
        from packhorse_circadian.domain.replan import again

        return again(trip, self.plan_as_asked(trip), doings)

    def calendar(self, plan: "Plan") -> str:
        """The plan as an iCalendar file, stamped with the present."""
        from packhorse_circadian.domain.calendar import calendar

        return calendar(plan, self.clock())

    def actogram(self, plan: "Plan", scheme: "Scheme") -> str:
        """The plan as a picture."""
        from packhorse_circadian.domain.actogram import actogram

        return actogram(plan, scheme)

    def sheet(self, plan: "Plan") -> str:
        """The plan as a page."""
        from packhorse_circadian.domain.sheet import sheet

        return sheet(plan)

    def simulate(self, protocol: "Protocol") -> "Course":
        """The body clock's course under ``protocol``, in steps of a tenth of an hour."""
        from packhorse_circadian.domain.oscillators.daylight import stretches
        from packhorse_circadian.domain.oscillators.runs import run

        return run(protocol.model, stretches(protocol.regimes), protocol.start, longest=LABORATORY_STEP)

    def shifts(self, rota: "Rota", report: "Report", stopped: Callable[[], bool]) -> "ShiftCourse":
        """Sleep and light for a rota.

        Raises:
            UserError: numpy is not installed.
        """
        try:
            from packhorse_circadian.search.shifts import searched
        except ImportError as error:
            raise UserError(
                "The tool plan_for_shifts needs numpy, which this server does not have. Install"
                " packhorse-circadian[shifts].",
                code="SHIFTS_UNAVAILABLE",
            ) from error
        return searched(rota, report, stopped)

    def standing(self, log: "ClockLog") -> "Standing":
        """Where the clock of a log's keeper stands."""
        from packhorse_circadian.domain.clock_log import standing

        return standing(log)

    def shift_calendar(self, course: "ShiftCourse") -> str:
        """The plan for shifts as an iCalendar file, stamped with the present."""
        from packhorse_circadian.domain.calendar import shift_calendar

        return shift_calendar(course, self.clock())

    def _today(self, zone: ZoneInfo) -> date:
        from packhorse_circadian.domain import zones

        return zones.shown(self.clock(), zone).date()
