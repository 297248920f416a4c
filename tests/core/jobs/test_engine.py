"""Jobs from the outside, on one engine with its files in a folder."""

import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from tests.core.jobs import labour
from tests.core.live import wait_for

from packhorse import Image, Link, PackError, Principal, Reply, Text, UserError
from packhorse.contract.clock import system_clock
from packhorse.contract.principal import LOCAL
from packhorse.jobs import Owner, Progress, Work, attempt
from packhorse.jobs.engine import Databases, Engine
from packhorse.jobs.handle import handle_of, result_of
from packhorse.jobs.ledger import opened

pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")

ADA = Owner.of(Principal("human", "ada", claims={"iss": "https://one.example"}))
BOB = Owner.of(Principal("human", "bob", claims={"iss": "https://one.example"}))
OTHER_ADA = Owner.of(Principal("human", "ada", claims={"iss": "https://other.example"}))
AGENT_ADA = Owner.of(Principal("agent", "ada", claims={"iss": "https://one.example"}))
ADMIN = Owner.of(Principal("human", "eve", frozenset({"ADMIN"}), claims={"iss": "https://one.example"}))
NOBODY = Owner.of(Principal("anonymous"))


def work(name, **arguments):
    return Work(f"tests.core.jobs.labour:{name}", arguments)


def end_of(engine, job, owner=ADA):
    wait_for(lambda: engine.get(job.id, owner).is_finished, f"the end of {job.run}")
    return engine.get(job.id, owner)


def refusal_of(engine, job, owner=ADA):
    ended = end_of(engine, job, owner)
    assert ended.status == "failed"
    return ended.error["refused"]


# --- what comes out ---


def test_a_job_gives_what_its_function_returned_and_its_last_progress(engine):
    job = engine.start("adding", work("add", a=1, b=2), ADA)
    assert (job.status, job.tool, job.arguments) == ("queued", "adding", {"a": 1, "b": 2})

    ended = end_of(engine, job)
    assert (ended.status, ended.result, ended.progress) == ("completed", {"sum": 3}, Progress(1, 2, "half of it"))
    assert ended.error is None
    assert ended.created_at <= ended.finished_at


def test_a_refusal_keeps_its_words_code_and_details(engine):
    assert refusal_of(engine, engine.start("t", work("refuse"), ADA)) == {
        "message": "There are no people to plan for.",
        "code": "NO_PEOPLE",
        "jsonrpc_code": -32602,
        "details": {"people": 0},
    }


def test_a_protocol_error_stays_one(engine):
    ended = end_of(engine, engine.start("t", work("break_protocol"), ADA))
    assert ended.status == "failed"
    assert ended.error["protocol"] == {
        "code": -32603,
        "message": "It went up in smoke.",
        "data": {"error_type": "boom"},
    }


@pytest.mark.parametrize(
    ("name", "arguments", "memory_mb", "code", "says"),
    [
        pytest.param("stumble", {"secret": "hunter2"}, None, "INTERNAL_ERROR", "Something went wrong", id="a bug"),
        pytest.param("nothing_here", {}, None, "INTERNAL_ERROR", "Something went wrong", id="no such function"),
        pytest.param("hoard", {}, 512, "OUT_OF_MEMORY", "the 512 MB", id="too much memory"),
        pytest.param("die", {}, None, "WORK_DIED", "SIGABRT", id="a process that aborts"),
        pytest.param(
            "flood", {}, None, "ANSWER_TOO_LARGE", "the limit for a job is 16,777,216", id="too large a result"
        ),
    ],
)
def test_what_goes_wrong_is_told_without_repeating_input(engine, caplog, name, arguments, memory_mb, code, says):
    named = Work(f"tests.core.jobs.labour:{name}", arguments, memory_mb=memory_mb)
    refusal = refusal_of(engine, engine.start("t", named, ADA))

    assert refusal["code"] == code
    assert says in refusal["message"]
    assert "hunter2" not in str(refusal)
    assert "hunter2" not in caplog.text


def test_a_bug_is_logged_by_type_and_frames_under_the_request_that_its_caller_reads(engine, caplog):
    job = engine.start("t", work("stumble", secret="hunter2"), ADA, "00ff00ff00ff00ff")
    refusal = refusal_of(engine, job)

    assert refusal["message"].endswith("in the log under request 00ff00ff00ff00ff.")
    (record,) = [record for record in caplog.records if record.levelname == "ERROR"]
    (exception,) = record.exception
    assert exception["type"] == "ValueError"
    assert exception["frames"][-1].endswith(" stumble")
    assert (record.job, record.tool) == (job.id, "t")
    assert "hunter2" not in caplog.text + str(vars(record))


def test_what_the_work_logs_is_logged_here_in_the_same_form(engine, caplog):
    caplog.set_level("INFO")
    job = engine.start("t", work("log_something", secret="hunter2"), ADA, "00ff00ff00ff00ff")
    end_of(engine, job)

    records = {record.getMessage(): record for record in caplog.records if record.name == "packhorse_labour"}
    assert list(records) == ["the work goes on", "the work stumbled"]
    assert {record.job for record in records.values()} == {job.id}
    assert records["the work stumbled"].exception[0]["type"] == "ValueError"
    assert "hunter2" not in str([vars(record) for record in caplog.records])


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        pytest.param("model", {"confirm": True}, id="a pydantic model"),
        pytest.param("dataclass", {"number": 7, "day": "2026-01-31"}, id="a dataclass"),
        pytest.param("attrs", {"name": "ada", "point": {"number": 7, "day": "2026-01-31"}}, id="an attrs class"),
        pytest.param("list", {"result": [{"confirm": True}]}, id="a list of models"),
        pytest.param("text", {"result": "plain"}, id="text"),
        pytest.param("image", Reply({}, (Image(b"\x89PNG"),)), id="an image"),
        pytest.param(
            "reply", Reply({"confirm": True}, (Text("Yes."), Link("a://b", "b")), {"key": 1}), id="words and data"
        ),
    ],
)
def test_a_job_may_return_what_a_tool_may(engine, kind, answer):
    assert result_of(end_of(engine, engine.start("t", work("give", kind=kind), BOB), BOB)) == answer


def test_a_result_that_no_tool_may_return_is_a_bug(engine):
    assert refusal_of(engine, engine.start("t", work("give", kind="object"), BOB), BOB)["code"] == "INTERNAL_ERROR"


def test_a_failed_job_s_status_says_why_and_no_other_does(engine):
    refused = end_of(engine, engine.start("t", work("refuse"), ADA))
    done = end_of(engine, engine.start("t", work("add", a=1, b=2), ADA))

    assert handle_of(refused)["reason"] == "There are no people to plan for. [NO_PEOPLE]"
    assert "reason" not in handle_of(done)


def test_every_end_is_told_once_with_how_it_ended(engine, tmp_path):
    ended = []
    engine.finished = lambda job: ended.append((job.id, job.status))
    busy = [engine.start("t", work("work_for_ever", folder=str(tmp_path)), owner) for owner in (ADA, BOB)]
    wait_for(lambda: len(labour.lines(tmp_path)) == 2, "both to begin")
    waiting = engine.start("t", work("add", a=1, b=2), ADA)
    for job, owner in ((waiting, ADA), (busy[0], ADA), (busy[1], BOB), (busy[0], ADA)):
        engine.cancel(job.id, owner)
        end_of(engine, job, owner)
    refused = end_of(engine, engine.start("t", work("refuse"), ADA))
    wait_for(lambda: len(ended) == 4, "four ends")
    engine.finished = lambda job: None

    assert sorted(ended) == sorted([(job.id, "cancelled") for job in (waiting, *busy)] + [(refused.id, "failed")])


def test_what_waits_and_for_how_long_is_measured(engine, tmp_path):
    assert engine.waiting() == (0, 0.0)
    busy = [engine.start("t", work("work_for_ever", folder=str(tmp_path)), owner) for owner in (ADA, BOB)]
    wait_for(lambda: len(labour.lines(tmp_path)) == 2, "both to begin")
    waiting = engine.start("t", work("add", a=1, b=2), ADA)

    jobs, seconds = engine.waiting()
    assert (jobs, seconds > 0) == (1, True)
    for job, owner in ((waiting, ADA), *zip(busy, (ADA, BOB), strict=True)):
        engine.cancel(job.id, owner)
        end_of(engine, job, owner)


def test_the_process_is_not_given_the_deployment_s_secrets(engine, monkeypatch):
    monkeypatch.setenv("PACKHORSE_TOKEN", "secret")
    monkeypatch.setenv("JWT_SECRET_KEY", "secret")
    monkeypatch.setenv("WORKBENCH", "kept")

    names = end_of(engine, engine.start("t", work("environment"), ADA)).result
    assert "WORKBENCH" in names
    assert [name for name in names if name.startswith(("PACKHORSE", "JWT"))] == []


def test_a_job_that_runs_longer_than_it_may_is_ended(engine, tmp_path):
    forever = Work("tests.core.jobs.labour:work_for_ever", {"folder": str(tmp_path)}, seconds=0.5)
    assert refusal_of(engine, engine.start("t", forever, ADA))["code"] == "TIMEOUT"


# --- cancelling ---


@pytest.mark.parametrize("name", ["work_for_ever", "ignore_the_signal"])
def test_a_cancelled_job_ends_whether_it_heeds_the_signal_or_not(engine, tmp_path, name):
    job = engine.start("t", work(name, folder=str(tmp_path)), ADA)
    wait_for(lambda: labour.lines(tmp_path), "the work to begin")

    assert engine.cancel(job.id, ADA).cancelling
    ended = end_of(engine, job)
    assert (ended.status, ended.result) == ("cancelled", None)


def test_a_cancelled_solve_ends_with_its_process(engine, tmp_path):
    pytest.importorskip("ortools", reason="ortools is not installed")
    job = engine.start("t", work("solve", folder=str(tmp_path)), ADA)
    wait_for(lambda: labour.lines(tmp_path), "the solver to begin")
    pid = int(labour.lines(tmp_path)[0].removeprefix("pid "))
    assert _runs(pid)

    engine.cancel(job.id, ADA)
    assert end_of(engine, job).status == "cancelled"
    assert not _runs(pid)  # before it is noted, and not some time after


def test_all_that_a_cancellation_waits_for_is_within_two_seconds():
    assert attempt.TICK_SECONDS + attempt.GRACE_SECONDS < 2


def test_what_a_job_has_started_ends_with_it(engine, tmp_path):
    job = engine.start("t", work("start_another", folder=str(tmp_path)), ADA)
    wait_for((tmp_path / "beats").exists, "the other process")
    engine.cancel(job.id, ADA)
    end_of(engine, job)

    pid = int(labour.lines(tmp_path)[0].removeprefix("pid "))
    wait_for(lambda: not _runs(pid), "the end of the other process")


def _runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def test_a_job_that_waits_is_cancelled_at_once_and_never_begins(engine, tmp_path):
    running = [engine.start("t", work("work_for_ever", folder=str(tmp_path)), owner) for owner in (ADA, BOB)]
    wait_for(lambda: len(labour.lines(tmp_path)) == 2, "both to begin")
    waiting = engine.start("t", work("mark", number=1, folder=str(tmp_path), seconds=0), ADA)

    assert engine.cancel(waiting.id, ADA).status == "cancelled"
    for job, owner in zip(running, (ADA, BOB), strict=True):
        engine.cancel(job.id, owner)
        end_of(engine, job, owner)
    after = engine.start("t", work("add", a=1, b=1), ADA)
    end_of(engine, after)
    assert labour.lines(tmp_path) == ["begin", "begin"]


# --- keys, order and bounds ---


def test_the_same_key_is_the_same_job_until_it_came_to_nothing(engine):
    first = engine.start("t", Work("tests.core.jobs.labour:add", {"a": 1, "b": 2}, key="k"), ADA)
    end_of(engine, first)
    again = engine.start("t", Work("tests.core.jobs.labour:add", {"a": 5, "b": 5}, key="k"), ADA)
    assert (again.id, again.result) == (first.id, {"sum": 3})
    for other in (
        engine.start("other", Work("tests.core.jobs.labour:refuse", key="k"), ADA),
        engine.start("t", Work("tests.core.jobs.labour:add", {"a": 1, "b": 2}, key="k"), BOB),
    ):
        assert other.id != first.id
        end_of(engine, other, Owner(other.owner.issuer, other.owner.subject))

    failed = engine.start("t", Work("tests.core.jobs.labour:refuse", key="f"), ADA)
    end_of(engine, failed)
    retried = engine.start("t", Work("tests.core.jobs.labour:add", {"a": 0, "b": 0}, key="f"), ADA)
    assert retried.id != failed.id
    assert end_of(engine, retried).status == "completed"
    assert engine.get(failed.id, ADA).status == "failed"


def test_the_more_urgent_runs_first(engine, tmp_path):
    busy = [engine.start("t", work("work_for_ever", folder=str(tmp_path)), owner) for owner in (ADA, BOB)]
    wait_for(lambda: len(labour.lines(tmp_path)) == 2, "both to begin")
    for number, (priority, owner) in enumerate([(90, ADA), (5, BOB), (40, OTHER_ADA), (1, AGENT_ADA)]):
        arguments = {"number": number, "folder": str(tmp_path), "seconds": 0}
        engine.start("t", Work("tests.core.jobs.labour:mark", arguments, priority=priority), owner)
    engine.cancel(busy[0].id, ADA)
    # One place is free, so that they run one after the other.
    wait_for(lambda: len(labour.lines(tmp_path)) == 10, "all four")
    engine.cancel(busy[1].id, BOB)
    end_of(engine, busy[1], BOB)

    assert [line for line in labour.lines(tmp_path) if line.startswith("end")] == ["end 3", "end 1", "end 2", "end 0"]


def test_a_caller_has_only_so_many_jobs_at_a_time(engine, tmp_path):
    several = [engine.start("t", work("work_for_ever", folder=str(tmp_path)), OTHER_ADA) for _ in range(3)]
    with pytest.raises(UserError, match="3 jobs waiting or running") as caught:
        engine.start("t", work("add", a=1, b=2), OTHER_ADA)
    assert (caught.value.code, caught.value.details) == ("TOO_MANY_JOBS", {"limit": 3})

    another = engine.start("t", work("refuse"), ADA)
    for job in several:
        engine.cancel(job.id, OTHER_ADA)
    for job in several:
        end_of(engine, job, OTHER_ADA)
    end_of(engine, another)
    end_of(engine, engine.start("t", work("add", a=1, b=2), OTHER_ADA), OTHER_ADA)


# --- whose it is ---


@pytest.mark.parametrize("stranger", [BOB, OTHER_ADA, AGENT_ADA, NOBODY], ids=["bob", "issuer", "kind", "nobody"])
def test_a_job_of_somebody_else_is_as_one_that_is_not_there(engine, stranger):
    job = engine.start("t", work("add", a=1, b=2), ADA)

    for job_id in (job.id, "0" * 32):
        assert engine.get(job_id, stranger) is None
        assert engine.cancel(job_id, stranger) is None
        assert engine.answer(job_id, stranger, {"sure": {"action": "accept"}}) is None
    assert end_of(engine, job).status == "completed"


@pytest.mark.parametrize("who", [ADMIN, Owner.of(LOCAL)], ids=["an administrator", "the deployer's own machine"])
def test_some_see_every_job(engine, who):
    job = engine.start("t", work("add", a=1, b=2), ADA)
    assert engine.get(job.id, who).id == job.id
    end_of(engine, job)


# --- questions ---


def test_a_job_asks_and_goes_on_when_every_question_is_answered(engine, tmp_path):
    job = engine.start("t", work("ask", folder=str(tmp_path)), ADA)
    wait_for(lambda: engine.get(job.id, ADA).status == "input_required", "the questions")
    asked = engine.get(job.id, ADA).questions
    assert {key: value["message"] for key, value in asked.items()} == {"sure": "Delete it?", "really": "Really?"}
    assert asked["sure"]["schema"]["properties"]["confirm"]["type"] == "boolean"

    engine.answer(job.id, ADA, {"sure": {"action": "accept", "content": {"confirm": True}}, "unasked": {}})
    half = engine.get(job.id, ADA)
    assert (half.status, set(half.questions)) == ("input_required", {"really"})
    engine.answer(job.id, ADA, {"really": {"action": "decline"}})

    assert end_of(engine, job).result == [True, "Declined"]


def test_an_answer_that_is_not_of_the_form_fails_the_job(engine, tmp_path):
    job = engine.start("t", work("ask", folder=str(tmp_path)), ADA)
    wait_for(lambda: engine.get(job.id, ADA).status == "input_required", "the questions")
    answer = {"action": "accept", "content": {"confirm": "perhaps"}}
    engine.answer(job.id, ADA, {"sure": answer, "really": answer})

    assert refusal_of(engine, job)["code"] == "NO_ANSWER"


def test_a_job_that_waits_for_an_answer_can_be_cancelled(engine, tmp_path):
    job = engine.start("t", work("ask", folder=str(tmp_path)), ADA)
    wait_for(lambda: engine.get(job.id, ADA).status == "input_required", "the questions")
    engine.cancel(job.id, ADA)
    assert end_of(engine, job).status == "cancelled"


# --- the engine itself ---


def test_every_change_of_a_job_is_told(engine):
    told = []
    engine.changed = told.append
    try:
        job = engine.start("t", work("add", a=1, b=2), ADA)
        end_of(engine, job)
        wait_for(lambda: len(told) >= 2, "the notices")
    finally:
        engine.changed = lambda job_id: None
    assert set(told) == {job.id}


def test_an_engine_without_unfinished_jobs_starts_nothing(tmp_path):
    threads = threading.active_count()
    idle = Engine(Databases.in_folder(tmp_path))
    idle.begin()
    idle.close()
    assert threading.active_count() == threads
    assert [file.name for file in tmp_path.iterdir() if "queue" in file.name] == []


def test_an_engine_that_was_closed_begins_anew(tmp_path):
    idle = Engine(Databases.in_folder(tmp_path))
    for _ in range(2):
        idle.begin()
        idle.close()
    assert idle.latest(1) == []


def test_one_that_does_not_work_leaves_its_jobs_to_others(tmp_path):
    script = """
import sys
from pathlib import Path
from packhorse.jobs import Owner, Work
from packhorse.settings import JobSettings
from packhorse.jobs.engine import Databases, Engine
engine = Engine(Databases.in_folder(Path(sys.argv[1])))
engine.begin(works=False)
print(engine.start("t", Work("a:b"), Owner("i", "s")).id)
engine.close()
"""
    ran = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    with opened(Databases.in_folder(tmp_path).ledger, system_clock) as ledger:
        assert ledger.get(ran.stdout.strip()).status == "queued"
        assert ledger.executors() == []


def test_one_that_waits_finds_what_others_left_in_the_files(tmp_path):
    script = """
import sys
from pathlib import Path
from packhorse.settings import JobSettings
from packhorse.jobs.engine import Databases, Engine
engine = Engine(Databases.in_folder(Path(sys.argv[1])), beat_seconds=0.2)
engine.begin()
print("ready", flush=True)
sys.stdin.read()
engine.close()
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as waiting:
        assert waiting.stdout.readline() == "ready\n"
        with opened(Databases.in_folder(tmp_path).ledger, system_clock) as ledger:
            ledger.create("1", "t", ADA, Work("packhorse.nothing:here"))
            wait_for(lambda: ledger.get("1").is_finished, "the job that was left there")
        waiting.communicate("")
    assert waiting.returncode == 0


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        pytest.param({"run": "os.system"}, "module:qualname", id="no function"),
        pytest.param({"run": "a:b", "priority": 0}, "from 1", id="priority below the range"),
        pytest.param({"run": "a:b", "priority": 101}, "to 100", id="priority above the range"),
        pytest.param({"run": "a:b", "memory_mb": 0}, "memory_mb", id="no memory"),
        pytest.param({"run": "a:b", "seconds": 0}, "seconds", id="no time"),
        pytest.param({"run": "a:b", "arguments": {"x": timedelta()}}, "not JSON", id="arguments that are not JSON"),
        pytest.param({"run": "a:b", "arguments": {"x": float("nan")}}, "not JSON", id="not a number"),
    ],
)
def test_work_that_could_not_be_done_is_refused_to_the_pack(wrong, says):
    with pytest.raises(PackError, match=says):
        Work(**wrong)
