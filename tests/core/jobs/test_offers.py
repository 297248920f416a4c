"""What every client can do about jobs, and that a job of somebody else looks like none."""

import anyio.to_thread
import pytest
from mcp.shared.exceptions import MCPError
from tests.core.jobs import labour
from tests.core.live import wait_for

from packhorse import Principal
from packhorse.job_tools import offers
from packhorse.jobs import Owner, Work
from packhorse.jobs.handle import HANDLE_SCHEMA, answer_schema, handle_of
from packhorse.schema.checker import Checker
from packhorse.testing import connected, deployment_for

pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")

pytestmark = pytest.mark.anyio

ADA = Principal("human", "ada", claims={"iss": "https://one.example"})
BOB = Principal("human", "bob", claims={"iss": "https://one.example"})


@pytest.fixture
def served(engine, tmp_path, make_pack):
    pack = make_pack(tools=list(offers.tools(engine)), resources=list(offers.resources(engine)))
    return deployment_for(data_dir=tmp_path, jobs=pack)


async def start(engine, name, **arguments):
    work = Work(f"tests.core.jobs.labour:{name}", arguments)
    return await anyio.to_thread.run_sync(engine.start, "plan", work, Owner.of(ADA))


async def answer(served, tool, principal=ADA, **arguments):
    async with connected(served, principal=principal) as client:
        return await client.call_tool(tool, arguments)


def said(reply):
    return reply.content[0].text


async def test_a_finished_job_tells_its_answer(engine, served):
    job = await start(engine, "add", a=1, b=2)
    reply = await answer(served, "job_result", job_id=job.id, wait_seconds=30)
    assert reply.structured_content == {"sum": 3}

    status = (await answer(served, "job_status", job_id=job.id)).structured_content
    assert (status["status"], status["tool"]) == ("completed", "plan")
    assert status["progress"] == {"done": 1, "total": 2, "message": "half of it"}


async def test_a_job_that_runs_says_how_far_it_is_and_can_be_ended(engine, served, tmp_path):
    job = await start(engine, "work_for_ever", folder=str(tmp_path))
    wait_for(lambda: labour.lines(tmp_path), "the work to begin")

    refused = await answer(served, "job_result", job_id=job.id)
    assert refused.is_error
    assert "JOB_NOT_FINISHED" in said(refused)
    assert not (await answer(served, "job_cancel", job_id=job.id)).is_error
    ended = await answer(served, "job_result", job_id=job.id, wait_seconds=30)
    assert "JOB_CANCELLED" in said(ended)
    assert (await answer(served, "job_status", job_id=job.id)).structured_content["status"] == "cancelled"


async def test_a_job_that_failed_is_refused_with_its_own_reason(engine, served):
    reply = await answer(served, "job_result", job_id=(await start(engine, "refuse")).id, wait_seconds=30)
    assert reply.is_error
    assert said(reply) == "Error: There are no people to plan for. [NO_PEOPLE]"


async def test_a_job_that_broke_the_protocol_is_refused_too(engine, served):
    reply = await answer(served, "job_result", job_id=(await start(engine, "break_protocol")).id, wait_seconds=30)
    assert said(reply) == "Error: It went up in smoke. [JOB_FAILED]"


@pytest.mark.parametrize("tool", ["job_status", "job_result", "job_cancel"])
async def test_a_job_of_somebody_else_is_answered_as_one_that_is_not_there(engine, served, tool):
    job = await start(engine, "add", a=1, b=2)
    foreign = await answer(served, tool, BOB, job_id=job.id)
    unknown = await answer(served, tool, BOB, job_id="0" * 32)

    assert foreign.is_error
    assert "[NO_SUCH_JOB]" in said(foreign)
    assert said(foreign) == said(unknown)
    await answer(served, "job_result", job_id=job.id, wait_seconds=30)


async def test_the_resource_tells_the_same_to_the_owner_and_nothing_to_others(engine, served):
    job = await start(engine, "add", a=1, b=2)
    await answer(served, "job_result", job_id=job.id, wait_seconds=30)
    async with connected(served, principal=ADA) as client:
        answered = await client.read_resource(f"jobs://{job.id}")
        assert answered.cache_scope == "private"
        read = answered.contents[0].text
        assert f'"job_id":"{job.id}"' in read
        assert '"completed"' in read
    async with connected(served, principal=BOB) as client:
        faults = []
        for job_id in (job.id, "0" * 32):
            with pytest.raises(MCPError) as caught:
                await client.read_resource(f"jobs://{job_id}")
            faults.append((caught.value.error.code, caught.value.error.message))
        assert faults[0] == faults[1]


async def test_what_a_tool_answers_at_first_and_in_the_end_is_of_one_schema(engine):
    job = await start(engine, "add", a=1, b=2)
    schema = answer_schema({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]})
    for valid in (handle_of(job), {"sum": 3}):
        Checker(schema).validate(valid)
    assert list(Checker(schema).faults({"other": 1}))
    Checker(HANDLE_SCHEMA).validate(handle_of(job))
