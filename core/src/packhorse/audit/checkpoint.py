"""Where a chain begins, sealed: verification starts here, and pruning moves it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from packhorse.audit.canonical import canonical
from packhorse.audit.keys import Keys
from packhorse.audit.record import AuditTampered
from packhorse.errors import PackError

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
        """Number and hash of the row before the first."""
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
        raise PackError("this audit record was begun with a key: give that key")
    if not keyed and keys.keyed:
        raise PackError(
            "this audit record was begun without a key: move it and its anchor aside, and a new one begins with the key"
        )
    if check != keys.check:
        raise PackError("this audit record was begun with another key: give that one")
    if not keys.fits("checkpoint", text, row[1]):
        raise AuditTampered("the checkpoint at its beginning was changed")
    return checkpoint


def write_checkpoint(connection: sqlite3.Connection, checkpoint: Checkpoint, keys: Keys) -> None:
    """Seal and store where the chain begins; there must be none."""
    text = canonical(asdict(checkpoint))
    connection.execute("INSERT INTO checkpoint VALUES (1, ?, ?)", (text.decode(), keys.seal("checkpoint", text)))
