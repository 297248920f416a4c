"""Writers on one SQLite file that are killed at any moment: nothing that was acknowledged is lost."""

import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.core.stores import killed_writer

pytestmark = pytest.mark.drill

WRITERS = 8
SECONDS = float(os.environ.get("PACKHORSE_KILL_SECONDS", "4"))
"""How long they write and are killed; a release lets them for 30 s."""

KILL_EVERY_SECONDS = 0.2


class Writer:
    """One writer after the other under one name, and all that they acknowledged."""

    def __init__(self, file: Path, name: str) -> None:
        self.name = name
        self.acknowledged: list[int] = []
        self.errors: list[str] = []
        self.lives = 0
        self._file = file
        self.start()

    def start(self) -> None:
        # A committed line whose acknowledgement the kill swallowed may be there: each life has numbers of its own.
        first = 1_000_000 * self.lives + 1
        self.lives += 1
        command = [sys.executable, killed_writer.__file__, str(self._file), self.name, str(first)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self._reader.start()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()

    def _read(self, said) -> None:
        with said:
            for line in said:
                if not line.endswith(b"\n"):
                    return  # cut off in the middle: it was not acknowledged
                if line.strip().isdigit():
                    self.acknowledged.append(int(line))
                else:
                    self.errors.append(line.decode())


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL on this system")
def test_nothing_acknowledged_is_lost_and_no_lock_is_met(tmp_path):
    file = tmp_path / "store.sqlite3"
    chance = random.Random(2026)
    writers = [Writer(file, f"w{number}") for number in range(WRITERS)]
    try:
        while not all(writer.acknowledged or writer.errors for writer in writers):
            time.sleep(0.05)  # each has begun before any is killed
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            time.sleep(KILL_EVERY_SECONDS * 2 * chance.random())
            victim = chance.choice(writers)
            victim.kill()
            victim.start()
    finally:
        for writer in writers:
            writer.kill()

    acknowledged = {(writer.name, number) for writer in writers for number in writer.acknowledged}
    kills = sum(writer.lives for writer in writers)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = set(connection.execute("SELECT writer, number FROM lines"))
        ((total,),) = connection.execute("SELECT lines FROM totals")
    print(f"{len(acknowledged)} acknowledged, {len(rows)} kept, {kills} kills in {SECONDS:g} s")
    assert [error for writer in writers for error in writer.errors] == []
    assert acknowledged <= rows
    assert total == len(rows)
    assert len(rows) - len(acknowledged) <= kills  # at most the one line that each was killed over
    assert kills > WRITERS
