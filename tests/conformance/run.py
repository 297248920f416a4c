"""Run the public MCP conformance suite against ``packhorse serve conformance`` and judge the result.

    python tests/conformance/run.py [--work-dir DIR] [--json PATH]

Ends with 0 only when every scenario of every run holds, or falls short in a
way that `listing` names with its reason.
"""

import argparse
import dataclasses
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import harness
from listing import LISTED, PACKAGE, RUNS, Run
from serving import ServerError, served, tail
from verdict import Listed, Verdict, judge, stale


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything; gives the exit code."""
    options = _options(arguments)
    work: Path = options.work_dir
    try:
        node = harness.Node.from_wheel()
        scripts = {version: harness.install(node, PACKAGE, version, work / "suite") for version in _versions()}
        expected = {run.name: harness.scenarios(node, scripts[run.version], run.options) for run in RUNS}
        codes: dict[str, int] = {}
        verdicts: list[Verdict] = []
        with served(work) as url:
            for run in RUNS:
                print(f"running {run.name} ...", file=sys.stderr, flush=True)
                folder = work / "results" / run.name.replace(" ", "_")
                codes[run.name] = harness.run(node, scripts[run.version], url, run.options, folder)
                verdicts += judge(run.name, expected[run.name], harness.read(folder), LISTED)
    except (harness.HarnessError, ServerError) as exc:
        print(f"The conformance suite was not run. {exc}", file=sys.stderr)
        return 2
    complaints = complaints_about(RUNS, expected, codes, verdicts, LISTED)
    if options.json:
        options.json.write_text(json.dumps(as_json(verdicts, complaints), indent=2) + "\n", encoding="utf-8")
    print(table(verdicts))
    print(remarks(verdicts, complaints), end="")
    failed = bool(complaints) or any(verdict.faults for verdict in verdicts)
    if failed:
        print(f"\nThe end of the server's log ({work / 'server.log'}):\n{tail(work / 'server.log')}\n")
    print(closing_line(verdicts, complaints))
    return 1 if failed else 0


def complaints_about(
    runs: Sequence[Run],
    expected: Mapping[str, Sequence[str]],
    codes: Mapping[str, int],
    verdicts: Sequence[Verdict],
    listed: Sequence[Listed],
) -> list[str]:
    """What is wrong with whole runs, rather than with one scenario."""
    found = []
    for run in runs:
        if len(expected[run.name]) != run.scenarios:
            found.append(
                f"{run.name}: the suite has {len(expected[run.name])} scenarios, where {run.scenarios} are pinned"
            )
        if codes[run.name] not in (0, 1):
            found.append(f"{run.name}: the suite ended with code {codes[run.name]}")
        elif codes[run.name] == 1 and not any(verdict.failed for verdict in verdicts if verdict.run == run.name):
            found.append(f"{run.name}: the suite ended with code 1, but reported no failure")
    return found + stale(listed, expected)


def table(verdicts: Sequence[Verdict]) -> str:
    """One row per scenario and run."""
    rows = [
        ["run", "scenario", "passed", "failed", "skipped", "warned", "verdict"],
        *(
            [each.run, each.scenario]
            + [str(number) for number in (each.passed, each.failed, each.skipped, each.warned)]
            + [each.word]
            for each in verdicts
        ),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(7)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if 2 <= column <= 5 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def remarks(verdicts: Sequence[Verdict], complaints: Sequence[str]) -> str:
    """What stands behind the table: the reasons of the list, and the faults."""
    listed = {f"{each.scenario}: {each.listed}": None for each in verdicts if each.word == "listed"}
    sections = (
        ("Listed", list(listed)),
        ("Faults", [*complaints, *(_about(each, line) for each in verdicts for line in each.faults)]),
    )
    return "".join(f"\n{title}\n" + "".join(f"  {line}\n" for line in lines) for title, lines in sections if lines)


def closing_line(verdicts: Sequence[Verdict], complaints: Sequence[str]) -> str:
    """The whole outcome in a sentence."""
    words = Counter(each.word for each in verdicts)
    checks = sum(each.passed for each in verdicts)
    line = (
        f"{len({each.run for each in verdicts})} runs: {words['passed']} scenarios passed ({checks} checks), "
        f"{words['failed']} failed, {words['listed']} listed as not holding yet"
    )
    return f"{line}; {len(complaints)} complaints about whole runs." if complaints else f"{line}."


def as_json(verdicts: Sequence[Verdict], complaints: Sequence[str]) -> dict[str, object]:
    """The same, for programs."""
    return {
        "runs": [dataclasses.asdict(run) for run in RUNS],
        "scenarios": [{**dataclasses.asdict(each), "verdict": each.word} for each in verdicts],
        "complaints": list(complaints),
        "summary": closing_line(verdicts, complaints),
    }


def _about(verdict: Verdict, line: str) -> str:
    return f"{verdict.run}, {verdict.scenario}: {line}"


def _versions() -> list[str]:
    return list(dict.fromkeys(run.version for run in RUNS))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    home = Path(os.environ.get("TOX_ENV_DIR", sys.prefix)) / "conformance"
    parser = argparse.ArgumentParser(description="Run the public MCP conformance suite and judge the result.")
    parser.add_argument("--work-dir", type=Path, default=home, help="for the suite, its results and logs (%(default)s)")
    parser.add_argument("--json", type=Path, help="also write the table to this file")
    options = parser.parse_args(arguments)
    options.work_dir = options.work_dir.resolve()
    return options


if __name__ == "__main__":
    sys.exit(main())
