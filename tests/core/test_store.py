"""A pack's own database: transactions, migrations, and what goes wrong with files."""

import hashlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core.stores.test_contract import ADD_A, MORE, PEOPLE, in_one, names

from packhorse import PackError
from packhorse.store.sqlite import Store

pytestmark = pytest.mark.python


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite3"


@pytest.fixture
def store(path):
    with Store.open(path, [PEOPLE]) as opened:
        yield opened


# --- transactions ---


def test_a_transaction_that_sqlite_ends_by_itself_keeps_its_own_error(store):
    store.execute(ADD_A)

    with pytest.raises(sqlite3.IntegrityError):
        in_one(store, "INSERT OR ROLLBACK INTO people (name) VALUES ('a')")
    assert names(store) == ["a"]


# --- migrations ---


def columns(path: Path) -> list[str]:
    with sqlite3.connect(path) as connection:
        found = [row[1] for row in connection.execute("PRAGMA table_info(people)")]
    connection.close()
    return found


def test_a_migration_may_hold_several_statements_and_semicolons_within_them(path):
    script = """
    CREATE TABLE people (name TEXT); INSERT INTO people VALUES ('a;b'); -- one; two
    /* three; */ CREATE TABLE log (name TEXT);
    CREATE TRIGGER logged AFTER INSERT ON people BEGIN
        INSERT INTO log VALUES (new.name); INSERT INTO log VALUES ('again');
    END;
    INSERT INTO people VALUES ('c')
    -- the end"""

    with Store.open(path, [script]) as store:
        assert names(store) == ["a;b", "c"]
        assert store.query("SELECT name FROM log") == [{"name": "c"}, {"name": "again"}]


def test_a_file_of_a_newer_version_is_refused_and_stays_untouched(path):
    # Written by some later version that has left write-ahead logging, so that any change would show.
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE later (a)")
        connection.execute("PRAGMA user_version = 3")
    connection.close()
    before = hashlib.sha256(path.read_bytes()).hexdigest()

    with pytest.raises(PackError, match=r"by a newer version \(3 migrations; the installed one has 1\)"):
        Store.open(path, [PEOPLE])

    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [file.name for file in path.parent.iterdir()] == ["store.sqlite3"]


OPENER = """
import os
import sys
from pathlib import Path
from packhorse.store.sqlite import Store

print("ready", flush=True)
sys.stdin.readline()
store = Store.open(Path(sys.argv[1]), sys.argv[2:])
store.execute("INSERT INTO people (name) VALUES (:name)", name=str(os.getpid()))
"""


def test_two_processes_may_open_a_new_file_at_once(path):
    command = [sys.executable, "-c", OPENER, str(path), PEOPLE, *MORE, "UPDATE people SET visits = visits + 1"]
    openers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for opener in openers:
        assert opener.stdout.readline() == "ready\n"
    for opener in openers:
        opener.stdin.write("go\n")
        opener.stdin.flush()

    assert [(opener.communicate()[1], opener.returncode) for opener in openers] == [("", 0), ("", 0)]
    assert columns(path) == ["name", "visits", "city", "country"]


# --- files ---


def test_a_file_that_is_no_database_is_named_and_left_alone(path):
    path.write_text("Dear diary, " * 100)

    with pytest.raises(PackError, match=r"store\.sqlite3: the store cannot be opened \(file is not a"):
        Store.open(path, [PEOPLE])

    assert path.read_text() == "Dear diary, " * 100


def test_a_folder_that_is_not_there_is_refused_by_name(tmp_path):
    with pytest.raises(PackError, match=r"store\.sqlite3: the store cannot be opened"):
        Store.open(tmp_path / "nowhere" / "store.sqlite3")
