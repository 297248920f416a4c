"""Records of actual hours as rows."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_scheduling.domain.programme.reports import ActualRecord
from packhorse_scheduling.store import converter

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


@frozen
class Actuals:
    """The table, over one open store."""

    store: "Store"

    def all(self) -> list[ActualRecord]:
        """Every record, the first day first."""
        rows = self.store.query("SELECT document FROM actual_hours ORDER BY day, session, person, id")
        return [converter().structure(json.loads(row["document"]), ActualRecord) for row in rows]

    def keep(self, records: Iterable[ActualRecord]) -> None:
        """Add records, or put them in the place of what they were."""
        for record in records:
            self.store.execute(
                "INSERT INTO actual_hours (id, person, day, session, state, document)"
                " VALUES (:id, :person, :day, :session, :state, :document)"
                " ON CONFLICT (id) DO UPDATE SET state = excluded.state, document = excluded.document",
                id=record.id,
                person=record.person,
                day=record.row.day.isoformat(),
                session=record.row.session,
                state=record.state,
                document=json.dumps(converter().unstructure(record), sort_keys=True),
            )
