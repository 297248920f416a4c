"""Processes that are killed while they write leave a record that holds, with every row that was promised."""

import os
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.core.audit.factories import KEY, edited, recorded

from packhorse.audit import rows, verify

pytestmark = pytest.mark.drill

WRITERS = 8
ROUNDS = 3
LINES = 150
"""A writer is killed when it has said so many lines at the most; at the least one, which it says before it opens."""

ROOT = Path(__file__).parents[3]
SCRIPT = Path(__file__).with_name("killed_writer.py")


def run_and_kill(file, after):
    """The rows that a writer promised before it was killed, which is when it has said ``after`` lines."""
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    with subprocess.Popen(
        [sys.executable, SCRIPT, file], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
    ) as writer:
        lines = [writer.stdout.readline() for _ in range(after)]
        writer.kill()
        lines += writer.stdout.readlines()
    assert writer.wait() == -signal.SIGKILL  # and not of an error of its own, before
    return [line.decode().strip() for line in lines if line.endswith(b"\n") and line != b"opening\n"]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")
def test_eight_writers_killed_at_any_moment_leave_a_record_that_holds(file):
    chance = random.Random(20260301)
    promised = []
    for _ in range(ROUNDS):
        with ThreadPoolExecutor(WRITERS) as pool:
            for told in pool.map(run_and_kill, [file] * WRITERS, chance.choices(range(1, LINES), k=WRITERS)):
                promised += told
        report = verify(file, key=KEY)
        assert report.ok, report.problem

    written = {row["body"]["id"]: row["seq"] for row in rows(file)}
    assert len(promised) > WRITERS * ROUNDS
    assert set(promised) <= set(written)
    begun = sum(row["body"]["type"] == "begin" for row in rows(file))
    ended = {row["body"]["begin"] for row in rows(file) if row["body"]["type"] == "end"}
    assert 0 <= begun - len(ended) <= WRITERS * ROUNDS  # of each that was killed, one call at the most is open
    print(f"{WRITERS * ROUNDS} kills, {report.rows} rows, {len(promised)} promised, {begun - len(ended)} open")

    # The anchor covers whatever was promised: cut off any of it, and that is found.
    last = max(written[identity] for identity in promised)
    assert report.anchored >= last
    recorded(file, calls=1)  # and the record goes on
    assert verify(file, key=KEY).ok
    edited(file, f"DELETE FROM entry WHERE seq >= {last}")
    assert verify(file, key=KEY).first_bad == last
