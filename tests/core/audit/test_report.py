"""What somebody may have done to a record, and that it is found."""

import json
import shutil
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.audit.factories import KEY, begin, edited, event, opened, recorded

from packhorse.audit import Keys, anchor_of, report, rows, verify
from packhorse.audit.anchor import Anchor, AnchorFile
from packhorse.audit.table import connect, link
from packhorse.errors import PackError

SWAPPED = (
    "CREATE TEMP TABLE two AS SELECT * FROM entry WHERE seq IN (4, 5)",
    "DELETE FROM entry WHERE seq IN (4, 5)",
    "INSERT INTO entry SELECT 9 - seq, id, time, body, prev, hash FROM two",
)
CHANGED = "UPDATE entry SET body = replace(body, 'tool_1', 'tool_7') WHERE seq = 3"


def forged(file):
    """A row more, sealed by somebody without the key as well as can be."""
    last = list(rows(file))[-1]
    body = json.dumps({**last["body"], "id": "x"}, separators=(",", ":"), sort_keys=True)
    made = link(Keys(None), bytes.fromhex(last["hash"]), 11, body.encode()).hex()
    return edited(
        file, f"INSERT INTO entry VALUES (11, 'x', '{last['body']['time']}', '{body}', x'{last['hash']}', x'{made}')"
    )


def rechained(file):
    """A row changed, and its hash made anew without the key."""
    edited(file, CHANGED)
    third = list(rows(file))[2]
    body = json.dumps(third["body"], separators=(",", ":"), sort_keys=True)
    made = link(Keys(None), bytes.fromhex(third["prev"]), 3, body.encode()).hex()
    return edited(file, f"UPDATE entry SET hash = x'{made}' WHERE seq = 3")


def anchored(file, change):
    anchor = anchor_of(file)
    anchor.write_text(json.dumps({**json.loads(anchor.read_text()), **change}))


def anchored_by_another(file):
    recorded(file.with_name("other"))
    anchor_of(file.with_name("other")).rename(anchor_of(file))


def cut_and_put_back(file):
    """The tail cut off, and an anchor from before it had grown: with the file of that time, nothing could tell."""
    old = anchor_of(file).read_bytes()
    recorded(file, calls=1)
    edited(file, "DELETE FROM entry WHERE seq > 9")
    anchor_of(file).write_bytes(old)


@pytest.mark.parametrize(
    ("meddle", "says", "first_bad"),
    [
        pytest.param(lambda f: edited(f, CHANGED), "row 3 was changed", 3, id="one changed byte"),
        pytest.param(rechained, "row 3 was changed", 3, id="a changed row with a hash made anew"),
        pytest.param(
            lambda f: edited(f, "UPDATE entry SET time = '2020' WHERE seq = 6"), "columns", 6, id="a changed time"
        ),
        pytest.param(lambda f: edited(f, "UPDATE entry SET id = 'x' WHERE seq = 6"), "columns", 6, id="a changed id"),
        pytest.param(
            lambda f: edited(f, "UPDATE entry SET prev = zeroblob(32) WHERE seq = 6"),
            "does not continue",
            6,
            id="a changed link",
        ),
        pytest.param(
            lambda f: edited(f, "UPDATE entry SET hash = zeroblob(32) WHERE seq = 6"), "seal", 6, id="a changed hash"
        ),
        pytest.param(
            lambda f: edited(f, "UPDATE entry SET body = 5, hash = 'x' WHERE seq = 6"), "changed", 6, id="other types"
        ),
        pytest.param(
            lambda f: edited(f, "DELETE FROM entry WHERE seq = 4"), "row 4 is missing", 4, id="one dropped row"
        ),
        pytest.param(
            lambda f: edited(f, "DELETE FROM entry WHERE seq = 1"), "row 1 is missing", 1, id="the first row dropped"
        ),
        pytest.param(
            lambda f: edited(f, "DELETE FROM entry WHERE seq = 4", "UPDATE entry SET seq = seq - 1 WHERE seq > 4"),
            "does not continue",
            4,
            id="a dropped row, and the others moved up",
        ),
        pytest.param(lambda f: edited(f, *SWAPPED), "does not continue", 4, id="one swapped pair"),
        pytest.param(
            lambda f: edited(f, "DELETE FROM entry WHERE seq > 8"), "the last 2 rows are gone", 9, id="a truncated tail"
        ),
        pytest.param(
            lambda f: edited(f, "DELETE FROM entry WHERE seq = 10"), "the last row is gone", 10, id="the last row cut"
        ),
        pytest.param(lambda f: edited(f, "DELETE FROM entry"), "the last 10 rows are gone", 1, id="every row cut"),
        pytest.param(forged, "row 11 was changed", 11, id="a row added without the key"),
        pytest.param(
            lambda f: edited(f, "UPDATE checkpoint SET body = replace(body, '\"first\":1', '\"first\":3')"),
            "checkpoint",
            None,
            id="a changed checkpoint",
        ),
        pytest.param(lambda f: edited(f, "DELETE FROM checkpoint"), "checkpoint", None, id="no checkpoint"),
        pytest.param(lambda f: edited(f, "DROP TABLE entry"), "damaged", 1, id="no table"),
        pytest.param(
            lambda f: edited(f, "CREATE TRIGGER more AFTER INSERT ON entry BEGIN SELECT 1; END"),
            "triggers",
            None,
            id="a trigger more",
        ),
        pytest.param(lambda f: anchor_of(f).unlink(), "anchor is missing", None, id="the anchor removed"),
        pytest.param(lambda f: anchor_of(f).write_bytes(b""), "anchor", None, id="the anchor emptied"),
        pytest.param(
            lambda f: anchored(f, {"seq": 4}), "does not have this record's seal", None, id="the anchor changed"
        ),
        pytest.param(anchored_by_another, "belongs to another record", None, id="another record's anchor"),
        pytest.param(cut_and_put_back, "the last row is gone", 10, id="a tail cut off, and an old anchor put back"),
        pytest.param(lambda f: f.unlink(), "the file is gone", None, id="the file deleted"),
        pytest.param(lambda f: f.write_bytes(f.read_bytes()[:8192]), "damaged", None, id="half of the file"),
    ],
)
def test_what_was_done_to_a_record_is_found(file, meddle, says, first_bad):
    recorded(file)
    meddle(file)
    report = verify(file, key=KEY)
    assert not report.ok
    assert says in report.problem
    assert report.first_bad == first_bad
    if first_bad:
        assert report.rows == first_bad - 1


@pytest.mark.parametrize("key", [KEY, None], ids=["keyed", "without a key"])
def test_a_record_that_nobody_touched_holds(file, key):
    recorded(file, key=key)
    report = verify(file, key=key)
    assert (report.ok, report.problem, report.first_bad) == (True, None, None)
    assert (report.rows, report.first, report.head, report.anchored, report.keyed) == (10, 1, 10, 10, key is not None)
    since, *_, until = (row["body"]["time"] for row in rows(file))
    assert (report.since, report.until) == (since, until)


def test_a_record_without_rows_holds(file):
    recorded(file, calls=0)
    report = verify(file, key=KEY)
    assert (report.ok, report.rows, report.head) == (True, 0, None)


def test_an_anchor_may_lag(file):
    recorded(file)
    old = anchor_of(file).read_bytes()
    recorded(file)
    anchor_of(file).write_bytes(old)
    report = verify(file, key=KEY)
    assert (report.ok, report.rows, report.anchored) == (True, 20, 10)


def test_an_anchor_that_leads_is_believed(file):
    recorded(file)
    keys = Keys(KEY)
    anchor = AnchorFile(anchor_of(file), keys)
    anchor.write(Anchor(anchor.read().chain, 12, b"\x00" * 32), sync=False)
    assert "ends at row 10 and its anchor names row 12" in verify(file, key=KEY).problem


def test_a_record_in_use_is_verified_as_it_stands(file):
    with opened(file) as log:
        begin(log, event())
        assert verify(file, key=KEY).rows == 1
        begin(log, event())
        assert verify(file, key=KEY).rows == 2


def test_without_a_key_careless_changes_are_found_too(file):
    edited(recorded(file, key=None), CHANGED)
    assert verify(file).first_bad == 3


@pytest.mark.parametrize(
    ("made_with", "key", "says"),
    [
        pytest.param(KEY, None, "with a key: set", id="no key"),
        pytest.param(KEY, b"another key of thirty-two bytes....", "another key", id="another key"),
        pytest.param(KEY, b"short", "at least 32", id="a short key"),
    ],
)
def test_what_cannot_be_checked_is_said_and_is_no_report(file, made_with, key, says):
    recorded(file, key=made_with)
    with pytest.raises(PackError) as caught:
        verify(file, key=key)
    assert says in str(caught.value)


def test_a_file_that_is_not_there_is_said(file):
    with pytest.raises(PackError, match="no audit record"):
        verify(file)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory):
    return recorded(tmp_path_factory.mktemp("untouched") / "audit.sqlite3", calls=20)


def copied(untouched, folder):
    shutil.copy(untouched, folder / "audit.sqlite3")
    shutil.copy(anchor_of(untouched), anchor_of(folder / "audit.sqlite3"))
    return folder / "audit.sqlite3"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seq=st.integers(1, 40),
    column=st.sampled_from(["body", "prev", "hash", "id", "time"]),
    at=st.integers(1, 500),
    flip=st.integers(1, 127),
)
def test_any_byte_of_any_row_matters(untouched, tmp_path, seq, column, at, flip):
    file = copied(untouched, tmp_path)
    with closing(connect(file)) as connection:
        (old,) = connection.execute(f"SELECT CAST({column} AS BLOB) FROM entry WHERE seq = {seq}").fetchone()
    at %= len(old)
    new = old[:at] + bytes([old[at] ^ flip]) + old[at + 1 :]
    edited(
        file, f"UPDATE entry SET {column} = CAST(x'{new.hex()}' AS {'BLOB' if column in ('prev', 'hash') else 'TEXT'})"
    )
    assert not verify(file, key=KEY).ok


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 10**6), flip=st.integers(1, 255))
def test_a_byte_changed_anywhere_in_the_file_is_found_or_changes_no_row(untouched, tmp_path, at, flip):
    file = copied(untouched, tmp_path)
    bytes_ = bytearray(file.read_bytes())
    bytes_[at % len(bytes_)] ^= flip
    file.write_bytes(bytes_)
    try:
        ok = verify(file, key=KEY).ok
    except PackError:
        return  # the file's header: it is another kind of file now, and nothing is said of its rows
    assert not ok or list(rows(file)) == list(rows(untouched))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 511), flip=st.integers(1, 255))
def test_a_byte_changed_in_the_anchor_is_found_or_changes_nothing(untouched, tmp_path, at, flip):
    file = copied(untouched, tmp_path)
    text = bytearray(anchor_of(file).read_bytes())
    text[at] ^= flip
    anchor_of(file).write_bytes(text)
    keys = Keys(KEY)
    if verify(file, key=KEY).ok:
        assert AnchorFile(anchor_of(file), keys).read() == AnchorFile(anchor_of(untouched), keys).read()


def test_who_watches_hears_how_far_it_is_and_that_it_is_done(file, monkeypatch):
    recorded(file)
    monkeypatch.setattr(report, "TOLD_EVERY", 4)
    heard = []
    assert verify(file, key=KEY, watch=lambda done, total: heard.append((done, total))).ok
    assert heard == [(4, 10), (8, 10), (10, 10)]
