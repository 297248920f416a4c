"""What is under way, for a server that must not stop in the middle of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import anyio


class UnderWay:
    """Counts what has begun and not ended, and can end what takes too long."""

    def __init__(self, give_up: Callable[[], None]) -> None:
        """``give_up`` ends what runs behind the dispatcher's door."""
        self._give_up = give_up
        self._count = 0
        self._asking: set[anyio.CancelScope] = set()
        self._ended: anyio.Event | None = None

    @contextmanager
    def one(self) -> Iterator[None]:
        self.begin()
        try:
            yield
        finally:
            self.end()

    def begin(self) -> None:
        self._count += 1

    def end(self) -> None:
        self._count -= 1
        self._tell()

    @contextmanager
    def question(self) -> Iterator[anyio.CancelScope]:
        """A call waits for its client here; `give_up` ends the block early, and the scope was then cancelled."""
        with anyio.CancelScope() as scope:
            self._asking.add(scope)
            try:
                yield scope
            finally:
                self._asking.discard(scope)
                self._tell()

    async def over(self) -> None:
        while self._count or self._asking:
            self._ended = anyio.Event()
            await self._ended.wait()

    def give_up(self) -> None:
        self._give_up()
        for scope in self._asking:
            scope.cancel()

    def _tell(self) -> None:
        if self._ended is not None:
            self._ended.set()
