"""A number that an answer says, with its unit."""

from attrs import frozen

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.case.units import family_of
from packhorse_discovery.domain.reading.words import spelled

STOPS = spelled(
    "for on in at and the to of or but is are was per a an then with by after before from until plus each it "
    "they we minus so which that because either there here too more though again now only max maximum minimum tops "
    "also instead altogether total together roughly usually normally whatever when if while"
)
"""A word after a number that is no noun, so that its unit was said before."""
VERBS = spelled("takes take is are needs need runs run gets get lasts last was costs")


@frozen
class Amount:
    """A number or a range, its unit and where it stands: ``first`` and ``last`` are tokens, the unit among them.

    ``unit`` is "" where none was said; then ``carried`` are the units that an
    earlier number gives it, and ``gives`` the unit that it gives to later ones.
    ``per`` are the minutes of "an hour" in "600 sheets an hour";
    an ``echo`` speaks of a number before it: "as many", "twice that".
    """

    low: float
    high: float
    first: int
    last: int
    unit: str = ""
    carried: tuple[str, ...] = ()
    gives: str = ""
    ordinal: bool = False
    parts: int = 1
    per: float = 0.0
    echo: bool = False

    @property
    def family(self) -> str:
        """What it measures; "count" where it has no unit of its own."""
        return family_of(self.unit) if self.unit else "count"

    def means(self, low: float, high: float, unit: str) -> bool:
        """Whether it is the range from ``low`` to ``high`` in ``unit``, by itself or with a unit it shares."""
        for own in (self.unit,) if self.unit else ("", *self.carried):
            if own in MINUTES and unit in MINUTES:
                ratio = MINUTES[own] / MINUTES[unit]
            elif own == unit:
                ratio = 1.0
            else:
                continue
            if close(self.low * ratio, low) and close(self.high * ratio, high):
                return True
        return False


def close(one: float, other: float) -> bool:
    """Equal but for rounding."""
    return abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))
