"""Job shops told as tables, by an expert without an assistant: solved where the table is whole, asked about where not.

The tables of evidence/jobshop_tables.json were written without sight of the code; the optima are the published ones.
`pytest -s` prints what became of each.
"""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from packhorse.testing import client_for
from packhorse_discovery import pack

pytestmark = pytest.mark.anyio

TABLES = json.loads((Path(__file__).parent / "evidence" / "jobshop_tables.json").read_text("utf-8"))
PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "discovery" / "modelling" / "optmath_job_shops.json"
OPERATIONS = "process/job-shop--unique"
TALK = {
    "process/warm-up-with-challenges": ["parts"],
    "process/scheduling-problem-type": ["(b)"],
    "process/job-shop": ["no"],
}


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]


@pytest.fixture
async def client(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Client]:
    """A client of a server without jobs, whose project p is a job shop with a plan for each job."""
    monkeypatch.setitem(__import__("sys").modules, "dbos", None)
    async with client_for(discovery=pack) as client:
        await call(client, "start_interview", project_id="p")
        for eads_id, answers in TALK.items():
            await call(client, "start_eads_pursuit", project_id="p", eads_id=eads_id)
            for answer in answers:
                await answered(client, eads_id, answer)
            await call(client, "finalize_eads", project_id="p", eads_id=eads_id, accept_gaps=True)
        await call(client, "start_eads_pursuit", project_id="p", eads_id=OPERATIONS)
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await client.call_tool(tool, arguments)
    assert not reply.is_error, reply.content[0].text
    return reply.structured_content or {}


async def answered(client: Client, eads_id: str, answer: str) -> dict[str, Any]:
    asked = await call(client, "get_next_question", project_id="p", eads_id=eads_id)
    given = {"question_id": asked["question_id"], "answer": answer}
    return await call(client, "process_eads_answer", project_id="p", eads_id=eads_id, **given)


def with_unit(table: str, unit: str) -> str:
    """The table with its unit in the heading, as people write it."""
    return table.replace("| duration |", f"| duration ({unit}) |", 1)


@pytest.mark.parametrize("row", TABLES["complete"], ids=ids(TABLES["complete"]))
async def test_a_whole_table_gives_the_published_optimum(client: Client, row: dict[str, Any]) -> None:
    if not PUBLISHED.is_file():
        pytest.skip("the published optima are not beside this checkout")
    optima = {each["id"]: float(each["answer"]) for each in json.loads(PUBLISHED.read_text("utf-8"))}

    read = await answered(client, OPERATIONS, with_unit(row["table"], row["unit"]))
    solved = await call(client, "solve_model", project_id="p", seconds=20)

    print(row["id"], "optimum", solved["objective"], "published", optima[row["id"]])
    assert (read["next_action"], read.get("refused", [])) == ("complete", [])
    assert (solved["status"], solved["tick"]) == ("optimal", "time unit")
    assert solved["goals"]["makespan"] == optima[row["id"]]


@pytest.mark.parametrize("row", TABLES["incomplete"], ids=ids(TABLES["incomplete"]))
async def test_a_table_with_gaps_gives_a_question_and_no_schedule(client: Client, row: dict[str, Any]) -> None:
    await answered(client, OPERATIONS, with_unit(row["table_with_gaps"], "units of time"))

    asked = await call(client, "get_next_question", project_id="p", eads_id=OPERATIONS)
    reply = await client.call_tool("solve_model", {"project_id": "p"})

    print(row["id"], "asks:", asked["question"], "| lacks:", row["lacks"][0])
    assert any(name in asked["question"] for name in ("duration", "resources"))
    assert (reply.meta or {})["packhorse/error"]["code"] == "MODEL_INCOMPLETE"


async def test_durations_without_any_unit_are_asked_about(client: Client) -> None:
    read = await answered(client, OPERATIONS, TABLES["complete"][0]["table"])

    assert len(read["refused"]) == 9
    assert "duration" in (await call(client, "get_next_question", project_id="p", eads_id=OPERATIONS))["question"]


async def test_a_unit_without_a_length_does_not_go_with_hours(client: Client) -> None:
    table = "job,operation,machine,duration\nA,cut,saw,3 units of time\nB,cut,saw,2 hours"
    await answered(client, OPERATIONS, table)

    reply = await client.call_tool("solve_model", {"project_id": "p"})

    assert "how long a time unit is" in reply.content[0].text
