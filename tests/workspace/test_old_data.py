"""Data written by commit c8c813e opens in this version: stores, jobs, one of them unfinished, and the audit record."""

import os
import re
import sqlite3
import sys
import tarfile
from contextlib import closing
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest

from packhorse.audit import verify
from packhorse.store.permissions import exposed

sys.path.insert(0, str(Path(__file__).parent))
from every_pack import Server, deployment_on

ARCHIVE = Path(__file__).parent / "old_data" / "c8c813e.tar.xz"
PACKS = {"circadian", "discovery", "locator", "pai", "scheduling"}
FINISHED = "a5e940f3-4a46-5f82-c3a9-e8535f119c2f"
UNFINISHED = "3b49ec37-ef29-13ef-f419-cd868377bbe3"

pytestmark = [
    pytest.mark.skipif(
        not {point.name for point in entry_points(group="packhorse")} >= PACKS, reason="not every pack is installed"
    ),
    pytest.mark.skipif(find_spec("dbos") is None, reason="the extra jobs is not installed"),
]


@pytest.fixture
def data(tmp_path):
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path / "data", filter="data")
    return tmp_path / "data"


def rows(path):
    with closing(sqlite3.connect(path)) as connection:
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith("sqlite_")
        ]
        return {table: connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in tables}


# In that version a fact held for some minutes; now it holds for a version of the data, which none of those names. The
# locator counted the words of its names from its records, which remain.
LAPSED = {("pai", "facts"), ("locator", "name_words")}


def test_every_store_is_brought_to_this_version_and_loses_no_row(data):
    before = {path.parent.name: rows(path) for path in data.glob("*/store.sqlite3")}
    deployment = deployment_on(data)

    assert set(before) == {"discovery", "locator", "pai", "scheduling"}
    for pack in deployment.catalogue.packs:
        name = pack.found.name
        if name not in before:
            continue
        with deployment.hosts[name].store() as store:
            (version,) = store.query("PRAGMA user_version")
        after = rows(data / name / "store.sqlite3")
        assert version["user_version"] == len(pack.pack.migrations)
        kept = {table: count for table, count in before[name].items() if (name, table) not in LAPSED}
        assert {table: count for table, count in kept.items() if after.get(table, 0) < count} == {}


def test_the_record_holds_and_goes_on(data):
    before = verify(data / "audit.sqlite3")
    with Server(data) as server:
        server.call("search_by_name", {"first_name": "Jose", "last_name": "Hernandez"})
    after = verify(data / "audit.sqlite3")

    assert (before.ok, before.rows) == (True, 40)
    assert (after.ok, after.rows > before.rows) == (True, True)


@pytest.mark.skipif(os.name != "posix", reason="modes of files are of POSIX")
def test_what_it_left_readable_for_others_is_closed_by_the_first_start(data):
    assert exposed(data)
    with Server(data):
        pass

    assert exposed(data) == []


@pytest.mark.drill
def test_what_was_asked_then_is_answered_now_and_the_unfinished_job_ends(data):
    """The executor of the job is gone: it is taken over once it has been silent for half a minute.

    It was to make days of summer 2026 again, which have passed; that version allowed it, and this one refuses.
    """
    with Server(data) as server:
        done = server.call("job_result", {"job_id": FINISHED})
        watched = server.call("review_watches", {})
        lawful = server.call("validate_schedule", {})
        left = server.end_of({"job_id": UNFINISHED})

    assert done["schedule_id"] == FINISHED
    assert "S0011" in str(watched)
    assert lawful
    assert left["status"] == "failed"
    assert re.search(r"`end_date` 2026-08-02 is in the past .* \[VALIDATION_ERROR\]", left["reason"])
