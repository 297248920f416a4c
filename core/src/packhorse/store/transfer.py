"""Moving a store from SQLite to PostgreSQL: all of it, counted and compared, or nothing.

The counts and hashes are taken from what was read and from what the new store
gives back, so that a value which changed on its way stops the move.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packhorse.errors import PackError
from packhorse.store.postgres import PostgresStore
from packhorse.store.sqlite import Store

BATCH = 1000
"""Rows that are read at a time."""


@dataclass(frozen=True, slots=True)
class Copied:
    """One table as it arrived. ``sha256`` is of its rows, whatever their order."""

    store: str
    table: str
    rows: int
    sha256: str


def copy(source: Path, url: str, schema: str, migrations: Sequence[str]) -> list[Copied]:
    """Copy the SQLite file ``source`` into the empty ``schema`` of the database at ``url``.

    Raises:
        PackError: the file is of another version, the schema holds rows
            already, or what arrived is not what was sent; the schema then
            holds what it held before.
    """
    Store.open(source, migrations).close()  # brings it to this version, and refuses a newer one
    with (
        closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as file,
        PostgresStore.connect(url, schema, migrations) as target,
    ):
        file.row_factory = sqlite3.Row
        file.execute("BEGIN")  # one state of the file, while others go on writing
        with target.tx():
            return [_table(file, target, schema, table) for table in _tables(file)]


def _table(file: sqlite3.Connection, target: PostgresStore, schema: str, table: str) -> Copied:
    columns = [row["name"] for row in file.execute(f"PRAGMA table_info({_quoted(table)})")]
    there = target.query(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = :schema AND table_name = :table_name",
        schema=schema,
        table_name=table,
    )
    if {row["column_name"] for row in there} != set(columns):
        raise PackError(
            f"{schema}: the columns of the table {table!r} differ in PostgreSQL and in the file; check that both were"
            " made by the same version of packhorse"
        )
    if target.query(f"SELECT 1 AS one FROM {_quoted(table)} LIMIT 1"):  # noqa: S608 - the database's own name, quoted
        raise PackError(f"{schema}: the table {table!r} already has rows in PostgreSQL; copy into an empty database")
    names = ", ".join(_quoted(column) for column in columns)
    select = f"SELECT {names} FROM {_quoted(table)}"  # noqa: S608 - the database's own names, quoted
    sent = _Sum()
    try:
        for rows in _batches(file.execute(select)):
            target.insert_many(table, columns, [[row[column] for column in columns] for row in rows])
            sent.add({column: row[column] for column in columns} for row in rows)
    except sqlite3.Error as exc:
        raise PackError(f"{schema}: the table {table!r} cannot be copied ({exc}); nothing was copied") from exc
    arrived = _Sum()
    for batch in target.stream(select, BATCH):
        arrived.add(batch)
    if (sent.count, sent.hexdigest()) != (arrived.count, arrived.hexdigest()):
        raise PackError(
            f"{schema}: the copy of the table {table!r} differs from the original ({sent.count} rows sent, "
            f"{arrived.count} arrived), so the copy was undone"
        )
    return Copied(schema, table, sent.count, sent.hexdigest())


class _Sum:
    """A hash of rows in any order: the sum of the rows' own, so that no row need be kept."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for row in rows:
            text = json.dumps(row, sort_keys=True, default=bytes.hex).encode()
            self._sum += int.from_bytes(hashlib.sha256(text).digest(), "big")
            self.count += 1

    def hexdigest(self) -> str:
        return f"{self._sum % 2**256:064x}"


def _tables(file: sqlite3.Connection) -> list[str]:
    """Every table, those that others refer to before them."""
    found = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    left = [row["name"] for row in file.execute(found)]
    needs = {
        table: {row["table"] for row in file.execute(f"PRAGMA foreign_key_list({_quoted(table)})")} - {table}
        for table in left
    }
    ordered: list[str] = []
    while left:
        free = [table for table in left if needs[table] <= set(ordered)] or left  # a circle: its keys are deferred
        ordered += free
        left = [table for table in left if table not in free]
    return ordered


def _batches(rows: sqlite3.Cursor) -> Iterator[list[sqlite3.Row]]:
    while batch := rows.fetchmany(BATCH):
        yield batch


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
