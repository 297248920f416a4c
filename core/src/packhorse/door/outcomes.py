"""How calls and jobs end, in the words of the metrics, the audit record and the log."""

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, cast

from packhorse.contract.principal import Kind as PrincipalKind
from packhorse.contract.principal import Principal
from packhorse.door.execution import GivenUp, Stopping
from packhorse.door.limits import RATE_LIMITED
from packhorse.errors import AUTHENTICATION, AUTHORIZATION, Masked, RequestError, UserError
from packhorse.observe.events import Status
from packhorse.observe.metrics import Kind, Meter

if TYPE_CHECKING:
    from packhorse.jobs import Job


def outcome_of_call(exc: BaseException) -> tuple[str, Status, str | None]:
    """An exception as an outcome for the metrics, a status for the record, and a code for both."""
    match exc:
        case Masked():
            return "failed", "failed", exc.code
        case GivenUp() | Stopping():
            return "timeout", "timeout", exc.code
        case UserError():
            return "refused", "refused", exc.code
        case RequestError() if exc.code in (AUTHORIZATION, AUTHENTICATION):
            return "denied", "denied", exc.error_type
        case RequestError() if exc.code == RATE_LIMITED:
            return "limited", "refused", exc.error_type
        case RequestError():
            return "refused", "refused", exc.error_type
        case asyncio.CancelledError():
            return "cancelled", "cancelled", None
    return "failed", "failed", None


def outcome_of_job(job: "Job") -> tuple[str, Status, str | None]:
    """How a job ended, in the same words as a call."""
    if job.status == "completed":
        return "ok", "ok", None
    if job.status == "cancelled":
        return "cancelled", "cancelled", None
    refused = (job.error or {}).get("refused")
    if refused is None:
        return "refused", "refused", "JOB_FAILED"
    code = str(refused["code"])
    if code == "TIMEOUT":
        return "timeout", "timeout", code
    return ("failed", "failed", code) if code in _FAULTS else ("refused", "refused", code)


_FAULTS = frozenset({"INTERNAL_ERROR", "WORK_DIED", "OUT_OF_MEMORY"})


def owner_of(job: "Job") -> Principal:
    """Whose job it is."""
    kind, _, issuer = job.owner.issuer.partition(":")
    claims = {"iss": issuer} if issuer else {}
    return Principal(cast("PrincipalKind", kind), job.owner.subject or None, claims=claims)


def seconds_between(begin: str, end: str) -> float:
    """Seconds from one time in ISO 8601 to another; 0 where the second is earlier."""
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds())


def count_call(meter: Meter, kind: Kind, name: str, outcome: str, code: str | None, seconds: float) -> None:
    """Count a call that ended, and its refusal."""
    meter.call(kind, name, outcome, seconds)
    if code is not None and outcome in ("refused", "denied", "limited"):
        meter.refusal(name, code)
    if outcome == "limited":
        meter.limited(name)
