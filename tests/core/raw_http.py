"""A 2026-07-28 client that writes its bytes itself, so that no library mends a hostile request on the way."""

import json
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http.client import HTTPResponse
from typing import Any, NamedTuple

from tests.core.live import Served

VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "adversary", "version": "1"},
}
TOOL = "distance"
ROAD = {"start": "Paris", "days": 2}

ANSWER_SECONDS = 60


class Answer(NamedTuple):
    """An HTTP response, read to its end."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


def exchange(port: int, head: bytes, body: Iterable[bytes] = (), *, host: str = "127.0.0.1") -> Answer:
    """Send ``head`` and ``body`` as they are and read one response.

    A server may answer, and close, before it has read everything: what cannot
    be sent any more is left out.
    """
    with socket.create_connection((host, port), timeout=ANSWER_SECONDS) as wire:
        with suppress(BrokenPipeError, ConnectionResetError):
            for piece in (head, *body):
                wire.sendall(piece)
        with HTTPResponse(wire, method="POST") as response:
            response.begin()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())


def request(
    served: Served,
    content: bytes,
    *,
    method: str = "POST",
    path: str = "/mcp",
    mcp_method: str = "tools/call",
    mcp_name: str | None = TOOL,
    declared: int | None = None,
    **changed: str | None,
) -> Answer:
    """A 2026-07-28 request around ``content``; a header is changed by its name in lower case, or left out by None."""
    headers: dict[str, str | None] = {
        "host": f"127.0.0.1:{served.port}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "content-length": str(len(content) if declared is None else declared),
        "mcp-protocol-version": VERSION,
        "mcp-method": mcp_method,
        "mcp-name": mcp_name,
        **{name.replace("_", "-"): value for name, value in changed.items()},
    }
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items() if value is not None)]
    return exchange(served.port, "\r\n".join([*lines, "connection: close", "", ""]).encode(), [content])


def headers_of(name: str | None, method: str = "tools/call", *, token: str | None = None) -> dict[str, str]:
    """The headers of a request that another library writes."""
    return {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": VERSION,
        "Mcp-Method": method,
        **({"Mcp-Name": name} if name else {}),
        **({"Authorization": f"Bearer {token}"} if token else {}),
    }


def message(
    arguments: object = ROAD, *, name: str = TOOL, method: str = "tools/call", under: object = 1
) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments, "_meta": META}
    return {"jsonrpc": "2.0", "id": under, "method": method, "params": params}


def written(arguments: object = ROAD) -> bytes:
    return json.dumps(message(arguments)).encode()


def with_arguments(text: str) -> bytes:
    """A call whose arguments are ``text`` as it stands, JSON or not."""
    return written("HERE").replace(b'"HERE"', text.encode("utf-8", "surrogatepass"))
