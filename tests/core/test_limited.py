"""A pack's limit by address, over a socket: what counts, who counts, and what the deployer may change."""

from typing import Any

import httpx2
import pytest
from pydantic import BaseModel
from tests.core.live import Bench, Served
from tests.core.raw_http import META, headers_of
from tests.core.seeds import install, pack_of

from packhorse.compose.deployment import compose
from packhorse.contract.packs import Pack
from packhorse.door.catalogue import Found
from packhorse.errors import PackError
from packhorse.settings import PackTable, ServerSettings, Settings

SEED = '''
from packhorse import *

pack = Pack(title="Seed", limit_by_address="{limit}")


def echo(text: str) -> str:
    """Give back the words that were given, unchanged."""
    return text


async def shout(text: str) -> str:
    """Give back the words that were given, in capitals."""
    return text.upper()


@hookimpl
def register_tools():
    return [echo, shout]
'''


LIMITS = {"once": "1/hour", "opened": "1/hour", "told": "1/hour", "fewer": "3/hour", "all": "3/hour"}
CHANGED = {"fewer": "2/hour", "all": "none"}


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A server of a pack for each test: their tools are called by the pack's name, and each has a count of its own."""
    made = Bench(tmp_path_factory.mktemp("limited"))
    for name, limit in LIMITS.items():
        install(made.packs, name, SEED.format(limit=limit))
    install(made.packs, "free", SEED.replace(', limit_by_address="{limit}"', ""))
    tables = [f'[packs.{name}]\nprefix = "{name}_"' for name in (*LIMITS, "free")]
    for name, limit in CHANGED.items():
        tables[[*LIMITS].index(name)] += f'\nlimit_by_address = "{limit}"'
    made.configure("\n".join(tables))
    with made.serving(*LIMITS, "free") as serving:
        yield serving


def ask(client: httpx2.Client, served: Served, method: str, **params: Any) -> httpx2.Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
    return client.post(served.url, headers=headers_of(params.get("name"), method), json=message)


def call(client: httpx2.Client, served: Served, tool: str = "echo") -> httpx2.Response:
    return ask(client, served, "tools/call", name=tool, arguments={"text": "hello"})


def test_calls_of_clients_with_a_handshake_count_too_and_their_handshakes_do_not(served):
    headers = {"Accept": "application/json, text/event-stream"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}

    with httpx2.Client() as client:

        def post(**message: Any) -> httpx2.Response:
            return client.post(served.url, headers=headers, json={"jsonrpc": "2.0", **message})

        opened = post(id=0, method="initialize", params=hello)
        headers["mcp-session-id"] = opened.headers["mcp-session-id"]
        post(method="notifications/initialized")
        echo = {"name": "opened_echo", "arguments": {"text": "once"}}
        first = post(id=1, method="tools/call", params=echo)
        second = post(id=2, method="tools/call", params=echo)

    assert "once" in first.text
    assert (second.status_code, second.json()["id"]) == (429, 2)


@pytest.mark.parametrize(("pack", "answered"), [("fewer", 2), ("all", 4), ("once", 1), ("free", 4)])
def test_each_pack_counts_apart_and_the_deployer_decides_how_many_calls_are_answered(served, pack, answered):
    with httpx2.Client() as client:
        assert [call(client, served, f"{pack}_echo").status_code for _ in range(4)].count(200) == answered


def test_a_client_that_tells_another_address_is_counted_as_itself(served):
    with httpx2.Client(headers={"X-Forwarded-For": "203.0.113.9"}) as client:
        assert call(client, served, "told_echo").status_code == 200
        client.headers["X-Forwarded-For"] = "203.0.113.10"
        assert call(client, served, "told_echo").status_code == 429


def test_a_trusted_proxy_speaks_for_its_clients(bench):
    install(bench.packs, "seed", SEED.format(limit="1/hour"))
    bench.configure(trusted_proxies=["127.0.0.1"])
    with bench.serving("seed") as served, httpx2.Client(headers={"X-Forwarded-For": "203.0.113.9"}) as client:
        assert call(client, served).status_code == 200
        assert call(client, served).status_code == 429
        client.headers["X-Forwarded-For"] = "203.0.113.10"
        assert call(client, served).status_code == 200


def echo(text: str) -> str:
    """Give back the words that were given, unchanged."""
    return text


@pytest.mark.parametrize("text", ["lots", "100/month", "0/hour", ""])
def test_a_limit_that_cannot_be_read_stops_the_start_by_name(tmp_path, text):
    module = pack_of(tools=[echo], pack=Pack(title="Seed"))
    settings = Settings(server=ServerSettings(data_dir=tmp_path), packs={"seed": PackTable(limit_by_address=text)})
    with pytest.raises(PackError, match="pack 'seed'"):
        compose(settings, [Found("seed", "seed", "under-test", "0")], modules={"seed": module})


def test_a_pack_whose_settings_take_a_name_of_the_hosts_is_not_served(tmp_path):
    class Taken(BaseModel):
        limit_by_address: int = 1

    module = pack_of(tools=[echo], pack=Pack(title="Seed", settings=Taken))
    del module.register_auth  # a broken pack that may guard the others stops the start instead
    settings = Settings(server=ServerSettings(data_dir=tmp_path))
    catalogue = compose(settings, [Found("seed", "seed", "under-test", "0")], modules={"seed": module}).catalogue

    assert [(one.found.name, "'limit_by_address'" in one.reason) for one in catalogue.broken] == [("seed", True)]


@pytest.mark.parametrize(
    ("server", "says"),
    [
        pytest.param({"limits": "redis://127.0.0.1:1/0"}, "Redis does not answer", id="a Redis that is not there"),
        pytest.param({"limits": "elsewhere"}, "the address of Redis must be like", id="no address"),
        pytest.param({"trusted_proxies": ["banana"]}, "trusted proxy 'banana'", id="no proxy"),
    ],
)
def test_what_would_not_count_as_written_stops_the_start_in_one_line_and_is_found_before(run, bench, server, says):
    pytest.importorskip("redis", reason="counting in Redis is an extra")
    install(bench.packs, "seed", SEED.format(limit="1/hour"))
    bench.configure(transport="http", **server)
    served, checked = run(bench, "serve", "seed", "--port", "0"), run(bench, "check")

    assert served.returncode == 1
    assert says in served.stderr
    assert "Traceback" not in served.stderr
    assert says in checked.stdout
    assert checked.returncode == 1
