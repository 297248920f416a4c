"""A deployment without jobs needs nothing of them, and one process nothing of what replicas share."""

import json
import signal
import subprocess
import sys

import pytest
from tests.core.live import Bench, wait_for
from tests.core.seeds import install

from packhorse.compose import packs

SCRIPT = """
import sys
from packhorse.cli import serve
from packhorse.testing import client_for, deployment_for
from packhorse.wire.adapter import Adapter
from packhorse.contract.principal import LOCAL
from types import ModuleType
from packhorse import hookimpl

def age(day: str) -> str:
    "The moon's age."
    return day

moon = ModuleType("moon")
moon.register_tools = hookimpl(lambda: [age])
deployment = deployment_for(moon=moon)
Adapter(deployment, lambda ctx: LOCAL)
with deployment.running():
    pass
PARTS = ("packhorse.jobs", "packhorse.store.postgres", "packhorse.store.relay", "packhorse.wire.tasks")
print([name for name in sys.modules if name.startswith(PARTS)
       or name in ("dbos", "psycopg", "psycopg_pool", "sqlalchemy")])
"""


def test_serving_a_pack_without_jobs_imports_none_of_this():
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", SCRIPT], capture_output=True, text=True)
    assert (ran.stdout.strip(), ran.returncode) == ("[]", 0), ran.stderr


# The command itself, and in the end what it has imported.
SERVE = """
import atexit, sys
from packhorse.cli import main
NAMES = ("packhorse.jobs", "packhorse.store.postgres", "packhorse.store.relay", "packhorse.wire.tasks",
         "packhorse.http.workers")
FOREIGN = {"dbos", "psycopg", "psycopg_pool", "sqlalchemy", "redis"}
def tell():
    found = [name for name in sys.modules if name.startswith(NAMES) or name.partition(".")[0] in FOREIGN]
    print("imported", found, file=sys.stderr, flush=True)
atexit.register(tell)
sys.argv = ["packhorse", "serve", *sys.argv[1:]]
main()
"""

SEED = """
from packhorse import *

def age(day: str) -> str:
    "The moon's age."
    return day

@hookimpl
def register_tools():
    return [age]
"""

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
LINES = [
    {"id": 1, "method": "initialize", "params": HELLO},
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
]


@pytest.fixture(params=["circadian", "seed"])
def served(request, tmp_path):
    """A bench, and the one pack to be served; circadian where it is installed."""
    bench = Bench(tmp_path)
    if request.param == "seed":
        install(bench.packs, "seed", SEED)
    elif "circadian" not in {found.name for found in packs.find()}:
        pytest.skip("the circadian pack is not installed")
    return bench, request.param


def test_a_plain_server_imports_none_of_this_over_stdio(served):
    bench, pack = served
    given = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in LINES)
    ran = subprocess.run(
        [sys.executable, "-c", SERVE, pack],
        input=given,
        capture_output=True,
        text=True,
        env=bench.environment(),
        timeout=120,
    )
    assert '"tools":' in ran.stdout
    assert ran.stderr.splitlines()[-1] == "imported []", ran.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGTERM to a process on this system")
def test_a_plain_server_imports_none_of_this_over_http(served, monkeypatch):
    bench, pack = served
    monkeypatch.setattr(Bench, "command", lambda self, command, *arguments: [sys.executable, "-c", SERVE, *arguments])
    with bench.serving(pack) as server:
        assert server.stop() == 0
    wait_for(lambda: "imported" in bench.log.read_text(), "the list of what was imported")
    assert bench.log.read_text().splitlines()[-1] == "imported []"
