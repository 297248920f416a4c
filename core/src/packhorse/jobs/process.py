"""A child process as its executor sees it: started, listened to, answered, and ended for certain."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Any, Self

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
        """Answer its questions."""
        self._tell({"answers": answers})

    def ended_by(self) -> str:
        """How the process ended, in words."""
        code = self._process.wait(GRACE_SECONDS)
        if code >= 0:
            return f"ended with status {code}"
        return f"was ended by {signal.Signals(-code).name}"

    def end(self) -> None:
        """Ask it to end, then make it."""
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
