"""What packhorse raises on purpose.

Two families leave the host, on two channels. A `UserError` is a refusal that
the caller can mend: it reaches the model as a tool result with ``isError``. A
`RequestError` says who you are and what exists: it travels as a JSON-RPC
error. A `PackError` never reaches a caller: it stops the host, or takes one
pack out of service. Everything else is a bug, masked and logged.
"""

from collections.abc import Mapping
from typing import Any

AUTHENTICATION = -32000
AUTHORIZATION = -32001
RESOURCE_NOT_FOUND = -32002
INVALID_PARAMS = -32602
INTERNAL = -32603
CLIENT_CANNOT = -32021
"""The protocol's own code for a client that lacks a capability (revision 2026-07-28)."""


_CODES = """
    ANSWER_TOO_LARGE AUDIT_UNAVAILABLE BUSY CANCELLED INTERNAL_ERROR INVALID_ARGUMENTS JOB_CANCELLED JOB_FAILED
    JOB_NOT_FINISHED LIMITS_UNAVAILABLE NEEDS_CLIENT NOT_SIGNED_IN NO_ANSWER NO_SERVER NO_SUCH_JOB PACK_UNWELL
    REFUSED SOURCE_DOWN STOPPING TIMEOUT TOO_MANY_JOBS TOO_MANY_ROUNDS UNKNOWN_TOOL UNSAFE_PATH WORK_DIED
    WRONG_ENTRANCE
"""
HOST_CODES = frozenset(_CODES.split())
"""The codes of the host's own refusals of a call; docs/errors.md says when each comes."""


class PackhorseError(Exception):
    """Anything packhorse raises on purpose."""


class UserError(PackhorseError):
    """The caller can mend this. The message says how, and reaches the model.

    ``message`` is one or more sentences that name the value, the limit and the
    next step. ``code`` is the pack's own word for the refusal
    (``NAME_TOO_LONG``); ``jsonrpc_code`` is its number where the pack's
    specification gives one; ``details`` must be JSON.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "REFUSED",
        jsonrpc_code: int = INVALID_PARAMS,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.jsonrpc_code = jsonrpc_code
        self.details = dict(details or {})


class Masked(UserError):  # noqa: N818 - names what its caller hears
    """A bug, as its caller hears of it: nothing but the id under which the log has its type and frames."""

    def __init__(self, request_id: str) -> None:
        super().__init__(
            "Something went wrong inside this server. Asking in another way will not help. The operator finds the"
            f" cause in the log under request {request_id}.",
            code="INTERNAL_ERROR",
            jsonrpc_code=INTERNAL,
        )


class AuditUnavailable(UserError):  # noqa: N818  # a state of the host, which a caller hears of as a refusal
    """The record cannot be written now, so a call that would change something must not run."""

    def __init__(self) -> None:
        super().__init__(
            "This server cannot write its audit record at present, so nothing was done. Try again later. The operator"
            " finds the cause in the log.",
            code="AUDIT_UNAVAILABLE",
            jsonrpc_code=INTERNAL,
        )


class PackError(PackhorseError):
    """A pack, or what a deployer asked of it, broke the contract. Names the pack."""


class RequestError(PackhorseError):
    """A request that the protocol itself refuses: an unknown name, a caller without the right.

    ``code`` is the JSON-RPC number, ``error_type`` one word for programs.
    """

    def __init__(self, code: int, error_type: str, message: str, *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, error_type, message)  # all three, or it could not be unpickled
        self.code = code
        self.error_type = error_type
        self.message = message
        self.details = dict(details or {})

    def __str__(self) -> str:
        return self.message
