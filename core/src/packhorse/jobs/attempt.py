"""One attempt at a job, under one epoch: the child process on one side, the ledger on the other."""

import json
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from time import monotonic
from types import TracebackType
from typing import Any, Self

from packhorse.errors import INTERNAL, Masked, UserError
from packhorse.jobs.ledger import Ledger
from packhorse.jobs.results import refused
from packhorse.jobs.work import Ended, Job, Progress
from packhorse.observe import logs

GRACE_SECONDS = 1.0
"""What a child has between being asked to end and being killed."""

_SECRET = ("PACKHORSE_", "JWT_", "MCP_")
"""Beginnings of the variables that hold a deployment's secrets and settings: the work is given what it needs."""


class Child:
    """One run of one function. Leaving the context ends it, whatever it is doing."""

    def __init__(self, order: Mapping[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "packhorse.jobs.child"],  # -P: nothing is imported from where we stand
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={key: value for key, value in os.environ.items() if not key.startswith(_SECRET)},
            start_new_session=True,  # so that what it starts ends with it, and Ctrl-C is not for it
        )
        self._said: queue.SimpleQueue[Mapping[str, Any] | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="job child", daemon=True)
        self._reader.start()
        self._tell({**order, "path": sys.path})

    def messages(self, patience: float) -> Iterator[Mapping[str, Any] | None]:
        """What the child says within ``patience`` seconds, less when it falls silent; None when it said its last."""
        until = monotonic() + patience
        with suppress(queue.Empty):
            yield self._said.get(timeout=patience)
            while monotonic() < until:
                yield self._said.get_nowait()

    def answer(self, answers: Mapping[str, Any]) -> None:
        self._tell({"answers": answers})

    def ended_by(self) -> str:
        code = self._process.wait(GRACE_SECONDS)
        if code >= 0:
            return f"ended with status {code}"
        return f"was ended by {signal.Signals(-code).name}"

    def end(self) -> None:
        if self._process.poll() is None:
            self._signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_SECONDS)
        if hasattr(signal, "SIGKILL"):
            self._signal(signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._reader.join(GRACE_SECONDS)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)

    def _tell(self, message: Mapping[str, Any]) -> None:
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):  # it ended already; what it said last tells why
                self._process.stdin.write(json.dumps(message, default=str).encode() + b"\n")
                self._process.stdin.flush()

    def _read(self) -> None:
        if self._process.stdout is not None:
            with suppress(ValueError, OSError):  # closed under our hands, or cut in the middle of a line
                for line in self._process.stdout:
                    self._said.put(json.loads(line))
        self._said.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


logger = logging.getLogger("packhorse.jobs")

TICK_SECONDS = 0.25
"""How often the ledger is asked whether the job is to end, or has been taken over."""

NOTE_SECONDS = 0.5
"""How often progress is noted at most."""

OpenLedger = Callable[[], AbstractContextManager[Ledger]]
"""Opened for each note: a job may run for hours, and hold no connection meanwhile."""

Changed = Callable[[str], None]
"""Told the id of a job that is not what it was."""


class Attempt:
    """Runs one claimed job to its end, or until it is not this executor's any more."""

    def __init__(
        self,
        job: Job,
        open_ledger: OpenLedger,
        *,
        memory_mb: int | None,
        seconds: float | None,
        changed: Changed,
        ended: Ended = lambda job: None,
        described: Mapping[str, Any] | None = None,
    ) -> None:
        self._job = job
        self._open_ledger = open_ledger
        self._changed = changed
        self._ended = ended
        self._described = described
        self._memory_mb = job.memory_mb or memory_mb
        self._seconds = job.seconds or seconds
        self._asked: Mapping[str, Any] = {}
        self._answers = dict(job.answers)
        self._unnoted: Progress | None = None
        self._noted_at = 0.0

    def run(self) -> None:
        """Run it, and note how it ended. What is logged meanwhile carries the id of the request that started it."""
        token = logs.request_id_var.set(self._job.request_id)
        try:
            self._run()
        finally:
            logs.request_id_var.reset(token)

    def _run(self) -> None:
        job = self._job
        if job.cancelling:
            self._finish("cancelled")
            return
        order = {
            "job_id": job.id,
            "run": job.run,
            "arguments": job.arguments,
            "memory_mb": self._memory_mb,
            "host": self._described,
            "log_level": logging.getLogger().level,
        }
        self._changed(job.id)
        begun = ticked = monotonic()
        with Child(order) as child:
            while True:
                for message in child.messages(TICK_SECONDS):
                    if message is None:
                        self._died(child)
                        return
                    if self._took(message, child):
                        return
                now = monotonic()
                if now - ticked >= TICK_SECONDS:
                    ticked = now
                    if not self._goes_on(child):
                        return
                    self._note(now)
                if self._seconds is not None and now - begun > self._seconds:
                    child.end()
                    self._fail(
                        "TIMEOUT", f"The job ran longer than its limit of {self._seconds:g} seconds and was stopped."
                    )
                    return

    def _goes_on(self, child: Child) -> bool:
        with self._open_ledger() as ledger:
            job = ledger.get(self._job.id)
        if job is None or job.epoch != self._job.epoch or job.is_finished:
            return False  # taken over, or ended by somebody else: nothing that is written here counts any more
        if job.cancelling:
            child.end()
            self._finish("cancelled")
            return False
        if self._asked and self._asked.keys() <= job.answers.keys():
            self._answers = dict(job.answers)
            self._reply(child)
        return True

    def _took(self, message: Mapping[str, Any], child: Child) -> bool:
        """Take one message; whether it was the last."""
        match message:
            case {"progress": [done, total, message]}:
                self._unnoted = Progress(done, total, message)
                return False
            case {"log": record}:
                logs.relayed(record, **self._named)
                return False
            case {"ask": asked}:
                self._asked = asked
                if asked.keys() <= self._answers.keys():
                    self._reply(child)  # answered before the machine died
                else:
                    open_ones = {key: value for key, value in asked.items() if key not in self._answers}
                    with self._open_ledger() as ledger:
                        ledger.ask(self._job.id, self._job.epoch, open_ones)
                    self._changed(self._job.id)
                return False
            case {"result": result}:
                self._note(None)
                self._finish("completed", result=result)
            case {"refused": refusal}:
                self._finish("failed", error={"refused": refusal})
            case {"error": error}:
                self._finish("failed", error={"protocol": error})
            case {"out_of_memory": True}:
                self._fail("OUT_OF_MEMORY", _memory_words(self._memory_mb))
            case _:
                self._bug(message.get("bug", ()))
        return True

    def _reply(self, child: Child) -> None:
        child.answer({key: self._answers[key] for key in self._asked})
        self._asked = {}

    def _died(self, child: Child) -> None:
        ended = child.ended_by()
        logger.error("the process of a job %s without a result", ended, extra=self._named)
        if "SIGKILL" in ended or "SIGABRT" in ended or "SIGSEGV" in ended:
            # What a C++ library does with no memory left, and what the kernel does about it.
            self._fail("WORK_DIED", f"The process of this job {ended}. {_memory_words(self._memory_mb)}")
        else:
            self._fail("WORK_DIED", f"The process of this job {ended} before it gave a result.")

    @property
    def _named(self) -> dict[str, str]:
        return {"job": self._job.id, "tool": self._job.tool}

    def _bug(self, exception: Sequence[Mapping[str, Any]]) -> None:
        logger.error("%s failed", self._job.run, extra={**self._named, "exception": exception})
        masked = Masked(self._job.request_id or self._job.id)
        self._fail(masked.code, masked.message)

    def _fail(self, code: str, message: str) -> None:
        self._finish("failed", error=refused(UserError(message, code=code, jsonrpc_code=INTERNAL)))

    def _finish(self, status: Any, *, result: Any = None, error: Mapping[str, Any] | None = None) -> None:
        with self._open_ledger() as ledger:
            counts = ledger.finish(self._job.id, self._job.epoch, status, result=result, error=error)
            ended = ledger.get(self._job.id)
        if not counts:
            logger.warning("the end of a job under epoch %d came too late to count", self._job.epoch, extra=self._named)
            return
        self._changed(self._job.id)
        if ended is not None:
            self._ended(ended)

    def _note(self, now: float | None) -> None:
        """Note the latest progress, if it is time to (None: it is)."""
        if self._unnoted is None or (now is not None and now - self._noted_at < NOTE_SECONDS):
            return
        with self._open_ledger() as ledger:
            counts = ledger.note_progress(self._job.id, self._job.epoch, self._unnoted)
        if counts:
            self._changed(self._job.id)
        self._unnoted, self._noted_at = None, now or 0.0


def _memory_words(memory_mb: int | None) -> str:
    limit = f"the {memory_mb} MB that it may use" if memory_mb else "the memory there is"
    return f"It may have needed more than {limit}: ask for less at a time."
