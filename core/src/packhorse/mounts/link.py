"""Calls of any number of callers to one mounted server, and what they hear when it fails."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx2
import mcp_types as wire
from mcp import MCPError
from pydantic import ValidationError

from packhorse.contract.context import Context
from packhorse.contract.principal import Principal
from packhorse.contract.questions import InputRequired
from packhorse.errors import UserError
from packhorse.mounts.accepted import Drift, Kind, Mount, asks_during_calls
from packhorse.mounts.connection import Answer, Connection, Session
from packhorse.mounts.credentials import Credentials, owner_of
from packhorse.mounts.listing import printable
from packhorse.mounts.pipe import TOO_LARGE
from packhorse.mounts.questions import AskingCalls, answers_to, asked_in

T = TypeVar("T")

_NO_SESSION = re.compile(r"session\b.*\b(terminated|not found|expired|closed)|(invalid|unknown|no valid) session", re.I)
"""How servers of the older revisions over HTTP, and the SDK, say that they know nothing of a session."""

_LOST = (httpx2.HTTPError, anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream)


class Link:
    """The way to one mounted server.

    All callers share one connection, unless each has a credential of their own, or the server asks its questions
    during a call: then each call has a connection to itself.
    """

    def __init__(self, name: str, mount: Mount, log: Path, credentials: Credentials) -> None:
        self.mount = mount
        self.drift: list[Drift] = []
        """What differed when the server last listed what it offers, to whomever."""
        self.name = name
        self._log = log
        self._credentials = credentials
        self._connections: dict[str, list[Connection]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._alone = mount.questions and mount.asks_during_calls
        self._asking = AskingCalls(name, mount.question_seconds)

    @property
    def connections(self) -> list[Connection]:
        return [one for several in self._connections.values() for one in several]

    async def call(self, tool: str, arguments: dict[str, Any], ctx: Context) -> wire.CallToolResult | InputRequired:
        """Call a tool of the server.

        Raises:
            UserError: it is not as it was accepted, or the server did not answer as it must.
        """
        owner = self._owner(ctx.principal)
        again = self.mount.reads(tool)
        if self._alone:

            async def run(answer: Answer, progress: Any) -> wire.CallToolResult:
                def ask(session: Session) -> Awaitable[wire.CallToolResult]:
                    return session.client.session.call_tool(tool, arguments, progress_callback=progress)

                return await self._run("tool", tool, owner, ask, again=again, answer=answer)

            return await self._asking.call(run, owner, ctx)

        async def hears(progress: float, total: float | None, message: str | None) -> None:
            await ctx.report_progress(progress, total, message)

        def ask(session: Session) -> Awaitable[wire.CallToolResult | wire.InputRequiredResult]:
            return session.client.session.call_tool(
                tool,
                arguments,
                progress_callback=hears,
                input_responses=answers_to(ctx.answers),
                request_state=ctx.state,
                allow_input_required=self.mount.questions,
            )

        result = await self._run("tool", tool, owner, ask, again=again)
        return asked_in(self.name, result) if isinstance(result, wire.InputRequiredResult) else result

    async def read(self, kind: Kind, pinned: str, uri: str, principal: Principal) -> wire.ReadResourceResult:
        """Read a resource of the server; ``pinned`` is its URI or template as it was accepted.

        Raises:
            UserError: as for `call`.
        """
        return await self._run(kind, pinned, self._owner(principal), lambda session: session.client.read_resource(uri))

    async def render(self, prompt: str, arguments: dict[str, str], principal: Principal) -> wire.GetPromptResult:
        """A prompt of the server.

        Raises:
            UserError: as for `call`.
        """
        owner = self._owner(principal)
        return await self._run("prompt", prompt, owner, lambda session: session.client.get_prompt(prompt, arguments))

    async def complete(self, reference: Any, argument: str, typed: str) -> list[str]:
        """Values that the server offers for an argument of a prompt, or a variable of a template.

        Raises:
            UserError: as for `call`.
        """
        prompt = isinstance(reference, wire.PromptReference)
        kind: Kind = "prompt" if prompt else "template"

        async def ask(session: Session) -> list[str]:
            answer = await session.client.complete(reference, {"name": argument, "value": typed})
            return list(answer.completion.values)

        return await self._run(kind, reference.name if prompt else reference.uri, "", ask)

    async def reach(self) -> None:
        """Connect where all callers share the connection.

        Raises:
            UserError: the server is down.
        """
        await self._connection("").opened()

    async def close(self) -> None:
        """End the connections of the running event loop, and with them the server's processes."""
        if self._loop is asyncio.get_running_loop():
            await self._asking.close()
            await asyncio.gather(*(connection.close() for connection in self.connections))
            self._connections.clear()

    def _compared(self, differs: list[Drift]) -> None:
        self.drift = differs

    # --- which connection ---

    def _owner(self, principal: Principal) -> str:
        """Whose connection a call takes: the caller's, or everybody's.

        Raises:
            UserError: each caller needs a credential, and this one has no name.
        """
        owner = owner_of(principal) if self.mount.per_caller or self._alone else ""
        if owner is None and self.mount.per_caller:
            raise UserError(
                f"The server {self.name} needs a credential of your own. Sign in first.", code="NO_CREDENTIAL"
            )
        return owner or ""

    def _connection(self, owner: str) -> Connection:
        """A connection for one more call.

        Raises:
            UserError: the caller has no credential, or too much is running.
        """
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # tests and commands: one loop after another
            self._loop, self._connections = loop, {}
        credential = self._credential(owner) if self.mount.per_caller else None
        own = self._connections.setdefault(owner, [])
        for connection in [*own]:
            if connection.credential != credential:
                own.remove(connection)
                connection.end()  # the caller has another credential by now
            elif not (self._alone and connection.calls):
                return connection
        self._make_room()
        connection = Connection(self.name, self.mount, self._log, credential, self._compared)
        own.append(connection)
        return connection

    def _credential(self, owner: str) -> str:
        credential = self._credentials.of(owner)
        if credential is None:
            raise UserError(
                f"The server {self.name} needs a credential of your own, and has none. The operator stores it with"
                f" 'packhorse mount connect {self.name}'.",
                code="NO_CREDENTIAL",
            )
        return credential

    def _make_room(self) -> None:
        """End the connection that has been idle for longest, where there are as many as there may be."""
        if len(self.connections) < self.mount.connections:
            return
        idle = [connection for connection in self.connections if not connection.calls]
        if not idle:
            raise UserError(
                f"{self.mount.connections} connections to the server {self.name} are in use. Try again in a moment.",
                code="BUSY",
                details={"retry_after_seconds": 1},
            )
        oldest = min(idle, key=lambda connection: connection.used)
        for several in self._connections.values():
            if oldest in several:
                several.remove(oldest)
        oldest.end()

    # --- what a call comes to ---

    async def _run(
        self,
        kind: Kind,
        name: str,
        owner: str,
        ask: Callable[[Session], Awaitable[T]],
        *,
        again: bool = True,
        answer: Answer | None = None,
    ) -> T:
        """What the server answers; tried once more where it is lost and ``again`` allows it."""
        while True:
            connection = self._connection(owner)
            connection.calls += 1
            connection.used, connection.answer = time.monotonic(), answer
            try:
                session = await connection.session(kind, name)
                self._check_revision(session)
                try:
                    return await ask(session)
                except (MCPError, *_LOST) as exc:
                    refusal, lost = self._refusal(session, exc)
                    if lost:
                        connection.drop(session)
                    if refusal.code != "UPSTREAM_LOST" or not again:
                        raise refusal from exc
                    again = False
                except (RuntimeError, ValidationError) as exc:
                    raise UserError(
                        f"The answer of the server {self.name} breaks the protocol or its own schema:"
                        f" {printable(str(exc))[:300]}",
                        code="UPSTREAM_BROKEN",
                    ) from exc
            finally:
                connection.calls -= 1
                connection.answer = None

    def _check_revision(self, session: Session) -> None:
        """Make sure that questions come as they were expected when connections were given out."""
        now = session.client.protocol_version
        if self.mount.questions and asks_during_calls(now) != self.mount.asks_during_calls:
            raise UserError(
                f"The server {self.name} now speaks the protocol of {now}, but that of {self.mount.protocol} was"
                f" accepted. The operator accepts the change with 'packhorse mount accept {self.name}'.",
                code="NOT_AS_ACCEPTED",
            )

    def _refusal(self, session: Session, exc: Exception) -> tuple[UserError, bool]:
        """What the caller hears of a failure, and whether it ended the session."""
        text = exc.error.message if isinstance(exc, MCPError) else ""
        if session.traffic.too_large or text == TOO_LARGE or "event size" in text or "event exceeds" in text.lower():
            most = self.mount.message_bytes
            return UserError(
                f"The server {self.name} answered with more than {most:,} bytes. Ask for less at a time.",
                code="UPSTREAM_TOO_LARGE",
            ), session.traffic.too_large
        if isinstance(exc, MCPError) and exc.error.code != wire.CONNECTION_CLOSED and not _NO_SESSION.search(text):
            said = f"The server {self.name} refused the call: {printable(str(exc))}"
            return UserError(said, code="UPSTREAM_REFUSED"), False
        return UserError(
            f"The server {self.name} stopped during the call. The call may or may not have taken effect: look before"
            " you try again.",
            code="UPSTREAM_LOST",
        ), True
