"""How the pack's own work goes: times beside the specification's thresholds, and what became of the calls."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf

from attrs import define, field, frozen

from packhorse import UserError

THRESHOLDS_MS = {
    "search_by_name": 2000,
    "search_by_alien_number": 800,
    "search_by_facility": 1200,
    "bulk_search": 5000,
    "parse_natural_query": 500,
}
"""The longest response times that the specification names (Performance Characteristics)."""

REMEMBERED = 500
"""Newest calls of a tool from which its 95th percentile is taken."""

FEWEST = 20
"""Calls below which a percentile says nothing."""


@frozen
class Work:
    """What a tool has done since the start. Answers that the host had kept are no work, and not in it.

    Attributes:
        tool: Its name.
        answered: Calls that were answered.
        refused: Calls that were refused, mendably.
        failed: Calls that ended in a bug or were given up.
        beyond: Calls that took longer than the specification allows.
        p95_ms: 95th percentile of the newest calls' time, None before there are ``FEWEST``.
        threshold_ms: What the specification allows, None where it names nothing.
    """

    tool: str
    answered: int
    refused: int
    failed: int
    beyond: int
    p95_ms: float | None
    threshold_ms: int | None

    @property
    def is_slow(self) -> bool:
        """Whether the newest calls take longer than the specification allows."""
        return self.p95_ms is not None and self.threshold_ms is not None and self.p95_ms > self.threshold_ms


@define
class _Tally:
    answered: int = 0
    refused: int = 0
    failed: int = 0
    beyond: int = 0
    spent: deque[float] = field(factory=lambda: deque(maxlen=REMEMBERED))


class Telemetry:
    """Counts and times calls, from any thread; it holds numbers and the names of tools, nothing of a call."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
        self._lock = threading.Lock()

    @contextmanager
    def timed(self, tool: str) -> Iterator[None]:
        """Count one call, and the time it took."""
        began = self._monotonic()
        ended = "failed"
        try:
            yield
            ended = "answered"
        except UserError:
            ended = "refused"
            raise
        finally:
            spent = (self._monotonic() - began) * 1e3
            with self._lock:
                tally = self._tallies[tool]
                setattr(tally, ended, getattr(tally, ended) + 1)
                tally.beyond += spent > THRESHOLDS_MS.get(tool, inf)
                tally.spent.append(spent)

    def work(self) -> list[Work]:
        """What each tool has done, by name."""
        with self._lock:
            return [_work(tool, self._tallies[tool]) for tool in sorted(self._tallies)]


def _work(tool: str, tally: _Tally) -> Work:
    spent = sorted(tally.spent)
    p95 = round(spent[int(len(spent) * 0.95)], 1) if len(spent) >= FEWEST else None
    return Work(tool, tally.answered, tally.refused, tally.failed, tally.beyond, p95, THRESHOLDS_MS.get(tool))
