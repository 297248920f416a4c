"""Records of leave and of actual hours as rows."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import frozen

from packhorse_scheduling.domain.programme.records import LeaveRecord
from packhorse_scheduling.domain.programme.reports import ActualRecord
from packhorse_scheduling.domain.programme.requests import Preference
from packhorse_scheduling.store import converter, insert

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


R = TypeVar("R", LeaveRecord, ActualRecord)


@frozen
class _Records(Generic[R]):
    """One table, over one open store."""

    store: "Store"

    def _read(self, sql: str, kind: type[R], **values: Any) -> list[R]:
        rows = self.store.query(sql, **values)
        return [converter().structure(json.loads(row["document"]), kind) for row in rows]

    def _keep(self, table: str, record: R, **columns: str) -> None:
        document = json.dumps(converter().unstructure(record), sort_keys=True)
        insert(
            self.store, table, "id",
            id=record.id, person=record.person, state=record.state, document=document, **columns,
        )  # fmt: skip


class Leaves(_Records[LeaveRecord]):
    """Leave."""

    def all(self) -> list[LeaveRecord]:
        """Every record, the first day first."""
        return self._read("SELECT document FROM leaves ORDER BY start_date, person, id", LeaveRecord)

    def record(self, key: str) -> LeaveRecord | None:
        """The record with this id."""
        return next(iter(self._read("SELECT document FROM leaves WHERE id = :id", LeaveRecord, id=key)), None)

    def keep(self, records: Iterable[LeaveRecord]) -> None:
        """Add records, or put them in the place of what they were."""
        for one in records:
            self._keep("leaves", one, start_date=one.start.isoformat(), end_date=one.end.isoformat())


class Actuals(_Records[ActualRecord]):
    """Actual hours."""

    def all(self) -> list[ActualRecord]:
        """Every record, the first day first."""
        return self._read("SELECT document FROM actual_hours ORDER BY day, session, person, id", ActualRecord)

    def keep(self, records: Iterable[ActualRecord]) -> None:
        """Add records, or put them in the place of what they were."""
        for one in records:
            self._keep("actual_hours", one, day=one.row.day.isoformat(), session=one.row.session)


@frozen
class Feeds:
    """The table, over one open store."""

    store: "Store"

    def person_of(self, digest: str) -> str | None:
        """The key of the person whose calendar stands at the address with this secret."""
        rows = self.store.query("SELECT person FROM feeds WHERE digest = :digest", digest=digest)
        return rows[0]["person"] if rows else None

    def made_at(self, person: str) -> datetime | None:
        """Since when the person has an address."""
        rows = self.store.query("SELECT made_at FROM feeds WHERE person = :person", person=person)
        return datetime.fromisoformat(rows[0]["made_at"]) if rows else None

    def keep(self, person: str, digest: str, at: datetime, by: str | None) -> None:
        """Give the person this address in the place of any other."""
        insert(self.store, "feeds", "person", person=person, digest=digest, made_at=at.isoformat(), made_by=by)

    def drop(self, person: str) -> bool:
        """End the person's address; whether there was one."""
        there = self.made_at(person) is not None
        self.store.execute("DELETE FROM feeds WHERE person = :person", person=person)
        return there


@frozen
class Wishes:
    """The table, over one open store."""

    store: "Store"

    def of_year(self, year: str) -> dict[str, tuple[Preference, ...]]:
        """By the key of each person who has ranked wishes: these, in order."""
        rows = self.store.query("SELECT person, document FROM wishes WHERE year = :year ORDER BY person", year=year)
        return {
            row["person"]: tuple(converter().structure(one, Preference) for one in json.loads(row["document"]))
            for row in rows
        }

    def keep(self, person: str, year: str, wishes: Sequence[Preference], at: datetime, by: str | None) -> None:
        """Put a person's wishes in the place of all that they had for this year."""
        document = json.dumps([converter().unstructure(one) for one in wishes], sort_keys=True)
        insert(
            self.store, "wishes", "person year",
            person=person, year=year, document=document, ranked_at=at.isoformat(), ranked_by=by,
        )  # fmt: skip
