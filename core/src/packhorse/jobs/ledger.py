"""The facts about jobs and executors, in a store of their own: SQLite or PostgreSQL.

Every note of a running job carries the epoch it was started under. An
executor that takes a job over raises the epoch first, so that notes of the former
one change nothing: a result counts once.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from packhorse.contract.clock import Clock, utc_text
from packhorse.jobs.work import Job, Owner, Progress, Status, Work

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store

MIGRATIONS = (
    """
    CREATE TABLE jobs (
        id TEXT PRIMARY KEY,
        tool TEXT NOT NULL,
        run TEXT NOT NULL,
        arguments TEXT NOT NULL,
        issuer TEXT NOT NULL,
        subject TEXT NOT NULL,
        job_key TEXT NOT NULL,
        priority INTEGER NOT NULL,
        memory_mb INTEGER,
        seconds REAL,
        status TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        losses INTEGER NOT NULL,
        executor TEXT,
        cancelling INTEGER NOT NULL,
        progress TEXT,
        questions TEXT NOT NULL,
        answers TEXT NOT NULL,
        result TEXT,
        error TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        finished_at TEXT,
        UNIQUE (issuer, subject, tool, job_key)
    );
    CREATE INDEX jobs_by_status ON jobs (status);
    CREATE TABLE executors (
        id TEXT PRIMARY KEY,
        host TEXT NOT NULL,
        pid INTEGER NOT NULL,
        beats INTEGER NOT NULL
    );
    """,
    """
    ALTER TABLE jobs ADD COLUMN request_id TEXT;
    UPDATE jobs SET created_at = REPLACE(created_at, '+00:00', 'Z'), updated_at = REPLACE(updated_at, '+00:00', 'Z'),
        finished_at = REPLACE(finished_at, '+00:00', 'Z');
    """,
)

Opened = Callable[[], "Store"]
"""Opens the ledger's store; each thread opens its own."""


class Ledger:
    """One open ledger; it belongs to the thread that opened it."""

    def __init__(self, store: "Store", clock: Clock) -> None:
        self._store = store
        self._clock = clock

    # --- the caller's side ---

    def create(self, job_id: str, tool: str, owner: Owner, work: Work, request_id: str | None = None) -> Job:
        """A new job, or the one of the same owner that has this key already."""
        # The id is all that strangers have to themselves: another's key must not lead to it.
        key = (work.key if owner.is_known else None) or job_id
        now = self._now()
        with self._store.tx():
            for row in self._store.query(
                "SELECT * FROM jobs WHERE issuer = :issuer AND subject = :subject AND tool = :tool AND job_key = :key",
                issuer=owner.issuer,
                subject=owner.subject,
                tool=tool,
                key=key,
            ):
                if row["status"] not in ("failed", "cancelled"):
                    return _job(row)
                # What came to nothing gives its key to the next try.
                self._store.execute("UPDATE jobs SET job_key = :id WHERE id = :id", id=row["id"])
            (row,) = self._store.query(
                """
                INSERT INTO jobs (
                    id, tool, run, arguments, issuer, subject, job_key, priority, memory_mb, seconds, status, epoch,
                    losses, cancelling, questions, answers, created_at, updated_at, request_id
                ) VALUES (
                    :id, :tool, :run, :arguments, :issuer, :subject, :key, :priority, :memory_mb, :seconds, 'queued', 1,
                    0, 0, '{}', '{}', :now, :now, :request_id
                ) RETURNING *
                """,
                id=job_id,
                tool=tool,
                run=work.run,
                arguments=json.dumps(work.arguments),
                issuer=owner.issuer,
                subject=owner.subject,
                key=key,
                priority=work.priority,
                memory_mb=work.memory_mb,
                seconds=work.seconds,
                now=now,
                request_id=request_id,
            )
        return _job(row)

    def unfinished_of(self, owner: Owner) -> int:
        (row,) = self._store.query(
            """
            SELECT COUNT(*) AS jobs FROM jobs
            WHERE issuer = :issuer AND subject = :subject AND finished_at IS NULL
            """,
            issuer=owner.issuer,
            subject=owner.subject,
        )
        return int(row["jobs"])

    def get(self, job_id: str) -> Job | None:
        rows = self._store.query("SELECT * FROM jobs WHERE id = :id", id=job_id)
        return _job(rows[0]) if rows else None

    def latest(self, count: int, *, unfinished: bool = False) -> list[Job]:
        rows = self._store.query(
            """
            SELECT * FROM jobs WHERE finished_at IS NULL OR :finished = 1 ORDER BY created_at DESC, id LIMIT :count
            """,
            finished=int(not unfinished),
            count=count,
        )
        return [_job(row) for row in rows]

    def cancel(self, job_id: str) -> tuple[Job | None, bool]:
        """Ask for an end, by its executor where it runs; the job, and whether it only waited and so has ended now."""
        now = self._now()
        with self._store.tx():
            ended = self._store.execute(
                """
                UPDATE jobs SET status = 'cancelled', cancelling = 1, updated_at = :now, finished_at = :now
                WHERE id = :id AND status = 'queued'
                """,
                id=job_id,
                now=now,
            )
            self._store.execute(
                "UPDATE jobs SET cancelling = 1, updated_at = :now WHERE id = :id AND finished_at IS NULL",
                id=job_id,
                now=now,
            )
            return self.get(job_id), ended == 1

    def answer(self, job_id: str, answers: Mapping[str, Any]) -> None:
        """Keep the answers to questions that are open; others are not looked at."""
        with self._store.tx():
            job = self.get(job_id)
            if job is None or job.status != "input_required":
                return
            given = {key: answer for key, answer in answers.items() if key in job.questions}
            left = {key: question for key, question in job.questions.items() if key not in given}
            self._store.execute(
                """
                UPDATE jobs SET answers = :answers, questions = :questions, status = :status, updated_at = :now
                WHERE id = :id
                """,
                id=job_id,
                answers=json.dumps({**job.answers, **given}),
                questions=json.dumps(left),
                status="input_required" if left else "working",
                now=self._now(),
            )

    # --- the executor's side: all of it under an epoch ---

    def claim(self, job_id: str, epoch: int, executor: str) -> Job | None:
        """Begin a job; None when another took it over, or there is nothing to do any more."""
        rows = self._store.query(
            """
            UPDATE jobs SET status = 'working', executor = :executor, updated_at = :now
            WHERE id = :id AND epoch = :epoch AND finished_at IS NULL RETURNING *
            """,
            id=job_id,
            epoch=epoch,
            executor=executor,
            now=self._now(),
        )
        return _job(rows[0]) if rows else None

    def note_progress(self, job_id: str, epoch: int, progress: Progress) -> bool:
        """Whether the note was taken: False from an executor that has lost the job."""
        return self._counts(
            """
            UPDATE jobs SET progress = :progress, updated_at = :now
            WHERE id = :id AND epoch = :epoch AND finished_at IS NULL
            """,
            id=job_id,
            epoch=epoch,
            progress=json.dumps([progress.done, progress.total, progress.message]),
        )

    def ask(self, job_id: str, epoch: int, questions: Mapping[str, Any]) -> bool:
        return self._counts(
            """
            UPDATE jobs SET questions = :questions, status = 'input_required', updated_at = :now
            WHERE id = :id AND epoch = :epoch AND finished_at IS NULL
            """,
            id=job_id,
            epoch=epoch,
            questions=json.dumps(questions),
        )

    def finish(
        self, job_id: str, epoch: int, status: Status, *, result: Any = None, error: Mapping[str, Any] | None = None
    ) -> bool:
        """Whether this end counts: the first under the present epoch does, and no other."""
        return self._counts(
            """
            UPDATE jobs SET status = :status, result = :result, error = :error, questions = '{}',
                updated_at = :now, finished_at = :now
            WHERE id = :id AND epoch = :epoch AND finished_at IS NULL
            """,
            id=job_id,
            epoch=epoch,
            status=status,
            result=json.dumps(result),
            error=json.dumps(error) if error else None,
        )

    def _counts(self, sql: str, **values: Any) -> bool:
        return self._store.execute(sql, now=self._now(), **values) == 1

    # --- taking over ---

    def take_over(self, job_id: str, epoch: int, *, lost: bool) -> Job | None:
        """Back into the queue under a new epoch; None when somebody else was first. ``lost``: its executor died."""
        rows = self._store.query(
            """
            UPDATE jobs SET epoch = epoch + 1, losses = losses + :lost, status = 'queued', executor = NULL,
                questions = '{}', updated_at = :now
            WHERE id = :id AND epoch = :epoch AND finished_at IS NULL RETURNING *
            """,
            id=job_id,
            epoch=epoch,
            lost=int(lost),
            now=self._now(),
        )
        return _job(rows[0]) if rows else None

    def losses(self, job_id: str) -> int:
        rows = self._store.query("SELECT losses FROM jobs WHERE id = :id", id=job_id)
        return int(rows[0]["losses"]) if rows else 0

    def unfinished(self) -> list[Job]:
        return [
            _job(row) for row in self._store.query("SELECT * FROM jobs WHERE finished_at IS NULL ORDER BY created_at")
        ]

    def waiting(self) -> tuple[int, str | None]:
        """How many jobs wait to start, and since when the oldest unfinished one has been there."""
        (row,) = self._store.query(
            """
            SELECT COUNT(CASE WHEN status = 'queued' THEN 1 END) AS waiting, MIN(created_at) AS oldest FROM jobs
            WHERE finished_at IS NULL
            """
        )
        return int(row["waiting"]), row["oldest"]

    def beat(self, executor: str, host: str, pid: int) -> None:
        self._store.execute(
            """
            INSERT INTO executors (id, host, pid, beats) VALUES (:id, :host, :pid, 1)
            ON CONFLICT (id) DO UPDATE SET beats = executors.beats + 1
            """,
            id=executor,
            host=host,
            pid=pid,
        )

    def executors(self) -> Sequence[Mapping[str, Any]]:
        """Every executor that has not signed off: ``id``, ``host``, ``pid`` and ``beats``."""
        return self._store.query("SELECT id, host, pid, beats FROM executors ORDER BY id")

    def goodbye(self, executor: str) -> None:
        self._store.execute("DELETE FROM executors WHERE id = :id", id=executor)

    def forget_finished(self, keep: timedelta) -> list[str]:
        """Delete what finished longer than ``keep`` ago; the ids."""
        before = utc_text(self._clock() - keep)
        rows = self._store.query("DELETE FROM jobs WHERE finished_at < :before RETURNING id", before=before)
        return [row["id"] for row in rows]

    def _now(self) -> str:
        return utc_text(self._clock())


@contextmanager
def opened(open_store: Opened, clock: Clock) -> Iterator[Ledger]:
    """A ledger for the present thread."""
    with open_store() as store:
        yield Ledger(store, clock)


def _job(row: Mapping[str, Any]) -> Job:
    as_they_are = ("id", "tool", "run", "priority", "memory_mb", "seconds", "status", "epoch", "executor")
    times = ("created_at", "updated_at", "finished_at", "request_id")
    return Job(
        **{name: row[name] for name in (*as_they_are, *times)},
        **{name: json.loads(row[name] or "null") for name in ("arguments", "questions", "answers", "result", "error")},
        owner=Owner(row["issuer"], row["subject"]),
        key=row["job_key"],
        cancelling=bool(row["cancelling"]),
        progress=Progress(*json.loads(row["progress"])) if row["progress"] else None,
    )
