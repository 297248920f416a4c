"""Wishes as people have ranked them, a row for each person and academic year."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_scheduling.domain.programme.requests import Preference
from packhorse_scheduling.store import converter, insert

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


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
