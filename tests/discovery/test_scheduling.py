"""A schedule is computed by a durable job where the server has jobs, and within the call where it has none."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from packhorse import Host, UserError
from packhorse.jobs import Running
from packhorse.testing import client_for, connected, deployment_for
from packhorse_discovery import pack
from packhorse_discovery.models.settings import DiscoverySettings
from packhorse_discovery.service.answering import Answering
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.correcting import Correcting
from packhorse_discovery.service.interview import Interview
from packhorse_discovery.service.modelling import Modeller
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.service.scheduling import Scheduler, compute
from packhorse_discovery.store.tables import MIGRATIONS

pytestmark = pytest.mark.anyio

STEPS = "- mix: 10 minutes, mixer\n- bake: 40 minutes, oven"
TALK = {
    "process/warm-up-with-challenges": "We bake bread.",
    "process/scheduling-problem-type": "(a)",
    "process/flow-shop": STEPS,
}


@pytest.fixture
def projects(tmp_path: Path) -> Projects:
    """Projects of which p knows how bread is made."""
    host = Host("discovery", data_dir=tmp_path, settings=DiscoverySettings(), migrations=MIGRATIONS)
    projects = Projects(host)
    interview, answering = Interview(projects), Answering(projects)
    interview.start("p", "main", "")
    for eads_id, answer in TALK.items():
        interview.pursue("p", "main", eads_id, 0)
        asked = interview.next_question("p", "main", eads_id, None)
        answering.answer("p", "main", eads_id, asked["question_id"], answer, None, "", None)
        interview.finalize("p", "main", eads_id, "", True)
    return projects


@pytest.fixture
async def client(projects: Projects, tmp_path: Path) -> AsyncIterator[Client]:
    """A client of a server with jobs, on the same data."""
    pytest.importorskip("dbos", reason="the part packhorse[jobs] is not installed")
    async with connected(deployment_for(data_dir=tmp_path, discovery=pack)) as client:
        yield client


async def told(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await client.call_tool(tool, arguments)
    assert not reply.is_error, reply.content[0].text
    return reply.structured_content or {}


async def test_the_job_keeps_its_schedule_in_the_project(client: Client) -> None:
    started = await told(client, "solve_model", project_id="p", seconds=10)
    solved = await told(client, "job_result", job_id=started["job_id"], wait_seconds=30)
    history = await told(client, "get_conversation_history", project_id="p", include_minizinc=True)

    assert (solved["status"], solved["solver"], solved["goals"]) == ("optimal", "cp-sat", {"makespan": 5})
    assert solved["computed"].startswith("by a job")
    assert "by a job" in history["minizinc_results"]


async def test_a_schedule_may_be_searched_for_longer_than_a_call(client: Client) -> None:
    started = await told(client, "solve_model", project_id="p", seconds=3600)

    solved = await told(client, "job_result", job_id=started["job_id"], wait_seconds=30)
    assert solved["proved"]


async def test_without_jobs_the_schedule_is_in_the_answer_which_says_so(
    projects: Projects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dbos", None)
    async with connected(deployment_for(data_dir=tmp_path, discovery=pack)) as client:
        solved = await told(client, "solve_model", project_id="p", seconds=10)
        too_long = await client.call_tool("solve_model", {"project_id": "p", "seconds": 61})
        tools = {tool.name for tool in (await client.list_tools()).tools}

    assert solved["status"] == "optimal"
    assert "packhorse[jobs]" in solved["computed"]
    assert (too_long.meta or {})["packhorse/error"]["code"] == "TOO_LONG"
    assert "job_result" not in tools


async def test_what_is_no_model_yet_starts_no_job() -> None:
    async with client_for(discovery=pack) as client:
        await told(client, "start_interview", project_id="p")
        reply = await client.call_tool("solve_model", {"project_id": "p"})

    assert (reply.meta or {})["packhorse/error"]["code"] == "MODEL_INCOMPLETE"


SORTS = {
    "process/scheduling-problem-type": ["(a)"],
    "process/flow-shop": [
        "| step | resources |\n|---|---|\n| mixing | mixer |\n| proofing | none |\n| baking | deck oven |",
        """| step | product | duration |
|---|---|---|
| mixing | sourdough | 20 minutes |
| mixing | baguettes | 15 minutes |
| mixing | rolls | 10 minutes |
| proofing | sourdough | 90 minutes |
| proofing | baguettes | 60 minutes |
| proofing | rolls | 45 minutes |
| baking | sourdough | 40 minutes |
| baking | baguettes | 25 minutes |
| baking | rolls | 20 minutes |""",
    ],
    "data/orders": [
        """| order | product | due |
|---|---|---|
| sourdough | sourdough | 2026-12-02 05:30 |
| baguettes | baguettes | 2026-12-02 04:30 |
| rolls | rolls | 2026-12-02 03:45 |""",
        "2026-12-02 02:00",
    ],
}
"""The three sorts of evidence/cards/bakery.json, whose optimum by hand is 170 minutes."""


async def test_sorts_with_times_of_their_own_are_one_flow_shop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dbos", None)
    async with client_for(discovery=pack) as client:
        await interviewed(client, SORTS)
        status = await told(client, "get_eads_status", project_id="p", eads_id="process/flow-shop")
        solved = await told(client, "solve_model", project_id="p", seconds=10)
        shown = await told(client, "export_project", project_id="p", format="markdown")

    assert "sourdough 20 minutes; baguettes 15 minutes; rolls 10 minutes" in str(shown)
    assert status["completeness"] == 1.0
    assert (solved["target"], solved["status"], solved["tick"]) == ("flow-shop", "optimal", "5 minutes")
    assert solved["goals"] == {"makespan": 34}


async def interviewed(client: Client, talk: dict[str, list[str]]) -> None:
    """The project p, asked every schema of ``talk`` and answered with its texts in turn."""
    await told(client, "start_interview", project_id="p")
    for eads_id, answers in {"process/warm-up-with-challenges": ["bread"], **talk}.items():
        await told(client, "start_eads_pursuit", project_id="p", eads_id=eads_id)
        for answer in answers:
            asked = await told(client, "get_next_question", project_id="p", eads_id=eads_id)
            given = {"question_id": asked["question_id"], "answer": answer}
            await told(client, "process_eads_answer", project_id="p", eads_id=eads_id, **given)
        await told(client, "finalize_eads", project_id="p", eads_id=eads_id, accept_gaps=True)


def scheduler(projects: Projects) -> Scheduler:
    return Scheduler(Modeller(Casefile(projects)))


def test_asked_for_again_in_the_same_state_it_is_the_same_job(projects: Projects) -> None:
    first, again = (scheduler(projects).order("p", seconds=5, seed=0) for _ in range(2))

    assert first.key == again.key


@pytest.mark.parametrize(
    "other",
    [{"seed": 1}, {"seconds": 6.0}],
    ids=["another seed", "another limit"],
)
def test_another_search_is_another_job(projects: Projects, other: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"seconds": 5.0, "seed": 0}

    assert scheduler(projects).order("p", **asked).key != scheduler(projects).order("p", **asked | other).key


def test_a_corrected_value_makes_another_job(projects: Projects) -> None:
    before = scheduler(projects).order("p", seconds=5, seed=0)
    path = next(
        one
        for one in Interview(projects).status("p", "main", "process/flow-shop")["completed_fields"]
        if one.endswith("duration")
    )
    value = {"value-string": "20", "units": "minutes"}
    words = f"{path.split('/')[2]}: 20 minutes"
    Correcting(Answering(projects)).correct("p", "process/flow-shop", path, value, "", None, words)

    assert scheduler(projects).order("p", seconds=5, seed=0).key != before.key


def test_a_job_that_runs_again_finds_what_it_kept(projects: Projects) -> None:
    host = projects.host
    described = {
        "pack": "discovery", "module": "packhorse_discovery.pack", "data_dir": str(host.data_dir.parent), "own": {},
        "database": None,
    }  # fmt: skip
    said: list[Any] = []
    running = Running("j1", said.append, dict, described=described)

    first, again = (compute(running, "p", 5.0, 0, "cp-sat") for _ in range(2))

    assert again == first
    assert Casefile(projects).last_model("p")["number"] == 1  # type: ignore[index]
    assert said[0]["progress"] == [0, 5.0, "searching"]


def test_a_project_that_was_erased_takes_no_schedule(projects: Projects) -> None:
    Casefile(projects).delete("p")

    with pytest.raises(UserError) as caught:
        scheduler(projects).solve("p", seconds=5, seed=0, job="j1")
    assert caught.value.code == "PROJECT_UNKNOWN"


def test_a_program_that_is_the_latest_already_is_not_kept_twice(projects: Projects) -> None:
    modeller = Modeller(Casefile(projects))

    assert [modeller.generate("p")["model_id"] for _ in range(2)] == ["m1", "m1"]


@pytest.mark.skipif("sys.platform == 'win32'", reason="the path is another there")
def test_without_minizinc_a_program_is_said_not_to_be_compiled(
    projects: Projects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    made = Modeller(Casefile(projects)).generate("p")

    assert made["compiled"] is None
    assert "no minizinc" in made["compiler"]


@pytest.mark.skipif("sys.platform == 'win32'", reason="the path is another there")
def test_a_solver_that_is_not_there_is_refused_before_a_job_starts(
    projects: Projects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(UserError) as caught:
        scheduler(projects).order("p", seconds=5, seed=0, solver="minizinc")
    assert caught.value.code == "SOLVER_UNAVAILABLE"
