"""Requests of a client that have not been answered yet, by what goes over its stream."""

import json
from typing import Any

import anyio

_NEVER_ANSWERED = frozenset({"subscriptions/listen"})
"""Requests whose answer is a stream that lasts as long as the client."""


class PendingRequests:
    """Knows when every request that came has been answered, or taken back."""

    def __init__(self) -> None:
        self._ids: set[Any] = set()
        self._settled: anyio.Event | None = None

    def received(self, line: str) -> None:
        """Note a message of the client's."""
        message = _object(line)
        method = message.get("method")
        if method == "notifications/cancelled":
            params = message.get("params")
            self._done(params.get("requestId") if isinstance(params, dict) else None)
        elif method is not None and method not in _NEVER_ANSWERED and isinstance(message.get("id"), str | int):
            self._ids.add(message["id"])

    def sent(self, line: str) -> None:
        """Note a message of ours."""
        message = _object(line)
        if "method" not in message:
            self._done(message.get("id"))

    async def settled(self) -> None:
        """Return when no request waits for its answer."""
        while self._ids:
            self._settled = anyio.Event()
            await self._settled.wait()

    def _done(self, request_id: Any) -> None:
        if isinstance(request_id, str | int):
            self._ids.discard(request_id)
        if not self._ids and self._settled is not None:
            self._settled.set()


def _object(line: str) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}
