"""People and their stays: written in one transaction with the change counter, read back as domain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any

from packhorse_locator.domain.people import Detainee, Stay

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store

ROWS_AT_A_TIME = 20
"""People in one statement. SQLite looks named parameters up one by one, so that a statement's cost grows with the
square of their number: of 5 to 400 rows, 20 were the fastest."""

PAGE = 20_000
"""People read at a time where all of them are."""

_COLUMNS = (
    "key",
    "source",
    "record_id",
    "first",
    "middle",
    "last",
    "country",
    "birth_year",
    "alien_number",
    "booked",
    "status",
    "held",
    "facility_id",
    "as_of",
    "suppressed",
    "changed",
)
_UPDATES = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS if name != "key")


def changes(store: Store) -> int:
    """The number of the last change."""
    return int(store.query("SELECT value FROM counter WHERE name = 'changes'")[0]["value"])


def next_change(store: Store) -> int:
    """A new change's number; call it inside the transaction that makes the change."""
    rows = store.query("UPDATE counter SET value = value + 1 WHERE name = 'changes' RETURNING value")
    return int(rows[0]["value"])


def upsert(store: Store, people: Iterable[Detainee], change: int, suppressed: frozenset[str]) -> int:
    """Write ``people`` by key; how many. ``suppressed`` are keys and A-numbers on the deployer's list."""
    written = 0
    waiting = iter(people)
    while batch := list(islice(waiting, ROWS_AT_A_TIME)):
        values: dict[str, Any] = {}
        groups = []
        for number, one in enumerate(batch):
            row = _row(one, change, suppressed)
            groups.append("(" + ", ".join(f":{name}{number}" for name in _COLUMNS) + ")")
            values.update({f"{name}{number}": value for name, value in row.items()})
        store.execute(
            f"INSERT INTO people ({', '.join(_COLUMNS)}) VALUES {', '.join(groups)}"  # noqa: S608 - names of our own
            f" ON CONFLICT (key) DO UPDATE SET {_UPDATES}",
            **values,
        )
        _unremove(store, [one.key for one in batch])
        written += len(batch)
    return written


def _unremove(store: Store, keys: Sequence[str]) -> None:
    names = {f"k{number}": key for number, key in enumerate(keys)}
    listed = ", ".join(f":{name}" for name in names)
    store.execute(f"DELETE FROM removed WHERE key IN ({listed})", **names)  # noqa: S608 - names of our own


def add_stays(store: Store, stays: Iterable[Stay], change: int) -> None:
    """Write stays that are not there yet."""
    waiting = iter(stays)
    while batch := list(islice(waiting, ROWS_AT_A_TIME)):
        values: dict[str, Any] = {"changed": change}
        groups = []
        for n, one in enumerate(batch):
            groups.append(f"(:k{n}, :f{n}, :s{n}, :r{n}, :changed)")
            values |= {f"k{n}": one.key, f"f{n}": one.facility_id, f"s{n}": one.since.isoformat(), f"r{n}": one.reason}
        store.execute(
            f"INSERT INTO stays (key, facility_id, since, reason, changed) VALUES {', '.join(groups)}"  # noqa: S608
            " ON CONFLICT (key, since, facility_id) DO NOTHING",
            **values,
        )


def facilities_of(store: Store, keys: Sequence[str]) -> dict[str, str | None]:
    """Where the registry has these people now; keys that it does not have are left out."""
    found: dict[str, str | None] = {}
    for part in _parts(keys):
        names = {f"k{number}": key for number, key in enumerate(part)}
        listed = ", ".join(f":{name}" for name in names)
        rows = store.query(f"SELECT key, facility_id FROM people WHERE key IN ({listed})", **names)  # noqa: S608
        found.update({row["key"]: row["facility_id"] for row in rows})
    return found


def remove_source(store: Store, source: str, change: int, *, before: int | None = None) -> int:
    """Drop a source's people, or those that no change since ``before`` has touched; how many."""
    limit = change + 1 if before is None else before
    store.execute(
        "INSERT INTO removed (key, changed) SELECT key, :change FROM people WHERE source = :source AND changed < :limit"
        " ON CONFLICT (key) DO UPDATE SET changed = excluded.changed",
        source=source,
        change=change,
        limit=limit,
    )
    return store.execute("DELETE FROM people WHERE source = :source AND changed < :limit", source=source, limit=limit)


def remove_older(store: Store, source: str, before: date) -> None:
    """Drop a source's people whose record describes a day before ``before``."""
    with store.tx():
        rows = store.query(
            "SELECT key FROM people WHERE source = :source AND as_of < :before",
            source=source,
            before=before.isoformat(),
        )
        if rows:
            remove(store, [row["key"] for row in rows], next_change(store))


def remove(store: Store, keys: Sequence[str], change: int) -> None:
    """Drop people by key."""
    for key in keys:
        store.execute(
            "INSERT INTO removed (key, changed) SELECT key, :change FROM people WHERE key = :key"
            " ON CONFLICT (key) DO UPDATE SET changed = excluded.changed",
            key=key,
            change=change,
        )
        store.execute("DELETE FROM people WHERE key = :key", key=key)


def visible(store: Store, keys: Sequence[str]) -> dict[str, Detainee]:
    """The people with these keys, without the suppressed."""
    names = {f"k{number}": key for number, key in enumerate(keys)}
    if not names:
        return {}
    listed = ", ".join(f":{name}" for name in names)
    rows = store.query(f"SELECT * FROM people WHERE suppressed = 0 AND key IN ({listed})", **names)  # noqa: S608
    return {row["key"]: detainee_of(row) for row in rows}


def by_number(store: Store, number: str) -> list[Detainee]:
    """The people with this canonical A-number, the newest booking first, without the suppressed."""
    rows = store.query(
        "SELECT * FROM people WHERE alien_number = :number AND suppressed = 0 ORDER BY booked DESC, key", number=number
    )
    return [detainee_of(row) for row in rows]


def by_record_id(store: Store, record_id: str) -> list[Detainee]:
    """The people whom a source calls so, or whose registry key this is, without the suppressed."""
    rows = store.query(
        "SELECT * FROM people WHERE (record_id = :id OR key = :id) AND suppressed = 0 ORDER BY key", id=record_id
    )
    return [detainee_of(row) for row in rows]


def stays_of(store: Store, key: str) -> list[Stay]:
    """Where a person has been, in order of time."""
    rows = store.query("SELECT * FROM stays WHERE key = :key ORDER BY since, facility_id", key=key)
    return [Stay(row["key"], row["facility_id"], date.fromisoformat(row["since"]), row["reason"]) for row in rows]


def newest_at(
    store: Store, facilities: Sequence[str], limit: int, *, held_only: bool, born_until: int, undated: bool
) -> list[Detainee]:
    """The adults last recorded at these facilities, the newest booking first, without the suppressed."""
    names = {f"k{number}": key for number, key in enumerate(facilities)}
    listed = ", ".join(f":{name}" for name in names)
    rows = store.query(
        f"SELECT * FROM people WHERE facility_id IN ({listed}) AND suppressed = 0 AND held >= :held"  # noqa: S608
        " AND (birth_year <= :born OR (birth_year IS NULL AND :undated = 1)) ORDER BY booked DESC, key LIMIT :most",
        **names,
        held=int(held_only),
        born=born_until,
        undated=int(undated),
        most=limit,
    )
    return [detainee_of(row) for row in rows]


def counts_at(
    store: Store, facilities: Sequence[str], *, held_only: bool, born_until: int, undated: bool
) -> dict[str, int]:
    """How many adults the registry has at each of these facilities, without the suppressed."""
    names = {f"k{number}": key for number, key in enumerate(facilities)}
    listed = ", ".join(f":{name}" for name in names)
    rows = store.query(
        f"SELECT facility_id, count(*) AS people FROM people WHERE facility_id IN ({listed})"  # noqa: S608
        " AND suppressed = 0 AND held >= :held AND (birth_year <= :born OR (birth_year IS NULL AND :undated = 1))"
        " GROUP BY facility_id",
        **names,
        held=int(held_only),
        born=born_until,
        undated=int(undated),
    )
    return {row["facility_id"]: row["people"] for row in rows}


def changed_since(store: Store, change: int) -> tuple[list[Detainee], list[str]]:
    """Who is to be in the name index after ``change``, and which keys are not to be any more."""
    rows = store.query("SELECT * FROM people WHERE changed > :change ORDER BY key", change=change)
    gone = store.query("SELECT key FROM removed WHERE changed > :change ORDER BY key", change=change)
    shown = [detainee_of(row) for row in rows if not row["suppressed"]]
    hidden = [row["key"] for row in rows if row["suppressed"]]
    return shown, [*hidden, *(row["key"] for row in gone)]


def count(store: Store) -> int:
    """How many people there are, the suppressed included."""
    return int(store.query("SELECT count(*) AS n FROM people")[0]["n"])


def count_changed(store: Store, change: int) -> int:
    """How many people a change since then touched."""
    return int(store.query("SELECT count(*) AS n FROM people WHERE changed > :change", change=change)[0]["n"])


def everyone(store: Store) -> Iterator[Detainee]:
    """All people without the suppressed, in order of their keys, a page at a time."""
    last = ""
    while rows := store.query("SELECT * FROM people WHERE key > :last ORDER BY key LIMIT :page", last=last, page=PAGE):
        yield from (detainee_of(row) for row in rows if not row["suppressed"])
        last = rows[-1]["key"]


def suppress(store: Store, listed: frozenset[str]) -> int:
    """Make exactly the people on ``listed`` (record ids, registry keys, A-numbers) suppressed; how many changed."""
    with store.tx():
        now = {row["key"] for row in store.query("SELECT key FROM people WHERE suppressed = 1")}
        wanted: set[str] = set()
        for part in _parts(sorted(listed)):
            names = {f"k{number}": text for number, text in enumerate(part)}
            marks = ", ".join(f":{name}" for name in names)
            rows = store.query(
                f"SELECT key FROM people WHERE key IN ({marks}) OR alien_number IN ({marks})"  # noqa: S608
                f" OR record_id IN ({marks})",
                **names,
            )
            wanted.update(row["key"] for row in rows)
        if wanted == now:
            return 0
        change = next_change(store)
        for key, flag in [*((key, 1) for key in wanted - now), *((key, 0) for key in now - wanted)]:
            store.execute(
                "UPDATE people SET suppressed = :flag, changed = :change WHERE key = :key",
                flag=flag,
                change=change,
                key=key,
            )
    return len(wanted ^ now)


def _parts(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), ROWS_AT_A_TIME):
        yield values[start : start + ROWS_AT_A_TIME]


def _row(one: Detainee, change: int, suppressed: frozenset[str]) -> dict[str, Any]:
    return {
        "key": one.key,
        "source": one.source,
        "record_id": one.record_id,
        "first": one.first,
        "middle": one.middle,
        "last": one.last,
        "country": one.country,
        "birth_year": one.birth_year,
        "alien_number": one.alien_number,
        "booked": one.booked.isoformat() if one.booked else None,
        "status": one.status,
        "held": int(one.is_held),
        "facility_id": one.facility_id,
        "as_of": one.as_of.isoformat(),
        "suppressed": int(not suppressed.isdisjoint({one.key, one.record_id, one.alien_number})),
        "changed": change,
    }


def detainee_of(row: dict[str, Any]) -> Detainee:
    """The domain's value of one row."""
    return Detainee(
        key=row["key"],
        source=row["source"],
        record_id=row["record_id"],
        first=row["first"],
        middle=row["middle"],
        last=row["last"],
        country=row["country"],
        birth_year=row["birth_year"],
        alien_number=row["alien_number"],
        booked=date.fromisoformat(row["booked"]) if row["booked"] else None,
        status=row["status"],
        facility_id=row["facility_id"],
        as_of=date.fromisoformat(row["as_of"]),
    )
