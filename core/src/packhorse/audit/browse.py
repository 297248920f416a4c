"""The record's calls for a person who looks for some: newest first, filtered, from any row on."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packhorse.audit.extract import cell
from packhorse.audit.table import parsed, reading

if TYPE_CHECKING:
    import sqlite3

LOOKED_AT = 20_000
"""Rows that one question looks through, a fraction of a second; the next goes on where it ended."""

OPEN = "no outcome"
"""The status of a call that began and of whose end the record says nothing: it runs, or its process ended."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One call: the row that it begins with, who made it when, and how it ended."""

    seq: int
    time: str
    kind: str
    name: str
    pack: str
    principal: Mapping[str, Any]
    address: str
    request_id: str
    effectful: bool
    arguments: Mapping[str, Any]
    count: int
    status: str
    code: str
    milliseconds: float | None

    @property
    def caller(self) -> str:
        who = " ".join(str(self.principal[key]) for key in ("kind", "subject") if self.principal.get(key))
        return who or self.address


@dataclass(frozen=True, slots=True)
class Leaf:
    """Some of the calls; ``older`` is the row below which the next ones are, None where there are no more."""

    calls: list[Recorded] = field(default_factory=list)
    older: int | None = None


COLUMNS = (
    "seq", "time", "kind", "pack", "name", "status", "code", "ms", "count", "principal", "issuer", "subject", "address",
    "request_id", "effectful", "arguments",
)  # fmt: skip


def as_csv(found: Iterable[Recorded]) -> str:
    """A table of calls, one a line, in the columns of `packhorse audit export` and with how many calls a row counts."""
    out = io.StringIO(newline="")
    sheet = csv.writer(out)
    sheet.writerow(COLUMNS)
    for call in found:
        who = call.principal
        known = {"ms": call.milliseconds, "principal": who.get("kind"), "issuer": who.get("issuer")}
        known["subject"] = who.get("subject")
        sheet.writerow([cell(known[name] if name in known else getattr(call, name)) for name in COLUMNS])
    return out.getvalue()


def calls(path: Path, wanted: Callable[[Recorded], bool], *, count: int, below: int | None = None) -> Leaf:
    """The newest ``count`` calls below a row that are ``wanted``, of at most `LOOKED_AT` rows.

    Raises:
        PackError: there is no such record, or it cannot be read.
    """
    with reading(path) as connection:
        return _leaf(connection, wanted, count, below)


def _leaf(connection: sqlite3.Connection, wanted: Callable[[Recorded], bool], count: int, below: int | None) -> Leaf:
    found: list[Recorded] = []
    ends: dict[str, Mapping[str, Any]] = {}
    for looked, (seq, body) in enumerate(_rows(connection, below), 1):
        if isinstance(body.get("begin"), str):
            ends[body["begin"]] = body
        elif isinstance(body.get("call"), dict):
            outcome = body.get("outcome")
            if body.get("type") == "begin":
                outcome = (ends.pop(str(body.get("id")), None) or _end(connection, seq, body)).get("outcome")
            one = _recorded(seq, body, outcome if isinstance(outcome, dict) else {})
            if wanted(one):
                found.append(one)
        if len(found) == count or looked == LOOKED_AT:
            return Leaf(found, seq)
    return Leaf(found, None)


def _rows(connection: sqlite3.Connection, below: int | None) -> Iterator[tuple[int, dict[str, Any]]]:
    where = "WHERE seq < ?" if below is not None else "WHERE ? IS NULL"
    query = f"SELECT seq, CAST(body AS BLOB) FROM entry {where} ORDER BY seq DESC"  # noqa: S608  # two constants
    for seq, body in connection.execute(query, (below,)):
        yield seq, _object(body)


def _end(connection: sqlite3.Connection, seq: int, begin: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row in which a call ended that began at ``seq``: soon after it, as a rule."""
    query = "SELECT CAST(body AS BLOB) FROM entry WHERE seq > ? AND seq <= ? ORDER BY seq"
    for (body,) in connection.execute(query, (seq, seq + LOOKED_AT)):
        row = _object(body)
        if row.get("begin") == begin.get("id"):
            return row
    return {}


def _recorded(seq: int, body: Mapping[str, Any], outcome: Mapping[str, Any]) -> Recorded:
    call = body["call"]
    principal, arguments, taken = call.get("principal"), call.get("arguments"), outcome.get("ms")
    return Recorded(
        seq,
        str(body.get("time", "")),
        str(call.get("kind", "")),
        str(call.get("name", "")),
        str(call.get("pack", "")),
        principal if isinstance(principal, dict) else {},
        str(call.get("address", "")),
        str(call.get("request_id", "")),
        bool(call.get("effectful")),
        arguments if isinstance(arguments, dict) else {},
        call["count"] if isinstance(call.get("count"), int) else 1,
        str(outcome.get("status", OPEN)),
        str(outcome.get("code", "")),
        float(taken) if isinstance(taken, int | float) else None,
    )


def _object(body: Any) -> dict[str, Any]:
    found = parsed(body)
    return found if isinstance(found, dict) else {}  # else somebody changed the row: `verify` says so
