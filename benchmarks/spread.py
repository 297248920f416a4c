"""Samples that were taken in turns, and how one side compares with another."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """A median with its quartiles."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> "Spread":
        """The spread of at least one sample."""
        if len(samples) == 1:
            return cls(samples[0], samples[0], samples[0])
        low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
        return cls(low, median, high)

    def shown(self, digits: int) -> str:
        """``median (low to high)``."""
        return f"{self.median:,.{digits}f} ({self.low:,.{digits}f} to {self.high:,.{digits}f})"


def ratio(ours: Sequence[float], peer: Sequence[float]) -> Spread:
    """The spread of ours / peer, pair by pair: what both felt in one round cancels out."""
    return Spread.of([one / other for one, other in zip(ours, peer, strict=True)])


def order(sides: Sequence[str], turn: int) -> list[str]:
    """Whose turn comes when: every side is first equally often, and each pair of sides meets in both orders."""
    start = turn // 2 % len(sides)
    turned = [*sides[start:], *sides[:start]]
    return turned if turn % 2 == 0 else turned[::-1]
