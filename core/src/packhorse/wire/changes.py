"""Telling clients what changed, in both protocol eras, here and on every other replica.

Clients of the 2026 protocol listen on a stream of their own, fed by the bus.
Handshake-era clients hear on their connection: of lists always, of a
resource if they subscribed to it. With a relay the other replicas hear it
too, and what they say reaches the clients here.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import mcp_types as wire
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import PromptsListChanged, ResourcesListChanged, ResourceUpdated, ToolsListChanged

from packhorse.contract.context import Change

if TYPE_CHECKING:
    from packhorse.store.relay import Relay

logger = logging.getLogger("packhorse.changes")

_EVENTS: Mapping[Change, type[ToolsListChanged | PromptsListChanged | ResourcesListChanged]] = {
    "tools": ToolsListChanged,
    "prompts": PromptsListChanged,
    "resources": ResourcesListChanged,
}
_SUBSCRIBED = "packhorse.subscribed"

TELL_SECONDS = 5
"""How long a client may take to receive a change."""

MAX_SUBSCRIPTIONS = 1000
"""Resources that one connection may subscribe to."""


def connection_of(ctx: ServerRequestContext[Any, Any]) -> Connection:
    """The client's connection. The SDK keeps it private on the session; this is the one place that reaches for it."""
    return ctx.session._connection  # noqa: SLF001 - see above


class _Listening(ListenHandler):
    """The SDK's handler, which keeps to itself what its clients listen to."""

    def __init__(self, bus: InMemorySubscriptionBus) -> None:
        super().__init__(bus)
        self.uris: Counter[str] = Counter()

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], params: wire.SubscriptionsListenRequestParams
    ) -> wire.SubscriptionsListenResult:
        uris = params.notifications.resource_subscriptions or ()
        self.uris.update(uris)
        try:
            return await super().__call__(ctx, params)
        finally:
            self.uris.subtract(uris)
            self.uris += Counter()  # without those that nobody listens to any more


class Changes:
    """The deployment's fan-out of change notices.

    ``forget`` takes the pack whose kept answers hold no more, None for all.
    """

    def __init__(self, forget: Callable[[str | None], None] = lambda pack: None) -> None:
        self.bus = InMemorySubscriptionBus()
        self.listen = _Listening(self.bus)
        self._forget = forget
        self._connections: set[Connection] = set()
        self._relay: Relay | None = None
        self._telling: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def from_here(self) -> None:
        """Remember the loop that serves: it sends the notices of other threads."""
        self._loop = asyncio.get_running_loop()

    def noticed(self, uri: str) -> None:
        """As `updated`, from any thread; nobody waits for it."""
        self._on_loop(self._begin, self.updated, uri)

    def noticed_outdated(self, pack: str) -> None:
        """As `outdated`, from any thread."""
        self._on_loop(self.outdated, pack)

    def _on_loop(self, call: Callable[..., None], *args: Any) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has closed: nobody is left to hear it
                self._loop.call_soon_threadsafe(call, *args)

    @asynccontextmanager
    async def shared(self, database: str) -> AsyncIterator[None]:
        """Share notices with every replica that has this PostgreSQL database."""
        from packhorse.store.relay import Relay

        self.from_here()
        relay = Relay(
            database,
            lambda what: self._on_loop(self._begin, self._heard, what),
            lambda: self._on_loop(self._begin, self._missed),
        )
        await anyio.to_thread.run_sync(relay.start)
        self._relay = relay
        try:
            yield
        finally:
            self._relay = None
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(relay.close)

    def joined(self, ctx: ServerRequestContext[Any, Any]) -> None:
        """Remember a handshake-era connection until it closes."""
        connection = connection_of(ctx)
        if connection.has_standalone_channel and connection not in self._connections:
            self._connections.add(connection)
            connection.exit_stack.callback(self._connections.discard, connection)

    def subscribe(self, ctx: ServerRequestContext[Any, Any], uri: str) -> bool:
        """Send this connection the updates of ``uri``; False when it has too many subscriptions already.

        Raises:
            MCPError: it has no stream of its own to hear it on.
        """
        if not connection_of(ctx).has_standalone_channel:
            raise MCPError(
                wire.INVALID_REQUEST,
                "Updates cannot be sent to a client of this protocol version here, because several processes"
                " serve this address without sessions. Use protocol 2026-07-28, or read the resource at"
                " intervals.",
            )
        self.joined(ctx)
        subscribed: set[str] = connection_of(ctx).state.setdefault(_SUBSCRIBED, set())
        if uri not in subscribed and len(subscribed) >= MAX_SUBSCRIPTIONS:
            return False
        subscribed.add(uri)
        return True

    def unsubscribe(self, ctx: ServerRequestContext[Any, Any], uri: str) -> None:
        connection_of(ctx).state.get(_SUBSCRIBED, set()).discard(uri)

    async def changed(self, what: Change) -> None:
        """A list is not what it was."""
        await self._changed(what)
        await self._say({"changed": what})

    async def updated(self, uri: str) -> None:
        """A resource is not what it was."""
        await self._updated(uri)
        await self._say({"updated": uri})

    def outdated(self, pack: str) -> None:
        """What a pack knows may not be what it was: its kept answers hold no more. On the loop; nobody waits for it."""
        self._forget(pack)
        if self._relay is not None:
            self._begin(self._say, {"outdated": pack})

    async def _changed(self, what: Change) -> None:
        await self.bus.publish(_EVENTS[what]())
        await self._tell(f"notifications/{what}/list_changed", None, list(self._connections))

    async def _updated(self, uri: str) -> None:
        await self.bus.publish(ResourceUpdated(uri=uri))
        subscribers = [one for one in self._connections if uri in one.state.get(_SUBSCRIBED, ())]
        await self._tell("notifications/resources/updated", {"uri": uri}, subscribers)

    # --- the other replicas ---

    async def _say(self, what: Mapping[str, str]) -> None:
        if self._relay is not None:
            await anyio.to_thread.run_sync(self._relay.say, what)

    def _begin(self, send: Callable[..., Coroutine[Any, Any, None]], *args: Any) -> None:
        # A client that does not read holds up its own message, and not the next notice.
        telling = asyncio.ensure_future(send(*args))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def _heard(self, what: Any) -> None:
        match what:
            case {"changed": ("tools" | "prompts" | "resources") as kind}:
                await self._changed(kind)
            case {"updated": str(uri)}:
                await self._updated(uri)
            case {"outdated": str(pack)}:
                self._forget(pack)
            case _:
                logger.warning("another replica sent what this version does not know; are both of one version?")

    async def _missed(self) -> None:
        """Something changed, and nobody knows what: everything may be other than it was."""
        self._forget(None)
        for what in _EVENTS:
            await self._changed(what)
        subscribed = [one.state.get(_SUBSCRIBED, ()) for one in self._connections]
        for uri in {*self.listen.uris, *(uri for uris in subscribed for uri in uris)}:
            await self._updated(uri)

    async def _tell(self, method: str, params: dict[str, Any] | None, connections: list[Connection]) -> None:
        async def tell(connection: Connection) -> None:
            # One that does not read what it is sent must not hold up the call that has something to say.
            with anyio.move_on_after(TELL_SECONDS) as scope:
                await connection.notify(method, params)
            if scope.cancelled_caught:
                logger.warning("a client does not read its messages, and did not get the notice of %s", method)

        async with anyio.create_task_group() as tasks:
            for connection in connections:
                tasks.start_soon(tell, connection)
