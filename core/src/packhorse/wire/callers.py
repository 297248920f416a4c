"""Who sent a request, as the transports tell the adapter."""

import json
from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext

from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.wire.scopes import ADDRESS, PRINCIPAL

Request = ServerRequestContext[Any, Any]
Identify = Callable[[Request], Principal]


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
