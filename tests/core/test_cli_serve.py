"""``packhorse serve``: what it serves, by which choices, and what it writes in its log."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from tests.core.live import Bench
from tests.core.seeds import install

pytestmark = pytest.mark.anyio

SEED = '''
import logging

from packhorse import *


def {name}() -> str:
    """Say the name of this tool, and log a line about it."""
    logging.getLogger("seeded").info("a line of the pack")
    return "{name}"


@hookimpl
def register_tools():
    return [{name}]
'''


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    for name in ("one", "two", "three"):
        install(made.packs, name, SEED.format(name=name))
    return made


@asynccontextmanager
async def client_of(bench: Bench, *arguments: str, env: dict[str, str] | None = None) -> AsyncIterator[Client]:
    executable, *rest = bench.command("serve", *arguments)
    server = StdioServerParameters(command=executable, args=rest, env=bench.environment(**(env or {})))
    with bench.log.open("w") as log:
        async with Client(stdio_client(server, errlog=log), mode="legacy") as client:
            yield client


@pytest.mark.parametrize(
    ("configured", "arguments", "served"),
    [
        pytest.param(["two", "one"], [], ["two", "one"], id="of the configuration, in the deployer's order"),
        pytest.param(["one"], ["three", "two", "three"], ["three", "two"], id="of the command line instead, each once"),
    ],
)
async def test_it_serves_the_packs_that_were_asked_for(bench, configured, arguments, served):
    bench.configure(packs=configured)
    async with client_of(bench, *arguments) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == served


async def test_the_environment_and_the_command_line_win_over_the_file(bench):
    bench.configure(packs=["one"], name="of the file", transport="http", log_level="error")
    env = {"PACKHORSE_SERVER_NAME": "of the environment", "PACKHORSE_SERVER_LOG_LEVEL": "info"}
    async with client_of(bench, "--transport", "stdio", env=env) as client:
        assert client.server_info is not None
        assert client.server_info.name == "of the environment"
        await client.call_tool("one")

    assert '"level":"info","logger":"seeded","message":"a line of the pack"' in bench.log.read_text()


async def test_lines_below_the_level_that_was_chosen_are_not_in_the_log(bench):
    bench.configure(packs=["one"], log_level="warning")
    async with client_of(bench) as client:
        await client.call_tool("one")

    assert "a line of the pack" not in bench.log.read_text()


@pytest.mark.parametrize("strict", [False, True])
def test_a_broken_pack_stops_a_strict_deployment_alone(bench, strict):
    install(bench.packs, "lame", "raise ImportError('no such module')")
    bench.configure(packs=["one", "lame"], strict=strict)
    ran = bench.run("serve")

    assert ran.returncode == int(strict)
    assert "no such module" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_an_offer_that_cannot_be_put_on_the_wire_stop_the_start(bench, transport):
    offer = "Resource(uri='a://{b c}', fn=lambda: 1)"
    install(bench.packs, "lame", f"from packhorse import *\n@hookimpl\ndef register_resources():\n    return [{offer}]")
    ran = bench.run("serve", "lame", "--transport", transport, "--port", "0")

    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert "lame" in ran.stderr.splitlines()[-1]


@pytest.mark.parametrize("form", ["json", "text"])
async def test_a_line_of_a_pack_about_a_call_carries_the_calls_id(bench, form):
    bench.configure(packs=["one"], log_format=form)
    async with client_of(bench) as client:
        await client.call_tool("one")

    (line,) = [line for line in bench.log.read_text().splitlines() if "a line of the pack" in line]
    found = json.loads(line)["request_id"] if form == "json" else line.rpartition("[request ")[2].rstrip("]")
    assert len(bytes.fromhex(found)) == 8
