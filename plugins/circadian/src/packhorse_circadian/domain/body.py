"""The body clock on a journey: how far each night is moved, and where its lows are.

Two markers say where the clock stands: the low point of core body temperature
(CBTmin, here the *low*) and the onset of melatonin in dim light (DLMO).
Estimates for one person may be off by an hour either way.
"""

from bisect import bisect_left
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from attrs import field, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING, Direction
from packhorse_circadian.domain.trip import Habits, Trip

# The low comes about 3 h before a habitual waking time: Eastman & Burgess 2009
# (Sleep Med Clin 4:241). Oscillator models lit from 07 to 23 put it at 03:20
# to 04:45 (Forger, Jewett & Kronauer 1999; Hannay, Booth & Forger 2019).
LOW_BEFORE_WAKE = 3 * HOUR

# Melatonin rises 7 h before the low: the constant of the published
# implementations of those models (Hannay's `circadian`, all four models).
ONSET_BEFORE_LOW = 7 * HOUR


@frozen
class Low:
    """One low point of the body clock, and how much of the shift is left at it."""

    at: datetime
    left: timedelta

    @property
    def onset(self) -> datetime:
        """When melatonin began to rise before it."""
        return self.at - ONSET_BEFORE_LOW


@frozen(repr=False)
class Timetable:
    """How far from the usual hours each night is, by the date of its waking; later is positive."""

    trip: Trip
    home: Mapping[date, timedelta] = field(factory=dict)
    away: Mapping[date, timedelta] = field(factory=dict)
    last: date = field()
    """The last date of the plan, at the destination."""

    @last.default
    def _arrival(self) -> date:
        return self.trip.arrival_date

    def moved(self, day: date) -> timedelta:
        """How far waking on ``day`` at the origin is moved; after the last night of preparation, as that one."""
        known = [when for when in self.home if when <= day]
        return self.home[max(known)] if known else NOTHING

    def wake_at_origin(self, day: date) -> datetime:
        """Planned waking on ``day``, to the quarter hour."""
        return self._wake(day, self.trip.origin, self.trip.habits, self.moved(day))

    def wake_at_destination(self, day: date) -> datetime:
        """Planned waking on ``day``, to the quarter hour."""
        return self._wake(day, self.trip.destination, self.trip.aims, self.away.get(day, NOTHING))

    def _wake(self, day: date, zone: ZoneInfo, hours: Habits, moved: timedelta) -> datetime:
        return zones.quarter_hour(zones.instant(day, hours.wake, zone), zone) + moved


@frozen(repr=False)
class BodyClock:
    """Where the simulated clock of this traveller stands, and when it will have arrived."""

    trip: Trip
    lows: tuple[Low, ...]
    way: Direction
    """Which way the clock in fact moves; for large shifts not always the shorter one."""
    gained: timedelta
    """How far it has moved that way by departure."""

    def near(self, at: datetime) -> Low:
        """The low nearest to an instant."""
        after = bisect_left(self.lows, at, key=lambda low: low.at)
        around = self.lows[max(after - 1, 0) : after + 1]
        return min(around, key=lambda low: abs(low.at - at))

    def low(self, day: date, zone: ZoneInfo) -> Low:
        """The low that belongs to ``day``: the one nearest to where it will be when adapted."""
        usual = zones.instant(day, self.trip.habits.wake, zone) - LOW_BEFORE_WAKE
        found = self.near(usual)
        return Low(zones.whole_minute(found.at, zone), found.left)

    def phase(self, at: datetime) -> timedelta:
        """Time since the nearest low; negative before it."""
        return at - self.near(at).at


def dates(first: date, last: date) -> tuple[date, ...]:
    """Every date from ``first`` to ``last``, both included."""
    return tuple(first + n * DAY for n in range((last - first).days + 1))


def effect(phase: timedelta) -> Direction:
    """Which way light so long after the low moves the clock: later before it, earlier after it, none in the afternoon.

    The phase response curve of Khalsa et al. 2003 (J Physiol 549:945).
    """
    if abs(phase) > 9 * HOUR:
        return "none"
    return "delay" if phase < NOTHING else "advance"
