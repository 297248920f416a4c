"""Refusals of the scheduling tools, with the numbers of the specification's table."""

from datetime import date
from typing import Any

from packhorse import UserError

AUTHORIZATION = -32001
NOT_FOUND = -32002
VALIDATION = -32003
CONSTRAINT = -32004
GENERATION = -32005
BACKEND = -32006


_NEXT = {
    "programme": "A programme is a residency's people, services and rules. Import one with 'packhorse scheduling import"
    " FILE', or fill in the example that 'packhorse scheduling init' writes",
    "published schedule": "Make a draft with generate_schedule, and publish it with publish_schedule",
    "schedule": "Use the id from an answer of generate_schedule or repair_schedule",
    "request": "list_requests lists the ids",
    "person": "find_person lists the people",
    "block": "Write a date with AM or PM, such as 2026-08-04 AM",
    "service": "show_roster lists the services",
    "swap": "Use the id from an answer of request_swap",
    "calendar": "Ask for the calendar's address again with calendar_address",
    "policy": "'packhorse scheduling policy list' lists the names",
    "result": "Use an address exactly as an answer gave it",
}
"""What to do next, by what was not found."""


def not_found(kind: str, given: str, next_step: str = "") -> UserError:
    """Nothing of that kind has this id or name; ``given`` is empty where none was asked for."""
    shown = f" {given!r}" if 0 < len(given) <= 64 else ""
    return UserError(
        f"There is no {kind}{shown}. {next_step or _NEXT.get(kind, 'Use an id exactly as an earlier answer gave it')}.",
        code="NOT_FOUND",
        jsonrpc_code=NOT_FOUND,
        details={"resource_type": kind, **({"resource_id": given} if shown else {})},
    )


def ended(last: date) -> UserError:
    """The published schedule has no day left to look at."""
    return UserError(
        f"The published schedule ended on {last}. Publish a schedule for later days.",
        code="NOT_FOUND",
        jsonrpc_code=NOT_FOUND,
        details={"resource_type": "day"},
    )


def not_allowed(message: str) -> UserError:
    """The caller's role or person does not allow it."""
    return UserError(message, code="AUTHORIZATION_FAILED", jsonrpc_code=AUTHORIZATION)


def invalid(field: str, message: str) -> UserError:
    """An argument that the schema allows and the programme does not."""
    return UserError(
        message, code="VALIDATION_ERROR", jsonrpc_code=VALIDATION, details={"field": field, "message": message}
    )


def forbidden_by_rule(message: str, **details: Any) -> UserError:
    """A rule of the programme stands against it."""
    return UserError(message, code="CONSTRAINT_VIOLATION", jsonrpc_code=CONSTRAINT, details=details)


def not_generated(message: str, **details: Any) -> UserError:
    """No whole roster came of it; what an ended search left is in the message."""
    return UserError(message, code="GENERATION_FAILED", jsonrpc_code=GENERATION, details=details)


def unavailable(message: str) -> UserError:
    """Store or solver is not there."""
    return UserError(message, code="BACKEND_UNAVAILABLE", jsonrpc_code=BACKEND)
