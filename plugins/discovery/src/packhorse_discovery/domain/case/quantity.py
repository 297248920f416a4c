"""A quantity as somebody said it: the words kept, the numbers beside them."""

from typing import Literal

from attrs import evolve, field, frozen

Unit = str
"""A unit in its singular English form: ``minute``, ``kilogram``, ``piece``; ``""`` where none was said."""

Family = Literal["time", "mass", "volume", "length", "share", "money", "temperature", "count", "other"]

# SI brochure, 9th edition, tables 7 and 8 for minute, hour and day; a week is 7 days. A working day is not a day:
# durations in shifts or business days keep their unit until somebody says how long one is.
MINUTES: dict[Unit, float] = {
    "second": 1 / 60,
    "minute": 1.0,
    "hour": 60.0,
    "day": 1440.0,
    "week": 10080.0,
}
"""Minutes in one of each unit of time that has a fixed length."""


def _ordered(instance: "Quantity", attribute: object, value: float | None) -> None:
    if value is not None and instance.low is not None and value < instance.low:
        raise ValueError("the upper end of a quantity must not be below its lower end")


@frozen
class Quantity:
    """What was said and what it means.

    ``low`` and ``high`` bound the value (equal for a single number; one of
    them None for "at least" and "at most"; both None where it was said only
    in words, as in "it varies"). ``mode`` is the typical value where one was
    named. ``unit`` applies to all three. ``per`` is the basis of a rate
    ("part" in "5 min/part"), ``per_count`` how many of them (300 in "11 h per
    300-unit lot"). ``approximate`` is set by "about", "~" and the like.
    ``cases`` are the labelled parts of an answer that is not one number
    ("ales 5-7; lagers 10-14"), which then has no bounds of its own; ``setup``
    is a preparation that was told apart ("setup 1-2"). ``inverted`` says that
    the larger end was said first ("between 5 and 3").
    """

    text: str
    low: float | None = None
    high: float | None = field(default=None, validator=_ordered)
    mode: float | None = None
    unit: Unit = ""
    per: str | None = None
    per_count: float | None = None
    approximate: bool = False
    cases: "tuple[tuple[str, Quantity], ...]" = ()
    setup: "Quantity | None" = None
    inverted: bool = False

    @property
    def words(self) -> str:
        """What was said, with its unit."""
        return self.text if not self.unit or self.unit in self.text else f"{self.text} {self.unit}s"

    @property
    def typical(self) -> float | None:
        """One number to plan with: the named typical value, else the middle of the range, else the bound there is."""
        if self.mode is not None:
            return self.mode
        if self.low is not None and self.high is not None:
            return (self.low + self.high) / 2
        return self.low if self.low is not None else self.high

    @property
    def exact(self) -> bool:
        """Whether a single number was said, without "about"."""
        return self.low is not None and self.low == self.high and not self.approximate

    @property
    def typical_minutes(self) -> float | None:
        """`typical` in minutes; None where there is no number or the unit has no fixed length in minutes."""
        factor = MINUTES.get(self.unit)
        return None if factor is None or self.typical is None else self.typical * factor

    def scaled(self, factor: float) -> "Quantity":
        """The same quantity, every number times ``factor``; the words stay."""
        grown = [None if number is None else number * factor for number in (self.low, self.high, self.mode)]
        return evolve(self, low=grown[0], high=grown[1], mode=grown[2])
