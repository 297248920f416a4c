"""Taking over from executors that died, and from attempts that came to nothing.

An executor is dead when its process is gone from this very machine, or when
its heart has not beaten for a while by the watch of the process that looks: no two
machines' clocks are ever compared. A suspicion may be false; then the epoch
keeps the former executor's result from counting, and it stops on its own.
"""

import logging
import os
import socket
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from packhorse.errors import INTERNAL, UserError
from packhorse.jobs.ledger import Ledger
from packhorse.jobs.queue import Queue, attempt_id
from packhorse.jobs.results import refused
from packhorse.jobs.work import Ended, Job

logger = logging.getLogger("packhorse.jobs")

SILENT_SECONDS = 30.0
"""Without a beat for so long, an executor is taken for dead."""

MAX_LOSSES = 5
"""After so many deaths of executors under one job, the job is taken for their cause."""


class Reaper:
    """One executor's view of the others."""

    def __init__(
        self, executor: str, *, silent_seconds: float = SILENT_SECONDS, ended: Ended = lambda job: None
    ) -> None:
        self._executor = executor
        self._ended = ended
        self._silent_seconds = silent_seconds
        self._seen: dict[str, tuple[int, float]] = {}

    def dead(self, executors: Collection[Mapping[str, Any]]) -> set[str]:
        """Which of the executors are dead, as far as one can tell from here."""
        now = monotonic()
        found = set()
        for one in executors:
            if one["id"] == self._executor:
                continue
            beats, since = self._seen.get(one["id"], (None, now))
            if beats != one["beats"]:
                since = now
            self._seen[one["id"]] = (one["beats"], since)
            if now - since > self._silent_seconds or _is_gone(one["host"], one["pid"]):
                found.add(one["id"])
        return found

    def reap(self, ledger: Ledger, queue: Queue) -> int:
        """Give every job that nobody works on back to the queue; how many there were."""
        executors = ledger.executors()
        dead = self.dead(executors)
        living = {one["id"] for one in executors} - dead | {self._executor}
        unfinished = ledger.unfinished()
        states = queue.states(unfinished)
        taken = 0
        for job in unfinished:
            status, executor = states.get(attempt_id(job), (None, None))
            if status is None:
                queue.put(job)  # its creator died before queueing it; otherwise this changes nothing
            elif status == "PENDING" and executor not in living:
                taken += self._take_over(ledger, queue, job, lost=True)
            elif status not in ("PENDING", "ENQUEUED", "DELAYED"):
                # It ended and left the job: on purpose, when its executor was stopping, or in an error.
                taken += self._take_over(ledger, queue, job, lost=status != "SUCCESS")
        for one in dead:
            logger.warning("executor %s died; its jobs were taken over", one)
            ledger.goodbye(one)
            self._seen.pop(one, None)
        return taken

    def _take_over(self, ledger: Ledger, queue: Queue, job: Job, *, lost: bool) -> bool:
        if ledger.losses(job.id) >= MAX_LOSSES:
            refusal = UserError(
                f"The server process that ran this job died {MAX_LOSSES} times, so the job was stopped."
                " Ask for less at a time, or ask the operator.",
                code="WORK_DIED",
                jsonrpc_code=INTERNAL,
            )
            given_up = ledger.finish(job.id, job.epoch, "failed", error=refused(refusal))
            if given_up and (ended := ledger.get(job.id)) is not None:
                self._ended(ended)
            return given_up
        again = ledger.take_over(job.id, job.epoch, lost=lost)
        queue.drop(job)
        if again is None:
            return False
        queue.put(again)
        logger.warning("job %s goes on under epoch %d", again.id, again.epoch)
        return True


def this_machine() -> str:
    """What tells one space of process numbers from another: a machine, since it started, or a container on it."""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}:{Path('/proc/self/ns/pid').readlink()}"
    return socket.gethostname()


def _is_gone(machine: str, pid: int) -> bool:
    if machine != this_machine() or os.name != "posix":
        return False
    if pid == os.getpid():
        return True  # the process before us had our number, as the first one of a container always has
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
