"""The queue, kept by DBOS: which attempt is next, how many run at a time, and on which executor.

One workflow of DBOS is one attempt at one job, ``<job id>.<epoch>``, so that
taking a job over is a new workflow and never a second run of the old one.
The only module that imports dbos; importing this one is what makes it load.
"""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from dbos import DBOS, DBOSConfig, SetEnqueueOptions, SetWorkflowID

from packhorse.jobs.work import Job

QUEUE = "packhorse-jobs"
SCHEMA = "packhorse_dbos"

POLL_SECONDS = 0.5
"""How often an executor looks for the next attempt."""

_NOTICE_SECONDS = 0.1
"""How long DBOS sleeps between looks for notifications, of which there are none here: a stop waits for its waking."""

_VERSION = "1"
"""Of what is in the queue, not of the host: an upgraded host goes on with the jobs of the one before."""

Run = Callable[[str, int], None]


class Queue:
    """The process's one connection to the queue; it takes attempts from it as soon as it is made.

    Without ``run`` it only puts them there.
    """

    def __init__(
        self, url: str, executor: str, run: Run | None, *, at_a_time: int, at_a_time_overall: int | None = None
    ) -> None:
        config: DBOSConfig = {
            "name": "packhorse",
            "system_database_url": url,
            "executor_id": executor,
            "application_version": _VERSION,
            "log_level": "WARNING",
            "dbos_system_schema": SCHEMA,
            "notification_listener_polling_interval_sec": _NOTICE_SECONDS,
        }
        make_up_for()
        DBOS(config=config)
        log = logging.getLogger("dbos")
        log.handlers.clear()  # its own would write lines that are no JSON beside the host's
        log.propagate = True

        def attempt(job_id: str, epoch: int) -> None:
            if run is not None:
                run(job_id, epoch)

        self._attempt = DBOS.workflow(name="attempt")(attempt)
        if run is None:
            DBOS.listen_queues([])
        try:
            DBOS.launch()
            DBOS.register_queue(
                QUEUE,
                worker_concurrency=at_a_time,
                global_concurrency=at_a_time_overall,
                polling_interval_sec=POLL_SECONDS,
                on_conflict="always_update",
            )
        except BaseException:
            self.close()  # or the next try would find half of it
            raise

    def put(self, job: Job) -> None:
        """Queue the present attempt at a job. Doing it again changes nothing."""
        with SetWorkflowID(attempt_id(job)), SetEnqueueOptions(priority=job.priority):
            DBOS.enqueue_workflow(QUEUE, self._attempt, job.id, job.epoch)

    def states(self, jobs: Iterable[Job]) -> Mapping[str, tuple[str, str | None]]:
        """Of each job's present attempt that ever was queued: DBOS's status, and the executor that has it."""
        ids = [attempt_id(job) for job in jobs]
        if not ids:
            return {}
        found = DBOS.list_workflows(workflow_ids=ids, load_input=False, load_output=False)
        return {one.workflow_id: (one.status, one.executor_id) for one in found}

    def drop(self, job: Job) -> None:
        """Take an attempt out: it no longer counts as running."""
        DBOS.cancel_workflow(attempt_id(job))

    def forget(self, before: datetime) -> None:
        """Delete what DBOS remembers of attempts that ended before an instant."""
        ended = DBOS.list_workflows(
            status=["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"],
            completed_before=before.isoformat(),
            limit=1000,
            load_input=False,
            load_output=False,
        )
        if ended:
            DBOS.delete_workflows([one.workflow_id for one in ended])

    def close(self) -> None:
        DBOS.destroy(destroy_registry=True)


def attempt_id(job: Job) -> str:
    """The name of a job's present attempt."""
    return f"{job.id}.{job.epoch}"


SINCE = (3, 42, 0)


def unixepoch(*given: str) -> float:
    """Unix seconds of now, to the millisecond: what SQLite gives from 3.42 on for ``subsec``.

    Raises:
        ValueError: any other use, which SQLite then reports as an error.
    """
    if given not in (("subsec",), ("now", "subsec")):
        raise ValueError("only unixepoch('subsec') is made up for")
    return time.time_ns() // 1_000_000 / 1000


def make_up_for() -> None:
    """From now on give each SQLite connection of SQLAlchemy the function, where SQLite itself lacks it."""
    if sqlite3.sqlite_version_info >= SINCE:
        return
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    if not event.contains(Engine, "connect", _connected):
        event.listen(Engine, "connect", _connected)


def _connected(connection: Any, record: Any) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.create_function("unixepoch", -1, unixepoch)
