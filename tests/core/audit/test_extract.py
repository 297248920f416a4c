"""Rows for people and for other programs."""

import csv
import hashlib
import hmac
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import rfc8785
from tests.core.audit.factories import DAYS, KEY, OK, begin, edited, end, event, opened, recorded

from packhorse.audit import anchor_of, export, rows, tail
from packhorse.audit.extract import COLUMNS
from packhorse.contract.observers import Outcome
from packhorse.contract.principal import Principal
from packhorse.errors import PackError


def exported(file, form):
    out = io.StringIO(newline="")
    return export(file, form, out), out.getvalue()


def test_the_tail_is_the_last_rows_the_newest_last(file):
    recorded(file)
    assert [row["seq"] for row in tail(file, 3)] == [8, 9, 10]
    assert tail(file, 100) == list(rows(file))


def test_each_json_line_is_a_row_from_which_others_can_check_the_chain(file):
    recorded(file)
    count, text = exported(file, "jsonl")
    lines = [json.loads(line) for line in text.splitlines()]
    assert count == len(lines) == 10
    # By the description alone: RFC 5869 for the key, RFC 8785 for the body, RFC 2104 for the seal.
    extracted = hmac.digest(bytes(32), KEY, "sha256")
    key = hmac.digest(extracted, b"packhorse audit chain\x01", "sha256")
    prev = bytes(32)
    for line in lines:
        assert line["prev"] == prev.hex()
        prev = hmac.digest(key, prev + line["seq"].to_bytes(8, "big") + rfc8785.dumps(line["body"]), "sha256")
        assert line["hash"] == prev.hex()


def test_without_a_key_the_seal_is_a_plain_hash(file):
    recorded(file, calls=1, key=None)
    first = next(rows(file))
    message = bytes(32) + (1).to_bytes(8, "big") + rfc8785.dumps(first["body"])
    assert first["hash"] == hashlib.sha256(b"packhorse audit chain\x00" + message).hexdigest()


def test_a_csv_has_a_column_for_each_part(file):
    with opened(file) as log:
        end(log, begin(log, event(arguments={"day": "monday"}, schema=DAYS)), Outcome("refused", "LATE", 0.002))
    count, text = exported(file, "csv")
    first, second = csv.DictReader(io.StringIO(text, newline=""))
    assert count == 2
    assert tuple(first) == COLUMNS
    assert (first["seq"], first["type"], first["name"], first["subject"]) == ("1", "begin", "swap_shifts", "carla")
    assert (first["roles"], first["effectful"], first["arguments"]) == ('["ADMIN"]', "true", '{"day":"monday"}')
    assert (second["begin"], second["status"], second["code"], second["ms"]) == (first["id"], "refused", "LATE", "2")
    assert second["prev"] == first["hash"]


def test_a_cell_is_never_a_formula(file):
    with opened(file) as log:
        log.note(event("=cmd()", principal=Principal("human", "@sum", chain=("+1",))), OK)
    (row,) = csv.DictReader(io.StringIO(exported(file, "csv")[1], newline=""))
    assert (row["name"], row["subject"], row["chain"]) == ("'=cmd()", "'@sum", '["+1"]')


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_record_that_somebody_changed_is_shown_all_the_same(file, form):
    recorded(file)
    edited(
        file,
        'UPDATE entry SET body = \'{"call": 5, "n": 1e999}\' WHERE seq = 2',
        "UPDATE entry SET body = 'nothing', hash = 7 WHERE seq = 3",
        "UPDATE entry SET body = '[1]' WHERE seq = 4",
    )
    assert exported(file, form)[0] == 10


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        pytest.param(lambda file: None, "no audit record", id="none there"),
        pytest.param(lambda file: file.write_text("x" * 5000), "cannot be read", id="no database"),
        pytest.param(lambda file: edited(recorded(file), "PRAGMA user_version=9"), "newer version", id="newer"),
    ],
)
def test_a_file_that_cannot_be_read_is_said(file, prepare, says):
    file.parent.mkdir()
    prepare(file)
    with pytest.raises(PackError, match=says):
        tail(file, 1)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs the right to become nobody")
def test_a_copy_where_nothing_can_be_written_is_verified():
    program = (
        "import os, sqlite3, sys, urllib.request; from pathlib import Path\n"
        "from packhorse.audit import verify\n"
        "os.setuid(65534)\n"
        "print(verify(Path(sys.argv[1]), key=sys.argv[2].encode()).rows)\n"
    )
    path = os.pathsep.join(part for part in sys.path if part)
    with TemporaryDirectory() as name:  # pytest's own are closed to others
        file = recorded(Path(name) / "audit.sqlite3")
        for each in (file, anchor_of(file), file.parent):
            each.chmod(0o555)
        ran = subprocess.run(
            [sys.executable, "-c", program, file, KEY.decode()],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
    assert ran.stdout == "10\n", ran.stderr
