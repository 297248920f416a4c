"""Places for calls that run at the same time."""

import threading
from collections.abc import Callable
from typing import Self


class Slots:
    """Counts calls in flight. A slot is held until the work has really ended, timed out or not."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.used = 0
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Take a slot if one is free."""
        with self._lock:
            if self.used >= self.size:
                return False
            self.used += 1
            return True

    def give(self) -> None:
        """Give one back; from any thread."""
        with self._lock:
            self.used -= 1


class Place:
    """One call's slots: of the host, and of the tool where that has its own. They are given back once.

    A block holds them to its end, unless `hand_over` was called in it: then
    they are held until what it gave has been called (by a thread that
    outlives its timeout).
    """

    __slots__ = ("_handed_over", "_once", "_slots")

    def __init__(self, *slots: Slots) -> None:
        self._slots = slots
        self._once = threading.Lock()
        self._handed_over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._handed_over:
            self._give()

    def hand_over(self) -> Callable[[], None]:
        self._handed_over = True
        return self._give

    def _give(self) -> None:
        # A thread that was queued when its call was given up may still run: only the first of the two counts.
        if self._once.acquire(blocking=False):
            for slots in self._slots:
                slots.give()
