"""Sessions of handshake-era clients, and what those may have again who lost their stream.

A session is in one process, and every caller has a share of them. Where there
is no room, idle sessions of anonymous callers go first. What it sent is in memory, or, where replicas
share a database, there: then a client whose balancer sent it elsewhere is
still given the rest of its answer.
"""

import hashlib
import json
import logging
import time
from collections.abc import AsyncIterator
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, AuthorizationContext, authorization_context
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http import (
    MCP_SESSION_ID_HEADER,
    EventCallback,
    EventId,
    EventMessage,
    EventStore,
    StreamableHTTPServerTransport,
    StreamId,
)
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import JSONRPCMessage, jsonrpc_message_adapter
from sse_starlette.sse import EventSourceResponse
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from packhorse.door.limits import MAX_AMOUNT, Limit, Limiter
from packhorse.door.shares import Holder, Shares
from packhorse.http.events import RecentEvents
from packhorse.settings import ServerSettings
from packhorse.wire.refusals import Refused, none_left
from packhorse.wire.scopes import HOLDER, MESSAGE

if TYPE_CHECKING:
    from packhorse.store.sent import Sent, SentMessages

logger = logging.getLogger("packhorse.sessions")

RETRY_MS = 500
"""How long a client that lost its stream waits before it comes back."""

PATIENCE_SECONDS = 2
"""How long a message waits to be kept, and a stream to be found, where the database does not answer at all."""

LOOK_SECONDS = 0.5
"""How often a stream of another process's session is looked after."""


UNUSED_SECONDS = 60
"""How long a session is kept in which nothing was asked; and how long another is left alone that is idle."""

_OPENED_BY: ContextVar[Holder | None] = ContextVar("packhorse.session", default=None)


@dataclass(slots=True)
class _Kept:
    """One session: whose it is, and when it was last used for something."""

    holder: Holder
    transport: StreamableHTTPServerTransport
    last: float
    used: bool = False
    busy: int = 0

    def may_go(self, now: float) -> bool:
        """Whether it can be ended for somebody else's."""
        idle = not self.busy and (not self.used or now - self.last >= UNUSED_SECONDS)
        return idle and self.holder.rank == "anonymous"


class Sessions(StreamableHTTPSessionManager):
    """The SDK's manager, with a share for each caller, and what is kept of each session apart.

    The SDK names streams by request, and every session has a request 1. With
    several workers on one socket there are no sessions: nothing would lead a
    client's next request to the same worker.
    """

    def __init__(
        self,
        server: Server[Any],
        settings: ServerSettings,
        *,
        security_settings: TransportSecuritySettings,
        signed_in: bool,
    ) -> None:
        super().__init__(
            server,
            stateless=settings.workers > 1,
            retry_interval=RETRY_MS,
            security_settings=security_settings,
            session_idle_timeout=settings.session_idle_seconds,
            max_request_body_size=settings.body_limit_bytes,
            max_sessions=None,  # counted here, by caller
        )
        self._shares = Shares.of(settings.max_sessions, signed_in=signed_in)
        self._kept: dict[str, _Kept] = {}
        self._idle_seconds = settings.session_idle_seconds
        handshakes = settings.handshakes_by_caller
        self._handshakes = None if handshakes == "none" else Limit.parse(handshakes)
        self._limiter = Limiter.memory()
        self._patience = settings.question_seconds
        self._recent: RecentEvents | None = None
        self.sent: SentMessages | None = None
        if not settings.resume_events or settings.workers > 1:
            return
        if settings.replicas > 1 and settings.database is not None:
            from packhorse.store import sent

            kept = settings.resume_events * settings.replicas
            self.sent = sent.SentMessages(settings.database.get_secret_value(), kept)
        else:
            self._recent = RecentEvents(settings.resume_events)

    def _admit_session(self, requestor: AuthorizationContext | None) -> StreamableHTTPServerTransport | None:
        shared = _SharedEvents(self.sent, _owner(requestor)) if self.sent is not None else None
        self.event_store = shared or (self._recent.of_session() if self._recent else None)
        transport = super()._admit_session(requestor)
        if shared is not None and transport is not None:
            shared.session = str(transport.mcp_session_id)
        holder = _OPENED_BY.get()
        if transport is not None and holder is not None:
            self._kept[str(transport.mcp_session_id)] = _Kept(holder, transport, time.monotonic())
            _keep_for(transport, min(UNUSED_SECONDS, self._idle_seconds))
            _OPENED_BY.set(None)  # from here on it is given back with the session
        return transport

    async def _handle_stateful_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.sent is not None and scope["method"] == "GET":
            stream = await self._stream_elsewhere(Request(scope))
            if stream is not None:
                await stream(scope, receive, send)
                return
        session = Headers(scope=scope).get(MCP_SESSION_ID_HEADER)
        if session is None:
            await self._open(scope, receive, send)
        elif (kept := self._kept.get(session)) is None:
            await super()._handle_stateful_request(scope, receive, send)
        else:
            await self._use(kept, scope, receive, send)

    async def _use(self, kept: _Kept, scope: Scope, receive: Receive, send: Send) -> None:
        if not kept.used and _method_of(scope) != "notifications/initialized" and scope["method"] != "DELETE":
            kept.used = True
            _keep_for(kept.transport, self._idle_seconds)
        kept.busy += 1
        try:
            await super()._handle_stateful_request(scope, receive, send)
        finally:
            kept.busy -= 1
            kept.last = time.monotonic()

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        holder: Holder | None = scope.get(HOLDER)
        if _method_of(scope) != "initialize" or holder is None:
            await super()._handle_stateful_request(scope, receive, send)  # which refuses it
            return
        if self._handshakes is not None:
            limit = self._handshakes
            if holder.rank == "signed_in":
                limit = replace(limit, amount=min(2 * limit.amount, MAX_AMOUNT))
            exceeded = await self._limiter.hit("handshakes", limit, (holder.key,))
            if exceeded is not None:
                raise Refused(429, exceeded.error(), {"Retry-After": str(exceeded.retry_after_seconds)})
        while not self._shares.take(holder):
            if not await self._make_room(holder):
                raise none_left("sessions", self._shares.held(holder))
        token = _OPENED_BY.set(holder)
        try:
            await super()._handle_stateful_request(scope, receive, send)
        finally:
            if _OPENED_BY.get() is not None:  # no session came of it
                self._shares.give(holder)
            _OPENED_BY.reset(token)

    async def _make_room(self, holder: Holder) -> bool:
        """End a session that can go: of this caller if it has its share, else of the caller with the most."""
        now = time.monotonic()
        own = self._shares.free(holder) > 0
        going = [
            (kept.used, -self._shares.held(kept.holder), kept.last, session)
            for session, kept in self._kept.items()
            if kept.may_go(now) and (not own or kept.holder == holder)
        ]
        if not going:
            return False
        session = min(going)[-1]
        await self._discard_session(session, self._kept[session].transport)
        return True

    async def _discard_session(self, session_id: str, transport: StreamableHTTPServerTransport) -> None:
        known = session_id in self._server_instances
        kept = self._kept.pop(session_id, None)
        if kept is not None:
            self._shares.give(kept.holder)
        await super()._discard_session(session_id, transport)
        if self.sent is not None and known:
            with anyio.CancelScope(shield=True):
                await _attempted(self.sent.forget, session_id)

    async def _stream_elsewhere(self, request: Request) -> EventSourceResponse | None:
        """The rest of a stream that a session of another process has, or had; None where there is none to give."""
        session, last = request.headers.get(MCP_SESSION_ID_HEADER), request.headers.get("last-event-id", "")
        if session is None or not _is_number(last) or session in self._server_instances:
            return None
        user = request.scope.get("user")
        owner = _owner(authorization_context(user) if isinstance(user, AuthenticatedUser) else None)
        if await self._after(int(last), session, owner) is None:
            return None
        return EventSourceResponse(
            self._rest(int(last), session, owner),
            headers={"Cache-Control": "no-cache, no-transform", MCP_SESSION_ID_HEADER: session},
        )

    async def _after(self, number: int, session: str, owner: str) -> "list[Sent] | None":
        found = await _attempted(self.sent.after, number, session, owner) if self.sent is not None else None
        return found[1] if found is not None else None

    async def _rest(self, last: int, session: str, owner: str) -> AsyncIterator[dict[str, Any]]:
        """What followed, and what follows, until the stream's answer has gone out or nobody can hope for it."""
        with anyio.move_on_after(self._patience):
            while (later := await self._after(last, session, owner)) is not None:
                for one in later:
                    last = one.number
                    if one.message is not None:
                        yield {"event": "message", "id": str(one.number), "data": one.message}
                        if "method" not in json.loads(one.message):
                            return
                await anyio.sleep(LOOK_SECONDS)


def _keep_for(transport: StreamableHTTPServerTransport, seconds: float) -> None:
    """End a session once it has been idle for so long: the SDK takes one time for a session's whole life."""
    transport._idle_timeout = seconds  # noqa: SLF001 - see above


def _method_of(scope: Scope) -> str | None:
    message = scope.get(MESSAGE)
    method = message.get("method") if isinstance(message, dict) else None
    return method if isinstance(method, str) else None


class _SharedEvents(EventStore):
    """What one session sent, in the database of all replicas."""

    def __init__(self, sent: "SentMessages", owner: str) -> None:
        self.session = ""
        self._sent = sent
        self._owner = owner

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Keep one message (None primes a stream) and name it. Without the database it is sent all the same."""
        text = message.model_dump_json(by_alias=True, exclude_unset=True) if message is not None else None
        return str(await _attempted(self._sent.keep, self.session, self._owner, str(stream_id), text) or 0)

    async def replay_events_after(self, last_event_id: EventId, send_callback: EventCallback) -> StreamId | None:
        """Send again what followed ``last_event_id`` on its stream."""
        if not _is_number(last_event_id):
            return None
        found = await _attempted(self._sent.after, int(last_event_id), self.session, self._owner)
        if found is None:
            return None
        stream, later = found
        for one in later:
            if one.message is not None:
                message = jsonrpc_message_adapter.validate_json(one.message, by_name=False)
                await send_callback(EventMessage(message, str(one.number)))
        return StreamId(stream)


def _is_number(event_id: str) -> bool:
    """Whether it can be the number of a message: PostgreSQL's go to 19 digits."""
    return event_id.isdecimal() and len(event_id) <= 19


async def _attempted(fn: Any, *args: Any) -> Any:
    """What ``fn`` gives, from a thread; None while the database is away."""
    from psycopg import Error
    from psycopg_pool import PoolTimeout

    try:
        with anyio.fail_after(PATIENCE_SECONDS):
            return await anyio.to_thread.run_sync(fn, *args, abandon_on_cancel=True)
    except (Error, PoolTimeout, TimeoutError) as exc:
        logger.warning("what sessions were sent cannot be kept or found (%s)", type(exc).__name__)
        return None


def _owner(requestor: AuthorizationContext | None) -> str:
    """Who may have a session's messages again, as a digest: the same credential in every replica."""
    return hashlib.sha256(json.dumps(requestor, sort_keys=True).encode()).hexdigest()
