"""Calendar addresses as rows: of each secret only its digest is kept."""

from datetime import datetime
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_scheduling.store import insert

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


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
