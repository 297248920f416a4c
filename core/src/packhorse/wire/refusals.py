"""Refusals, as callers hear of them over the protocol and over HTTP.

Each has one request id: the caller is given it, and under it the refusal is in
the audit record, the counters and the log.
"""

from collections.abc import Mapping
from typing import Any

import mcp_types as wire
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Scope

from packhorse.contract.clock import Clock, utc_text
from packhorse.contract.clock import request_id as new_request_id
from packhorse.contract.content import Text
from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.door.call_log import Accounts
from packhorse.door.catalogue import Entry, kind_of
from packhorse.door.execution import Requester
from packhorse.door.limits import RATE_LIMITED
from packhorse.errors import AUTHENTICATION, INVALID_PARAMS, RESOURCE_NOT_FOUND, RequestError, UserError
from packhorse.wire import content
from packhorse.wire.callers import ADDRESS, MESSAGE, PLAIN

INVALID_REQUEST = -32600
PARSE_ERROR = -32700

RETRY_SECONDS = 10
"""When to ask again for a session or a stream that would be one too many."""


class Refused(Exception):  # noqa: N818 - names what happened to the request
    """A request over HTTP that goes no further.

    ``entry`` is the offer that it asked for, where the refusal is about one;
    else it is one of the server's, and recorded as such. ``text``: the answer
    is the message alone, for who may not speak the protocol. ``rest``: the
    client may still send, and the connection is closed.
    """

    def __init__(
        self,
        status: int,
        error: RequestError,
        headers: Mapping[str, str] | None = None,
        *,
        entry: Entry | None = None,
        principal: Principal = ANONYMOUS,
        text: bool = False,
        rest: bool = False,
    ) -> None:
        super().__init__(status, error)
        self.status = status
        self.error = error
        self.headers = {**(headers or {}), **({"Connection": "close"} if rest else {})}
        self.entry = entry
        self.principal = principal
        self.text = text
        self.rest = rest


class Refusals:
    """Builds every refusal of one deployment."""

    def __init__(self, accounts: Accounts, clock: Clock) -> None:
        self._accounts = accounts
        self._clock = clock

    def answer(self, scope: Scope, refused: Refused) -> Response:
        """The HTTP answer of a request that is refused before it reaches an offer; it is recorded and counted."""
        rid, error = self._note(refused, scope.get(ADDRESS) or None), refused.error
        headers = {"Cache-Control": "no-store", **refused.headers, "X-Request-Id": rid}
        if refused.text:
            return PlainTextResponse(error.message, refused.status, headers=headers)
        data = self.data(error.error_type, error.details, rid)
        body = {"code": error.code, "message": error.message, "data": data}
        return JSONResponse(
            {"error": body} if scope.get(PLAIN) else {"jsonrpc": "2.0", "id": _id_of(scope), "error": body},
            refused.status,
            headers=headers,
        )

    def protocol_error(self, error: RequestError) -> MCPError:
        """A credential that holds no more, where there is no HTTP to say so with; it is recorded and counted."""
        rid = self._accounts.refused_at_the_door(error, new_request_id(), None)
        return MCPError(error.code, error.message, self.data(error.error_type, error.details, rid))

    def turned_away(self, address: str | None, principal: Principal, why: str) -> None:
        """Record and count a person whom an endpoint turned away; ``why`` is a word."""
        error = RequestError(AUTHENTICATION, why, "This person was turned away.")
        self._accounts.refused_at_the_door(error, new_request_id(), address, principal=principal)

    def of_shape(self, entry: Entry | None, principal: Principal, address: str | None, error: RequestError) -> MCPError:
        """A call of a tool that the protocol itself does not allow; it is recorded and counted."""
        rid = new_request_id()
        self._accounts.open("tool", entry, Requester(principal, rid, None, address)).close(error)
        return MCPError(error.code, error.message, self.data(error.error_type, error.details, rid))

    def of_call(self, error: UserError | RequestError, rid: str, version: str, *, uri: str | None = None) -> MCPError:
        """A refusal of what the dispatcher has recorded already, as an error of the protocol."""
        code = error.jsonrpc_code if isinstance(error, UserError) else error.code
        if code == RESOURCE_NOT_FOUND and version in MODERN_PROTOCOL_VERSIONS:
            code = INVALID_PARAMS  # revision 2026-07-28 has no code of its own for it
        kind = error.code.lower() if isinstance(error, UserError) else error.error_type
        data = self.data(kind, error.details, rid)
        if uri is not None:
            data["uri"] = uri
        if "requiredCapabilities" in error.details:
            data |= {"requiredCapabilities": error.details["requiredCapabilities"], "details": {}}
        return MCPError(code, error.message, data)

    def of_tool(self, refusal: UserError, rid: str) -> wire.CallToolResult:
        """A refusal of a tool, as a result that the model can read."""
        details = {
            "code": refusal.code,
            "jsonrpc_code": refusal.jsonrpc_code,
            "message": refusal.message,
            "details": refusal.details,
            "request_id": rid,
            "timestamp": self._now(),
        }
        return wire.CallToolResult(
            content=[content.block(Text(f"Error: {refusal.message} [{refusal.code}]"))],
            is_error=True,
            _meta={"packhorse/error": details},
        )

    def data(self, kind: str, details: Mapping[str, Any], rid: str) -> dict[str, Any]:
        data = {"error_type": kind, "details": details, "timestamp": self._now(), "request_id": rid}
        if "retry_after_seconds" in details:
            data["retry_after_seconds"] = details["retry_after_seconds"]
        return data

    def _note(self, refused: Refused, address: str | None) -> str:
        """Record and count it; the id under which it is found."""
        rid, entry = new_request_id(), refused.entry
        if entry is None or refused.principal is ANONYMOUS:
            return self._accounts.refused_at_the_door(refused.error, rid, address, entry)
        visit = self._accounts.open(kind_of(entry), entry, Requester(refused.principal, rid, None, address))
        visit.close(refused.error)  # nothing to await: nothing had begun
        return rid

    def _now(self) -> str:
        return utc_text(self._clock())


def none_left(things: str, held: int) -> Refused:
    """No more ``things`` for this caller, who has ``held`` of them."""
    whose = (
        f"{held} of them are yours, the maximum for one caller at present" if held else "Other callers have all of them"
    )
    error = RequestError(
        RATE_LIMITED,
        f"too_many_{things}",
        f"This server cannot keep more {things} open. {whose}. Close one, or try again later.",
        details={"retry_after_seconds": RETRY_SECONDS},
    )
    return Refused(429 if held else 503, error, {"Retry-After": str(RETRY_SECONDS)})


def _id_of(scope: Scope) -> str | int | None:
    """The id of the request in a body, where it has one that can be repeated."""
    message = scope.get(MESSAGE)
    given = message.get("id") if isinstance(message, Mapping) else None
    return given if isinstance(given, str | int) and not isinstance(given, bool) else None
