"""How many questions at a time a source is asked: fewer while it fails."""

from __future__ import annotations

import threading

MOST_AT_ONCE = 10
"""Questions of one source under way while it is well: the specification's number of calls at a time."""


class Pace:
    """Additive increase, multiplicative decrease (Chiu and Jain 1989): halved by a failure, one more by an answer."""

    def __init__(self, most: int = MOST_AT_ONCE) -> None:
        self._most = most
        self._width = float(most)
        self._under_way = 0
        self._lock = threading.Lock()

    @property
    def width(self) -> int:
        """How many may be under way now, at least one."""
        return int(self._width)

    def begin(self) -> bool:
        """Take a place for one question; False where there is none, and then the source is not to be asked."""
        with self._lock:
            if self._under_way >= self.width:
                return False
            self._under_way += 1
            return True

    def end(self, *, answered: bool) -> None:
        """Give the place back, and say how the question fared."""
        with self._lock:
            self._under_way -= 1
            self._width = min(self._width + 1, self._most) if answered else max(self._width / 2, 1.0)
