"""The record's rows for people and for other programs. Nothing here checks a seal: `verify` does."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TextIO

from packhorse.audit.canonical import canonical
from packhorse.audit.table import parsed, reading

Format = Literal["jsonl", "csv"]

COLUMNS = (
    "seq", "time", "type", "id", "begin", "kind", "pack", "name", "principal", "issuer", "subject", "roles", "chain",
    "address", "request_id", "effectful", "arguments", "status", "code", "ms", "prev", "hash", "body",
)  # fmt: skip
"""Of the CSV form. ``begin`` is the id of the row that an ``end`` belongs to; ``body`` is what the hash is over."""

# What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def rows(path: Path, last: int | None = None) -> Iterator[dict[str, Any]]:
    """The rows in their order, or the ``last`` so many: seq, prev and hash (hex), and the body.

    Raises:
        PackError: there is no such record, or it cannot be read.
    """
    query = "SELECT seq, CAST(body AS BLOB), prev, hash FROM entry WHERE seq > ? ORDER BY seq"
    with reading(path) as connection:
        (head,) = connection.execute("SELECT max(seq) FROM entry").fetchone()
        for seq, body, prev, made in connection.execute(query, (0 if last is None else (head or 0) - last,)):
            yield {"seq": seq, "prev": _hex(prev), "hash": _hex(made), "body": parsed(body)}


def tail(path: Path, count: int) -> list[dict[str, Any]]:
    """The last ``count`` rows, the newest last."""
    return list(rows(path, count))


def export(path: Path, form: Format, out: TextIO) -> int:
    """Write the whole record to ``out``; how many rows.

    ``jsonl`` is one canonical JSON object a line, from which anybody can check
    the chain again; ``csv`` has `COLUMNS`. (Open ``out`` with ``newline=""``.)
    """
    count = 0
    sheet = csv.writer(out) if form == "csv" else None
    if sheet:
        sheet.writerow(COLUMNS)
    for row in rows(path):
        count += 1  # the number of rows is the answer, also when there are none
        if sheet:
            sheet.writerow([cell(value) for value in _flat(row)])
        else:
            out.write(_line(row) + "\n")
    return count


def _flat(row: dict[str, Any]) -> Iterator[Any]:
    body = _object(row["body"])
    call, outcome = _object(body.get("call")), _object(body.get("outcome"))
    who = _object(call.get("principal"))
    known = {**call, **outcome, **{name: who.get(name) for name in ("issuer", "subject", "roles", "chain")}}
    known.update({name: body.get(name) for name in ("time", "type", "id", "begin")}, principal=who.get("kind"), **row)
    for name in COLUMNS:
        yield known.get(name)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def cell(value: Any) -> str | int | float:
    """A value as a spreadsheet takes it: text never as a formula, and what is neither text nor number as JSON."""
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = value if isinstance(value, str) else _line(value)
    return "'" + text if text.startswith(_FORMULA) else text


def _line(value: Any) -> str:
    try:
        return canonical(value).decode()
    except ValueError:
        return json.dumps(value, sort_keys=True)  # somebody changed the row; it is shown all the same


def _hex(value: Any) -> str | None:
    return value.hex() if isinstance(value, bytes) else None
