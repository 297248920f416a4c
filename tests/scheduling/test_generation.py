"""Generation as a job in a process of its own, and within the call where there are no jobs."""

import json
from datetime import date

import pytest
from attrs import evolve

from packhorse import UserError
from packhorse.jobs import Running
from packhorse.testing import connected, deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.domain.programme.requests import Leave
from packhorse_scheduling.models import GenerateQuestion
from packhorse_scheduling.tools import generation
from wire import NOW, desk_in

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ASKED = {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2026-07-28"}


@pytest.fixture
def shelf(tmp_path, small):
    deployment, desk = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack), desk_in(tmp_path)
    desk.import_programme(small)
    return deployment, desk


async def test_a_job_makes_the_draft_and_names_it_after_itself(shelf):
    pytest.importorskip("dbos", reason="the part packhorse[jobs] is not installed")
    deployment, desk = shelf
    async with connected(deployment) as client:
        started = (await client.call_tool("generate_schedule", ASKED)).structured_content
        assert started["status"] in ("QUEUED", "RUNNING")
        asked = {"job_id": started["job_id"], "wait_seconds": 30}
        done = await client.call_tool("job_result", asked)
        while done.is_error and "JOB_NOT_FINISHED" in done.content[0].text:  # a shared machine may take longer
            done = await client.call_tool("job_result", asked)
        stands = json.loads((await client.read_resource(started["status_url"])).contents[0].text)
        published = await client.call_tool("publish_schedule", {"schedule_id": started["job_id"]})
    assert not done.is_error, done.content
    assert (stands["status"], stands["schedule_id"]) == ("COMPLETED", started["job_id"])
    assert stands["progress"]["percent_complete"] == 100
    assert not published.is_error, published.content
    body = done.structured_content
    assert body["schedule_id"] == started["job_id"]
    assert body["statistics"]["compliance_status"] == "COMPLIANT"
    assert desk.current().schedule.id == started["job_id"]


async def test_a_failed_job_says_on_its_page_and_in_its_result_who_and_when_stands_against_it(tmp_path, small):
    pytest.importorskip("dbos", reason="the part packhorse[jobs] is not installed")
    day = date(2026, 7, 20)
    everybody = [one for one in small.people if one.role == "FACULTY"]
    others = tuple(one for one in small.leaves if one.person not in {person.key for person in everybody})
    away = tuple(Leave(person.key, day, day, "conference") for person in everybody)
    deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
    desk_in(tmp_path).import_programme(evolve(small, leaves=(*others, *away)))
    async with connected(deployment) as client:
        started = (await client.call_tool("generate_schedule", ASKED)).structured_content
        done = await client.call_tool("job_result", {"job_id": started["job_id"], "wait_seconds": 30})
        stands = json.loads((await client.read_resource(started["status_url"])).contents[0].text)
    assert done.is_error
    assert stands["status"] == "FAILED"
    for words in (done.content[0].text, stands["progress"]["current_step"]):
        assert "2026-07-20" in words
        assert any(person.name in words for person in everybody)
        assert "cheapest way out" in words


async def test_a_second_run_of_a_job_stores_nothing_more(shelf, monkeypatch):
    _, desk = shelf
    monkeypatch.setattr(Running, "host", desk.host)
    said = []
    running = Running("01980000-0000-7000-8000-000000000001", said.append, dict)
    first = generation.run(running, asked={**ASKED, "async": True}, by="coordinator")
    again = generation.run(running, asked={**ASKED, "async": True}, by="coordinator")
    assert said
    assert first["schedule_id"] == again["schedule_id"] == running.job_id
    assert first["statistics"] == again["statistics"]
    with desk.rosters() as rosters:
        assert rosters.next_version() == 2


async def test_without_jobs_the_call_waits_and_says_so(shelf, monkeypatch):
    deployment, desk = shelf
    monkeypatch.setattr(generation, "has_jobs", lambda: False)
    async with connected(deployment) as client:
        reply = await client.call_tool("generate_schedule", ASKED)
    assert "no background jobs" in reply.content[0].text
    assert desk.opened(reply.structured_content["schedule_id"]).schedule.status == "draft"


def test_optimization_needs_something_published_and_then_improves_it(shelf):
    _, desk = shelf

    def made(mode):
        asked = GenerateQuestion.model_validate({**ASKED, "generation_mode": mode, "async": False})
        return generation.made(desk, asked, "coordinator", progress=lambda *_: None)

    with pytest.raises(UserError, match="First generate it with FULL and publish it"):
        made("OPTIMIZATION")
    before = desk.publish(made("FULL")["schedule_id"], "coordinator")
    better = made("OPTIMIZATION")
    after = desk.opened(better["schedule_id"])
    assert after.schedule.compliance == "COMPLIANT"
    assert after.schedule.parent == before.schedule.id
    assert {stage["name"] for stage in better["stages"]} <= {"improvement"}
