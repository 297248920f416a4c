"""Facilities and the names they go by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from packhorse_locator.domain.facilities import IN_USE, Facility, Figure
from packhorse_locator.domain.facility_names import fold

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store

_COLUMNS = (
    "key",
    "official_id",
    "name",
    "kind",
    "street",
    "city",
    "city_folded",
    "state",
    "zip_code",
    "operator",
    "field_office",
    "phone",
    "capacity",
    "capacity_of",
    "capacity_as_of",
    "population",
    "population_of",
    "population_as_of",
    "status",
    "as_of",
    "source",
)


def upsert(store: Store, facilities: Iterable[Facility], source: str) -> None:
    """Write facilities by key, with all their names."""
    marks = ", ".join(f":{name}" for name in _COLUMNS)
    updates = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS if name != "key")
    for one in facilities:
        store.execute(
            f"INSERT INTO facilities ({', '.join(_COLUMNS)}) VALUES ({marks})"  # noqa: S608 - names of our own
            f" ON CONFLICT (key) DO UPDATE SET {updates}",
            **_row(one, source),
        )
        store.execute("DELETE FROM facility_names WHERE key = :key", key=one.key)
        for name in dict.fromkeys((one.name, *one.aliases)):
            store.execute(
                "INSERT INTO facility_names (key, name, folded) VALUES (:key, :name, :folded) ON CONFLICT DO NOTHING",
                key=one.key,
                name=name,
                folded=fold(name),
            )


def remove_source(store: Store, source: str) -> None:
    """Drop a source's facilities."""
    store.execute("DELETE FROM facilities WHERE source = :source", source=source)


def by_key(store: Store, keys: Sequence[str]) -> dict[str, Facility]:
    """The facilities with these keys."""
    names = {f"k{number}": key for number, key in enumerate(dict.fromkeys(keys))}
    if not names:
        return {}
    listed = ", ".join(f":{name}" for name in names)
    rows = store.query(f"SELECT * FROM facilities WHERE key IN ({listed})", **names)  # noqa: S608 - names of our own
    return {row["key"]: facility_of(row) for row in rows}


def by_official_id(store: Store, official_id: str) -> Facility | None:
    """The facility with this official code."""
    rows = store.query("SELECT * FROM facilities WHERE official_id = :code", code=official_id)
    return facility_of(rows[0]) if rows else None


def at(store: Store, *, city: str | None, state: str | None, zip_code: str | None, most: int) -> list[Facility]:
    """The facilities in a place, by name; what is not given is not asked."""
    rows = store.query(
        "SELECT * FROM facilities WHERE (:city IS NULL OR city_folded = :city) AND (:state IS NULL OR state = :state)"
        " AND (:zip IS NULL OR zip_code = :zip) ORDER BY name, key LIMIT :most",
        city=fold(city) if city else None,
        state=state,
        zip=zip_code[:5] if zip_code else None,
        most=most,
    )
    return [facility_of(row) for row in rows]


def names(store: Store) -> list[tuple[str, str]]:
    """Every (key, folded name), aliases included."""
    rows = store.query("SELECT key, folded FROM facility_names ORDER BY key, folded")
    return [(row["key"], row["folded"]) for row in rows]


def titles(store: Store) -> dict[str, str]:
    """Every facility's name, by key."""
    return {row["key"]: row["name"] for row in store.query("SELECT key, name FROM facilities")}


def in_use(store: Store) -> frozenset[str]:
    """The keys of facilities that have people now, as the list says."""
    rows = store.query("SELECT key FROM facilities WHERE status = :status", status=IN_USE)
    return frozenset(row["key"] for row in rows)


def places(store: Store) -> list[tuple[str, str]]:
    """Every (city, state) that has a facility."""
    rows = store.query(
        "SELECT DISTINCT city, state FROM facilities WHERE city IS NOT NULL AND state IS NOT NULL ORDER BY city, state"
    )
    return [(row["city"], row["state"]) for row in rows]


def count(store: Store) -> int:
    """How many facilities there are."""
    return int(store.query("SELECT count(*) AS n FROM facilities")[0]["n"])


def _row(one: Facility, source: str) -> dict[str, Any]:
    made: dict[str, Any] = {
        "key": one.key,
        "official_id": one.official_id,
        "name": one.name,
        "kind": one.kind,
        "street": one.street,
        "city": one.city,
        "city_folded": fold(one.city) if one.city else None,
        "state": one.state,
        "zip_code": one.zip_code,
        "operator": one.operator,
        "field_office": one.field_office,
        "phone": one.phone,
        "status": one.status,
        "as_of": one.as_of,
        "source": source,
    }
    for name, figure in (("capacity", one.capacity), ("population", one.population)):
        made[name] = figure.value if figure else None
        made[f"{name}_of"] = figure.of if figure else None
        made[f"{name}_as_of"] = figure.as_of if figure else None
    return made


def facility_of(row: dict[str, Any]) -> Facility:
    """The domain's value of one row; the other names stay in their table."""
    return Facility(
        key=row["key"],
        official_id=row["official_id"],
        name=row["name"],
        aliases=(),
        kind=row["kind"],
        street=row["street"],
        city=row["city"],
        state=row["state"],
        zip_code=row["zip_code"],
        operator=row["operator"],
        field_office=row["field_office"],
        phone=row["phone"],
        capacity=_figure(row, "capacity"),
        population=_figure(row, "population"),
        status=row["status"],
        as_of=row["as_of"],
    )


def _figure(row: dict[str, Any], name: str) -> Figure | None:
    if row[name] is None:
        return None
    return Figure(row[name], row[f"{name}_of"], row[f"{name}_as_of"])
