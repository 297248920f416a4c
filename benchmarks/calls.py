"""Tool calls: in process by the SDK's own client, and over HTTP by a light one."""

import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import wire
from spread import order
from starts import SIDES, config
from venvs import Venvs

SDK, OURS, FASTMCP = "MCPServer", "packhorse", "FastMCP"
ROUNDS_PER_LIFE = 10
"""Servers are started anew that often: how a process happens to lie in memory is a part of the spread."""


@dataclass(frozen=True, eq=False)
class Case:
    """What is called, how. ``path`` is an era in process, or ``HTTP``; ``width`` how many call at a time."""

    path: str
    kind: str
    tool: str
    arguments: dict[str, Any]
    expected: Any
    width: int
    calls: int

    @property
    def named(self) -> str:
        """In words, for a table."""
        where = f"HTTP, {self.width} connection{'s' if self.width > 1 else ''}" if self.path == "HTTP" else self.path
        return f"{where}, {self.kind} function"


_KINDS = (("plain", "add", {"a": 2, "b": 3}, 5), ("async", "echo", {"text": "Jove"}, "Jove"))
IN_PROCESS = [Case(era, *kind, width=1, calls=300) for era in ("2025-11-25", "2026-07-28") for kind in _KINDS]
HTTP = [Case("HTTP", *kind, width=width, calls=400) for width in (1, 8) for kind in _KINDS]


@dataclass(frozen=True)
class Calls:
    """One batch: the median call, and the processor time of one (client and server in process, server alone over HTTP).

    Both in ms; ``cpu`` is None where the system does not tell it of another process.
    """

    wall: float
    cpu: float | None


Taken = dict[tuple[Case, str], list[Calls]]


def in_process(venvs: Venvs, rounds: int, part: int = 1) -> Taken:
    """Batches of every case and side, in turns; of the calls of a batch one in ``part``."""
    cases = _parts(IN_PROCESS, part)
    sides = {SDK: (venvs.host, "sdk"), OURS: (venvs.host, "packhorse")}
    if venvs.fastmcp:
        sides[FASTMCP] = (venvs.fastmcp, "fast")
    taken: Taken = {(case, side): [] for case in cases for side in sides}
    for life in _lives(rounds):
        with ExitStack() as stack:
            running = {name: stack.enter_context(_Pair.started(python, side)) for name, (python, side) in sides.items()}
            for case in cases:
                for pair in running.values():
                    pair.batch(case)
            for turn in life:
                for case in cases:
                    for name in order(list(running), turn):
                        taken[case, name].append(running[name].batch(case))
    return taken


SECRET = "0f" * 32
AUTH = f'[auth]\nsecret = "{SECRET}"\n'
_LIMITS = '[packs.bench.limits]\nadd = "100000/hour"\necho = "100000/hour"\n'
_NO_AUDIT = "[audit]\nenabled = false\n"

BARE = "packhorse, nothing on"
LAYERS: dict[str, tuple[str, bool]] = {
    BARE: (_NO_AUDIT, False),
    "packhorse, auth": (AUTH + _NO_AUDIT, False),
    "packhorse, limits": (_LIMITS + _NO_AUDIT, False),
    "packhorse, audit": ("", False),
    "packhorse, metrics": (_NO_AUDIT, True),
    OURS: (AUTH + _LIMITS, True),
}
"""By side, the rest of its packhorse.toml and whether it counts for Prometheus; the last has everything on."""


def over_http(venvs: Venvs, folder: Path, rounds: int, part: int = 1) -> Taken:
    """Batches of every case and side, in turns; of the calls of a batch one in ``part``."""
    cases = _parts(HTTP, part)
    python = str(venvs.host)
    sides = {SDK: [python, str(SIDES / "sdk.py"), "http"]}
    for number, (name, (more, metrics)) in enumerate(LAYERS.items()):
        written = config(folder, f"http{number}", ["bench"], more, metrics=metrics)
        sides[name] = [python, "-m", "packhorse", "serve", "--config", written, "--transport", "http", "--port"]
    if venvs.fastmcp:
        sides[FASTMCP] = [str(venvs.fastmcp), str(SIDES / "fast.py"), "http"]
    shown = token(python)
    tokens = {name: shown for name, (more, _) in LAYERS.items() if AUTH in more}
    taken: Taken = {(case, side): [] for case in cases for side in sides}
    for life in _lives(rounds):
        with ExitStack() as stack:
            running = {name: stack.enter_context(listening(command)) for name, command in sides.items()}
            for case in cases:
                for name, (port, pid) in running.items():
                    batch(case, port, pid, tokens.get(name))
            for turn in life:
                for case in cases:
                    for name in order(list(running), turn):
                        taken[case, name].append(batch(case, *running[name], tokens.get(name)))
    return taken


def _parts(cases: Sequence[Case], part: int) -> list[Case]:
    return [replace(case, calls=case.calls // part) for case in cases]


def token(python: str, *roles: str) -> str:
    """A token of the benchmark's issuer."""
    command = [python, "-m", "packhorse", "token", "--sub", "bench", "--ttl", "23h"]
    command += [f"--role={role}" for role in roles]
    environment = {**os.environ, "PACKHORSE_AUTH_SECRET": SECRET}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()


def _lives(rounds: int) -> Iterator[range]:
    for first in range(0, rounds, ROUNDS_PER_LIFE):
        yield range(first, min(first + ROUNDS_PER_LIFE, rounds))


class _Pair:
    """A process that holds one server and its client."""

    def __init__(self, child: "subprocess.Popen[str]") -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        self._in, self._out = child.stdin, child.stdout

    @classmethod
    @contextmanager
    def started(cls, python: Path, side: str) -> Iterator["_Pair"]:
        command = [str(python), str(SIDES / "inmemory.py"), side]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
            pair = cls(child)
            if pair._out.readline().strip() != "ready":
                raise SystemExit(f"{side} did not start in process")
            yield pair
            pair._in.close()

    def batch(self, case: Case) -> Calls:
        order = {"era": case.path, "tool": case.tool, "arguments": case.arguments, "calls": case.calls}
        self._in.write(json.dumps(order) + "\n")
        self._in.flush()
        return Calls(**json.loads(self._out.readline() or sys.exit("a server in process has ended")))


@contextmanager
def listening(command: Sequence[str]) -> Iterator[tuple[int, int]]:
    """A server on a free port: the port and the process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with subprocess.Popen([*command, str(port)]) as child:
        try:
            _wait_for(child, port)
            yield port, child.pid
        finally:
            child.terminate()


def _wait_for(child: "subprocess.Popen[bytes]", port: int) -> None:
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up and child.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit(f"{child.args!r} does not listen")


def batch(case: Case, port: int, pid: int, token: str | None) -> Calls:
    before = _cpu(pid)
    times = wire.load(
        port,
        case.tool,
        case.arguments,
        expected=case.expected,
        calls=case.calls,
        width=case.width,
        token=token,
    )
    after = _cpu(pid)
    answered = case.calls + case.width * wire.WARM_CALLS
    cpu = None if before is None or after is None else (after - before) / answered * 1000
    return Calls(statistics.median(times) * 1000, cpu)


def _cpu(pid: int) -> float | None:
    """Processor seconds of a process, all threads; None where the system keeps no such clock (it is Linux's)."""
    if not sys.platform.startswith("linux"):
        return None
    return time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3): the process's own CPU clock
