"""The sockets that the web server listens on."""

import errno
import os
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

from packhorse.errors import PackError
from packhorse.settings import Settings

BACKLOG = 2048
"""Connections that wait to be accepted."""

PAUSE_SECONDS = 0.5
"""How long nothing is accepted once there is no file left; asyncio's own pause is 1 s (``ACCEPT_RETRY_DELAY``)."""

KEPT_FILES = 64
"""Files for everything but connections: stores, the record, the log, what packs open."""

FEWEST = 8
"""Connections, however few files a process may open."""

_NO_FILES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Listener(socket.socket):
    """A listening socket that pauses when the process can open no more files.

    asyncio alone would try, and log, as often as its backlog is long.
    """

    full: Callable[[], None] | None = None
    """Called when no file is left."""

    _paused_until = 0.0

    def listen(self, backlog: int = BACKLOG, /) -> None:
        # asyncio accepts as many at once as this number says: few, while many may wait.
        super().listen(BACKLOG)

    def accept(self) -> tuple[socket.socket, Any]:
        if time.monotonic() < self._paused_until:
            raise BlockingIOError
        try:
            return super().accept()
        except OSError as exc:
            if exc.errno in _NO_FILES:
                self._paused_until = time.monotonic() + PAUSE_SECONDS
                if self.full is not None:
                    self.full()
            raise


def most_connections() -> int | None:
    """How many this process has files for; None where nothing says so."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else max(FEWEST, soft - KEPT_FILES)


def said_of(listener: socket.socket, settings: Settings) -> str:
    """Where a server listens, and what is there for whom."""
    host, port = listener.getsockname()[:2]
    origin = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    path = "/sse" if settings.server.transport == "sse" else settings.server.paths[0]
    console = f", console: {origin}/console" if settings.has_console else ""
    return f"listening on {origin} (clients: {origin}{path}{console})"


def bound(host: str, port: int) -> list[Listener]:
    """Sockets bound to an address, or to each that a name stands for, all on one port; nobody listens on them yet."""
    made: list[Listener] = []
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, _, _, address in dict.fromkeys(found):
            # Only of a socket that is said to be TCP's does asyncio switch Nagle's algorithm off: 40 ms a call.
            one = Listener(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            made.append(one)
            if os.name == "posix":  # elsewhere it would let two servers have one address
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind((address[0], port or made[0].getsockname()[1], *address[2:]))
    except OSError as exc:
        for one in made:
            one.close()
        raise PackError(
            f"the server cannot listen on {host}:{port} ({exc.strerror or type(exc).__name__})."
            " Give another --port, or --port 0 for a free port"
        ) from exc
    return made
