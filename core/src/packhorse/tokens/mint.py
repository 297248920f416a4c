"""Making tokens of the local issuer, for trying out, and renewing them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from packhorse.contract.clock import Clock, ids, system_clock
from packhorse.errors import PackError, UserError
from packhorse.tokens import claims as claims_of
from packhorse.tokens.compact import read
from packhorse.tokens.issuer import Issuer, check
from packhorse.tokens.refusals import expired, invalid
from packhorse.tokens.signature import proven

TTL_SECONDS = 1_800
"""JWT_EXPIRE_MINUTES of the scheduling specification: 30."""

MAX_TTL_SECONDS = 86_400
"""A token for trying out is gone the next day."""

GRACE_SECONDS = 900
"""How long after its end a token can still be renewed."""


def mint(
    issuer: Issuer,
    sub: str,
    roles: Sequence[str] = (),
    ttl_seconds: int = TTL_SECONDS,
    clock: Clock = system_clock,
    *,
    audience: str | None = None,
) -> str:
    """A token of the local issuer, valid from now for ``ttl_seconds`` (1 to 86400).

    One role becomes the claim ``role``, as the scheduling specification has
    it; several become ``roles``.

    Raises:
        PackError: the issuer is not local, or its secret is too short.
        UserError: the life or the subject is out of range.
    """
    if not 1 <= ttl_seconds <= MAX_TTL_SECONDS:
        raise UserError(
            f"The token's lifetime is {ttl_seconds} s; it must be from 1 s to {MAX_TTL_SECONDS} s (one day)."
        )
    if not 0 < len(sub) <= claims_of.SUBJECT_CHARACTERS or not sub.isprintable():
        raise UserError(f"The subject must be 1 to {claims_of.SUBJECT_CHARACTERS} printable characters.")
    claims = {"iss": issuer.iss, "aud": audience or issuer.audience, "sub": sub}
    named: dict[str, Any] = {}
    if roles:
        single, several = issuer.role_claims[0], issuer.role_claims[-1]
        named = {single: roles[0]} if len(roles) == 1 else {several: list(roles)}
    return _signed(issuer, {**claims, **named}, ttl_seconds, clock)


def refresh(token: str, issuer: Issuer, clock: Clock = system_clock) -> str:
    """The same token with a new start, end and ``jti``, as long-lived as before (a day at most).

    It may have ended up to `GRACE_SECONDS` ago. Everything else that it says stays.

    Raises:
        PackError: the issuer is not local, or its secret is too short.
        RequestError: it is not this issuer's token, or ended too long ago.
    """
    compact = read(token)
    specification = claims_of.is_specification_token(compact.claims)
    required = claims_of.SPECIFICATION if specification else claims_of.WHOLE
    if compact.alg != issuer.algorithm:
        raise invalid(f"tokens of this issuer are signed with {issuer.algorithm}")
    # A renewed token is for whom it was, which need not be this server.
    audience = None if specification else _audience(compact.claims) or issuer.audience
    claims = proven(compact, _secret(issuer), issuer, require=required, audience=audience)
    claims_of.principal_from(claims, issuer)
    since, until = claims_of.hold_between(claims, 0)
    now = clock().timestamp()
    if now - until > GRACE_SECONDS:
        raise expired(issuer.iss, until, renewable=False, local=True)
    if now < since:
        raise invalid("the token is not valid yet")
    life = min(max(1, math.ceil(until - float(claims["iat"]))), MAX_TTL_SECONDS)
    kept = {name: value for name, value in claims.items() if name not in ("iat", "nbf", "exp", "jti")}
    return _signed(issuer, kept, life, clock)


def _audience(claims: Mapping[str, Any]) -> str | None:
    named = claims.get("aud")
    if isinstance(named, list):
        named = next(iter(named), None)
    return named if isinstance(named, str) else None


def _secret(issuer: Issuer) -> bytes:
    check(issuer)
    if not issuer.local or issuer.secret is None:
        raise PackError(f"issuer {issuer.iss!r} is not local: only that issuer can make its tokens")
    return issuer.secret


def _signed(issuer: Issuer, claims: Mapping[str, Any], ttl_seconds: int, clock: Clock) -> str:
    import jwt

    secret = _secret(issuer)
    now = int(clock().timestamp())
    times = {"iat": now, "exp": now + ttl_seconds, "jti": ids(clock)()}
    return jwt.encode({**claims, **times}, secret, algorithm=issuer.algorithm)
