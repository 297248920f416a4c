"""Two replicas on one PostgreSQL and one Redis, behind a balancer, are to their clients what one process is."""

import itertools
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import mcp_types as wire
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated, ToolsListChanged
from tests.core.live import Bench, Served, wait_for
from tests.core.replicas import asking
from tests.core.replicas.between import Balancer
from tests.core.replicas.ward import WARD
from tests.core.seeds import install

pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")

pytestmark = [pytest.mark.anyio, pytest.mark.drill]

SECONDS = 90
PACE_SECONDS = 0.2
"""Between two calls of one client: a machine that is busy with them would not get a replica started."""

ROUNDS = int(os.environ.get("PACKHORSE_REPLICA_ROUNDS", "2"))
"""How often a replica is killed and started again."""

Started = Callable[..., Served]


@pytest.fixture
def start(tmp_path, database, redis_url):
    """Starts one more server: of those that share a database unless ``alone``."""
    with ExitStack() as stack:
        count = 0

        def started(*, alone: bool = False, **server: Any) -> Served:
            nonlocal count
            count += 1
            bench = Bench(tmp_path / f"server-{count}")
            bench.folder.mkdir()
            install(bench.packs, "ward", WARD)
            shared = {"database": database, "limits": redis_url, "replicas": 2, "state_key": "k" * 32}
            bench.configure(packs=["ward"], name=tmp_path.name, **({} if alone else shared), **server)
            return stack.enter_context(bench.serving("ward"))

        yield started


async def in_thread(fn: Callable[..., Any], *args: Any) -> Any:
    return await anyio.to_thread.run_sync(fn, *args)


@asynccontextmanager
async def client_at(url: str, protocol: str = "2026-07-28", **options: Any) -> AsyncIterator[Client]:
    async def answer(context: Any, params: Any) -> wire.ElicitResult:
        return wire.ElicitResult(action="accept", content={"name": "Ada"})

    async with (
        httpx2.AsyncClient(headers={"Connection": "close"}, timeout=SECONDS) as http,
        Client(
            streamable_http_client(url, http_client=http),
            mode=protocol if protocol == "2026-07-28" else "legacy",
            elicitation_callback=answer,
            **options,
        ) as client,
    ):
        yield client


async def sequence(url: str, protocol: str, marks: Path) -> list[Any]:
    """What one client is told of a question, a limit, notes, a kept answer, a job and a subscription."""
    told: list[Any] = []
    async with client_at(url, protocol) as client:

        async def call(tool: str, **arguments: Any) -> Any:
            reply = await client.call_tool(tool, arguments)
            said = reply.structured_content if not reply.is_error else reply.content[0].text
            told.append((tool, said))
            return said

        for _ in range(3):
            await call("greet")
        for number in range(4):
            await call("how_many")
            await call("note", id=f"{protocol}-{number}")
        await call("note", id=f"{protocol}-0")
        for _ in range(7):
            try:
                await call("scarce")
            except MCPError as error:
                told.append(("scarce", error.error.code))
        started = await call("plan", seconds=0.2, marks=str(marks))
        told.pop()
        result = await client.call_tool("job_result", {"job_id": started["job_id"], "wait_seconds": 30})
        told.append(("plan", result.structured_content == {"done": started["job_id"]}))
        if protocol == "2026-07-28":
            async with client.listen(tools_list_changed=True, resource_subscriptions=["ward://board"]) as stream:
                for tool, event in (("touch", ResourceUpdated(uri="ward://board")), ("change", ToolsListChanged())) * 2:
                    await call(tool)
                    with anyio.fail_after(SECONDS):
                        told.append((tool, await anext(stream) == event))
    return told


async def both(start: Started, **server: Any) -> tuple[Balancer, list[Served]]:
    servers = [await in_thread(lambda: start(**server)) for _ in range(2)]
    return Balancer(*(one.port for one in servers)), servers


@pytest.mark.parametrize("protocol", ["2026-07-28", "2025-11-25"])
async def test_a_sequence_of_calls_goes_as_on_one_process(start, tmp_path, protocol):
    alone = await in_thread(lambda: start(alone=True))
    expected = await sequence(alone.url, protocol, tmp_path / "alone")
    assert ("plan", True) in expected
    assert [said for tool, said in expected if tool == "scarce"] == [{"result": "here"}] * 5 + [-32029] * 2
    assert [said for tool, said in expected if tool == "how_many"] == [{"result": number} for number in range(4)]
    if protocol == "2025-11-25":  # its session is in one process, by the balancer's affinity
        assert ("greet", {"result": "Hello Ada"}) in expected

    balancer, servers = await both(start)
    async with balancer.serving() as url:
        told = [(tool, said) for tool, said in await sequence(url, protocol, tmp_path / "two") if tool != "how_many"]

    assert told == [(tool, said) for tool, said in expected if tool != "how_many"]
    if protocol == "2026-07-28":
        assert all(balancer.answered[server.port] > 5 for server in servers)


async def test_what_one_replica_changes_another_s_kept_answer_does_not_hide(start):
    _, (one, two) = await both(start)

    def how_many(server: Served) -> int:
        return asking.call(server.url, "how_many")["structuredContent"]["result"]

    before = await in_thread(how_many, two)
    assert await in_thread(how_many, one) == before
    await in_thread(lambda: asking.call(one.url, "note", id="kept"))
    assert await in_thread(how_many, one) == before + 1
    await in_thread(wait_for, lambda: how_many(two) == before + 1, "the other replica to forget its answer")


def test_a_database_that_is_away_stops_the_start_in_words(tmp_path):
    bench = Bench(tmp_path)
    install(bench.packs, "seed", "from packhorse import *\n@hookimpl\ndef register_tools():\n    return []\n")
    bench.configure(replicas=2, state_key="k" * 32, database="postgresql://ada:canary@127.0.0.1:1/none")
    ran = bench.run("serve", "seed", "--transport", "http", "--port", "0")
    assert ran.returncode == 1
    assert "cannot connect to PostgreSQL" in ran.stderr.splitlines()[-1]
    assert "canary" not in ran.stderr


async def test_an_older_client_is_told_of_what_happens_on_another_replica(start):
    _, (one, two) = await both(start)
    told: list[str] = []

    async def hear(message: Any) -> None:
        told.append(message.method)

    async def until_told(tool: str, method: str) -> None:
        while method not in told:  # its stream opens in the client's own time
            await in_thread(lambda: asking.call(two.url, tool))

    async with client_at(one.url, "2025-11-25", message_handler=hear) as client:
        await client.subscribe_resource("ward://board")
        with anyio.fail_after(SECONDS):
            await until_told("touch", "notifications/resources/updated")
            await until_told("change", "notifications/tools/list_changed")


async def test_a_replica_that_is_told_to_stop_leaves_no_call_without_its_answer(start):
    balancer, (one, two) = await both(start, unready_seconds=8)  # in which a busy balancer must have looked
    answered: list[str] = []
    async with balancer.serving() as url:
        stopped = anyio.Event()

        async def ask(name: str) -> None:
            number = 0
            while not stopped.is_set():
                number += 1
                text = f"{name}-{number}"
                reply = await in_thread(lambda text=text: asking.call(url, "echo", text=text))
                assert reply["structuredContent"] == {"result": text}
                answered.append(text)

        async with anyio.create_task_group() as tasks:
            for name in ("a", "b", "c"):
                tasks.start_soon(ask, name)
            slow = await in_thread(lambda: asking.call(one.url, "slowly", seconds=0.1))
            one.tell()
            assert await in_thread(one.process.wait, SECONDS) == 0
            stopped.set()
    assert slow["structuredContent"] == {"result": "slowly"}
    assert len(answered) == len(set(answered)) > 0
    assert two.process.poll() is None


class Crowd:
    """Clients that write, answer a question and start jobs, until they are told that it is enough."""

    def __init__(self, url: str, marks: Path) -> None:
        self.url = url
        self.marks = marks
        self.acknowledged: list[str] = []
        self.greeted = 0
        self.jobs: list[str] = []
        self.broke_off = 0
        self.enough = False

    async def attempt(self, tool: str, **arguments: Any) -> dict[str, Any] | None:
        """One call's result; None where the line broke, which tells nothing of what was done."""
        try:
            return await in_thread(lambda: asking.call(self.url, tool, **arguments))
        except httpx2.HTTPError:
            self.broke_off += 1
            return None

    async def write(self, name: str) -> None:
        for number in itertools.count():
            note = f"{name}-{number:04}"
            while (reply := await self.attempt("note", id=note)) is None:
                pass  # again, under the same name: the note says whether it was kept
            if reply.get("isError"):
                assert reply["_meta"]["packhorse/error"]["code"] == "ALREADY", reply
            else:
                assert reply["structuredContent"] == {"result": note}
            self.acknowledged.append(note)
            if self.enough:
                return
            await anyio.sleep(PACE_SECONDS)

    async def be_greeted(self) -> None:
        while not self.enough:
            asked = await self.attempt("greet")
            if asked is not None:
                assert asked["resultType"] == "input_required", asked
                (key,) = asked["inputRequests"]
                given = {key: {"action": "accept", "content": {"name": "Ada"}}}
                more = {"requestState": asked["requestState"], "inputResponses": given}
                reply = await self.attempt("greet", more=more)
                if reply is not None:
                    assert reply["structuredContent"] == {"result": "Hello Ada"}
                    self.greeted += 1
            await anyio.sleep(PACE_SECONDS)

    async def start_jobs(self) -> None:
        while not self.enough:
            reply = await self.attempt("plan", seconds=0.5, marks=str(self.marks))
            if reply is not None and not reply.get("isError"):
                self.jobs.append(reply["structuredContent"]["job_id"])
            await anyio.sleep(10 * PACE_SECONDS)

    async def ten_more(self) -> None:
        before = len(self.acknowledged)
        await in_thread(wait_for, lambda: len(self.acknowledged) > before + 10, "ten more notes")

    async def result_of(self, job_id: str) -> Any:
        with anyio.fail_after(2 * SECONDS):
            while True:
                reply = await self.attempt("job_result", job_id=job_id, wait_seconds=30)
                if reply is not None and not reply.get("isError"):
                    return reply["structuredContent"]


async def test_while_a_replica_is_killed_and_started_again_nothing_acknowledged_is_lost(start, tmp_path):
    balancer, servers = await both(start)
    async with balancer.serving() as url:
        crowd = Crowd(url, tmp_path / "marks")
        async with anyio.create_task_group() as tasks:
            for name in ("a", "b"):
                tasks.start_soon(crowd.write, name)
            tasks.start_soon(crowd.be_greeted)
            tasks.start_soon(crowd.start_jobs)
            for turn in range(ROUNDS):
                await crowd.ten_more()
                victim = servers[turn % 2]
                victim.process.send_signal(signal.SIGKILL)
                await in_thread(victim.process.wait)
                servers[turn % 2] = await in_thread(start)
                balancer.ports[turn % 2] = servers[turn % 2].port
            await crowd.ten_more()
            crowd.enough = True

        (kept,) = (await in_thread(lambda: asking.call(url, "notes")))["structuredContent"].values()
        assert [note for note in kept if note[:2] in ("a-", "b-")] == sorted(crowd.acknowledged)
        assert len(crowd.acknowledged) == len(set(crowd.acknowledged))
        assert crowd.greeted > 0
        for job_id in crowd.jobs:
            assert await crowd.result_of(job_id) == {"done": job_id}
    # A job that was in flight may have got to its last line and no further, and then runs again: it marks twice.
    assert set(crowd.jobs) <= set(crowd.marks.read_text().split())
    print(
        f"{len(crowd.acknowledged)} notes, {crowd.greeted} greetings and {len(crowd.jobs)} jobs over {ROUNDS} kills;"
        f" {crowd.broke_off} calls broke off"
    )
