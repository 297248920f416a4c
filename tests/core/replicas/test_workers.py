"""Several processes on one listening socket: they share the calls, are replaced when they end, and stop as one."""

import os
import re
import signal
import sys
import threading
from pathlib import Path

import httpx2
import pytest
from tests.core.live import Bench, wait_for
from tests.core.replicas.asking import call
from tests.core.seeds import install
from uvicorn.supervisors import multiprocess

from packhorse.cli.serve import work
from packhorse.errors import PackError
from packhorse.http import resumed
from packhorse.http.workers import Supervisor
from packhorse.metrics import worker_metrics as metrics
from packhorse.settings import ServerSettings, Settings

pytestmark = [pytest.mark.skipif(not hasattr(os, "killpg"), reason="no workers on this system"), pytest.mark.drill]

KEY = "k" * 32

SEED = '''
import os
import sys
import threading

from packhorse import *

release = threading.Event()


def process() -> int:
    """Say which process answers."""
    return os.getpid()


def wait(seconds: float) -> str:
    """Wait in a thread."""
    print("waiting", file=sys.stderr, flush=True)
    release.wait(seconds)
    return "waited"


@hookimpl
def register_tools():
    return [process, wait]
'''


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    install(made.packs, "seed", SEED)
    made.configure(workers=2, state_key=KEY)
    return made


def begun(bench: Bench) -> list[int]:
    """Every worker process that has begun, in their order."""
    return [int(found) for found in re.findall(r"worker process (\d+) begins", bench.log.read_text())]


def process_that_answers(url: str) -> int:
    # A connection for each: which process takes it is for them to settle.
    return int(call(url, "process")["structuredContent"]["result"])


def all_answer(url: str, processes: set[int]) -> None:
    seen: set[int] = set()

    def answered() -> bool:
        seen.add(process_that_answers(url))
        return seen == processes

    wait_for(answered, f"an answer of each of {processes}")


def runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_every_worker_answers_at_the_one_address(bench):
    with bench.serving("seed") as served:
        wait_for(lambda: len(begun(bench)) == 2, "both workers")
        all_answer(served.url, set(begun(bench)))
        assert served.process.pid not in begun(bench)
        assert served.stop() == 0
        assert not any(map(runs, begun(bench)))


def test_a_worker_that_was_killed_is_replaced_and_the_address_answers_meanwhile(bench):
    with bench.serving("seed") as served:
        wait_for(lambda: len(begun(bench)) == 2, "both workers")
        first, second = begun(bench)
        all_answer(served.url, {first, second})
        os.kill(first, signal.SIGKILL)
        assert process_that_answers(served.url) == second
        served.wait_for_log(f"worker process {first} was ended by SIGKILL")
        wait_for(lambda: len(begun(bench)) == 3, "another worker")
        all_answer(served.url, {second, begun(bench)[2]})


class Ended:
    """A worker process that has ended."""

    pid, exitcode = 2**22, -9

    def is_alive(self, timeout: float) -> bool:
        return False

    def kill(self) -> None: ...

    def join(self) -> None: ...


class Begun(Ended):
    """One that takes its place, and can only be started at the second attempt."""

    attempts = 0

    def __init__(self, *given: object) -> None: ...

    def is_alive(self, timeout: float) -> bool:
        return True

    def start(self) -> None:
        Begun.attempts += 1
        if Begun.attempts == 1:
            raise OSError(11, "Resource temporarily unavailable")


def test_while_no_worker_can_be_started_the_others_serve_on(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(multiprocess, "Process", Begun)
    monkeypatch.setattr(multiprocess, "SIGNALS", {})
    supervisor = Supervisor(Settings(server=ServerSettings(data_dir=tmp_path, port=0, workers=2)), work)
    for listening in supervisor.sockets:
        listening.close()
    supervisor._counted_in = str(tmp_path)
    ended, other = Ended(), Begun()
    supervisor.processes = [ended, other]
    supervisor.keep_subprocess_alive()
    assert supervisor.processes == [ended, other]
    assert caplog.messages == ["no worker can be started (Resource temporarily unavailable)"]
    supervisor.keep_subprocess_alive()
    assert isinstance(supervisor.processes[0], Begun)
    assert supervisor.processes[1] is other


def ends(settings: Settings, worker: object) -> None:
    """What a worker does that cannot serve."""


def test_what_the_workers_read_from_the_environment_is_gone_with_the_supervisor(tmp_path, monkeypatch):
    for variable in (metrics.VARIABLE, resumed.VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    supervisor = Supervisor(Settings(server=ServerSettings(data_dir=tmp_path, port=0, workers=2)), ends, lambda: False)
    with pytest.raises(PackError, match="before it served"):
        supervisor.run()

    assert metrics.VARIABLE not in os.environ
    assert resumed.VARIABLE not in os.environ


HASTY = """
from packhorse.cli import main
from packhorse.http import workers
workers.HANG_SECONDS = 12
main()
"""


class HastyBench(Bench):
    """Its supervisor takes a worker to hang after 12 seconds."""

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-c", HASTY, *arguments]


def test_a_worker_that_does_not_turn_any_more_is_ended_and_replaced(bench):
    with HastyBench(bench.folder).serving("seed") as served:
        wait_for(lambda: len(begun(bench)) == 2, "both workers")
        first, second = begun(bench)
        all_answer(served.url, {first, second})
        os.kill(first, signal.SIGSTOP)
        served.wait_for_log(f"worker process {first} was ended by SIGKILL")
        wait_for(lambda: len(begun(bench)) == 3, "another worker")
        all_answer(served.url, {second, begun(bench)[2]})


def test_sighup_replaces_the_workers_one_after_another(bench):
    with bench.serving("seed") as served:
        wait_for(lambda: len(begun(bench)) == 2, "both workers")
        all_answer(served.url, {*begun(bench)})
        served.tell(signal.SIGHUP)
        wait_for(lambda: len(begun(bench)) == 4, "two new workers")
        wait_for(lambda: not any(map(runs, begun(bench)[:2])), "the end of the old ones")
        all_answer(served.url, {*begun(bench)[2:]})


def test_a_call_under_way_is_answered_before_the_workers_end(bench):
    bench.configure(workers=2, state_key=KEY, shutdown_seconds=20)
    with bench.serving("seed") as served:
        meanwhile: list[int] = []

        def stop() -> None:
            served.wait_for_log("waiting")
            served.tell()
            meanwhile.append(1)

        stopping = threading.Thread(target=stop)
        stopping.start()
        answer = call(served.url, "wait", seconds=1.5)
        stopping.join()
        assert answer["structuredContent"] == {"result": "waited"}
        assert (meanwhile, served.process.wait(90)) == ([1], 0)


def test_workers_end_with_a_supervisor_that_was_killed(bench):
    with bench.serving("seed") as served:
        wait_for(lambda: len(begun(bench)) == 2, "both workers")
        served.process.kill()
        served.process.wait()
        wait_for(lambda: not any(map(runs, begun(bench))), "the end of the workers")


def test_before_it_stops_it_is_unready_and_still_answers(bench):
    bench.configure(workers=2, state_key=KEY, unready_seconds=120)
    with bench.serving("seed") as served:
        served.tell()

        def unready() -> bool:
            return httpx2.get(f"{served.address}/readyz").status_code == 503

        wait_for(unready, "the first to be unready")
        assert process_that_answers(served.url) in begun(bench)
        served.stop()  # told twice, it does not wait


def test_what_is_wrong_is_said_once_and_ends_it(bench):
    install(bench.packs, "lame", "raise ImportError('no such module')")
    bench.configure(workers=3, state_key=KEY, strict=True)
    ran = bench.run("serve", "lame", "--transport", "http", "--port", "0")
    assert ran.returncode == 1
    assert ran.stderr.count("is set and these packs cannot be served") == 1
    assert "Traceback" not in ran.stderr
    assert ran.stderr.splitlines()[-1].startswith("Error: the first of 3 workers ended with status 1")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--transport", "stdio"], "--transport http", id="stdio"),
        pytest.param(["--transport", "sse"], "--transport http", id="sse"),
        pytest.param(["--transport", "http", "--host", "192.0.2.1"], "cannot listen on 192.0.2.1", id="no address"),
    ],
)
def test_what_workers_cannot_share_is_refused_in_words(bench, arguments, words):
    ran = bench.run("serve", "seed", "--port", "0", *arguments)
    (line,) = ran.stderr.splitlines()
    assert ran.returncode == 1
    assert words in line


def test_a_stop_from_the_keyboard_says_so(bench):
    with bench.serving("seed") as served:
        assert served.stop(signal.SIGINT) == 130
    assert bench.log.read_text().endswith("Stopped.\n")


def test_an_older_client_is_answered_and_cannot_be_asked(bench):
    install(
        bench.packs,
        "curious",
        '''
        from typing import Annotated
        from pydantic import BaseModel
        from packhorse import *

        class Name(BaseModel):
            name: str

        def greet(name: Annotated[Name, Resolve(lambda: Elicit("Who?", Name))]) -> str:
            """Greet whoever says the name."""
            return name.name

        def again(ctx: Context) -> str | InputRequired:
            """Ask in a round of its own."""
            return InputRequired({"name": Elicit("Who?", Name)}, state="x")

        @hookimpl
        def register_tools():
            return [greet, again]
        ''',
    )
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    with bench.serving("seed", "curious") as served, httpx2.Client(headers=headers) as http:
        asked = {"elicitation": {}}
        hello = {"protocolVersion": "2025-11-25", "capabilities": asked, "clientInfo": {"name": "raw", "version": "1"}}
        first = http.post(served.url, json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
        assert (first.status_code, first.headers.get("mcp-session-id")) == (200, None)
        for tool, arguments in (("process", {}), ("greet", {}), ("again", {})):
            params = {"name": tool, "arguments": arguments}
            message = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
            answer = http.post(served.url, json=message)
            assert answer.status_code == 200, answer.text
            assert ("client_cannot" in answer.text) is (tool != "process"), answer.text
