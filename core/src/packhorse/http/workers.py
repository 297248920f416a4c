"""Several processes on one listening socket: one that starts, watches and replaces them, and their own side of it.

The supervisor binds the address and serves nothing itself. Each worker gets
the socket, and over its standard input the settings; when that ends, because
the supervisor wants it to stop or has died, the worker stops as on SIGTERM.
Over its standard output it says that it serves, and then that it lives.
"""

import logging
import mmap
import os
import pickle
import queue
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, Self

from packhorse.errors import PackError
from packhorse.http.listening import Listener, bound
from packhorse.observe.worker_metrics import MetricFiles
from packhorse.settings import Settings

logger = logging.getLogger("packhorse.workers")

BEAT_SECONDS = 5
"""How often a worker says that it lives."""

SILENT_BEATS = 18
"""After so many beats without a word, a minute and a half, a worker is taken to hang: a call may take a minute."""

SHORT_LIFE_SECONDS = 10
"""A worker that ends sooner is replaced after a pause."""

LONGEST_PAUSE_SECONDS = 30

STOP_SECONDS = 15
"""What a worker may need to stop beyond the time that its calls have: its jobs have ten seconds to end."""

_SERVES, _LIVES = b"s", b"."


YIELD_SECONDS = 0.005
"""How long a worker leaves a new connection to another that has fewer."""

_LOOK_SECONDS = 0.0005
_AWAY = 2**40
"""Instead of a count: this worker takes no connections."""


class Loads:
    """How many connections each worker has, in memory that all of them see. Each writes its own place alone."""

    def __init__(self, file: int, workers: int) -> None:
        self.file = file
        self.workers = workers
        self._counts = memoryview(mmap.mmap(file, 8 * workers)).cast("q")

    @classmethod
    def made(cls, workers: int) -> Self:
        """In a file without a name, all away."""
        with tempfile.TemporaryFile() as file:
            file.truncate(8 * workers)
            made = cls(os.dup(file.fileno()), workers)
        for number in range(workers):
            made[number] = _AWAY
        return made

    def __getitem__(self, number: int) -> int:
        return self._counts[number]

    def __setitem__(self, number: int, count: int) -> None:
        self._counts[number] = count

    def fewest_besides(self, number: int) -> int:
        """Of the others, the least."""
        return min(self[other] for other in range(self.workers) if other != number)


class _Shared(Listener):
    """A socket that several processes listen on: who has fewer connections takes the next.

    The kernel wakes all of them, and without this the first to be awake takes
    every connection of a client that opens several at once.
    """

    loads: Loads
    number: int

    def accept(self) -> tuple[socket.socket, Any]:
        until = monotonic() + YIELD_SECONDS
        while self.loads[self.number] > self.loads.fewest_besides(self.number) and monotonic() < until:
            # The loop stands still for it: for milliseconds, and only while this worker has more than its share.
            time.sleep(_LOOK_SECONDS)
            if not select.select([self], [], [], 0)[0]:
                raise BlockingIOError
        taken = super().accept()
        self.loads[self.number] += 1  # until `Place.holds` counts again
        return taken


class Place:
    """A worker's place under its supervisor."""

    def __init__(
        self, sockets: Sequence[socket.socket], loads: Loads, files: MetricFiles, orders: BinaryIO, reports: BinaryIO
    ) -> None:
        self.sockets = list(sockets)
        self.metric_files = files
        self._loads = loads
        self._number = files.number
        self._orders = orders
        self._reports = reports

    @property
    def is_first(self) -> bool:
        """Whether it is the one that says what all of them would."""
        return self._number == 0

    @classmethod
    def taken(cls) -> tuple[Self, Settings]:
        """What the supervisor gives over standard input, which nobody else then reads; prints go to the log."""
        orders, reports = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        order = pickle.load(orders)  # noqa: S301 - from the process that started this one
        sys.path[:] = order["path"]
        loads, number = Loads(order["loads"], order["workers"]), order["number"]
        sockets = [_Shared(fileno=shared) for shared in order["sockets"]]
        for one in sockets:
            one.loads, one.number = loads, number
        return cls(sockets, loads, MetricFiles(order["metrics"], number), orders, reports), order["settings"]

    def serves(self, stop: Callable[[], None]) -> None:
        """Say that this worker serves. ``stop`` is called, from another thread, when it is to stop."""
        self.holds(0)
        self._say(_SERVES)

        def listen() -> None:
            while self._orders.read(1):
                pass
            stop()

        threading.Thread(target=listen, name="supervisor", daemon=True).start()

    def holds(self, connections: int | None) -> None:
        """Tell the other workers how many connections this one has; None: it takes no more."""
        self._loads[self._number] = _AWAY if connections is None else connections

    async def lives(self) -> None:
        """Say that the loop still turns."""
        self._say(_LIVES)

    def _say(self, what: bytes) -> None:
        with suppress(OSError):  # the supervisor has died, which the other pipe tells
            self._reports.write(what)


class _Worker:
    """One worker, as its supervisor sees it."""

    def __init__(self, order: Mapping[str, Any], command: Sequence[str], said: "queue.SimpleQueue[_Said]") -> None:
        self.number: int = order["number"]
        self.begun = monotonic()
        self.served = False
        self.silent = 0
        self._process = subprocess.Popen(  # noqa: S603 - this very interpreter
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            pass_fds=[*order["sockets"], order["loads"]],
            start_new_session=True,  # Ctrl-C is the supervisor's to hear
        )
        self.pid = self._process.pid
        self._tell(pickle.dumps(order))
        threading.Thread(target=self._read, args=(said,), name=f"worker {self.pid}", daemon=True).start()

    def stop(self) -> None:
        """Ask it to stop."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def kill(self) -> None:
        """Make it stop."""
        self._process.kill()

    def ended_by(self) -> str:
        """How it ended, in words; to be asked once it has."""
        code = self._process.wait()
        self.stop()
        return f"ended with status {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"

    def _tell(self, order: bytes) -> None:
        with suppress(BrokenPipeError):  # it ended already, which its other pipe tells
            if self._process.stdin is not None:
                rest = memoryview(order)
                while rest:
                    rest = rest[self._process.stdin.write(rest) or 0 :]

    def _read(self, said: "queue.SimpleQueue[_Said]") -> None:
        stream = self._process.stdout
        if stream is not None:
            with suppress(OSError), stream:
                while word := stream.read(1):
                    said.put((self, word))
        said.put((self, b""))


_Said = tuple[_Worker | None, bytes | signal.Signals]
"""Who said it, and what: a word of a worker's, nothing when it ended, or a signal that came to the supervisor."""


class Supervisor:
    """Starts ``workers`` processes by ``command`` and keeps as many running until it is told to stop."""

    def __init__(self, settings: Settings, command: Sequence[str]) -> None:
        self._settings = settings
        self._command = command
        self._count = settings.server.workers
        self._said: queue.SimpleQueue[_Said] = queue.SimpleQueue()
        self._workers: list[_Worker] = []
        self._loads = Loads.made(self._count)
        self._pause = 0.0
        self._due: list[float] = []  # when missing workers are to be started
        self._metrics = Path()

    def run(self) -> None:
        """Serve until told to stop.

        Raises:
            PackError: the address cannot be listened on, or the first worker ended before it served.
            KeyboardInterrupt: it was stopped from the keyboard; the workers have stopped.
        """
        if sys.platform == "win32":
            raise PackError("several workers need a system on which processes share a socket; run one, or replicas")
        with ExitStack() as stack:
            self._metrics = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="packhorse-metrics-")))
            sockets = [
                stack.enter_context(one) for one in bound(self._settings.server.host, self._settings.server.port)
            ]
            order = {
                "settings": self._settings,
                "sockets": [one.fileno() for one in sockets],
                "loads": self._loads.file,
                "metrics": self._metrics,
                "workers": self._count,
                "path": sys.path,
            }
            for number in (signal.SIGINT, signal.SIGTERM):
                stack.callback(signal.signal, number, signal.signal(number, self._signalled))
            try:
                told = self._watch(order, sockets)
            finally:
                self._stop()
        if told is signal.SIGINT:
            raise KeyboardInterrupt

    def _signalled(self, number: int, frame: Any) -> None:
        self._said.put((None, signal.Signals(number)))  # may interrupt anything, and a SimpleQueue can bear it

    def _watch(self, order: Mapping[str, Any], sockets: Sequence[socket.socket]) -> signal.Signals:
        """Keep the workers running; the signal that ended it."""
        self._begin(order)  # the first alone: what is wrong with the configuration is said once
        serving = False
        ticked = monotonic()
        while True:
            with suppress(queue.Empty):
                worker, word = self._said.get(timeout=self._until_due())
                if isinstance(word, signal.Signals):
                    return word
                if worker is not None:
                    if not word:
                        self._replaced(worker, serving=serving)
                    elif word == _SERVES:
                        worker.served = True
                        logger.info("worker process %d serves", worker.pid)
                        if not serving:
                            serving = True
                            _announced(sockets)
                            self._due += [monotonic()] * (self._count - 1)
                    worker.silent = 0
            now = monotonic()
            while self._due and min(self._due) <= now:
                self._due.remove(min(self._due))
                try:
                    self._begin(order)
                except OSError as exc:  # no process or memory to be had now; those that run serve on
                    self._lengthen_pause()
                    logger.warning("no worker can be started (%s); another attempt in %g s", exc.strerror, self._pause)
                    self._due.append(now + self._pause)
            if now - ticked >= BEAT_SECONDS:
                ticked = now  # counted and not timed: while all of us stand still, nobody is late
                self._look_for_silence()

    def _until_due(self) -> float:
        return max(0.0, min([BEAT_SECONDS, *(due - monotonic() for due in self._due)]))

    def _begin(self, order: Mapping[str, Any]) -> None:
        number = min(set(range(self._count)) - {worker.number for worker in self._workers})
        worker = _Worker({**order, "number": number}, self._command, self._said)
        self._workers.append(worker)
        logger.info("worker process %d begins, one of %d", worker.pid, self._count)

    def _replaced(self, worker: _Worker, *, serving: bool) -> None:
        """One has ended without being asked to: another takes its place."""
        self._workers.remove(worker)
        self._loads[worker.number] = _AWAY
        MetricFiles(self._metrics, worker.number).forget()
        ended = worker.ended_by()
        if not serving:
            raise PackError(f"the first of {self._count} workers {ended} before it served; the lines above say why")
        if worker.served and monotonic() - worker.begun >= SHORT_LIFE_SECONDS:
            self._pause = 0.0
        logger.error("worker process %d %s; another begins in %g s", worker.pid, ended, self._pause)
        self._due.append(monotonic() + self._pause)
        self._lengthen_pause()

    def _lengthen_pause(self) -> None:
        self._pause = min(max(1.0, self._pause * 2), LONGEST_PAUSE_SECONDS)

    def _look_for_silence(self) -> None:
        for worker in self._workers:
            worker.silent += worker.served  # a start may take its time: it imports, and may migrate
            if worker.silent > SILENT_BEATS:
                logger.error("worker process %d does not turn any more, and is ended", worker.pid)
                worker.silent = 0
                worker.kill()

    def _stop(self) -> None:
        """Ask all to stop, and make them when their time is up or somebody insists."""
        server = self._settings.server
        for worker in self._workers:
            worker.stop()
        until = monotonic() + server.unready_seconds + server.shutdown_seconds + STOP_SECONDS
        while self._workers:
            said: _Said = (None, signal.SIGKILL)
            with suppress(queue.Empty):
                said = self._said.get(timeout=max(0.0, until - monotonic()))
            by, word = said
            if isinstance(word, signal.Signals):
                logger.error(
                    "%d workers did not stop in time, or somebody insisted; they are ended", len(self._workers)
                )
                until = monotonic() + STOP_SECONDS
                for one in self._workers:
                    one.kill()
            elif by is not None and not word:
                self._workers.remove(by)
                by.ended_by()


def _announced(sockets: Sequence[socket.socket]) -> None:
    for one in sockets:
        address = one.getsockname()
        logger.info("listening on http://%s:%s", address[0], address[1])
