"""Several searches at once: what each found, with what all of it means said once."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from packhorse import Reply, Text
from packhorse_locator.convert.people import row_in_words
from packhorse_locator.convert.words import say
from packhorse_locator.models.answers import BulkAnswer, BulkResult, BulkSummary
from packhorse_locator.models.questions import BulkSearch

NOT_FOUND = frozenset({"ALIEN_NUMBER_NOT_FOUND", "FACILITY_NOT_FOUND"})
"""Refusals of a search that went well and found nothing: they stop nothing."""

_OF_ITEMS = ("results", "facilities", "ask_for")
_FLAGS = ("sample_data", "stale_days", "index_behind", "partial")


def item_data(structured: Mapping[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """What an item keeps of its search's answer, and what the whole answer must say of the data once."""
    about = structured.get("search_metadata", {})
    return {key: structured[key] for key in _OF_ITEMS if key in structured}, {flag for flag in _FLAGS if flag in about}


def bulk_reply(question: BulkSearch, results: list[BulkResult], total_ms: int, warned: set[str]) -> Reply[BulkAnswer]:
    """The answer of bulk_search."""
    summary = _summary(results, total_ms)
    said = [say("en", "bulk", answered=summary["successful_searches"], total=summary["total_searches"])]
    said += [say("en", f"bulk_{flag}") for flag in _FLAGS if flag in warned]
    made: BulkAnswer = {"answer": " ".join(said), "results": results}
    if question.include_summary:
        made["summary"] = summary
    lines = [made["answer"], *(line for result in results for line in _lines(result))]
    return Reply(made, (Text("\n".join(lines)),), in_words=True)


def milliseconds(began: datetime, ended: datetime) -> int:
    """Whole milliseconds between two instants."""
    return round((ended - began).total_seconds() * 1000)


def _lines(result: BulkResult) -> Sequence[str]:
    if "error" in result:
        return [f"{result['id']}: {result['error']} [{result['error_code']}]"]
    data = result["data"]
    rows = [row_in_words(row) for row in data.get("results", ())]
    rows += [", ".join(str(value) for value in row.values()) for row in data.get("facilities", ())]
    return [f"{result['id']}: {row}" for row in rows] or [f"{result['id']}: {say('en', 'no_record')}"]


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
