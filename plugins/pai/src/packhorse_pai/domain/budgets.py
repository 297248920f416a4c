"""What runs have used, and what is left: each use counts for the run and for every run above it."""

from collections import deque
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal

from attrs import define, field

from packhorse_pai.domain.policy import Limits

Kind = Literal["turns", "calls", "spawns", "tokens"]


@define
class Ledger:
    """One run's account. The only value here that changes: its holder locks it."""

    agent: str
    limits: Limits
    started: datetime
    used: dict[Kind, int] = field(factory=lambda: {"turns": 0, "calls": 0, "spawns": 0, "tokens": 0})

    def left(self, kind: Kind) -> int:
        """How many more of ``kind``; never below 0."""
        return max(0, int(getattr(self.limits, kind)) - self.used[kind])

    def seconds_left(self, now: datetime) -> float:
        """Seconds of wall time. A clock that was set back gives no more than at the start."""
        gone = max(0.0, (now - self.started).total_seconds())
        return max(0.0, self.limits.seconds - gone)


_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 24 * 3600}


@define
class Pace:
    """A card's rate, such as ``30/hour``: calls in a window that moves. Kept by one process."""

    rate: str
    taken: deque[datetime] = field(factory=deque)

    def take(self, now: datetime) -> bool:
        """Whether one more call fits into the window; counted where it does. A clock that was set back frees none."""
        most, unit = self.rate.split("/")
        while self.taken and (now - self.taken[0]).total_seconds() >= _UNITS[unit]:
            self.taken.popleft()
        if len(self.taken) >= int(most):
            return False
        self.taken.append(now)
        return True


def reserve(ledgers: Iterable[Ledger], wanted: Mapping[Kind, int], now: datetime) -> str | None:
    """Take ``wanted`` from every ledger, or from none: None when taken, else what is exhausted and whose.

    Not atomic by itself: hold one lock for the whole tree around it.
    """
    every = tuple(ledgers)
    for ledger in every:
        if ledger.seconds_left(now) <= 0:
            return f"{ledger.agent} has used its {ledger.limits.seconds} seconds."
        for kind, amount in wanted.items():
            if ledger.used[kind] + amount > getattr(ledger.limits, kind):
                return f"{ledger.agent} has used its {getattr(ledger.limits, kind)} {kind}."
    for ledger in every:
        for kind, amount in wanted.items():
            ledger.used[kind] += amount
    return None


def child_limits(own: Limits, above: Iterable[Ledger], now: datetime) -> Limits:
    """A child's limits: its own, and never more than is left to any run above it."""
    for ledger in above:
        own = own.lowered(
            {
                "turns": ledger.left("turns"),
                "calls": ledger.left("calls"),
                "spawns": ledger.left("spawns"),
                "tokens": ledger.left("tokens"),
                "seconds": int(ledger.seconds_left(now)),
                "depth": ledger.limits.depth,
            }
        )
    return own
