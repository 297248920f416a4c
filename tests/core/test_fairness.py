"""What one caller can take of a server from the others: measured on a real one, from several addresses."""

import asyncio
import contextlib
import http.client
import json
import re
import resource
import socket
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import anyio.to_thread
import httpx2
import pytest
from tests.core.attack import AUTH, DESK, SICK, Attack, calls, token_of
from tests.core.live import Bench, begun, wait_for
from tests.core.raw_http import META, headers_of
from tests.core.seeds import install, pack_of

from packhorse.http import sessions
from packhorse.http.app import Service
from packhorse.testing import deployment_for

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8 without being asked"),
]

ANSWERED = {"answered": 100}


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    install(made.packs, "desk", DESK)
    install(made.packs, "sick", SICK)
    return made


@pytest.mark.drill
async def test_whatever_one_address_takes_the_others_are_served_and_so_is_who_signs_in_from_it(bench):
    bench.configure(AUTH)
    with bench.serving("desk", "sick") as served:
        attack = Attack(served.port)
        await attack.begin()
        handshakes = Counter(attack.outcomes["handshakes"])
        attacking = asyncio.create_task(attack.go_on())
        try:
            await anyio.to_thread.run_sync(
                wait_for, lambda: "unwell: sick" in httpx2.get(f"{served.address}/readyz").text, "the pack to be unwell"
            )
            elsewhere = await anyio.to_thread.run_sync(
                lambda: calls(served.port, "127.0.0.3", 250, token=token_of("ada"))
            )
            beside = await anyio.to_thread.run_sync(
                lambda: calls(served.port, attack.address, 250, token=token_of("ben"))
            )
            anonymous = await anyio.to_thread.run_sync(lambda: calls(served.port, "127.0.0.4", 100))
            ready = httpx2.get(f"{served.address}/readyz")
            metrics = httpx2.get(f"{served.address}/metrics").text
        finally:
            attacking.cancel()
            await attack.stop()

    assert elsewhere.outcomes == beside.outcomes == {"answered": 250}
    assert anonymous.outcomes == ANSWERED
    assert ready.status_code == 200
    assert 'packhorse_overdue_threads{pack="sick"} ' in metrics
    # Of those before the other connections of the attack: later ones may be closed unanswered for want of a place.
    assert handshakes.keys() == {200, 429}
    assert handshakes[429] >= 400
    assert set(attack.outcomes["bad tokens"]) <= {401, 429}


def sent(port: int, *pieces: bytes, address: str = "127.0.0.2") -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(address, 0))
    for piece in pieces:
        made.sendall(piece)
    return made


HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


UNFINISHED = {
    b"": ["408"],
    HEAD: ["408"],
    HEAD + b"Content-Length: 9\r\n\r\n{": ["408"],
    b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + HEAD: ["200", "408"],
    b"POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{": ["405"],
}
"""What a client sends of its request, and what it is answered before its connection is closed."""


def test_a_connection_that_does_not_say_what_it_wants_is_closed(bench):
    bench.configure(header_seconds=1, body_seconds=1)
    with bench.serving("desk") as served, contextlib.ExitStack() as stack:
        wires = {asked: stack.enter_context(sent(served.port, asked)) for asked in UNFINISHED}
        answers = {asked: b"".join(iter(partial(wire.recv, 65_536), b"")) for asked, wire in wires.items()}
        assert calls(served.port, "127.0.0.2", 1).outcomes == {"answered": 1}

    assert {asked: re.findall(r"HTTP/1.1 (\d+)", said.decode()) for asked, said in answers.items()} == UNFINISHED


async def test_a_session_in_which_nothing_is_asked_ends_and_one_that_is_used_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(sessions, "UNUSED_SECONDS", 2)

    def one() -> int:
        """One."""
        return 1

    service = Service(deployment_for(data_dir=tmp_path, seed=pack_of(tools=[one])))
    transport = httpx2.ASGITransport(service.app)
    async with begun(service), httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        unused, used = [await _opened(http) for _ in range(2)]
        listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        assert (await http.post("/mcp", json=listed, headers=used)).status_code == 200
        with anyio.fail_after(90):
            while True:
                await anyio.sleep(3)
                if (await http.post("/mcp", json=READY, headers=unused)).status_code == 404:  # which asks for nothing
                    break
        kept = (await http.post("/mcp", json=listed, headers=used)).status_code

    assert kept == 200


READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


async def _opened(http: httpx2.AsyncClient) -> dict[str, str]:
    """The headers of a session that was opened, and in which its client said that it is ready."""
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "one", "version": "1"}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    headers["Mcp-Session-Id"] = (await http.post("/mcp", json=opening, headers=headers)).headers["mcp-session-id"]
    await http.post("/mcp", json=READY, headers=headers)
    return headers


def test_one_caller_cannot_have_every_stream(bench):
    bench.configure(max_streams=4)
    listening = {"notifications": {"toolsListChanged": True}, "_meta": META}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": listening}).encode()
    headers = headers_of(None, "subscriptions/listen")

    def listen(address: str) -> tuple[int, http.client.HTTPConnection]:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60, source_address=(address, 0))
        connection.request("POST", "/mcp", body, headers)
        return connection.getresponse().status, connection

    with bench.serving("desk") as served:
        greedy = [listen("127.0.0.2") for _ in range(4)]
        other, connection = listen("127.0.0.3")
        for _, one in [*greedy, (other, connection)]:
            one.close()

    assert [status for status, _ in greedy] == [200, 200, 200, 429]
    assert other == 200


def test_a_question_of_a_page_that_may_not_call_opens_no_session(bench):
    with bench.serving("desk") as served:
        answer = httpx2.request("OPTIONS", served.url, headers={"Origin": "http://localhost:3000"})

    assert (answer.status_code, answer.headers["allow"]) == (405, "DELETE, GET, POST")
    assert "mcp-session-id" not in answer.headers


@pytest.fixture
def crowded(bench):
    bench.configure(max_connections=16, header_seconds=600)
    with bench.serving("desk") as served:
        yield served


def test_the_newest_connection_is_taken_and_the_oldest_that_waits_is_closed(crowded):
    with contextlib.ExitStack() as stack:
        waiting = [stack.enter_context(sent(crowded.port, HEAD)) for _ in range(40)]
        assert calls(crowded.port, "127.0.0.2", 3, each=1).outcomes == {"answered": 3}
        assert calls(crowded.port, "127.0.0.3", 3, each=1).outcomes == {"answered": 3}
        open_yet = [wire for wire in waiting if not _is_closed(wire)]

    assert len(open_yet) <= 9
    assert waiting[0] not in open_yet


def _is_closed(wire: socket.socket) -> bool:
    wire.setblocking(False)
    try:
        return wire.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


@pytest.mark.drill
def test_a_process_with_few_files_serves_on_and_says_so_once(bench):
    bench.configure(log_level="info")
    with bench.serving("desk") as served:
        resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE, (40, 40))
        before = served.log.stat().st_size
        with contextlib.ExitStack() as stack:
            for _ in range(80):
                stack.enter_context(sent(served.port))
            wait_for(lambda: "no file is left" in served.log.read_text(), "the one line")
            wait_for(lambda: calls(served.port, "127.0.0.3", 1).outcomes == {"answered": 1}, "an answer all the same")
        grown = served.log.stat().st_size - before

    assert grown < 10_000
    assert served.log.read_text().count("no file is left") <= 2


def ends_of(log: Path) -> list[tuple[str, str]]:
    """(tool, outcome) of every call that a log says has ended."""
    entries = [json.loads(line) for line in log.read_text().splitlines() if line.endswith("}")]
    return [(line["tool"], line["outcome"]) for line in entries if line["logger"] == "packhorse.calls"]


@pytest.mark.drill
async def test_a_whole_attack_on_a_process_of_128_files_grows_the_log_by_less_than_ten_kilobytes(bench):
    def begun() -> int:
        return (bench.packs / "begun").stat().st_size

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    bench.configure(AUTH, log_level="info")
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
    try:
        with bench.serving("desk", "sick") as served:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            before = served.log.stat().st_size
            attack = Attack(served.port)
            try:
                await attack.begin()
                others = await anyio.to_thread.run_sync(
                    lambda: calls(served.port, "127.0.0.3", 5, token=token_of("ada"))
                )
            finally:
                await attack.stop()
            served.stop()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    log = served.log.read_bytes()[before:]
    ends = ends_of(served.log)

    assert others.outcomes == {"answered": 5}
    assert ends.count(("quick", "ok")) == 5
    assert ends.count(("hang", "timeout")) + ends.count(("hang", "refused")) == 10
    assert ends.count(("slow", "cancelled")) == begun() > 0
    assert len(log) < 10_000
