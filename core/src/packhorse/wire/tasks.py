"""The tasks extension of the 2026 protocol (SEP-2663), over the same jobs as the plain tools.

A client that declares the extension on a request may be answered with a task.
It then asks ``tasks/get``, whose answer holds the result in the end, answers
questions with ``tasks/update`` and ends the work with ``tasks/cancel``. A task
of somebody else is answered as one that is not there.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any

import anyio.to_thread
import mcp_types as wire
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import Field

from packhorse.contract.content import Reply
from packhorse.door.dispatch import Dispatcher
from packhorse.door.execution import Requester
from packhorse.errors import AUTHORIZATION, INVALID_PARAMS, RequestError, UserError
from packhorse.jobs.engine import Engine
from packhorse.jobs.handle import RESOURCE, Started, reason_of, result_of
from packhorse.jobs.work import Job, Owner
from packhorse.wire.callers import Identify, Request, address_of
from packhorse.wire.changes import Changes

EXTENSION = "io.modelcontextprotocol/tasks"

STATUS, CANCEL = "job_status", "job_cancel"
"""The plain tools that do the same: a caller who may not use them may not have it from here either."""

POLL_MS = 1000
"""How often a client is asked to look: what runs in a process of its own does not change sooner."""

REQUIRED: Mapping[str, Any] = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
"""The ``data`` of the error for a client that did not declare the extension."""

Answer = Callable[[Job, dict[str, Any] | Reply[Any]], wire.CallToolResult]
"""A finished job's result as the answer of the tool that started it."""

Refuse = Callable[[UserError, str], wire.CallToolResult]
"""A refusal as a tool's answer; the second is the id that the operator finds it by."""


class TaskParams(wire.RequestParams):
    """``tasks/get`` and ``tasks/cancel``."""

    task_id: str = Field(alias="taskId")


class UpdateParams(TaskParams):
    """``tasks/update``."""

    input_responses: dict[str, Any] = Field(alias="inputResponses")


def declares(ctx: Request) -> bool:
    """Whether this client declared, on this request, that it may be answered with a task."""
    declared = ctx.session.client_capabilities
    return (
        ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
        and declared is not None
        and EXTENSION in (declared.extensions or {})
    )


class Tasks:
    """The extension, for one deployment. `mount` it, and answer calls with `created_by` where that gives something."""

    def __init__(
        self,
        engine: Engine,
        dispatcher: Dispatcher,
        identify: Identify,
        changes: Changes,
        *,
        answer: Answer,
        refuse: Refuse,
    ) -> None:
        self._engine = engine
        self._dispatcher = dispatcher
        self._changes = changes
        engine.changed = lambda job_id: changes.noticed(RESOURCE.format(job_id=job_id))
        engine.ended = self._ended
        self._identify = identify
        self._answer = answer
        self._refuse = refuse
        self._ttl_ms = int(engine.limits.keep_days * 86_400_000)

    def _ended(self, tool: str) -> None:
        entry = self._dispatcher.catalogue.tools.get(tool)
        if entry is not None and not entry.offer.read_only:
            self._changes.noticed_outdated(entry.pack)

    def mount(self, server: Server[Any]) -> None:
        server.extensions[EXTENSION] = {}
        server.add_request_handler("tasks/get", TaskParams, self.get)
        server.add_request_handler("tasks/update", UpdateParams, self.update)
        server.add_request_handler("tasks/cancel", TaskParams, self.cancel)

    def declared(self, ctx: Request) -> bool:
        """Whether this client may be answered with a task; at every call of a tool."""
        self._changes.from_here()
        return declares(ctx)

    def created_by(self, ctx: Request, reply: Any) -> dict[str, Any] | None:
        """The answer to a call, where it started a job and the client may be answered with a task."""
        if isinstance(reply, Started) and declares(ctx):
            return {"resultType": "task", **self._head(reply.job)}
        return None

    async def get(self, ctx: Request, params: TaskParams) -> dict[str, Any]:
        """``tasks/get``: where it stands, and in the end what came out."""
        job = await self._mine(ctx, params, self._engine.get)
        return {**self._head(job), **self._end(job)}

    async def update(self, ctx: Request, params: UpdateParams) -> dict[str, Any]:
        """``tasks/update``: answers to open questions; others are passed over."""
        for key, answer in params.input_responses.items():
            if not isinstance(answer, dict):
                raise MCPError(INVALID_PARAMS, f"The answer to {key[:50]!r} must be an object.")
        await self._mine(ctx, params, lambda job_id, owner: self._engine.answer(job_id, owner, params.input_responses))
        return {}

    async def cancel(self, ctx: Request, params: TaskParams) -> dict[str, Any]:
        """``tasks/cancel``: the end shows in ``tasks/get``; a finished task stays as it is."""
        await self._mine(ctx, params, self._engine.get)
        try:
            # Through the one door: roles and guards of the tool hold, and it is on record.
            requester = Requester(self._identify(ctx), address=address_of(ctx))
            await self._dispatcher.call_tool(requester, CANCEL, {"job_id": params.task_id})
        except RequestError as error:
            raise MCPError(error.code, error.message, {"error_type": error.error_type}) from error
        except UserError as refusal:
            raise MCPError(refusal.jsonrpc_code, refusal.message, {"error_type": refusal.code.lower()}) from refusal
        return {}

    async def _mine(self, ctx: Request, params: TaskParams, ask: Callable[[str, Owner], Job | None]) -> Job:
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            raise MCPError(
                wire.METHOD_NOT_FOUND, "Tasks need the 2026-07-28 protocol; use the tool job_status instead."
            )
        if not declares(ctx):
            raise MCPError(
                wire.MISSING_REQUIRED_CLIENT_CAPABILITY,
                f"This needs a client that declares the extension {EXTENSION} on the request.",
                dict(REQUIRED),
            )
        _check_header(ctx, params.task_id)
        if not self._dispatcher.visible(self._identify(ctx), self._dispatcher.catalogue.tools[STATUS].offer):
            raise MCPError(AUTHORIZATION, "This caller may not use that.", {"error_type": "authorization"})
        job = await anyio.to_thread.run_sync(functools.partial(ask, params.task_id, Owner.of(self._identify(ctx))))
        if job is None:
            raise MCPError(INVALID_PARAMS, "There is no task with this id.")
        return job

    def _head(self, job: Job) -> dict[str, Any]:
        head = {
            "taskId": job.id,
            "status": _status(job),
            "createdAt": job.created_at,
            "lastUpdatedAt": job.updated_at,
            "ttlMs": self._ttl_ms,
            "pollIntervalMs": POLL_MS,
        }
        message = reason_of(job) or (job.progress.message if job.progress else None)
        if message:
            head["statusMessage"] = message
        return head

    def _end(self, job: Job) -> dict[str, Any]:
        match _status(job):
            case "completed":
                return {"result": self._result(job).model_dump(by_alias=True, mode="json", exclude_none=True)}
            case "failed":
                return {"error": (job.error or {})["protocol"]}
            case "input_required":
                return {"inputRequests": {key: _question(asked) for key, asked in job.questions.items()}}
            case _:
                return {}

    def _result(self, job: Job) -> wire.CallToolResult:
        try:
            return self._answer(job, result_of(job))
        except UserError as refusal:
            return self._refuse(refusal, job.id)


def _status(job: Job) -> str:
    """In the extension's words: a refusal is a completed call, and only the protocol's own errors are failures."""
    match job.status:
        case "queued":
            return "working"
        case "failed":
            return "failed" if "protocol" in (job.error or {}) else "completed"
        case status:
            return status


def _question(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "method": "elicitation/create",
        "params": {"mode": "form", "message": asked["message"], "requestedSchema": asked["schema"]},
    }


def _check_header(ctx: Request, task_id: str) -> None:
    """Over HTTP the task is named in a header too, so that balancers may route by it; the SDK checks only its own."""
    request = ctx.request
    if request is None:
        return
    named = request.headers.get("mcp-name")
    if named != task_id:
        raise MCPError(
            wire.HEADER_MISMATCH,
            "The header Mcp-Name is required and must be the taskId."
            if named is None
            else "Mcp-Name is not the taskId.",
        )
