"""The one way in over HTTP: each request is looked at, counted and given its share here, and nowhere else."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Protocol

import anyio
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from packhorse.contract.principal import ANONYMOUS
from packhorse.door.shares import Holder, Shares, holder_of
from packhorse.errors import RequestError
from packhorse.http.addresses import AddressLimits, Network, client_address, limit_key
from packhorse.http.authentication import Authentication, PageCallers, at_most, listens
from packhorse.http.gate import ClientGone, Gate, Headers, check_message, fields_of, message_of
from packhorse.wire.callers import ADDRESS, CONNECTION, HOLDER, MESSAGE, PLAIN
from packhorse.wire.in_flight import UnderWay
from packhorse.wire.refusals import INVALID_REQUEST, Refusals, Refused, none_left

LINGER_SECONDS = 5
"""How long the rest of a refused body is read. Closing on a client that still sends takes the answer from it."""

LINGER_BYTES = 64 * 1024 * 1024


class Connection(Protocol):
    """What a request came on, if the server knows."""

    def belongs_to(self, holder: Holder) -> None:
        """A caller who signed in uses it."""


class Admission:
    """Lets requests through to ``app``, or refuses them.

    In order: length, Host and Origin; the body; calls of this address; the
    caller; that the body is one message; the caller's share of streams. What a part is left out for is not
    looked at. With ``tool`` every POST is a call of that one,
    with ``form`` a form of a page.
    """

    def __init__(
        self,
        app: ASGIApp,
        refusals: Refusals,
        gate: Gate,
        *,
        trusted: Collection[Network] = (),
        limits: AddressLimits | None = None,
        authentication: Authentication | PageCallers | None = None,
        streams: Shares | None = None,
        under_way: UnderWay | None = None,
        methods: Collection[str] | None = None,
        tool: str | None = None,
        form: bool = False,
    ) -> None:
        self._app = app
        self._refusals = refusals
        self._gate = gate
        self._trusted = tuple(trusted)
        self._limits = limits
        self._authentication = authentication
        self._streams = streams
        self._under_way = under_way
        self._methods = methods
        self._tool = tool
        self._form = form
        self._to_pages = CORSMiddleware(
            self._admit,
            allow_origins=gate.shared,
            allow_methods=("GET", "POST", "DELETE"),
            allow_headers=("*",),  # arguments may be repeated in headers of any name
            expose_headers=("Mcp-Session-Id", "WWW-Authenticate", "Retry-After", "X-Request-Id"),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope[ADDRESS] = limit_key(client_address(scope, self._trusted))
        try:
            headers = self._gate.check(scope)
        except Refused as refused:
            await refuse(self._refusals, refused, scope, receive, send)
            return
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1") in self._gate.shared:
            await self._to_pages(scope, receive, send)
        else:
            await self._admit(scope, receive, send, headers)

    async def _admit(self, scope: Scope, receive: Receive, send: Send, headers: Headers | None = None) -> None:
        releases: list[Callable[[], None]] = []
        try:
            receive, seconds = await self._check(scope, receive, headers, releases)
            if seconds is None:
                await self._app(scope, receive, send)
            else:
                await at_most(seconds, self._app, scope, receive, send)
        except Refused as refused:
            await refuse(self._refusals, refused, scope, receive, send)
        except ClientGone:
            return
        finally:
            for release in releases:
                release()

    async def _check(
        self, scope: Scope, receive: Receive, headers: Headers | None, releases: list[Callable[[], None]]
    ) -> tuple[Receive, float | None]:
        """What the app may read, and for how many seconds it may listen; ``releases`` end what the request takes.

        Raises:
            Refused: the request goes no further.
            ClientGone: it did not come to its end.
        """
        self._check_method(scope["method"])
        posted = scope["method"] == "POST"
        if posted:
            body = await self._gate.body(headers or dict(reversed(scope["headers"])), receive, form=self._form)
            scope[MESSAGE] = fields_of(body) if self._form else message_of(body)
            receive = _replaying(body, receive)
            if self._limits is not None and not self._form:
                await self._limits.count(scope[ADDRESS], scope[MESSAGE], self._tool)
        principal, seconds = ANONYMOUS, None
        if self._authentication is not None:
            principal = await self._authentication.caller(scope, scope[ADDRESS])
            seconds = self._authentication.seconds_of_stream(scope, principal)
        if posted and self._tool is None and not self._form:
            check_message(scope[MESSAGE])
        scope[HOLDER] = holder = holder_of(principal, scope[ADDRESS])
        if holder.rank == "signed_in":
            connection: Connection | None = scope.get("state", {}).get(CONNECTION)
            if connection is not None:
                connection.belongs_to(holder)
        if self._streams is not None and listens(scope) and not scope.get(PLAIN):
            if not self._streams.take(holder):
                raise none_left("streams", self._streams.held(holder))
            releases.append(partial(self._streams.give, holder))
        if posted and self._under_way is not None:
            self._under_way.begin()
            releases.append(self._under_way.end)
        return receive, seconds

    def _check_method(self, method: str) -> None:
        if self._methods is not None and method not in self._methods:
            allowed = {"Allow": ", ".join(sorted(self._methods))}
            raise Refused(405, RequestError(INVALID_REQUEST, "method", "Method Not Allowed"), allowed, text=True)


async def refuse(refusals: Refusals, refused: Refused, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request that goes no further."""
    answer = refusals.answer(scope, refused)
    if not refused.rest:
        await answer(scope, receive, send)
        return
    await send({"type": "http.response.start", "status": answer.status_code, "headers": answer.raw_headers})
    await send({"type": "http.response.body", "body": answer.body, "more_body": True})
    await _read_on(receive)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _read_on(receive: Receive) -> None:
    """Read what the client still sends, within bounds."""
    size = 0
    with anyio.move_on_after(LINGER_SECONDS):
        more = True
        while more and size < LINGER_BYTES:
            message = await receive()
            size += len(message.get("body", b""))
            more = message["type"] == "http.request" and message.get("more_body", False)


def _replaying(body: bytes, receive: Receive) -> Receive:
    """The body again, which has been read, and then what follows it."""
    replayed = False

    async def replay() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
