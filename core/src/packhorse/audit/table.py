"""The file that holds a record: its tables, what keeps them from being changed, and the seal of a row."""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packhorse.audit.keys import Keys
from packhorse.errors import PackError

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x50484155  # "PHAU", in the file's header
VERSION = 1

TABLES = (
    (
        "CREATE TABLE entry (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, time TEXT NOT NULL, body TEXT NOT NULL,"
        " prev BLOB NOT NULL, hash BLOB NOT NULL)"
    ),
    "CREATE TABLE checkpoint (only INTEGER PRIMARY KEY CHECK (only = 1), body TEXT NOT NULL, seal BLOB NOT NULL)",
)

# Against mistakes: an editor of the file can drop a trigger, and then the seals show it.
# The two on INSERT are there because INSERT OR REPLACE deletes without asking a DELETE trigger.
TRIGGERS = {
    name: f"CREATE TRIGGER {name} BEFORE {when} BEGIN SELECT RAISE(ABORT, 'an audit record is only ever added to'); END"
    for name, when in {
        "entry_update": "UPDATE ON entry",
        "entry_delete": "DELETE ON entry",
        "entry_replace": "INSERT ON entry WHEN EXISTS (SELECT 1 FROM entry WHERE seq >= NEW.seq)",
        "checkpoint_update": "UPDATE ON checkpoint",
        "checkpoint_delete": "DELETE ON checkpoint",
        "checkpoint_replace": "INSERT ON checkpoint WHEN EXISTS (SELECT 1 FROM checkpoint)",
    }.items()
}


def link(keys: Keys, prev: bytes, seq: int, body: bytes) -> bytes:
    """The hash of a row: over the one before it, its number and its body."""
    return keys.seal("chain", b"%b%b%b" % (prev, seq.to_bytes(8, "big"), body))


def holds(keys: Keys, prev: object, seq: int, body: object, made: object) -> bool:
    """Whether a row that was read back is one that was written: any column may hold anything by now."""
    return (
        isinstance(prev, bytes)
        and isinstance(body, bytes)
        and isinstance(made, bytes)
        and seq > 0
        and hmac.compare_digest(link(keys, prev, seq, body), made)
    )


def file_errors(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """What a file that cannot be read or written raises, and ``others``."""
    import sqlite3

    # Of a damaged file SQLite quotes bytes in its message that Python then cannot decode.
    return sqlite3.Error, OSError, UnicodeDecodeError, *others


def connect(path: Path, wait_seconds: float = 30, *, reading: bool = False) -> sqlite3.Connection:
    """A connection that begins and ends no transaction by itself; ``reading``: and writes nothing."""
    import sqlite3

    name = str(path)
    if reading:
        # A copy on read-only media: SQLite reads it only on the promise that nobody writes it meanwhile.
        still = not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists()
        name = f"{path.absolute().as_uri()}?{'immutable=1' if still else 'mode=ro'}"
    return sqlite3.connect(name, timeout=wait_seconds, isolation_level=None, check_same_thread=False, uri=reading)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The record at ``path`` as it stands now, to be read; nothing here checks a seal.

    Raises:
        PackError: there is no such record, or it cannot be read.
    """
    if not path.is_file():
        raise PackError(f"there is no audit record {path}")
    try:
        with closing(connect(path, reading=True)) as connection:
            connection.execute("BEGIN")
            check_file(connection, path)
            yield connection
    except file_errors() as exc:
        raise PackError(f"{path.name} cannot be read ({exc}); run 'packhorse audit verify' to see why") from exc


def parsed(body: object) -> Any:
    """A row's body; None where somebody changed it into what is no JSON."""
    try:
        return json.loads(body)  # type: ignore[arg-type]  # whatever it is
    except (ValueError, TypeError, RecursionError):
        return None


def check_file(connection: sqlite3.Connection, path: Path) -> None:
    """Raises PackError where the file is no audit record, or a newer version's."""
    kind = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if kind != APPLICATION_ID:
        raise PackError(f"{path.name} is not an audit record of packhorse: name another file")
    if version > VERSION:
        raise PackError(
            f"{path.name} was written by a newer version (format {version}; the installed one reads up to {VERSION}):"
            " install the newer version again, or name another file"
        )


def tables(connection: sqlite3.Connection) -> int:
    """How many tables and triggers the file has; none when it is new."""
    return int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
