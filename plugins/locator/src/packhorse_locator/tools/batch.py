"""The searches of one call of bulk_search."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import anyio
from attrs import define, field

from packhorse import Context, Reply, RequestError, UserError
from packhorse.contract.clock import Clock
from packhorse_locator.convert.bulk import NOT_FOUND, bulk_reply, item_data, milliseconds
from packhorse_locator.convert.words import say
from packhorse_locator.models.answers import BulkAnswer, BulkResult
from packhorse_locator.models.questions import BulkSearch
from packhorse_locator.service.locator import Locator

TOOL_OF = {"name": "search_by_name", "alien_number": "search_by_alien_number", "facility": "search_by_facility"}

STOPPED = "NOT_RUN"
LONGEST_ID = 100


async def run(locator: Locator, question: BulkSearch, ctx: Context) -> Reply[BulkAnswer]:
    """Run the searches of one call, within the time for all of them.

    Raises:
        UserError: an id is too long, or no search could be run.
    """
    _check_ids(question)
    clock, timeout_seconds = locator.registry.host.clock, locator.choices.batch_timeout_seconds
    batch = _Batch(clock, question, ctx)
    began = clock()
    with anyio.move_on_after(timeout_seconds) as limit:
        await batch.run()
    if limit.cancelled_caught and not batch.done:
        raise UserError(
            f"None of the {len(question.searches)} searches was finished within {timeout_seconds:g} seconds."
            " Ask for fewer searches at a time, or call the tools one by one.",
            code="BATCH_TIMEOUT",
            details={"timeout_seconds": timeout_seconds},
        )
    results = [batch.result(number) for number in range(len(question.searches))]
    if all(result.get("error_code") == "CONCURRENT_LIMIT_EXCEEDED" for result in results):
        raise UserError(results[0]["error"], code="CONCURRENT_LIMIT_EXCEEDED")
    return bulk_reply(question, results, milliseconds(began, clock()), batch.warnings)


@define
class _Batch:
    """The searches of one call, and what became of each."""

    clock: Clock
    question: BulkSearch
    ctx: Context
    done: dict[int, BulkResult] = field(factory=dict)
    begun: dict[int, datetime] = field(factory=dict)
    warnings: set[str] = field(factory=set)
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
                data, about = item_data(reply.structured)
                self.warnings |= about
                took = milliseconds(self.begun[number], self.clock())
                self.done[number] = {"status": "success", "data": data, "processing_time_ms": took}

    def _failed(self, number: int, code: str, message: str) -> None:
        took = milliseconds(self.begun[number], self.clock())
        self.done[number] = {
            "status": "timeout" if code == "TIMEOUT" else "error",
            "error": say("en", "no_record") if code == "ALIEN_NUMBER_NOT_FOUND" else message.splitlines()[0],
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
                "processing_time_ms": milliseconds(began, self.clock()) if began else 0,
            }
        given = self.question.searches[number].get("id")
        return {**made, "id": given if isinstance(given, str) else str(number + 1)}


def _check_ids(question: BulkSearch) -> None:
    for number, search in enumerate(question.searches):
        if len(search.get("id") or "") > LONGEST_ID:
            raise UserError(
                f"`searches.{number}.id` must have at most {LONGEST_ID} characters.", code="INVALID_ARGUMENTS"
            )
