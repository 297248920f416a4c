"""Who sent a request, as the transports tell the adapter."""

import json
from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext

from packhorse.principal import Principal

Request = ServerRequestContext[Any, Any]
Identify = Callable[[Request], Principal]


def identity_of(principal: Principal) -> str | None:
    """What tells one verified caller from another, for what only the same caller may resume; None for unverified."""
    if principal.kind in ("local", "anonymous"):
        return None
    return json.dumps([principal.kind, principal.subject, principal.claims.get("iss")], default=str)
