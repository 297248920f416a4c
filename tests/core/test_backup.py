"""A copy of all data, taken while it is written, and put back elsewhere."""

import json
import os
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime

import httpx2
import pytest
from tests.core.audit.factories import opened, recorded
from tests.core.live import Bench
from tests.core.raw_http import headers_of, message
from tests.core.seeds import install

from packhorse import PackError
from packhorse.audit import verify
from packhorse.cli.backup import MANIFEST, RECORD, backup, read, restore
from packhorse.compose.data_folder import DataFolder
from packhorse.settings import ServerSettings, Settings
from packhorse.store.permissions import exposed
from packhorse.store.sqlite import Store

WRITERS = 8
KEY = b"a key for the record, 32 bytes long"
NOTES = ["CREATE TABLE notes (writer INTEGER, number INTEGER, PRIMARY KEY (writer, number))"]
PACK = f'''
from packhorse import *

HOST = None
pack = Pack(title="Notes", migrations={NOTES!r})


def write(writer: int, number: int) -> int:
    """Write a note down. Give the writer and the number of the note."""
    with HOST.store() as store:
        store.execute("INSERT INTO notes VALUES (:writer, :number)", writer=writer, number=number)
    return number


@hookimpl
def register_tools(host):
    global HOST
    HOST = host
    return [Tool(fn=write, public=True, idempotent=True)]
'''


def clock():
    return datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


def of(folder):
    return DataFolder.of(Settings(server=ServerSettings(data_dir=folder)), ["notes"])


@pytest.fixture
def data(tmp_path):
    """A data folder with a store, a file of a pack's own, jobs and a record of two calls."""
    kept = of(tmp_path / "data")
    for name in ("notes/store.sqlite3", "packhorse-jobs/jobs.sqlite3", "packhorse-jobs/queue.sqlite3"):
        path = kept.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with Store.open(path, NOTES) as store:
            store.execute("INSERT INTO notes VALUES (1, 1)")
    (kept.path / "notes" / "trail").mkdir()
    (kept.path / "notes" / "trail" / "one.json").write_text("{}")
    recorded(kept.record, calls=1, key=KEY)
    return kept


def notes_in(path):
    with closing(sqlite3.connect(path)) as connection:
        return set(connection.execute("SELECT writer, number FROM notes"))


def test_what_is_put_back_elsewhere_is_what_was_copied(data, tmp_path):
    made = backup(data, tmp_path / "copy", key=KEY, clock=clock)
    elsewhere = of(tmp_path / "elsewhere" / "data")
    restored = restore(tmp_path / "copy", elsewhere, key=KEY, clock=clock)

    assert (made.rows, restored) == (2, made)
    for name in ("notes/store.sqlite3", "packhorse-jobs/jobs.sqlite3", "packhorse-jobs/queue.sqlite3"):
        assert notes_in(elsewhere.path / name) == {(1, 1)}
    assert (elsewhere.path / "notes" / "trail" / "one.json").read_text() == "{}"
    assert verify(elsewhere.record, elsewhere.anchor, KEY).ok
    assert sorted(path.name for path in elsewhere.path.iterdir()) == [
        "audit.sqlite3",
        "audit.sqlite3.anchor",
        "notes",
        "packhorse-jobs",
    ]


@pytest.mark.skipif(os.name != "posix", reason="modes of files are of POSIX")
def test_a_backup_and_what_is_restored_are_their_owners_alone(data, tmp_path):
    backup(data, tmp_path / "copy", key=KEY, clock=clock)
    restore(tmp_path / "copy", of(tmp_path / "elsewhere"), key=KEY, clock=clock)

    assert exposed(tmp_path / "copy") == []
    assert exposed(tmp_path / "elsewhere") == []


def test_data_that_is_there_is_kept_unless_its_replacement_is_asked_for(data, tmp_path):
    backup(data, tmp_path / "copy", key=KEY, clock=clock)
    with Store.open(data.path / "notes" / "store.sqlite3", NOTES) as store:
        store.execute("INSERT INTO notes VALUES (2, 2)")

    with pytest.raises(PackError, match=r"exists already.*--overwrite"):
        restore(tmp_path / "copy", data, key=KEY, clock=clock)
    assert notes_in(data.path / "notes" / "store.sqlite3") == {(1, 1), (2, 2)}

    restore(tmp_path / "copy", data, key=KEY, clock=clock, overwrite=True)
    assert notes_in(data.path / "notes" / "store.sqlite3") == {(1, 1)}
    assert notes_in(data.path / "replaced-20261123T080000Z" / "notes" / "store.sqlite3") == {(1, 1), (2, 2)}
    assert data.is_ours_alone()
    assert "replaced" not in str(data.folders())


def test_a_data_folder_in_use_is_not_replaced(data, tmp_path):
    backup(data, tmp_path / "copy", key=KEY, clock=clock)

    with opened(data.record, key=KEY), pytest.raises(PackError, match="is in use: stop the server"):
        restore(tmp_path / "copy", data, key=KEY, clock=clock, overwrite=True)


@pytest.mark.parametrize("spoil", ["changed", "missing", "manifest", "newer", "outside"])
def test_a_backup_that_is_not_whole_is_not_restored(data, tmp_path, spoil):
    copy = tmp_path / "copy"
    backup(data, copy, key=KEY, clock=clock)
    manifest = json.loads((copy / MANIFEST).read_text())
    match spoil:
        case "changed":
            (copy / "notes" / "trail" / "one.json").write_text("[]")
        case "missing":
            (copy / RECORD).unlink()
        case "manifest":
            (copy / MANIFEST).unlink()
        case "newer":
            (copy / MANIFEST).write_text(json.dumps({**manifest, "version": 99}))
        case "outside":
            manifest["files"][0]["path"] = "../../outside"
            (copy / MANIFEST).write_text(json.dumps(manifest))
    elsewhere = of(tmp_path / "elsewhere")

    with pytest.raises(PackError, match=r"backup|not as it was written|newer"):
        restore(copy, elsewhere, key=KEY, clock=clock)
    assert not elsewhere.path.exists()


def test_a_record_that_does_not_hold_stops_the_backup(data, tmp_path):
    with closing(sqlite3.connect(data.record)) as connection, connection:
        connection.execute("DROP TRIGGER entry_update")
        connection.execute("UPDATE entry SET body = '{}' WHERE seq = 1")

    with pytest.raises(PackError, match="record failed its check"):
        backup(data, tmp_path / "copy", key=KEY, clock=clock)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_a_damaged_store_is_named_and_nothing_is_left_behind(data, tmp_path):
    path = data.path / "notes" / "store.sqlite3"
    path.write_bytes(b"no database, and longer than a header of one would be" * 40)

    with pytest.raises(PackError, match=str(path)):
        backup(data, tmp_path / "copy", key=KEY, clock=clock)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_a_folder_with_something_in_it_is_not_written_to(data, tmp_path):
    with pytest.raises(PackError, match="not empty"):
        backup(data, tmp_path, key=KEY, clock=clock)
    with pytest.raises(PackError, match="inside the data folder"):
        backup(data, data.path / "copy", key=KEY, clock=clock)


def test_nothing_is_no_backup(tmp_path):
    with pytest.raises(PackError, match="nothing to back up"):
        backup(of(tmp_path / "data"), tmp_path / "copy", key=None, clock=clock)


@pytest.mark.drill
def test_every_answered_write_is_in_a_backup_that_eight_writers_write_through(tmp_path):
    """Show 6: at the wire, by the command, restored elsewhere."""
    bench = Bench(tmp_path)
    install(bench.packs, "notes", PACK)
    bench.configure(f'[audit]\nkey = "{KEY.decode()}"', packs=["notes"])
    answered: dict[int, int] = dict.fromkeys(range(WRITERS), 0)
    enough, stop = threading.Event(), threading.Event()
    copy, elsewhere = tmp_path / "copy", tmp_path / "elsewhere"

    def write(writer: int, url: str) -> None:
        with httpx2.Client(timeout=60) as client:
            while not stop.is_set():
                number = answered[writer] + 1
                call = message({"writer": writer, "number": number}, name="write", under=number)
                answer = client.post(url, json=call, headers=headers_of("write")).json()
                assert answer["result"]["structuredContent"] == {"result": number}, answer
                answered[writer] = number
                if min(answered.values()) >= 3:
                    enough.set()

    with bench.serving() as served, ThreadPoolExecutor(WRITERS) as pool:
        writers = [pool.submit(write, writer, served.url) for writer in range(WRITERS)]
        try:
            assert enough.wait(60), [writer.exception(0) for writer in writers if writer.done()]
            before = dict(answered)
            ran = bench.run("store", "backup", str(copy), "--json")
            after = dict(answered)
        finally:
            stop.set()
        for writer in writers:
            writer.result(60)
    assert ran.returncode == 0, ran.stderr
    print(f"answered before the backup {sum(before.values())}, by its end {sum(after.values())}")

    back = bench.run("store", "restore", str(copy), env={"PACKHORSE_SERVER_DATA_DIR": str(elsewhere)})
    assert back.returncode == 0, back.stderr
    kept = notes_in(elsewhere / "notes" / "store.sqlite3")
    assert {(writer, number) for writer, last in before.items() for number in range(1, last + 1)} <= kept
    report = verify(elsewhere / "audit.sqlite3", key=KEY)
    assert (report.ok, report.rows) == (True, json.loads(ran.stdout)["rows"])
    with closing(sqlite3.connect(elsewhere / "audit.sqlite3")) as connection:
        (begun,) = connection.execute(
            "SELECT count(*) FROM entry WHERE json_extract(body, '$.type') = 'begin'"
        ).fetchone()
    assert begun >= len(kept)
    assert read(copy).rows == report.rows
