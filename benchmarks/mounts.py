"""What a mounted call costs, over HTTP: beside a direct call, packhorse's own tool, and FastMCP's proxy, in one run.

``python benchmarks/mounts.py`` builds its environments from this checkout, starts one server and what stands before
it, and lets the SDK's client call each in turns. It prints medians as ratios to the direct call, and the bar: mounted
at most direct + own tool + 0.5 (the goal: + 0.3), once with tools that only read and once with tools that may change
something: of these a row of the record is written before the call, of one's own as of a mounted one. packhorse has
authentication, limits, the record and metrics on; the peers have their defaults. The exit status says whether it could
measure, never how fast anything was.
"""

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import venvs
from calls import AUTH, listening, token
from spread import Spread, ratio
from starts import SIDES, config

DIRECT, PROXY = "direct", "FastMCP's proxy"
OWN, MOUNTED = "packhorse, own tool", "packhorse, mounted"
EFFECTS = ", may change something"
BAR, GOAL = 0.5, 0.3
_LIMITS = (
    '[packs.bench.limits]\necho = "100000/hour"\nnote = "100000/hour"\n[auth.roles]\nUSER = ["up_echo", "may_echo"]\n'
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=300, help="calls of each way; 300 by default")
    parser.add_argument("--runs", type=int, default=3, help="runs, each with servers of its own; 3 by default")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="packhorse-bench-") as name:
        folder = Path(name)
        built = venvs.build(folder)
        for run in range(chosen.runs):
            _print(run + 1, _measured(built, folder / f"run{run}", chosen.calls))


def _measured(built: venvs.Venvs, folder: Path, calls: int) -> Mapping[str, list[float]]:
    folder.mkdir()
    python = str(built.host)
    settings = config(folder, "host", ["bench"], AUTH + _LIMITS, metrics=True)
    with ExitStack() as stack:
        port, _ = stack.enter_context(listening([python, str(SIDES / "sdk.py"), "http"]))
        upstream = f"http://127.0.0.1:{port}/mcp"
        packhorse = [python, "-m", "packhorse"]
        for mount, *marks in (("up", "--read-only", "echo"), ("may",)):
            added = ["mount", "add", mount, "--url", upstream, "--only", "echo", "--limit", "100000/hour", *marks]
            subprocess.run([*packhorse, *added, "--config", settings], check=True, stdout=subprocess.DEVNULL)
        serve = [*packhorse, "serve", "--config", settings, "--transport", "http", "--port"]
        host, _ = stack.enter_context(listening(serve))
        ours = {"url": f"http://127.0.0.1:{host}/mcp", "token": token(python, "USER")}
        ways = {
            DIRECT: {"url": upstream, "tool": "echo", "token": ""},
            OWN: {**ours, "tool": "echo"},
            MOUNTED: {**ours, "tool": "up_echo"},
            OWN + EFFECTS: {**ours, "tool": "note"},
            MOUNTED + EFFECTS: {**ours, "tool": "may_echo"},
        }
        if built.fastmcp:
            proxy, _ = stack.enter_context(listening([str(built.fastmcp), str(SIDES / "proxy.py"), upstream]))
            ways[PROXY] = {"url": f"http://127.0.0.1:{proxy}/mcp", "tool": "echo", "token": ""}
        command = [python, str(SIDES / "called.py"), json.dumps(ways), str(calls)]
        made = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    taken: Mapping[str, list[float]] = json.loads(made.stdout)
    return taken


def _print(run: int, taken: Mapping[str, list[float]]) -> None:
    direct = Spread.of(taken[DIRECT]).median
    medians = {way: Spread.of(seconds).median / direct for way, seconds in taken.items()}
    print(f"run {run}, {len(taken[DIRECT])} calls of each way in turns")
    for way, seconds in taken.items():
        print(f"  {way:42} {medians[way]:6.2f}   call by call {ratio(seconds, taken[DIRECT]).shown(2)}")
    for effects in ("", EFFECTS):
        mounted, allowed = medians[MOUNTED + effects], 1 + medians[OWN + effects]
        verdict = "met" if mounted <= allowed + BAR else "not met"
        goal = "met" if mounted <= allowed + GOAL else "not met"
        print(f"  bar{effects}: {mounted:.2f} <= {allowed + BAR:.2f}: {verdict}; goal <= {allowed + GOAL:.2f}: {goal}")


if __name__ == "__main__":
    main()
