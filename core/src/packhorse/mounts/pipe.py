"""The ways to a mounted server, with a bound on what one message may take of memory.

The SDK's own reader of pipes has no bound and reads a long line again at every piece of it; its reader of JSON over
HTTP has none either.
"""

import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import anyio
import httpx2
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp.client.stdio import get_default_environment
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from packhorse.mounts.accepted import Mount
from packhorse.mounts.nested import environment

if TYPE_CHECKING:
    from anyio.abc import ByteReceiveStream, ByteSendStream, Process

TOO_LARGE = "a message above the mount's message_bytes"
_GRACE_SECONDS = 2.0


class Traffic:
    """What happened on a connection that its calls must hear of."""

    def __init__(self) -> None:
        self.too_large = False
        self.ended = anyio.Event()


@asynccontextmanager
async def transport_of(mount: Mount, traffic: Traffic, log: Path, credential: str | None = None) -> AsyncIterator[Any]:
    """Streams to and from the server of a mount, as the SDK's client takes them."""
    way = _http(mount, credential) if mount.url else _process(mount, traffic, log, credential)
    async with way as streams:
        yield streams


@asynccontextmanager
async def _http(mount: Mount, credential: str | None) -> AsyncIterator[Any]:
    bounded = Bounded(httpx2.AsyncHTTPTransport(), mount.message_bytes)
    headers = mount.filled(mount.headers, credential)
    limits = httpx2.Timeout(mount.connect_seconds, read=None)
    async with (
        httpx2.AsyncClient(headers=headers, transport=bounded, timeout=limits) as client,
        streamable_http_client(mount.url or "", http_client=client, max_sse_event_size=mount.message_bytes) as streams,
    ):
        yield streams


class Bounded(httpx2.AsyncBaseTransport):
    """Puts an error with the request's own id in the place of a JSON answer that is too large.

    An exception here would end the connection, and with it everybody's calls.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, most: int) -> None:
        self._inner = inner
        self._most = most

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        headers = response.headers
        length = headers.get("content-length", "")
        if not headers.get("content-type", "").startswith("application/json") or (
            length.isdigit() and int(length) <= self._most and "content-encoding" not in headers
        ):
            return response
        body = bytearray()
        async for piece in response.aiter_bytes():  # what was compressed is as large as what comes out
            body += piece
            if len(body) > self._most:
                await response.aclose()
                asked = json.loads(request.content or b"{}")
                refused = {"code": -32603, "message": TOO_LARGE}
                return httpx2.Response(
                    200, json={"jsonrpc": "2.0", "id": asked.get("id"), "error": refused}, request=request
                )
        kept = {name: value for name, value in headers.items() if name not in ("content-length", "content-encoding")}
        return httpx2.Response(
            response.status_code, headers=kept, stream=httpx2.ByteStream(bytes(body)), request=request
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


@asynccontextmanager
async def _process(mount: Mount, traffic: Traffic, log: Path, credential: str | None) -> AsyncIterator[Any]:
    """A process of the mount's command in a group of its own: npx and uvx start children."""
    async with AsyncExitStack() as stack:
        errors = stack.enter_context(log.open("wb"))
        process = await anyio.open_process(
            list(mount.command),
            stderr=errors,
            env=get_default_environment() | environment(log.parent) | mount.filled(mount.env, credential),
            start_new_session=sys.platform != "win32",
        )
        to_us, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, to_send = anyio.create_memory_object_stream[SessionMessage](0)
        for stream in (to_us, incoming, outgoing, to_send):
            stack.callback(stream.close)
        stdin, stdout = cast("ByteSendStream", process.stdin), cast("ByteReceiveStream", process.stdout)

        async def read() -> None:
            lines = BufferedByteReceiveStream(stdout)
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                async with to_us:
                    while True:
                        try:
                            line = await lines.receive_until(b"\n", mount.message_bytes)
                        except anyio.DelimiterNotFound:
                            traffic.too_large = True
                            break
                        except (anyio.IncompleteRead, anyio.EndOfStream):
                            break
                        with suppress(ValueError):  # what is no message is noise of a script, and no reason to end
                            await to_us.send(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))
            traffic.ended.set()

        async def write() -> None:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
                async with to_send:
                    async for message in to_send:
                        text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                        await stdin.send(text.encode() + b"\n")

        try:
            async with anyio.create_task_group() as group:
                group.start_soon(read)
                group.start_soon(write)
                try:
                    yield incoming, outgoing
                finally:
                    group.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)


async def _end(process: "Process") -> None:
    """Close the server's input, give it a moment, then end it and what it started."""
    if process.stdin is not None:
        with suppress(anyio.BrokenResourceError, OSError):
            await process.stdin.aclose()
    with anyio.move_on_after(_GRACE_SECONDS):
        await process.wait()
    if sys.platform == "win32":
        with suppress(ProcessLookupError):
            process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    await process.aclose()
