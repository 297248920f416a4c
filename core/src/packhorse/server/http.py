"""Serving over HTTP: the protocol's endpoints behind their gate, health for whoever supervises, a graceful stop."""

import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import Any

import anyio
import uvicorn
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, AuthorizationContext
from mcp.server.auth.provider import AccessToken
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from packhorse.auth import identify
from packhorse.clock import Clock
from packhorse.clock import request_id as new_request_id
from packhorse.deployment import Deployment
from packhorse.errors import AUTHENTICATION, PackError, RequestError
from packhorse.limits import Limiter
from packhorse.principal import ANONYMOUS, Principal
from packhorse.server.adapter import Adapter
from packhorse.server.addresses import AddressGate, Rule, trusted_networks
from packhorse.server.binding import check_bind, security_of
from packhorse.server.callers import identity_of
from packhorse.server.events import RecentEvents
from packhorse.server.front import Front
from packhorse.server.gate import Gate
from packhorse.server.underway import UnderWay
from packhorse.settings import ServerSettings

logger = logging.getLogger("packhorse.http")

_PRINCIPAL = "packhorse.principal"
RETRY_MS = 500
"""How long a client that lost its stream waits before it comes back."""

GIVE_UP_SECONDS = 1
"""How long callers may take to hear that their call was given up."""

FLUSH_SECONDS = 0.1
"""From a handler's answer to its socket are a few turns of the loop."""


class Service:
    """One deployment as an ASGI application, with what a supervisor asks of it. Its packs must be running."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment
        self._settings = deployment.settings.server
        check_bind(self._settings, authenticated=deployment.dispatcher.authenticated)
        self.adapter = Adapter(deployment, caller_of)
        self._limiter = _limiter_of(self._settings, deployment.clock) if deployment.limits else None
        self._trusted = trusted_networks(self._settings.trusted_proxies)
        self.draining = False
        self._started = False
        self.app = self._build()

    async def check(self) -> None:
        """Find out whether limited calls can be counted.

        Raises:
            PackError: they cannot, and why.
        """
        if self._limiter is not None:
            await self._limiter.check()

    def drain(self) -> None:
        """Stop being ready, and end the streams of those who only listen."""
        self.draining = True
        self.adapter.changes.listen.close()

    async def let_go(self) -> None:
        """Wait for the calls under way, as long as is allowed, then end the streams that would otherwise never end."""
        under_way = self.adapter.under_way
        with anyio.move_on_after(self._settings.shutdown_seconds):
            await under_way.over()
        under_way.give_up()
        with anyio.move_on_after(GIVE_UP_SECONDS):
            await under_way.over()
        await anyio.sleep(FLUSH_SECONDS)
        AppStatus.should_exit = True

    def _build(self) -> ASGIApp:
        security = security_of(self._settings)
        routes: list[BaseRoute] = [
            Route("/healthz", self._health, methods=["GET"]),
            Route("/readyz", self._ready, methods=["GET"]),
        ]
        endpoints: dict[str, ASGIApp] = {}
        manager: StreamableHTTPSessionManager | None = None
        if self._settings.transport == "sse":
            routes += self._sse_routes(security)
        else:
            manager = _Sessions(
                self.adapter.server,
                RecentEvents(self._settings.resume_events) if self._settings.resume_events else None,
                retry_interval=RETRY_MS,
                security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the gate's task
                session_idle_timeout=self._settings.session_idle_seconds,
                max_request_body_size=self._settings.body_limit_bytes,
                max_sessions=self._settings.max_sessions,
            )
            sessions = manager.asgi_app.app  # without the SDK's own reading of the body, which the gate has done
            endpoints = dict.fromkeys(self._settings.paths, self._guarded(sessions, security))
            routes += [Route(path, endpoint=endpoint) for path, endpoint in endpoints.items()]

        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            try:
                async with manager.run() if manager else nullcontext():
                    self._started = True
                    yield
            finally:
                if self._limiter is not None:
                    await self._limiter.close()

        return Front(Starlette(routes=routes, lifespan=lifespan), endpoints)

    def _sse_routes(self, security: TransportSecuritySettings) -> list[BaseRoute]:
        transport = SseServerTransport(
            "/messages/", security_settings=security, max_request_body_size=self._settings.body_limit_bytes
        )
        server = self.adapter.server

        class Stream:
            async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
                async with transport.connect_sse(scope, receive, send) as (read, write):
                    await server.run(read, write, server.create_initialization_options())

        async def post(scope: Scope, receive: Receive, send: Send) -> None:
            # Answered already; the client may have closed its stream while its message was on the way.
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await transport.handle_post_message(scope, receive, send)

        return [
            Route("/sse", endpoint=self._guarded(Stream(), security), methods=["GET"]),
            Mount("/messages/", app=self._guarded(post, security)),
        ]

    def _guarded(self, app: ASGIApp, security: TransportSecuritySettings) -> ASGIApp:
        known: ASGIApp = _Counted(app, self.adapter.under_way)
        if self._deployment.catalogue.verifiers:
            known = Identified(known, self._deployment, self.adapter)
        if self._limiter is not None:
            rules = {name: Rule(limit, tools) for name, (limit, tools) in self._deployment.limits.items()}
            known = AddressGate(known, self._limiter, rules, trusted=self._trusted, clock=self._deployment.clock)
        return Gate(known, security=security, body_limit=self._settings.body_limit_bytes)

    async def _health(self, request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def _ready(self, request: Request) -> Response:
        ready = self._started and not self.draining
        return PlainTextResponse("ready\n" if ready else "not ready\n", 200 if ready else 503)


class _Sessions(StreamableHTTPSessionManager):
    """Keeps apart what sessions may resume: the SDK names streams by request, and every session has a request 1."""

    def __init__(self, app: Any, kept: RecentEvents | None, **options: Any) -> None:
        super().__init__(app, **options)
        self._kept = kept

    def _admit_session(self, requestor: AuthorizationContext | None) -> StreamableHTTPServerTransport | None:
        self.event_store = self._kept.of_session() if self._kept else None
        return super()._admit_session(requestor)


class _Counted:
    """Counts requests until their last byte has been sent."""

    def __init__(self, app: ASGIApp, under_way: UnderWay) -> None:
        self._app = app
        self._under_way = under_way

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":  # a stream to listen on, which nothing ends
            await self._app(scope, receive, send)
            return
        with self._under_way.one():
            await self._app(scope, receive, send)


def _limiter_of(settings: ServerSettings, clock: Clock) -> Limiter:
    if settings.limits == "memory":
        return Limiter.memory(clock=clock)
    return Limiter.redis(settings.limits, prefix=f"packhorse:{settings.name}", clock=clock)


_NO_BEARER = RequestError(AUTHENTICATION, "authentication", "Send a bearer token: Authorization: Bearer <token>.")


class Identified:
    """Finds the caller of each request; a credential that does not hold is a 401 and goes no further."""

    def __init__(self, app: ASGIApp, deployment: Deployment, adapter: Adapter) -> None:
        self._app = app
        self._adapter = adapter
        self._verifiers = deployment.catalogue.verifiers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        header = Request(scope).headers.get("authorization")
        kind, _, token = (header or "").partition(" ")
        try:
            if header is not None and (kind.lower() != "bearer" or not token):
                raise _NO_BEARER
            principal = await identify(self._verifiers, token.strip() or None)
        except RequestError as error:
            data = self._adapter.error_data(error.error_type, error.details, new_request_id())
            body = {"jsonrpc": "2.0", "id": None, "error": {"code": error.code, "message": error.message, "data": data}}
            challenge = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
            await JSONResponse(body, 401, headers=challenge)(scope, receive, send)
            return
        scope[_PRINCIPAL] = principal
        identity = identity_of(principal)
        if identity is not None:
            # Where the SDK looks for the owner of a session, which nobody else may then use.
            scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=identity, scopes=[]))
        await self._app(scope, receive, send)


def caller_of(ctx: Any) -> Principal:
    """The principal that came with an HTTP request."""
    scope = getattr(ctx.request, "scope", None) or {}
    principal: Principal = scope.get(_PRINCIPAL, ANONYMOUS)
    return principal


class _Uvicorn(uvicorn.Server):
    """Stops as a service should: unready first, then the calls under way are answered, then it ends with success."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service
        self.interrupted = False

    def handle_exit(self, sig: int, frame: Any) -> None:
        # Not uvicorn's own: that would end the process by the signal, and the streams before their answers.
        self._service.drain()
        if self.should_exit:  # told twice
            self.force_exit = True
            # Closed already. From Python 3.12 on uvicorn would wait here for their connections, and these may hang.
            self.servers = []
        self.should_exit = True
        self.interrupted = self.interrupted or sig == signal.SIGINT

    async def startup(self, sockets: Any = None) -> None:
        await self._service.check()
        try:
            await super().startup(sockets)
        except SystemExit as exc:
            where = f"{self.config.host}:{self.config.port}"
            raise PackError(
                f"the server cannot listen on {where}; the log says why."
                " Give another --port, or --port 0 for a free one"
            ) from exc
        for server in getattr(self, "servers", ()):
            for socket in server.sockets:
                address = socket.getsockname()
                logger.info("listening on http://%s:%s", address[0], address[1])

    async def shutdown(self, sockets: Any = None) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._service.let_go)
            await super().shutdown(sockets)
            tasks.cancel_scope.cancel()


def serve(deployment: Deployment) -> None:
    """Serve until told to stop.

    Raises:
        PackError: the address cannot be listened on, or must not be.
        KeyboardInterrupt: it was stopped from the keyboard; the packs have been stopped.
    """
    settings = deployment.settings.server
    service = Service(deployment)
    config = uvicorn.Config(
        service.app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=settings.shutdown_seconds + 2 * GIVE_UP_SECONDS,  # for what `let_go` cannot end
    )
    AppStatus.enable_automatic_graceful_drain = False  # it would end streams while their calls are under way
    server = _Uvicorn(config, service)
    with deployment.running():
        server.run()
    if server.interrupted:
        raise KeyboardInterrupt
