"""What callers have learnt: digests of whom they were shown, in a small file beside the registry.

It is a file of its own, because a large import holds the registry's for minutes and a search must not wait for it.
It holds keyed digests alone, and none for longer than the hour that they count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store

MIGRATIONS = (
    """
CREATE TABLE learnt (
  caller TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'field')),
  item TEXT NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (caller, kind, item)
);
CREATE INDEX learnt_by_time ON learnt (at);
CREATE TABLE secret (value TEXT NOT NULL);
INSERT INTO secret (value) SELECT lower(hex(randomblob(32)));
""",
)


def secret(store: Store) -> bytes:
    """The key of the digests: this file's own, made with it."""
    return bytes.fromhex(store.query("SELECT value FROM secret")[0]["value"])


def oldest(store: Store, callers: Sequence[str], since: float, kind: str, most: int) -> float | None:
    """When the oldest of what a caller has learnt since then came, where it is as much as may be; else None."""
    full = []
    for caller in callers:
        row = store.query(
            "SELECT count(*) AS n, min(at) AS first FROM learnt"
            " WHERE caller = :caller AND kind = :kind AND at > :since",
            caller=caller,
            kind=kind,
            since=since,
        )[0]
        if row["n"] >= most:
            full.append(float(row["first"]))
    return max(full, default=None)


def take(
    store: Store,
    callers: Sequence[str],
    wanted: Sequence[tuple[str, Sequence[str]]],
    now: float,
    since: float,
    most: Mapping[str, int],
) -> list[str]:
    """Note what is about to be shown, in order, while there is room for it; the people who may be shown.

    ``wanted`` are (person, fields) as digests. What was noted since ``since`` is free; older rows go.
    """
    allowed = []
    with store.tx():
        store.execute("DELETE FROM learnt WHERE at <= :since", since=since)
        held = {
            (row["caller"], row["kind"], row["item"])
            for caller in callers
            for row in store.query("SELECT caller, kind, item FROM learnt WHERE caller = :caller", caller=caller)
        }
        for person, fields in wanted:
            items = [("person", person), *(("field", one) for one in fields)]
            fresh = {(caller, *item) for caller in callers for item in items} - held
            if any(
                sum(one[:2] == (caller, kind) for one in held | fresh) > limit
                for caller in callers
                for kind, limit in most.items()
            ):
                continue
            for caller, kind, item in sorted(fresh):
                store.execute(
                    "INSERT INTO learnt (caller, kind, item, at) VALUES (:caller, :kind, :item, :at)",
                    caller=caller,
                    kind=kind,
                    item=item,
                    at=now,
                )
            held |= fresh
            allowed.append(person)
    return allowed
