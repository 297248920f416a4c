"""A pack's own database: portable SQL with named parameters on one SQLite file, migrated in order.

Write the common dialect: ``:name`` parameters, ``ON CONFLICT ... DO UPDATE``,
``RETURNING``, JSON and ISO 8601 UTC as text, ids made by the caller; no
``rowid``, no ``INSERT OR REPLACE``.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from packhorse.errors import PackError
from packhorse.store.dialect import writes
from packhorse.store.permissions import private_file
from packhorse.store.write_ahead import write_ahead

BUSY_SECONDS = 30
"""How long a writer waits for another: with BEGIN IMMEDIATE, 30 s lost nothing among eight writers."""


class Store:
    """One open store. It belongs to the thread that opened it; close it when done."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._depth = 0

    @classmethod
    def open(cls, path: Path, migrations: Sequence[str] = ()) -> Store:
        """Open ``path``, creating and migrating it as needed.

        Raises:
            PackError: the file was written by a newer version, or is no database.
        """
        try:
            connection = sqlite3.connect(private_file(path), timeout=BUSY_SECONDS, isolation_level=None)
        except (sqlite3.Error, OSError) as exc:
            raise PackError(f"{path}: the store cannot be opened ({exc})") from exc
        try:
            store = cls(connection)
            store._check_version(path, migrations)  # first of all: a newer file must stay as it is
            write_ahead(connection, BUSY_SECONDS)
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA foreign_keys=ON")
            store._migrate(path, migrations)
        except sqlite3.DatabaseError as exc:
            connection.close()
            raise PackError(f"{path}: the store cannot be opened ({exc})") from exc
        except BaseException:
            connection.close()
            raise
        return store

    def query(self, sql: str, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of a SELECT or of a RETURNING clause, as dicts; what it writes is committed, unless inside `tx`.

        Raises:
            ValueError: the statement gives no rows: `execute` is for those.
        """
        with self.tx() if writes(sql) else nullcontext():
            cursor = self._connection.execute(sql, parameters)
            if cursor.description is None:
                raise ValueError("this statement gives no rows: use execute() for it")
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def execute(self, sql: str, **parameters: Any) -> int:
        """Run one statement; how many rows it changed. Its own transaction unless inside `tx`."""
        with self.tx():
            cursor = self._connection.execute(sql, parameters)
            cursor.fetchall()  # with RETURNING, the rows are counted only once they have been read
            return cursor.rowcount

    @contextmanager
    def tx(self) -> Iterator[None]:
        """A transaction that may write: all of it, or, on any exception, none of it.

        One inside another is a part of it: undone alone when its exception is
        caught in between, kept only if the outer one is.
        """
        undo: tuple[str, ...]
        if self._depth:
            name = f"part_{self._depth}"
            begin, undo, keep = f"SAVEPOINT {name}", (f"ROLLBACK TO {name}", f"RELEASE {name}"), f"RELEASE {name}"
        else:
            # A deferred transaction that turns into a writer fails at once under load; an immediate one waits.
            begin, undo, keep = "BEGIN IMMEDIATE", ("ROLLBACK",), "COMMIT"
        self._connection.execute(begin)
        self._depth += 1
        try:
            yield
            self._connection.execute(keep)  # may fail too: deferred constraints are checked here
        except BaseException:
            if self._connection.in_transaction:  # SQLite ends it by itself when the disk is full, for one
                for step in undo:
                    self._connection.execute(step)
            raise
        finally:
            self._depth -= 1

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _migrate(self, path: Path, migrations: Sequence[str]) -> None:
        if self._version() == len(migrations):
            return
        with self.tx():
            # Asked again inside the lock: another process may have been first.
            done = self._check_version(path, migrations)
            for number, script in enumerate(migrations[done:], start=done + 1):
                try:
                    for statement in _statements(script):
                        self._connection.execute(statement)
                except sqlite3.Error as exc:
                    raise PackError(f"{path.name}: migration {number} failed ({exc}); nothing was changed") from exc
                self._connection.execute(f"PRAGMA user_version={number}")

    def _check_version(self, path: Path, migrations: Sequence[str]) -> int:
        done = self._version()
        if done > len(migrations):
            raise PackError(
                f"{path.name} was written by a newer version ({done} migrations; the installed one has"
                f" {len(migrations)}): install the newer version again, or restore a backup"
            )
        return done

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, split where SQLite itself sees one end (``executescript`` would commit)."""
    pending = ""
    for piece in re.split(r"(?<=;)", script):
        pending += piece
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
    if pending.strip():
        yield pending
