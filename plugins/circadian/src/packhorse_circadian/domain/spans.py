"""Stretches of time."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from attrs import frozen


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
