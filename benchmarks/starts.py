"""Cold start: from spawning a server to its answer to ``initialize`` over stdio."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spread import order
from venvs import PACKS, Venvs

SIDES = Path(__file__).resolve().parent / "sides"

SDK, NO_PACKS, FIVE_PACKS = "MCPServer, two tools", "packhorse, no packs", "packhorse, five packs"
SDK_TOOLS = "MCPServer, the five packs' tools"

_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


@dataclass(frozen=True)
class Start:
    """One start. ``wall`` is up to the answer, ``cpu`` (user and system) of the child's whole life, both in ms."""

    wall: float
    cpu: float


def commands(venvs: Venvs, folder: Path) -> dict[str, list[str]]:
    """What starts each side; ours as a desktop entry does."""
    host = [str(venvs.host), "-m", "packhorse", "serve"]
    made = {
        SDK: [str(venvs.host), str(SIDES / "sdk.py"), "stdio"],
        "MCPServer, two tools, collector as ours": [str(venvs.host), str(SIDES / "sdk_frozen.py")],
        SDK_TOOLS: [str(venvs.host), str(SIDES / "sdk_tools.py"), str(folder / "data" / "tools")],
        NO_PACKS: [*host, "--config", config(folder, "none", ())],
        FIVE_PACKS: [*host, "--config", config(folder, "five", PACKS)],
        "packhorse, the same two tools": [*host, "--config", config(folder, "two", ("bench",))],
    }
    if venvs.fastmcp:
        made["FastMCP, two tools"] = [str(venvs.fastmcp), str(SIDES / "fast.py"), "stdio"]
    return made


def measure(sides: Mapping[str, Sequence[str]], rounds: int) -> dict[str, list[Start]]:
    """``rounds`` starts of every side, in turns, after one of each that is not counted."""
    for command in sides.values():
        start(command)
    taken: dict[str, list[Start]] = {name: [] for name in sides}
    for turn in range(rounds):
        for name in order(list(sides), turn):
            taken[name].append(start(sides[name]))
    return taken


def start(command: Sequence[str]) -> Start:
    """Start a server, ask it to initialize, close its input and wait for its end."""
    with tempfile.TemporaryFile() as complaints:
        began = time.perf_counter()
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints)
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(json.dumps(_HELLO).encode() + b"\n")
        child.stdin.flush()
        answer = child.stdout.readline()
        wall = time.perf_counter() - began
        child.stdin.close()
        child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        child.stdout.close()
        if child.returncode or "serverInfo" not in json.loads(answer or "{}").get("result", {}):
            complaints.seek(0)
            raise SystemExit(f"{command} did not start: {complaints.read().decode()[-2000:]}")
    return Start(wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000)


def config(folder: Path, name: str, packs: Sequence[str], more: str = "", **server: object) -> str:
    """A packhorse.toml in ``folder``: ``server`` under [server], then ``more``."""
    path = folder / f"{name}.toml"
    values = {"packs": list(packs), "data_dir": str(folder / "data" / name), "log_level": "warning", **server}
    lines = ["[server]", *(f"{key} = {json.dumps(value)}" for key, value in values.items()), more, ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)
