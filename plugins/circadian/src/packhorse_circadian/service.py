"""The desk: reads the clock, asks the domain."""

from datetime import date
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from packhorse.clock import Clock
from packhorse_circadian.domain import zones
from packhorse_circadian.domain.plan import Plan
from packhorse_circadian.domain.plan import plan as plan_for
from packhorse_circadian.domain.shift import Shift
from packhorse_circadian.domain.trip import Trip


@frozen
class JetLagDesk:
    """Answers about one journey. ``clock`` gives the present instant in UTC."""

    clock: Clock

    def shift(self, origin: ZoneInfo, destination: ZoneInfo, day: date | None) -> Shift:
        """The shift on ``day``, or today at the origin; offsets are read at local noon in each zone."""
        day = day or self._today(origin)
        return Shift(zones.offset_at_noon(destination, day) - zones.offset_at_noon(origin, day))

    def plan(self, trip: Trip) -> Plan:
        """A plan for ``trip``, with no more preparation days than there are dates left before departure.

        A trip already begun is planned as asked.
        """
        if trip.departure > self.clock():
            left = (trip.departure_date - self._today(trip.origin)).days
            trip = evolve(trip, prep_days=min(trip.prep_days, left))
        return plan_for(trip)

    def _today(self, zone: ZoneInfo) -> date:
        return zones.shown(self.clock(), zone).date()
