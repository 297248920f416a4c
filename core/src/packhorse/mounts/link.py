"""The connection to a mounted server: made at the first call, kept by a task of its own, made again when it is lost."""

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as wire
from mcp import Client, MCPError
from mcp.shared.dispatcher import ProgressFnT

from packhorse.errors import PackError, PackhorseError, UserError
from packhorse.mounts.accepted import PINNED, Mount, Pinned, changes
from packhorse.mounts.pipe import TOO_LARGE, Traffic, transport_of

logger = logging.getLogger("packhorse.mounts")

LONGEST_WAIT = 60.0


async def listed(client: Client) -> list[Pinned]:
    """A server's tools as they are pinned."""
    tools: list[Pinned] = []
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            raw = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
            tools.append({key: raw[key] for key in PINNED if key in raw})
        cursor = page.next_cursor
        if cursor is None:
            return tools


async def described(mount: Mount, log: Path) -> Mount:
    """The mount with what its server says now."""
    async with AsyncExitStack() as stack:
        async with asyncio.timeout(mount.connect_seconds):
            way = transport_of(mount, Traffic(), log)
            client = await stack.enter_async_context(Client(way, cache=None))
            tools = await listed(client)
        info = client.server_info
        server = f"{info.name} {info.version}" if info else "a server without a name"
        return mount.model_copy(
            update={"server": printable(server), "instructions": client.instructions, "tools": tuple(tools)}
        )


@dataclass(slots=True)
class _Connection:
    client: Client
    traffic: Traffic
    differs: Mapping[str, str]
    checked: float
    stale: bool = False
    close: asyncio.Event = field(default_factory=asyncio.Event)


class Link:
    """Calls to one mounted server, from any number of callers."""

    def __init__(self, name: str, mount: Mount, log: Path) -> None:
        self._name = name
        self.mount = self._mount = mount
        self._log = log
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready: asyncio.Future[_Connection] | None = None
        self._task: asyncio.Task[None] | None = None
        self._current: _Connection | None = None
        self._failed = 0
        self._not_before = 0.0

    async def call(self, tool: str, arguments: dict[str, Any], progress: ProgressFnT) -> wire.CallToolResult:
        """Call a tool of the server.

        Raises:
            UserError: it is not as it was accepted, or the server did not answer as it must.
        """
        again = self._mount.reads(tool)
        while True:
            connection = await self._connection()
            await self._check(connection, tool)
            try:
                return await connection.client.call_tool(tool, arguments, progress_callback=progress)
            except (MCPError, httpx2.HTTPError) as exc:
                lost = self._lost(connection, exc)
                if lost is None:
                    raise self._refusal(exc) from exc
                if lost != "UPSTREAM_LOST" or not again:
                    raise self._said(lost) from exc
                again = False

    @property
    def state(self) -> tuple[str, Mapping[str, str]]:
        """How the connection is, in words, and what of the server was not as accepted when it was last looked at."""
        if self._current is not None:
            return "connected", self._current.differs
        return ("not reached at the last attempt" if self._failed else "not connected: it connects at a call"), {}

    async def close(self) -> None:
        """End the connection of the running event loop, and with it the server's process."""
        task = self._task
        if task is None or task.get_loop() is not asyncio.get_running_loop():
            return
        if self._current is not None:
            self._drop(self._current)
        else:
            task.cancel()  # it is still being opened
        await asyncio.wait([task])

    def _lost(self, connection: _Connection, exc: Exception) -> str | None:
        """Why a failure ended the connection, which is then dropped; None where it did not."""
        if connection.traffic.too_large:
            self._drop(connection)
            return "UPSTREAM_TOO_LARGE"
        if isinstance(exc, MCPError):
            text = exc.error.message
            if text == TOO_LARGE or "event size" in text or "event exceeds" in text.lower():
                return "UPSTREAM_TOO_LARGE"
            if exc.error.code != wire.CONNECTION_CLOSED and "session" not in text.lower():
                return None
        self._drop(connection)
        return "UPSTREAM_LOST"

    def _said(self, code: str) -> UserError:
        if code == "UPSTREAM_TOO_LARGE":
            most = self._mount.message_bytes
            return UserError(
                f"The server {self._name} answered with more than {most:,} bytes. Ask for less at a time.", code=code
            )
        return UserError(
            f"The server {self._name} ended during the call; whether it did anything is not known. Look before you try"
            " again.",
            code=code,
        )

    def _refusal(self, exc: Exception) -> UserError:
        return UserError(f"The server {self._name} refused the call: {printable(str(exc))}", code="UPSTREAM_REFUSED")

    def _drop(self, connection: _Connection) -> None:
        connection.close.set()
        if self._current is connection:
            self._current = self._ready = None

    async def _check(self, connection: _Connection, tool: str) -> None:
        if connection.stale or time.monotonic() - connection.checked > self._mount.recheck_seconds:
            connection.stale = False
            try:
                connection.differs = changes(self._mount.tools, await listed(connection.client))
            except (MCPError, httpx2.HTTPError) as exc:
                self._drop(connection)
                raise self._said("UPSTREAM_LOST") from exc
            connection.checked = time.monotonic()
            self._report(connection.differs)
        differs = connection.differs.get(tool)
        if differs == "changed":
            raise UserError(
                f"The server {self._name} describes {tool} otherwise than was accepted, so it is not called. Its"
                f" operator looks with 'packhorse mount diff {self._name}' and accepts with 'packhorse mount accept"
                f" {self._name}'.",
                code="NOT_AS_ACCEPTED",
            )
        if differs == "gone":
            raise UserError(f"The server {self._name} has no tool {tool} any more.", code="UPSTREAM_GONE")

    def _report(self, differs: Mapping[str, str]) -> None:
        if differs:
            said = ", ".join(f"{name} ({what})" for name, what in differs.items())
            logger.warning("mount %s is not as it was accepted: %s", self._name, printable(said))

    async def _connection(self) -> _Connection:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # tests and commands: one loop after another
            self._loop, self._ready, self._current, self._not_before = loop, None, None, 0.0
        if self._ready is None:
            wait = self._not_before - time.monotonic()
            if wait > 0:
                raise self._down(wait)
            self._ready = loop.create_future()
            self._task = loop.create_task(self._keep(self._ready))
        try:
            return await asyncio.shield(self._ready)  # one caller's leaving must not end the others' connection
        except PackError as exc:
            raise self._down(self._not_before - time.monotonic(), str(exc)) from exc

    def _down(self, wait: float, why: str = "it could not be reached") -> UserError:
        seconds = max(1, round(wait))
        return UserError(
            f"The server {self._name} is down: {why}. Try again in {seconds} s.",
            code="UPSTREAM_DOWN",
            details={"retry_after_seconds": seconds},
        )

    async def _keep(self, ready: "asyncio.Future[_Connection]") -> None:
        """Open the connection, hand it out, and close it in this same task, as the SDK's scopes ask."""
        traffic = Traffic()
        held: list[_Connection] = []

        async def heard(message: Any) -> None:
            if isinstance(message, wire.ToolListChangedNotification) and held:
                held[0].stale = True

        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(self._mount.connect_seconds):
                    client = await stack.enter_async_context(
                        Client(transport_of(self._mount, traffic, self._log), message_handler=heard, cache=None)
                    )
                    differs = changes(self._mount.tools, await listed(client))
                connection = _Connection(client, traffic, differs, time.monotonic())
                held.append(connection)
                self._failed = 0
                self._report(differs)
                self._current = connection
                if not ready.done():
                    ready.set_result(connection)
                watching = asyncio.ensure_future(self._watch(connection))
                ended = asyncio.ensure_future(traffic.ended.wait())
                asked = asyncio.ensure_future(connection.close.wait())
                await asyncio.wait({ended, asked}, return_when=asyncio.FIRST_COMPLETED)
                self._drop(connection)
                for task in (watching, ended, asked):
                    task.cancel()
        except Exception as exc:
            # A stranger's server, and the libraries on the way to it, may fail in any way.
            logger.debug("mount %s", self._name, exc_info=True)
            if not ready.done():
                self._failed += 1
                self._not_before = time.monotonic() + min(LONGEST_WAIT, 0.5 * 2**self._failed)
                self._ready = None
                ready.set_exception(PackError(reason_of(exc)))

    async def _watch(self, connection: _Connection) -> None:
        """Hear of changed lists from a server of the revision that announces them on a stream that is asked for."""
        with suppress(Exception):  # one that does not announce them is listed again after recheck_seconds
            async with connection.client.listen(tools_list_changed=True) as changed:
                async for _ in changed:
                    connection.stale = True


def reason_of(exc: BaseException) -> str:
    """Why a server was not reached, in one line."""
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    if isinstance(exc, PackhorseError):
        return str(exc)
    if isinstance(exc, TimeoutError):
        return "it did not answer in time"
    if isinstance(exc, MCPError) and exc.error.code == wire.CONNECTION_CLOSED:
        return "it ended before it answered"
    return printable(f"{type(exc).__name__}: {exc}".rstrip(": "))


def printable(text: str) -> str:
    """A stranger's text for a model or a log: without what is not seen, and at most 4,000 characters."""
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in text)[:4000]
