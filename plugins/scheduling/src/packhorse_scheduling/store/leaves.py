"""Records of leave as rows."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_scheduling.domain.programme.records import LeaveRecord
from packhorse_scheduling.store import converter

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


@frozen
class Leaves:
    """The table, over one open store."""

    store: "Store"

    def all(self) -> list[LeaveRecord]:
        """Every record, the first day first."""
        rows = self.store.query("SELECT document FROM leaves ORDER BY start_date, person, id")
        return [converter().structure(json.loads(row["document"]), LeaveRecord) for row in rows]

    def record(self, key: str) -> LeaveRecord | None:
        """The record with this id."""
        rows = self.store.query("SELECT document FROM leaves WHERE id = :id", id=key)
        return converter().structure(json.loads(rows[0]["document"]), LeaveRecord) if rows else None

    def keep(self, records: Iterable[LeaveRecord]) -> None:
        """Add records, or put them in the place of what they were."""
        for record in records:
            self.store.execute(
                "INSERT INTO leaves (id, person, start_date, end_date, state, document)"
                " VALUES (:id, :person, :start, :end, :state, :document)"
                " ON CONFLICT (id) DO UPDATE SET start_date = excluded.start_date, end_date = excluded.end_date,"
                " state = excluded.state, document = excluded.document",
                id=record.id,
                person=record.person,
                start=record.start.isoformat(),
                end=record.end.isoformat(),
                state=record.state,
                document=json.dumps(converter().unstructure(record), sort_keys=True),
            )
