"""Sessions of handshake-era clients, and what those may have again who lost their stream.

A session, and what it sent, is in one process, and every caller has a share of
them. Where there is no room, idle sessions of anonymous callers go first.
"""

import time
from collections import OrderedDict
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

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
from mcp_types import JSONRPCMessage
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from packhorse.door.limits import MAX_AMOUNT, Limit, Limiter
from packhorse.door.shares import Holder, Shares
from packhorse.http.resumed import Resumed
from packhorse.settings import ServerSettings
from packhorse.wire.callers import ADDRESS, HOLDER, MESSAGE
from packhorse.wire.refusals import Refused, none_left


class RecentEvents:
    """The last ``size`` messages of this process, oldest forgotten first.

    A client whose last event has been forgotten gets none replayed, and asks again.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[EventId, tuple[EventStore, StreamId, JSONRPCMessage | None]] = OrderedDict()
        self._count = 0

    def of_session(self) -> EventStore:
        """The part of one new session, which sees nothing of the others."""
        return _SessionEvents(self)

    def keep(self, session: EventStore, stream: StreamId, message: JSONRPCMessage | None) -> EventId:
        self._count += 1
        event_id = str(self._count)
        self._kept[event_id] = session, stream, message
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return event_id

    def after(self, last: EventId, session: EventStore) -> tuple[StreamId, list[EventMessage]] | None:
        """The stream of an event of this session, and the messages that followed on it; None for any other event."""
        owner, stream, _ = self._kept.get(last, (None, "", None))
        if owner is not session:
            return None
        kept = list(self._kept.items())
        later = kept[next(place for place, (name, _) in enumerate(kept, 1) if name == last) :]
        return stream, [
            EventMessage(message, name)
            for name, (whose, where, message) in later
            if whose is session and where == stream and message is not None
        ]


class _SessionEvents(EventStore):
    def __init__(self, events: RecentEvents) -> None:
        self._events = events

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        return self._events.keep(self, stream_id, message)

    async def replay_events_after(self, last_event_id: EventId, send_callback: EventCallback) -> StreamId | None:
        found = self._events.after(last_event_id, self)
        if found is None:
            return None
        for message in found[1]:
            await send_callback(message)
        return found[0]


RETRY_MS = 500
"""How long a client that lost its stream waits before it comes back."""

UNUSED_SECONDS = 60
"""How long a session is kept in which nothing was asked; and how long another is left alone that is idle."""

_OPENED_BY: ContextVar[Holder | None] = ContextVar("packhorse.session", default=None)

_RESUMED: ContextVar[str | None] = ContextVar("packhorse.resumed", default=None)
"""The session that is being opened again."""


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
        resumes = settings.resume_events and settings.workers == 1
        self._recent = RecentEvents(settings.resume_events) if resumes else None
        self._resumed = Resumed.here()

    def _admit_session(self, requestor: AuthorizationContext | None) -> StreamableHTTPServerTransport | None:
        self.event_store = self._recent.of_session() if self._recent else None
        transport = super()._admit_session(requestor)
        if transport is not None and (session := _RESUMED.get()) is not None:
            self._rename(transport, session)
        holder = _OPENED_BY.get()
        if transport is not None and holder is not None:
            self._kept[str(transport.mcp_session_id)] = _Kept(holder, transport, time.monotonic())
            _keep_for(transport, min(UNUSED_SECONDS, self._idle_seconds))
            _OPENED_BY.set(None)  # from here on it is given back with the session
        return transport

    def _rename(self, transport: StreamableHTTPServerTransport, session: str) -> None:
        made, transport.mcp_session_id = str(transport.mcp_session_id), session
        self._server_instances[session] = self._server_instances.pop(made)
        if made in self._session_owners:
            self._session_owners[session] = self._session_owners.pop(made)

    async def _serve_opening_request(
        self, http_transport: StreamableHTTPServerTransport, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if self._resumed is not None and HOLDER in scope:
            self._resumed.keep(str(http_transport.mcp_session_id), scope)
        await super()._serve_opening_request(http_transport, scope, receive, send)

    async def _resume(self, session: str, scope: Scope, resumed: Resumed) -> None:
        token = _RESUMED.set(session)
        try:
            await resumed.open(session, scope, self._handle_stateful_request, lambda: session in self._kept)
        finally:
            _RESUMED.reset(token)

    async def _handle_stateful_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = Headers(scope=scope).get(MCP_SESSION_ID_HEADER)
        if self._resumed is not None and session is not None and _RESUMED.get() is None:
            if session not in self._kept and scope["method"] != "DELETE":
                await self._resume(session, scope, self._resumed)
            scope, send = self._resumed.stream(session, scope, send)
        if session is None:
            await self._open(scope, receive, send)
        elif (kept := self._kept.get(session)) is None:
            await super()._handle_stateful_request(scope, receive, send)
        else:
            self._signed_in(session, kept, scope)
            await self._use(kept, scope, receive, send)

    def _signed_in(self, session: str, kept: _Kept, scope: Scope) -> None:
        """A session that was opened without a token is its caller's own once they sign in at the same address.

        A client that may list tools without a token signs in when a call asks for it, and goes on in its session.
        """
        holder: Holder | None = scope.get(HOLDER)
        if holder is None or holder.rank != "signed_in" or kept.holder.key != f"address:{scope.get(ADDRESS)}":
            return
        if not self._shares.take(holder):
            raise none_left("sessions", self._shares.held(holder))
        self._shares.give(kept.holder)
        kept.holder = holder
        user = scope.get("user")
        if isinstance(user, AuthenticatedUser):
            self._session_owners[session] = authorization_context(user)

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
        kept = self._kept.pop(session_id, None)
        if kept is not None:
            self._shares.give(kept.holder)
        await super()._discard_session(session_id, transport)


def _keep_for(transport: StreamableHTTPServerTransport, seconds: float) -> None:
    """End a session once it has been idle for so long: the SDK takes one time for a session's whole life."""
    transport._idle_timeout = seconds  # noqa: SLF001 - see above


def _method_of(scope: Scope) -> str | None:
    message = scope.get(MESSAGE)
    method = message.get("method") if isinstance(message, dict) else None
    return method if isinstance(method, str) else None
