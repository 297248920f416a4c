"""Calls that can send nothing before their answer: answered in one piece, without a stream to be ready for more.

The SDK keeps a stream, two tasks and a timer for every call of revision
2026-07-28, in case its handler reports progress or takes long: an eighth of a
whole call. A tool that takes a `Context` reports nothing to a client that gave
no progress token and asked for no log, so the SDK answers that one in JSON. A
tool without one needs no session either, whose making and checking is a
quarter of a call: the SDK's own rules let the message through, and the
dispatcher answers.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import anyio
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS, InboundModernRoute, classify_inbound_request
from mcp_types import LOG_LEVEL_META_KEY
from mcp_types.methods import validate_client_request
from pydantic import ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send

from packhorse.door.catalogue import ToolEntry
from packhorse.http.admission import refuse
from packhorse.http.gate import headers_of
from packhorse.traces.spans import recording
from packhorse.wire.adapter import declares_headers
from packhorse.wire.callers import MESSAGE
from packhorse.wire.refusals import Refusals, Refused

LONGEST_SECONDS = 60
"""Of a call that is answered in one piece. A stream sends a sign of life every 15 s; without one, proxies commonly give
a connection up after 60 s (nginx's ``proxy_read_timeout``)."""

WATCH_AFTER_SECONDS = 0.05
"""From when on a client that hangs up ends its call. Few calls last that long, and watching costs a task."""

_JSON = json.JSONEncoder(separators=(",", ":"))
_BOTH = ("application/json", "text/event-stream")
_PLAIN = frozenset(("name", "arguments", "_meta"))
_ASKS_FOR_MORE = frozenset(("progressToken", LOG_LEVEL_META_KEY))

Answer = Callable[[Scope, Mapping[str, Any], str], Awaitable[Mapping[str, Any]]]
"""The JSON of the result of a call: of an HTTP request, the call's parameters and the protocol's version."""


def quick(tools: Iterable[ToolEntry], timeout_seconds: float) -> dict[str, bool]:
    """The tools that answer soon, by name, and whether a call is its name and arguments alone."""
    return {
        tool.name: not (tool.parameters.context or tool.parameters.resolved or tool.offer.job or declares_headers(tool))
        for tool in tools
        if (tool.offer.timeout or timeout_seconds) <= LONGEST_SECONDS
    }


class Direct:
    """Sends each request to the cheapest way that can answer it. Behind the gate.

    ``streaming`` and ``answering`` are the SDK's, and serve any request and any
    that is answered in one piece; ``answer`` is for the ``tools`` marked True.
    """

    def __init__(self, streaming: ASGIApp, answering: ASGIApp, answer: Answer, tools: Mapping[str, bool]) -> None:
        self._streaming = streaming
        self._answering = answering
        self._answer = answer
        self._tools = tools

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        version = self._version(scope)
        if version is None:
            await self._streaming(scope, receive, send)
            return
        params = scope[MESSAGE]["params"]
        alone = self._tools[params["name"]] and not params.keys() - _PLAIN and not recording()
        loop = asyncio.get_running_loop()
        watching: list[asyncio.Task[None]] = []
        with anyio.CancelScope() as call:

            def watch() -> None:
                watching.append(loop.create_task(_end_with_client(receive, call)))

            soon = loop.call_later(WATCH_AFTER_SECONDS, watch)
            try:
                if alone:
                    await self._respond(scope, version, send)
                else:
                    await self._answering(scope, receive, send)
            finally:
                soon.cancel()
                for watcher in watching:
                    watcher.cancel()

    def _version(self, scope: Scope) -> str | None:
        """The protocol's version, of a call that the SDK lets through and that has one answer; None for all else."""
        message = scope.get(MESSAGE)
        if scope["method"] != "POST" or not isinstance(message, dict) or message.get("method") != "tools/call":
            return None
        params = message.get("params")
        if "id" not in message or not isinstance(params, dict) or not isinstance(params.get("arguments", {}), dict):
            return None
        name = params.get("name")
        if not isinstance(name, str) or name not in self._tools:
            return None
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        accepted = headers.get("accept", "")
        if len(headers) < len(scope["headers"]) or not all(kind in accepted for kind in _BOTH):
            return None
        route = classify_inbound_request(message, headers=headers)
        if not isinstance(route, InboundModernRoute) or params["_meta"].keys() & _ASKS_FOR_MORE:
            return None
        try:
            validate_client_request("tools/call", route.protocol_version, params)
        except ValidationError:
            return None
        return route.protocol_version

    async def _respond(self, scope: Scope, version: str, send: Send) -> None:
        message = scope[MESSAGE]
        answer, status = {"jsonrpc": "2.0", "id": message["id"]}, 200
        try:
            answer["result"] = await self._answer(scope, message["params"], version)
        except MCPError as error:
            status = ERROR_CODE_HTTP_STATUS.get(error.error.code, 200)
            answer["error"] = error.error.model_dump(mode="json", by_alias=True, exclude_none=True)
        body = _JSON.encode(answer).encode()
        headers = [(b"content-length", b"%d" % len(body)), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


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
