"""What a request must pass before any of it is believed: where it came from, how large it is, and that it is JSON.

The SDK checks some of this after us. The gate is stricter: duplicate keys,
NaN and Infinity are refused, since two readers of one body must not see two
requests; and it answers before the body has been read in full.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MESSAGE = "packhorse.message"
"""In the scope of a POST that has passed: its body as JSON."""

PLAIN = "packhorse.plain"
"""In the scope of a request to an offer's own route: neither its body nor its answer is a message of the protocol."""

_PARSE_ERROR = -32700


class Gate:
    """Guards the protocol's endpoints. Pages of the origins in ``shared`` may also read what it answers (CORS)."""

    def __init__(
        self, app: ASGIApp, *, security: TransportSecuritySettings, body_limit: int, shared: Collection[str] = ()
    ) -> None:
        self._app = app
        self._shared = shared
        self._to_pages = CORSMiddleware(
            self._past_origin,
            allow_origins=shared,
            allow_methods=("GET", "POST", "DELETE"),
            allow_headers=("*",),  # arguments may be repeated in headers of any name
            expose_headers=("Mcp-Session-Id", "WWW-Authenticate", "Retry-After"),
        )
        self._hosts = security.allowed_hosts
        self._origins = security.allowed_origins
        self._limit = body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # Of a header sent twice the first counts, as in Starlette; all of it at once is cheaper than one by one.
        headers: dict[bytes, bytes] = dict(reversed(scope["headers"]))
        if not _listed(headers.get(b"host", b"").decode("latin-1"), self._hosts):
            await Response("This server does not answer to that Host.", 421)(scope, receive, send)
            return
        origin = headers.get(b"origin")
        if origin is not None and not _listed(origin.decode("latin-1"), self._origins):
            await Response("Pages of that Origin may not call this server.", 403)(scope, receive, send)
            return
        if origin is not None and origin.decode("latin-1") in self._shared:
            await self._to_pages(scope, receive, send)
            return
        await self._past_origin(scope, receive, send, headers)

    async def _past_origin(
        self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, bytes] | None = None
    ) -> None:
        posted = scope["method"] == "POST"
        if headers is None:
            headers = dict(reversed(scope["headers"]))
        if posted and not headers.get(b"content-type", b"").lower().startswith(b"application/json"):
            await Response("Send application/json.", 415)(scope, receive, send)
            return
        if not posted:
            await self._app(scope, receive, send)
            return
        body = await self._read(headers, receive)
        if body is None:
            await Response(f"The request is larger than {self._limit:,} bytes.", 413, headers={"Connection": "close"})(
                scope, receive, send
            )
            return
        fault, scope[MESSAGE] = strictly(body)
        if fault is not None:
            refusal = refused(scope, {"code": _PARSE_ERROR, "message": fault})
            await JSONResponse(refusal, 400)(scope, receive, send)
            return
        replayed = False

        async def replay() -> Message:
            nonlocal replayed
            if replayed:
                return await receive()
            replayed = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, replay, send)

    async def _read(self, headers: Mapping[bytes, bytes], receive: Receive) -> bytes | None:
        """The body; None as soon as it is known to be too large."""
        declared = headers.get(b"content-length", b"")
        if declared.isdigit() and int(declared) > self._limit:
            return None
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return b""
            part = message.get("body", b"")
            size += len(part)
            if size > self._limit:
                return None
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)


def _listed(value: str, patterns: list[str]) -> bool:
    """Whether a Host or Origin is one of ``patterns``; one that ends in ``:*`` takes any port, and only a port."""
    if value in patterns:
        return True
    name, colon, port = value.rpartition(":")
    return bool(colon) and port.isascii() and port.isdigit() and f"{name}:*" in patterns


def refused(scope: Scope, error: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a refusal: a message of the protocol, under its request's id, but on a plain route."""
    if scope.get(PLAIN):
        return {"error": dict(error)}
    message = scope.get(MESSAGE)
    given = message.get("id") if isinstance(message, Mapping) else None
    known = given if isinstance(given, str | int) and not isinstance(given, bool) else None
    return {"jsonrpc": "2.0", "id": known, "error": dict(error)}


def fault_of(body: bytes | str) -> str | None:
    """Why a body is not one JSON value that every reader reads alike; None when it is."""
    return strictly(body)[0]


def strictly(body: bytes | str) -> tuple[str | None, Any]:
    """`fault_of` a body, and its value where there is none."""
    try:
        text = body.decode("utf-8") if isinstance(body, bytes) else body
        return None, _STRICT.decode(text)
    except _DuplicateKeyError:
        return "Parse error: an object has one key twice", None
    except (ValueError, RecursionError):
        return "Parse error", None


class _DuplicateKeyError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _DuplicateKeyError
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(name)


_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
