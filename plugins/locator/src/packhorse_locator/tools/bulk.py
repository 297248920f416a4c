"""Several searches at once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import anyio
from attrs import define, field, frozen

from packhorse import Context, Reply, RequestError, Text, UserError
from packhorse.contract.clock import Clock
from packhorse_locator.models.answers import BulkAnswer, BulkResult, BulkSummary
from packhorse_locator.models.questions import BulkSearch
from packhorse_locator.service.telemetry import Telemetry

TOOL_OF = {"name": "search_by_name", "alien_number": "search_by_alien_number", "facility": "search_by_facility"}

NOT_FOUND = frozenset({"ALIEN_NUMBER_NOT_FOUND", "FACILITY_NOT_FOUND"})
"""Refusals of a search that went well and found nothing: they stop nothing."""

STOPPED = "NOT_RUN"
LONGEST_ID = 100


@frozen
class BulkTool:
    """Each search is a call through the host's door: counted, limited and recorded like any other."""

    clock: Clock
    timeout_seconds: float
    telemetry: Telemetry

    async def bulk_search(self, question: BulkSearch, ctx: Context) -> Reply[BulkAnswer]:
        """Run up to ten searches at once: by name, by A-number or by facility, each with that tool's own arguments.

        Choose it for a list of people. Results come in the order asked, each with its own status, time and error; one
        that fails does not stop the others unless stop_on_error is true, and one that finds nobody never does. Each
        search counts against the limits of its own tool. What is not done in time comes back with status timeout.
        """
        _check_ids(question)
        with self.telemetry.timed("bulk_search"):
            return await self._run(question, ctx)

    async def _run(self, question: BulkSearch, ctx: Context) -> Reply[BulkAnswer]:
        batch = _Batch(self.clock, question, ctx)
        began = self.clock()
        with anyio.move_on_after(self.timeout_seconds) as limit:
            await batch.run()
        if limit.cancelled_caught and not batch.done:
            raise UserError(
                f"None of the {len(question.searches)} searches was finished within {self.timeout_seconds:g} seconds."
                " Ask for fewer searches at a time, or call the tools one by one.",
                code="BATCH_TIMEOUT",
                details={"timeout_seconds": self.timeout_seconds},
            )
        results = [batch.result(number) for number in range(len(question.searches))]
        if all(result.get("error_code") == "CONCURRENT_LIMIT_EXCEEDED" for result in results):
            raise UserError(results[0]["error"], code="CONCURRENT_LIMIT_EXCEEDED")
        answer: BulkAnswer = {"results": results}
        summary = _summary(results, _milliseconds(began, self.clock()))
        if question.include_summary:
            answer["summary"] = summary
        said = (
            f"Of {summary['total_searches']} searches, {summary['successful_searches']} were answered, with "
            f"{summary['total_results']} found in all, and {summary['failed_searches']} failed, each with its"
            " reason. Not found does not mean not detained."
        )
        return Reply(answer, (Text(said),))


@define
class _Batch:
    """The searches of one call, and what became of each."""

    clock: Clock
    question: BulkSearch
    ctx: Context
    done: dict[int, BulkResult] = field(factory=dict)
    begun: dict[int, datetime] = field(factory=dict)
    stopped: bool = False

    async def run(self) -> None:
        limiter = anyio.CapacityLimiter(self.question.max_concurrent)
        async with anyio.create_task_group() as group:
            for number, search in enumerate(self.question.searches):
                group.start_soon(self._one, number, search, limiter)

    async def _one(self, number: int, search: Mapping[str, Any], limiter: anyio.CapacityLimiter) -> None:
        async with limiter:
            if self.stopped:
                return
            self.begun[number] = self.clock()
            arguments = {name: value for name, value in search.items() if name not in ("id", "type")}
            try:
                reply = await self.ctx.call(TOOL_OF[search["type"]], arguments)
            except UserError as exc:
                self._failed(number, exc.code, exc.message)
            except RequestError as exc:
                self._failed(number, exc.error_type.upper(), exc.message)
            else:
                made: BulkResult = {"status": "success", "data": dict(reply.structured)}
                made["processing_time_ms"] = _milliseconds(self.begun[number], self.clock())
                self.done[number] = made

    def _failed(self, number: int, code: str, message: str) -> None:
        took = _milliseconds(self.begun[number], self.clock())
        first_line = message.splitlines()[0]
        self.done[number] = {
            "status": "timeout" if code == "TIMEOUT" else "error",
            "error": first_line if code not in NOT_FOUND else message,
            "error_code": code,
            "processing_time_ms": took,
        }
        if self.question.stop_on_error and code not in NOT_FOUND:
            self.stopped = True

    def result(self, number: int) -> BulkResult:
        made = self.done.get(number)
        if made is None:
            began = self.begun.get(number)
            made = {
                "status": "error" if self.stopped else "timeout",
                "error": "Not run: another search failed, and stop_on_error is true."
                if self.stopped
                else "Not finished within the time for the whole batch.",
                "error_code": STOPPED if self.stopped else "TIMEOUT",
                "processing_time_ms": _milliseconds(began, self.clock()) if began else 0,
            }
        given = self.question.searches[number].get("id")
        return {**made, "id": given if isinstance(given, str) else str(number + 1)}


def _check_ids(question: BulkSearch) -> None:
    for number, search in enumerate(question.searches):
        if len(search.get("id") or "") > LONGEST_ID:
            raise UserError(
                f"`searches.{number}.id` is too long: at most {LONGEST_ID} characters.", code="INVALID_ARGUMENTS"
            )


def _summary(results: list[BulkResult], total_ms: int) -> BulkSummary:
    good = [result for result in results if result["status"] == "success"]
    return {
        "total_searches": len(results),
        "successful_searches": len(good),
        "failed_searches": len(results) - len(good),
        "not_found": sum(result.get("error_code") in NOT_FOUND for result in results),
        "total_results": sum(
            len(result["data"].get("results") or result["data"].get("facilities") or ()) for result in good
        ),
        "total_time_ms": total_ms,
        "average_time_ms": round(sum(result["processing_time_ms"] for result in results) / len(results), 1),
    }


def _milliseconds(began: datetime, ended: datetime) -> int:
    return round((ended - began).total_seconds() * 1000)
