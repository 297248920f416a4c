"""The body clock on a journey, as published rules of thumb have it.

Two markers say where it stands: the low point of core body temperature
(CBTmin, here the *low*) and the onset of melatonin in dim light (DLMO).
Estimates for one person may be off by an hour either way.
"""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from attrs import frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING
from packhorse_circadian.domain.trip import Trip

# The low comes about 3 h before a habitual waking time: Eastman & Burgess 2009
# (Sleep Med Clin 4:241). Oscillator models lit from 07 to 23 put it at 03:20
# to 04:45 (Forger, Jewett & Kronauer 1999; Hannay, Booth & Forger 2019).
LOW_BEFORE_WAKE = 3 * HOUR

# Melatonin rises 7 h before the low: the constant of the published
# implementations of those models (Hannay's `circadian`, all four models).
ONSET_BEFORE_LOW = 7 * HOUR

# Eastman & Burgess 2009: bedtimes and light can move the clock 1 h a day at
# home; 2 h a day gained little more and broke sleep (Eastman et al. 2005,
# Sleep 28:33). The same careful rate is used after landing.
DAILY_MOVE = HOUR

# Bedtime after landing is never further than this from the destination's
# usual one, so that nights move by no more than 3 h a day.
WIDEST_BEDTIME = 3 * HOUR


@frozen
class Low:
    """One low point of the body clock, and how much of the shift is left at it."""

    at: datetime
    left: timedelta

    @property
    def onset(self) -> datetime:
        """When melatonin began to rise before it."""
        return self.at - ONSET_BEFORE_LOW


@frozen
class BodyClock:
    """Where the clock of this traveller stands on each date.

    It moves one `DAILY_MOVE` a day in preparation, rests on the travel day and
    goes on at the destination until nothing is left.
    """

    trip: Trip

    @property
    def sign(self) -> int:
        """+1 where the clock must move later (delay), -1 where earlier, 0 for no shift."""
        return {"delay": 1, "advance": -1, "none": 0}[self.trip.shift.direction]

    @property
    def whole(self) -> timedelta:
        """The shift to make, in whole minutes (some historical offsets had odd seconds)."""
        size = self.trip.shift.size
        return size - size % timedelta(minutes=1)

    @property
    def prepared(self) -> timedelta:
        """What the days before departure gain."""
        return min(self.trip.prep_days * DAILY_MOVE, self.whole)

    @property
    def days_after(self) -> int:
        """Days at the destination until the body has arrived, the arrival date included.

        `Shift.days` at one hour a day for what preparation leaves: 7 h after
        3 days of preparation leave 4 h, which take 5 days, as in the
        specification's example. One day where nothing is left.
        """
        return (self.whole - self.prepared) // DAILY_MOVE + 1

    def moved(self, day: date) -> timedelta:
        """How far the clock has moved by the morning of ``day`` at the origin."""
        days = min(max((day - self.trip.first_date).days, 0), self.trip.prep_days)
        return min(days * DAILY_MOVE, self.whole)

    def left(self, day: date) -> timedelta:
        """How far it still has to go on the morning of ``day`` at the destination."""
        days = max((day - self.trip.arrival_date).days, 0)
        return max(self.whole - self.prepared - days * DAILY_MOVE, NOTHING)

    def wake_at_origin(self, day: date) -> datetime:
        """Planned waking on ``day``, moved with the clock."""
        return self._usual_wake(day, self.trip.origin) + self.sign * self.moved(day)

    def wake_at_destination(self, day: date) -> datetime:
        """Planned waking on ``day``: on local hours, stretched toward the clock by 3 h at most."""
        return self._usual_wake(day, self.trip.destination) - self.sign * min(self.left(day), WIDEST_BEDTIME)

    def low_at_origin(self, day: date) -> Low:
        """The low that belongs to waking on ``day``."""
        wake = self.wake_at_origin(day)
        return Low(zones.whole_minute(wake - LOW_BEFORE_WAKE, self.trip.origin), self.whole - self.moved(day))

    def low_at_destination(self, day: date) -> Low:
        """The low that belongs to ``day``; while much is left it may fall on the day before, or at noon."""
        left = self.left(day)
        at = self._usual_wake(day, self.trip.destination) - self.sign * left - LOW_BEFORE_WAKE
        return Low(zones.whole_minute(at, self.trip.destination), left)

    def _usual_wake(self, day: date, zone: ZoneInfo) -> datetime:
        return zones.instant(day, self.trip.habits.wake, zone)


def dates(first: date, last: date) -> tuple[date, ...]:
    """Every date from ``first`` to ``last``, both included."""
    return tuple(first + n * DAY for n in range((last - first).days + 1))
