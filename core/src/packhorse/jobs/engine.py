"""Jobs from the outside: start, look, cancel. One engine to a process; it begins to work with the first job."""

import logging
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from packhorse.contract.clock import Clock, system_clock
from packhorse.errors import PackError, UserError
from packhorse.errors.extras import install
from packhorse.jobs.attempt import Attempt, Changed
from packhorse.jobs.ledger import MIGRATIONS, Ledger, Opened, opened
from packhorse.jobs.work import Ended, Job, Owner, Work
from packhorse.settings import JobSettings, Settings
from packhorse.store.permissions import private_file, private_folder

if TYPE_CHECKING:
    from packhorse.jobs.queue import Queue
    from packhorse.store.sqlite import Store

logger = logging.getLogger("packhorse.jobs")

LEDGER_FILE = "jobs.sqlite3"
QUEUE_FILE = "queue.sqlite3"

SCHEMA = "packhorse_jobs"
"""In a deployment's PostgreSQL database: where the ledger is kept."""

BEAT_SECONDS = 5.0
"""How often an executor says that it lives, and looks after the others."""

STOP_SECONDS = 10.0
"""How long the processes of running jobs may take to end when an executor stops."""


Describe = Callable[[str], Mapping[str, Any] | None]
"""Gives what the host of a tool's pack is made from, as `packhorse.jobs.running.describe` does."""


@dataclass(frozen=True, slots=True)
class Databases:
    """Where jobs are kept: the ledger's store, and DBOS's own database."""

    ledger: Opened
    queue_url: str
    folder: Path | None = None
    """Where the files are; None where other machines work on the same jobs."""

    def exist(self) -> bool:
        """Whether there can be any job yet."""
        return self.folder is None or (self.folder / LEDGER_FILE).exists()

    @classmethod
    def of(cls, settings: Settings) -> "Databases":
        """Those of a deployment."""
        url = settings.server.database_url
        return cls.in_folder(settings.jobs_dir) if url is None else cls.at(url)

    @classmethod
    def in_folder(cls, folder: Path) -> "Databases":
        """Two SQLite files in a folder, which is made when the first of them is opened."""

        def ledger() -> "Store":
            from packhorse.store.sqlite import Store  # most servers have no jobs

            private_folder(folder.parent)
            return Store.open(private_folder(folder) / LEDGER_FILE, MIGRATIONS)

        return cls(ledger, f"sqlite:///{folder / QUEUE_FILE}", folder)

    @classmethod
    def at(cls, url: str) -> "Databases":
        """Two schemas of one PostgreSQL database."""

        def ledger() -> "Store":
            try:
                from packhorse.store.postgres import PostgresStore
            except ImportError as exc:
                raise PackError(f"PostgreSQL needs a driver: {install('postgres')}") from exc

            return PostgresStore.connect(url, SCHEMA, MIGRATIONS)

        return cls(ledger, url)


class Engine:
    """Starts jobs and works on them, here and on every other engine of the same databases."""

    def __init__(
        self,
        databases: Databases,
        *,
        limits: JobSettings | None = None,
        clock: Clock = system_clock,
        changed: Changed = lambda job_id: None,
        describe: Describe = lambda tool: None,
        beat_seconds: float = BEAT_SECONDS,
        silent_seconds: float | None = None,
    ) -> None:
        self.limits = limits or JobSettings()
        self.changed = changed
        self.ended: Callable[[str], None] = lambda tool: None
        """Called with the tool of a job whose attempt has ended: it may have changed something."""
        self.finished: Ended = lambda job: None
        """Called with each job that this process has ended."""
        self.describe = describe
        self._databases = databases
        self._clock = clock
        self._executor = ""
        self._beat_seconds = beat_seconds
        self._silent_seconds = silent_seconds
        self._queue: Queue | None = None
        self._lock = threading.Lock()
        self._works = True
        self._stopping = threading.Event()
        self._heart: threading.Thread | None = None
        self._watch: threading.Thread | None = None
        self._running: set[tuple[str, int]] = set()
        self._idle = threading.Condition()

    def begin(self, *, works: bool = True) -> None:
        """Go on with what is unfinished; with nothing to go on with, and nobody to look after, wait for a first job.

        One that does not work, for a process that soon ends, only starts jobs for others to work on.
        """
        self._works = works
        self._stopping.clear()
        if not works:
            return
        if self._databases.folder is None or self._has_unfinished():
            self._launched()
        else:
            self._watch = threading.Thread(target=self._wait_for_work, name="job watch", daemon=True)
            self._watch.start()

    def start(self, tool: str, work: Work, owner: Owner, request_id: str | None = None) -> Job:
        """Start a job for the call ``request_id``, or find the one that has its key.

        Raises:
            UserError: the caller has as many jobs as it may.
        """
        queue = self._launched()
        # 128 bits: for callers without a subject, knowing it is what makes it theirs. Written as ids usually are.
        fresh = str(UUID(bytes=secrets.token_bytes(16)))
        with self._ledger() as ledger:
            job = ledger.create(fresh, tool, owner, work, request_id)
            if job.id == fresh:
                waiting = ledger.unfinished_of(owner) - 1
                if waiting >= self.limits.per_caller:
                    ledger.cancel(job.id)
                    raise UserError(
                        f"You have {waiting} jobs waiting or running, which is the maximum. Wait for one to"
                        " finish, or cancel one with job_cancel.",
                        code="TOO_MANY_JOBS",
                        details={"limit": self.limits.per_caller},
                    )
                queue.put(job)
        return job

    def get(self, job_id: str, owner: Owner) -> Job | None:
        """A job of this owner; None alike for one that is not there and one that is somebody else's."""
        with self._ledger() as ledger:
            return _of(owner, ledger.get(job_id))

    def cancel(self, job_id: str, owner: Owner) -> Job | None:
        """End a job: at once where it waits, in about a second where it runs. None as for `get`."""
        with self._ledger() as ledger:
            if _of(owner, ledger.get(job_id)) is None:
                return None
            job, ended = ledger.cancel(job_id)
        self.changed(job_id)
        if job is not None and ended:
            self.finished(job)
        return job

    def answer(self, job_id: str, owner: Owner, answers: Mapping[str, Any]) -> Job | None:
        """Answer open questions of a job. None as for `get`."""
        with self._ledger() as ledger:
            if _of(owner, ledger.get(job_id)) is None:
                return None
            ledger.answer(job_id, answers)
            job = ledger.get(job_id)
        self.changed(job_id)
        return job

    def waiting(self) -> tuple[int, float]:
        """How many jobs wait to start, and the age of the oldest unfinished one in seconds, 0 where there is none."""
        if not self._databases.exist():
            return 0, 0.0
        with self._ledger() as ledger:
            jobs, since = ledger.waiting()
        age = (self._clock() - datetime.fromisoformat(since)).total_seconds() if since else 0.0
        return jobs, max(0.0, age)

    def latest(self, count: int, *, unfinished: bool = False) -> list[Job]:
        """The jobs last created, for the operator of the deployment."""
        with self._ledger() as ledger:
            return ledger.latest(count, unfinished=unfinished)

    def close(self) -> None:
        """Stop working: what runs here goes back into the queue, and its processes end."""
        with self._lock:
            self._stopping.set()
            queue, self._queue = self._queue, None
        for thread in (self._watch, self._heart):
            if thread is not None:
                thread.join()
        if queue is None:
            return
        with self._ledger() as ledger, self._idle:
            for job_id, epoch in self._running:
                # Not into the queue: this executor may still take it. The next one to look finds it missing there.
                ledger.take_over(job_id, epoch, lost=False)
            self._idle.wait_for(lambda: not self._running, STOP_SECONDS)  # each sees the new epoch, and ends
            ledger.goodbye(self._executor)
        queue.close()

    def _has_unfinished(self) -> bool:
        if not self._databases.exist():
            return False
        with self._ledger() as ledger:
            return bool(ledger.unfinished())

    def _wait_for_work(self) -> None:
        """Begin when a process that does not work, such as a command, has left a job in the files."""
        while self._queue is None and not self._stopping.wait(self._beat_seconds):
            try:
                if self._has_unfinished():
                    self._launched()
            except Exception:
                # The files may be in somebody's hands for a moment; the next look may find them free.
                logger.exception("could not look for jobs")

    def _ledger(self) -> AbstractContextManager[Ledger]:
        return opened(self._databases.ledger, self._clock)

    def _launched(self) -> "Queue":
        with self._lock:
            if self._stopping.is_set():
                raise UserError("This server is stopping. Try again in a moment.", code="STOPPING")
            if self._queue is None:
                # DBOS refuses to begin on the thread of an event loop, which is where servers start and stop.
                with ThreadPoolExecutor(1) as apart:
                    self._queue = apart.submit(self._launch).result()
                if self._works:
                    beat = threading.Thread(target=self._beat, args=(self._queue,), name="job heart", daemon=True)
                    self._heart = beat
                    beat.start()
            return self._queue

    def _launch(self) -> "Queue":
        try:
            from packhorse.jobs.queue import Queue
        except ImportError as exc:
            raise PackError(f"jobs need DBOS: {install('jobs')}") from exc
        from packhorse.jobs.reaper import this_machine

        if self._databases.folder is not None:
            private_folder(self._databases.folder.parent)
            # DBOS would leave its mode to the umask, and not name it where it is damaged.
            _check_readable(private_file(private_folder(self._databases.folder) / QUEUE_FILE))
        self._machine = this_machine()
        self._executor = secrets.token_hex(8)  # never one that was used before, or DBOS would go on by itself
        if self._works:
            with self._ledger() as ledger:
                ledger.beat(self._executor, self._machine, os.getpid())  # before it can have an attempt
        return Queue(
            self._databases.queue_url,
            self._executor,
            self._run if self._works else None,
            at_a_time=self.limits.at_a_time,
            at_a_time_overall=self.limits.at_a_time_overall,
        )

    def _run(self, job_id: str, epoch: int) -> None:
        """One attempt, in a thread of the queue's."""
        with self._idle:
            if self._stopping.is_set():
                return  # the reaper of the next one finds it
            self._running.add((job_id, epoch))
        try:
            with self._ledger() as ledger:
                job = ledger.claim(job_id, epoch, self._executor)
            if job is not None:
                try:
                    Attempt(
                        job,
                        self._ledger,
                        memory_mb=self.limits.memory_mb,
                        seconds=self.limits.seconds,
                        changed=self.changed,
                        ended=self.finished,
                        described=self.describe(job.tool),
                    ).run()
                finally:
                    self.ended(job.tool)
        finally:
            with self._idle:
                self._running.discard((job_id, epoch))
                self._idle.notify_all()

    def _beat(self, queue: "Queue") -> None:
        from packhorse.jobs.reaper import SILENT_SECONDS, Reaper

        reaper = Reaper(self._executor, silent_seconds=self._silent_seconds or SILENT_SECONDS, ended=self.finished)
        keep = timedelta(days=self.limits.keep_days)
        while True:
            try:
                with self._ledger() as ledger:
                    ledger.beat(self._executor, self._machine, os.getpid())
                    reaper.reap(ledger, queue)
                    if ledger.forget_finished(keep):
                        queue.forget(self._clock() - keep)
            except Exception:
                # The database may be away for a while; a heart that stops at it would never know that it came back.
                logger.exception("executor %s could not look after its jobs", self._executor)
            if self._stopping.wait(self._beat_seconds):
                return


def _of(owner: Owner, job: Job | None) -> Job | None:
    return job if job is not None and (owner.sees_all or job.owner == owner) else None


def _check_readable(path: Path) -> None:
    """Raises PackError where a file is no database."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as exc:
        raise PackError(f"{path}: the job queue cannot be opened ({exc}); see 'packhorse check'") from exc
