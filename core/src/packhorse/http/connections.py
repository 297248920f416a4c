"""Connections of the web server: how many one address may have, and how long each may take.

A connection costs a file and some memory before anybody knows who is at its
other end. So it counts for its address, until a caller who signed in has used
it. Where there are too many, the newest is taken and one that waits is closed:
a caller with a request still finds a way in.
"""

import asyncio
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Literal

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from packhorse.door.shares import LOCAL, Holder, Shares
from packhorse.http.addresses import Network, is_trusted, limit_key
from packhorse.settings import ServerSettings
from packhorse.wire.callers import CONNECTION

logger = logging.getLogger("packhorse.http")

UNREAD_SECONDS = 60
"""How long a client may leave an answer unread."""

SWEEP_SECONDS = 1

SAID_SECONDS = 60
"""How often the log says that connections are turned away."""

MOST_HELD_BYTES = 65_536
"""Of an answer that comes in pieces: what is held until the end of the loop's turn."""

AT_ONCE = 8
"""Connections that are closed to free files."""

Part = Literal["head", "body", "answer"]
"""What a client is expected to send, or to read."""


class Connection(H11Protocol):
    """uvicorn's connection, which knows whose it is and since when it waits for its client."""

    registry: ClassVar["Connections"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.app_state = {**self.app_state, CONNECTION: self}
        self.holder: Holder = LOCAL
        self.part: Part | None = "head"
        self.since = time.monotonic()
        self.has_asked = False
        self._is_counted = False

    @property
    def waits(self) -> bool:
        """Whether nothing is being done for the client: it has yet to ask, or to send the rest of its request."""
        return self.part in ("head", "body") or self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        super().connection_made(_InOnePiece(transport, self.loop))  # type: ignore[arg-type] # all that uvicorn uses of it
        self.holder = self.registry.holder_at(self.client[0] if self.client else "")
        self._is_counted = self.registry.joined(self)
        if not self._is_counted:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._uncount()

    def data_received(self, data: bytes) -> None:
        if self.part is None and self._is_idle():
            self.part, self.since = "head", time.monotonic()
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.part, self.since = "answer", time.monotonic()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.part = None
        self._look()

    def belongs_to(self, holder: Holder) -> None:
        """A caller who signed in uses it: from now on it counts for that caller."""
        if self._is_counted and self.holder != holder:
            self.registry.moved(self, holder)

    def drop(self, *, late: bool = False) -> None:
        """Close it at once; ``late`` says so to its client, who took too long to ask."""
        if late:
            # It may be at a point where no answer can be sent any more.
            with suppress(h11.LocalProtocolError):
                head = h11.Response(status_code=408, headers=[(b"content-length", b"0"), (b"connection", b"close")])
                self.transport.write(self.conn.send(head) or b"")
                self.transport.write(self.conn.send(h11.EndOfMessage()) or b"")
            self.transport.close()
        else:
            self.transport.abort()
        self._uncount()

    def _uncount(self) -> None:
        if self._is_counted:
            self._is_counted = False
            self.registry.left(self)

    def _is_idle(self) -> bool:
        return self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]

    def _look(self) -> None:
        """Note what is expected of the client now, and since when."""
        if self.part == "answer":
            return
        part: Part | None = None
        if self.conn.their_state is h11.SEND_BODY:
            part = "body"
        elif self.conn.their_state is h11.IDLE:
            part = "head" if not self.has_asked or self.conn.trailing_data[0] else None
        self.has_asked = self.has_asked or self.cycle is not None
        if part != self.part:
            self.part, self.since = part, time.monotonic()


class _InOnePiece:
    """A transport that sends together what is written in one turn of the loop: an answer's head and its body.

    Each piece of its own is a system call and a packet, which is a tenth of a whole call.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not data:
            return
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)
        self._size += len(data)
        if self._size > MOST_HELD_BYTES:  # so that the transport can say that the client reads more slowly
            self._send()

    def close(self) -> None:
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._held:
            self._transport.write(b"".join(self._held))
            self._held, self._size = [], 0


class Connections:
    """The connections of one server. For one event loop."""

    def __init__(
        self, settings: ServerSettings, *, signed_in: bool, trusted: tuple[Network, ...] = (), most: int | None = None
    ) -> None:
        self.most = min(settings.max_connections, most or settings.max_connections)
        self._seconds = {
            "head": settings.header_seconds,
            "body": settings.body_seconds,
            "answer": UNREAD_SECONDS,
        }
        self._shares = Shares.of(self.most, signed_in=signed_in)
        self._trusted = trusted
        self._by_holder: dict[str, dict[Connection, None]] = {}
        self._said = -float(SAID_SECONDS)

    def protocol(self) -> type[Connection]:

        class Ours(Connection):
            registry = self

        return Ours

    def holder_at(self, address: str) -> Holder:
        """Whom a connection counts for before anybody signed in: its address. A trusted proxy's are everybody's."""
        return LOCAL if is_trusted(address, self._trusted) else Holder(f"address:{limit_key(address)}", "anonymous")

    def joined(self, connection: Connection) -> bool:
        """Count a new connection, in the place of one that waits where there are too many; False: there is no place."""
        holder = connection.holder
        while not self._shares.take(holder):
            # Who has its share gives up one of its own; else the holder of the most does.
            waiting = _waiting(self._of(holder)) if self._shares.free(holder) else self._waiting_of_most()
            if waiting is None:
                self.say("%d connections are open, as many as this server takes for the caller of a new one", self.most)
                return False
            waiting.drop()
        self._of(holder)[connection] = None
        return True

    def left(self, connection: Connection) -> None:
        self._shares.give(connection.holder)
        self._forget(connection)

    def moved(self, connection: Connection, holder: Holder) -> None:
        self._forget(connection)
        self._shares.move(connection.holder, holder)
        connection.holder = holder
        self._of(holder)[connection] = None

    def sweep(self) -> None:
        now = time.monotonic()
        late = [one for one in self._all() if one.part and now - one.since > self._seconds[one.part]]
        for connection in late:
            connection.drop(late=connection.part != "answer")

    def free_files(self) -> None:
        """There is no file left for a new connection: close some that wait."""
        for _ in range(AT_ONCE):
            waiting = self._waiting_of_most()
            if waiting is not None:
                waiting.drop()
        self.say("no file is left for a new connection: raise the limit of open files (ulimit -n)")

    def say(self, message: str, *args: object) -> None:
        """Log this, unless such a thing was said within the last minute."""
        now = time.monotonic()
        if now - self._said >= SAID_SECONDS:
            self._said = now
            logger.warning(message, *args)

    def _of(self, holder: Holder) -> dict[Connection, None]:
        return self._by_holder.setdefault(holder.key, {})

    def _waiting_of_most(self) -> Connection | None:
        """One that waits of the address with the most, or, where none of an address waits, of the caller with most."""
        groups = sorted(self._by_holder.items(), key=lambda one: (one[0].startswith("address:"), len(one[1])))
        return next((found for _, group in reversed(groups) if (found := _waiting(group)) is not None), None)

    def _forget(self, connection: Connection) -> None:
        group = self._of(connection.holder)
        del group[connection]
        if not group:
            del self._by_holder[connection.holder.key]

    def _all(self) -> Iterator[Connection]:
        for group in list(self._by_holder.values()):
            yield from list(group)


def _waiting(group: Mapping[Connection, None]) -> Connection | None:
    """The first that never asked anything, else the first that waits; in the order in which they came."""
    idle = None
    for connection in group:
        if connection.waits:
            if not connection.has_asked:
                return connection
            idle = idle or connection
    return idle
