"""How many calls one client may have running."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from packhorse import Principal, UserError

MOST_CALLS = 10
"""Calls of one client at a time: the specification's number."""


class Seats:
    """Counts running calls by verified subject. Callers without one are counted by the host, by address."""

    def __init__(self, most: int = MOST_CALLS) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def taken(self, principal: Principal) -> Iterator[None]:
        """A seat for one call.

        Raises:
            UserError: CONCURRENT_LIMIT_EXCEEDED, where the client has none left.
        """
        who = principal.subject or (principal.kind if principal.kind == "local" else None)
        if who is None:
            yield
            return
        with self._lock:
            if self._taken[who] >= self._most:
                raise UserError(
                    f"You have {self._most} searches running, the maximum for one client. Wait for a search to"
                    " end, then ask again.",
                    code="CONCURRENT_LIMIT_EXCEEDED",
                    details={"limit": self._most},
                )
            self._taken[who] += 1
        try:
            yield
        finally:
            with self._lock:
                self._taken[who] -= 1
                if not self._taken[who]:
                    del self._taken[who]
