"""Several processes on one listening socket: uvicorn's process supervisor, and each worker's own side of it.

The supervisor binds the address and serves nothing itself. uvicorn starts the
workers, asks each whether it lives, replaces the ones that ended or hang, and
ends them on SIGTERM.
"""

import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
from asyncio import AbstractEventLoop
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import uvicorn
from uvicorn.supervisors import multiprocess

from packhorse.errors import PackError
from packhorse.http import resumed
from packhorse.http.listening import Listener, bound, said_of
from packhorse.metrics.worker_metrics import VARIABLE, forget
from packhorse.settings import Settings

logger = logging.getLogger("packhorse.workers")

HANG_SECONDS = 60
"""A worker whose loop does not turn for this long is replaced."""

STOP_SECONDS = 15
"""What a worker may need to stop beyond the time that its calls have: its jobs have ten seconds to end."""

LOOK_SECONDS = 0.1


class _Config(uvicorn.Config):
    """What each worker gets from the supervisor."""

    def __init__(self, settings: Settings, work: "Work") -> None:
        super().__init__("", log_config=None, workers=settings.server.workers, timeout_worker_healthcheck=HANG_SECONDS)
        self.settings = settings
        self.work = work
        self.first = True


class Worker(multiprocess.Process):
    """One worker, on both sides of the pipe to its supervisor."""

    config: _Config

    def __init__(self, config: _Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        self.is_first = config.first
        self.sockets: list[Listener] = []
        self.loop: AbstractEventLoop | None = None
        """Set once this worker serves."""

    def start(self) -> None:
        super().start()
        logger.info("worker process %d begins, one of %d", self.pid, self.config.workers)

    def pong(self) -> None:
        """Answer the supervisor's ping as soon as the loop turns."""
        self.child_conn.recv()
        if self.loop is not None:
            turned = threading.Event()
            self.loop.call_soon_threadsafe(turned.set)
            turned.wait()
        self.child_conn.send(self.loop is not None)

    def always_pong(self) -> None:
        with suppress(OSError, EOFError, RuntimeError):  # the supervisor or the loop has ended
            super().always_pong()

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        os.setsid()  # Ctrl-C is for the supervisor
        for work in (self.always_pong, _end_with_supervisor):
            threading.Thread(target=work, daemon=True).start()
        self.sockets = [Listener(fileno=one.detach()) for one in sockets or ()]
        self.config.work(self.config.settings, self)


Work = Callable[[Settings, Worker], None]
"""What a worker does in its process; a function of a module, which the process imports."""


def _end_with_supervisor() -> None:
    if supervisor := multiprocessing.parent_process():
        supervisor.join()
        os.kill(os.getpid(), signal.SIGTERM)


multiprocess.Process = Worker  # type: ignore[misc,assignment]  # uvicorn has no setting for it


class Supervisor(multiprocess.Multiprocess):
    """uvicorn's supervisor; it starts the first worker alone, so that a wrong configuration is reported once."""

    config: _Config

    def __init__(self, settings: Settings, work: Work, changed: Callable[[], bool] | None = None) -> None:
        server = settings.server
        if sys.platform == "win32":
            raise PackError(
                "several workers cannot share one port on this operating system. Run one worker, or several"
                " servers, each on a port of its own"
            )
        sockets = [socket.socket(fileno=one.detach()) for one in bound(server.host, server.port)]
        super().__init__(_Config(settings, work), sockets)
        self._stop_seconds = server.unready_seconds + server.shutdown_seconds + STOP_SECONDS
        self._known: list[multiprocess.Process] = []
        self._interrupted = False
        self._counted_in = ""
        self._changed = changed

    def run(self) -> None:
        """Serve until a signal.

        Raises:
            PackError: the first worker ended before it served.
            KeyboardInterrupt: it was stopped from the keyboard; the workers have stopped.
        """
        with tempfile.TemporaryDirectory(prefix="packhorse-metrics-") as folder:
            told = {VARIABLE: folder}
            self._counted_in = folder
            if self._changed is not None:
                (sessions := Path(folder) / "sessions").mkdir()
                told[resumed.VARIABLE] = str(sessions)
            before = dict(os.environ)
            os.environ |= told
            try:
                super().run()
            finally:
                for name in told:
                    os.environ.pop(name, None)
                os.environ |= before
        if self._interrupted:
            raise KeyboardInterrupt

    def init_processes(self) -> None:
        first = Worker(self.config, self.sockets)
        first.start()
        self.processes.append(first)
        while not first.is_ready(timeout=1):
            self.handle_signals()
            if self.should_exit.is_set():
                return
            if not first.process.is_alive():
                ended = f"the first of {self.processes_num} workers {_end_of(first)} before it served"
                raise PackError(f"{ended}; the lines above say why")
            sleep(LOOK_SECONDS)
        for one in self.sockets:
            logger.info(said_of(one, self.config.settings))
        self.config.first = False
        self.processes_num -= 1
        super().init_processes()
        self.processes_num += 1
        self._known = [*self.processes]

    def keep_subprocess_alive(self) -> None:
        if self._changed is not None and self._changed():
            before = [*self.processes]
            self.restart_all()
            if before == self.processes:
                logger.error("the server does not start with this edit; the one from before it goes on")
            else:
                logger.info("the edit is served")  # and the old server has ended
            self._known = [*self.processes]
        try:
            super().keep_subprocess_alive()
        except OSError as exc:  # no process or memory available now; the other workers serve on
            logger.warning("no worker can be started (%s)", exc.strerror)
        for gone in self._known:
            if gone not in self.processes:
                logger.error("worker process %d %s", gone.pid, _end_of(gone))
                forget(self._counted_in, gone.pid)
        self._known = [*self.processes]

    def handle_int(self) -> None:
        self._interrupted = True
        super().handle_int()

    def join_all(self) -> None:
        """Wait for the workers; kill them when their time is up or a second signal arrives."""
        until = monotonic() + self._stop_seconds
        while any(worker.process.is_alive() for worker in self.processes):
            if self.signal_queue or monotonic() > until:
                logger.error("workers did not stop in time, or a second signal arrived; they are killed")
                for worker in self.processes:
                    worker.kill()
                break
            sleep(LOOK_SECONDS)
        super().join_all()


def _end_of(worker: multiprocess.Process) -> str:
    code = worker.exitcode or 0
    return f"ended with status {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"
