"""What is left of jobs when the process that works on them is killed."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.core.jobs import executor, labour
from tests.core.live import wait_for

from packhorse.contract.clock import system_clock
from packhorse.jobs.ledger import opened

pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")

pytestmark = pytest.mark.drill

JOBS = 20
ROUNDS = int(os.environ.get("PACKHORSE_CRASH_ROUNDS", "1"))
"""How often each test is repeated; a release repeats them 20 times."""

ROOT = Path(__file__).parents[3]


class Executors:
    """Processes that work on the jobs of one database."""

    def __init__(self, where: str, folder: Path) -> None:
        self.where = where
        self.folder = folder
        self._started: list[subprocess.Popen[str]] = []

    def start(self, *jobs: str) -> subprocess.Popen[str]:
        with (self.folder / f"stderr-{len(self._started)}").open("w") as errors:
            process = subprocess.Popen(
                [sys.executable, executor.__file__, self.where, *jobs],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
            )
        self._started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    def end(self) -> None:
        for process in self._started:
            process.kill()
            process.communicate()

    def jobs(self):
        with opened(executor.databases(self.where).ledger, system_clock) as ledger:
            return ledger.latest(100)

    def all_finished(self) -> bool:
        found = self.jobs()
        return len(found) == JOBS and all(job.is_finished for job in found)


@pytest.fixture
def executors(tmp_path):
    made: list[Executors] = []

    def make(where: str) -> Executors:
        made.append(Executors(where, tmp_path))
        return made[-1]

    yield make
    for one in made:
        one.end()


def lines(folder: Path, word: str) -> Counter[int]:
    """How often each job said so."""
    return Counter(int(number) for said, number in map(str.split, labour.lines(folder)) if said == word)


def ended(folder: Path) -> Counter[int]:
    return lines(folder, "end")


def check(executors: Executors, in_flight: int) -> None:
    jobs = executors.jobs()
    assert {job.status for job in jobs} == {"completed"}
    assert sorted(job.result["number"] for job in jobs) == list(range(JOBS))
    # One that had left the queue and not begun is taken over too, and is begun once.
    again = {number for number, times in lines(executors.folder, "begin").items() if times > 1}
    assert len(again) <= in_flight
    # Whatever was not in flight at the kill ran once; what was may have got to its last line and no further.
    ends = ended(executors.folder)
    assert set(ends) == set(range(JOBS))
    assert all(times == 1 for number, times in ends.items() if number not in again)


@pytest.mark.parametrize("repetition", range(ROUNDS))
def test_twenty_jobs_survive_a_kill_and_give_twenty_results_on_sqlite(executors, tmp_path, repetition):
    several = executors(str(tmp_path / "db"))
    first = several.start(str(tmp_path), str(JOBS), "0.1")
    wait_for(lambda: ended(tmp_path).total() >= 6, "six of the jobs")
    first.kill()
    first.wait()
    assert ended(tmp_path).total() < JOBS

    several.start()
    wait_for(several.all_finished, "all jobs after the kill")

    check(several, in_flight=2)


@pytest.mark.parametrize("repetition", range(ROUNDS))
def test_on_postgresql_the_living_one_of_two_executors_does_the_dead_one_s_jobs(
    executors, tmp_path, new_database, repetition
):
    several = executors(new_database())
    first = several.start(str(tmp_path), str(JOBS), "0.1")
    several.start()
    wait_for(lambda: ended(tmp_path).total() >= 6, "six of the jobs")
    first.kill()
    first.wait()

    wait_for(several.all_finished, "all jobs after the kill")

    check(several, in_flight=2)


def test_a_stopped_executor_gives_its_jobs_back_and_another_ends_them(executors, tmp_path):
    several = executors(str(tmp_path / "db"))
    first = several.start(str(tmp_path), str(JOBS), "0.1")
    wait_for(lambda: ended(tmp_path).total() >= 2, "two of the jobs")
    first.communicate("")
    assert first.returncode == 0

    several.start()
    wait_for(several.all_finished, "all jobs after the stop")

    check(several, in_flight=2)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this platform cannot stop a process and let it go on")
def test_an_executor_that_was_only_slow_does_no_harm(executors, tmp_path, new_database):
    several = executors(new_database())
    slow = several.start(str(tmp_path), str(JOBS), "0.1")
    wait_for(lambda: ended(tmp_path).total() >= 2, "two of the jobs")
    slow.send_signal(signal.SIGSTOP)
    several.start()
    wait_for(several.all_finished, "all jobs while it stood still")
    before = several.jobs()

    slow.send_signal(signal.SIGCONT)
    slow.communicate("")

    assert slow.returncode == 0
    assert several.jobs() == before
    check(several, in_flight=2)
