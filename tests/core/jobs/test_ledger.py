"""The facts about jobs, on both databases: what counts, and what comes too late to."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.core.stores.servers import emptied

from packhorse.jobs import Owner, Progress, Work
from packhorse.jobs.engine import SCHEMA, Databases
from packhorse.jobs.ledger import MIGRATIONS, Ledger, opened
from packhorse.store.sqlite import Store

pytestmark = pytest.mark.python

ADA = Owner("https://one.example", "ada")
NOW = datetime(2026, 11, 22, 1, 2, 3, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgres"])
def ledger(request, tmp_path):
    if request.param == "sqlite":
        databases = Databases.in_folder(tmp_path)
    else:
        databases = Databases.at(emptied(request.getfixturevalue("database"), SCHEMA))
    with opened(databases.ledger, lambda: NOW) as made:
        yield made


@pytest.fixture
def job(ledger):
    work = Work("a:b", {"x": [1, "é", None]}, key="k", priority=3, memory_mb=100, seconds=1.5)
    return ledger.create("1", "t", ADA, work)


def test_a_job_is_found_as_it_was_created(ledger, job):
    assert ledger.get("1") == job
    assert (job.arguments, job.owner, job.key, job.priority) == ({"x": [1, "é", None]}, ADA, "k", 3)
    assert (job.memory_mb, job.seconds, job.status, job.epoch) == (100, 1.5, "queued", 1)
    assert job.created_at == job.updated_at == "2026-11-22T01:02:03.000Z"
    assert ledger.get("2") is None


def test_the_ledger_of_an_older_version_goes_on_with_times_that_end_in_z(tmp_path):
    columns = "id, tool, run, arguments, issuer, subject, job_key, priority, status, epoch, losses, cancelling"
    values = "'1', 't', 'a:b', '{}', 'i', 's', 'k', 50, 'completed', 1, 0, 0"
    with Store.open(tmp_path / "jobs.sqlite3", MIGRATIONS[:1]) as store:
        store.execute(
            f"INSERT INTO jobs ({columns}, questions, answers, created_at, updated_at, finished_at) VALUES ({values},"
            " '{}', '{}', '2026-11-22T01:02:03.000+00:00', '2026-11-22T01:02:04.000+00:00', NULL)"
        )

    with Store.open(tmp_path / "jobs.sqlite3", MIGRATIONS) as store:
        job = Ledger(store, lambda: NOW).get("1")

    assert (job.created_at, job.updated_at) == ("2026-11-22T01:02:03.000Z", "2026-11-22T01:02:04.000Z")
    assert (job.finished_at, job.request_id) == (None, None)


def test_what_waits_is_counted_and_the_oldest_that_is_not_finished_is_found(ledger, job):
    ledger.create("2", "t", ADA, Work("a:b"))
    assert ledger.waiting() == (2, "2026-11-22T01:02:03.000Z")
    ledger.claim("1", 1, "x")
    assert ledger.waiting() == (1, "2026-11-22T01:02:03.000Z")
    ledger.finish("1", 1, "completed")
    ledger.cancel("2")
    assert ledger.waiting() == (0, None)


def test_only_one_executor_s_claim_under_the_present_epoch_holds(ledger, job):
    claimed = ledger.claim("1", 1, "x")
    assert (claimed.status, claimed.executor) == ("working", "x")
    assert ledger.claim("1", 2, "y") is None
    assert ledger.claim("2", 1, "y") is None


def test_what_a_former_executor_still_says_changes_nothing(ledger, job):
    ledger.claim("1", 1, "x")
    again = ledger.take_over("1", 1, lost=True)
    assert (again.status, again.epoch, again.executor) == ("queued", 2, None)

    assert not ledger.note_progress("1", 1, Progress(1))
    assert not ledger.ask("1", 1, {"sure": {}})
    assert not ledger.finish("1", 1, "completed", result="late")
    assert ledger.claim("1", 1, "x") is None
    assert ledger.get("1") == again

    ledger.claim("1", 2, "y")
    assert ledger.finish("1", 2, "completed", result="in time")
    assert ledger.get("1").result == "in time"


def test_of_two_who_take_a_job_over_one_does(ledger, job):
    assert ledger.take_over("1", 1, lost=True) is not None
    assert ledger.take_over("1", 1, lost=True) is None
    assert ledger.losses("1") == 1


def test_the_first_end_is_the_only_one(ledger, job):
    ledger.claim("1", 1, "x")
    assert ledger.finish("1", 1, "completed", result={"a": 1})
    ended = ledger.get("1")
    assert not ledger.finish("1", 1, "failed", error={"refused": {}})
    assert ledger.take_over("1", 1, lost=True) is None
    assert ledger.cancel("1") == (ended, False)
    assert ended.finished_at is not None


def test_cancelling_a_job_that_runs_waits_for_its_executor(ledger, job):
    ledger.claim("1", 1, "x")
    told, ended_now = ledger.cancel("1")
    assert not ended_now
    assert (told.status, told.cancelling) == ("working", True)
    assert ledger.finish("1", 1, "cancelled")


def test_answers_outlive_the_executor_that_asked(ledger, job):
    ledger.claim("1", 1, "x")
    ledger.ask("1", 1, {"sure": {"message": "Sure?"}, "really": {"message": "Really?"}})
    ledger.answer("1", {"sure": {"action": "accept"}, "unasked": {"action": "accept"}})
    ledger.take_over("1", 1, lost=True)
    again = ledger.claim("1", 2, "y")
    assert (again.answers, again.questions) == ({"sure": {"action": "accept"}}, {})


def test_jobs_are_listed_newest_first_and_finished_ones_if_asked_for(ledger, job):
    ledger.create("2", "t", ADA, Work("a:b"))
    ledger.cancel("2")
    assert [one.id for one in ledger.latest(10)] == ["1", "2"]
    assert [one.id for one in ledger.latest(10, unfinished=True)] == ["1"]
    assert len(ledger.latest(1)) == 1
    assert ledger.unfinished_of(ADA) == 1
    assert ledger.unfinished_of(Owner("https://one.example", "bob")) == 0


def test_finished_jobs_are_forgotten_in_time(ledger, job):
    ledger.create("2", "t", ADA, Work("a:b"))
    ledger.cancel("2")
    assert ledger.forget_finished(timedelta(seconds=1)) == []
    assert ledger.forget_finished(timedelta(seconds=-1)) == ["2"]
    assert ledger.get("1") is not None


def test_an_executor_is_known_from_its_first_beat_to_its_goodbye(ledger):
    for _ in range(3):
        ledger.beat("x", "machine", 7)
    assert ledger.executors() == [{"id": "x", "host": "machine", "pid": 7, "beats": 3}]
    ledger.goodbye("x")
    assert ledger.executors() == []
