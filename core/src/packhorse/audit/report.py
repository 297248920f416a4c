"""Finds out whether a record is what was written, and if not, where it begins not to be."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packhorse.audit.anchor import Anchor, AnchorFile, missing
from packhorse.audit.chain import Checkpoint, read_checkpoint
from packhorse.audit.keys import Keys
from packhorse.audit.log import anchor_of
from packhorse.audit.record import AuditTampered
from packhorse.audit.table import TRIGGERS, check_file, connect, file_errors, holds
from packhorse.errors import PackError

if TYPE_CHECKING:
    import sqlite3


_TRIES = 3

TOLD_EVERY = 1_000
"""Rows from one word to a watcher to the next."""

Watch = Callable[[int, int], None]
"""Hears how many rows of how many have been looked at."""


def unwatched(done: int, total: int) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found.

    ``rows`` is how many rows hold, from ``first`` to ``head`` (None where
    there are none). ``first_bad`` is the number of the first that does not, or
    that should be there and is not, and ``problem`` says what is wrong; both
    are None when ``ok``, and ``first_bad`` also where the problem is not one
    row's. ``anchored`` is the row that the anchor names. Without a key
    (``keyed``) the chain shows damage and careless edits, and nothing against
    somebody who writes it all again.
    """

    ok: bool
    rows: int
    keyed: bool
    problem: str | None = None
    first_bad: int | None = None
    first: int | None = None
    head: int | None = None
    since: str | None = None
    until: str | None = None
    anchored: int | None = None
    pruned: int = 0


def verify(path: Path, anchor: Path | None = None, key: bytes | None = None, *, watch: Watch = unwatched) -> Report:
    """Check every row of the record at ``path``, its beginning and its anchor; row by row, in little memory.

    It may be in use meanwhile: rows added after the start are not looked at.

    Raises:
        PackError: it cannot be checked: there is no such file, it is of a
            newer version, or needs a key that was not given.
    """
    keys = Keys(key)
    anchor_file = AnchorFile(anchor or anchor_of(path), keys)
    for _ in range(_TRIES):
        found, report = _verified(path, anchor_file, keys, watch)
        if report.ok or found == _read(anchor_file, path)[0]:
            break
        # Pruned while it was being checked, so that the anchor which was read was from before: once more.
    return report


def _read(anchor_file: AnchorFile, path: Path) -> tuple[Anchor | None, str | None]:
    """The anchor, or what is wrong with it."""
    try:
        return anchor_file.read(), None
    except AuditTampered as exc:
        return None, str(exc)
    except OSError as exc:
        raise PackError(f"the anchor of {path.name} cannot be read ({exc.strerror})") from exc


def _verified(path: Path, anchor_file: AnchorFile, keys: Keys, watch: Watch) -> tuple[Anchor | None, Report]:
    # The anchor first: it never leads, so the rows that it names must be there by the time the file is read.
    found, problem = _read(anchor_file, path)
    if not path.is_file():
        if found is None and problem is None:
            raise PackError(f"there is no audit record {path}")
        lost = found.seq if found else 0
        problem = problem or f"the file is gone; its anchor names row {lost}"
        return found, Report(False, 0, keys.keyed, problem, anchored=lost)
    try:
        with closing(connect(path, reading=True)) as connection:
            connection.execute("BEGIN")
            return found, _Walk(connection, path, keys, watch).report(found, problem)
    except file_errors() as exc:
        return found, Report(False, 0, keys.keyed, f"the file is damaged ({exc})")


class _Walk:
    """One pass over the rows."""

    def __init__(self, connection: sqlite3.Connection, path: Path, keys: Keys, watch: Watch) -> None:
        self._connection = connection
        self._path = path
        self._keys = keys
        self._watch = watch
        self._rows = 0
        self._since: str | None = None
        self._until: str | None = None
        self._last_pruning: dict[str, Any] | None = None
        self._anchored_hash: bytes | None = None

    def report(self, anchor: Anchor | None, problem: str | None) -> Report:
        check_file(self._connection, self._path)
        try:
            row = self._connection.execute("SELECT body, seal FROM checkpoint").fetchone()
            checkpoint = read_checkpoint(row, self._keys)
        except AuditTampered as exc:
            return Report(False, 0, self._keys.keyed, problem=str(exc))
        first_bad = None
        seq, prev = checkpoint.before
        expected = anchor.seq - seq if anchor else 0  # not counted in the file, which may be damaged further on
        self._note_anchor(anchor, seq, prev)
        try:
            for row in self._connection.execute(
                "SELECT seq, prev, CAST(body AS BLOB), hash, id, time FROM entry ORDER BY seq"
            ):
                wrong = self._wrong(row, seq + 1, prev)
                if wrong:
                    first_bad, problem = seq + 1, wrong
                    break
                seq, prev = row[0], row[3]
                self._rows += 1
                self._note_anchor(anchor, seq, prev)
                if self._rows % TOLD_EVERY == 0:
                    self._watch(self._rows, max(self._rows, expected))
        except file_errors() as exc:
            first_bad, problem = seq + 1, f"the file is damaged after row {seq} ({exc})"
        else:
            self._watch(self._rows, self._rows)
        if problem is None:
            problem, first_bad = self._whole(checkpoint, anchor, seq)
        return Report(
            ok=problem is None,
            rows=self._rows,
            keyed=self._keys.keyed,
            problem=problem,
            first_bad=first_bad,
            first=checkpoint.first if self._rows else None,
            head=seq if self._rows else None,
            since=self._since,
            until=self._until,
            anchored=anchor.seq if anchor else None,
            pruned=checkpoint.pruned,
        )

    def _note_anchor(self, anchor: Anchor | None, seq: int, made: bytes) -> None:
        if anchor is not None and anchor.seq == seq:
            self._anchored_hash = made

    def _wrong(self, row: Any, expected: int, expected_prev: bytes) -> str | None:
        seq, prev, body, made, written_id, written_time = row
        if seq != expected:
            return f"row {expected} is missing: row {seq} comes next"
        if prev != expected_prev:
            return f"row {seq} does not continue the row before it: one of the two was changed, moved or dropped"
        if not holds(self._keys, prev, seq, body, made):
            return f"row {seq} was changed: its seal does not match"
        try:
            about = json.loads(body)
            kept = (about["id"], about["time"])
            if about["type"] == "prune":
                self._last_pruning = about["checkpoint"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return f"row {seq} cannot be read"
        if kept != (written_id, written_time):
            return f"row {seq} was changed: its columns differ from its body"
        self._since = self._since or written_time
        self._until = written_time
        return None

    def _whole(self, checkpoint: Checkpoint, anchor: Anchor | None, head: int) -> tuple[str | None, int | None]:
        """What is wrong with the record as a whole, when each row holds; and from which row on."""
        triggers = dict(self._connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
        if triggers != TRIGGERS:
            return "the triggers that prevent changes of rows were changed", None
        wrong = missing(
            anchor,
            chain=checkpoint.chain,
            head=head,
            before=checkpoint.first - 1,
            hash_at=lambda _: self._anchored_hash,
        )
        if wrong:
            return wrong, head + 1 if anchor is not None and anchor.seq > head else None
        if checkpoint.pruned and self._last_pruning != asdict(checkpoint):
            return "its checkpoint is not the checkpoint that the last pruning recorded", None
        return None, None
