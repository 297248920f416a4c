"""The head of the chain, written down in a file of its own.

A chain shows by itself that a row was changed, dropped or moved. That its last
rows are gone shows only beside something that remembers them: the anchor. Put
it where a writer of the record cannot: another disk, another account.

What it can tell. It is written after the rows it names were committed, under
the same lock, and never steps back. So it may lag behind the chain and never
leads: rows after it are accepted, a chain that ends before it is not. It is
written before `AuditLog.write` returns, hence every call that
changed something, and was answered, is covered. Not covered are rows of a
process that was killed between a commit and its anchor: one call a process at
the most, the rows whose calls nobody got an answer to; and notes (reads and denials) of
the last second. Cutting those off leaves no trace.

Power cuts. Without ``full_sync`` neither file is forced to the disk: after a
power cut the last seconds may be gone, and the anchor, if it was luckier than
the record, says so. With ``full_sync`` the record is on the disk before the
anchor is written. Nothing here helps when both files are put back together as
they were yesterday, or are removed together: keep a copy of the anchor
elsewhere.
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from packhorse.audit.canonical import canonical
from packhorse.audit.keys import Keys
from packhorse.audit.record import AuditTampered
from packhorse.store.permissions import sync_folder

_BYTES = 512
"""An anchor's length: the smallest sector of a disk."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A chain's name, and the number and hash of a row of it (number 0: it has none yet)."""

    chain: str
    seq: int
    hash: bytes

    def text(self, keys: Keys) -> bytes:
        """One line of JSON, sealed, and always `_BYTES` long."""
        about = {"chain": self.chain, "hash": self.hash.hex(), "seq": self.seq}
        text = canonical(about)
        sealed = b'%b,"seal":"%b"}' % (text[:-1], keys.seal("anchor", text).hex().encode())
        return sealed.ljust(_BYTES - 1) + b"\n"


class AnchorFile:
    """Where a chain's anchor is kept. `write` only under the record's own write lock."""

    def __init__(self, path: Path, keys: Keys) -> None:
        self.path = path
        self._keys = keys
        self._last: tuple[tuple[int, int, int], Anchor] | None = None

    def read(self) -> Anchor | None:
        """The anchor, or None when there is no file.

        Raises:
            AuditTampered: what is there is no anchor, or has no seal of this key.
            OSError: it cannot be read.
        """
        try:
            state = _state(self.path)
            if self._last is not None and self._last[0] == state:
                return self._last[1]
            with self.path.open("rb") as file:
                text = file.read(_BYTES)
        except FileNotFoundError:
            return None
        try:
            about = json.loads(text)
            seal = bytes.fromhex(about.pop("seal"))
            anchor = Anchor(about["chain"], about["seq"], bytes.fromhex(about["hash"]))
            sealed = type(anchor.seq) is int and self._keys.fits("anchor", canonical(about), seal)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            sealed = False
        if not sealed:
            raise AuditTampered(
                f"the anchor {self.path.name} does not have this record's seal: it was changed, or sealed with"
                " another key"
            )
        self._last = state, anchor
        return anchor

    def create(self, anchor: Anchor, *, sync: bool) -> None:
        """Put ``anchor`` where there is none, or in place of the one there."""
        new = self.path.with_name(self.path.name + ".new")
        _write(new, anchor.text(self._keys), os.O_CREAT | os.O_TRUNC, sync=sync)
        new.replace(self.path)
        if sync:
            sync_folder(self.path.parent)

    def write(self, anchor: Anchor, *, sync: bool) -> None:
        """Write ``anchor`` over the one there, which must be.

        In one piece: it is a single write of one sector, which neither a kill
        nor a power cut divides. (To rename a new file over the old one costs
        ten times as much, for the file system then hastens to the disk.)
        """
        _write(self.path, anchor.text(self._keys), 0, sync=sync)
        self._last = (_state(self.path), anchor)


def _write(path: Path, text: bytes, flags: int, *, sync: bool) -> None:
    descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0) | flags, 0o600)
    try:
        os.write(descriptor, text)
        if sync:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _state(path: Path) -> tuple[int, int, int]:
    """Which file this is, and when it was written: reading it again is needed only when this has changed."""
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns


def missing(
    anchor: Anchor | None, *, chain: str, head: int, before: int, hash_at: Callable[[int], object]
) -> str | None:
    """What is wrong between an anchor and a chain, in words; None when the chain goes on from the anchor.

    ``head`` is the number of the last row, ``before`` that of the last row
    that was pruned (0: none); ``hash_at`` gives the hash of any from
    ``before`` on.
    """
    if anchor is None:
        return "its anchor is missing, so packhorse cannot know whether its last rows are still there"
    if anchor.chain != chain:
        return "the anchor belongs to another record"
    if anchor.seq > head:
        rows = anchor.seq - head
        return (
            f"it ends at row {head} and its anchor names row {anchor.seq}:"
            f" the last {'row is' if rows == 1 else f'{rows} rows are'} gone"
        )
    if anchor.seq < before:
        return f"the anchor names row {anchor.seq}, from before the last pruning: an old anchor was put back"
    if hash_at(anchor.seq) != anchor.hash:
        return f"row {anchor.seq} has another hash than the anchor says"
    return None
