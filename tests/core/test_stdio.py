"""A server over standard input and output: what it reads, what it says, and how it ends."""

import json
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from tests.core.live import STOP_SECONDS, Bench, troubles, wait_for
from tests.core.seeds import install
from tests.core.served_pack import SEED

pytestmark = [pytest.mark.anyio, pytest.mark.wire]

LIMIT = 2048

NOISY = '''
import os
import subprocess
import sys

from packhorse import *


def make_noise(where):
    print(f"noise of print {where}", flush=True)
    sys.stdout.write(f"noise without an end {where}")
    os.write(1, f"noise of the descriptor {where}\\n".encode())
    subprocess.run([sys.executable, "-c", f"print('noise of a child {where}')"], check=True)
    heard = subprocess.run([sys.executable, "-c", "import sys; print(len(sys.stdin.read()))"], capture_output=True)
    return sys.stdin.read() + os.read(0, 100).decode() + heard.stdout.decode().strip()


HEARD = make_noise("on import")


def listen() -> str:
    """Make noise on every way out, and read from every way in."""
    return f"{HEARD}{make_noise('in a call')}"


@hookimpl
def register_tools():
    make_noise("in a hook")
    return [listen]


def begin(host):
    make_noise("at the start")


def end(host):
    make_noise("at the end")


pack = Pack(title="Noisy", start=begin, stop=end)
'''

GUARDED = '''
import os
import subprocess
import sys

from packhorse import *

LOOK = [sys.executable, "-c", "import os; print(sorted(name for name in os.environ if 'TOKEN' in name))"]
SEEN = subprocess.run(LOOK, capture_output=True, text=True).stdout.strip()


def who(ctx: Context) -> str:
    """Say who is calling, and what a child sees of the token."""
    now = subprocess.run(LOOK, capture_output=True, text=True).stdout.strip()
    return f"{ctx.principal.kind} {ctx.principal.subject} {SEEN} {now}"


@hookimpl
def register_tools():
    return [Tool(fn=who, public=True)]


@hookimpl
def register_auth():
    return [Verifier(lambda token: Principal("human", token[5:]) if token.startswith("good-") else None)]
'''


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    for name, source in (("seed", SEED), ("noisy", NOISY), ("guarded", GUARDED)):
        install(made.packs, name, source)
    return made


INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


class Spoken:
    """A server that is spoken to by hand, one line at a time."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.given = process.stdin
        self.said = process.stdout

    def write(self, line: bytes) -> None:
        self.given.write(line + b"\n")
        self.given.flush()

    def send(self, method: str, number: int | None = None, **params: Any) -> None:
        numbered = {} if number is None else {"id": number}
        self.write(json.dumps({"jsonrpc": "2.0", **numbered, "method": method, "params": params}).encode())

    def read(self) -> dict[str, Any]:
        said = self.said.readline()
        assert said, "the server has ended, or was ended for taking too long"
        line: dict[str, Any] = json.loads(said)
        assert line["jsonrpc"] == "2.0"
        return line

    def call(self, tool: str, number: int, **arguments: Any) -> dict[str, Any]:
        self.send("tools/call", number, name=tool, arguments=arguments)
        answer = self.read()
        assert answer["id"] == number
        result: dict[str, Any] = answer["result"]
        return result

    def initialize(self) -> None:
        self.send("initialize", 0, **INITIALIZE)
        assert self.read()["id"] == 0
        self.send("notifications/initialized")

    def end(self) -> tuple[int, bytes]:
        """The exit status after the input was closed, and what was still said."""
        rest, _ = self.process.communicate(timeout=STOP_SECONDS)
        return self.process.returncode, rest


@contextmanager
def spoken(bench: Bench, *names: str, env: Mapping[str, str] | None = None, **popen: Any) -> Iterator[Spoken]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **popen}
    env = {"PACKHORSE_SERVER_SHUTDOWN_SECONDS": "1", **(env or {})}  # how long it waits for calls left behind
    with bench.started("serve", *(names or ("seed",)), env=env, **pipes) as process:
        yield Spoken(process)


async def test_a_client_of_either_era_is_served_until_it_leaves(bench, protocol):
    mode = protocol if protocol == "2026-07-28" else "legacy"
    with bench.log.open("w") as log:
        async with Client(stdio_client(bench.stdio("seed"), errlog=log), mode=mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            said = await client.call_tool("echo", {"text": "Muñoz\u2028"})
            who = await client.call_tool("who")
            await client.call_tool("walk")

    assert names[:2] == ["echo", "long"]
    assert said.structured_content == {"result": "Muñoz\u2028"}
    assert who.structured_content == {"result": "local None"}
    assert "the pack has stopped" in bench.log.read_text()
    assert not troubles(bench.log.read_text())
    assert "packhorse.warnings" not in bench.log.read_text()  # the SDK warns of logging to clients, which a tool did


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_client_of_any_handshake_version_is_served_in_its_own(limited, version):
    limited.send("initialize", 20, **{**INITIALIZE, "protocolVersion": version})
    assert limited.read()["result"]["protocolVersion"] == version
    limited.send("notifications/initialized")
    answered = limited.call("echo", 21, text="on")
    limited.send("initialize", 22, **INITIALIZE)
    limited.read()

    assert answered["content"] == [{"type": "text", "text": "on"}]


def test_it_ends_with_its_clients_input_and_says_nothing_unasked(bench):
    with spoken(bench) as server:
        server.initialize()
        assert server.call("echo", 1, text="one")["structuredContent"] == {"result": "one"}
        assert server.call("long", 2, size=1_000_000)["structuredContent"] == {"result": "x" * 1_000_000}
        assert server.end() == (0, b"")

    assert "the pack has stopped" in bench.log.read_text()
    assert not troubles(bench.log.read_text())


def test_requests_that_were_all_written_at_once_are_answered_before_it_ends(bench):
    with spoken(bench, env={"PACKHORSE_SERVER_SHUTDOWN_SECONDS": "60"}) as server:
        server.send("initialize", 0, **INITIALIZE)
        server.send("notifications/initialized")
        server.send("tools/call", 1, name="wait", arguments={"seconds": 0.2})
        server.send("tools/call", 2, name="echo", arguments={"text": "two"})
        status, said = server.end()

    answers = {answer["id"]: answer["result"] for answer in map(json.loads, said.splitlines())}
    assert status == 0
    assert answers[1]["structuredContent"] == {"result": "waited"}
    assert answers[2]["structuredContent"] == {"result": "two"}


def test_it_ends_at_once_where_there_is_no_client(bench):
    ran = bench.run("serve", "seed")

    assert (ran.returncode, ran.stdout) == (0, "")


@pytest.mark.parametrize(
    ("number", "tool", "status"),
    [
        pytest.param(None, "wait", 0, id="its client leaves a call in a thread"),
        pytest.param(None, "sleep", 0, id="its client leaves a call on the loop"),
        pytest.param(signal.SIGTERM, None, 0, id="told to stop"),
        pytest.param(signal.SIGINT, None, 130, id="stopped from the keyboard"),
        pytest.param(signal.SIGINT, "sleep", 130, id="stopped from the keyboard in a call on the loop"),
    ],
)
def test_it_ends_in_good_order_however_it_is_ended(bench, number, status, tool):
    with spoken(bench) as server:
        server.initialize()
        if tool is not None:
            server.send("tools/call", 1, name=tool, arguments={"seconds": 600})
            wait_for(lambda: "waiting" in bench.log.read_text(), "the call")
        if number is None:
            server.given.close()
        else:
            server.process.send_signal(number)
        assert server.process.wait(STOP_SECONDS) == status

    log = bench.log.read_text()
    assert "the pack has stopped" in log
    assert not troubles(log)
    assert log.endswith("Stopped.\n") is (number is signal.SIGINT)


def test_it_ends_in_good_order_when_nobody_reads_its_answers(bench):
    with spoken(bench) as server:
        server.initialize()
        server.said.close()
        server.send("tools/call", 1, name="echo", arguments={"text": "one"})
        assert server.process.wait(STOP_SECONDS) == 0

    assert "the pack has stopped" in bench.log.read_text()
    assert not troubles(bench.log.read_text())


def test_a_client_that_reads_nothing_cannot_keep_it_from_stopping(bench):
    with spoken(bench) as server:
        server.initialize()
        server.send("tools/call", 1, name="long", arguments={"size": 1_000_000})  # more than a pipe holds
        server.send("tools/call", 2, name="wait", arguments={"seconds": 600})
        wait_for(lambda: "waiting" in bench.log.read_text(), "the call")
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(STOP_SECONDS) == 0

    assert not troubles(bench.log.read_text())


def test_a_noisy_pack_neither_reads_nor_writes_on_the_wire(bench):
    with spoken(bench, "noisy") as server:
        server.initialize()
        assert server.call("listen", 1)["structuredContent"] == {"result": "00"}
        status, rest = server.end()

    assert (status, rest) == (0, b"")
    log = bench.log.read_text()
    for where in ("on import", "in a hook", "at the start", "in a call", "at the end"):
        for kind in ("of print", "without an end", "of the descriptor", "of a child"):
            assert f"noise {kind} {where}" in log


def padded(size: int) -> bytes:
    """A good call of exactly this many bytes, without its newline."""
    call = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": ""}}}
    bare = len(json.dumps(call))
    call["params"]["arguments"]["text"] = "x" * (size - bare)
    line = json.dumps(call).encode()
    assert len(line) == size
    return line


UNREADABLE = [
    pytest.param(b"{", id="cut short"),
    pytest.param(b"hello", id="no JSON"),
    pytest.param(b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}', id="a key twice"),
    pytest.param(
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": 1, "a": 2}}', id="a key twice, further in"
    ),
    pytest.param(b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": NaN}}', id="NaN"),
    pytest.param(b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": -Infinity}}', id="Infinity"),
    pytest.param(b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}', id="not UTF-8"),
    pytest.param(b"[" * 1500, id="too deep"),
    pytest.param(padded(LIMIT + 1), id="one byte too long"),
    pytest.param(b"x" * (LIMIT + 1), id="too long and no JSON"),
    pytest.param(b" " * 3 * LIMIT + b"{}", id="too long, several times over"),
]


@pytest.fixture(scope="module")
def limited(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("limited"))
    install(made.packs, "seed", SEED)
    made.configure(body_limit_bytes=LIMIT)
    with spoken(made) as server:
        server.initialize()
        yield server
        assert server.end() == (0, b"")
    assert not troubles(made.log.read_text())


@pytest.mark.parametrize("line", UNREADABLE)
def test_a_line_that_cannot_be_read_is_answered_and_the_connection_goes_on(limited, line):
    limited.write(line)
    refused = limited.read()

    assert (refused["id"], refused["error"]["code"]) == (None, -32700)
    if len(line) > LIMIT:
        assert f"{LIMIT:,} bytes" in refused["error"]["message"]
    assert limited.call("echo", 8, text="on")["structuredContent"] == {"result": "on"}


@pytest.mark.parametrize(
    "line", [pytest.param(b"", id="empty"), pytest.param(b"  \t\r", id="blank"), pytest.param(b"\n\n", id="several")]
)
def test_a_line_without_words_is_passed_over(limited, line):
    limited.write(line)

    assert limited.call("echo", 9, text="on")["structuredContent"] == {"result": "on"}


def test_a_line_of_exactly_the_limit_is_served(limited):
    limited.write(padded(LIMIT))

    assert limited.read()["id"] == 7


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"5", id="a number"),
        pytest.param(b"[]", id="an empty batch"),
        pytest.param(b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', id="a batch"),
        pytest.param(b"{}", id="an empty object"),
        pytest.param(b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', id="another version"),
        pytest.param(b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', id="an object for an id"),
    ],
)
def test_json_that_is_no_message_does_no_harm(limited, line):
    limited.write(line)
    limited.send("ping", 10)
    answer = limited.read()
    if answer["id"] is None:
        assert answer["error"]["code"] == -32600
        answer = limited.read()

    assert answer == {"jsonrpc": "2.0", "id": 10, "result": {}}


def test_the_token_in_the_environment_says_who_calls_and_goes_no_further(bench):
    with spoken(bench, "guarded", env={"PACKHORSE_TOKEN": "good-ada"}) as server:
        server.initialize()
        assert server.call("who", 1)["structuredContent"] == {"result": "human ada [] []"}
        assert server.end() == (0, b"")


def test_a_pack_that_is_not_here_ends_it_in_one_line(bench):
    ran = bench.run("serve", "absent")

    assert ran.returncode == 1
    assert ran.stdout == ""
    (line,) = ran.stderr.splitlines()
    assert "absent" in line
    assert "seed" in line
