"""A line that delays, cuts and resets connections: every reply is right, or an error, and the server is whole after."""

import asyncio
import os
import random

import anyio.to_thread
import httpx2
import pytest
from tests.core.live import Bench, troubles
from tests.core.replicas import asking
from tests.core.replicas.between import FATES, breaking
from tests.core.seeds import install

pytestmark = [pytest.mark.anyio, pytest.mark.drill]

CALLS = int(os.environ.get("PACKHORSE_BROKEN_CALLS", "150"))
AT_A_TIME = 8

SEED = '''
from packhorse import *

told = []


async def echo(text: str, ctx: Context) -> str:
    """Give back what was given, having said so on the way."""
    await ctx.report_progress(1, 2)
    return text


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def once(id: str) -> str:
    """Note an id."""
    told.append(id)
    return id


def all_told() -> list[str]:
    """Every id that was noted."""
    return told


@hookimpl
def register_tools():
    return [echo, add, once, all_told]
'''


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("broken"))
    install(made.packs, "seed", SEED)
    with made.serving("seed") as served:
        yield served


async def outcome(url: str, number: int) -> str:
    """One call over the broken line, and what became of it."""

    def call() -> str:
        tool = ("echo", "add", "once")[number % 3]
        text = f"{number}:" + "é👋" * (number % 200)
        arguments = {"echo": {"text": text}, "add": {"a": number, "b": 1}, "once": {"id": str(number)}}[tool]
        expected = {"echo": text, "add": number + 1, "once": str(number)}[tool]
        try:
            result = asking.call(url, tool, **arguments)
        except (httpx2.HTTPError, asking.RefusedError):
            return "error"
        assert result["structuredContent"] == {"result": expected}
        return "right"

    return await anyio.to_thread.run_sync(call)


@pytest.mark.parametrize("fates", [FATES, *((fate,) for fate in FATES)], ids=" or ".join)
async def test_every_reply_is_right_or_an_error(server, fates):
    chance = random.Random(f"{fates} 2026")
    calls = CALLS if fates is FATES else max(16, CALLS // 6)
    outcomes: list[str] = []
    async with breaking(server.port, chance, fates) as url:
        slots = asyncio.Semaphore(AT_A_TIME)

        async def one(number: int) -> None:
            async with slots:
                outcomes.append(await outcome(url, number))

        await asyncio.gather(*(one(number) for number in range(calls)))
    broken = outcomes.count("error")
    assert len(outcomes) == calls
    assert (broken == 0) if set(fates) <= {"pass", "delay"} else broken > 0
    told = asking.call(server.url, "all_told")["structuredContent"]["result"]
    assert len(told) <= sum(number % 3 == 2 for number in range(CALLS)) * (len(FATES) + 1)
    assert httpx2.get(f"{server.address}/readyz").status_code == 200
    assert troubles(server.log.read_text()) == []
