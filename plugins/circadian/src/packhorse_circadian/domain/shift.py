"""How far a journey moves the clock, which way is shorter, and how hard it is."""

from datetime import timedelta
from typing import Literal

from attrs import field, frozen, validators

Direction = Literal["advance", "delay", "none"]
Difficulty = Literal["easy", "moderate", "hard"]

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NOTHING = timedelta(0)

# Hours up to which a shift is easy, and moderate; beyond, hard. The product's
# own bands (2 and 5 h for advances, 3 and 6 h for delays), widened by half an
# hour so that 5.75 h and other fractions fall into one of them. Delays are
# easier: the free-running human day is longer than 24 h (Czeisler et al. 1999,
# Science 284:2177).
_BANDS: dict[Direction, tuple[timedelta, timedelta]] = {
    "advance": (2.5 * HOUR, 5.5 * HOUR),
    "delay": (3.5 * HOUR, 6.5 * HOUR),
}

# Hours of clock gained a day: the specification's "typical adaptation rates".
RATE_WITH = 1.5 * HOUR
RATE_WITHOUT = 1.0 * HOUR


@frozen
class Shift:
    """A move of the clock. ``raw`` is destination minus origin, as the map says it: -26 to 26 h.

    Other hours of sleep at the destination add up to 12 h either way.
    """

    raw: timedelta = field(validator=[validators.ge(-38 * HOUR), validators.le(38 * HOUR)])

    @property
    def signed(self) -> timedelta:
        """The shorter way round: from -12 h (delay) to below 12 h (advance).

        Exactly 12 h either way is a delay, the easier direction.
        """
        return (self.raw + 12 * HOUR) % DAY - 12 * HOUR

    @property
    def size(self) -> timedelta:
        """Magnitude of the shorter way: 0 to 12 h."""
        return abs(self.signed)

    @property
    def direction(self) -> Direction:
        """Which way the body clock has to move."""
        return _direction(self.signed)

    @property
    def raw_direction(self) -> Direction:
        """Which way the wall clock moves."""
        return _direction(self.raw)

    @property
    def wraps(self) -> bool:
        """Whether the body clock has a shorter way than the wall clock."""
        return self.signed != self.raw

    @property
    def difficulty(self) -> Difficulty:
        """How hard the body takes it; no shift is easy."""
        if self.direction == "none":
            return "easy"
        easy, moderate = _BANDS[self.direction]
        return "easy" if self.size <= easy else "moderate" if self.size <= moderate else "hard"

    def days(self, rate: timedelta) -> int:
        """Days to adapt at ``rate`` of clock a day; 0 for no shift.

        One day more than the whole days of work. That follows the
        specification's example (7 h take 5 and 8 days) against its text, whose
        plain quotient, rounded up, would give 5 and 7.
        """
        return self.size // rate + 1 if self.size else 0


def _direction(signed: timedelta) -> Direction:
    return "advance" if signed > NOTHING else "delay" if signed < NOTHING else "none"
