"""Rows of what was proved, wanted and reported, and the kill switch."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from packhorse_pai.store.rows import Rows


class TrailRows(Rows):
    """Facts by version, attempts, escalations, and whether agents are stopped."""

    def add_facts(self, root: str, kinds: Iterable[str], version: str) -> None:
        """Keep what was proved of one version of the data, for one run tree."""
        words = "INSERT INTO facts (root, kind, version) VALUES (:root, :kind, :version) ON CONFLICT DO NOTHING"
        with self.opened() as store, store.tx():
            for kind in kinds:
                store.execute(words, root=root, kind=kind, version=version)

    def facts(self, root: str, version: str) -> frozenset[str]:
        """What is proved of this version."""
        rows = self.rows("SELECT kind FROM facts WHERE root = :root AND version = :v", root=root, v=version)
        return frozenset(row["kind"] for row in rows)

    def drop_facts(self, root: str, version: str) -> None:
        """Forget what was proved of data whose versions nobody names: something may have changed it."""
        self.change("DELETE FROM facts WHERE root = :root AND version = :v", root=root, v=version)

    def attempt(self, line: Mapping[str, Any], at: datetime) -> None:
        """Put one attempt on record, whatever became of it."""
        self.add("attempts", {**line, "at": at})

    def attempts(self, run: str | None = None, most: int = 1000) -> list[dict[str, Any]]:
        """The latest attempts of one run, or of all, oldest first."""
        words = "SELECT * FROM attempts WHERE :run IS NULL OR run = :run ORDER BY at DESC, id DESC LIMIT :most"
        return self.rows(words, run=run, most=most)[::-1]

    def escalate(self, identity: str, run: str, agent: str, target: str, event: str, reason: str, at: datetime) -> None:
        """Keep one escalation."""
        row = {"id": identity, "run": run, "agent": agent, "target": target, "event": event, "reason": reason}
        self.add("escalations", {**row, "at": at})

    def latest_escalations(self, most: int) -> list[dict[str, Any]]:
        """Those of all runs, newest first."""
        return self.rows("SELECT * FROM escalations ORDER BY at DESC, id DESC LIMIT :most", most=most)

    def stopped(self) -> bool:
        """Whether the kill switch is on."""
        return self.row("SELECT 1 FROM switch WHERE name = 'stop'") is not None

    def stop(self, by: str, now: datetime) -> None:
        """Stop every agent call from now on."""
        words = "INSERT INTO switch (name, set_by, at) VALUES ('stop', :by, :at) ON CONFLICT DO NOTHING"
        self.change(words, by=by, at=now)

    def start(self) -> None:
        """Let agents work again."""
        self.change("DELETE FROM switch WHERE name = 'stop'")
