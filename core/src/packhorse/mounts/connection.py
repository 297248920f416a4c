"""A connection to a mounted server: made at the first call, kept by a task of its own, made again when it is lost."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import httpx2
import mcp_types as wire
from mcp import Client, MCPError

from packhorse.errors import PackError, UserError
from packhorse.mounts.accepted import Drift, Kind, Mount, drift
from packhorse.mounts.listing import listed, printable, reason_of
from packhorse.mounts.pipe import Traffic, transport_of

logger = logging.getLogger("packhorse.mounts")

LONGEST_WAIT_SECONDS = 60.0

_LISTS = (
    wire.ToolListChangedNotification,
    wire.ResourceListChangedNotification,
    wire.PromptListChangedNotification,
)

Answer = Callable[[wire.ElicitRequestParams], Awaitable[wire.ElicitResult]]


@dataclass(slots=True)
class Session:
    """The server as it is reached now. It is ``stale`` when its lists must be compared again."""

    client: Client
    traffic: Traffic
    drift: Mapping[tuple[Kind, str], Drift]
    checked: float
    stale: bool = False
    close: asyncio.Event = field(default_factory=asyncio.Event)


class Connection:
    """One connection, with one credential. ``calls`` is how many are under way, ``used`` when the last one began.

    ``answer`` is asked where the server asks its caller, and nobody where it is None. ``compared`` hears what differs
    whenever the server has listed what it offers.
    """

    def __init__(
        self, name: str, mount: Mount, log: Path, credential: str | None, compared: Callable[[list[Drift]], None]
    ) -> None:
        self.credential = credential
        self.calls = 0
        self.used = time.monotonic()
        self.answer: Answer | None = None
        self.error = ""
        self._name, self._mount, self._log = name, mount, log
        self._tell = compared
        self._ready: asyncio.Future[Session] | None = None
        self._session: Session | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed = 0
        self._not_before = 0.0

    @property
    def state(self) -> Literal["not connected", "up", "down"]:
        """Whether the server is reached, or was not when it was last tried."""
        return "up" if self._session is not None else "down" if self.error else "not connected"

    async def session(self, kind: Kind, name: str) -> Session:
        """The server, on which this offer is as it was accepted.

        Raises:
            UserError: it is down, or describes the offer otherwise.
        """
        session = await self.opened()
        if session.stale or time.monotonic() - session.checked > self._mount.recheck_seconds:
            session.stale = False
            try:
                async with asyncio.timeout(self._mount.timeout_seconds):
                    self._compared(session, drift(self._mount.offers, await listed(session.client)))
            except (MCPError, httpx2.HTTPError, TimeoutError) as exc:
                self.drop(session)
                raise self._down(1, "it did not list what it offers") from exc
        differs = session.drift.get((kind, name))
        if differs is not None and differs.change == "gone":
            raise UserError(f"The server {self._name} has no {kind} {name} any more.", code="UPSTREAM_GONE")
        if differs is not None:
            raise UserError(
                f"The {kind} {name} of the server {self._name} has changed since it was accepted, so it is not used."
                f" The operator can see the change with 'packhorse mount diff {self._name}', and accept it with"
                f" 'packhorse mount accept {self._name}'.",
                code="NOT_AS_ACCEPTED",
            )
        return session

    def drop(self, session: Session) -> None:
        """End a session; the next call opens another."""
        session.close.set()
        if self._session is session:
            self._session = self._ready = None

    def end(self) -> None:
        if self._session is not None:
            self.drop(self._session)
        elif self._ready is not None:
            for task in self._tasks:
                task.cancel()  # it is still being opened

    async def close(self) -> None:
        """End what is open, and with it the server's process; return when that is done."""
        self.end()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def opened(self) -> Session:
        """The server, connected to where it is not yet.

        Raises:
            UserError: it is down.
        """
        loop = asyncio.get_running_loop()
        if self._ready is None:
            if (wait := self._not_before - time.monotonic()) > 0:
                raise self._down(wait, self.error)
            self._ready = loop.create_future()
            task = loop.create_task(self._keep(self._ready))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            return await asyncio.shield(self._ready)  # one caller's leaving must not end the others' connection
        except PackError as exc:
            raise self._down(self._not_before - time.monotonic(), str(exc)) from exc

    def _down(self, wait: float, why: str) -> UserError:
        seconds = max(1, round(wait))
        return UserError(
            f"The server {self._name} is down: {why}. Try again in {seconds} s.",
            code="UPSTREAM_DOWN",
            details={"retry_after_seconds": seconds},
        )

    async def _keep(self, ready: "asyncio.Future[Session]") -> None:
        """Open a session, hand it out, and close it in this same task, as the SDK's scopes ask."""
        traffic = Traffic()
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(self._mount.connect_seconds):
                    session = await self._entered(stack, traffic)
                self._failed, self.error = 0, ""
                self._session = session
                ready.set_result(session)
                waiting = [asyncio.ensure_future(one.wait()) for one in (traffic.ended, session.close)]
                watching = asyncio.ensure_future(self._watch(session))
                try:
                    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    self.drop(session)
                    for task in (watching, *waiting):
                        task.cancel()
        except asyncio.CancelledError:
            if not ready.done():
                self._fail(ready, "it was given up")
            raise
        except Exception as exc:
            # A stranger's server, and the libraries on the way to it, may fail in any way.
            logger.debug("mount %s", self._name, exc_info=True)
            if not ready.done():
                self._fail(ready, reason_of(exc))

    def _fail(self, ready: "asyncio.Future[Session]", why: str) -> None:
        self._failed += 1
        self._not_before = time.monotonic() + min(LONGEST_WAIT_SECONDS, 0.5 * 2**self._failed)
        self._ready, self.error = None, why
        ready.set_exception(PackError(why))
        ready.exception()  # heard, also where no caller waits any more

    async def _entered(self, stack: AsyncExitStack, traffic: Traffic) -> Session:
        opened: list[Session] = []

        async def heard(message: Any) -> None:
            if isinstance(message, _LISTS) and opened:
                opened[0].stale = True

        async def asked(context: Any, params: wire.ElicitRequestParams) -> wire.ElicitResult:
            answer = self.answer
            return wire.ElicitResult(action="cancel") if answer is None else await answer(params)

        client = await stack.enter_async_context(
            Client(
                transport_of(self._mount, traffic, self._log, self.credential),
                message_handler=heard,
                elicitation_callback=asked if self._mount.questions else None,
                cache=None,
            )
        )
        session = Session(client, traffic, {}, 0)
        opened.append(session)
        self._compared(session, drift(self._mount.offers, await listed(client)))
        return session

    def _compared(self, session: Session, differs: list[Drift]) -> None:
        session.drift = {(one.kind, one.name): one for one in differs}
        session.checked = time.monotonic()
        self._tell(differs)
        if differs:
            text = ", ".join(f"{one.kind} {one.name} ({one.change})" for one in differs)
            logger.warning("mount %s is not as it was accepted: %s", self._name, printable(text))

    async def _watch(self, session: Session) -> None:
        """Hear of changed lists from a server of the revision that announces them on a stream that is asked for."""
        with suppress(Exception):  # one that does not announce them is listed again after recheck_seconds
            async with session.client.listen(
                tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True
            ) as changed:
                async for _ in changed:
                    session.stale = True
