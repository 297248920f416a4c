"""Routes of packs, and offers that also answer plain HTTP, through the same gate, callers and door as any call.

A pack's `Route` has a path and answers GET. Any other offer says so in its
``meta``: ``{"packhorse/http": "POST /api/v1/checks"}`` on a tool, whose
arguments are the request's JSON object; ``"GET /api/v1/x/{id}"`` on a resource,
whose variables stand in the path. What a tool answers is its structured
answer; a refusal is ``{"error": {"code", "message", "data"}}`` with the numbers
of the protocol, and a status of HTTP that says the same.
"""

import base64
import binascii
import re
from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Any
from urllib.parse import urlencode

import anyio.to_thread
import mcp_types as wire
from starlette.datastructures import MutableHeaders, QueryParams
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from packhorse.compose.deployment import Deployment
from packhorse.contract import design, offers
from packhorse.contract.content import Page, Reply, Text
from packhorse.contract.principal import ANONYMOUS
from packhorse.door.catalogue import FORM, ResourceEntry, RouteEntry, ToolEntry, is_probe
from packhorse.door.execution import Requester, bug
from packhorse.door.limits import RATE_LIMITED
from packhorse.errors import (
    AUTHENTICATION,
    AUTHORIZATION,
    INTERNAL,
    INVALID_PARAMS,
    RESOURCE_NOT_FOUND,
    PackError,
    RequestError,
    UserError,
)
from packhorse.wire import content, templates
from packhorse.wire.adapter import Adapter
from packhorse.wire.callers import ADDRESS, MESSAGE, PLAIN, PRINCIPAL

META = "packhorse/http"
"""The key of ``meta`` that names method and path."""

Served = ToolEntry | ResourceEntry | RouteEntry
"""What may have a path."""

_ROUTE = re.compile(r"(?P<method>GET|POST) (?P<path>(?:/(?:[A-Za-z0-9._~-]+|\{[A-Za-z_]\w*\}))+)")
_STATUS = {
    AUTHENTICATION: 401,
    AUTHORIZATION: 403,
    RESOURCE_NOT_FOUND: 404,
    INVALID_PARAMS: 422,
    INTERNAL: 500,
    RATE_LIMITED: 429,
}
"""The protocol's numbers as HTTP has them (RFC 9110, section 15); a refusal with any other is a 422."""
_REFUSED = 422


def offered_routes(
    deployment: Deployment,
    adapter: Adapter,
    guarded: Callable[[ASGIApp, "Served"], ASGIApp],
    taken: Iterable[str] = (),
    *,
    public_of: Collection[str] | None = None,
) -> list[BaseRoute]:
    """The routes of every offer that has one; with ``public_of`` the public pages of those packs alone.

    ``guarded`` puts before an offer's app what its requests must pass.

    Raises:
        PackError: a route is none, is served twice or is one of ``taken``, or does not fit its offer.
    """
    found: list[BaseRoute] = []
    reserved = set(taken)
    catalogue = deployment.catalogue
    entries: list[Served] = [*catalogue.tools.values(), *catalogue.resources.values(), *catalogue.routes.values()]
    if public_of is not None:
        entries = [one for one in catalogue.routes.values() if one.pack in public_of and one.offer.public]
    for entry in entries:
        if isinstance(entry, RouteEntry):
            method, path = "POST" if entry.posts else "GET", entry.offer.path
        elif (given := entry.offer.meta.get(META)) is None:
            continue
        else:
            method, path = _parsed(entry, given)
        if path in reserved and not (isinstance(entry, RouteEntry) and entry.posts):
            raise PackError(f"pack {entry.pack!r}: {entry.name!r} cannot be served at {path}: this path is in use")
        reserved.add(path)
        answering: ASGIApp = _Plain(guarded(_Answering(deployment, adapter, entry), entry))
        if isinstance(entry, RouteEntry) and entry.offer.sign_in:
            answering = _SignIn(answering, entry.offer)
        found.append(
            Route(
                path,
                endpoint=answering,
                methods=[method] if isinstance(entry, RouteEntry) and entry.posts else [method, "OPTIONS"],
            )
        )
    return found


def _parsed(entry: ToolEntry | ResourceEntry, given: Any) -> tuple[str, str]:
    match = _ROUTE.fullmatch(given) if isinstance(given, str) else None
    wanted = "POST" if isinstance(entry, ToolEntry) else "GET"
    if match is None or match["method"] != wanted:
        raise PackError(
            f"pack {entry.pack!r}: {entry.name!r} needs {META} = '{wanted} /a/path' in its `meta`, not {given!r}"
        )
    named = set(re.findall(r"\{(\w+)\}", match["path"]))
    needed = set(templates.parsed(entry.offer.uri).variable_names) if isinstance(entry, ResourceEntry) else set()
    if named != needed:
        names = ", ".join(sorted(needed)) or "no name"
        raise PackError(
            f"pack {entry.pack!r}: the path {match['path']} of {entry.name!r} must contain {names} in braces"
        )
    return match["method"], match["path"]


class _Plain:
    """What comes here, and what the doors before the offer refuse of it, is no message of the protocol."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[PLAIN] = True
        await self._app(scope, receive, send)


class _Answering:
    """One offer as an ASGI application."""

    def __init__(self, deployment: Deployment, adapter: Adapter, entry: Served) -> None:
        self._dispatcher = deployment.dispatcher
        self._authenticated = deployment.dispatcher.authenticated
        self._adapter = adapter
        self._entry = entry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "OPTIONS":  # not a page's question before it calls: the gate answers that
            allowed = "POST" if isinstance(self._entry, ToolEntry) else "GET, HEAD"
            await Response(status_code=204, headers={"Allow": f"{allowed}, OPTIONS"})(scope, receive, send)
            return
        with self._adapter.under_way.one():  # a GET too, which the doors before take for a stream to listen on
            response = await self._response(scope)
            await response(scope, receive, send)

    async def _response(self, scope: Scope) -> Response:
        requester = Requester(scope.get(PRINCIPAL, ANONYMOUS), address=scope.get(ADDRESS))
        try:
            if isinstance(self._entry, ToolEntry):
                return await self._called(self._entry, requester, scope)
            if isinstance(self._entry, RouteEntry):
                return await self._visited(self._entry, requester, scope)
            return await self._read(self._entry, requester, scope)
        except (UserError, RequestError) as error:
            return self._refused(error, requester)
        except Exception:
            return self._refused(bug(requester.id, self._entry, "gave an answer that cannot be sent"), requester)

    async def _called(self, entry: ToolEntry, requester: Requester, scope: Scope) -> Response:
        given = scope.get(MESSAGE)
        if not isinstance(given, dict):
            raise RequestError(INVALID_PARAMS, "invalid_arguments", "Send the arguments as one JSON object.")
        reply = await self._dispatcher.call_tool(requester, entry.name, given)
        if not isinstance(reply, Reply):
            raise UserError("This tool asks questions, which does not work over plain HTTP. Use an MCP client.")
        body = reply.structured
        if body is None:
            body = {"content": [piece.text for piece in reply.content if isinstance(piece, Text)]}
        return JSONResponse(body, 202 if _is_started(reply) else 200, headers=_HEADERS)

    async def _read(self, entry: ResourceEntry, requester: Requester, scope: Scope) -> Response:
        uri = entry.offer.uri
        if entry.is_template:
            uri = templates.parsed(uri).expand({name: str(value) for name, value in scope["path_params"].items()})
        found, value = await self._dispatcher.read(requester, uri, templates.match)
        shown = content.read_result(found, uri, value).contents[0]  # as over the protocol
        body = shown.text if isinstance(shown, wire.TextResourceContents) else base64.b64decode(shown.blob)
        return Response(body, media_type=shown.mime_type, headers=_HEADERS)

    async def _visited(self, entry: RouteEntry, requester: Requester, scope: Scope) -> Response:
        if is_probe(entry):
            value = await anyio.to_thread.run_sync(entry.offer.fn)
        else:
            asked = QueryParams(scope["query_string"])
            given = {name: asked[name] for name in entry.offer.query if name in asked}
            given |= {**scope["path_params"], **({FORM: scope[MESSAGE]} if entry.posts else {})}
            value = await self._dispatcher.visit(requester, entry.name, given)
        if isinstance(value, Page):
            look = {}
            if value.styles:
                look["Content-Security-Policy"] = _policy(value.styles, value.forms, value.script)
            if value.forms:  # without a referrer a browser would send its form with the Origin "null"
                look |= {"Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin"}
            headers = {**_HEADERS, **look, **value.headers}
            return Response(value.body, value.status, media_type=value.mime_type, headers=headers)
        if isinstance(value, str | bytes):
            return Response(value, media_type=entry.offer.mime_type, headers=_HEADERS)
        return JSONResponse(value, headers=_HEADERS)

    def _refused(self, error: UserError | RequestError, requester: Requester) -> Response:
        number = error.jsonrpc_code if isinstance(error, UserError) else error.code
        kind = error.code if isinstance(error, UserError) else error.error_type
        status = _OF_KIND.get(kind) or _STATUS.get(number, _REFUSED)
        headers = dict(_HEADERS)
        could_sign_in = requester.principal.kind == "anonymous" and self._authenticated
        if status == 403 and could_sign_in and not self._entry.offer.public:
            status = 401
        if status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        if "retry_after_seconds" in error.details:
            headers["Retry-After"] = str(error.details["retry_after_seconds"])
        if isinstance(self._entry, RouteEntry) and (self._entry.offer.sign_in or self._entry.offer.probe):
            return PlainTextResponse(f"{error.message}\n", status, headers=headers)
        data = self._adapter.refusals.data(kind, error.details, requester.id)
        return JSONResponse(
            {"error": {"code": number, "message": error.message, "data": data}}, status, headers=headers
        )


_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""No cache keeps it, and a pack's page runs no script: a page with a sign-in may be at the same address."""

_OF_KIND = {"BUSY": 503, "BACKEND_UNAVAILABLE": 503, "AUDIT_UNAVAILABLE": 503, "STOPPING": 503, "TIMEOUT": 504}
"""Refusals that pass, for clients that try again by the status alone; most have the number of a bug, -32603."""


_SIGN_IN = (
    b"Sign in: any name, and a token as the password. 'packhorse token' makes one for trying out; 'packhorse console'"
    b" opens the console without one, on the server's own machine.\n"
)
_CHALLENGE = 'Basic realm="packhorse: any name, and a token as the password", charset="UTF-8"'


class _SignIn:
    """Leads a browser that has not signed in to where it does.

    Where there is no such place it can show a token: as the password that it
    asks for (RFC 7617), which is a bearer token from here.
    """

    def __init__(self, app: ASGIApp, page: offers.Route) -> None:
        self._app = app
        self._entrance = page.session.entrance if page.session is not None else ""
        self._polled = page.polled

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body: bytes | None = None
        elsewhere = self._entrance and not any(name == b"authorization" for name, _ in scope["headers"])

        async def challenging(message: Message) -> None:
            nonlocal body
            if message["type"] == "http.response.start" and message["status"] == 401:
                body = _SIGN_IN
                headers = MutableHeaders(scope=message)
                headers.update({"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body))})
                if not elsewhere:
                    headers.append("WWW-Authenticate", _CHALLENGE)
                elif not self._polled:  # what is polled has a page already, whose next request is led there
                    message["status"] = 303
                    headers["Location"] = f"{self._entrance}?{urlencode({'to': _page_of(scope)})}"
            elif body is not None:
                message = {**message, "body": body}
            await send(message)

        headers = [(name, _as_bearer(value) if name == b"authorization" else value) for name, value in scope["headers"]]
        await self._app({**scope, "headers": headers}, receive, challenging)


def _as_bearer(value: bytes) -> bytes:
    kind, _, rest = value.partition(b" ")
    if kind.lower() != b"basic":
        return value
    try:
        token = base64.b64decode(rest.strip(), validate=True).partition(b":")[2]
    except binascii.Error:
        return value
    return b"Bearer " + token


def _page_of(scope: Scope) -> str:
    """The page that a browser asked for, or whose form it sent."""
    path: str = scope["path"]
    query = scope["query_string"].decode("latin-1") if scope["method"] == "GET" else ""
    return f"{path}?{query}" if query else path


@cache
def _policy(styles: str, forms: bool, script: str) -> str:  # the marks of a page
    return f"{design.policy(styles=styles, forms=forms, script=script)}; frame-ancestors 'none'"


def _is_started(reply: Reply[Any]) -> bool:
    """Whether the answer is the handle of a job, and the answer proper is still to come."""
    return hasattr(reply, "job")
