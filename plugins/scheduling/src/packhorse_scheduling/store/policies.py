"""Policy documents as rows: passages of the institution's own texts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from packhorse.store.sqlite import Store
from packhorse_scheduling.domain.programme.policy import Passage
from packhorse_scheduling.store import insert


@frozen
class Policies:
    """The table, over one open store."""

    store: "Store"

    def replace(self, document: str, passages: Sequence[Passage], at: datetime) -> None:
        """Keep a document's passages instead of what was kept under its name. One transaction."""
        with self.store.tx():
            self.remove(document)
            for number, passage in enumerate(passages):
                insert(
                    self.store, "policies",
                    id=passage.id, document=document, number=number, title=passage.title, kind=passage.kind,
                    source=passage.source, body=passage.text, added_at=at.isoformat(),
                )  # fmt: skip

    def remove(self, document: str) -> int:
        """Forget a document; how many passages it had."""
        return self.store.execute("DELETE FROM policies WHERE document = :document", document=document)

    def passages(self) -> list[Passage]:
        """Every passage kept, by document and place."""
        rows = self.store.query("SELECT id, title, kind, source, body FROM policies ORDER BY document, number")
        return [Passage(row["id"], row["title"], row["kind"], row["source"], row["body"]) for row in rows]

    def documents(self) -> list[dict[str, Any]]:
        """The documents kept: name, kind and how many passages."""
        return self.store.query(
            "SELECT document, kind, count(*) AS passages FROM policies GROUP BY document, kind ORDER BY document"
        )
