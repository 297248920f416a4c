"""What a tick is, ticks in words, and how long a tick is chosen to be."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from fractions import Fraction
from math import gcd, lcm

from attrs import field, frozen, validators

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
COUNTED = frozenset({"time unit", "slot"})
"""Names of ticks that have no length in seconds."""


@frozen
class Clock:
    """What a tick is: ``seconds`` long, called ``name`` (``minute``, ``15 minutes``, ``slot``).

    ``error_seconds`` is the largest rounding error of any one duration.
    ``origin`` is tick 0 as ISO 8601 local text, where the interview said it.
    With ``week``, tick 0 is a Monday at midnight, of whatever date.
    """

    seconds: int = field(default=60, validator=validators.ge(1))
    name: str = "minute"
    error_seconds: float = 0.0
    origin: str | None = None
    week: bool = False

    def lasting(self, ticks: int) -> str:
        """A stretch of time in words: 90 ticks of a minute are ``1 h 30 min``."""
        if self.name in COUNTED:
            return f"{ticks} {self.name}{'' if ticks == 1 else 's'}"
        left = ticks * self.seconds
        parts = []
        for seconds, unit in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
            count, left = divmod(left, seconds)
            if count:
                parts.append(f"{count} {unit}")
        return " ".join(parts) or "no time"

    def at(self, tick: int) -> str:
        """An instant in words: date or weekday and time where they are known, else how long after the start."""
        if self.origin is not None:
            return f"{datetime.fromisoformat(self.origin) + timedelta(seconds=tick * self.seconds):%Y-%m-%d %H:%M}"
        if self.week:
            weeks, seconds = divmod(tick * self.seconds, 604_800)
            day, clock = divmod(seconds, 86_400)
            later = f" of week {weeks + 1}" if weeks else ""
            return f"{_DAYS[day]} {clock // 3600:02}:{clock // 60 % 60:02}{later}"
        return f"{self.lasting(tick)} after the start" if tick else "the start"

    def marks(self, end: int) -> list[tuple[int, str]]:
        """At most nine ticks from 0 to ``end`` at which an axis is labelled, each an even step of a clock apart."""
        wanted = end * self.seconds / 8
        seconds = next((each for each in _STEPS if each >= wanted and each % self.seconds == 0), None)
        step = seconds // self.seconds if seconds is not None else max(end // 8, 1)
        known = self.origin is not None or self.week
        return [
            (tick, self.at(tick) if known else self.lasting(tick) if tick else "0") for tick in range(0, end + 1, step)
        ]


# Steps between marks on an axis, in seconds: those of a clock, then of a calendar.
_STEPS = (1, 5, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800, 1209600)

MOST_TICKS = 100_000
"""Ticks of all work together, above which a coarser clock is taken: far inside the 32-bit range of most solvers."""

# Ticks that a person can read, in seconds.
_LADDER: tuple[tuple[int, str], ...] = (
    (1, "second"),
    (5, "5 seconds"),
    (15, "15 seconds"),
    (30, "half a minute"),
    (60, "minute"),
    (300, "5 minutes"),
    (600, "10 minutes"),
    (900, "15 minutes"),
    (1800, "half an hour"),
    (3600, "hour"),
    (7200, "2 hours"),
    (14400, "4 hours"),
    (21600, "6 hours"),
    (43200, "half a day"),
    (86400, "day"),
    (604800, "week"),
)


@frozen
class Grain:
    """A tick of ``seconds``; ``fits`` says whether every duration is a whole number of them."""

    seconds: int
    name: str
    fits: bool

    def ticks(self, seconds: Fraction) -> int:
        """Whole ticks nearest to ``seconds``, halves up; at least 1 for anything above zero."""
        nearest = int(seconds / self.seconds + Fraction(1, 2))
        return max(nearest, 1) if seconds > 0 else max(nearest, 0)

    def error_seconds(self, seconds: Fraction) -> Fraction:
        """How far the ticks are from the duration itself."""
        return abs(self.ticks(seconds) * self.seconds - seconds)

    def clock(self, durations: Iterable[Fraction], origin: str | None = None, *, week: bool = False) -> Clock:
        """The clock of a model with these durations (seconds)."""
        worst = max((self.error_seconds(each) for each in durations), default=Fraction(0))
        return Clock(self.seconds, self.name, float(worst), origin, week)


def grain(durations: Iterable[Fraction], exact: Iterable[Fraction] = ()) -> Grain:
    """The longest readable tick that divides every duration (in seconds), or the shortest that is not too fine.

    ``exact`` are instants that should fall on a tick too (opening times). When
    all durations together are more than `MOST_TICKS` of the common divisor, a
    coarser tick is taken and durations are rounded; `Grain.fits` is then False.
    """
    every = [each for each in durations if each > 0]
    divisor = _common(every + [each for each in exact if each > 0])
    total = sum(every, Fraction(0))
    divides = [step for step in _LADDER if divisor % step[0] == 0] if divisor else [(60, "minute")]
    seconds, name = divides[-1] if divides else _LADDER[0]
    if total / seconds > MOST_TICKS:
        seconds, name = next((step for step in _LADDER if total / step[0] <= MOST_TICKS), _LADDER[-1])
    return Grain(seconds, name, all((each / seconds).denominator == 1 for each in every))


def _common(values: list[Fraction]) -> Fraction:
    """The greatest number that divides all of ``values`` a whole number of times; 0 where there are none."""
    if not values:
        return Fraction(0)
    below = lcm(*(each.denominator for each in values))
    return Fraction(gcd(*(int(each * below) for each in values)), below)


def name_of(seconds: int) -> str:
    """What a tick of this many seconds is called."""
    return dict(_LADDER).get(seconds) or (f"{seconds // 60} minutes" if seconds % 60 == 0 else f"{seconds} seconds")
