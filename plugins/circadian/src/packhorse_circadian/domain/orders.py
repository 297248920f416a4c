"""The orders of a plan: what to do, from when to when, and where."""

from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from attrs import field, frozen

from packhorse_circadian.domain.nights import Place

Kind = Literal[
    "sleep",
    "wake",
    "bright_light",
    "dim_light",
    "melatonin",
    "caffeine_ok",
    "caffeine_cutoff",
    "nap",
    "in_flight_sleep",
    "exercise",
    "flight",
    "arrival",
]


@frozen
class Order:
    """One thing to do at ``start``, until ``end`` where it takes time. Instants are UTC."""

    kind: Kind
    start: datetime
    end: datetime | None = field(default=None, kw_only=True)
    place: Place = field(kw_only=True)
    dose_mg: float | None = field(default=None, kw_only=True)
    """Of melatonin, where it is that."""
    worth: float | None = field(default=None, kw_only=True)
    """Days that leaving it out costs the population on average, of light."""
    stop: ZoneInfo | None = field(default=None, kw_only=True)
    """The clock of the stop between flights at which it is done, or a flight leaves."""

    @property
    def length(self) -> timedelta:
        """How long it takes; nothing for a moment."""
        return self.end - self.start if self.end else timedelta(0)

    @end.validator
    def _after_start(self, _: object, value: datetime | None) -> None:
        if value is not None and value <= self.start:
            raise ValueError("an order ends after it starts")
