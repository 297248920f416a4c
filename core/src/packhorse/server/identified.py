"""Who sent an HTTP request: found out before anything of it is believed, and told where to sign in."""

import math
import re
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import anyio
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from packhorse.auth import Callers
from packhorse.catalogue import Catalogue
from packhorse.clock import request_id as new_request_id
from packhorse.deployment import Deployment
from packhorse.errors import AUTHENTICATION, RequestError, UserError
from packhorse.limits import RATE_LIMITED, Exceeded, Limit
from packhorse.principal import ANONYMOUS, Principal
from packhorse.server.adapter import Adapter
from packhorse.server.binding import is_loopback
from packhorse.server.callers import ADDRESS, PRINCIPAL, identity_of
from packhorse.server.gate import MESSAGE, refused
from packhorse.server.templates import parsed

METADATA = "/.well-known/oauth-protected-resource"
"""RFC 9728, section 3: put before the path of the resource."""

MOST_OWNERS = 4_096
"""Callers whose sessions' owner is kept: as many as tokens are remembered."""

MOST_WAITING = 10_000
"""Addresses that must wait before they may show another credential; beyond that the oldest is let go."""

_NO_BEARER = RequestError(AUTHENTICATION, "authentication", "Send one bearer token: Authorization: Bearer <token>.")
_NEEDED = RequestError(AUTHENTICATION, "authentication", "This needs a caller who is known: send a bearer token.")
_UNQUOTABLE = re.compile(r'[^\x20-\x7e]|["\\]')


class Identified:
    """Finds the caller of each request; a credential that does not hold is a 401 and goes no further.

    So is a request without one for what is not public. Who shows bad
    credentials again and again must wait, and then nothing is verified for them.
    """

    def __init__(self, app: ASGIApp, deployment: Deployment, adapter: Adapter, callers: Callers) -> None:
        auth = deployment.settings.auth
        self._app = app
        self._adapter = adapter
        self._callers = callers
        self._limiter = deployment.limiter
        self._accounts = deployment.dispatcher.accounts
        self._clock = deployment.clock
        self._resource = auth.resource
        self._lenient = is_loopback(deployment.settings.server.host)
        self._failures = None if auth.failures_by_address == "none" else Limit.parse(auth.failures_by_address)
        self._waiting: dict[str, float] = {}
        self._open = _Open(deployment)
        self._owners: OrderedDict[int, tuple[Principal, AuthenticatedUser | None]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._refusal(scope)
        if answer is not None:
            await answer(scope, receive, send)
            return
        seconds = self._seconds_of_stream(scope)
        if seconds is None:
            await self._app(scope, receive, send)
        else:
            await _at_most(seconds, self._app, scope, receive, send)

    def _seconds_of_stream(self, scope: Scope) -> float | None:
        """How long what only listens may: to the end of the credential that it came with; None for all else."""
        message = scope.get(MESSAGE)
        listens = isinstance(message, dict) and message.get("method") == "subscriptions/listen"
        ends = scope[PRINCIPAL].claims.get("exp")
        if not (listens or scope["method"] == "GET") or not isinstance(ends, int | float):
            return None
        return max(0.0, ends - self._clock().timestamp())

    async def _refusal(self, scope: Scope) -> Response | None:
        address: str = scope.get(ADDRESS, "")
        try:
            credential = _bearer(scope)
            if credential is not None and not self._callers.remembers(credential) and (wait := self._wait(address)):
                return self._limited(scope, wait)
            principal = await self._callers.identify(credential, lenient=self._lenient)
            if principal.kind == "anonymous" and not self._open.to_anybody(scope.get(MESSAGE)):
                self._accounts.refused_at_the_door(_NEEDED, new_request_id(), address or None)
                return self._challenge(scope, _NEEDED, None)
        except RequestError as error:
            return await self._bad(scope, error, address)
        scope[PRINCIPAL] = principal
        owner = self._owner(principal)
        if owner is not None:
            scope["user"] = owner
        return None

    def _owner(self, principal: Principal) -> AuthenticatedUser | None:
        """Whose a session is, said where the SDK looks for it: nobody else may then use it.

        Kept, since the same token gives the same principal, and making one takes as long as a tool may.
        """
        known = self._owners.get(id(principal))
        if known is None or known[0] is not principal:
            known = self._owners[id(principal)] = (principal, _owner_of(principal))
            if len(self._owners) > MOST_OWNERS:
                self._owners.popitem(last=False)
        return known[1]

    async def _bad(self, scope: Scope, error: RequestError, address: str) -> Response:
        if error.error_type == "keys_unavailable":
            self._accounts.refused_at_the_door(error, new_request_id(), address or None)
            return self._answer(scope, 503, error, {"Retry-After": str(error.details["retry_after_seconds"])})
        if self._failures is not None:
            try:
                exceeded = await self._limiter.hit("failed-auth", self._failures, (f"address:{address}",))
            except UserError:
                # It cannot be counted now; the credential is refused all the same.
                exceeded = None
            if exceeded is not None:
                self._wait_from_now(address, exceeded)
                return self._limited(scope, exceeded.retry_after_seconds)
        self._accounts.refused_at_the_door(error, new_request_id(), address or None)
        return self._challenge(scope, error, "invalid_token")

    def _wait(self, address: str) -> int:
        until = self._waiting.get(address)
        if until is None:
            return 0
        left = math.ceil(until - time.monotonic())
        if left <= 0:
            del self._waiting[address]
        return max(0, left)

    def _wait_from_now(self, address: str, exceeded: Exceeded) -> None:
        if len(self._waiting) >= MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        self._waiting[address] = time.monotonic() + exceeded.retry_after_seconds

    def _limited(self, scope: Scope, seconds: int) -> Response:
        error = RequestError(
            RATE_LIMITED,
            "rate_limited",
            f"Too many tokens from this address did not hold. Try again in {seconds} s, with one that does.",
            details={"retry_after_seconds": seconds},
        )
        return self._answer(scope, 429, error, {"Retry-After": str(seconds)})

    def _challenge(self, scope: Scope, error: RequestError, code: str | None) -> Response:
        """401, saying where to learn who gives tokens (RFC 6750, section 3; RFC 9728, section 5.1)."""
        parts = [f'resource_metadata="{metadata_url(scope, self._resource)}"']
        if code is not None:
            parts += [f'error="{code}"', f'error_description="{_UNQUOTABLE.sub(" ", error.message)}"']
        return self._answer(scope, 401, error, {"WWW-Authenticate": "Bearer " + ", ".join(parts)})

    def _answer(self, scope: Scope, status: int, error: RequestError, headers: Mapping[str, str]) -> Response:
        data = self._adapter.error_data(error.error_type, error.details, new_request_id())
        body = refused(scope, {"code": error.code, "message": error.message, "data": data})
        return JSONResponse(body, status, headers={**headers, "Cache-Control": "no-store"})


async def _at_most(seconds: float, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Run ``app``, and end its answer properly when the time is up: its client comes back, and must show who it is."""
    begun = ended = False

    async def noting(message: Message) -> None:
        nonlocal begun, ended
        begun = True
        ended = message["type"] == "http.response.body" and not message.get("more_body", False)
        await send(message)

    with anyio.move_on_after(seconds):
        await app(scope, receive, noting)
        return
    if begun and not ended:
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def metadata_url(scope: Scope, resource: str | None) -> str:
    """Where the metadata of the endpoint that was asked is."""
    parts = urlsplit(resource or resource_url(scope))
    return f"{parts.scheme}://{parts.netloc}{METADATA}{parts.path}"


def resource_url(scope: Scope) -> str:
    """The endpoint's own URL, by the Host that the request named and the gate has let pass."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
    path = scope["path"].removeprefix(METADATA)
    return f"{scope.get('scheme', 'http')}://{host}{path}"


def metadata(scope: Scope, deployment: Deployment) -> dict[str, Any]:
    """What a client must know to get a token for this server (RFC 9728, section 2)."""
    auth = deployment.settings.auth
    servers = [one.issuer for one in auth.issuers if urlsplit(one.issuer).scheme in ("https", "http")]
    return {
        "resource": auth.resource or resource_url(scope),
        **({"authorization_servers": servers} if servers else {}),
        "bearer_methods_supported": ["header"],
        "resource_name": deployment.settings.server.name,
    }


def _bearer(scope: Scope) -> str | None:
    """The token of the one Authorization header; None without any."""
    given: list[bytes] = [value for name, value in scope["headers"] if name == b"authorization"]
    if not given:
        return None
    kind, _, rest = given[0].decode("latin-1").partition(" ")
    token = rest.lstrip(" ")  # one blank or several (RFC 6750, section 2.1)
    if len(given) > 1 or kind.lower() != "bearer" or not token:
        raise _NO_BEARER
    return token


def _owner_of(principal: Principal) -> AuthenticatedUser | None:
    identity = identity_of(principal)
    if identity is None:
        return None
    audience = principal.claims.get("aud")
    return AuthenticatedUser(
        AccessToken(
            token="",
            client_id=identity,
            scopes=sorted(principal.scopes),
            subject=principal.subject,
            resource=audience if isinstance(audience, str) else None,
            claims={"iss": principal.claims.get("iss")},
        )
    )


class _Open:
    """What callers may ask for who show no token."""

    def __init__(self, deployment: Deployment) -> None:
        self._catalogue: Catalogue = deployment.catalogue
        self._dispatcher = deployment.dispatcher
        self._nothing = not any(self._dispatcher.visible(ANONYMOUS, one.offer) for one in self._catalogue.entries)

    def to_anybody(self, message: Any) -> bool:
        """Whether none of what a message asks for needs a caller who is known."""
        if self._nothing:
            return False
        for one in message if isinstance(message, list) else (message,):
            for entry in self._asked(one):
                if not self._dispatcher.visible(ANONYMOUS, entry.offer):
                    return False
        return True

    def _asked(self, message: Any) -> Iterator[Any]:
        params = message.get("params") if isinstance(message, dict) else None
        if not isinstance(params, dict):
            return
        method, name, uri = message.get("method"), params.get("name"), params.get("uri")
        found: Any = None
        if method == "tools/call" and isinstance(name, str):
            found = self._catalogue.tools.get(name)
        elif method == "prompts/get" and isinstance(name, str):
            found = self._catalogue.prompts.get(name)
        elif method in ("resources/read", "resources/subscribe", "skills/get") and isinstance(uri, str):
            found = self._catalogue.resources.get(uri) or next(
                (
                    entry
                    for entry in self._catalogue.resources.values()
                    if entry.is_template and parsed(entry.offer.uri).match(uri) is not None
                ),
                None,
            )
        if found is not None:
            yield found
