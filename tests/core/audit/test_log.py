"""Writing the record: at once, in the background, from many threads, and when it cannot be written."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime

import pytest
from tests.core.audit.factories import (
    CARLA,
    DAYS,
    KEY,
    OK,
    Ticking,
    begin,
    bodies,
    edited,
    end,
    event,
    opened,
    recorded,
)

from packhorse.audit import AuditUnavailable, Mask, anchor_of, rows, tail, verify
from packhorse.audit.table import connect
from packhorse.contract.observers import ObservedCall, Outcome
from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.errors import PackError, UserError

TRIES = 400
TRY_SECONDS = 0.05
"""Bounds for what another thread does: far above what is needed."""


def until(condition):
    pause = threading.Event()
    for _ in range(TRIES):
        if condition():
            return True
        pause.wait(TRY_SECONDS)
    return False


def test_a_call_leaves_a_row_before_it_and_a_row_after(file):
    with opened(file) as log:
        begun = begin(
            log, event(address="10.0.0.7", request_id="0123456789abcdef", arguments={"day": "monday"}, schema=DAYS)
        )
        before = bodies(file)
        end(log, begun, Outcome("refused", "RULE_VIOLATED", 0.0123456))
    assert before == [
        {
            "type": "begin",
            "id": begun,
            "time": before[0]["time"],
            "call": {
                "kind": "tool",
                "name": "swap_shifts",
                "pack": "scheduling",
                "principal": {
                    "kind": "human",
                    "issuer": "https://issuer.example",
                    "subject": "carla",
                    "roles": ["ADMIN"],
                },
                "address": "10.0.0.7",
                "request_id": "0123456789abcdef",
                "effectful": True,
                "arguments": {"day": "monday"},
            },
        }
    ]
    after = bodies(file)[1]
    assert after == {
        "type": "end",
        "id": after["id"],
        "time": after["time"],
        "begin": begun,
        "outcome": {"status": "refused", "code": "RULE_VIOLATED", "ms": 12.346},
    }


def test_the_time_comes_from_the_clock_that_was_given(file):
    with opened(file, clock=lambda: datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)) as log:
        begin(log, event())
    assert bodies(file)[0]["time"] == "2031-05-06T07:08:09.000000Z"


def test_a_row_is_anchored_when_begin_and_end_return(file):
    with opened(file) as log:
        begun = begin(log, event())
        first = json.loads(anchor_of(file).read_text())
        end(log, begun, OK)
        second = json.loads(anchor_of(file).read_text())
    assert [(first["seq"], first["hash"]), (second["seq"], second["hash"])] == [
        (row["seq"], row["hash"]) for row in rows(file)
    ]


def test_a_note_is_written_without_anybody_asking(file):
    with opened(file) as log:
        log.note(event(effectful=False), OK)
        assert until(lambda: tail(file, 1))
        assert until(lambda: json.loads(anchor_of(file).read_text())["seq"] == 1)
    (note,) = bodies(file)
    assert (note["type"], note["outcome"]) == ("note", {"status": "ok", "ms": 1.25})


def test_notes_are_written_on_closing(file):
    with opened(file) as log:
        for number in range(1000):
            log.note(event(f"read_{number}"), OK)
    assert [body["call"]["name"] for body in bodies(file)] == [f"read_{number}" for number in range(1000)]
    assert verify(file, key=KEY).anchored == 1000


def test_notes_are_written_when_a_program_ends_without_closing(file):
    program = (
        "import sys; from pathlib import Path\n"
        "from tests.core.audit.factories import *\n"
        "log = opened(Path(sys.argv[1]))\n"
        "log.note(event(), OK)\n"
    )
    subprocess.run([sys.executable, "-c", program, file], check=True, env={**os.environ, "PYTHONPATH": _here()})
    assert len(bodies(file)) == 1


def test_a_note_keeps_the_time_of_its_call(file):
    clock = Ticking()
    with opened(file, clock=clock) as log:
        log.note(event(), OK)
        then = clock.now
        for _ in range(5):
            clock()
    assert datetime.fromisoformat(bodies(file)[0]["time"]) == then


def test_a_denial_is_recorded_with_who_was_denied(file):
    agent = Principal("agent", "scribe", frozenset({"AGENT"}), chain=("carla", "ward-7"))
    with opened(file) as log:
        log.note(event(principal=agent), Outcome("denied", "role"))
        log.note(ObservedCall("auth", "token", ANONYMOUS, None, address="10.1.1.1"), Outcome("denied", "expired"))
    first, second = bodies(file)
    assert first["call"]["principal"]["chain"] == ["carla", "ward-7"]
    assert first["outcome"] == {"status": "denied", "code": "role", "ms": 0}
    assert second["call"] == {
        "kind": "auth",
        "name": "token",
        "principal": {"kind": "anonymous"},
        "address": "10.1.1.1",
    }


def test_a_full_queue_is_written_by_the_caller_and_drops_nothing(file):
    with opened(file, capacity=3) as log:
        for number in range(20):
            log.note(event(f"read_{number}"), OK)
    assert [body["call"]["name"] for body in bodies(file)] == [f"read_{number}" for number in range(20)]


def test_threads_that_note_and_begin_at_once_lose_and_repeat_nothing(file):
    def work(log, worker, begun):
        for number in range(30):
            log.note(event(f"note_{worker}_{number}"), OK)
            identity = begin(log, event(f"call_{worker}_{number}"))
            end(log, identity, OK)
            begun.append(identity)

    begun = []
    with opened(file, capacity=16) as log:
        threads = [threading.Thread(target=work, args=(log, worker, begun)) for worker in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    written = bodies(file)
    names = [body["call"]["name"] for body in written if "call" in body]
    assert sorted(names) == sorted(f"{kind}_{w}_{n}" for kind in ("note", "call") for w in range(8) for n in range(30))
    assert sorted(body["begin"] for body in written if "begin" in body) == sorted(begun)
    assert len({body["id"] for body in written}) == len(written) == 720
    report = verify(file, key=KEY)
    assert (report.ok, report.rows, report.anchored) == (True, 720, 720)


def test_an_event_that_cannot_be_written_keeps_no_other_from_being_written(file):
    with opened(file) as log:
        log.note(event(principal=None), OK)
        log.note(event("good"), OK)
        log.note(event(arguments=None, schema=DAYS), OK)
    assert [(body["type"], body.get("lost")) for body in bodies(file)] == [("gap", 2), ("note", None)]


def test_names_of_any_characters_and_lengths_are_recorded(file):
    with opened(file) as log:
        log.note(event("\ud800" + "n" * 10_000, principal=Principal("human", "\udfff" * 300)), OK)
    (body,) = bodies(file)
    assert body["call"]["name"] == "?" + "n" * 255
    assert body["call"]["principal"]["subject"] == "?" * 256


def test_of_arguments_only_what_their_schema_leaves_no_room_for_is_written(file):
    with opened(file) as log:
        log.note(event(arguments={"day": "monday", "name": "Maria"}, schema=DAYS), OK)
    arguments = bodies(file)[0]["call"]["arguments"]
    assert arguments["day"] == "monday"
    assert arguments["name"]["length"] == 5


# --- when it cannot be written ---


def aside(file):
    """The record in another place, and a folder in its own."""
    away = file.with_name("away")
    file.rename(away)
    file.mkdir()
    return away


def back(file, away):
    file.rmdir()
    away.rename(file)


def test_an_effectful_call_whose_row_cannot_be_written_does_not_run(file):
    with opened(file) as log:
        begin(log, event())
        away = aside(file)
        with pytest.raises(AuditUnavailable) as caught:
            begin(log, event("second"))
        assert not log.available
        back(file, away)
        assert begin(log, event("third"))
        assert log.available
    assert isinstance(caught.value, UserError)
    assert caught.value.code == "AUDIT_UNAVAILABLE"
    assert [body["call"]["name"] for body in bodies(file) if "call" in body] == ["swap_shifts", "third"]
    assert verify(file, key=KEY).ok


def test_an_outcome_that_cannot_be_written_is_written_later(file):
    with opened(file) as log:
        begun = begin(log, event())
        away = aside(file)
        end(log, begun, OK)
        back(file, away)
    assert [body.get("begin") for body in bodies(file)] == [None, begun]


def test_notes_wait_until_the_record_can_be_written_again(file):
    with opened(file) as log:
        begin(log, event())
        away = aside(file)
        for _ in range(3):
            log.note(event(), OK)
        with pytest.raises(AuditUnavailable):
            log.flush()
        back(file, away)
    assert [body["type"] for body in bodies(file)] == ["begin", "note", "note", "note"]


def test_notes_are_tried_again_without_anybody_asking(file):
    with opened(file) as log:
        begin(log, event())
        away = aside(file)
        log.note(event(), OK)
        assert until(lambda: not log.available)
        back(file, away)
        assert until(lambda: log.available)
        assert len(bodies(file)) == 2


def test_notes_beyond_the_capacity_are_counted_and_the_number_is_recorded(file):
    with opened(file, capacity=2) as log:
        begin(log, event())
        away = aside(file)
        for _ in range(7):
            log.note(event(), OK)
        back(file, away)
    assert [(body["type"], body.get("lost")) for body in bodies(file)] == [
        ("begin", None),
        ("gap", 5),
        ("note", None),
        ("note", None),
    ]
    assert verify(file, key=KEY).ok


def test_a_record_that_another_holds_for_too_long_refuses_the_call(file):
    with opened(file, wait_seconds=0.01) as log, closing(connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(AuditUnavailable):
            begin(log, event())
        other.execute("ROLLBACK")
        begin(log, event())


def test_an_anchor_that_cannot_be_written_refuses_the_call(file):
    with opened(file) as log:
        begin(log, event())
        away = aside(anchor_of(file))
        with pytest.raises(AuditUnavailable):
            begin(log, event("second"))
        back(anchor_of(file), away)
        begin(log, event("third"))
    assert [(body["type"], body.get("outcome", {}).get("code")) for body in bodies(file)] == [
        ("begin", None),
        ("begin", None),
        ("end", "AUDIT_UNAVAILABLE"),
        ("begin", None),
    ]
    assert verify(file, key=KEY).ok


@pytest.mark.skipif(sys.platform == "win32", reason="limits on a file's size are POSIX")
def test_a_full_disk_refuses_the_call_and_harms_nothing(file, tmp_path):
    program = (
        "import resource, sys; from pathlib import Path\n"
        "from tests.core.audit.factories import *\n"
        "from packhorse.audit import AuditUnavailable\n"
        "log = opened(Path(sys.argv[1]))\n"
        "end(log, begin(log, event()), OK)\n"
        "limit = Path(sys.argv[1] + '-wal').stat().st_size\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))\n"
        "try:\n"
        "    begin(log, event())\n"
        "    Path(sys.argv[2]).touch()\n"
        "except AuditUnavailable:\n"
        "    print('refused')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
        "begin(log, event('later'))\n"
        "log.close()\n"
    )
    effect = tmp_path / "effect"
    ran = subprocess.run(
        [sys.executable, "-c", program, file, effect],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": _here()},
    )
    assert (ran.returncode, ran.stdout) == (0, "refused\n"), ran.stderr
    assert not effect.exists()
    assert verify(file, key=KEY).ok
    assert [body["type"] for body in bodies(file)] == ["begin", "end", "begin"]


def test_a_closed_record_takes_nothing_more_and_closing_twice_is_nothing(file, caplog):
    log = opened(file)
    log.close()
    log.close()
    log.note(event(), OK)
    assert "after the audit record was closed" in caplog.text
    with pytest.raises(AuditUnavailable):
        begin(log, event())
    assert not log.available
    assert bodies(file) == []


# --- opening ---


def test_a_record_goes_on_where_it_ended(file):
    recorded(recorded(file), calls=2)
    assert [row["seq"] for row in rows(file)] == list(range(1, 15))
    assert verify(file, key=KEY).ok


def test_nobody_else_may_read_the_files(file):
    recorded(file)
    assert {path.name: path.stat().st_mode & 0o077 for path in (file, anchor_of(file))} == {
        file.name: 0,
        anchor_of(file).name: 0,
    }


def foreign(file):
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE mine (x)")


@pytest.mark.parametrize(
    ("prepare", "key", "says"),
    [
        pytest.param(lambda file: file.mkdir(), KEY, "cannot be opened for writing", id="a folder in its place"),
        pytest.param(lambda file: file.write_text("x" * 5000), KEY, "not a database", id="a file that is no database"),
        pytest.param(foreign, KEY, "not an audit record", id="somebody else's database"),
        pytest.param(lambda file: edited(recorded(file), "PRAGMA user_version=9"), KEY, "newer version", id="newer"),
        pytest.param(recorded, None, "with a key: set", id="a key, and none given"),
        pytest.param(lambda file: recorded(file, key=None), KEY, "without a key", id="no key, and one given"),
        pytest.param(recorded, b"another key of thirty-two bytes....", "another key", id="another key"),
        pytest.param(recorded, b"short", "at least 32", id="a short key"),
        pytest.param(lambda file: recorded(file).unlink(), KEY, "gone or empty", id="deleted"),
        pytest.param(lambda file: recorded(file).write_bytes(b""), KEY, "gone or empty", id="emptied"),
        pytest.param(lambda file: anchor_of(recorded(file)).unlink(), KEY, "anchor is missing", id="no anchor"),
        pytest.param(
            lambda file: edited(recorded(file), "DELETE FROM entry WHERE seq > 8"),
            KEY,
            "the last 2 rows are gone",
            id="cut short",
        ),
        pytest.param(
            lambda file: edited(recorded(file), "UPDATE entry SET body = 'x' WHERE seq = 10"),
            KEY,
            "row 10 was changed",
            id="its last row changed",
        ),
    ],
)
def test_a_record_that_cannot_be_added_to_is_refused_in_words(file, prepare, key, says):
    file.parent.mkdir()
    prepare(file)
    before = sorted((path.name, path.read_bytes()) for path in file.parent.iterdir() if path.is_file())
    with pytest.raises(PackError) as caught:
        opened(file, key)
    assert says in str(caught.value)
    after = sorted((path.name, path.read_bytes()) for path in file.parent.iterdir() if path.is_file())
    assert [pair for pair in after if "-" not in pair[0]] == [pair for pair in before if "-" not in pair[0]]


def test_a_beginning_that_was_cut_off_by_a_kill_is_begun_again(file):
    # The anchor of nothing, and a file that SQLite rolled back: both without a row.
    recorded(file, calls=0)
    file.unlink()
    recorded(file, calls=1)
    assert verify(file, key=KEY).ok


def test_an_anchor_elsewhere_is_used(file, tmp_path):
    elsewhere = tmp_path / "other disk" / "head"
    recorded(file, anchor=elsewhere)
    assert not anchor_of(file).exists()
    assert verify(file, elsewhere, KEY).anchored == 10


@pytest.mark.parametrize("statement", ["DELETE FROM entry WHERE seq > 1", "DELETE FROM entry"])
def test_rows_that_vanish_while_the_record_is_open_are_noticed_before_the_anchor_forgets_them(file, statement):
    with opened(file) as log:
        for _ in range(3):
            begin(log, event())
        edited(file, statement)
        with pytest.raises(AuditUnavailable):
            begin(log, event())
    assert not verify(file, key=KEY).ok


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET body = 'x'",
        "DELETE FROM entry WHERE seq = 1",
        "INSERT OR REPLACE INTO entry SELECT seq, id, time, 'x', prev, hash FROM entry WHERE seq = 3",
        "REPLACE INTO entry SELECT * FROM entry",
        "INSERT INTO entry SELECT -1, id, time, body, prev, hash FROM entry WHERE seq = 1",
        "UPDATE checkpoint SET body = 'x'",
        "DELETE FROM checkpoint",
        "REPLACE INTO checkpoint SELECT * FROM checkpoint",
    ],
)
def test_the_table_refuses_everything_but_new_rows(file, statement):
    recorded(file)
    with closing(connect(file)) as connection, pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
        connection.execute(statement)
    assert verify(file, key=KEY).ok


def test_full_sync_asks_the_disk(file):
    with opened(file, full_sync=True) as log:
        end(log, begin(log, event()), OK)
        assert log._chain._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert verify(file, key=KEY).ok


def test_a_subject_is_named_and_what_a_caller_chose_is_masked(file):
    with opened(file, mask=Mask({"a-number": r"A\d{9}"})) as log:
        log.note(event("A123456789", request_id="maria@example.com"), Outcome("refused", "token=zx81"))
    (body,) = bodies(file)
    assert body["call"]["principal"]["subject"] == CARLA.subject
    assert (body["call"]["name"], body["call"]["request_id"]) == ("[a-number]", "[e-mail]")
    assert body["outcome"]["code"] == "token=[secret]"


def _here():
    return os.pathsep.join(path for path in sys.path if path)
