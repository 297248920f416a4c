"""The stream of violations as rows."""

import json
from datetime import datetime
from typing import Any

from attrs import frozen

from packhorse.store.sqlite import Store
from packhorse_scheduling.domain.change.notices import Notice


@frozen
class Notices:
    """The table, over one open store."""

    store: "Store"

    def add(self, at: datetime, schedule: str, cause: str, violations: list[dict[str, Any]], solved: int) -> None:
        """Put a notice at the end of the stream."""
        self.store.execute(
            "INSERT INTO notices (number, at, schedule, cause, body)"
            " SELECT coalesce(max(number), 0) + 1, :at, :schedule, :cause, :body FROM notices",
            at=at.isoformat(),
            schedule=schedule,
            cause=cause,
            body=json.dumps({"violations": violations, "solved": solved}, ensure_ascii=False),
        )

    def newest(self, most: int) -> list[Notice]:
        """The last notices, the newest first."""
        rows = self.store.query("SELECT * FROM notices ORDER BY number DESC LIMIT :most", most=most)
        found = []
        for row in rows:
            body = json.loads(row["body"])
            found.append(
                Notice(
                    row["number"],
                    datetime.fromisoformat(row["at"]),
                    row["schedule"],
                    row["cause"],
                    tuple(body["violations"]),
                    body["solved"],
                )
            )
        return found
