"""What a caller sees of a job: where it stands, and how it ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from packhorse.contract.content import Reply
from packhorse.errors import UserError
from packhorse.jobs.results import answer_of, refusal_in
from packhorse.jobs.work import Job

RESOURCE = "jobs://{job_id}"
"""The resource that tells where a job stands."""

HANDLE_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "description": "A job that was started. job_result gives its progress, and its answer in the end.",
    "properties": {
        "job_id": {"type": "string", "description": "The job's id, for job_result and job_cancel."},
        "tool": {"type": "string", "description": "The tool that started it."},
        "status": {"enum": ["queued", "working", "input_required", "completed", "failed", "cancelled"]},
        "progress": {
            "type": ["object", "null"],
            "properties": {
                "done": {"type": "number"},
                "total": {"type": ["number", "null"]},
                "message": {"type": ["string", "null"]},
            },
            "description": "The progress, in units of the job's own.",
        },
        "created_at": {"type": "string", "format": "date-time"},
        "updated_at": {"type": "string", "format": "date-time"},
        "finished_at": {"type": ["string", "null"], "format": "date-time"},
        "reason": {"type": "string", "description": "Why the job failed, if it did."},
        "resource": {"type": "string", "description": "A resource with the same content, to read or subscribe to."},
    },
    "required": ["job_id", "tool", "status", "created_at", "updated_at", "resource"],
}


@dataclass(frozen=True, slots=True)
class Started(Reply[dict[str, Any]]):
    """The answer of a tool that has started a job: the job's handle, and the job for those who say it otherwise."""

    job: Job = field(kw_only=True)


def handle_of(job: Job) -> dict[str, Any]:
    """Where a job stands, as `HANDLE_SCHEMA` describes it."""
    progress = job.progress
    handle = {
        "job_id": job.id,
        "tool": job.tool,
        "status": job.status,
        "progress": progress and {"done": progress.done, "total": progress.total, "message": progress.message},
        "created_at": job.created_at,
        "updated_at": job.updated_at,
        "finished_at": job.finished_at,
        "resource": RESOURCE.format(job_id=job.id),
    }
    return handle if (reason := reason_of(job)) is None else {**handle, "reason": reason}


def reason_of(job: Job) -> str | None:
    """Why a job failed, in a sentence that its owner may read; None where it did not fail."""
    if job.status != "failed":
        return None
    refusal = refusal_in(job.error or {})
    return f"{refusal.message} [{refusal.code}]"


def answer_schema(result: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a tool that starts jobs answers: the handle at first, ``result`` (any object when None) in the end."""
    return {"type": "object", "anyOf": [dict(HANDLE_SCHEMA), dict(result or {"type": "object"})]}


def result_of(job: Job) -> dict[str, Any] | Reply[Any]:
    """What a finished job came to, as a tool answers it; see `packhorse.jobs.results`.

    Raises:
        UserError: the job's own refusal, that it was cancelled, or that it has not finished.
    """
    match job.status:
        case "completed":
            return answer_of(job.result)
        case "cancelled":
            raise UserError(
                "This job was cancelled, and has no result. Start it again to get a result.", code="JOB_CANCELLED"
            )
        case "failed":
            raise refusal_in(job.error or {})
        case _:
            raise UserError(
                f"This job is {'waiting for an answer' if job.status == 'input_required' else job.status}"
                f"{_so_far(job)} and has no result yet. Ask again later.",
                code="JOB_NOT_FINISHED",
                details=handle_of(job),
            )


def _so_far(job: Job) -> str:
    if job.progress is None:
        return ""
    of = f" of {job.progress.total:g}" if job.progress.total is not None else ""
    return f" ({job.progress.done:g}{of})"
