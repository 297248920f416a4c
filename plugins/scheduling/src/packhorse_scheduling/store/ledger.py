"""The ledger's entries as rows."""

from collections.abc import Iterable
from datetime import date, datetime

from attrs import frozen

from packhorse.store.sqlite import Store
from packhorse_scheduling.domain.insight.ledger import Entry


@frozen
class Ledger:
    """The table, over one open store."""

    store: "Store"

    def all(self) -> list[Entry]:
        """Every entry, the oldest first."""
        rows = self.store.query("SELECT * FROM ledger ORDER BY until, person, kind, source")
        return [
            Entry(
                row["person"],
                row["kind"],
                row["amount"],
                date.fromisoformat(row["until"]),
                row["source"],
                row["expected"],
            )
            for row in rows
        ]

    def keep(self, entries: Iterable[Entry], at: datetime) -> None:
        """Add entries: sick calls of one day add up, all others take the place of what they were."""
        for one in entries:
            self.store.execute(
                "INSERT INTO ledger (person, kind, until, source, amount, expected, at)"
                " VALUES (:person, :kind, :until, :source, :amount, :expected, :at)"
                " ON CONFLICT (person, kind, until, source) DO UPDATE SET expected = excluded.expected,"
                " at = excluded.at, amount = excluded.amount"
                " + CASE WHEN ledger.source = 'sick call' THEN ledger.amount ELSE 0 END",
                person=one.person,
                kind=one.kind,
                until=one.until.isoformat(),
                source=one.source,
                amount=one.amount,
                expected=one.expected,
                at=at.isoformat(),
            )
