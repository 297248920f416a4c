"""Serving over HTTP: the protocol's endpoints behind their gate, health for whoever supervises, a graceful stop."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import uvicorn
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from packhorse.deployment import Deployment
from packhorse.errors import PackError
from packhorse.metrics import Kind, meter
from packhorse.replicas import check_places
from packhorse.server.adapter import Adapter
from packhorse.server.addresses import AddressGate, Rule, trusted_networks
from packhorse.server.binding import check_bind, is_loopback, security_of
from packhorse.server.callers import caller_of
from packhorse.server.direct import Direct, silent
from packhorse.server.front import Front
from packhorse.server.gate import Gate
from packhorse.server.identified import METADATA, Identified, metadata
from packhorse.server.routes import offered_routes
from packhorse.server.sessions import Sessions
from packhorse.server.underway import UnderWay
from packhorse.server.workers import BACKLOG, BEAT_SECONDS, Place
from packhorse.settings import ServerSettings

if TYPE_CHECKING:
    from packhorse.stores.sent import SentMessages

logger = logging.getLogger("packhorse.http")

GIVE_UP_SECONDS = 1
"""How long callers may take to hear that their call was given up."""

UNREADY_TICK_SECONDS = 0.1
"""How soon a server that is unready, and still takes calls, heeds that it is told a second time."""

KEEP_ALIVE_SECONDS = 75
"""How long an idle connection is kept: longer than balancers keep theirs (60 s in nginx and in AWS's), so that it is
they who close it. A side that closes first may close on a call that is on its way."""

FLUSH_SECONDS = 0.1
"""From a handler's answer to its socket are a few turns of the loop."""


class Service:
    """One deployment as an ASGI application, with what a supervisor asks of it. Its packs must be running."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment
        self._settings = deployment.settings.server
        check_bind(self._settings, authenticated=deployment.dispatcher.authenticated)
        self.adapter = Adapter(deployment, caller_of)
        self._callers = deployment.callers()
        self._metered = _metered(deployment)
        self._trusted = trusted_networks(self._settings.trusted_proxies)
        self.draining = False
        self._started = False
        self._sent: SentMessages | None = None
        self.app = self._build()

    async def check(self) -> None:
        """Find out whether limited calls can be counted, and files are where their locks hold.

        Raises:
            PackError: they cannot, or are not, and why.
        """
        check_places(self._deployment.settings, self._deployment.catalogue)
        if self._deployment.counts:
            await self._deployment.limiter.check()

    async def prepare(self) -> None:
        """Check, and make in the database what sessions need there; before anything is listened on.

        Raises:
            PackError: as `check` does, or the database cannot be reached.
        """
        await self.check()
        if self._sent is not None:
            await anyio.to_thread.run_sync(self._sent.open)

    def unready(self) -> None:
        """Say that no more calls should come; those that do are taken."""
        self.draining = True

    def drain(self) -> None:
        """Stop being ready, and end the streams of those who only listen."""
        self.unready()
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
        if self._metered:
            metrics = Gate(Route("/metrics", self._metrics, methods=["GET"]).app, security=security, body_limit=1024)
            routes.append(Route("/metrics", endpoint=metrics, methods=["GET"]))
        if self._deployment.dispatcher.authenticated:
            described = Gate(self._describe, security=security, body_limit=self._settings.body_limit_bytes)
            served = ("/sse", "/messages/") if self._settings.transport == "sse" else self._settings.paths
            named = urlsplit(self._deployment.settings.auth.resource or "").path
            routes += [Route(METADATA + path, endpoint=described) for path in dict.fromkeys(("", *served, named))]
        if self._settings.status if self._settings.status is not None else self._is_private():
            routes += self._status_routes(security)
        endpoints: dict[str, ASGIApp] = {}
        managers: tuple[StreamableHTTPSessionManager, ...] = ()
        if self._settings.transport == "sse":
            routes += self._sse_routes(security)
        else:
            unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the gate's task
            manager = Sessions(self.adapter.server, self._settings, security_settings=unchecked)
            self._sent = manager.sent
            # Of each without the SDK's own reading of the body, which the gate has done.
            known = silent(self._deployment.catalogue.tools.values(), self._settings.timeout_seconds)
            answering = StreamableHTTPSessionManager(
                self.adapter.server, json_response=True, security_settings=unchecked
            )
            managers = (manager, answering)
            way = Direct(AnsweredOnce(manager.asgi_app.app), answering.asgi_app.app, known)
            endpoints = dict.fromkeys(self._settings.paths, self._guarded(way, security))
            routes += [Route(path, endpoint=endpoint) for path, endpoint in endpoints.items()]
        taken = [route.path for route in routes if isinstance(route, Route)]
        routes += offered_routes(
            self._deployment, self.adapter, lambda app, tool: self._guarded(app, security, tool), taken
        )

        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            try:
                async with AsyncExitStack() as stack:
                    await self._share(stack)
                    for one in managers:
                        await stack.enter_async_context(one.run())
                    self._started = True
                    yield
            finally:
                await self._deployment.limiter.close()

        return Front(Starlette(routes=routes, lifespan=lifespan), endpoints)

    async def _share(self, stack: AsyncExitStack) -> None:
        """Share notices with the other replicas, where a database is theirs."""
        self.adapter.begins()
        if self._settings.database is not None:
            await stack.enter_async_context(self.adapter.changes.shared(self._settings.database.get_secret_value()))

    def _is_private(self) -> bool:
        """Whether strangers cannot come here, or must sign in first."""
        signed_in = self._deployment.dispatcher.authenticated
        return is_loopback(self._settings.host) and (signed_in or not _published(self._settings))

    def _status_routes(self, security: TransportSecuritySettings) -> list[BaseRoute]:
        """The status page, behind the same doors as calls; a path of the protocol's own goes before it."""
        from packhorse.server.status import PATH, SignIn, StatusPage

        known = self._guarded(StatusPage(self._deployment, self._is_ready), security)
        return [Route(PATH, endpoint=SignIn(known), methods=["GET"])]

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

    def _guarded(self, app: ASGIApp, security: TransportSecuritySettings, tool: str | None = None) -> ASGIApp:
        known: ASGIApp = _Counted(app, self.adapter.under_way)
        if self._deployment.dispatcher.authenticated:
            known = Identified(known, self._deployment, self.adapter, self._callers)
        rules = {name: Rule(limit, tools) for name, (limit, tools) in self._deployment.limits.items()}
        known = AddressGate(
            known, self._deployment.limiter, rules, trusted=self._trusted, clock=self._deployment.clock, tool=tool
        )
        return Gate(
            known,
            security=security,
            body_limit=self._settings.body_limit_bytes,
            shared=self._settings.allowed_origins,
        )

    async def _health(self, request: Request) -> Response:
        return PlainTextResponse("ok\n")

    def _recording(self) -> bool:
        """Whether what may change something would run: it does not without a record."""
        record = self._deployment.dispatcher.accounts.record
        if record is None or record.available:
            return True
        return all(tool.offer.read_only for tool in self._deployment.catalogue.tools.values())

    async def _metrics(self, request: Request) -> Response:
        text, kind = await anyio.to_thread.run_sync(self._deployment.dispatcher.accounts.meter.render)
        return Response(text, media_type=kind)

    async def _describe(self, scope: Scope, receive: Receive, send: Send) -> None:
        # To be read by pages too: it says nothing that is not public (RFC 9728, section 3).
        answer = JSONResponse(metadata(scope, self._deployment), headers={"Access-Control-Allow-Origin": "*"})
        await answer(scope, receive, send)

    async def _ready(self, request: Request) -> Response:
        ready = self._is_ready()
        return PlainTextResponse("ready\n" if ready else "not ready\n", 200 if ready else 503)

    def _is_ready(self) -> bool:
        return self._started and not self.draining and self._recording()


class AnsweredOnce:
    """Lets nothing follow a whole answer.

    The SDK acknowledges a notification before it hands it on. If the session
    ends in between it answers a second time and fails, and for either uvicorn
    would close the connection, with the client's next call on its way.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        whole = False

        async def once(message: Message) -> None:
            nonlocal whole
            if whole:
                return
            whole = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        try:
            await self._app(scope, receive, once)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            if not whole:
                raise


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


def _published(settings: ServerSettings) -> bool:
    """Whether a proxy seems to bring callers from elsewhere, also to an address of this machine alone."""
    return bool(settings.allowed_hosts or settings.trusted_proxies)


def _metered(deployment: Deployment) -> bool:
    """Count calls where that was asked for, or where the figures stay on this machine; whether they are counted."""
    settings, dispatcher = deployment.settings.server, deployment.dispatcher
    # Of several workers on one address another would answer each time, with figures of its own.
    lookable = is_loopback(settings.host) and settings.workers == 1 and not _published(settings)
    wanted = settings.metrics if settings.metrics is not None else None if lookable else False
    catalogue = deployment.catalogue
    names: dict[Kind, list[str]] = {
        "tool": list(catalogue.tools),
        "resource": [entry.name for entry in catalogue.resources.values()],
        "prompt": list(catalogue.prompts),
        "completion": [entry.name for entry in catalogue.entries if getattr(entry.offer, "complete", None)],
    }
    limited = [name for name, entry in catalogue.tools.items() if entry.limit]
    made = meter(names, limited, wanted=wanted)
    made.in_flight(lambda: dispatcher.slots.used)
    for pack in catalogue.packs:
        if pack.pack.measures is not None:
            made.pack(pack.found.name, partial(pack.pack.measures, deployment.hosts[pack.found.name]))
    dispatcher.accounts.meter = made
    return made.enabled


class _Uvicorn(uvicorn.Server):
    """Stops as a service should: unready first, then the calls under way are answered, then it ends with success."""

    def __init__(
        self, config: uvicorn.Config, service: Service, *, unready_seconds: float, place: Place | None = None
    ) -> None:
        super().__init__(config)
        self._service = service
        self._unready_seconds = unready_seconds
        self._place = place
        self.interrupted = False

    def handle_exit(self, sig: int, frame: Any) -> None:
        # Not uvicorn's own: that would end the process by the signal, and the streams before their answers.
        self._service.unready()
        if self.should_exit:  # told twice
            self.force_exit = True
            # Closed already. From Python 3.12 on uvicorn would wait here for their connections, and these may hang.
            self.servers = []
        self.should_exit = True
        self.interrupted = self.interrupted or sig == signal.SIGINT

    async def startup(self, sockets: Any = None) -> None:
        await self._service.prepare()
        try:
            await super().startup(sockets)
        except SystemExit as exc:
            where = f"{self.config.host}:{self.config.port}"
            raise PackError(
                f"the server cannot listen on {where}; the log says why."
                " Give another --port, or --port 0 for a free one"
            ) from exc
        if self._place is not None:
            loop = asyncio.get_running_loop()
            self._place.serves(lambda: self._stop_from(loop))
            return
        for server in getattr(self, "servers", ()):
            for socket in server.sockets:
                address = socket.getsockname()
                logger.info("listening on http://%s:%s", address[0], address[1])

    def _stop_from(self, loop: asyncio.AbstractEventLoop) -> None:
        """The supervisor wants this worker to stop, or has died. Somebody may have sent a signal as well."""
        with suppress(RuntimeError):  # the loop has ended already
            loop.call_soon_threadsafe(lambda: None if self.should_exit else self.handle_exit(signal.SIGTERM, None))

    async def on_tick(self, counter: int) -> bool:
        if self._place is not None:
            self._place.holds(len(self.server_state.connections))
        return await super().on_tick(counter)

    async def shutdown(self, sockets: Any = None) -> None:
        until = anyio.current_time() + self._unready_seconds
        while anyio.current_time() < until and not self.force_exit:  # noqa: ASYNC110 - a signal handler sets it
            await anyio.sleep(UNREADY_TICK_SECONDS)
        self._service.drain()
        if self._place is not None:
            self._place.holds(None)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._service.let_go)
            await super().shutdown(sockets)
            tasks.cancel_scope.cancel()


def uvicorn_config(service: Service, settings: ServerSettings, place: Place | None = None) -> uvicorn.Config:
    """How uvicorn serves it."""
    return uvicorn.Config(
        service.app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        # Taken one at a time where several processes take: the first to wake must not take them all.
        backlog=1 if place else BACKLOG,
        callback_notify=place.lives if place else None,
        timeout_notify=BEAT_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=settings.shutdown_seconds + 2 * GIVE_UP_SECONDS,  # for what `let_go` cannot end
    )


def serve(deployment: Deployment, place: Place | None = None) -> None:
    """Serve until told to stop. ``place`` is that of one worker among several.

    Raises:
        PackError: the address cannot be listened on, or must not be.
        KeyboardInterrupt: it was stopped from the keyboard; the packs have been stopped.
    """
    settings = deployment.settings.server
    service = Service(deployment)
    AppStatus.enable_automatic_graceful_drain = False  # it would end streams while their calls are under way
    server = _Uvicorn(
        uvicorn_config(service, settings, place), service, unready_seconds=settings.unready_seconds, place=place
    )
    with deployment.running():
        server.run(place.sockets if place else None)
    if server.interrupted:
        raise KeyboardInterrupt
