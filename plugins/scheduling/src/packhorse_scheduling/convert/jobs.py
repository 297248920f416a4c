"""A job of generate_schedule in the specification's words."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from packhorse import Embedded, Reply, Text
from packhorse_scheduling.convert import instant

_STATUS = {
    "queued": "QUEUED",
    "working": "RUNNING",
    "input_required": "RUNNING",
    "completed": "COMPLETED",
    "failed": "FAILED",
    "cancelled": "FAILED",
}
JOB = "generation://job/{id}"
STATUS_PATH = "/api/v1/mcp/schedules/generation/jobs/{id}"


def job_from(handle: Mapping[str, Any], base: str | None, left: str | None = None) -> dict[str, Any]:
    """The specification's asynchronous answer, from the host's handle.

    ``status_url`` is below ``base``, the server's own address; where that is
    not known, it is the URI of the resource that says the same. A cancelled
    job counts as FAILED: the specification has no other word. The draft has
    the job's id; ``left`` says what a job that was ended has left.
    """
    progress = handle.get("progress") or {}
    done, total = progress.get("done") or 0, progress.get("total")
    status = _STATUS[handle["status"]]
    percent = 100 if status == "COMPLETED" else min(99, int(100 * done / total)) if total else 0
    job_id = handle["job_id"]
    body: dict[str, Any] = {
        "job_id": job_id,
        "status": status,
        "created_at": instant(datetime.fromisoformat(handle["created_at"])),
        "progress": {
            "percent_complete": percent,
            "current_step": " ".join(filter(None, (_step(handle, progress), left))),
            "total_steps": int(total or 0),
        },
        "status_url": JOB.format(id=job_id) if base is None else base.rstrip("/") + STATUS_PATH.format(id=job_id),
    }
    if status == "COMPLETED" or left is not None:
        body["schedule_id"] = job_id
    return body


def _step(handle: Mapping[str, Any], progress: Mapping[str, Any]) -> str:
    words = "The job was cancelled." if handle["status"] == "cancelled" else progress.get("message")
    return str(handle.get("reason") or words or handle["status"])


def started_from(base: str | None) -> Callable[[Mapping[str, Any]], Reply[dict[str, Any]]]:
    """What turns the host's handle into the first answer of generate_schedule."""

    def told(handle: Mapping[str, Any]) -> Reply[dict[str, Any]]:
        body = job_from(handle, base)
        words = f"Schedule generation is {body['status'].lower()} as job {body['job_id']}; job_result waits for it."
        uri = JOB.format(id=body["job_id"])
        return Reply(body, (Text(words), Embedded(uri, json.dumps(body), "application/json")))

    return told
