"""A clock that is moved by hand."""

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 3, 1, 12, 0, 0, 123457, tzinfo=UTC)
"""With odd microseconds, so that nothing is exact in binary by chance."""


PATIENCE_SECONDS = 60
"""How long a test waits for a Redis that answers: on a busy machine a second, which callers wait, may not be enough."""


class Hand:
    """Shows ``now`` until somebody moves it."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
