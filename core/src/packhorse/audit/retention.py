"""Retention: rows older than a day are removed, and a sealed checkpoint stands where they were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from packhorse.audit.chain import Chain, write_checkpoint
from packhorse.audit.keys import Keys
from packhorse.audit.log import BUSY_SECONDS, anchor_of
from packhorse.audit.record import AuditTampered, entry, stamp
from packhorse.audit.report import verify
from packhorse.audit.table import TRIGGERS, file_errors
from packhorse.contract.clock import Clock, ids
from packhorse.errors import PackError

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many rows went, and the times of the first and last of them."""

    rows: int
    oldest: str | None = None
    newest: str | None = None


def prune(
    path: Path, before: datetime, *, anchor: Path | None = None, key: bytes | None = None, clock: Clock
) -> Pruned:
    """Remove the rows from before ``before`` (aware; that instant itself is kept), up to the first that is not.

    What is left verifies from a new checkpoint, and says itself, in a row of
    its own, what was removed. The removed contents are overwritten in the file
    (not in backups, nor in what a disk keeps of its own accord). The record may be in use.

    Raises:
        PackError: the record does not verify: it is kept as it is, for it may be evidence; or it cannot be written.
    """
    keys = Keys(key)
    anchor = anchor or anchor_of(path)
    report = verify(path, anchor, key)
    if not report.ok:
        raise PackError(f"{path.name} failed its check, so nothing was removed from it: {report.problem}")
    chain = Chain(path, anchor, keys, full_sync=True, wait_seconds=BUSY_SECONDS, clock=clock)
    try:
        with chain.tx() as connection:
            chain.reanchor()  # now, so that an older anchor than the new beginning is always a wrong one
            removed = _remove(chain, connection, keys, stamp(before), clock)
        chain.anchor()
        if removed.rows:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log holds the old pages until then
    except file_errors(AuditTampered) as exc:
        raise PackError(f"{path.name} could not be pruned ({exc}); nothing was changed") from exc
    finally:
        chain.close()
    return removed


def _remove(chain: Chain, connection: sqlite3.Connection, keys: Keys, limit: str, clock: Clock) -> Pruned:
    head, _ = chain.head()
    old = chain.checkpoint()
    kept = connection.execute("SELECT seq FROM entry WHERE time >= ? ORDER BY seq LIMIT 1", (limit,)).fetchone()
    first = kept[0] if kept else head + 1
    gone = first - old.first
    if gone <= 0:
        return Pruned(0)
    oldest = connection.execute("SELECT min(time), max(time) FROM entry WHERE seq < ?", (first,)).fetchone()
    prev = connection.execute("SELECT hash FROM entry WHERE seq = ?", (first - 1,)).fetchone()[0]
    new = replace(
        old,
        first=first,
        prev=prev.hex(),
        pruned=old.pruned + gone,
        oldest=min(old.oldest or oldest[0], oldest[0]),
        newest=max(old.newest or oldest[1], oldest[1]),
    )
    about: Mapping[str, object] = {"checkpoint": asdict(new), "rows": gone, "oldest": oldest[0], "newest": oldest[1]}
    chain.extend([entry(ids(clock), clock(), "prune", **about)])
    connection.execute("PRAGMA secure_delete=ON")
    for name in TRIGGERS:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("DELETE FROM entry WHERE seq < ?", (first,))
    connection.execute("DELETE FROM checkpoint")
    write_checkpoint(connection, new, keys)
    for statement in TRIGGERS.values():
        connection.execute(statement)
    return Pruned(gone, *oldest)
