"""Serving over HTTP: the protocol's endpoints behind their gate, health for a supervisor, a graceful stop."""

import asyncio
import logging
import signal
import socket
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager, suppress
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

from packhorse.compose.deployment import Deployment
from packhorse.compose.replicas import check_places
from packhorse.door.catalogue import RouteEntry, ToolEntry, is_probe
from packhorse.door.shares import Shares
from packhorse.http.addresses import AddressLimits, trusted_networks
from packhorse.http.admission import Admission
from packhorse.http.authentication import METADATA, Authentication, PageCallers, metadata
from packhorse.http.connections import Connections
from packhorse.http.endpoints import routes_of_endpoints
from packhorse.http.fast_path import Direct, Front, quick
from packhorse.http.gate import Gate, check_bind, security_of
from packhorse.http.listening import bound, most_connections, said_of
from packhorse.http.routes import Served, offered_routes
from packhorse.http.sessions import Sessions
from packhorse.settings import ServerSettings
from packhorse.wire.adapter import Adapter
from packhorse.wire.callers import caller_of

if TYPE_CHECKING:
    from packhorse.http.workers import Worker

logger = logging.getLogger("packhorse.http")

GIVE_UP_SECONDS = 1
"""How long callers may take to hear that their call was given up."""

UNREADY_TICK_SECONDS = 0.1
"""Seconds between looks for a second signal while an unready server still takes calls."""

KEEP_ALIVE_SECONDS = 75
"""How long an idle connection is kept: longer than balancers keep theirs (60 s in nginx and in AWS's), so that it is
they who close it. A side that closes first may close on a call that is on its way."""

SWEEP_TICKS = 10
"""How often connections are looked at, in tenths of a second."""

AT_ONCE = 64
"""Connections that are accepted before others are served again."""

FLUSH_SECONDS = 0.1
"""From a handler's answer to its socket are a few turns of the loop."""


class Service:
    """One deployment as an ASGI application, with what a supervisor asks of it. Its packs must be running."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment
        self.settings = deployment.settings
        self._settings = deployment.settings.server
        check_bind(self._settings, authenticated=deployment.dispatcher.authenticated)
        self.adapter = Adapter(deployment, caller_of)
        self._callers = deployment.callers()
        self._trusted = trusted_networks(self._settings.trusted_proxies)
        self._gate = Gate(
            security=security_of(self._settings),
            body_limit=self._settings.body_limit_bytes,
            shared=self._settings.allowed_origins,
        )
        self._limits = AddressLimits(deployment.limiter, deployment.limits, deployment.catalogue.tools)
        signed_in = deployment.dispatcher.authenticated
        self._authentication = Authentication(deployment, self._callers) if signed_in else None
        self._streams = Shares.of(self._settings.max_streams, signed_in=signed_in)
        self.connections = Connections(
            self._settings, signed_in=signed_in, trusted=self._trusted, most=most_connections()
        )
        self._draining = False
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
        """Check, and connect to the database of the replicas once; before anything is listened on.

        Raises:
            PackError: as `check` does, or the database cannot be reached.
        """
        await self.check()
        if self._settings.replicas > 1 and (url := self._settings.database_url) is not None:
            from packhorse.store.postgres import PostgresStore

            await anyio.to_thread.run_sync(PostgresStore.check, url)

    def unready(self) -> None:
        """Say that no more calls should come; those that do are taken."""
        self._draining = True
        self._deployment.listening.clear()

    def sweep(self) -> None:
        """Close connections that take too long, and enter the refusals that were counted; now and then."""
        self.connections.sweep()
        self._deployment.dispatcher.accounts.settle()

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
        routes: list[BaseRoute] = [
            Route("/healthz", self._health, methods=["GET"]),
            Route("/readyz", self._ready, methods=["GET"]),
        ]
        if self._deployment.dispatcher.authenticated:
            described = self._looked_at(self._describe)
            served = ("/sse", "/messages/") if self._settings.transport == "sse" else self._settings.paths
            named = urlsplit(self._deployment.settings.auth.resource or "").path
            routes += [Route(METADATA + path, endpoint=described) for path in dict.fromkeys(("", *served, named))]
        endpoints: dict[str, ASGIApp] = {}
        managers: tuple[StreamableHTTPSessionManager, ...] = ()
        if self._settings.transport == "sse":
            routes += self._sse_routes()
        else:
            unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the gate's task
            manager = Sessions(
                self.adapter.server,
                self._settings,
                security_settings=unchecked,
                signed_in=self._deployment.dispatcher.authenticated,
            )
            # Of each without the SDK's own reading of the body, which the gate has done.
            tools = quick(self._deployment.catalogue.tools.values(), self._settings.timeout_seconds)
            answering = StreamableHTTPSessionManager(
                self.adapter.server, json_response=True, security_settings=unchecked
            )
            managers = (manager, answering)
            way = Direct(AnsweredOnce(manager.asgi_app.app), answering.asgi_app.app, self.adapter.answer, tools)
            endpoints = dict.fromkeys(
                self._settings.paths, self._guarded(way, methods=("DELETE", "GET", "POST"), listening=True)
            )
            routes += [Route(path, endpoint=endpoint) for path, endpoint in endpoints.items()]
        taken = [route.path for route in routes if isinstance(route, Route)]
        endpoint_routes = routes_of_endpoints(self._deployment, self.adapter, self._gate, self._trusted, taken)
        taken += [route.path for route in endpoint_routes]
        routes += endpoint_routes
        routes += offered_routes(self._deployment, self.adapter, self._guarded_offer, taken)

        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            try:
                async with AsyncExitStack() as stack:
                    await self._share(stack)
                    for one in managers:
                        await stack.enter_async_context(one.run())
                    if not self._draining:
                        self._deployment.listening.set()
                    yield
            finally:
                await self._deployment.close()

        return Front(Starlette(routes=routes, lifespan=lifespan), endpoints, self.adapter.refusals)

    async def _share(self, stack: AsyncExitStack) -> None:
        """Share notices with the other replicas, where a database is theirs."""
        self.adapter.changes.from_here()
        if (url := self._settings.database_url) is not None:
            await stack.enter_async_context(self.adapter.changes.shared(url))

    def _sse_routes(self) -> list[BaseRoute]:
        transport = SseServerTransport(
            "/messages/",
            security_settings=security_of(self._settings),
            max_request_body_size=self._settings.body_limit_bytes,
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
            Route("/sse", endpoint=self._guarded(Stream(), listening=True), methods=["GET"]),
            Mount("/messages/", app=self._guarded(post)),
        ]

    def _guarded(
        self,
        app: ASGIApp,
        *,
        tool: str | None = None,
        methods: Collection[str] | None = None,
        listening: bool = False,
        page: RouteEntry | None = None,
    ) -> ASGIApp:
        """``app`` behind everything that a call must pass; ``listening``: its GETs are streams. It may be a page."""
        return Admission(
            app,
            self.adapter.refusals,
            self._gate,
            trusted=self._trusted,
            limits=self._limits,
            authentication=PageCallers(self._authentication, page.offer) if page else self._authentication,
            streams=self._streams if listening else None,
            under_way=self.adapter.under_way,
            methods=methods,
            tool=tool,
            form=page is not None and page.posts,
        )

    def _guarded_offer(self, app: ASGIApp, entry: Served) -> ASGIApp:
        if is_probe(entry):
            return self._looked_at(app)
        if isinstance(entry, RouteEntry):
            return self._guarded(app, page=entry)
        return self._guarded(app, tool=entry.name if isinstance(entry, ToolEntry) else None)

    def _looked_at(self, app: ASGIApp) -> ASGIApp:
        """``app`` behind the checks of Host and Origin alone: what it says is for everybody here."""
        return Admission(app, self.adapter.refusals, self._gate, trusted=self._trusted)

    async def _health(self, request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def _describe(self, scope: Scope, receive: Receive, send: Send) -> None:
        # To be read by pages too: it says nothing that is not public (RFC 9728, section 3).
        answer = JSONResponse(metadata(scope, self._deployment), headers={"Access-Control-Allow-Origin": "*"})
        await answer(scope, receive, send)

    async def _ready(self, request: Request) -> Response:
        ready = self._deployment.ready
        unwell = self._deployment.dispatcher.overdue.unwell
        lines = ["ready" if ready else "not ready", *([f"unwell: {', '.join(unwell)}"] if unwell else [])]
        return PlainTextResponse("".join(f"{line}\n" for line in lines), 200 if ready else 503)


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


class _Uvicorn(uvicorn.Server):
    """Stops as a service should: unready first, then the calls under way are answered, then it ends with success."""

    def __init__(
        self, config: uvicorn.Config, service: Service, *, unready_seconds: float, worker: "Worker | None" = None
    ) -> None:
        super().__init__(config)
        self._service = service
        self._unready_seconds = unready_seconds
        self._worker = worker
        self.interrupted = False

    def handle_exit(self, sig: int, frame: Any) -> None:
        # Not uvicorn's own: that would end the process by the signal, and the streams before their answers.
        self._service.unready()
        # A worker may hear of one stop twice, from its supervisor and from systemd; the supervisor kills it if need be.
        if self.should_exit and self._worker is None:
            self.force_exit = True
            # Closed already. From Python 3.12 on uvicorn would wait here for their connections, and these may hang.
            self.servers = []
        self.should_exit = True
        self.interrupted = self.interrupted or sig == signal.SIGINT

    async def startup(self, sockets: Any = None) -> None:
        await self._service.prepare()
        connections = self._service.connections
        for listener in sockets or ():
            listener.full = connections.free_files
        asyncio.get_running_loop().set_exception_handler(_without_full)
        await super().startup(sockets)
        if self._worker is not None:
            self._worker.loop = asyncio.get_running_loop()
            return
        for server in getattr(self, "servers", ()):
            for listener in server.sockets:
                logger.info(said_of(listener, self._service.settings))

    async def on_tick(self, counter: int) -> bool:
        if counter % SWEEP_TICKS == 0:
            self._service.sweep()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: Any = None) -> None:
        until = anyio.current_time() + self._unready_seconds
        while anyio.current_time() < until and not self.force_exit:  # noqa: ASYNC110 - a signal handler sets it
            await anyio.sleep(UNREADY_TICK_SECONDS)
        self._service.drain()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._service.let_go)
            await super().shutdown(sockets)
            tasks.cancel_scope.cancel()


def _without_full(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what asyncio has to say, but not each time that no file is left: `Connections` says that."""
    if isinstance(context.get("exception"), OSError) and "socket.accept" in context.get("message", ""):
        return
    loop.default_exception_handler(context)


def uvicorn_config(service: Service, settings: ServerSettings, *, at_once: int = AT_ONCE) -> uvicorn.Config:
    """How uvicorn serves it."""
    return uvicorn.Config(
        service.app,
        host=settings.host,
        port=settings.port,
        http=service.connections.protocol(),  # one parser, which is the one that was attacked in tests
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=at_once,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=settings.shutdown_seconds + 2 * GIVE_UP_SECONDS,  # for what `let_go` cannot end
    )


def serve(deployment: Deployment, worker: "Worker | None" = None) -> None:
    """Serve until a signal to stop. ``worker`` is this process where it is one of several.

    Raises:
        PackError: the address cannot be listened on, or must not be.
        KeyboardInterrupt: it was stopped from the keyboard; the packs have been stopped.
    """
    settings = deployment.settings.server
    service = Service(deployment)
    AppStatus.enable_automatic_graceful_drain = False  # it would end streams while their calls are under way
    # Of several processes each accepts one at a time: the first to wake must not take them all.
    config = uvicorn_config(service, settings, at_once=1 if worker else AT_ONCE)
    server = _Uvicorn(config, service, unready_seconds=settings.unready_seconds, worker=worker)
    sockets: list[socket.socket] = [*(worker.sockets if worker else bound(settings.host, settings.port))]
    with deployment.running():
        server.run(sockets)
    if server.interrupted:
        raise KeyboardInterrupt
