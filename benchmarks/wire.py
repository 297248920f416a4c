"""A light HTTP client: keep-alive connections that send one request over and over, each as soon as its answer is in.

It is the same for every server, does no more than find the end of an answer,
and compares every answer with the one expected.
"""

import asyncio
import gc
import json
import time
from collections.abc import Mapping
from typing import Any

VERSION = "2026-07-28"
WARM_CALLS = 20
"""Calls that each connection makes before its calls count."""


def request(port: int, tool: str, arguments: Mapping[str, Any], token: str | None = None) -> bytes:
    """One ``tools/call`` of revision 2026-07-28, with everything that the revision asks for."""
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {
                "name": tool,
                "arguments": arguments,
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": VERSION,
                    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
                    "io.modelcontextprotocol/clientCapabilities": {},
                },
            },
        }
    ).encode()
    lines = [
        "POST /mcp HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"MCP-Protocol-Version: {VERSION}",
        "Mcp-Method: tools/call",
        f"Mcp-Name: {tool}",
        f"Content-Length: {len(body)}",
        *([f"Authorization: Bearer {token}"] if token else []),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def load(
    port: int,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    expected: Any,
    calls: int,
    width: int,
    token: str | None = None,
) -> list[float]:
    """Seconds of each of ``calls`` calls, spread over ``width`` connections that call at the same time."""
    sent = request(port, tool, arguments, token)
    gc.disable()
    try:
        return asyncio.run(_load(port, sent, expected, calls // width, width))
    finally:
        gc.enable()


async def _load(port: int, sent: bytes, expected: Any, each: int, width: int) -> list[float]:
    loop = asyncio.get_running_loop()
    callers = [_Caller(sent, expected, each, loop.create_future()) for _ in range(width)]
    for caller in callers:
        await loop.create_connection(lambda caller=caller: caller, "127.0.0.1", port)
    return [seconds for caller in callers for seconds in await caller.done]


class _Caller(asyncio.Protocol):
    def __init__(self, sent: bytes, expected: Any, calls: int, done: "asyncio.Future[list[float]]") -> None:
        self.done = done
        self._sent = sent
        self._expected = expected
        self._left = WARM_CALLS + calls
        self._calls = calls
        self._times: list[float] = []
        self._got = b""
        self._answer: bytes | None = None
        self._began = 0.0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._next()

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, found, body = self._got.partition(b"\r\n\r\n")
        if not found or len(body) < _length(head):
            return
        self._times.append(time.perf_counter() - self._began)
        self._got = b""
        # The request never changes, so neither may the answer: the first is read, the others compared with it.
        if self._answer is None:
            self._check(head, body)
            self._answer = body
        elif body != self._answer:
            self._fail(f"an answer changed: {body!r}")
            return
        self._left -= 1
        if self._left:
            self._next()
        elif not self.done.done():
            self._transport.close()
            self.done.set_result(self._times[-self._calls :])

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self._fail(f"the server closed a connection: {exc}")

    def _next(self) -> None:
        self._began = time.perf_counter()
        self._transport.write(self._sent)

    def _check(self, head: bytes, body: bytes) -> None:
        result = json.loads(body).get("result", {}) if head.startswith(b"HTTP/1.1 200 ") else {}
        if result.get("isError") or result.get("structuredContent") != {"result": self._expected}:
            self._fail(f"not the answer expected: {head!r} {body!r}")

    def _fail(self, why: str) -> None:
        if not self.done.done():
            self.done.set_exception(RuntimeError(why))
        self._transport.close()


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    raise RuntimeError(f"an answer without its length: {head!r}")
