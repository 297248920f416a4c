"""``packhorse serve --reload``: an edit reaches the client that is connected, in both eras, over both transports."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from tests.core.live import STOP_SECONDS, Bench

pytestmark = [pytest.mark.anyio, pytest.mark.wire]

BEFORE = '''
import time


def hello(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}"


def slow(seconds: float) -> str:
    """Wait."""
    time.sleep(seconds)
    return "waited"
'''
AFTER = BEFORE.replace("Hello", "Good day") + '\n\ndef bye() -> str:\n    """Take leave."""\n    return "Bye"\n'
ERAS = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    made.packs.mkdir()
    (tmp_path / "own.py").write_text(BEFORE)
    return made


class Told:
    """The notices that a client got, by method."""

    def __init__(self) -> None:
        self.methods: list[str] = []

    async def __call__(self, message: Any) -> None:
        self.methods.append(getattr(message, "method", ""))


@asynccontextmanager
async def connected(bench: Bench, transport: str, mode: str, told: Told) -> AsyncIterator[Client]:
    if transport == "stdio":
        with bench.log.open("w") as log:
            command, *arguments = bench.command("serve", "own.py", "--reload")
            server: Any = StdioServerParameters(
                command=command, args=arguments, env=bench.environment(), cwd=bench.folder
            )
            async with Client(stdio_client(server, errlog=log), mode=mode, message_handler=told) as client:
                yield client
        return
    with bench.serving("own.py", "--reload") as served:
        async with Client(served.url, mode=mode, message_handler=told) as client:
            yield client


async def until(happened: Callable[[], Any]) -> None:
    with anyio.fail_after(STOP_SECONDS):
        while not await happened():  # noqa: ASYNC110 - a server in another process tells nobody
            await anyio.sleep(0.1)


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools(cache_mode="refresh")).tools]


@ERAS
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_connected_client_sees_an_edit(bench: Bench, transport: str, mode: str) -> None:
    told = Told()
    async with connected(bench, transport, mode, told) as client:
        assert await names(client) == ["hello", "slow"]
        (bench.folder / "own.py").write_text(AFTER)

        async def served() -> bool:
            return "the edit is served" in bench.log.read_text()

        await until(served)
        assert await names(client) == ["hello", "slow", "bye"]
        assert (await client.call_tool("hello", {"name": "Ada"})).structured_content == {"result": "Good day, Ada"}
        assert (await client.call_tool("bye", {})).structured_content == {"result": "Bye"}
        if mode == "legacy":

            async def heard() -> bool:
                return "notifications/tools/list_changed" in told.methods

            await until(heard)


async def test_a_stream_of_changes_goes_on_over_a_new_server(bench: Bench) -> None:
    async with connected(bench, "stdio", "2026-07-28", Told()) as client, client.listen(tools_list_changed=True) as one:
        for text in (AFTER, BEFORE):
            (bench.folder / "own.py").write_text(text)
            with anyio.fail_after(STOP_SECONDS):
                assert type(await anext(aiter(one))).__name__ == "ToolsListChanged"
            assert ("bye" in await names(client)) is (text == AFTER)


EACH = pytest.mark.parametrize(("transport", "mode"), [("stdio", "legacy"), ("http", "2026-07-28")])


@EACH
async def test_an_edit_that_cannot_be_served_leaves_the_server_from_before(
    bench: Bench, transport: str, mode: str
) -> None:
    async with connected(bench, transport, mode, Told()) as client:
        assert await names(client) == ["hello", "slow"]
        for broken, *words in (
            ("def hello(:", "own.py, line 1: invalid syntax", "The server from before this edit goes on"),
            ("def hello() -> str:\n    return ''", "hello has no docstring", "from before it goes on"),
        ):
            (bench.folder / "own.py").write_text(broken)

            async def logged(words: list[str] = words) -> bool:
                return all(word in bench.log.read_text() for word in words)

            await until(logged)
        assert (await client.call_tool("hello", {"name": "Ada"})).structured_content == {"result": "Hello, Ada"}


@EACH
async def test_a_call_that_was_running_is_answered(bench: Bench, transport: str, mode: str) -> None:
    answers: list[Any] = []
    async with connected(bench, transport, mode, Told()) as client:
        await names(client)

        async def wait() -> None:
            answers.append((await client.call_tool("slow", {"seconds": 3})).structured_content)

        async def seen() -> bool:
            return "bye" in await names(client)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            (bench.folder / "own.py").write_text(AFTER)
            await until(seen)
    assert answers == [{"result": "waited"}]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--transport", "http", "--workers", "2"], "several workers", id="workers"),
        pytest.param(["--transport", "http", "--host", "0.0.0.0"], "which others reach", id="address"),
        pytest.param(["--transport", "sse"], "the transport sse", id="sse"),
    ],
)
def test_what_people_rely_on_is_not_started_again_by_itself(bench: Bench, arguments: list[str], words: str) -> None:
    ran = bench.run("serve", "own.py", "--reload", *arguments)

    assert ran.returncode == 1
    assert words in ran.stderr
