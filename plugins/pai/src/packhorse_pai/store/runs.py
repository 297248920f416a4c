"""Rows of runs and of their steps."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from packhorse_pai.store.rows import Rows


class RunRows(Rows):
    """Runs, claimed by one at a time, and each step before and after it was made."""

    def add_run(self, row: Mapping[str, Any]) -> None:
        """Record that a run begins."""
        self.add("runs", row)

    def run(self, run: str) -> dict[str, Any] | None:
        """A run's row."""
        return self.row("SELECT * FROM runs WHERE id = :id", id=run)

    def child(self, parent: str, step: int) -> dict[str, Any] | None:
        """The run that a step of ``parent`` started, where it did."""
        return self.row("SELECT * FROM runs WHERE parent = :parent AND parent_step = :step", parent=parent, step=step)

    def claim_run(self, run: str, now: datetime, *, seconds: int = 600) -> bool:
        """Take up a run that waits or is open, for so long; False where another has it, or where it has ended.

        One whose holder was killed can be taken up again once its time is over.
        """
        taken = self.change(
            "UPDATE runs SET status = 'running', held_until = :until WHERE id = :id AND"
            " (status IN ('awaiting_approval', 'suspended', 'open') OR (status = 'running' AND mind = 'client'"
            " AND held_until <= :now))",
            id=run,
            now=now,
            until=now + timedelta(seconds=seconds),
        )
        return taken == 1

    def children(self, parent: str) -> list[dict[str, Any]]:
        """The runs that one started, oldest first."""
        return self.rows("SELECT * FROM runs WHERE parent = :parent ORDER BY started, id", parent=parent)

    def confirm_mission(self, root: str) -> None:
        """A person has read the mission of a run tree: from now on it counts as a person's words."""
        self.change("UPDATE runs SET mission_by = 'person' WHERE root = :root", root=root)

    def save_run(self, run: str, **changed: Any) -> None:
        """Write what changed of a run."""
        sets = ", ".join(f"{name} = :{name}" for name in changed)
        self.change(f"UPDATE runs SET {sets} WHERE id = :run", run=run, **changed)  # noqa: S608  # names are ours

    def watch(self, run: str, word: str) -> None:
        """The job of a run says ``go`` or ``cancel``; what was cancelled stays so."""
        self.change(
            "UPDATE runs SET watch = :word WHERE id = :run AND (watch IS NULL OR watch != 'cancel')", word=word, run=run
        )

    def beat(self, run: str) -> str | None:
        """A sign of life of a run that has a job; what the job says."""
        with self.opened() as store:
            store.execute("UPDATE runs SET beat = beat + 1 WHERE id = :run", run=run)
            (row,) = store.query("SELECT watch FROM runs WHERE id = :run", run=run)
            word: str | None = row["watch"]
            return word

    def steps_below(self, root: str) -> int:
        """How many steps a run and those below it have made."""
        (row,) = self.rows(
            "SELECT count(*) AS made FROM steps JOIN runs ON runs.id = steps.run"
            " WHERE runs.root = :root AND steps.state = 'done'",
            root=root,
        )
        return int(row["made"])

    def begin_step(self, run: str, step: int, move: str, at: datetime) -> None:
        """Record, before it happens, what is about to happen."""
        self.change(f"{_BEGUN} (run, step) DO UPDATE SET move = :move, at = :at", run=run, step=step, move=move, at=at)

    def mark_step(self, run: str, step: int, move: str, at: datetime) -> None:
        """Record a step that touches nothing outside, unless its beginning is on record."""
        self.change(f"{_BEGUN} DO NOTHING", run=run, step=step, move=move, at=at)

    def end_step(self, run: str, step: int, outcome: str) -> None:
        """Record what came of it."""
        words = "UPDATE steps SET state = 'done', outcome = :outcome WHERE run = :run AND step = :step"
        self.change(words, run=run, step=step, outcome=outcome)

    def drop_step(self, run: str, step: int) -> None:
        """Take back a step that began and of which nothing was done."""
        self.change("DELETE FROM steps WHERE run = :run AND step = :step AND state = 'begun'", run=run, step=step)

    def steps(self, run: str) -> list[dict[str, Any]]:
        """A run's steps in order."""
        return self.rows("SELECT * FROM steps WHERE run = :run ORDER BY step", run=run)


_BEGUN = "INSERT INTO steps (run, step, move, state, at) VALUES (:run, :step, :move, 'begun', :at) ON CONFLICT"
