"""Retention: what goes, what stays, and that what stays verifies."""

import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest
from tests.core.audit.factories import KEY, OK, START, Ticking, begin, bodies, edited, event, opened, recorded

from packhorse.audit import AuditUnavailable, Pruned, anchor_of, prune, rows, verify
from packhorse.audit.table import connect
from packhorse.errors import PackError

LATER = Ticking(START + timedelta(days=1))


def time_of(file, seq):
    return next(datetime.fromisoformat(row["body"]["time"]) for row in rows(file) if row["seq"] == seq)


def pruned(file, before, key=KEY):
    return prune(file, before, key=key, clock=LATER)


@pytest.mark.parametrize("key", [KEY, None], ids=["keyed", "without a key"])
def test_rows_from_before_an_instant_go_and_the_rest_verifies(file, key):
    recorded(file, key=key)
    first, limit = time_of(file, 1), time_of(file, 5)
    kept = list(rows(file))[4:]

    gone = pruned(file, limit, key)

    assert gone == Pruned(4, time_of_text(first), time_of_text(limit - timedelta(minutes=2)))
    *left, note = rows(file)
    assert left == kept
    assert note["body"]["type"] == "prune"
    assert (note["body"]["rows"], note["body"]["oldest"], note["body"]["newest"]) == (4, gone.oldest, gone.newest)
    report = verify(file, key=key)
    assert (report.ok, report.rows, report.first, report.head, report.pruned) == (True, 7, 5, 11, 4)


def time_of_text(instant):
    return instant.isoformat(timespec="microseconds").replace("+00:00", "Z")


def test_a_limit_in_another_zone_is_the_same_instant(file):
    recorded(file)
    limit = time_of(file, 5).astimezone(timezone(timedelta(hours=-7)))
    assert pruned(file, limit).rows == 4


def test_everything_may_go_but_the_row_that_says_so(file):
    recorded(file)
    assert pruned(file, datetime(2030, 1, 1, tzinfo=UTC)).rows == 10
    assert [(row["seq"], row["body"]["type"]) for row in rows(file)] == [(11, "prune")]
    assert verify(file, key=KEY).ok
    recorded(file, calls=1)
    assert verify(file, key=KEY).rows == 3


def test_nothing_old_enough_changes_nothing(file):
    recorded(file)
    before = list(rows(file))
    assert pruned(file, START) == Pruned(0)
    assert list(rows(file)) == before


def test_pruning_again_counts_all_that_went(file):
    recorded(file)
    pruned(file, time_of(file, 3))
    recorded(file, calls=2, clock=Ticking(START + timedelta(days=2)))
    pruned(file, datetime(2026, 3, 2, tzinfo=UTC))
    report = verify(file, key=KEY)
    assert (report.ok, report.pruned, report.first) == (True, 10, 11)


def test_what_went_is_in_the_files_no_more(file):
    with opened(file) as log:
        for _ in range(200):
            log.note(event("canary_in_the_old_rows"), OK)
        log.flush()
        pruned(file, datetime(2030, 1, 1, tzinfo=UTC))
        # In use, there is SQLite's own log too. (To open the record itself here would drop the host's locks.)
        assert b"canary_in_the_old_rows" not in file.with_name(file.name + "-wal").read_bytes()
    for path in file.parent.iterdir():
        assert b"canary_in_the_old_rows" not in path.read_bytes()


def test_a_host_that_is_serving_goes_on_after_pruning(file):
    with opened(file) as log:
        for _ in range(4):
            begin(log, event())
        pruned(file, datetime(2030, 1, 1, tzinfo=UTC))
        begin(log, event("after"))
    assert [body["type"] for body in bodies(file)] == ["prune", "begin"]
    assert verify(file, key=KEY).ok


def test_a_record_that_is_pruned_while_it_is_verified_holds(file):
    clock = Ticking()
    done = threading.Event()

    def work():
        with opened(file, clock=clock) as log:
            for _ in range(25):
                begin(log, event())
                prune(file, clock.now, key=KEY, clock=clock)
        done.set()

    recorded(file, calls=0, clock=clock)
    worker = threading.Thread(target=work)
    worker.start()
    reports = [verify(file, key=KEY)]
    while not done.is_set():
        reports.append(verify(file, key=KEY))
    worker.join()
    assert [report.problem for report in reports if not report.ok] == []
    assert verify(file, key=KEY).pruned == 49


def test_a_record_that_is_pruned_between_its_anchor_and_its_rows_is_verified_once_more(file, monkeypatch):
    recorded(file)
    left = [1]

    def pruning(*arguments, **options):
        if left:
            left.clear()
            recorded(file, calls=1)
            pruned(file, datetime(2030, 1, 1, tzinfo=UTC))
        return connect(*arguments, **options)

    monkeypatch.setattr("packhorse.audit.report.connect", pruning)
    assert verify(file, key=KEY).pruned == 12


def test_a_record_whose_anchor_lags_is_pruned_like_another(file):
    recorded(file, calls=1)
    old = anchor_of(file).read_bytes()
    recorded(file, calls=3)
    anchor_of(file).write_bytes(old)
    assert pruned(file, datetime(2030, 1, 1, tzinfo=UTC)).rows == 8
    assert verify(file, key=KEY).ok


def cut_front(file):
    edited(file, "DELETE FROM entry WHERE seq < 7")


def old_anchor(file):
    anchor_of(file).write_bytes(file.with_name("old anchor").read_bytes())


def no_note(file):
    edited(file, "DELETE FROM entry WHERE seq = 11")


@pytest.mark.parametrize(
    ("meddle", "says"),
    [
        pytest.param(cut_front, "row 5 is missing", id="more rows than were pruned are gone"),
        pytest.param(old_anchor, "from before the last pruning", id="an old anchor"),
        pytest.param(no_note, "gone", id="the row that says so is gone"),
    ],
)
def test_pruning_hides_nothing(file, meddle, says):
    recorded(file, calls=1)
    file.with_name("old anchor").write_bytes(anchor_of(file).read_bytes())
    recorded(file, calls=4, clock=Ticking(START + timedelta(hours=1)))
    pruned(file, time_of(file, 5))
    meddle(file)
    report = verify(file, key=KEY)
    assert not report.ok
    assert says in report.problem


def test_a_checkpoint_made_without_the_row_that_says_so_is_found(file):
    recorded(file)
    whole = file.read_bytes(), anchor_of(file).read_bytes()
    pruned(file, time_of(file, 5))
    other = file.with_name("other")
    other.write_bytes(whole[0])
    anchor_of(other).write_bytes(whole[1])
    edited(
        other,
        f"ATTACH '{file}' AS pruned",
        "DELETE FROM entry WHERE seq < 5",
        "DELETE FROM checkpoint",
        "INSERT INTO checkpoint SELECT * FROM pruned.checkpoint",
    )
    assert "not the checkpoint that the last pruning recorded" in verify(other, key=KEY).problem


def test_a_record_that_does_not_verify_is_left_alone(file):
    edited(recorded(file), "DELETE FROM entry WHERE seq = 4")
    before = file.read_bytes()
    with pytest.raises(PackError, match="nothing was removed"):
        pruned(file, datetime(2030, 1, 1, tzinfo=UTC))
    assert file.read_bytes() == before


def test_a_host_notices_a_file_put_in_place_of_the_pruned_one(file):
    with opened(file) as log:
        begin(log, event())
        copy = file.read_bytes()
        file.unlink()
        file.write_bytes(copy)
        with pytest.raises(AuditUnavailable):
            begin(log, event())
