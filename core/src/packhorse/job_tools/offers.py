"""What every client can do about jobs, whether it speaks the tasks extension or not: three tools and a resource.

The catalogue adds them to a deployment that has a tool with ``job=True``. They
are public because they look at whose a job is, and not at a role: a job of
somebody else is answered as one that is not there.
"""

import functools
from collections.abc import Sequence
from typing import Annotated, Any

import anyio
import anyio.to_thread
from pydantic import Field

from packhorse.contract.content import Reply
from packhorse.contract.context import Context
from packhorse.contract.offers import Resource, Tool
from packhorse.errors import RESOURCE_NOT_FOUND, RequestError, UserError
from packhorse.jobs.engine import Engine
from packhorse.jobs.handle import HANDLE_SCHEMA, RESOURCE, handle_of, result_of
from packhorse.jobs.work import Job, Owner

POLL_SECONDS = 0.5
"""How often a caller that waits for a result is looked after."""

MAX_WAIT_SECONDS = 30

_STATUS = "progress percent running still waiting how long finished; how far is the calculation\ncomputing solver state"
_CANCEL = (
    "stop abort kill never mind interrupt takes too long; stop the calculation\n"
    "kill running job end computation quit terminate solver"
)

JobId = Annotated[str, Field(min_length=1, max_length=64, description="From the answer that started it.")]
Wait = Annotated[
    float,
    Field(
        ge=0,
        le=MAX_WAIT_SECONDS,
        description="For it to finish.",
    ),
]


def tools(engine: Engine) -> Sequence[Tool]:
    """``job_status``, ``job_result`` and ``job_cancel``."""

    def job_status(job_id: JobId, ctx: Context) -> dict[str, Any]:
        """Tell how far a job is that another tool started."""
        return handle_of(_found(engine.get(job_id, Owner.of(ctx.principal))))

    async def job_result(job_id: JobId, ctx: Context, wait_seconds: Wait = 0) -> dict[str, Any] | Reply[Any]:
        """Give the answer of a job that another tool started, once it has finished; else refuse with how far it is."""
        owner = Owner.of(ctx.principal)
        look = functools.partial(engine.get, job_id, owner)
        job = _found(await anyio.to_thread.run_sync(look))
        with anyio.move_on_after(wait_seconds):
            while not job.is_finished:
                await anyio.sleep(POLL_SECONDS)
                job = _found(await anyio.to_thread.run_sync(look))
        return result_of(job)

    def job_cancel(job_id: JobId, ctx: Context) -> dict[str, Any]:
        """End a job that is not wanted any more: at once if it waits, in about a second if it runs.

        A finished job stays as it is.
        """
        return handle_of(_found(engine.cancel(job_id, Owner.of(ctx.principal))))

    handle = dict(HANDLE_SCHEMA)
    return (
        # For programs that look often: job_result says as much, in its refusal.
        Tool(
            fn=job_status,
            level="expert",
            words=_STATUS,
            public=True,
            read_only=True,
            idempotent=True,
            output_schema=handle,
        ),
        Tool(
            fn=job_result,
            words=(
                "outcome output produced ready progress percent running how long run; is it finished yet, how "
                "far is it, give me the result of the calculation\n"
                "still computing solver ready done yet show result outcome calculation optimisation job"
            ),
            public=True,
            read_only=True,
            idempotent=True,
            output_schema={"type": "object", "description": "The answer of the tool that started the job."},
            timeout=MAX_WAIT_SECONDS + 30,
        ),
        Tool(fn=job_cancel, words=_CANCEL, public=True, destructive=True, idempotent=True, output_schema=handle),
    )


def resources(engine: Engine) -> Sequence[Resource]:
    """Where a job stands, to read and to subscribe to."""

    def job(job_id: str, ctx: Context) -> dict[str, Any]:
        found = engine.get(job_id, Owner.of(ctx.principal))
        if found is None:
            uri = RESOURCE.format(job_id=job_id)
            raise RequestError(
                RESOURCE_NOT_FOUND, "resource_not_found", "There is no resource at that URI.", details={"uri": uri}
            )
        return handle_of(found)

    return (
        Resource(
            uri=RESOURCE,
            fn=job,
            name="job",
            title="A long-running job",
            description="The progress of a job; subscribe to receive its changes.",
            mime_type="application/json",
            subscribable=True,
            public=True,
            per_caller=True,
        ),
    )


def _found(job: Job | None) -> Job:
    if job is None:
        raise UserError(
            "There is no job with this id. Give the job_id that you got when the job was started. Finished jobs"
            " are deleted after a week.",
            code="NO_SUCH_JOB",
        )
    return job
