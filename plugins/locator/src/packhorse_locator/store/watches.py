"""Watches that advocates keep on people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from packhorse_locator.domain.watches import Watch

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


def add(store: Store, watch: Watch) -> Watch:
    """Keep a watch; one on the same person by the same owner stays as it is."""
    store.execute(
        "INSERT INTO watches (id, owner, person, since, facility_id, status)"
        " VALUES (:id, :owner, :person, :since, :facility_id, :status) ON CONFLICT (owner, person) DO NOTHING",
        id=watch.id,
        owner=watch.owner,
        person=watch.person,
        since=watch.since,
        facility_id=watch.facility_id,
        status=watch.status,
    )
    rows = store.query(
        "SELECT * FROM watches WHERE owner = :owner AND person = :person", owner=watch.owner, person=watch.person
    )
    return _watch(rows[0])


def of(store: Store, owner: str) -> list[Watch]:
    """An owner's watches, the oldest first."""
    return [
        _watch(row) for row in store.query("SELECT * FROM watches WHERE owner = :owner ORDER BY since, id", owner=owner)
    ]


def note_seen(store: Store, watch_id: str, facility_id: str | None, status: str) -> None:
    """Write what the owner has been shown."""
    store.execute(
        "UPDATE watches SET facility_id = :facility, status = :status WHERE id = :id",
        facility=facility_id,
        status=status,
        id=watch_id,
    )


def drop(store: Store, owner: str, watch_id: str) -> bool:
    """End a watch; whether the owner had it."""
    return store.execute("DELETE FROM watches WHERE owner = :owner AND id = :id", owner=owner, id=watch_id) > 0


def _watch(row: dict[str, Any]) -> Watch:
    return Watch(
        id=row["id"],
        owner=row["owner"],
        person=row["person"],
        since=row["since"],
        facility_id=row["facility_id"],
        status=row["status"],
    )
