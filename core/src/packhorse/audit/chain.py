"""The record itself: one append-only table of which each row is sealed together with the seal before it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packhorse.audit.anchor import Anchor, AnchorFile, missing
from packhorse.audit.canonical import canonical
from packhorse.audit.keys import Keys
from packhorse.audit.record import AuditTampered, Entry, stamp
from packhorse.audit.table import (
    APPLICATION_ID,
    TABLES,
    TRIGGERS,
    VERSION,
    check_file,
    connect,
    file_errors,
    holds,
    link,
    tables,
)
from packhorse.contract.clock import Clock, ids
from packhorse.errors import PackError
from packhorse.store.permissions import private_file, private_folder
from packhorse.store.write_ahead import write_ahead

if TYPE_CHECKING:
    import sqlite3


NO_HASH = b"\x00" * 32


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where the chain begins: at its first row ever, or at the first that pruning left.

    ``prev`` is the hash, in hex, before row ``first``. ``pruned`` counts all
    rows that ever went, from ``oldest`` to ``newest`` (times). ``check`` tells
    whether a key is the one the chain was begun with.
    """

    chain: str
    created: str
    keyed: bool
    check: str
    first: int = 1
    prev: str = NO_HASH.hex()
    pruned: int = 0
    oldest: str | None = None
    newest: str | None = None

    @property
    def before(self) -> tuple[int, bytes]:
        return self.first - 1, bytes.fromhex(self.prev)


def read_checkpoint(row: Any, keys: Keys) -> Checkpoint:
    """Where the chain begins, its seal checked; ``row`` has its body and its seal.

    Raises:
        PackError: the chain has a key and none was given, or another, or the reverse.
        AuditTampered: it was changed.
    """
    try:
        checkpoint = Checkpoint(**json.loads(row[0]))
        text = canonical(asdict(checkpoint))
        keyed, check = checkpoint.keyed, checkpoint.check
    except (ValueError, TypeError, RecursionError) as exc:
        raise AuditTampered("the checkpoint at its beginning was changed") from exc
    if keyed and not keys.keyed:
        raise PackError(
            "this audit record was started with a key: set this `key` under [audit], or give it with --key-file"
        )
    if not keyed and keys.keyed:
        raise PackError(
            "this audit record was started without a key: move it and its anchor file to another folder, and"
            " packhorse starts a new record with the key"
        )
    if check != keys.check:
        raise PackError(
            "this audit record was started with another key: set that earlier `key` under [audit], or"
            " give it with --key-file"
        )
    if not keys.fits("checkpoint", text, row[1]):
        raise AuditTampered("the checkpoint at its beginning was changed")
    return checkpoint


def write_checkpoint(connection: sqlite3.Connection, checkpoint: Checkpoint, keys: Keys) -> None:
    """Seal and store where the chain begins; there must be none."""
    text = canonical(asdict(checkpoint))
    connection.execute("INSERT INTO checkpoint VALUES (1, ?, ?)", (text.decode(), keys.seal("checkpoint", text)))


class Chain:
    """The record, open for adding to. For one thread at a time; any number of processes."""

    def __init__(
        self, path: Path, anchor: Path, keys: Keys, *, full_sync: bool, wait_seconds: float, clock: Clock
    ) -> None:
        """Open the record at ``path``, or begin one where neither it nor its anchor exists.

        Raises:
            PackError: it cannot be written, is of a newer version or another
                key, or is not what its anchor remembers.
        """
        self._path = path
        self._anchor_file = AnchorFile(anchor, keys)
        self._keys = keys
        self._sync = full_sync
        self._checkpoint: tuple[object, Checkpoint] | None = None
        try:
            _prepare(path, anchor, self._anchor_file)
            self._connection = connect(path, wait_seconds)
        except file_errors(AuditTampered) as exc:
            raise PackError(_cannot(path, exc)) from exc
        self._place = _place(path)
        try:
            if tables(self._connection):
                check_file(self._connection, path)  # before anything is done to it, for it may be somebody else's
            write_ahead(self._connection, wait_seconds)
            self._connection.execute(f"PRAGMA synchronous={'FULL' if full_sync else 'NORMAL'}")
            with self.tx():
                self._begin(clock)
        except file_errors(AuditTampered) as exc:
            self.close()
            raise PackError(_cannot(path, exc)) from exc
        except BaseException:
            self.close()
            raise

    def append(self, entries: Sequence[Entry]) -> None:
        """Add rows, all or none, and commit.

        Raises:
            sqlite3.Error, OSError: they could not be written.
            AuditTampered: the file is no longer the one that was opened.
        """
        with self.tx():
            self.extend(entries)

    def extend(self, entries: Sequence[Entry]) -> None:
        """Add rows inside a `tx`."""
        seq, prev = self.head()
        rows = []
        for entry in entries:
            seq += 1
            made = link(self._keys, prev, seq, entry.body)
            rows.append((seq, entry.id, entry.time, entry.body.decode(), prev, made))
            prev = made
        self._connection.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", rows)

    def anchor(self) -> None:
        """Write down the present head outside the file.

        Raises:
            AuditTampered: the chain does not go on from the anchor that is there.
            sqlite3.Error, OSError: it could not be written.
        """
        with self.tx():  # nobody adds meanwhile, so an anchor never steps back
            self.reanchor()

    def reanchor(self) -> None:
        """As `anchor`, inside a `tx` that has added nothing."""
        found = self._anchor_file.read()
        (seq, made), checkpoint = self.head(), self.checkpoint()
        wrong = missing(
            found, chain=checkpoint.chain, head=seq, before=checkpoint.first - 1, hash_at=self._hash_at(checkpoint)
        )
        if wrong:
            raise AuditTampered(wrong)
        if found is None or found.seq < seq:
            self._anchor_file.write(Anchor(checkpoint.chain, seq, made), sync=self._sync)

    def head(self) -> tuple[int, bytes]:
        """Number and hash of the last row; of the one before the first when there is none."""
        row = self._connection.execute("SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
        if row is None:
            return self.checkpoint().before
        if not isinstance(row[1], bytes):
            raise AuditTampered(f"row {row[0]} was changed")
        return int(row[0]), row[1]

    def checkpoint(self) -> Checkpoint:
        row = self._connection.execute("SELECT body, seal FROM checkpoint").fetchone()
        if self._checkpoint is None or self._checkpoint[0] != row:
            self._checkpoint = row, read_checkpoint(row, self._keys)
        return self._checkpoint[1]

    @contextmanager
    def tx(self) -> Iterator[sqlite3.Connection]:
        """A transaction that may write: all of it, or, on any exception, none."""
        if _place(self._path) != self._place:
            raise AuditTampered(f"{self._path.name} was moved, removed or replaced while it was in use")
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite rolls back by itself on some errors, a full disk among them
                connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        self._connection.close()

    def _hash_at(self, checkpoint: Checkpoint) -> Callable[[int], object]:
        def hash_at(seq: int) -> object:
            before, prev = checkpoint.before
            if seq == before:
                return prev
            row = self._connection.execute("SELECT hash FROM entry WHERE seq = ?", (seq,)).fetchone()
            return row[0] if row else None

        return hash_at

    def _begin(self, clock: Clock) -> None:
        """Make the tables in an empty file; in any other, find out whether it may be added to."""
        if not tables(self._connection):
            made = Checkpoint(ids(clock)(), stamp(clock()), self._keys.keyed, self._keys.check)
            for statement in (*TABLES, *TRIGGERS.values()):
                self._connection.execute(statement)
            write_checkpoint(self._connection, made, self._keys)
            self._connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            self._connection.execute(f"PRAGMA user_version={VERSION}")
        checkpoint = self.checkpoint()
        seq, _ = self.head()
        found = self._anchor_file.read()
        if seq == 0 and (found is None or found.seq == 0):
            # Also after a crash between the two files' beginnings: nothing was in either.
            self._anchor_file.create(Anchor(checkpoint.chain, 0, NO_HASH), sync=self._sync)
            return
        self._check_head()
        self.reanchor()

    def _check_head(self) -> None:
        """The last row, at least, must have its seal before another is put on top of it."""
        row = self._connection.execute(
            "SELECT prev, seq, CAST(body AS BLOB), hash FROM entry ORDER BY seq DESC LIMIT 1"
        ).fetchone()
        if row is not None and not holds(self._keys, *row):
            raise AuditTampered(f"row {row[1]} was changed")


def _prepare(path: Path, anchor: Path, anchor_file: AnchorFile) -> None:
    private_folder(path.parent)
    private_folder(anchor.parent)
    if path.exists() and path.stat().st_size:
        return
    remembered = anchor_file.read()
    if remembered is not None and remembered.seq:
        raise AuditTampered(f"the file is gone or empty, and its anchor {anchor.name} names row {remembered.seq}")
    private_file(path)


def _place(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _cannot(path: Path, exc: Any) -> str:
    if isinstance(exc, AuditTampered):
        return (
            f"the audit record {path.name} cannot be continued: {exc}. See 'packhorse audit verify'. To go on,"
            " keep the record and its anchor as evidence: move both to another folder, and packhorse starts a new"
            " record. (After a power cut the last rows of a record without `full_sync` may be missing.)"
        )
    reason = (exc.strerror if isinstance(exc, OSError) else None) or str(exc)
    return f"the audit record {path} cannot be opened for writing ({reason}): correct that, or name another file"
