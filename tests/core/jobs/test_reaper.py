"""Who is taken for dead."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")

from packhorse.jobs import reaper
from packhorse.jobs.reaper import Reaper, this_machine


def executor(number, *, host="elsewhere", pid=1, beats=1):
    return {"id": f"x{number}", "host": host, "pid": pid, "beats": beats}


@pytest.fixture
def watch(monkeypatch):
    """The reaper's watch, to be put forward by hand."""
    shown = [100.0]
    monkeypatch.setattr(reaper, "monotonic", lambda: shown[0])
    return shown


def test_an_executor_elsewhere_is_dead_when_its_heart_has_stopped_for_long_enough(watch):
    looking = Reaper("me", silent_seconds=30)
    assert looking.dead([executor(1), executor(2)]) == set()
    watch[0] += 30
    assert looking.dead([executor(1), executor(2, beats=2)]) == set()
    watch[0] += 1
    assert looking.dead([executor(1), executor(2, beats=2)]) == {"x1"}


def test_one_never_seen_before_is_given_time(watch):
    looking = Reaper("me", silent_seconds=30)
    watch[0] += 1000
    assert looking.dead([executor(1)]) == set()


def test_one_that_was_only_slow_lives_again(watch):
    looking = Reaper("me", silent_seconds=30)
    looking.dead([executor(1)])
    watch[0] += 31
    assert looking.dead([executor(1)]) == {"x1"}
    assert looking.dead([executor(1, beats=2)]) == set()


def test_on_this_machine_the_process_itself_is_looked_for(watch):
    looking = Reaper("me", silent_seconds=30)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as living:
        here = executor(1, host=this_machine(), pid=living.pid)
        assert looking.dead([here]) == set()
        living.communicate(b"\n")
    assert looking.dead([here]) == {"x1"}
    assert looking.dead([executor(2, pid=living.pid)]) == set()  # the same number on another machine


def test_one_that_had_our_own_number_is_gone():
    looking = Reaper("me")
    before_us = executor(1, host=this_machine(), pid=os.getpid())
    assert looking.dead([before_us]) == {"x1"}


def test_nobody_takes_themselves_for_dead(watch):
    looking = Reaper("x1", silent_seconds=30)
    me = executor(1, host=this_machine(), pid=os.getpid())
    looking.dead([me])
    watch[0] += 1000
    assert looking.dead([me]) == set()
