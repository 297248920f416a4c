"""Pages of packs on a loopback port, for a server over stdio: open only while something waits for a person.

Nothing but the public routes of packs that offer approvals is served there,
and no endpoint of the protocol. The browser of the person at this machine is
opened from here, so that no address of such a page goes through a client.
"""

import asyncio
import logging
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from packhorse.contract.principal import ANONYMOUS

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from packhorse.compose.deployment import Deployment
    from packhorse.door.catalogue import Entry

logger = logging.getLogger("packhorse.pages")

ADDRESS = "127.0.0.1"

LOOK_SECONDS = 2
"""How often it is asked whether anything still waits."""


class LocalPages:
    """Serves pages while something waits. `open` may be called from any thread; `run` is the server's task."""

    def __init__(self, deployment: "Deployment") -> None:
        self._deployment = deployment
        self._lock = threading.Lock()
        self._asked: list[str] = []
        self._wanted = anyio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        for host in deployment.hosts.values():
            host.open_page = self.open

    def open(self, path: str) -> bool:
        """Open a page in the browser soon; False where no server runs that could."""
        if self._loop is None:
            return False
        with self._lock:
            self._asked.append(path)
        self._loop.call_soon_threadsafe(lambda: self._wanted.set())  # noqa: PLW0108  # the event of that moment
        return True

    async def run(self) -> None:
        """Wait until a page is wanted, serve until nothing waits any more, and so on."""
        self._loop = asyncio.get_running_loop()
        while True:
            await self._wanted.wait()
            try:
                await self._serve()
            except OSError as exc:  # no port, no browser: the terminal is left to decide with
                logger.warning("the decision page could not be served: %s", exc)

    async def _serve(self) -> None:
        from packhorse.http.listening import bound

        sockets = bound(ADDRESS, 0)
        port = sockets[0].getsockname()[1]
        server = _server(self._app())
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: server.serve(sockets=[*sockets]))
                try:
                    await self._until_nothing_waits(f"http://{ADDRESS}:{port}")
                finally:
                    server.should_exit = True
        finally:
            for one in sockets:  # a server that is cancelled leaves them open, and one that ends needs them until then
                one.close()

    async def _until_nothing_waits(self, address: str) -> None:
        """Open the pages that are wanted, and look now and then whether anything still waits."""
        while True:
            self._wanted = anyio.Event()
            with self._lock:
                asked, self._asked = self._asked, []
            for path in asked:
                logger.info("a decision waits; its page is opened in the browser")
                await anyio.to_thread.run_sync(webbrowser.open, f"{address}{path}", abandon_on_cancel=True)
            with anyio.move_on_after(LOOK_SECONDS):
                await self._wanted.wait()
            if not self._wanted.is_set() and not await anyio.to_thread.run_sync(self._waiting):
                return

    def _waiting(self) -> bool:
        return any(waiting.pending(None) for _, waiting in self._deployment.catalogue.approvals)

    def _app(self) -> "ASGIApp":
        from starlette.applications import Starlette

        from packhorse.http.admission import Admission
        from packhorse.http.gate import Gate, security_of
        from packhorse.http.routes import offered_routes
        from packhorse.wire.adapter import Adapter

        settings = self._deployment.settings.serving(host=ADDRESS).server
        adapter = Adapter(self._deployment, lambda ctx: ANONYMOUS)
        gate = Gate(security=security_of(settings), body_limit=settings.body_limit_bytes)

        def guarded(app: "ASGIApp", entry: "Entry") -> "ASGIApp":
            posts = getattr(entry, "posts", False)
            return Admission(app, adapter.refusals, gate, under_way=adapter.under_way, form=posts)

        packs = {pack for pack, _ in self._deployment.catalogue.approvals}
        return Starlette(routes=offered_routes(self._deployment, adapter, guarded, public_of=packs))


def _server(app: "ASGIApp") -> "uvicorn.Server":
    import uvicorn

    class Quiet(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield  # signals are the business of the server over stdio

    return Quiet(
        uvicorn.Config(
            app,
            ws="none",
            lifespan="off",  # there is none, and a server that ends while it waits for one logs a failure
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
        )
    )
