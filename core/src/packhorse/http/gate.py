"""What a request must be before any of it is believed: where it came from, how large it is, and that it is JSON.

The SDK checks some of this after us. The gate is stricter: duplicate keys,
NaN and Infinity are refused, since two readers of one body must not see two
requests; and it answers before the body has been read in full.
"""

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import parse_qsl

from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import Receive, Scope

from packhorse.errors import PackError, RequestError
from packhorse.schema.strict_json import strictly
from packhorse.settings import ServerSettings
from packhorse.settings.security import is_loopback
from packhorse.wire.refusals import INVALID_REQUEST, PARSE_ERROR, Refused

MOST_FIELDS = 100
"""Fields of a form."""

Headers = Mapping[bytes, bytes]
"""The first value of each header."""


class ClientGone(Exception):  # noqa: N818 - names what happened to the request
    """The client closed its connection before it had sent its request."""


class Gate:
    """Looks at requests. Pages of the origins in ``shared`` may also read the answers (CORS)."""

    def __init__(self, *, security: TransportSecuritySettings, body_limit: int, shared: Collection[str] = ()) -> None:
        self.shared = shared
        self._hosts = security.allowed_hosts
        self._origins = security.allowed_origins
        self._limit = body_limit

    def check(self, scope: Scope) -> Headers:
        """The headers of a request whose sender and length are what they seem.

        Raises:
            Refused: its end is ambiguous, it is for another host, or a page of another origin sent it.
        """
        headers = self.check_host(scope)
        origin = headers.get(b"origin")
        if origin is not None and not self._is_of_ours(origin, headers[b"host"], scope):
            raise Refused(
                403, _invalid("foreign_origin", "Web pages from that Origin may not call this server."), text=True
            )
        return headers

    def check_host(self, scope: Scope) -> Headers:
        """The same, of whatever origin the page is that sent it.

        Raises:
            Refused: its end is ambiguous, or it is for another host.
        """
        headers = headers_of(scope)
        if not _listed(headers.get(b"host", b"").decode("latin-1"), self._hosts):
            raise Refused(421, _invalid("unknown_host", "This server does not accept that Host header."), text=True)
        return headers

    def _is_of_ours(self, origin: bytes, host: bytes, scope: Scope) -> bool:
        """Whether the one Origin is listed, or that of this server's own pages: of the Host, which has been checked.

        Of two, one may be there for this check and the other for the next.
        """
        alone = sum(name == b"origin" for name, _ in scope["headers"]) == 1
        own = origin in (b"https://" + host, b"http://" + host)
        return alone and (own or _listed(origin.decode("latin-1"), self._origins))

    async def body(self, headers: Headers, receive: Receive, *, form: bool = False) -> bytes:
        """The body of a POST.

        Raises:
            Refused: its content type is not JSON, or a form where one is meant, or too large.
            ClientGone: it did not come to its end.
        """
        wanted = b"application/x-www-form-urlencoded" if form else b"application/json"
        if not headers.get(b"content-type", b"").lower().startswith(wanted):
            raise Refused(415, _invalid("media_type", f"Send {wanted.decode()}."), text=True)
        declared = headers.get(b"content-length", b"")
        if declared.isdigit() and int(declared) > self._limit:
            raise self._too_large(rest=True)
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise ClientGone
            part = message.get("body", b"")
            size += len(part)
            if size > self._limit:
                raise self._too_large(rest=message.get("more_body", False))
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)

    def _too_large(self, *, rest: bool) -> Refused:
        error = _invalid("too_large", f"The request is larger than {self._limit:,} bytes.")
        return Refused(413, error, text=True, rest=rest)


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    """The headers of a request that ends where every reader says it does. Of one sent twice the first counts.

    Raises:
        Refused: two headers say how long it is.
    """
    headers: dict[bytes, bytes] = dict(reversed(scope["headers"]))
    if b"transfer-encoding" in headers and b"content-length" in headers:
        # A proxy that believes the other header sees another request behind this one (RFC 9112, section 6.3).
        error = _invalid("ambiguous_length", "Send Content-Length or Transfer-Encoding, not both.")
        raise Refused(400, error, text=True, rest=True)
    return headers


def message_of(body: bytes) -> Any:
    """The JSON in a body.

    Raises:
        Refused: it is not JSON that every reader reads alike.
    """
    fault, value = strictly(body)
    if fault is not None:
        raise Refused(400, RequestError(PARSE_ERROR, "parse_error", fault))
    return value


def fields_of(body: bytes) -> dict[str, str]:
    """The fields of a form, each once.

    Raises:
        Refused: it is no form, or one field is there twice: two readers could then see two forms.
    """
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError as exc:
        raise Refused(400, _invalid("invalid_form", "This is not a form."), text=True) from exc
    if len({name for name, _ in pairs}) != len(pairs):
        raise Refused(400, _invalid("invalid_form", "A field of the form is there twice."), text=True)
    return dict(pairs)


def check_message(message: Any) -> None:
    """Look whether JSON is one message of JSON-RPC 2.0, with an id and parameters as the protocol takes them.

    Raises:
        Refused: it is not. Its words repeat nothing: a library's would repeat the message.
    """
    if not _is_message(message):
        raise Refused(400, _invalid("invalid_request", "Body must be a single JSON-RPC request or notification object"))


def _is_message(message: Any) -> bool:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    named = message.get("id", 0)
    if not isinstance(named, str | int) or isinstance(named, bool):
        return False
    if "method" in message:
        return isinstance(message["method"], str) and isinstance(message.get("params") or {}, dict)
    return "id" in message and isinstance(message.get("result", message.get("error")), dict)


def _invalid(kind: str, message: str) -> RequestError:
    return RequestError(INVALID_REQUEST, kind, message)


def _listed(value: str, patterns: list[str]) -> bool:
    """Whether a Host or Origin is one of ``patterns``; one that ends in ``:*`` takes any port, and only a port."""
    if value in patterns:
        return True
    name, colon, port = value.rpartition(":")
    return bool(colon) and port.isascii() and port.isdigit() and f"{name}:*" in patterns


_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def check_bind(settings: ServerSettings, *, authenticated: bool) -> None:
    """Refuse to listen beyond this machine for anybody who asks.

    Raises:
        PackError: with the two cures.
    """
    if not is_loopback(settings.host) and not authenticated and not settings.allow_anonymous:
        raise PackError(
            f"listening on {settings.host} would serve anybody who can reach this machine. Set `secret` under [auth]"
            " and make tokens with 'packhorse token', or set up sign-in under [auth.login], or listen on 127.0.0.1."
            " If you want to serve everybody, set allow_anonymous = true under [server]"
        )


def security_of(settings: ServerSettings) -> TransportSecuritySettings:
    """The Host and Origin headers to accept: set for every address, since the SDK only does so for loopback."""
    names = list(_LOOPBACK)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    if host not in (*names, "0.0.0.0", "[::]"):  # noqa: S104 - compared with, not bound to
        names.append(host)
    hosts = [form for name in names for form in (name, f"{name}:*")]
    origins = [f"http://{form}" for form in hosts]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*hosts, *settings.allowed_hosts],
        allowed_origins=[*origins, *settings.allowed_origins],
    )
