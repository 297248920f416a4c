"""The programs that ask for tokens: configured ones, registered ones, and those that publish who they are.

None has a row in a table. A registered client's id is what it registered,
sealed; so registering fills nothing up, and every process knows every client.
"""

import logging
from typing import Any, Literal
from urllib.parse import urlsplit

from cachetools import TTLCache
from mcp.server.auth.provider import RegistrationError
from mcp.shared.auth import InvalidRedirectUriError, OAuthClientInformationFull
from pydantic import AnyUrl, ValidationError

from packhorse.contract.clock import Clock
from packhorse.login import redirects
from packhorse.schema.disguised import disguise_in
from packhorse.schema.strict_json import strictly
from packhorse.settings import LoginClient
from packhorse.settings.security import is_loopback
from packhorse.store.sealing import Seal
from packhorse.tokens.fetch import FetchError, document_at

logger = logging.getLogger("packhorse.login")

REGISTERED = "dcr."
"""How the ids of registered clients begin."""

REGISTERED_SECONDS = 365 * 86_400
"""How long a registration lasts: RFC 7591 leaves it to the server, and clients register again."""

MOST_REDIRECTS = 10
NAME_CHARACTERS = 60

ID_CHARACTERS = 2_000
"""Of a client's id. It stands in URLs, and browsers and proxies take 8,000 characters of those (RFC 9110, 4.1)."""

DOCUMENT_BYTES = 5 * 1024
"""The largest metadata document (draft-ietf-oauth-client-id-metadata-document, section 6.6, recommends 5 kB)."""

DOCUMENT_SECONDS = 3_600
DOCUMENTS = 1_000


class LoginClientInfo(OAuthClientInformationFull):
    """A client, with how its name is known."""

    named_by: Literal["operator", "itself", "address"] = "itself"

    def validate_scope(self, requested_scope: str | None) -> list[str]:
        """Whatever a client asks for: roles decide here what it may, and no scope adds to them."""
        return (requested_scope or "").split()

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        """As the SDK does, with any port on the person's own machine."""
        if redirect_uri is None:
            return super().validate_redirect_uri(None)
        if not any(redirects.matches(str(redirect_uri), str(known)) for known in self.redirect_uris or ()):
            raise InvalidRedirectUriError("redirect_uri is not one that the client has registered")
        return redirect_uri


class Clients:
    """Finds clients by their ids, and registers them."""

    def __init__(self, origin: str, fixed: tuple[LoginClient, ...], seal: Seal, clock: Clock) -> None:
        self._fixed = {client.client_id: _configured(client) for client in fixed}
        self._seal = seal
        self._loopback = is_loopback(urlsplit(origin).hostname or "")
        self._documents: TTLCache[str, LoginClientInfo] = TTLCache(
            DOCUMENTS, DOCUMENT_SECONDS, timer=lambda: clock().timestamp()
        )

    async def find(self, client_id: str) -> LoginClientInfo | None:
        if client_id in self._fixed:
            return self._fixed[client_id]
        if len(client_id) > ID_CHARACTERS:
            return None
        if client_id.startswith(REGISTERED):
            return self._registered(client_id)
        return await self._published(client_id) if client_id.startswith("https://") else None

    def register(self, client: OAuthClientInformationFull) -> None:
        """Give a client its id and secret.

        Raises:
            RegistrationError: its answers could go where they must not, or it says too much.
        """
        uris = [str(uri) for uri in client.redirect_uris or ()]
        for uri in uris:
            if fault := redirects.fault_of(uri):
                raise RegistrationError("invalid_redirect_uri", f"redirect URI {uri[:100]!r}: {fault}")
        if not 1 <= len(uris) <= MOST_REDIRECTS:
            raise RegistrationError("invalid_redirect_uri", f"give 1 to {MOST_REDIRECTS} redirect URIs")
        method = client.token_endpoint_auth_method or "none"
        value = {"r": uris, "n": _shown(client.client_name), "m": method}
        client.client_id = REGISTERED + self._seal.close("client", value)
        if len(client.client_id) > ID_CHARACTERS:
            raise RegistrationError("invalid_client_metadata", "the redirect URIs are too long taken together")
        if method != "none":
            client.client_secret = self._seal.mark("client secret", client.client_id)
            client.client_secret_expires_at = (client.client_id_issued_at or 0) + REGISTERED_SECONDS

    def _registered(self, client_id: str) -> LoginClientInfo | None:
        value = self._seal.open("client", client_id.removeprefix(REGISTERED), REGISTERED_SECONDS)
        if value is None:
            return None
        secret = None if value["m"] == "none" else self._seal.mark("client secret", client_id)
        return LoginClientInfo(
            client_id=client_id,
            client_secret=secret,
            client_name=value["n"],
            redirect_uris=value["r"],
            token_endpoint_auth_method=value["m"],
        )

    async def _published(self, address: str) -> LoginClientInfo | None:
        """The client whose metadata document is at its id (draft-ietf-oauth-client-id-metadata-document)."""
        known = self._documents.get(address)
        if known is not None or _address_fault(address):
            return known
        if is_loopback(urlsplit(address).hostname or "") and not self._loopback:
            return None  # this machine's own pages are not for strangers to have fetched
        try:
            client = _from_document(address, await document_at(address, limit_bytes=DOCUMENT_BYTES))
        except (FetchError, ValidationError, ValueError) as exc:
            why = exc if isinstance(exc, FetchError) else "it is not a client's metadata document"
            logger.info("the client %r cannot be looked up: %s", address[:200], why)
            return None
        self._documents[address] = client
        return client


def _configured(client: LoginClient) -> LoginClientInfo:
    secret = client.client_secret.get_secret_value() if client.client_secret else None
    return LoginClientInfo(
        client_id=client.client_id,
        client_secret=secret,
        client_name=client.name or client.client_id,
        redirect_uris=[AnyUrl(uri) for uri in client.redirect_uris],
        token_endpoint_auth_method="client_secret_post" if secret else "none",
        named_by="operator",
    )


def _from_document(address: str, document: bytes) -> LoginClientInfo:
    _, value = strictly(document)
    if not isinstance(value, dict) or value.get("client_id") != address:
        raise ValueError
    uris: Any = value.get("redirect_uris")
    if not isinstance(uris, list) or not 1 <= len(uris) <= MOST_REDIRECTS:
        raise ValueError
    if any(not isinstance(uri, str) or redirects.fault_of(uri) for uri in uris):
        raise ValueError
    if value.get("token_endpoint_auth_method", "none") != "none":
        raise ValueError  # it has no secret here, and its keys are not looked at
    name = value.get("client_name")
    return LoginClientInfo(
        client_id=address,
        client_name=_shown(name if isinstance(name, str) else None),
        redirect_uris=[AnyUrl(uri) for uri in uris],
        token_endpoint_auth_method="none",  # noqa: S106 - a method, not a secret
        named_by="address",
    )


def _address_fault(address: str) -> bool:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return True
    steps = parts.path.split("/")
    dotted = "." in steps or ".." in steps
    return not host or parts.path in ("", "/") or dotted or "#" in address or "@" in parts.netloc


def _shown(name: str | None) -> str | None:
    """A client's own name, where a person can read it as it is; None where it hides something or is none."""
    name = " ".join((name or "").split())[:NAME_CHARACTERS]
    return name if name and disguise_in(name) is None else None
