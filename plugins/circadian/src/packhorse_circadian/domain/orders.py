"""The orders of a plan: what to do, from when to when, and where."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal

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
]


@frozen
class Order:
    """One thing to do at ``start``, until ``end`` where it takes time. Instants are UTC."""

    kind: Kind
    start: datetime
    end: datetime | None = field(default=None, kw_only=True)
    place: Place = field(kw_only=True)

    @end.validator
    def _after_start(self, _: object, value: datetime | None) -> None:
        if value is not None and value <= self.start:
            raise ValueError("an order ends after it starts")


@frozen
class Span:
    """A stretch of time, ``end`` exclusive; may be empty or reversed, which is the same as empty."""

    start: datetime
    end: datetime

    @property
    def length(self) -> timedelta:
        """How long; negative when reversed."""
        return self.end - self.start

    def holds(self, at: datetime) -> bool:
        """Whether the instant lies in it."""
        return self.start <= at < self.end

    def within(self, other: "Span") -> "Span":
        """The part of it inside ``other``."""
        return Span(max(self.start, other.start), min(self.end, other.end))

    def meets(self, other: "Span") -> bool:
        """Whether the two share any time."""
        return self.start < other.end and other.start < self.end


def between(spans: Iterable[Span], within: Span) -> tuple[Span, ...]:
    """What is left of ``within`` when ``spans`` (in order) are taken out."""
    left, at = [], within.start
    for span in spans:
        left.append(Span(at, span.start).within(within))
        at = max(at, span.end)
    left.append(Span(at, within.end))
    return tuple(span for span in left if span.start < span.end)
