"""The clock that DBOS counts on, in an SQLite that lacks it."""

import sqlite3
import time
from contextlib import closing

import pytest

from packhorse.jobs.queue import SINCE, make_up_for, unixepoch


@pytest.mark.parametrize("call", ["unixepoch('subsec')", "unixepoch('now', 'subsec')"])
def test_a_connection_tells_the_time_to_the_millisecond(call):
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="comes with packhorse[jobs], which is not installed")
    make_up_for()
    make_up_for()
    engine = sqlalchemy.create_engine("sqlite://")
    with engine.connect() as connection:
        (told,) = connection.execute(sqlalchemy.text(f"SELECT {call} * 1000")).one()
    engine.dispose()

    assert abs(told / 1000 - time.time()) < 3600
    assert told == pytest.approx(round(told), abs=1e-3)


@pytest.mark.skipif(sqlite3.sqlite_version_info < SINCE, reason="this SQLite lacks it, which is what is made up for")
def test_a_newer_sqlite_tells_it_by_itself():
    with closing(sqlite3.connect(":memory:")) as connection:
        assert connection.execute("SELECT unixepoch('subsec')").fetchone()[0] > 0


def test_any_other_use_is_an_error_and_no_wrong_time():
    with pytest.raises(ValueError, match="only unixepoch"):
        unixepoch("2026-01-01")
