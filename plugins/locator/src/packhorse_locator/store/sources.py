"""Stamps of what was loaded: how fresh each source is."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from packhorse_locator.domain.freshness import Kind, Stamp

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


def stamp(store: Store, one: Stamp) -> None:
    """Write a source's stamp over its former one."""
    store.execute(
        "INSERT INTO sources (name, kind, as_of, loaded_at, accepted, rejected, remote)"
        " VALUES (:name, :kind, :as_of, :loaded_at, :accepted, :rejected, :remote)"
        " ON CONFLICT (name, kind) DO UPDATE SET as_of = excluded.as_of, loaded_at = excluded.loaded_at,"
        " accepted = excluded.accepted, rejected = excluded.rejected, remote = excluded.remote",
        name=one.name,
        kind=one.kind,
        as_of=one.as_of.isoformat(),
        loaded_at=one.loaded_at.isoformat(),
        accepted=one.accepted,
        rejected=one.rejected,
        remote=int(one.remote),
    )


def forget(store: Store, name: str, kind: Kind) -> None:
    """Drop a source's stamp."""
    store.execute("DELETE FROM sources WHERE name = :name AND kind = :kind", name=name, kind=kind)


def stamps(store: Store) -> list[Stamp]:
    """Every source's stamp, by kind and name."""
    rows = store.query("SELECT * FROM sources ORDER BY kind DESC, name")
    return [
        Stamp(
            name=row["name"],
            kind=row["kind"],
            as_of=date.fromisoformat(row["as_of"]),
            loaded_at=datetime.fromisoformat(row["loaded_at"]),
            accepted=row["accepted"],
            rejected=row["rejected"],
            remote=bool(row["remote"]),
        )
        for row in rows
    ]
