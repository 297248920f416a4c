"""Serving over standard input and output: what a desktop client starts."""

import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as wire
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from packhorse.compose.deployment import Deployment
from packhorse.contract.principal import LOCAL, Principal
from packhorse.door.authorization import Callers
from packhorse.errors import PackError, RequestError
from packhorse.observe.pipes import Pipes
from packhorse.schema.strict_json import strictly
from packhorse.settings import ServerSettings
from packhorse.wire.adapter import Adapter

Beside = Callable[[], Coroutine[Any, Any, None]]
"""A task that runs while the client is served."""


def serve(deployment: Deployment, pipes: Pipes, token: str | None = None, beside: Beside | None = None) -> None:
    """Serve one client until it closes its end, or until a signal to stop.

    Raises:
        RequestError: packs verify credentials, and ``token`` is none of theirs.
        KeyboardInterrupt: it was stopped from the keyboard; the packs have been stopped.
    """
    with deployment.running():
        if anyio.run(_serve, deployment, pipes, token, beside) is signal.SIGINT:
            raise KeyboardInterrupt


async def _serve(
    deployment: Deployment, pipes: Pipes, token: str | None, beside: Beside | None
) -> signal.Signals | None:
    """Serve; the signal that ended it, if one did."""
    callers = deployment.callers()
    principal = await principal_for(deployment, callers, token)
    held = _StillHolds(callers, token, principal)
    adapter = Adapter(deployment, lambda ctx: held.principal)
    server = adapter.server
    if deployment.dispatcher.authenticated:
        server.middleware.append(held.check(adapter))
    signals: list[signal.Signals] = []
    try:
        async with anyio.create_task_group() as tasks:
            stop = tasks.cancel_scope.cancel
            if sys.platform != "win32":  # where the loop hears no signals, Python's own handling ends it
                tasks.start_soon(_listen, signals, stop)
            if beside is not None:
                tasks.start_soon(beside)
            pending = PendingRequests()
            lines = _Lines(pipes.requests, deployment.settings.server, pending)
            answers = _Answers(pipes.answers, stop, pending)
            async with stdio_server(lines, answers) as (read, write):  # type: ignore[arg-type]  # all that it uses of a file

                async def refuse(fault: str) -> None:
                    error = wire.ErrorData(code=wire.PARSE_ERROR, message=fault)
                    await write.send(SessionMessage(wire.JSONRPCError(jsonrpc="2.0", id=None, error=error)))

                lines.refuse = refuse
                await server.run(read, write, server.create_initialization_options())
            stop()
    finally:
        await deployment.close()
    return signals[0] if signals else None


async def _listen(signals: list[signal.Signals], stop: Callable[[], None]) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as numbers:
        async for number in numbers:
            signals.append(number)
            stop()


async def principal_for(deployment: Deployment, callers: Callers, token: str | None) -> Principal:
    """Who the client at the other end of the pipe is: the user who started us, unless callers prove who they are."""
    if not deployment.dispatcher.authenticated:
        if token is not None:
            raise PackError(
                "PACKHORSE_TOKEN is set, but nothing checks tokens here: set `secret` under [auth], or unset the"
                " variable"
            )
        return LOCAL
    return await callers.identify(token, lenient=True)


class _StillHolds:
    """Looks at the token again with every request: one that has expired meanwhile lets nobody in any more.

    ``principal`` is whom it was last seen to stand for.
    """

    def __init__(self, callers: Callers, token: str | None, principal: Principal) -> None:
        self.principal = principal
        self._callers = callers
        self._token = token

    def check(self, adapter: Adapter) -> ServerMiddleware[Any]:
        """The check, as the server runs it around each request."""

        async def checked(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
            if ctx.method not in _OPENING:
                try:
                    self.principal = await self._callers.identify(self._token, lenient=True)
                except RequestError as error:
                    raise adapter.refusals.protocol_error(error) from error
            return await call_next(ctx)

        return checked


_OPENING = frozenset({"initialize", "notifications/initialized", "ping", "server/discover"})


_NEVER_ANSWERED = frozenset({"subscriptions/listen"})
"""Requests whose answer is a stream that lasts as long as the client."""


class PendingRequests:
    """Knows when every request that came has been answered, or taken back."""

    def __init__(self) -> None:
        self._ids: set[Any] = set()
        self._settled: anyio.Event | None = None

    def received(self, message: Any) -> None:
        if not isinstance(message, dict):
            return
        method = message.get("method")
        if method == "notifications/cancelled":
            params = message.get("params")
            self._done(params.get("requestId") if isinstance(params, dict) else None)
        elif method is not None and method not in _NEVER_ANSWERED and isinstance(message.get("id"), str | int):
            self._ids.add(message["id"])

    def sent(self, line: str) -> None:
        message = json.loads(line)
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


class _Lines:
    """The client's messages, line by line, without those that the gate refuses."""

    refuse: Callable[[str], Awaitable[None]]

    def __init__(self, descriptor: int, settings: ServerSettings, pending: PendingRequests) -> None:
        # Not closed: a reading thread may still hold it when the loop ends.
        self._file = open(descriptor, "rb", closefd=False)  # noqa: SIM115
        self._limit = settings.body_limit_bytes
        self._patience = settings.shutdown_seconds
        self._pending = pending
        # Of its own: whatever else is busy in threads, the client is heard.
        self._threads = anyio.CapacityLimiter(1)

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await self._line(self._limit + 1):
            if len(line) > self._limit and not line.endswith(b"\n"):
                await self._skip()
                await self.refuse(f"The message is larger than {self._limit:,} bytes")
                continue
            if not line.strip():
                continue
            fault, message = strictly(line)
            if fault is not None:
                await self.refuse(fault)
                continue
            self._pending.received(message)
            yield line.decode("utf-8")
        # The end of this stream ends the server; requests that came before it are answered first.
        with anyio.move_on_after(self._patience):
            await self._pending.settled()

    async def _skip(self) -> None:
        while line := await self._line(self._limit):
            if line.endswith(b"\n"):
                return

    async def _line(self, size: int) -> bytes:
        # Abandoned when the server stops: nobody knows when the client will write again.
        return await anyio.to_thread.run_sync(self._file.readline, size, abandon_on_cancel=True, limiter=self._threads)


class _Answers:
    """The client's end, which may close at any moment: then the server ends too."""

    def __init__(self, descriptor: int, stop: Callable[[], None], pending: PendingRequests) -> None:
        self._descriptor = descriptor
        self._stop = stop
        self._pending = pending
        self._threads = anyio.CapacityLimiter(1)

    async def write(self, text: str) -> None:
        try:
            # Abandoned when the server stops: the client may have stopped reading and kept its end open.
            await anyio.to_thread.run_sync(
                self._send, text.encode("utf-8"), abandon_on_cancel=True, limiter=self._threads
            )
        except OSError as exc:
            self._stop()
            raise anyio.ClosedResourceError from exc
        self._pending.sent(text)

    async def flush(self) -> None:
        """Nothing is held back."""

    def _send(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
