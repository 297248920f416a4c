"""The command and the tool."""

import json

import pytest
from click.testing import CliRunner

from curtois_scorer import score
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.commands.shifts import roster_command
from packhorse_scheduling.tools import shifts as tool
from shift_instances import HISTORY, SCENARIO, SMALL, WEEKS, written
from wire import NOW, call

KEYS = ["objective", "bound", "gap", "seconds", "cpu_seconds", "status", "proven", "fewest"]


def run(*arguments):
    return CliRunner().invoke(roster_command(), ["solve", *(str(a) for a in arguments)])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.txt"
    path.write_text(SMALL)
    return path


def test_the_command_prints_the_roster_as_json(file):
    done = run(file, "--cpu-seconds", 20, "--json")
    assert done.exit_code == 0, done.output
    body = json.loads(done.output)
    assert list(body)[:8] == KEYS
    assert score(SMALL, body["roster"]) == (body["objective"], [])
    assert (body["status"], body["gap"], body["bound"]) == ("optimal", 0, body["objective"])


def test_the_command_prints_a_table_of_people_by_days(file):
    done = run(file, "--cpu-seconds", 20)
    assert "proven optimal" in done.output
    assert [line.split()[0] for line in done.output.splitlines()[2:]] == ["A", "B", "C", "D"]


def test_the_command_plans_the_weeks_of_a_folder(tmp_path):
    folder = written(tmp_path / "tiny")
    done = run(folder, "--history", 0, "--weeks", "0,1", "--cpu-seconds", 1, "--json")
    assert done.exit_code == 0, done.output
    body = json.loads(done.output)
    assert list(body)[:8] == KEYS
    assert {len(row) for row in body["roster"].values()} == {14}
    assert sum(body["costs"].values()) == body["objective"]


REFUSED = [
    ("weeks of a file", lambda f, d: (f, "--weeks", "1"), 2, "INRC-II folder"),
    ("a folder without weeks", lambda f, d: (d,), 2, "needs --weeks"),
    ("weeks in words", lambda f, d: (d, "--weeks", "one"), 2, "whole numbers with commas"),
    ("a week that is not there", lambda f, d: (d, "--weeks", "0,9"), 1, "WD-tiny-9.txt is not in tiny"),
    ("a folder of nothing", lambda f, d: (d.parent, "--weeks", "0"), 1, "one Sc-*.txt file"),
    ("no such file", lambda f, d: (d / "nothing.txt",), 2, "does not exist"),
    ("no time", lambda f, d: (f, "--cpu-seconds", "0"), 2, "1<=x<=3600"),
]


@pytest.mark.parametrize(("arguments", "status", "words"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_the_command_refuses(file, tmp_path, arguments, status, words):
    done = run(*arguments(file, written(tmp_path / "tiny")))
    assert done.exit_code == status
    assert words in done.output


def test_a_broken_file_ends_the_command_with_line_and_section(tmp_path):
    path = tmp_path / "broken.txt"
    path.write_text(SMALL.replace("A,0\n", "Z,0\n"))
    done = run(path)
    assert done.exit_code == 1
    assert "broken.txt, line 13 (SECTION_DAYS_OFF)" in done.output


class TestTool:
    pytestmark = pytest.mark.anyio

    async def test_within_the_call_the_roster_comes_at_once(self, tmp_path, monkeypatch):
        monkeypatch.setattr(tool, "has_jobs", lambda: False)
        deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
        reply = await call(deployment, "solve_roster", {"instance": SMALL, "cpu_seconds": 20})
        assert not reply.is_error, reply.content
        body = reply.structured_content
        assert score(SMALL, body["roster"]) == (body["objective"], [])
        assert body["status"] == "optimal"
        assert "proven optimal" in reply.content[0].text

    @pytest.mark.parametrize(
        ("asked", "words"),
        [
            ({"instance": "SECTION_HORIZON\n14\n"}, "SECTION_SHIFTS is missing"),
            ({"instance": SMALL.replace("C,12,E,1", "C,12,X,1")}, "SECTION_SHIFT_OFF_REQUESTS"),
            ({"instance": SCENARIO, "history": HISTORY}, "both `history` and `weeks`"),
            ({"instance": SMALL, "ward": {}}, "either `ward` or `instance`"),
            ({}, "either `ward` or `instance`"),
            ({"ward": {"start": "2027-01-04"}}, "people is missing"),
            ({"instance": SCENARIO, "history": HISTORY, "weeks": ["WEEK_DATA\ntiny\n"]}, "ends too early"),
        ],
    )
    async def test_a_broken_instance_is_refused_before_a_job_starts(self, tmp_path, asked, words):
        deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
        reply = await call(deployment, "solve_roster", asked)
        assert reply.is_error
        assert words in reply.content[0].text

    async def test_a_text_beyond_the_limit_is_refused(self, tmp_path):
        deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
        reply = await call(deployment, "solve_roster", {"instance": "#" * 1_000_001})
        assert reply.is_error
        assert "1000000" in reply.content[0].text.replace(",", "").replace("_", "")


def test_a_job_tells_incumbent_and_bound():
    said = []

    class Told:
        def report_progress(self, done, total=None, message=None):
            said.append((done, total, message))

    body = tool.run(
        Told(), asked={"ward": None, "instance": SMALL, "history": None, "weeks": [], "cpu_seconds": 20, "seed": 1}
    )
    assert said[-1][:2] == (body["bound"], body["objective"])
    assert f"costs {body['objective']}; no lawful one costs less than {body['bound']}" in said[-1][2]


def test_a_job_plans_nurses_from_texts():
    class Silent:
        def report_progress(self, done, total=None, message=None):
            pass

    asked = {
        "ward": None, "instance": SCENARIO, "history": HISTORY, "weeks": list(WEEKS), "cpu_seconds": 1, "seed": 1,
    }  # fmt: skip
    assert tool.run(Silent(), asked=asked)["status"] in ("feasible", "optimal")
