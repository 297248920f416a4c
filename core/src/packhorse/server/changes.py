"""Telling clients what changed, in both protocol eras.

Clients of the 2026 protocol listen on a stream of their own, fed by the bus.
Handshake-era clients are told on their connection: of lists always, of a
resource if they subscribed to it.
"""

import logging
from collections.abc import Mapping
from typing import Any

import anyio
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import PromptsListChanged, ResourcesListChanged, ResourceUpdated, ToolsListChanged

from packhorse.context import Change

logger = logging.getLogger("packhorse.changes")

_EVENTS: Mapping[Change, type[ToolsListChanged | PromptsListChanged | ResourcesListChanged]] = {
    "tools": ToolsListChanged,
    "prompts": PromptsListChanged,
    "resources": ResourcesListChanged,
}
_SUBSCRIBED = "packhorse.subscribed"

TELL_SECONDS = 5
"""How long a client may take to be told of a change."""

MAX_SUBSCRIPTIONS = 1000
"""Resources that one connection may subscribe to."""


def connection_of(ctx: ServerRequestContext[Any, Any]) -> Connection:
    """The client's connection. The SDK keeps it private on the session; this is the one place that reaches for it."""
    return ctx.session._connection  # noqa: SLF001 - see above


class Changes:
    """The deployment's fan-out of change notices."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self.listen = ListenHandler(self.bus)
        self._connections: set[Connection] = set()

    def joined(self, ctx: ServerRequestContext[Any, Any]) -> None:
        """Remember a handshake-era connection until it closes."""
        connection = connection_of(ctx)
        if connection.has_standalone_channel and connection not in self._connections:
            self._connections.add(connection)
            connection.exit_stack.callback(self._connections.discard, connection)

    def subscribe(self, ctx: ServerRequestContext[Any, Any], uri: str) -> bool:
        """Send this connection the updates of ``uri``; False when it has too many subscriptions already."""
        self.joined(ctx)
        subscribed: set[str] = connection_of(ctx).state.setdefault(_SUBSCRIBED, set())
        if uri not in subscribed and len(subscribed) >= MAX_SUBSCRIPTIONS:
            return False
        subscribed.add(uri)
        return True

    def unsubscribe(self, ctx: ServerRequestContext[Any, Any], uri: str) -> None:
        """Stop sending this connection the updates of ``uri``."""
        connection_of(ctx).state.get(_SUBSCRIBED, set()).discard(uri)

    async def changed(self, what: Change) -> None:
        """A list is not what it was."""
        await self.bus.publish(_EVENTS[what]())
        await self._tell(f"notifications/{what}/list_changed", None, list(self._connections))

    async def updated(self, uri: str) -> None:
        """A resource is not what it was."""
        await self.bus.publish(ResourceUpdated(uri=uri))
        subscribers = [one for one in self._connections if uri in one.state.get(_SUBSCRIBED, ())]
        await self._tell("notifications/resources/updated", {"uri": uri}, subscribers)

    async def _tell(self, method: str, params: dict[str, Any] | None, connections: list[Connection]) -> None:
        async def tell(connection: Connection) -> None:
            # One that does not read what it is sent must not hold up the call that has something to say.
            with anyio.move_on_after(TELL_SECONDS) as scope:
                await connection.notify(method, params)
            if scope.cancelled_caught:
                logger.warning("a client does not read its messages, and was not told of %s", method)

        async with anyio.create_task_group() as tasks:
            for connection in connections:
                tasks.start_soon(tell, connection)
