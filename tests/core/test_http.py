"""A server over HTTP: both protocol eras on one endpoint, who may call, what is resumed, and how it stops."""

import json
import re
import signal
import socket
import sys
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import mcp_types as wire
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ToolsListChanged
from tests.core.live import Bench, begun, troubles, wait_for
from tests.core.raw_http import META, headers_of
from tests.core.seeds import install, pack_of
from tests.core.served_pack import GUARDED, SEED

from packhorse import PackError
from packhorse.http.app import AnsweredOnce, Service, uvicorn_config
from packhorse.http.gate import check_bind, is_loopback, security_of
from packhorse.settings import ServerSettings
from packhorse.testing import Protocol, deployment_for

pytestmark = [pytest.mark.anyio, pytest.mark.wire]


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    install(made.packs, "seed", SEED)
    return made


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("open"))
    install(made.packs, "seed", SEED)
    made.configure(paths=["/mcp", "/api/mcp"])
    with made.serving("seed") as served:
        yield served


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("guarded"))
    made.configure('[auth]\nfailures_by_address = "none"')
    install(made.packs, "seed", SEED + GUARDED)
    with made.serving("seed") as served:
        yield served


@asynccontextmanager
async def client_at(url: str, protocol: Protocol, *, token: str | None = None, **options: Any) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    mode = protocol if protocol == "2026-07-28" else "legacy"
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode, **options) as client,
    ):
        yield client


# --- one endpoint, both eras ---


@pytest.mark.parametrize("path", ["/mcp", "/api/mcp"])
async def test_every_path_serves_both_eras(server, protocol, path):
    async with client_at(f"{server.address}{path}", protocol) as client:
        assert client.protocol_version == protocol
        reply = await client.call_tool("echo", {"text": "Muñoz"})
        names = [tool.name for tool in (await client.list_tools()).tools]

    assert reply.structured_content == {"result": "Muñoz"}
    assert names[:2] == ["echo", "long"]


async def test_a_client_that_does_not_say_its_era_gets_the_newest(server):
    async with Client(server.url, mode="auto") as client:
        assert client.protocol_version == "2026-07-28"


async def test_progress_and_log_lines_travel_with_the_call(server, protocol):
    steps: list[float] = []
    lines: list[Any] = []

    async def step(done: float, total: float | None, message: str | None) -> None:
        steps.append(done)

    async def line(params: wire.LoggingMessageNotificationParams) -> None:
        lines.append(params.data)

    async with client_at(server.url, protocol, logging_callback=line, log_level="info") as client:
        reply = await client.call_tool("walk", progress_callback=step)

    assert reply.structured_content == {"result": "there"}
    assert steps == [1, 2]
    assert lines == ["step 1", "step 2"]


@pytest.mark.parametrize(("tool", "said"), [("greet", "Hello Ada"), ("rounds", "Good day Ada")])
async def test_questions_travel_within_the_call(server, protocol, tool, said):
    async def answer(ctx: Any, params: Any) -> wire.ElicitResult:
        return wire.ElicitResult(action="accept", content={"name": "Ada"})

    async with client_at(server.url, protocol, elicitation_callback=answer) as client:
        reply = await client.call_tool(tool)

    assert reply.content[0].text == said


async def test_a_call_that_ends_early_is_not_the_end_of_the_server(server, protocol):
    async with client_at(server.url, protocol) as client:
        with anyio.move_on_after(0.3):
            await client.call_tool("sleep", {"seconds": 60})
        reply = await client.call_tool("echo", {"text": "on"})

    assert reply.structured_content == {"result": "on"}


# --- changes ---


async def test_an_older_client_is_told_of_changes_on_its_own_stream(server):
    told = anyio.Event()

    async def hear(message: Any) -> None:
        if message.method == "notifications/tools/list_changed":
            told.set()

    async with client_at(server.url, "2025-11-25", message_handler=hear) as client:
        with anyio.fail_after(90):
            while not told.is_set():  # its stream opens in the client's own time
                await client.call_tool("change")


async def test_a_newer_client_is_told_of_changes_where_it_listens(server):
    async with client_at(server.url, "2026-07-28") as client, client.listen(tools_list_changed=True) as stream:
        await client.call_tool("change")
        with anyio.fail_after(90):
            assert await anext(stream) == ToolsListChanged()


# --- sessions and resumption ---


async def test_a_client_whose_stream_was_dropped_resumes_and_gets_its_answer(server):
    lines: list[Any] = []

    async def line(params: wire.LoggingMessageNotificationParams) -> None:
        lines.append(params.data)

    async with client_at(server.url, "2025-11-25", logging_callback=line) as client:
        with anyio.fail_after(90):
            reply = await client.call_tool("reconnect")

    assert reply.structured_content == {"result": "resumed"}
    assert lines == ["before", "between"]


async def test_dropping_the_stream_does_nothing_where_there_is_none_to_resume(server):
    async with client_at(server.url, "2026-07-28") as client:
        reply = await client.call_tool("reconnect")

    assert reply.structured_content == {"result": "resumed"}


INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class Session:
    """A handshake-era session, spoken by hand."""

    def __init__(self, http: httpx2.Client, url: str, token: str | None = None) -> None:
        self._http = http
        self._url = url
        self.headers = {**ACCEPT, "MCP-Protocol-Version": "2025-11-25"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        first = self.post({"id": 1, "method": "initialize", "params": INITIALIZE})
        assert first.status_code == 200, first.text
        self.headers["Mcp-Session-Id"] = first.headers["mcp-session-id"]
        assert self.post({"method": "notifications/initialized"}).status_code == 202

    def post(self, message: dict[str, Any], **changed: str) -> httpx2.Response:
        return self._http.post(self._url, json={"jsonrpc": "2.0", **message}, headers={**self.headers, **changed})

    def call(self, tool: str, number: int, **changed: str) -> httpx2.Response:
        params = {"name": tool, "arguments": {"text": "x"} if tool == "echo" else {}}
        return self.post({"id": number, "method": "tools/call", "params": params}, **changed)

    def resume(self, event: str) -> str | None:
        """The first message replayed after ``event``; None when the stream ends without any."""
        headers = {**self.headers, "Last-Event-ID": event}
        with self._http.stream("GET", self._url, headers=headers) as stream:
            assert stream.status_code == 200
            return next((line for line in stream.iter_lines() if line.startswith("data: {")), None)


def events_of(response: httpx2.Response) -> list[str]:
    return re.findall(r"^id: (\S+)", response.text, re.M)


def test_no_session_may_resume_what_another_was_told(server):
    with httpx2.Client() as http:
        mine, other = Session(http, server.url), Session(http, server.url)
        events = events_of(mine.call("who", 2))
        other.call("echo", 2)

        assert len(events) == 2  # one primes the stream, one is the answer
        replayed = mine.resume(events[0])
        assert replayed is not None
        assert "anonymous" in replayed
        assert other.resume(events[0]) is None


def test_sessions_are_counted_and_those_in_which_nothing_was_asked_go_first(bench):
    bench.configure(max_sessions=2)
    with bench.serving("seed") as served, httpx2.Client() as http:
        gone = Session(http, served.url)
        first, second = Session(http, served.url), Session(http, served.url)
        assert gone.call("who", 2).status_code == 404
        assert [session.call("who", 2).status_code for session in (first, second)] == [200, 200]
        refused = http.post(
            served.url, json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}, headers=ACCEPT
        )
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
        assert "2 of them are yours" in refused.json()["error"]["message"]
        http.delete(served.url, headers=first.headers)
        Session(http, served.url)


# --- health and limits ---


def test_a_supervisor_can_see_that_it_lives_and_is_ready(server):
    for path in ("/healthz", "/readyz"):
        assert httpx2.get(f"{server.address}{path}").status_code == 200
        assert httpx2.post(f"{server.address}{path}").status_code == 405


async def test_nothing_follows_a_whole_answer():
    # Found by the soak: a second answer made uvicorn close the connection, and the next call on it was lost.
    async def answers_twice(scope: Any, receive: Any, send: Any) -> None:
        for status in (202, 500):
            await send({"type": "http.response.start", "status": status, "headers": []})
            await send({"type": "http.response.body", "body": b"x", "more_body": True})
            await send({"type": "http.response.body", "body": b"y"})
        raise anyio.ClosedResourceError

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await AnsweredOnce(answers_twice)({"type": "http"}, None, send)  # nothing is received
    assert [message.get("status", message.get("body")) for message in sent] == [202, b"x", b"y"]


def test_an_idle_connection_is_kept_longer_than_balancers_keep_theirs(tmp_path):
    # nginx and AWS's balancers: 60 s. Who closes first may close on a request that is on its way.
    deployment = deployment_for(data_dir=tmp_path, seed=pack_of())
    assert uvicorn_config(Service(deployment), deployment.settings.server).timeout_keep_alive > 60


async def test_a_server_that_is_stopping_is_alive_and_not_ready(tmp_path):
    service = Service(deployment_for(data_dir=tmp_path, seed=pack_of()))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(service.app), base_url="http://127.0.0.1") as http:

        async def look() -> list[int]:
            return [(await http.get(path)).status_code for path in ("/healthz", "/readyz")]

        assert await look() == [200, 503]
        async with begun(service):
            assert await look() == [200, 200]
            service.drain()
            assert await look() == [200, 503]


# --- who is calling ---


async def test_without_verifiers_a_token_changes_nothing(server, protocol):
    async with client_at(server.url, protocol, token="whatever") as client:
        reply = await client.call_tool("who")

    assert reply.structured_content == {"result": "anonymous None"}


@pytest.mark.parametrize(
    ("token", "caller"),
    [pytest.param(None, "anonymous None", id="no token"), pytest.param("good-ada", "human ada", id="a good token")],
)
async def test_a_token_says_who_is_calling(guarded, protocol, token, caller):
    async with client_at(guarded.url, protocol, token=token) as client:
        reply = await client.call_tool("who")

    assert reply.structured_content == {"result": caller}


@pytest.mark.parametrize(
    "credential",
    [
        pytest.param("Bearer wrong", id="an unknown token"),
        pytest.param("Bearer stale", id="an expired token"),
        pytest.param("Bearer", id="no token after all"),
        pytest.param("Basic Z29vZC1hZGE=", id="another scheme"),
        pytest.param("good-ada", id="no scheme"),
        pytest.param("", id="nothing"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_credential_that_does_not_hold_is_a_401(guarded, protocol, method, credential):
    newest = protocol == "2026-07-28"
    params = {"_meta": META} if newest else INITIALIZE
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list" if newest else "initialize", "params": params}
    headers = {**(headers_of(None, "tools/list") if newest else ACCEPT), "Authorization": credential}
    content = json.dumps(message) if method == "POST" else None
    refused = httpx2.request(method, guarded.url, content=content, headers=headers)

    assert refused.status_code == 401
    challenge = refused.headers["www-authenticate"]
    assert challenge.startswith("Bearer resource_metadata=")
    assert 'error="invalid_token"' in challenge
    assert refused.json()["error"]["code"] == -32000
    if "stale" in credential:
        assert refused.json()["error"]["message"] == "This token has expired; ask for another."


@pytest.mark.parametrize(
    "token", [pytest.param("good-bo", id="of another caller"), pytest.param(None, id="without a token")]
)
def test_a_session_serves_only_the_caller_who_opened_it(guarded, token):
    with httpx2.Client() as http:
        session = Session(http, guarded.url, token="good-ada")
        assert "human ada" in session.call("who", 2).text
        if token:
            session.headers["Authorization"] = f"Bearer {token}"
        else:
            del session.headers["Authorization"]

        assert session.call("who", 3).status_code == 404
        assert http.get(guarded.url, headers=session.headers).status_code == 404
        assert http.delete(guarded.url, headers=session.headers).status_code == 404
        session.headers["Authorization"] = "Bearer good-ada"
        assert session.call("who", 4).status_code == 200


# --- where it listens ---


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        pytest.param("127.0.0.1", True, id="127.0.0.1"),
        pytest.param("127.8.8.8", True, id="the rest of its network"),
        pytest.param("::1", True, id="::1"),
        pytest.param("[::1]", True, id="[::1]"),
        pytest.param("localhost", True, id="localhost"),
        pytest.param("0.0.0.0", False, id="every address"),
        pytest.param("::", False, id="every address of version 6"),
        pytest.param("10.0.0.1", False, id="a private network"),
        pytest.param("example.org", False, id="a name"),
        pytest.param("localhost.example.org", False, id="a name that begins like one"),
        pytest.param("", False, id="nothing, which is every address"),
    ],
)
def test_listening_beyond_this_machine_must_be_meant(host, loopback):
    assert is_loopback(host) is loopback
    plain = ServerSettings(host=host)
    check_bind(plain, authenticated=True)
    check_bind(plain.model_copy(update={"allow_anonymous": True}), authenticated=False)
    if loopback:
        check_bind(plain, authenticated=False)
        return
    with pytest.raises(PackError) as caught:
        check_bind(plain, authenticated=False)
    for cure in ("127.0.0.1", "[auth]", "allow_anonymous = true"):
        assert cure in str(caught.value)


@pytest.mark.parametrize("transport", ["http", "sse"])
def test_the_command_refuses_to_listen_beyond_this_machine(run, bench, transport):
    ran = run(bench, "serve", "seed", "--transport", transport, "--host", "0.0.0.0", "--port", "0")

    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert line.startswith("Error: ")
    assert "allow_anonymous = true" in line


@pytest.mark.parametrize(
    ("host", "accepted"),
    [
        pytest.param("127.0.0.1", {"127.0.0.1:1", "localhost:1", "[::1]:1", "localhost"}, id="loopback"),
        pytest.param("0.0.0.0", {"127.0.0.1:1", "localhost:1", "[::1]:1", "localhost"}, id="every address"),
        pytest.param("::", {"127.0.0.1:1", "localhost:1", "[::1]:1", "localhost"}, id="every address of version 6"),
        pytest.param(
            "10.0.0.1", {"10.0.0.1:1", "127.0.0.1:1", "localhost:1", "[::1]:1", "localhost"}, id="one address"
        ),
        pytest.param("fd00::1", {"[fd00::1]:1", "127.0.0.1:1", "localhost:1", "[::1]:1", "localhost"}, id="version 6"),
    ],
)
async def test_every_bind_address_has_its_own_list_of_hosts(tmp_path, host, accepted):
    settings = ServerSettings(host=host, allow_anonymous=True, allowed_hosts=("mcp.example",))
    service = Service(deployment_for(data_dir=tmp_path, server=settings, seed=pack_of()))
    assert security_of(settings).enable_dns_rebinding_protection
    candidates = {
        *("127.0.0.1:1", "localhost:1", "[::1]:1", "10.0.0.1:1", "[fd00::1]:1", "0.0.0.0:1", "[::]:1"),
        *("evil.example", "localhost", "mcp.example"),
    }
    async with (
        begun(service),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(service.app), base_url="http://127.0.0.1") as http,
    ):
        statuses = {
            name: (await http.post("/mcp", content="{}", headers={**ACCEPT, "Host": name})).status_code
            for name in candidates
        }

    assert {name for name, status in statuses.items() if status != 421} == {*accepted, "mcp.example"}


def test_a_port_that_is_taken_is_said_in_one_line_of_ours(bench):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = bench.run("serve", "seed", "--transport", "http", "--port", str(port))

    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert f"cannot listen on 127.0.0.1:{port}" in ran.stderr.splitlines()[-1]
    assert "--port" in ran.stderr.splitlines()[-1]


# --- stopping ---


@pytest.mark.parametrize(
    ("configured", "seconds", "ended"),
    [
        pytest.param({}, 1, "waited", id="in its own time"),
        pytest.param({"shutdown_seconds": 1}, 600, "STOPPING", id="given up in words where it takes too long"),
    ],
)
async def test_a_call_under_way_is_answered_before_the_server_ends(bench, configured, seconds, ended):
    bench.configure(**configured)
    replies: list[wire.CallToolResult] = []
    with bench.serving("seed") as served:
        async with client_at(served.url, "2025-11-25") as older, client_at(served.url, "2026-07-28") as newer:
            for client in (older, newer):  # so that it asks for nothing more once it has its answer
                await client.list_tools()

            async def call(client: Client, tool: str) -> None:
                replies.append(await client.call_tool(tool, {"seconds": seconds}))

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call, older, "wait")  # in a thread
                tasks.start_soon(call, newer, "sleep")  # on the loop
                await anyio.to_thread.run_sync(
                    wait_for, lambda: served.log.read_text().count("waiting") == 2, "both calls to be under way"
                )
                served.tell(signal.SIGTERM)
        status = await anyio.to_thread.run_sync(served.process.wait, 90)
        log = served.log.read_text()

    for reply in replies:
        said = (reply.meta or {})["packhorse/error"]["code"] if reply.is_error else reply.structured_content["result"]
        assert said == ended
    assert (len(replies), status) == (2, 0)
    assert "the pack has stopped" in log
    assert not troubles(log)


async def test_those_who_only_listen_do_not_keep_a_server_from_stopping(bench):
    bench.configure(shutdown_seconds=600)
    told = anyio.Event()

    async def hear(message: Any) -> None:
        told.set()

    with bench.serving("seed") as served:
        async with (
            client_at(served.url, "2025-11-25", message_handler=hear) as older,
            client_at(served.url, "2026-07-28") as newer,
            newer.listen(tools_list_changed=True) as stream,
        ):
            with anyio.fail_after(90):
                while not told.is_set():  # until the older client's stream is open as well
                    await older.call_tool("change")
                served.tell(signal.SIGTERM)
                heard = [event async for event in stream]  # it ends in good order
            status = await anyio.to_thread.run_sync(served.process.wait, 90)

    assert heard == [ToolsListChanged()]
    assert status == 0


def test_a_stop_from_the_keyboard_says_so(bench):
    with bench.serving("seed") as served:
        status = served.stop(signal.SIGINT)
        log = served.log.read_text()

    assert status == 130
    assert log.splitlines()[-1] == "Stopped."
    assert "the pack has stopped" in log
    assert not troubles(log)


async def test_told_twice_it_stops_at_once(bench):
    bench.configure(shutdown_seconds=600)
    with bench.serving("seed") as served:
        async with client_at(served.url, "2026-07-28") as client:

            async def call() -> None:
                with pytest.raises((MCPError, httpx2.HTTPError)):
                    await client.call_tool("wait", {"seconds": 600})

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call)
                await anyio.to_thread.run_sync(served.wait_for_log, "waiting")
                served.tell(signal.SIGTERM)
                await anyio.to_thread.run_sync(served.wait_for_log, "Shutting down")
                served.tell(signal.SIGTERM)
                status = await anyio.to_thread.run_sync(served.process.wait, 90)

    assert status == 0


def test_a_pack_that_cannot_start_is_named_in_one_line(bench):
    source = textwrap.dedent(SEED).replace(
        "pack = Pack(", "def begin(host):\n    raise OSError('no disk')\n\n\npack = Pack(start=begin, "
    )
    install(bench.packs, "lame", source)
    ran = bench.run("serve", "lame", "--transport", "http", "--port", "0")

    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith("Error: ")
    assert "lame" in ran.stderr.splitlines()[-1]
    assert "no disk" in ran.stderr


async def test_without_the_library_metrics_say_how_to_have_them(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    service = Service(deployment_for(data_dir=tmp_path, server=ServerSettings(transport="http"), seed=pack_of()))
    transport = httpx2.ASGITransport(service.app)
    async with begun(service), httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        answer = await http.get("/metrics")

    assert answer.status_code == 404
    assert answer.text.startswith("Metrics are off. Install packhorse[metrics]: pip install 'prometheus-client")


@pytest.mark.parametrize("server", [{"metrics": False}, {"trusted_proxies": ("192.0.2.1",)}], ids=["off", "published"])
async def test_metrics_that_are_not_for_callers_are_a_path_like_any_other(tmp_path, server):
    service = Service(
        deployment_for(data_dir=tmp_path, server=ServerSettings(transport="http", **server), seed=pack_of())
    )
    transport = httpx2.ASGITransport(service.app)
    async with begun(service), httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        assert (await http.get("/metrics")).text == (await http.get("/elsewhere")).text == "Not Found"
