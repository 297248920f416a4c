"""Refusals that one caller repeats: the first of a minute are entered one by one, the others counted in one row.

A flood of requests that the server refuses would else fill the disk of the
audit record, and the log: both grow by no more than `ONE_BY_ONE` + 1 entries
for each caller and kind of refusal in a minute.
"""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

ONE_BY_ONE = 10
"""Refusals of one kind that a caller has entered one by one, each minute."""

WINDOW_SECONDS = 60.0

MOST_WINDOWS = 1024
"""Callers and kinds counted one by one at a time; beyond that, each kind has one window for all callers."""

Enter = Callable[[str, int], None]
"""Enters refusals in the record, from the request id that their callers have and how many they are."""


@dataclass(slots=True)
class _Window:
    begun: float
    enter: Enter
    one_by_one: int = 0
    counted: int = 0
    request_id: str = ""


class Repeats:
    """Decides for each refusal whether it has an entry of its own. For one event loop."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._windows: dict[Hashable, _Window] = {}

    def take(self, caller: str | None, kind: Hashable, request_id: str, enter: Callable[[str | None], Enter]) -> str:
        """Enter a refusal, now or counted with others at the end of its minute; the id under which it is found.

        ``enter`` gives what enters refusals of a caller, None where they are several callers'.
        """
        now = self._now()
        self.settle(now)
        if (caller, kind) not in self._windows and len(self._windows) >= MOST_WINDOWS:
            caller = None
        window = self._windows.get((caller, kind))
        if window is None:
            window = self._windows[caller, kind] = _Window(now, enter(caller))
        if window.one_by_one < ONE_BY_ONE:
            window.one_by_one += 1
            window.enter(request_id, 1)
            return request_id
        if not window.counted:
            window.request_id = request_id
        window.counted += 1
        return window.request_id

    def settle(self, now: float | None = None) -> None:
        now = self._now() if now is None else now
        while self._windows:
            key, window = next(iter(self._windows.items()))  # the oldest
            if now - window.begun < WINDOW_SECONDS:
                return
            self._end(key, window)

    def close(self) -> None:
        for key, window in list(self._windows.items()):
            self._end(key, window)

    def _end(self, key: Hashable, window: _Window) -> None:
        del self._windows[key]
        if window.counted:
            window.enter(window.request_id, window.counted)
