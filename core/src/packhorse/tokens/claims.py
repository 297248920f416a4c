"""What a token says, once its signature holds: when it holds, and who it is about. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any

from packhorse.contract.content import frozen
from packhorse.contract.principal import Kind, Principal
from packhorse.tokens.issuer import Issuer
from packhorse.tokens.refusals import invalid

WHOLE = ("exp", "iat", "sub", "iss", "aud")
"""What every token must carry."""

SPECIFICATION = ("exp", "iat", "sub")
"""What the scheduling specification's token carries of these."""

SUBJECT_CHARACTERS = 255
"""OpenID Connect Core 1.0, section 2, ``sub``."""

ACTORS = 8
"""How many act for one another at most: a bound, so that a token cannot nest them without end."""

_LAST_SECOND = 253_402_300_799  # of the year 9999, the last that a datetime can say


def is_specification_token(claims: Mapping[str, Any]) -> bool:
    """Whether these have the shape of the scheduling specification's token: neither ``iss`` nor ``aud``."""
    return "iss" not in claims and "aud" not in claims


def hold_between(claims: Mapping[str, Any], leeway_seconds: float) -> tuple[float, float]:
    """From when, and up to when (exclusive), these claims hold, in Unix seconds.

    Raises:
        RequestError: a time is not a number of seconds up to the year 9999.
    """
    since = max(_seconds(claims, name) for name in ("iat", "nbf") if name in claims)
    return since - leeway_seconds, _seconds(claims, "exp") + leeway_seconds


def principal_from(claims: Mapping[str, Any], issuer: Issuer) -> Principal:
    """Who verified claims are about.

    ``subject`` is ``sub`` to the letter. ``chain`` names the actors of nested
    ``act`` claims (RFC 8693, section 4.1), the one acting now first.

    Raises:
        RequestError: a claim that says who this is has another shape than it should.
    """
    chain = _actors(claims)
    return Principal(
        kind=_kind(claims, issuer, chain),
        subject=_name(claims.get("sub"), "sub"),
        roles=frozenset(_texts(claims, issuer.role_claims)),
        scopes=frozenset(" ".join(_texts(claims, issuer.scope_claims)).split()),
        claims=frozen({**claims, "iss": issuer.iss}),
        chain=chain,
    )


def _kind(claims: Mapping[str, Any], issuer: Issuer, chain: tuple[str, ...]) -> Kind:
    agent = claims.get("agent", False)
    if not isinstance(agent, bool | str):
        raise invalid("the token's `agent` claim must be true, false or a name")
    if chain or agent:
        return "agent"
    if "client_id" in claims and claims["client_id"] == claims.get("sub"):
        return "system"  # no person behind it: RFC 9068, section 2.2, on the client credentials grant
    return issuer.kind


def _actors(claims: Mapping[str, Any]) -> tuple[str, ...]:
    actors: list[str] = []
    holder = claims
    while "act" in holder:
        holder = holder["act"]
        if not isinstance(holder, Mapping):
            raise invalid("the token's `act` claim must be an object")
        if len(actors) == ACTORS:
            raise invalid(f"the token names more than {ACTORS} actors")
        actors.append(_name(holder.get("sub"), "act.sub"))
    return tuple(actors)


def _name(value: object, claim: str) -> str:
    if not isinstance(value, str):
        raise invalid(f"the token's `{claim}` claim must be text")
    if not 0 < len(value) <= SUBJECT_CHARACTERS or not value.isprintable():
        raise invalid(f"the token's `{claim}` claim must be 1 to {SUBJECT_CHARACTERS} printable characters")
    return value


def _texts(claims: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        value = claims.get(name)
        texts = [value] if isinstance(value, str) else value or []
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise invalid(f"the token's `{name}` claim must be text or a list of text")
        found += texts
    return found


def _seconds(claims: Mapping[str, Any], name: str) -> float:
    value = claims[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LAST_SECOND:
        raise invalid(f"the token's `{name}` claim must be a number of seconds since 1970")
    return value
