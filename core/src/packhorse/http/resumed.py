"""Sessions that outlive the process that opened them, where one server takes over from another after an edit.

What a client said when it connected is kept in a folder that the supervisor
makes and removes. A session that this process does not know is opened again by
saying that once more.
"""

import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from mcp.server.streamable_http import LAST_EVENT_ID_HEADER, MCP_SESSION_ID_HEADER
from starlette.types import Message, Receive, Scope, Send

from packhorse.wire.callers import HOLDER, MESSAGE

VARIABLE = "PACKHORSE_RESUMED_SESSIONS"
"""Where the folder is, from the supervisor to its worker; unset where sessions end with their process."""

_LEFT_OUT = {b"content-length", b"content-type", b"accept", b"mcp-protocol-version", MCP_SESSION_ID_HEADER.encode()}
_AS_JSON = [(b"content-type", b"application/json"), (b"accept", b"application/json, text/event-stream")]
_INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}

CHANGED = "".join(
    f'event: message\ndata: {{"jsonrpc":"2.0","method":"notifications/{kind}/list_changed"}}\n\n'
    for kind in ("tools", "prompts", "resources")
).encode()
"""What a client hears on its stream once it is back."""

Handle = Callable[[Scope, Receive, Send], Awaitable[None]]


class Resumed:
    """The sessions of the servers before this one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = anyio.Lock()
        self._back: set[str] = set()
        """Sessions that were opened again and whose client has no stream yet."""

    @classmethod
    def here(cls) -> "Resumed | None":
        """Those of this process's supervisor, if it keeps any."""
        folder = os.environ.get(VARIABLE)
        return cls(Path(folder)) if folder else None

    def keep(self, session: str, scope: Scope) -> None:
        """Keep what opens a session, and for whom."""
        kept = {"message": scope[MESSAGE], "holder": scope[HOLDER].key}
        (self._folder / session).write_text(json.dumps(kept), encoding="utf-8")

    async def open(self, session: str, scope: Scope, handle: Handle, is_open: Callable[[], bool]) -> None:
        """Open a session again for the one who opened it; nothing happens where it is none."""
        async with self._lock:
            if is_open() or not session.isalnum():
                return
            try:
                kept = json.loads((self._folder / session).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                return
            if kept["holder"] != scope[HOLDER].key:
                return
            opening = [header for header in scope["headers"] if header[0].lower() not in _LEFT_OUT] + _AS_JSON
            later = [*opening, (MCP_SESSION_ID_HEADER.encode(), session.encode())]
            for message, headers in ((kept["message"], opening), (_INITIALIZED, later)):
                asked = {**scope, "method": "POST", "headers": headers, MESSAGE: message}
                await handle(asked, _body(message), _nowhere)
            self._back.add(session)

    def stream(self, session: str, scope: Scope, send: Send) -> tuple[Scope, Send]:
        """The request for a session's stream: the first one opens the session again, and reports what has changed."""
        if scope["method"] != "GET" or session not in self._back:
            return scope, send
        self._back.discard(session)
        headers = [header for header in scope["headers"] if header[0].lower() != LAST_EVENT_ID_HEADER.encode()]

        async def first(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.start" and message["status"] < 400:
                await send({"type": "http.response.body", "body": CHANGED, "more_body": True})

        return {**scope, "headers": headers}, first


def _body(message: Any) -> Receive:
    async def messages() -> AsyncIterator[Message]:
        yield {"type": "http.request", "body": json.dumps(message).encode(), "more_body": False}
        await anyio.sleep_forever()

    return messages().__anext__


async def _nowhere(message: Message) -> None:
    """Nobody waits for this answer: the client had it long ago."""
