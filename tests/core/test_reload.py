"""``packhorse serve --reload``: an edit reaches the client that is connected, in both eras, over both transports."""

import os
import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from tests.core.live import STOP_SECONDS, Bench

pytestmark = pytest.mark.anyio

BEFORE = '''
from pathlib import Path


def hello(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}"


def slow(pipe: str) -> str:
    """Wait for a word."""
    return Path(pipe).read_text()
'''
AFTER = BEFORE.replace("Hello", "Good day") + '\n\ndef bye() -> str:\n    """Take leave."""\n    return "Bye"\n'
ERAS = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    made.packs.mkdir()
    (tmp_path / "own.py").write_text(BEFORE)
    return made


class Log:
    """Standard error of a server, through a pipe."""

    def __init__(self) -> None:
        self._reads, self.writes = os.pipe()
        self.text = ""

    async def says(self, *words: str) -> None:
        """Return once it has said all of it."""
        with anyio.fail_after(STOP_SECONDS):
            while not all(word in self.text for word in words):
                await anyio.wait_readable(self._reads)
                self.text += os.read(self._reads, 65536).decode()

    def close(self) -> None:
        os.close(self._reads)
        os.close(self.writes)


class Notices:
    """What a client is notified of."""

    def __init__(self) -> None:
        self.tools_changed = anyio.Event()

    async def __call__(self, message: Any) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self.tools_changed.set()


@asynccontextmanager
async def connected(
    bench: Bench, transport: str, mode: str, notices: Notices | None = None
) -> AsyncIterator[tuple[Client, Log]]:
    with closing(Log()) as log:
        if transport == "stdio":
            command, *arguments = bench.command("serve", "own.py", "--reload")
            server: Any = StdioServerParameters(
                command=command, args=arguments, env=bench.environment(), cwd=bench.folder
            )
            with os.fdopen(os.dup(log.writes), "w") as errors:
                async with Client(stdio_client(server, errlog=errors), mode=mode, message_handler=notices) as client:
                    yield client, log
            return
        over_http = ("--transport", "http", "--port", "0")
        with bench.started(
            "serve", "own.py", "--reload", *over_http, stdout=subprocess.DEVNULL, stderr=log.writes
        ) as process:
            await log.says("listening on http://", "\n")
            (port,) = re.findall(r"listening on http://[^:]+:(\d+)", log.text)
            async with Client(f"http://127.0.0.1:{port}/mcp", mode=mode, message_handler=notices) as client:
                yield client, log
            process.terminate()


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


@pytest.mark.wire
@ERAS
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_connected_client_sees_an_edit(bench, transport, mode):
    notices = Notices()
    async with connected(bench, transport, mode, notices) as (client, log):
        assert await names(client) == ["hello", "slow"]
        (bench.folder / "own.py").write_text(AFTER)
        await log.says("the edit is served")
        assert await names(client) == ["hello", "slow", "bye"]
        assert (await client.call_tool("hello", {"name": "Ada"})).structured_content == {"result": "Good day, Ada"}
        assert (await client.call_tool("bye", {})).structured_content == {"result": "Bye"}
        if mode == "legacy":
            with anyio.fail_after(STOP_SECONDS):
                await notices.tools_changed.wait()


async def test_a_stream_of_changes_goes_on_over_a_new_server(bench):
    async with (
        connected(bench, "stdio", "2026-07-28") as (client, _),
        client.listen(tools_list_changed=True) as changes,
    ):
        for text in (AFTER, BEFORE):
            (bench.folder / "own.py").write_text(text)
            with anyio.fail_after(STOP_SECONDS):
                assert type(await anext(aiter(changes))).__name__ == "ToolsListChanged"
            assert ("bye" in await names(client)) is (text == AFTER)


EACH = pytest.mark.parametrize(("transport", "mode"), [("stdio", "legacy"), ("http", "2026-07-28")])


@EACH
async def test_an_edit_that_cannot_be_served_leaves_the_server_from_before(bench, transport, mode):
    async with connected(bench, transport, mode) as (client, log):
        assert await names(client) == ["hello", "slow"]
        for broken, *words in (
            ("def hello(:", "own.py, line 1: invalid syntax", "The server from before this edit goes on"),
            ("def hello() -> str:\n    return ''", "hello has no docstring", "from before it goes on"),
        ):
            (bench.folder / "own.py").write_text(broken)
            await log.says(*words)
        assert (await client.call_tool("hello", {"name": "Ada"})).structured_content == {"result": "Hello, Ada"}


@EACH
async def test_a_call_that_was_running_is_answered(bench, transport, mode):
    pipe = bench.folder / "pipe"
    os.mkfifo(pipe)
    answers: list[Any] = []
    async with connected(bench, transport, mode) as (client, log):

        async def call() -> None:
            answers.append((await client.call_tool("slow", {"pipe": str(pipe)})).structured_content)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            with anyio.fail_after(STOP_SECONDS):  # it opens when the call runs, and reads from it
                word = await anyio.to_thread.run_sync(pipe.open, "w", abandon_on_cancel=True)
            with word:
                log.text = ""
                (bench.folder / "own.py").write_text(AFTER)
                await log.says("the edit is served" if transport == "stdio" else "worker process")
                word.write("waited")
        await log.says("the edit is served")
        assert "bye" in await names(client)
    assert answers == [{"result": "waited"}]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--transport", "http", "--workers", "2"], "several workers", id="workers"),
        pytest.param(["--transport", "http", "--host", "0.0.0.0"], "which others reach", id="address"),
        pytest.param(["--transport", "sse"], "the transport sse", id="sse"),
    ],
)
def test_what_people_rely_on_is_not_started_again_by_itself(bench, arguments, words):
    ran = bench.run("serve", "own.py", "--reload", *arguments)

    assert ran.returncode == 1
    assert words in ran.stderr
