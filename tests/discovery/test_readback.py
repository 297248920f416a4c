"""What was understood, read back."""

from typing import Any

import pytest

from packhorse.testing import client_for, fixed_clock
from packhorse_discovery import pack
from packhorse_discovery.domain.interview.readback import LONGEST, read_back
from packhorse_discovery.service.library import library

FLOW = library().get("process/flow-shop")
HOURS = library().get("resources/calendar-and-maintenance")


@pytest.mark.parametrize(
    ("established", "words"),
    [
        (
            {
                "subprocesses": [
                    {
                        "process-id": "mashing",
                        "duration": {"value-string": "60-75", "units": "minutes"},
                        "resources": ["mash tun", "pump"],
                        "optional?": False,
                    },
                    {"process-id": "cooling"},
                ]
            },
            "mashing: 60-75 minutes, mash tun, pump, optional no; cooling",
        ),
        ({"exhausted?": True}, "exhausted: yes"),
        ({"duration": {"value-string": "2 hours", "units": "hours"}}, "duration: 2 hours"),
        ({"quantity": {"value-string": "180", "units": "m"}}, "quantity: 180 m"),
        ({"duration": {"value-string": "20 min", "units": "minutes"}}, "duration: 20 min"),
        (
            {
                "subprocesses": [
                    {
                        "process-id": "mixing",
                        "durations": [
                            {"product": "rye", "duration": {"value-string": "20", "units": "minutes"}},
                            {"product": "rolls", "duration": {"value-string": "10", "units": "minutes"}},
                        ],
                    }
                ]
            },
            "mixing: (rye 20 minutes; rolls 10 minutes)",
        ),
        (
            {"working-hours": [{"resource": "all", "days": ["Monday", "Friday"], "start": "02:00", "end": "10:00"}]},
            "all: Monday, Friday, start 02:00, end 10:00",
        ),
        ({"rules": [{"rule": "rye goes last", "quote": "the rye always goes last"}]}, "rule: rye goes last"),
        ({}, ""),
    ],
)
def test_what_was_understood_is_said_in_words(established: dict[str, Any], words: str) -> None:
    assert FLOW is not None
    assert HOURS is not None
    assert read_back(established, [FLOW, HOURS]) == words


def test_a_long_reading_says_how_much_is_left_out() -> None:
    assert FLOW is not None
    rows = [{"process-id": f"step {number}", "resources": ["x" * 100]} for number in range(30)]

    words = read_back({"subprocesses": rows}, [FLOW])

    assert len(words) <= LONGEST + 30
    assert words.endswith(" more")


@pytest.mark.anyio
async def test_an_answer_is_read_back_over_the_wire() -> None:
    async with client_for(discovery=pack, clock=fixed_clock("2026-01-01T00:00:00Z")) as client:

        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            reply = await client.call_tool(tool, {"project_id": "p", **arguments})
            assert not reply.is_error, reply.content[0].text
            found: dict[str, Any] = reply.structured_content
            return found

        await call("start_interview")
        for eads_id, answer in (
            ("process/warm-up-with-challenges", "n/a"),
            ("process/scheduling-problem-type", "(a)"),
        ):
            await call("start_eads_pursuit", eads_id=eads_id)
            asked = await call("get_next_question", eads_id=eads_id)
            await call("process_eads_answer", eads_id=eads_id, question_id=asked["question_id"], answer=answer)
            await call("finalize_eads", eads_id=eads_id, accept_gaps=True)
        await call("start_eads_pursuit", eads_id="process/flow-shop")
        asked = await call("get_next_question", eads_id="process/flow-shop")
        said = (
            "| step | duration | machine |\n|---|---|---|\n| Pressing | 20 min | press |\n| salting | 2 h | brine tub |"
        )
        reply = await call(
            "process_eads_answer", eads_id="process/flow-shop", question_id=asked["question_id"], answer=said
        )

    assert reply["read_back"] == "Pressing: 20 minutes, press; salting: 2 hours, brine tub"
