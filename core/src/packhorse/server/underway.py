"""What is under way, for a server that must not stop in the middle of it."""

from collections.abc import Iterator
from contextlib import contextmanager

import anyio


class UnderWay:
    """Counts what has begun and not ended, and can end what takes too long."""

    def __init__(self) -> None:
        self._count = 0
        self._calls: set[anyio.CancelScope] = set()
        self._ended: anyio.Event | None = None

    @contextmanager
    def one(self) -> Iterator[None]:
        """Something that begins here and ends with the block."""
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1
            self._tell()

    @contextmanager
    def call(self) -> Iterator[anyio.CancelScope]:
        """As `one`, and `give_up` ends the block early; ``cancelled_caught`` of the scope then says so."""
        with anyio.CancelScope() as scope:
            self._calls.add(scope)
            try:
                yield scope
            finally:
                self._calls.discard(scope)
                self._tell()

    async def over(self) -> None:
        """Return when nothing is under way."""
        while self._count or self._calls:
            self._ended = anyio.Event()
            await self._ended.wait()

    def give_up(self) -> None:
        """End the calls that are still under way."""
        for scope in self._calls:
            scope.cancel()

    def _tell(self) -> None:
        if self._ended is not None:
            self._ended.set()
