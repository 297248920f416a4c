"""Records of leave and of actual hours as rows."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import frozen

from packhorse_scheduling.domain.programme.records import LeaveRecord
from packhorse_scheduling.domain.programme.reports import ActualRecord
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
