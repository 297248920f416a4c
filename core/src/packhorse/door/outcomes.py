"""How calls and jobs end, in the words that observers get."""

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, cast

from packhorse.contract.observers import OutcomeWord
from packhorse.contract.principal import Kind as PrincipalKind
from packhorse.contract.principal import Principal
from packhorse.door.execution import Ended, GivenUp, Stopping
from packhorse.door.limits import RATE_LIMITED
from packhorse.errors import AUTHENTICATION, AUTHORIZATION, Masked, RequestError, UserError

if TYPE_CHECKING:
    from packhorse.jobs import Job


def outcome_of_call(exc: BaseException) -> tuple[OutcomeWord, str | None]:
    """An exception as an outcome, with its code."""
    match exc:
        case Masked():
            return "failed", exc.code
        case GivenUp() | Stopping():
            return "timeout", exc.code
        case Ended():
            return "cancelled", exc.code
        case UserError():
            return "refused", exc.code
        case RequestError() if exc.code in (AUTHORIZATION, AUTHENTICATION):
            return "denied", exc.error_type
        case RequestError() if exc.code == RATE_LIMITED:
            return "limited", exc.error_type
        case RequestError():
            return "refused", exc.error_type
        case asyncio.CancelledError():
            return "cancelled", None
    return "failed", None


def outcome_of_job(job: "Job") -> tuple[OutcomeWord, str | None]:
    """How a job ended, in the same words as a call."""
    if job.status == "completed":
        return "ok", None
    if job.status == "cancelled":
        return "cancelled", None
    refused = (job.error or {}).get("refused")
    if refused is None:
        return "refused", "JOB_FAILED"
    code = str(refused["code"])
    if code == "TIMEOUT":
        return "timeout", code
    return ("failed" if code in _FAULTS else "refused"), code


_FAULTS = frozenset({"INTERNAL_ERROR", "WORK_DIED", "OUT_OF_MEMORY"})


def owner_of(job: "Job") -> Principal:
    """Whose job it is."""
    kind, _, issuer = job.owner.issuer.partition(":")
    claims = {"iss": issuer} if issuer else {}
    return Principal(cast("PrincipalKind", kind), job.owner.subject or None, claims=claims)


def seconds_between(begin: str, end: str) -> float:
    """Seconds from one time in ISO 8601 to another; 0 where the second is earlier."""
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds())
