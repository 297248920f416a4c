"""The index on disk: one SQLite file, so that a change is whole or absent, whenever the process dies."""

from __future__ import annotations

import json
import sqlite3
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from packhorse.store.permissions import private_file, private_folder
from packhorse.store.write_ahead import write_ahead
from packhorse_locator.search.segment import Segment
from packhorse_locator.search.vocabulary import Chunk

FORMAT = 1
FILE = "names.sqlite3"
BUSY_SECONDS = 120.0
"""How long a writer waits for another one: longer than a build of a million names."""

TABLES = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS chunks
  (number INTEGER PRIMARY KEY, words TEXT NOT NULL, hashes BLOB NOT NULL, owners BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS parts
  (segment INTEGER NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (segment, name)) STRICT;
CREATE TABLE IF NOT EXISTS dead (segment INTEGER PRIMARY KEY, bits BLOB NOT NULL) STRICT;
"""


class IndexFileError(Exception):
    """The index file is of another format: delete its folder and build again."""


@frozen
class Facts:
    """What is known of the index as a whole.

    Attributes:
        epoch: Goes up when the vocabulary starts again.
        version: Goes up with every change.
        sequence: The registry's change counter that was reached.
        next_segment: Number of the next segment.
        countries: Folded countries; the first has number 1.
    """

    epoch: int = 0
    version: int = 0
    sequence: int = 0
    next_segment: int = 1
    countries: tuple[str, ...] = ()


@define
class Storage:
    """The file, opened once a process and shared by its threads."""

    connection: sqlite3.Connection
    lock: RLock = field(factory=RLock)

    def __attrs_post_init__(self) -> None:
        # A lock that nobody closed ends all the same.
        weakref.finalize(self, self.connection.close)

    @classmethod
    def open(cls, folder: Path) -> Storage:
        """Open or make the file. Raises ``IndexFileError`` when a newer packhorse has written it."""
        private_file(private_folder(folder) / FILE)
        connection = sqlite3.connect(folder / FILE, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        write_ahead(connection, BUSY_SECONDS)
        connection.execute("PRAGMA synchronous=NORMAL")
        written = connection.execute("PRAGMA user_version").fetchone()[0]
        if written not in (0, FORMAT):
            connection.close()
            raise IndexFileError(f"the name index has format {written}, this version reads {FORMAT}")
        if not written:
            connection.executescript(f"BEGIN IMMEDIATE; {TABLES} PRAGMA user_version={FORMAT}; COMMIT;")
        return cls(connection)

    def close(self) -> None:
        """Close the file."""
        with self.lock:
            self.connection.close()

    @property
    def foreign_changes(self) -> int:
        """A number that changes when another connection has changed the file."""
        with self.lock:
            return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all that is written in it, or nothing. Other threads and processes wait their turn."""
        with self.lock:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One unchanging view of the file."""
        with self.lock:
            if self.connection.in_transaction:
                yield
                return
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                self.connection.execute("COMMIT")

    def facts(self) -> Facts:
        """What is known of the index as a whole."""
        rows = dict(self.connection.execute("SELECT name, value FROM facts").fetchall())
        if not rows:
            return Facts()
        numbers = {name: int(rows[name]) for name in ("epoch", "version", "sequence", "next_segment")}
        return Facts(**numbers, countries=tuple(json.loads(rows["countries"])))

    def note(self, facts: Facts) -> None:
        """Write what is known of the index as a whole."""
        values = {
            "epoch": str(facts.epoch),
            "version": str(facts.version),
            "sequence": str(facts.sequence),
            "next_segment": str(facts.next_segment),
            "countries": json.dumps(facts.countries, ensure_ascii=False),
        }
        self.connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", values.items())

    def chunks(self, after: int) -> list[tuple[int, Chunk]]:
        """Chunks of the vocabulary with a number above ``after``, in order."""
        rows = self.connection.execute(
            "SELECT number, words, hashes, owners FROM chunks WHERE number > ? ORDER BY number", (after,)
        )
        return [
            (number, Chunk(tuple(words.split()), np.frombuffer(hashes, np.uint32), np.frombuffer(owners, np.int32)))
            for number, words, hashes, owners in rows
        ]

    def append(self, chunk: Chunk) -> int:
        """Write a chunk of the vocabulary; returns its number."""
        cursor = self.connection.execute(
            "INSERT INTO chunks (words, hashes, owners) VALUES (?, ?, ?)",
            (" ".join(chunk.words), chunk.hashes.tobytes(), chunk.owners.tobytes()),
        )
        return int(cursor.lastrowid or 0)

    def segment_numbers(self) -> list[int]:
        """Numbers of the stored segments, oldest first."""
        return [row[0] for row in self.connection.execute("SELECT DISTINCT segment FROM parts ORDER BY segment")]

    def segment(self, number: int) -> Segment:
        """A stored segment."""
        rows = self.connection.execute("SELECT name, data FROM parts WHERE segment = ?", (number,))
        return Segment.stored(dict(rows.fetchall()))

    def keep(self, number: int, segment: Segment) -> None:
        """Write a segment."""
        self.connection.executemany(
            "INSERT INTO parts VALUES (?, ?, ?)",
            ((number, name, array.tobytes()) for name, array in segment.arrays().items()),
        )

    def drop(self, numbers: Sequence[int]) -> None:
        """Delete segments."""
        for table in ("parts", "dead"):
            self.connection.executemany(f"DELETE FROM {table} WHERE segment = ?", ((n,) for n in numbers))  # noqa: S608

    def clear(self) -> None:
        """Delete everything but the facts."""
        for table in ("chunks", "parts", "dead"):
            self.connection.execute(f"DELETE FROM {table}")  # noqa: S608 - a name from the line above

    def bury(self, number: int, dead: NDArray[np.bool_]) -> None:
        """Write which records of a segment are dead."""
        self.connection.execute("INSERT OR REPLACE INTO dead VALUES (?, ?)", (number, np.packbits(dead).tobytes()))

    def graves(self) -> Mapping[int, bytes]:
        """Bits of the dead records by segment."""
        return dict(self.connection.execute("SELECT segment, bits FROM dead").fetchall())
