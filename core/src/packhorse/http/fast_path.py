"""Calls that can send nothing before their answer: answered in one piece, without a stream to be ready for more.

The SDK keeps a stream, two tasks and a timer for every call of revision
2026-07-28, in case its handler reports progress or takes long. A tool that
takes no `Context` cannot report anything, so all of that is spared it: an
eighth of a whole call.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

import anyio
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.types import ASGIApp, Receive, Scope, Send

from packhorse.door.catalogue import ToolEntry
from packhorse.http.admission import refuse
from packhorse.http.gate import headers_of
from packhorse.wire.callers import MESSAGE
from packhorse.wire.refusals import Refusals, Refused

LONGEST_SECONDS = 60
"""Of a call that is answered in one piece. A stream sends a sign of life every 15 s; without one, proxies commonly give
a connection up after 60 s (nginx's ``proxy_read_timeout``)."""

WATCH_AFTER_SECONDS = 0.05
"""From when on a client that hangs up ends its call. Few calls last that long, and watching costs a task."""

_VERSIONS = frozenset(version.encode() for version in MODERN_PROTOCOL_VERSIONS)
_BOTH = (b"application/json", b"text/event-stream")


def silent(tools: Iterable[ToolEntry], timeout_seconds: float) -> frozenset[str]:
    """The names of those tools that say nothing before they answer, and answer soon."""
    return frozenset(
        tool.name
        for tool in tools
        if not (tool.parameters.context or tool.parameters.resolved or tool.offer.job)
        and (tool.offer.timeout or timeout_seconds) <= LONGEST_SECONDS
    )


class Direct:
    """Sends the calls of ``tools`` to ``answering``, everything else to ``streaming``. Behind the gate."""

    def __init__(self, streaming: ASGIApp, answering: ASGIApp, tools: frozenset[str]) -> None:
        self._streaming = streaming
        self._answering = answering
        self._tools = tools

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST" or not self._takes(scope):
            await self._streaming(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        watching: list[asyncio.Task[None]] = []
        with anyio.CancelScope() as call:

            def watch() -> None:
                watching.append(loop.create_task(_end_with_client(receive, call)))

            soon = loop.call_later(WATCH_AFTER_SECONDS, watch)
            try:
                await self._answering(scope, receive, send)
            finally:
                soon.cancel()
                for watcher in watching:
                    watcher.cancel()

    def _takes(self, scope: Scope) -> bool:
        """Whether it is such a call, with the headers that the SDK asks of a stream's client."""
        message = scope.get(MESSAGE)
        if not isinstance(message, dict) or message.get("method") != "tools/call" or "id" not in message:
            return False
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        if not isinstance(name, str) or name not in self._tools:
            return False
        headers: Mapping[bytes, bytes] = dict(scope["headers"])
        accepted = headers.get(b"accept", b"")
        return headers.get(b"mcp-protocol-version") in _VERSIONS and all(kind in accepted for kind in _BOTH)


async def _end_with_client(receive: Receive, call: anyio.CancelScope) -> None:
    message: Any = {}
    while message.get("type") != "http.disconnect":
        message = await receive()
    call.cancel()


class Front:
    """Spares each call the router and the handlers of exceptions around it, which together cost as much as its checks.

    An exception that gets this far is the web server's to answer, with 500.
    What the router takes has not been admitted: of that, a request whose end
    is ambiguous is refused here.
    """

    def __init__(self, routed: ASGIApp, endpoints: Mapping[str, ASGIApp], refusals: Refusals) -> None:
        self._routed = routed
        self._endpoints = endpoints
        self._refusals = refusals

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._routed(scope, receive, send)
            return
        # Below another application the path begins with that one's own, and the router knows how to take it off.
        endpoint = None if scope.get("root_path") else self._endpoints.get(scope["path"])
        if endpoint is not None:
            await endpoint(scope, receive, send)
            return
        try:
            headers_of(scope)
        except Refused as refused:
            await refuse(self._refusals, refused, scope, receive, send)
            return
        await self._routed(scope, receive, send)
