"""How fast packhorse starts and answers, beside the bare SDK's server and FastMCP, measured in turns in one run.

``python benchmarks/host.py`` builds its environments from this checkout,
measures, prints each bar with what was measured, and writes its sections of RESULTS.md.
``--quick`` takes one round of few calls, to see that it works. The exit status says
whether it could measure, never how fast anything was.
"""

import argparse
import datetime as dt
import json
import os
import platform
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import calls
import report
import sections
import starts
import venvs
from report import Bar

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
ROUNDS, PART = 30, 20
_FOREIGN = ("PACKHORSE_", "MCP_", "FASTMCP_", "OTEL_", "UVICORN_", "PYTHON", "JWT_", "LOG_LEVEL")
"""Variables that would configure a side, or all of them, otherwise than by default."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write the sections of RESULTS.md, unless --no-write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"one round, of the calls one in {PART}: a look")
    parser.add_argument("--no-write", action="store_true", help="leave RESULTS.md as it is")
    parser.add_argument("--rounds", type=int, help=f"rounds, each of which has every side once; {ROUNDS} by default")
    chosen = parser.parse_args(arguments)
    rounds, part = chosen.rounds or (1 if chosen.quick else ROUNDS), PART if chosen.quick else 1
    for variable in [name for name in os.environ if name.startswith(_FOREIGN)]:
        del os.environ[variable]
    with tempfile.TemporaryDirectory(prefix="packhorse-bench-") as name:
        folder = Path(name)
        built = venvs.build(folder, compiled=not chosen.quick)
        started = starts.measure(starts.commands(built, folder), rounds)
        called = calls.in_process(built, rounds, part)
        served = calls.over_http(built, folder, rounds, part)
        facts = _facts(built, folder, rounds)
    bars = [*_start_bars(started), *_call_bars(called, 1.10), *_call_bars(served, 1.00)]
    text = report.written(facts, started, called, served, bars)
    print(text)
    if not chosen.no_write:
        page = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
        RESULTS.write_text(sections.replaced(page, text), encoding="utf-8")


def _start_bars(taken: dict[str, list[starts.Start]]) -> list[Bar]:
    compared = (
        ("no packs", starts.NO_PACKS, starts.SDK, 1.05),
        ("five packs, beside two tools", starts.FIVE_PACKS, starts.SDK, 1.15),
        ("five packs, beside the same tools", starts.FIVE_PACKS, starts.SDK_TOOLS, 1.15),
    )
    return [
        Bar(f"start, {what}: processor time", limit, *([one.cpu for one in taken[side]] for side in (ours, peer)))
        for what, ours, peer, limit in compared
    ]


def _call_bars(taken: calls.Taken, limit: float) -> list[Bar]:
    cases = dict.fromkeys(case for case, _ in taken)
    return [
        Bar(
            f"{case.named}: p50",
            limit,
            [one.wall for one in taken[case, calls.OURS]],
            [one.wall for one in taken[case, calls.SDK]],
        )
        for case in cases
    ]


def _facts(built: venvs.Venvs, folder: Path, rounds: int) -> dict[str, str]:
    """What the figures depend on; nothing that would tell whose machine it was."""
    found = venvs.versions(built.host, "mcp", "packhorse", "pydantic", "uvicorn", "httptools", "uvloop")
    if built.fastmcp:
        found |= venvs.versions(built.fastmcp, "fastmcp")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "Date": dt.datetime.now(dt.UTC).date().isoformat(),
        "Machine": f"{platform.system()} {platform.machine()}, {cores} cores, {_model()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "Versions": ", ".join(f"{name} {version}" for name, version in sorted(found.items())),
        "The five packs": f"{', '.join(venvs.PACKS)}: {_tools(built, folder)} tools together at this commit",
        "HTTP": f"uvicorn on {'uvloop' if 'uvloop' in found else 'asyncio'},"
        f" {'httptools' if 'httptools' in found else 'h11'}, one process, no access log, on every side",
        "Rounds": f"{rounds}; in each every side has one turn, in changing order",
        "Other load": f"{os.getloadavg()[2]:.1f} on average over the last quarter of an hour, this run included",
    }


def _tools(built: venvs.Venvs, folder: Path) -> int:
    five = starts.config(folder, "five", venvs.PACKS)
    command = [str(built.host), "-m", "packhorse", "tools", "--json", "--config", five]
    return len(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else "unknown processor"


if __name__ == "__main__":
    main()
