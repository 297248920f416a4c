"""``packhorse jobs``, for whoever runs the deployment."""

import json

import pytest
from click.testing import CliRunner

from packhorse import PackError
from packhorse.audit import rows
from packhorse.contract.clock import system_clock
from packhorse.job_tools.commands import jobs
from packhorse.jobs import Owner, Progress, Work
from packhorse.jobs.engine import Databases
from packhorse.jobs.ledger import opened
from packhorse.settings import JOBS_FOLDER as FOLDER

ADA = Owner("human:https://one.example", "ada")


@pytest.fixture
def ledger(tmp_path):
    with opened(Databases.in_folder(tmp_path / FOLDER).ledger, system_clock) as made:
        yield made


@pytest.fixture
def run(tmp_path):
    config = tmp_path / "packhorse.toml"
    config.write_text(f"[server]\ndata_dir = {json.dumps(str(tmp_path))}\n")

    def run(*arguments):
        return CliRunner().invoke(jobs, [*arguments, "--config", str(config)], catch_exceptions=False).output

    return run


def test_the_unfinished_are_listed_and_the_others_when_asked_for(ledger, run):
    assert run("list") == "No job is waiting or running; --all also lists finished jobs.\n"
    assert run("list", "--all") == "There are no jobs.\n"
    ledger.create("a1", "plan", ADA, Work("a:b"))
    ledger.create("b2", "plan", ADA, Work("a:b"))
    ledger.claim("b2", 1, "x")
    ledger.finish("b2", 1, "completed")

    assert run("list").split()[:4] == ["a1", "queued", "plan", "ada"]
    assert {job["job_id"] for job in json.loads(run("list", "--all", "--json"))["jobs"]} == {"a1", "b2"}


def test_one_is_shown_without_what_is_its_owner_s(ledger, run):
    ledger.create("a1", "plan", ADA, Work("a:b", {"person": "hunter2"}))
    ledger.claim("a1", 1, "x")
    ledger.note_progress("a1", 1, Progress(1, 2, "half"))
    ledger.finish("a1", 1, "failed", error={"refused": {"code": "NO_PEOPLE"}}, result="hunter2")

    shown = json.loads(run("show", "a1", "--json"))
    assert (shown["status"], shown["error"], shown["progress"]) == ("failed", "NO_PEOPLE", [1, 2, "half"])
    assert "hunter2" not in run("show", "a1")
    assert "subject      ada" in run("show", "a1")


@pytest.mark.parametrize(
    ("claimed", "finished", "says"),
    [
        pytest.param(False, False, "Cancelled.", id="it waits"),
        pytest.param(True, False, "Cancel requested.", id="it runs"),
        pytest.param(True, True, "The job is already completed.", id="it finished"),
    ],
)
def test_one_is_cancelled(ledger, run, claimed, finished, says):
    ledger.create("a1", "plan", ADA, Work("a:b"))
    if claimed:
        ledger.claim("a1", 1, "x")
    if finished:
        ledger.finish("a1", 1, "completed")
    assert run("cancel", "a1") == f"{says}\n"


def test_the_end_of_one_that_waited_is_on_record_and_of_one_that_runs_is_its_server_s_to_record(ledger, run, tmp_path):
    ledger.create("a1", "plan", ADA, Work("a:b"), "00ff00ff00ff00ff")
    ledger.create("b2", "plan", ADA, Work("a:b"))
    ledger.claim("b2", 1, "x")
    run("cancel", "a1")
    run("cancel", "b2")

    (row,) = [row["body"] for row in rows(tmp_path / "audit.sqlite3")]
    assert (row["call"]["kind"], row["call"]["name"], row["outcome"]["status"]) == ("job", "plan", "cancelled")
    assert row["call"]["principal"] == {"kind": "human", "issuer": "https://one.example", "subject": "ada"}
    assert row["call"]["request_id"] == "00ff00ff00ff00ff"


@pytest.mark.parametrize("command", ["show", "cancel"])
def test_one_that_is_not_there_is_told(ledger, run, command):
    with pytest.raises(PackError, match="no job with this id"):
        run(command, "nothing")
