"""Who sent a request, and what is noted in the scope of an HTTP request on its way in."""

import json
from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext

from packhorse.contract.principal import ANONYMOUS, Principal

MESSAGE = "packhorse.message"
"""Of a POST that has been admitted: its body as JSON."""

PLAIN = "packhorse.plain"
"""Of a request to an offer's own route: neither its body nor its answer is a message of the protocol."""

PRINCIPAL = "packhorse.principal"
"""The caller, where one was looked for."""

ADDRESS = "packhorse.address"
"""What the caller's address is counted by."""

HOLDER = "packhorse.holder"
"""Who holds what the request takes of anything bounded."""

TURNED_AWAY = "packhorse.turned_away"
"""Of a request to an endpoint: tells the record of a person who was turned away (`TurnedAway`)."""

CONNECTION = "packhorse.connection"
"""In the ``state`` of the scope: the connection that the request came on."""


Request = ServerRequestContext[Any, Any]
Identify = Callable[[Request], Principal]
TurnedAway = Callable[[Principal, str], object]
"""Takes who it was, and in a word why."""


def caller_of(ctx: Any) -> Principal:
    """The principal that came with an HTTP request."""
    principal: Principal = _scope(ctx).get(PRINCIPAL, ANONYMOUS)
    return principal


def address_of(ctx: Any) -> str | None:
    """The address that an HTTP request is counted by; None for other transports."""
    address: str | None = _scope(ctx).get(ADDRESS)
    return address


def _scope(ctx: Any) -> Any:
    return getattr(ctx.request, "scope", None) or {}


def identity_of(principal: Principal) -> str | None:
    """What tells one verified caller from another, for what only the same caller may resume; None for unverified."""
    if principal.kind in ("local", "anonymous"):
        return None
    issuer = principal.claims.get("iss")
    return json.dumps([principal.kind, principal.subject, issuer, *principal.chain], default=str)
