"""Who may sign tokens for this server, as the deployer configured it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from packhorse.errors import PackError
from packhorse.settings.security import is_loopback

Algorithm = Literal["HS256", "RS256", "ES256"]

SECRET_BYTES = 32
"""The least length of an HS256 secret: as long as the hash (RFC 7518, section 3.2)."""

MAKE_A_SECRET = "make one with: openssl rand -hex 32"  # noqa: S105 - how to make one, not one

# A random secret of 32 bytes in hex has fewer than 8 of the 16 digits in less than one case in a million million.
_DISTINCT_BYTES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Issuer:
    """One source of tokens.

    Its tokens carry ``iss`` exactly as written here, name ``audience`` among
    their ``aud``, and are signed by ``algorithm`` alone: HS256 with ``secret``,
    or RS256/ES256 with a key of the set published at ``jwks_url``. The claims
    named in ``role_claims`` and ``scope_claims`` are all read. ``kind`` is what
    a subject of this issuer is, unless the token says that an agent acts.

    A ``local`` issuer is this deployment itself: its tokens can be renewed, and
    on stdio and loopback it also takes the scheduling specification's token,
    which carries neither ``iss`` nor ``aud``. ``private_network`` lets the
    name in ``jwks_url`` resolve to an address that is not public.
    """

    iss: str
    audience: str
    secret: bytes | None = field(default=None, repr=False)
    jwks_url: str | None = None
    algorithm: Algorithm = "HS256"
    role_claims: tuple[str, ...] = ("role", "roles")
    scope_claims: tuple[str, ...] = ("scope", "scp")
    kind: Literal["human", "system"] = "human"
    local: bool = False
    private_network: bool = False


def check(issuer: Issuer) -> None:
    """Refuse an issuer whose tokens would prove nothing.

    Raises:
        PackError: naming the issuer, what is wrong and the cure; never the secret.
    """
    fault = _fault(issuer)
    if fault:
        raise PackError(f"issuer {issuer.iss!r}: {fault}")


def check_all(issuers: Sequence[Issuer]) -> None:
    """Refuse what one issuer, or two of them together, get wrong.

    Raises:
        PackError: naming the issuer.
    """
    for issuer in issuers:
        check(issuer)
    names = [issuer.iss for issuer in issuers]
    for name in names:
        if names.count(name) > 1:
            raise PackError(f"issuer {name!r} is configured twice; remove one of the two")
    if sum(issuer.local for issuer in issuers) > 1:
        raise PackError(
            "two issuers sign with this server's secret, so the issuer of a token without `iss` is not known; remove"
            " one of the two"
        )


def weaknesses(issuer: Issuer) -> tuple[str, ...]:
    """What `check` lets pass and a deployer should mend all the same, a sentence each."""
    secret = issuer.secret
    if secret is None:
        return ()
    if len(set(secret)) < _DISTINCT_BYTES:
        return (f"The secret of issuer {issuer.iss!r} has too few different characters; {MAKE_A_SECRET}.",)
    return ()


def _fault(issuer: Issuer) -> str | None:
    if not issuer.iss or not issuer.audience:
        return "`iss` and `audience` must not be empty"
    if (issuer.secret is None) == (issuer.jwks_url is None):
        return "give either a secret (HS256) or a jwks_url (RS256, ES256), not both"
    if issuer.secret is not None:
        return _secret_fault(issuer.secret, issuer.algorithm)
    if issuer.algorithm not in ("RS256", "ES256"):
        return f"the keys of a jwks_url sign with RS256 or ES256, not with {issuer.algorithm!r}"
    if issuer.local:
        return "a local issuer signs with a secret, not with keys from a URL"
    return _url_fault(issuer.jwks_url or "")


def _secret_fault(secret: bytes, algorithm: str) -> str | None:
    from jwt.algorithms import HMACAlgorithm
    from jwt.exceptions import InvalidKeyError

    if algorithm != "HS256":
        return f"a secret signs with HS256, not with {algorithm!r}"
    if len(secret) < SECRET_BYTES:
        return f"the secret has {len(secret)} bytes and needs at least {SECRET_BYTES}; {MAKE_A_SECRET}"
    try:
        HMACAlgorithm(HMACAlgorithm.SHA256).prepare_key(secret)
    except InvalidKeyError:
        return f"the secret is a key or certificate file, which other people may have; {MAKE_A_SECRET}"
    return None


def _url_fault(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "jwks_url is not a URL"
    if not host or not url.isascii() or not url.isprintable() or " " in url:
        return "jwks_url is not a URL"
    if parts.username is not None or parts.fragment:
        return "jwks_url must have neither a user name nor a fragment"
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(host)):
        return "jwks_url must start with https:// (http:// is for this machine alone)"
    return None
