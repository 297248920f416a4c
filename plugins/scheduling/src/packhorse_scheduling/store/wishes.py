"""Wishes as people have ranked them, a row for each person and academic year."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_scheduling.domain.programme.requests import Preference
from packhorse_scheduling.store import converter

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
        self.store.execute(
            "INSERT INTO wishes (person, year, document, ranked_at, ranked_by)"
            " VALUES (:person, :year, :document, :at, :by)"
            " ON CONFLICT (person, year) DO UPDATE SET document = excluded.document,"
            " ranked_at = excluded.ranked_at, ranked_by = excluded.ranked_by",
            person=person,
            year=year,
            document=json.dumps([converter().unstructure(one) for one in wishes], sort_keys=True),
            at=at.isoformat(),
            by=by,
        )
