"""Interviews written by people who had not seen the reader, from the first question to a proved schedule.

Each file of ``talks`` has a trade and what its person answers, by topic.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from packhorse.testing import client_for, fixed_clock
from packhorse_discovery import pack
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.quantities import parse
from packhorse_discovery.domain.quantity import MINUTES

pytestmark = pytest.mark.anyio

FILES: dict[str, dict[str, Any]] = {
    file.stem: json.loads(file.read_text("utf-8")) for file in sorted((Path(__file__).parent / "talks").glob("*.json"))
}
TALKS: dict[str, dict[str, str]] = {name: file["answers"] for name, file in FILES.items()}
EXPECTED: dict[str, dict[str, Any]] = {name: file["expected"] for name, file in FILES.items() if "expected" in file}
"""What the writer of a talk meant: steps with minutes, machines, orders with batches and hours, the first goal."""
NEW_YEAR = fixed_clock("2026-01-01T00:00:00Z")
TOPICS = {
    "process/warm-up-with-challenges": ["what_and_why_hard"],
    "process/scheduling-problem-type": ["kind_of_problem", "continuous and cyclical"],
    "process/flow-shop": ["steps"],
    "data/orders": ["orders"],
    "resources/inventory": ["resources"],
    "optimality/goals": ["goal"],
}
COUNTS = {
    "brewery_chatty": (6, 2, 11),
    "brewery_table": (5, 3, 16),
    "brewery_terse": (5, 3, 9),
    "laundry": (5, 3, 11),
    "ten_steps": (10, 1, 11),
}
COUNTS |= {
    name: (len(one["steps"]), len(one["orders"]), sum(one["machines"].values())) for name, one in EXPECTED.items()
}
"""Steps, orders, and machines of each, counted by hand or by who wrote it."""


class Person:
    """Answers what they are asked, from their file."""

    def __init__(self, client: Any, answers: dict[str, str]) -> None:
        self.client = client
        self.answers = {**answers, "continuous and cyclical": f"1. {answers['continuous']}\n2. {answers['cyclical']}"}
        self.questions = 0

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        reply = await self.client.call_tool(tool, {"project_id": "p", **arguments})
        assert not reply.is_error, reply.content[0].text
        found: dict[str, Any] = reply.structured_content
        return found

    async def interviewed(self) -> dict[str, dict[str, Any]]:
        """What each schema established."""
        await self.call("start_interview")
        done: dict[str, dict[str, Any]] = {}
        while True:
            advice = await self.call("get_next_eads")
            ranked = [advice["eads_id"], *(one["eads_id"] for one in advice["alternatives"])]
            chosen = next((one for one in ranked if one in TOPICS and one not in done), None)
            if chosen is None:
                return done
            done[chosen] = await self.pursued(chosen)

    async def pursued(self, eads_id: str) -> dict[str, Any]:
        await self.call("start_eads_pursuit", eads_id=eads_id)
        for topic in TOPICS[eads_id]:
            asked = await self.call("get_next_question", eads_id=eads_id)
            if asked["done"]:
                break
            self.questions += 1
            await self.call(
                "process_eads_answer",
                eads_id=eads_id,
                question_id=asked["question_id"],
                answer=self.answers[topic],
            )
        final = await self.call("finalize_eads", eads_id=eads_id)
        assert final["success"], (eads_id, final["validation_results"])
        found: dict[str, Any] = final["data_structure"]
        return found


@pytest.mark.parametrize("name", TALKS)
async def test_a_talk_ends_in_a_proved_schedule_without_a_model_of_language(name: str) -> None:
    async with client_for(discovery=pack, clock=NEW_YEAR) as client:
        person = Person(client, TALKS[name])
        found = await person.interviewed()
        program = await person.call("generate_model")
        solved = await person.call("solve_model", seconds=10)
        if "job_id" in solved:
            reply = await client.call_tool("job_result", {"job_id": solved["job_id"], "wait_seconds": 30})
            solved = reply.structured_content

    steps, orders, machines = COUNTS[name]
    assert len(found["process/flow-shop"]["subprocesses"]) == steps
    assert len(found["data/orders"]["orders"]) == orders
    assert sum(one["count"] for one in found["resources/inventory"]["resources"]) == machines
    assert program["tasks"] == steps * program["jobs"]
    assert (solved["status"], solved["proved"]) == ("optimal", True)
    assert person.questions <= (6 if steps == 10 else 7)
    if name in EXPECTED:
        as_meant(found, EXPECTED[name])


def minutes(said: dict[str, str] | str) -> tuple[float, float]:
    words, units = (said, "") if isinstance(said, str) else (said["value-string"], said["units"])
    found = parse(words, units)
    assert found.low is not None
    assert found.high is not None
    return found.low * MINUTES[found.unit], found.high * MINUTES[found.unit]


def as_meant(found: dict[str, dict[str, Any]], meant: dict[str, Any]) -> None:
    """Every value is the one that the writer of the talk had in mind."""
    steps = found["process/flow-shop"]["subprocesses"]
    assert [minutes(one["duration"]) for one in steps] == [(low, high) for _, low, high, _ in meant["steps"]]
    assert [[one.casefold() for one in step["resources"]] for step in steps] == [
        [machine.casefold()] for _, _, _, machine in meant["steps"]
    ]
    machines = found["resources/inventory"]["resources"]
    assert [(stems(one["resource-id"]), one["count"]) for one in machines] == [
        (stems(machine), count) for machine, count in meant["machines"].items()
    ]
    orders = found["data/orders"]["orders"]
    assert [(parse(one["quantity"]["value-string"]).low, minutes(one["due"])[0] / 60) for one in orders] == [
        (batches, hours) for _, batches, hours in meant["orders"]
    ]
    assert found["optimality/goals"]["objectives"][0] == meant["goal"]
