"""``packhorse call`` of a tool that starts a job: the job is done here, and its result is the answer."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from live import Bench
from seeds import install

pytest.importorskip("dbos", reason="the extra jobs is not installed")

PACK = '''
from packhorse import *
from packhorse.jobs import Work


def double(number: int) -> Work:
    """Double a number, at length. Give the number."""
    return Work("seeded_doubler:work", {"number": number})


def work(running, *, number):
    if number < 0:
        raise UserError("Give a number from 0 on.", code="NEGATIVE")
    running.report_progress(1, 2, "half")
    return {"doubled": 2 * number}


@hookimpl
def register_tools():
    return [Tool(fn=double, job=True, public=True)]
'''


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    install(made.packs, "doubler", PACK)
    made.configure(packs=["doubler"])
    return made


def test_the_answer_is_the_jobs_result(bench):
    ran = bench.run("call", "double", '{"number": 21}', "--json")

    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["structured"] == {"doubled": 42}


def test_a_job_that_refuses_is_an_error_with_its_code(bench):
    ran = bench.run("call", "double", '{"number": -1}')

    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (1, "Error: Give a number from 0 on. [NEGATIVE]")


def test_without_waiting_the_job_is_left_to_a_server(bench):
    handle = json.loads(bench.run("call", "double", '{"number": 21}', "--no-wait", "--json").stdout)["structured"]
    listed = bench.run("jobs", "list")

    assert handle["status"] == "queued"
    assert handle["job_id"] in listed.stdout


def test_a_damaged_queue_is_named_with_its_path(bench):
    path = bench.folder / "data" / "packhorse-jobs" / "queue.sqlite3"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database, and longer than the header of one would be" * 40)
    ran = bench.run("call", "double", '{"number": 21}')

    assert ran.returncode == 1
    assert f"{path}: the job queue cannot be opened" in ran.stderr
    assert "Traceback" not in ran.stderr
