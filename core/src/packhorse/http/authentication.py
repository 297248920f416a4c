"""Who sent an HTTP request: established before anything of it is believed; and where to sign in."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.requests import HTTPConnection, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from packhorse.compose.deployment import Deployment
from packhorse.contract.offers import Route
from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.door.authorization import Callers, lacks_role
from packhorse.door.catalogue import Catalogue, Entry
from packhorse.door.entrances import seen_through
from packhorse.door.limits import RATE_LIMITED, Limit
from packhorse.errors import AUTHENTICATION, AUTHORIZATION, RequestError, UserError
from packhorse.settings.security import is_loopback
from packhorse.wire.callers import MESSAGE, PLAIN, PRINCIPAL, identity_of
from packhorse.wire.refusals import Refused
from packhorse.wire.templates import match

METADATA = "/.well-known/oauth-protected-resource"
"""RFC 9728, section 3: put before the path of the resource."""

_NO_BEARER = RequestError(AUTHENTICATION, "authentication", "Send one bearer token: Authorization: Bearer <token>.")
_NEEDED = RequestError(AUTHENTICATION, "authentication", "This needs a signed-in caller: send a bearer token.")
_UNQUOTABLE = re.compile(r'[^\x20-\x7e]|["\\]')


class Authentication:
    """Finds the caller of each request, and refuses those who are not who they say or may not ask for what they do."""

    def __init__(self, deployment: Deployment, callers: Callers) -> None:
        auth = deployment.settings.auth
        self._dispatcher = deployment.dispatcher
        self._callers = callers
        self._limiter = deployment.limiter
        self._clock = deployment.clock
        self._resource = auth.resource
        self._own = auth.issuer if auth.login is not None else None
        """Whose tokens give all that their callers may have: a client that signs in again gets no better one."""
        self._lenient = is_loopback(deployment.settings.server.host)
        self._failures = None if auth.failures_by_address == "none" else Limit.parse(auth.failures_by_address)
        self._catalogue: Catalogue = deployment.catalogue
        self._everybody_signs_in = (auth.login is not None and auth.login.required) or not any(
            self._dispatcher.visible(ANONYMOUS, entry.offer) for entry in self._catalogue.listed
        )

    async def caller(self, scope: Scope, address: str, *, is_open: bool = False) -> Principal:
        """The caller, noted in the scope too.

        A credential that holds is never refused, whatever else was sent from
        its address: only those that do not hold are counted. What ``is_open``
        needs none.

        Raises:
            Refused: the credential does not hold, is needed and absent, or is not for what is asked.
        """
        try:
            principal = await self._callers.identify(_bearer(scope), lenient=self._lenient)
        except RequestError as error:
            raise await self._bad(scope, error, address) from error
        message = None if scope.get(PLAIN) else scope.get(MESSAGE)
        if principal.kind == "anonymous":
            if (self._everybody_signs_in and not is_open) or any(self._hidden(principal, message)):
                raise self._challenge(scope, _NEEDED, None)
        elif self._own is None or principal.claims.get("iss") != self._own:
            for entry in self._hidden(principal, message):
                raise self._not_enough(scope, entry, principal)
        scope[PRINCIPAL] = principal
        if not _is_without_session(scope) and (owner := _owner_of(principal)) is not None:
            scope["user"] = owner
        return principal

    def seconds_of_stream(self, scope: Scope, principal: Principal) -> float | None:
        """How long what only listens may: to the end of the credential that it came with; None for all else."""
        ends = principal.claims.get("exp")
        if not listens(scope) or not isinstance(ends, int | float):
            return None
        return max(0.0, ends - self._clock().timestamp())

    async def _bad(self, scope: Scope, error: RequestError, address: str) -> Refused:
        if error.error_type == "keys_unavailable":
            return Refused(503, error, {"Retry-After": str(error.details["retry_after_seconds"])})
        if self._failures is not None:
            try:
                exceeded = await self._limiter.hit("failed-auth", self._failures, (f"address:{address}",))
            except UserError:
                exceeded = None  # it cannot be counted now; the credential is refused all the same
            if exceeded is not None:
                return _too_many(exceeded.retry_after_seconds)
        return self._challenge(scope, error, "invalid_token")

    def _challenge(self, scope: Scope, error: RequestError, code: str | None) -> Refused:
        """401, saying where to learn who gives tokens (RFC 6750, section 3; RFC 9728, section 5.1)."""
        return Refused(401, error, {"WWW-Authenticate": self._bearer_of(scope, error, code)})

    def _not_enough(self, scope: Scope, entry: Entry, principal: Principal) -> Refused:
        """403 for a caller who lacks the role, as a client that can get a better token expects it (RFC 6750, 3.1)."""
        error = RequestError(AUTHORIZATION, "authorization", lacks_role(principal), details={"name": entry.name})
        headers = {"WWW-Authenticate": self._bearer_of(scope, error, "insufficient_scope")}
        return Refused(403, error, headers, entry=entry, principal=principal)

    def _bearer_of(self, scope: Scope, error: RequestError, code: str | None) -> str:
        parts = [f'resource_metadata="{metadata_url(scope, self._resource)}"']
        if code is not None:
            parts += [f'error="{code}"', f'error_description="{_UNQUOTABLE.sub(" ", error.message)}"']
        return "Bearer " + ", ".join(parts)

    def _hidden(self, principal: Principal, message: Any) -> Iterator[Entry]:
        """What a message asks for and this caller may not know of."""
        for one in message if isinstance(message, list) else (message,):
            entry = self._asked(one)
            if entry is not None and not self._dispatcher.visible(principal, entry.offer):
                yield entry

    def _asked(self, message: Any) -> Entry | None:
        params = message.get("params") if isinstance(message, dict) else None
        if not isinstance(params, dict):
            return None
        method, name, uri = message.get("method"), params.get("name"), params.get("uri")
        if method == "tools/call" and isinstance(name, str):
            tool, _ = seen_through(name, params.get("arguments"))
            return self._catalogue.tools.get(tool) if isinstance(tool, str) else None
        if method == "prompts/get" and isinstance(name, str):
            return self._catalogue.prompts.get(name)
        if method in ("resources/read", "resources/subscribe", "skills/get") and isinstance(uri, str):
            found = self._catalogue.resource_at(uri, match)
            return found[0] if found else None
        return None


class PageCallers:
    """Finds the caller of a page of a pack: by its browser's session, else as of any request."""

    def __init__(self, others: Authentication | None, route: Route) -> None:
        self._others = others
        self._is_open = route.public
        self._session = route.session

    async def caller(self, scope: Scope, address: str) -> Principal:
        if self._session is not None:
            cookies = cookie_parser(HTTPConnection(scope).headers.get("cookie", ""))
            shown = cookies.get(self._session.cookie)
            known = await anyio.to_thread.run_sync(self._session.whose, shown) if shown else None
            if known is not None:
                scope[PRINCIPAL] = known
                return known
        if self._others is None:
            return ANONYMOUS
        return await self._others.caller(scope, address, is_open=self._is_open)

    def seconds_of_stream(self, scope: Scope, principal: Principal) -> float | None:
        return None if self._others is None else self._others.seconds_of_stream(scope, principal)


def listens(scope: Scope) -> bool:
    """Whether a request opens a stream that lasts as long as its client listens."""
    message = scope.get(MESSAGE)
    return scope["method"] == "GET" or (isinstance(message, dict) and message.get("method") == "subscriptions/listen")


def _too_many(seconds: int) -> Refused:
    error = RequestError(
        RATE_LIMITED,
        "rate_limited",
        f"Too many tokens from this address were invalid. Try again in {seconds} s, with a valid token.",
        details={"retry_after_seconds": seconds},
    )
    return Refused(429, error, {"Retry-After": str(seconds)})


async def at_most(seconds: float, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
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
    if auth.login is not None:
        servers.insert(0, auth.origin)
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


def _is_without_session(scope: Scope) -> bool:
    """Whether it is of a revision that has no sessions, as the SDK reads it: by the first of such headers."""
    version = next((value for name, value in scope["headers"] if name == b"mcp-protocol-version"), b"")
    return version.decode("latin-1") in MODERN_PROTOCOL_VERSIONS


def _owner_of(principal: Principal) -> AuthenticatedUser | None:
    """Whose a session is, in the form in which the SDK looks for it: nobody else may then use it."""
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
