"""Programmes, schedules, and answers that can be read back, as rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from cattrs.preconf.json import JsonConverter

    from packhorse.store.sqlite import Store
    from packhorse_scheduling.domain.programme.calendar import Year
    from packhorse_scheduling.domain.programme.programme import Programme
    from packhorse_scheduling.domain.roster.plan import Plan
    from packhorse_scheduling.domain.roster.roster import Cell, Schedule

MIGRATIONS = (
    """
    CREATE TABLE programmes (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        start_date TEXT NOT NULL,
        end_date TEXT NOT NULL,
        document TEXT NOT NULL,
        created_at TEXT NOT NULL
    );
    CREATE TABLE schedules (
        id TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        programme TEXT NOT NULL REFERENCES programmes (id),
        parent TEXT REFERENCES schedules (id),
        status TEXT NOT NULL CHECK (status IN ('draft', 'published', 'superseded')),
        compliance TEXT NOT NULL,
        created_at TEXT NOT NULL,
        created_by TEXT,
        target_utilization REAL,
        cells TEXT NOT NULL
    );
    CREATE UNIQUE INDEX one_published ON schedules (status) WHERE status = 'published';
    CREATE UNIQUE INDEX one_version ON schedules (version);
    CREATE TABLE answers (
        uri TEXT PRIMARY KEY,
        tool TEXT NOT NULL,
        created_by TEXT,
        created_at TEXT NOT NULL,
        body TEXT NOT NULL
    );
    CREATE TABLE changes (
        id TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        actor TEXT,
        what TEXT NOT NULL,
        schedule TEXT,
        details TEXT NOT NULL
    );
    """,
    """
    CREATE TABLE swaps (
        id TEXT PRIMARY KEY,
        status TEXT NOT NULL,
        requester TEXT NOT NULL,
        target TEXT NOT NULL,
        created_at TEXT NOT NULL,
        document TEXT NOT NULL
    );
    CREATE TABLE snapshots (
        schedule TEXT PRIMARY KEY REFERENCES schedules (id),
        label TEXT NOT NULL,
        scenario TEXT,
        taken_at TEXT NOT NULL,
        taken_by TEXT
    );
    """,
    """
    CREATE TABLE policies (
        id TEXT PRIMARY KEY,
        document TEXT NOT NULL,
        number INTEGER NOT NULL,
        title TEXT NOT NULL,
        kind TEXT NOT NULL,
        source TEXT NOT NULL,
        body TEXT NOT NULL,
        added_at TEXT NOT NULL
    );
    CREATE TABLE notices (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        schedule TEXT NOT NULL,
        cause TEXT NOT NULL,
        body TEXT NOT NULL
    );
    """,
    """
    CREATE TABLE leaves (
        id TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        start_date TEXT NOT NULL,
        end_date TEXT NOT NULL,
        state TEXT NOT NULL,
        document TEXT NOT NULL
    );
    """,
    """
    CREATE TABLE rotation_plan (
        schedule TEXT NOT NULL REFERENCES schedules (id),
        person TEXT NOT NULL,
        first_day TEXT NOT NULL,
        last_day TEXT NOT NULL,
        rotation TEXT NOT NULL,
        source TEXT NOT NULL CHECK (source IN ('locked', 'solved', 'manual')),
        PRIMARY KEY (schedule, person, first_day)
    );
    """,
    """
    CREATE TABLE feeds (
        person TEXT PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        made_at TEXT NOT NULL,
        made_by TEXT
    );
    """,
    """
    CREATE TABLE actual_hours (
        id TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        day TEXT NOT NULL,
        session TEXT NOT NULL,
        state TEXT NOT NULL,
        document TEXT NOT NULL
    );
    """,
    """
    CREATE TABLE ledger (
        person TEXT NOT NULL,
        kind TEXT NOT NULL,
        until TEXT NOT NULL,
        source TEXT NOT NULL CHECK (source IN ('file', 'roster', 'sick call')),
        amount INTEGER NOT NULL,
        expected REAL,
        at TEXT NOT NULL,
        PRIMARY KEY (person, kind, until, source)
    );
    """,
    "ALTER TABLE schedules ADD COLUMN until TEXT",
    """
    CREATE TABLE wishes (
        person TEXT NOT NULL,
        year TEXT NOT NULL,
        document TEXT NOT NULL,
        ranked_at TEXT NOT NULL,
        ranked_by TEXT,
        PRIMARY KEY (person, year)
    );
    """,
)


def insert(store: Store, table: str, same: str = "", /, **values: Any) -> None:
    """Add a row; one that is alike in the columns ``same`` (separated by blanks) is replaced."""
    columns, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
    sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 - names from this room
    if same:
        changed = ", ".join(f"{name} = excluded.{name}" for name in values if name not in same.split())
        sql += f" ON CONFLICT ({', '.join(same.split())}) DO UPDATE SET {changed}"
    store.execute(sql, **values)


@frozen
class Rosters:
    """The tables, over one open store."""

    store: Store

    def save_programme(self, key: str, programme: Programme, at: datetime) -> None:
        """Keep a programme under a new id; it is the newest, even where the clock has not moved."""
        newest = self.store.query("SELECT max(created_at) AS at FROM programmes")[0]["at"]
        if newest is not None:
            at = max(at, datetime.fromisoformat(newest) + timedelta(microseconds=1))
        insert(
            self.store,
            "programmes",
            id=key,
            name=programme.name,
            start_date=programme.year.start.isoformat(),
            end_date=programme.year.end.isoformat(),
            document=json.dumps(document_of(programme), ensure_ascii=False),
            created_at=at.isoformat(timespec="microseconds"),
        )

    def programme(self, key: str) -> Programme | None:
        """The programme with this id."""
        rows = self.store.query("SELECT document FROM programmes WHERE id = :id", id=key)
        return programme_of(json.loads(rows[0]["document"])) if rows else None

    def newest_programme(self, academic_year: str | None = None) -> tuple[str, Programme] | None:
        """The programme imported last, of one academic year where it is named."""
        from packhorse_scheduling.domain.programme.calendar import Year

        for row in self.store.query(
            "SELECT id, start_date, end_date FROM programmes ORDER BY created_at DESC, id DESC"
        ):
            year = Year(date.fromisoformat(row["start_date"]), date.fromisoformat(row["end_date"]))
            if academic_year in (None, year.name):
                programme = self.programme(row["id"])
                return None if programme is None else (row["id"], programme)
        return None

    def programmes_of(self, year: Year) -> Iterator[tuple[str, Programme]]:
        """Every programme of just these days, the newest first."""
        rows = self.store.query(
            "SELECT id, document FROM programmes WHERE start_date = :start AND end_date = :end"
            " ORDER BY created_at DESC, id DESC",
            start=year.start.isoformat(),
            end=year.end.isoformat(),
        )
        return ((row["id"], programme_of(json.loads(row["document"]))) for row in rows)

    def next_version(self) -> int:
        """One more than the highest version kept."""
        return int(self.store.query("SELECT coalesce(max(version), 0) + 1 AS n FROM schedules")[0]["n"])

    def save_schedule(self, schedule: Schedule) -> None:
        """Keep a new version."""
        insert(
            self.store,
            "schedules",
            id=schedule.id,
            version=schedule.version,
            programme=schedule.programme,
            parent=schedule.parent,
            status=schedule.status,
            compliance=schedule.compliance,
            created_at=schedule.created_at.isoformat(),
            created_by=schedule.created_by,
            target_utilization=schedule.target_utilization,
            cells=_cells_text(schedule),
            until=_text(schedule.until),
        )
        self._save_plan(schedule)

    def renew_draft(self, schedule: Schedule) -> None:
        """Keep another roster and plan, and another standing, under the id of a draft."""
        self.store.execute(
            "UPDATE schedules SET cells = :cells, compliance = :compliance, until = :until"
            " WHERE id = :id AND status = 'draft'",
            cells=_cells_text(schedule),
            until=_text(schedule.until),
            compliance=schedule.compliance,
            id=schedule.id,
        )
        self.store.execute("DELETE FROM rotation_plan WHERE schedule = :id", id=schedule.id)
        self._save_plan(schedule)

    def drop_draft(self, key: str) -> None:
        """Forget a draft that came to nothing."""
        self.store.execute("DELETE FROM rotation_plan WHERE schedule = :id", id=key)
        self.store.execute("DELETE FROM schedules WHERE id = :id AND status = 'draft'", id=key)

    def _save_plan(self, schedule: Schedule) -> None:
        for stay in schedule.plan:
            insert(
                self.store,
                "rotation_plan",
                schedule=schedule.id,
                person=stay.person,
                first_day=stay.first.isoformat(),
                last_day=stay.last.isoformat(),
                rotation=stay.rotation,
                source=stay.source,
            )

    def schedule(self, key: str) -> Schedule | None:
        """The version with this id."""
        return self._one("id = :id", id=key)

    def version_of(self, key: str) -> int | None:
        """The number of the version with this id."""
        rows = self.store.query("SELECT version FROM schedules WHERE id = :id", id=key)
        return rows[0]["version"] if rows else None

    def published(self) -> Schedule | None:
        """The one that everybody works by."""
        return self._one("status = :status", status="published")

    def in_force(self) -> list[dict[str, Any]]:
        """Every version that is or was published, the oldest first, without its cells."""
        return self.store.query(
            "SELECT id AS schedule_id, version, status, compliance AS compliance_status, created_at FROM schedules"
            " WHERE status IN ('published', 'superseded') ORDER BY version"
        )

    def state(self) -> str:
        """What the published roster is made of, in a few signs: changed whenever it, or its programme, is."""
        rows = self.store.query("SELECT id, programme, compliance FROM schedules WHERE status = 'published'")
        newest = self.newest_programme_id()
        return json.dumps([list(row.values()) for row in rows] + [newest])

    def newest_programme_id(self) -> str | None:
        """Of the programme imported last."""
        rows = self.store.query("SELECT id FROM programmes ORDER BY created_at DESC, id DESC LIMIT 1")
        return rows[0]["id"] if rows else None

    def publish(self, key: str) -> None:
        """Make a version the published one; whatever was, is superseded. One transaction."""
        with self.store.tx():
            self.store.execute("UPDATE schedules SET status = 'superseded' WHERE status = 'published'")
            self.store.execute("UPDATE schedules SET status = 'published' WHERE id = :id", id=key)

    def move_to(self, programme: str, key: str, compliance: str) -> None:
        """Let a version be of another version of its programme, and say how it stands there."""
        self.store.execute(
            "UPDATE schedules SET programme = :programme, compliance = :compliance WHERE id = :id",
            programme=programme,
            compliance=compliance,
            id=key,
        )

    def keep_answer(self, uri: str, tool: str, by: str | None, at: datetime, body: Mapping[str, Any]) -> None:
        """Keep an answer for reading back."""
        insert(
            self.store,
            "answers",
            uri=uri,
            tool=tool,
            created_by=by,
            created_at=at.isoformat(),
            body=json.dumps(body, ensure_ascii=False),
        )

    def answer(self, uri: str) -> tuple[str | None, Any] | None:
        """Who asked, and the answer."""
        rows = self.store.query("SELECT created_by, body FROM answers WHERE uri = :uri", uri=uri)
        return (rows[0]["created_by"], json.loads(rows[0]["body"])) if rows else None

    def note(self, key: str, at: datetime, actor: str | None, what: str, schedule: str | None, **details: Any) -> None:
        """Add to the record of changes, which is never altered."""
        insert(
            self.store,
            "changes",
            id=key,
            at=at.isoformat(),
            actor=actor,
            what=what,
            schedule=schedule,
            details=json.dumps(details),
        )

    def unavoidable(self, schedule: str) -> set[tuple[Any, ...]]:
        """The violations that the repair which made this version could not mend, by names and dates."""
        rows = self.store.query("SELECT details FROM changes WHERE schedule = :id AND what = 'repaired'", id=schedule)
        return {tuple(one) for row in rows for one in json.loads(row["details"]).get("unavoidable", ())}

    def _one(self, condition: str, **values: Any) -> Schedule | None:
        from packhorse_scheduling.domain.roster.roster import Schedule

        rows = self.store.query(f"SELECT * FROM schedules WHERE {condition}", **values)  # noqa: S608 - a literal
        if not rows:
            return None
        row = rows[0]
        return Schedule(
            id=row["id"],
            version=row["version"],
            programme=row["programme"],
            status=row["status"],
            compliance=row["compliance"],
            created_at=datetime.fromisoformat(row["created_at"]),
            created_by=row["created_by"],
            cells=_cells(row["cells"]),
            parent=row["parent"],
            target_utilization=row["target_utilization"],
            plan=self._plan(row["id"], row["parent"]),
            until=None if row["until"] is None else date.fromisoformat(row["until"]),
        )

    def _plan(self, key: str | None, parent: str | None) -> Plan:
        """The version's own rotation plan; one made by changing half-days stands on its parent's."""
        from packhorse_scheduling.domain.roster.plan import Stay

        while key is not None:
            rows = self.store.query(
                "SELECT person, first_day, last_day, rotation, source FROM rotation_plan WHERE schedule = :key"
                " ORDER BY person, first_day",
                key=key,
            )
            if rows:
                return tuple(
                    Stay(
                        row["person"],
                        date.fromisoformat(row["first_day"]),
                        date.fromisoformat(row["last_day"]),
                        row["rotation"],
                        row["source"],
                    )
                    for row in rows
                )
            above = self.store.query("SELECT parent FROM schedules WHERE id = :key", key=parent) if parent else []
            key, parent = parent, above[0]["parent"] if above else None
        return ()


def _cells_text(schedule: Schedule) -> str:
    return json.dumps([[p, d.isoformat(), h, s] for p, d, h, s in schedule.cells])


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


@lru_cache(maxsize=4)
def _cells(text: str) -> tuple[Cell, ...]:
    """The cells of a text; those of the last few are kept, since each call reads the version in force."""
    rows = json.loads(text)
    days = {day: date.fromisoformat(day) for day in {row[1] for row in rows}}
    return tuple([(person, days[day], half, slot) for person, day, half, slot in rows])


@cache
def converter() -> JsonConverter:
    """Between domain values and JSON-shaped data."""
    from packhorse_scheduling.store.structures import make_converter

    return make_converter()


def document_of(programme: Programme) -> dict[str, Any]:
    """A programme as JSON-shaped data."""
    document: dict[str, Any] = converter().unstructure(programme)
    return document


def programme_of(document: Mapping[str, Any]) -> Programme:
    """The programme of a document.

    Raises:
        ClassValidationError: it is none (cattrs' own, for `packhorse_scheduling.store.structures.faults`).
    """
    from packhorse_scheduling.domain.programme.programme import Programme

    return converter().structure(document, Programme)
