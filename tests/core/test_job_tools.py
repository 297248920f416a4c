"""A tool that starts jobs, from the call to the answer, as clients of every kind see it."""

from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError
from tests.core.jobs import labour

from packhorse import Context, PackError, Reply, Tool
from packhorse.jobs import Work
from packhorse.settings import PackTable
from packhorse.testing import connected, deployment_for

pytestmark = pytest.mark.anyio

SUM = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}


def plan(a: int, b: int) -> Work:
    """Add two numbers, in a process of its own."""
    return Work("tests.core.jobs.labour:add", {"a": a, "b": b}, key=f"{a}+{b}")


def ask_first() -> Work:
    """Ask two questions."""
    return Work("tests.core.jobs.labour:ask", {"folder": "."}, needs_tasks=True)


def known() -> Work | dict[str, int]:
    """Add nothing, for the sum is known."""
    return {"sum": 0}


async def ask_another(ctx: Context) -> dict[str, str]:
    """Start a job through another tool."""
    reply: Reply = await ctx.call("plan", {"a": 20, "b": 3})
    return {"job_id": reply.structured["job_id"]}


@pytest.fixture
def deployment(make_pack, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))  # where the processes find `tests`
    tools = [Tool(fn=fn, job=True, output_schema=SUM) for fn in (plan, ask_first, known)]
    return deployment_for(data_dir=tmp_path, planning=make_pack(tools=[*tools, ask_another]))


async def test_a_client_gets_a_handle_and_asks_for_the_answer(deployment, protocol):
    async with connected(deployment, protocol=protocol) as client:
        started = (await client.call_tool("plan", {"a": 1, "b": 2})).structured_content
        assert (started["tool"], started["resource"]) == ("plan", f"jobs://{started['job_id']}")
        asked = {"job_id": started["job_id"], "wait_seconds": 30}
        assert (await client.call_tool("job_result", asked)).structured_content == {"sum": 3}
        again = (await client.call_tool("plan", {"a": 1, "b": 2})).structured_content
        assert (again["job_id"], again["status"]) == (started["job_id"], "completed")
        another = (await client.call_tool("ask_another", {})).structured_content  # one that a tool starts is a job too
        asked = {"job_id": another["job_id"], "wait_seconds": 30}
        assert (await client.call_tool("job_result", asked)).structured_content == {"sum": 23}


async def test_a_tool_may_have_the_answer_at_once(deployment):
    async with connected(deployment) as client:
        assert (await client.call_tool("known", {})).structured_content == {"sum": 0}


async def test_a_job_has_its_pack_s_settings_and_store(make_pack, tmp_path, monkeypatch):
    def keep(text: str) -> Work:
        """Keep a line."""
        return Work("tests.core.jobs.labour:note", {"text": text})

    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    module = make_pack(name=labour.__name__, pack=labour.pack, tools=[Tool(fn=keep, job=True)])
    tables = {"labour": PackTable(own={"greeting": "hello"})}
    deployment = deployment_for(data_dir=tmp_path, tables=tables, labour=module)
    async with connected(deployment) as client:
        job_id = (await client.call_tool("keep", {"text": "kept"})).structured_content["job_id"]
        done = await client.call_tool("job_result", {"job_id": job_id, "wait_seconds": 30})
    assert done.structured_content == {"pack": "labour", "greeting": "hello"}
    with deployment.hosts["labour"].store() as store:
        assert store.query("SELECT id, text FROM notes") == [{"id": job_id, "text": "kept"}]


async def test_work_that_asks_needs_a_client_that_speaks_tasks(deployment, protocol):
    async with connected(deployment, protocol=protocol) as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("ask_first", {})
        assert caught.value.error.code == -32021
        assert caught.value.error.data["requiredCapabilities"] == {"extensions": {"io.modelcontextprotocol/tasks": {}}}
    assert deployment.jobs.latest(10) == []


async def test_the_schema_of_such_a_tool_is_of_the_handle_and_of_the_answer(deployment):
    async with connected(deployment) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    handle, result = listed["plan"].output_schema["anyOf"]
    assert "job_id" in handle["required"]
    assert result == SUM
    assert set(listed) >= {"job_result", "job_cancel"}
    assert "job_status" not in listed


def test_without_such_a_tool_there_is_nothing_of_jobs(make_pack, tmp_path):
    deployment = deployment_for(data_dir=tmp_path, planning=make_pack(tools=[Tool(fn=known)]))
    assert deployment.jobs is None
    assert set(deployment.catalogue.tools) == {"known"}


def test_a_pack_that_has_one_of_the_names_is_named(make_pack, tmp_path):
    def job_status() -> str:
        """Something else."""
        return ""

    with pytest.raises(PackError, match="'planning' and 'packhorse' both offer a tool 'job_status'"):
        deployment_for(data_dir=tmp_path, planning=make_pack(tools=[Tool(fn=plan, job=True), job_status]))


def test_what_starts_a_job_is_not_kept():
    with pytest.raises(PackError, match="remove its ttl"):
        Tool(fn=plan, job=True, ttl=60, read_only=True)
