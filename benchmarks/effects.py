"""What a recorded call costs over HTTP beside the SDK's leanest server, in turns in one run.

``python benchmarks/effects.py`` builds its environment from this checkout, serves one tool that reads and one that may
change something with a token, a limit, the audit record and metrics on, and prints the ratio of the medians. The
SDK's server answers in one piece, keeps no session and records nothing. ``--python`` names an environment that has
packhorse, its metrics and `benchmarks/pack` already.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import calls
import starts
import venvs
from spread import Spread, order, ratio

SDK, OURS = "the SDK's leanest", "packhorse"
CASES = (
    ("reads", "add", {"a": 2, "b": 3}, 5, 1, 0.95),
    ("effects", "keep", {"n": 7}, 7, 1, None),
    ("effects", "keep", {"n": 7}, 7, 16, 1.35),
)
"""What it does, tool, arguments, answer, how many call at a time, and the bar of the ratio."""
CALLS = 160


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", type=Path, help="the interpreter of an environment that is ready")
    parser.add_argument("--rounds", type=int, default=40, help="rounds, each of which has both sides once")
    chosen = parser.parse_args(arguments)
    for name in [name for name in os.environ if name.startswith(("PACKHORSE_", "MCP_", "JWT_"))]:
        del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="packhorse-bench-") as folder, ExitStack() as stack:
        python = str(chosen.python or venvs.build(Path(folder)).host)
        limited = '[packs.bench.limits]\nadd = "100000/hour"\nkeep = "100000/hour"\n'
        written = starts.config(Path(folder), "effects", ["bench"], calls.AUTH + limited, metrics=True)
        host = [python, "-m", "packhorse", "serve", "--config", written, "--transport", "http", "--port"]
        commands = {SDK: [python, str(starts.SIDES / "sdk.py"), "lean"], OURS: host}
        running = {side: stack.enter_context(calls.listening(command)) for side, command in commands.items()}
        tokens = {SDK: None, OURS: calls.token(python)}
        for name, tool, given, answer, width, bar in CASES:
            case = calls.Case("HTTP", name, tool, given, answer, width, CALLS)
            taken: dict[str, list[calls.Calls]] = {side: [] for side in running}
            for turn in range(-1, chosen.rounds):
                for side in order(list(running), turn):
                    batch = calls.batch(case, *running[side], tokens[side])
                    if turn >= 0:  # the first round warms both up
                        taken[side].append(batch)
            ours, theirs = taken[OURS], taken[SDK]
            wall = ratio([one.wall for one in ours], [one.wall for one in theirs])
            cpu = ratio([one.cpu or 1 for one in ours], [one.cpu or 1 for one in theirs])
            p50 = ", ".join(
                f"{side} {Spread.of([one.wall for one in many]).median:.2f} ms" for side, many in taken.items()
            )
            goal = f"bar {bar:.2f}" if bar else "no bar"
            print(f"{name}, {width} at a time: {wall.shown(2)}, {goal}; p50 {p50}; server's processor {cpu.shown(2)}")


if __name__ == "__main__":
    main()
