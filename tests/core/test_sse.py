"""The transport of the oldest clients: a stream to listen on, and a second address to speak to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import mcp_types as wire
import pytest
from mcp.client.client import Client
from mcp.client.sse import sse_client
from tests.core.live import Bench, Served, troubles
from tests.core.seeds import install
from tests.core.served_pack import GUARDED, SEED

from packhorse.testing import Protocol

pytestmark = [pytest.mark.anyio, pytest.mark.wire]


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    install(made.packs, "seed", SEED + GUARDED)
    made.configure(shutdown_seconds=600)
    return made


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("sse"))
    install(made.packs, "seed", SEED + GUARDED)
    with made.serving("seed", transport="sse") as served:
        yield served
    assert not troubles(made.log.read_text())


@asynccontextmanager
async def client_at(
    served: Served, protocol: Protocol, *, token: str = "good-ada", **options: Any
) -> AsyncIterator[Client]:
    transport = sse_client(f"{served.address}/sse", headers={"Authorization": f"Bearer {token}"}, timeout=60)
    mode = protocol if protocol == "2026-07-28" else "legacy"
    async with Client(transport, mode=mode, **options) as client:
        yield client


async def test_calls_progress_and_questions_travel_over_the_stream(server, protocol):
    steps: list[float] = []

    async def step(done: float, total: float | None, message: str | None) -> None:
        steps.append(done)

    async def answer(ctx: Any, params: Any) -> wire.ElicitResult:
        return wire.ElicitResult(action="accept", content={"name": "Ada"})

    async with client_at(server, protocol, elicitation_callback=answer) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        walked = await client.call_tool("walk", progress_callback=step)
        greeted = await client.call_tool("greet")
        who = await client.call_tool("who")

    assert names[:2] == ["echo", "long"]
    assert walked.structured_content == {"result": "there"}
    assert steps == [1, 2]
    assert greeted.structured_content == {"result": "Hello Ada"}
    assert who.structured_content == {"result": "human ada"}


async def test_a_client_is_told_of_changes_on_its_stream(server):
    told = anyio.Event()

    async def hear(message: Any) -> None:
        assert message.method == "notifications/tools/list_changed"
        told.set()

    async with client_at(server, "2025-11-25", message_handler=hear) as client:
        await client.call_tool("change")
        with anyio.fail_after(90):
            await told.wait()


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        pytest.param("GET", "/sse", {"Authorization": "Bearer bad"}, 401, id="a stream with a bad token"),
        pytest.param("POST", "/messages/", {"Authorization": "Bearer bad"}, 401, id="a message with a bad token"),
        pytest.param("GET", "/sse", {"Host": "evil.example"}, 421, id="a stream under a foreign name"),
        pytest.param("POST", "/messages/", {"Host": "evil.example"}, 421, id="a message under a foreign name"),
        pytest.param("GET", "/sse", {"Origin": "https://evil.example"}, 403, id="a stream for a foreign page"),
        pytest.param("POST", "/messages/", {"Origin": "https://evil.example"}, 403, id="a message of a foreign page"),
        pytest.param("POST", "/messages/", {}, 400, id="a message of no session"),
        pytest.param("POST", f"/messages/?session_id={'0' * 32}", {}, 404, id="a message of an unknown session"),
        pytest.param("POST", "/sse", {}, 405, id="a message to the stream"),
        pytest.param("POST", "/mcp", {}, 404, id="the address of newer clients"),
    ],
)
def test_what_does_not_belong_here_is_refused(server, method, path, headers, status):
    given = {"Content-Type": "application/json", "Authorization": "Bearer good-ada", **headers}
    ping = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    refused = httpx2.request(method, f"{server.address}{path}", content=ping, headers=given)

    assert refused.status_code == status
    if status == 401:
        assert refused.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("token", "status"),
    [
        pytest.param("good-ada", 202, id="the caller who opened it"),
        pytest.param("good-bo", 404, id="another caller"),
        pytest.param(None, 404, id="nobody in particular"),
    ],
)
def test_a_stream_takes_messages_of_the_caller_who_opened_it(server, token, status):
    def who(name: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {name}"} if name else {}

    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    with httpx2.Client() as http, http.stream("GET", f"{server.address}/sse", headers=who("good-ada")) as stream:
        lines = stream.iter_lines()  # kept: the stream closes when nobody reads it any more
        address = next(line.removeprefix("data: ") for line in lines if line.startswith("data: /"))
        assert http.post(f"{server.address}{address}", json=ping, headers=who(token)).status_code == status


async def test_a_call_under_way_is_answered_before_the_server_ends(bench):
    replies: list[wire.CallToolResult] = []
    with bench.serving("seed", transport="sse") as served:
        async with client_at(served, "2025-11-25") as client:
            await client.list_tools()

            async def call() -> None:
                replies.append(await client.call_tool("sleep", {"seconds": 1}))

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call)
                await anyio.to_thread.run_sync(served.wait_for_log, "waiting")
                served.tell()
            # The client still holds its stream open: only the server can end it now.
            status = await anyio.to_thread.run_sync(served.process.wait, 90)
        log = served.log.read_text()

    assert [reply.structured_content for reply in replies] == [{"result": "waited"}]
    assert status == 0
    assert not [line for line in troubles(log) if "uvicorn.error" not in line]  # it says that the stream was cut
