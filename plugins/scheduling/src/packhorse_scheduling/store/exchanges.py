"""Swaps and snapshots as rows."""

import json
from datetime import datetime
from typing import Any

from attrs import frozen

from packhorse.store.sqlite import Store
from packhorse_scheduling.domain.change.exchange import Swap
from packhorse_scheduling.store import converter, insert


@frozen
class Exchanges:
    """The tables, over one open store."""

    store: "Store"

    def add(self, swap: Swap) -> None:
        """Keep a new swap."""
        at = swap.created_at.isoformat()
        insert(
            self.store, "swaps",
            id=swap.id, status=swap.status, requester=swap.requester, target=swap.target, created_at=at,
            document=_text(swap),
        )  # fmt: skip

    def swap(self, key: str) -> Swap | None:
        """The swap with this id."""
        rows = self.store.query("SELECT document FROM swaps WHERE id = :id", id=key)
        return converter().structure(json.loads(rows[0]["document"]), Swap) if rows else None

    def open(self) -> list[Swap]:
        """Swaps that somebody must still answer or carry out, the oldest first."""
        rows = self.store.query(
            "SELECT document FROM swaps WHERE status IN ('requested', 'approved') ORDER BY created_at, id"
        )
        return [converter().structure(json.loads(row["document"]), Swap) for row in rows]

    def every(self) -> list[Swap]:
        """All of them, the oldest first."""
        rows = self.store.query("SELECT document FROM swaps ORDER BY created_at, id")
        return [converter().structure(json.loads(row["document"]), Swap) for row in rows]

    def change(self, old: Swap, new: Swap) -> bool:
        """Replace a swap; False, and nothing done, where it is not any more what it was."""
        changed = self.store.execute(
            "UPDATE swaps SET status = :status, document = :new WHERE id = :id AND document = :old",
            status=new.status,
            new=_text(new),
            id=old.id,
            old=_text(old),
        )
        return changed == 1

    def snap(self, schedule: str, label: str, scenario: str | None, at: datetime, by: str | None) -> None:
        """Name a version as a snapshot."""
        insert(
            self.store, "snapshots",
            schedule=schedule, label=label, scenario=scenario, taken_at=at.isoformat(), taken_by=by,
        )  # fmt: skip

    def fallbacks(self) -> list[dict[str, Any]]:
        """Snapshots that are kept for a scenario, the newest first."""
        return self.store.query(
            "SELECT s.schedule, s.label, s.scenario, s.taken_at, v.version FROM snapshots s"
            " JOIN schedules v ON v.id = s.schedule WHERE s.scenario IS NOT NULL ORDER BY v.version DESC"
        )


def _text(swap: Swap) -> str:
    document = converter().unstructure(swap)
    if not swap.duties:  # of swaps that were kept before these were: their text is as it was
        del document["duties"]
    return json.dumps(document, sort_keys=True)
