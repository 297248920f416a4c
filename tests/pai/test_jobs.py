"""Long runs: progress and cancelling that reach the whole tree, in the call and behind it as a job of the host."""

import asyncio
import importlib.util

import pytest
from pai_houses import DATES, House

from packhorse import Tool, hookimpl
from packhorse.testing import connected

pytestmark = pytest.mark.anyio

jobs = pytest.mark.skipif(
    importlib.util.find_spec("dbos") is None, reason="packhorse[jobs] is not installed: there are no jobs"
)
COORDINATED = {"agent_name": "COORD_ENGINE", "mission": "Optimize it", "context": DATES, "task": "optimize_coverage"}


@pytest.fixture
def house(ward, tmp_path):
    return House(ward, tmp_path)


async def test_a_caller_hears_how_far_the_whole_tree_is(house):
    told = []

    async def progress(done, total, message):
        told.append((done, message))

    async with connected(house.deployment()) as client:
        await client.call_tool("invoke_agent", COORDINATED, progress_callback=progress)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {message.split(":")[0] for _, message in told} == {"SCHEDULER", "OPTIMIZATION_SPECIALIST", "COORD_ENGINE"}


def stuck(house):
    """From now on a look at the schedule takes for ever, until the call is cancelled."""
    reached, ended = asyncio.Event(), asyncio.Event()

    async def validate_schedule(schedule_id: str | None = None) -> dict[str, str]:
        """Look at the schedule without an end."""
        reached.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return {}

    module = house.modules["wards"]
    offers = [tool for tool in module.register_tools() if tool.fn.__name__ != "validate_schedule"]
    roles = ("COORDINATOR", "ADMIN", "FACULTY")
    module.register_tools = hookimpl(lambda: [*offers, Tool(fn=validate_schedule, roles=roles, read_only=True)])
    return reached, ended


async def told_to_all(house):
    """The caller hears at once that it is cancelled; each run of the tree writes so as it unwinds."""
    for _ in range(600):
        if set(house.statuses().values()) == {"cancelled"}:
            return
        await asyncio.sleep(0.05)


async def test_a_caller_that_goes_away_cancels_the_whole_tree(house):
    reached, ended = stuck(house)
    async with connected(house.deployment()) as client:
        call = asyncio.create_task(client.call_tool("invoke_agent", COORDINATED))
        await asyncio.wait_for(reached.wait(), 60)
        call.cancel()
        await asyncio.wait_for(ended.wait(), 60)
        await told_to_all(house)
    assert house.statuses() == {"COORD_ENGINE": "cancelled", "SCHEDULER": "cancelled"}


@jobs
async def test_a_run_behind_its_caller_is_a_job_with_its_result(house):
    async with connected(house.deployment()) as client:
        handle = (await client.call_tool("invoke_agent", {**COORDINATED, "background": True})).structured_content
        assert handle["tool"] == "invoke_agent"
        reply = await client.call_tool("job_result", {"job_id": handle["job_id"], "wait_seconds": 30})
    assert not reply.is_error, reply.content
    assert reply.structured_content["status"] == "completed"
    assert reply.structured_content["agent_name"] == "COORD_ENGINE"
    assert "analyze_hub_centrality" in house.ward.bodies()


@jobs
async def test_a_job_that_is_cancelled_cancels_the_whole_tree(house):
    reached, ended = stuck(house)
    async with connected(house.deployment()) as client:
        handle = (await client.call_tool("invoke_agent", {**COORDINATED, "background": True})).structured_content
        await asyncio.wait_for(reached.wait(), 60)
        await client.call_tool("job_cancel", {"job_id": handle["job_id"]})
        await asyncio.wait_for(ended.wait(), 60)
        reply = await client.call_tool("job_result", {"job_id": handle["job_id"], "wait_seconds": 10})
        await told_to_all(house)
    assert reply.meta["packhorse/error"]["code"] == "JOB_CANCELLED"
    assert house.statuses() == {"COORD_ENGINE": "cancelled", "SCHEDULER": "cancelled"}
