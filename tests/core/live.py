"""The real command in a process of its own: run to its end, or serving until told to stop; or a service in this one."""

import importlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import httpx2
import pytest
from mcp.client import stdio
from mcp.client.stdio import StdioServerParameters

from packhorse import cli
from packhorse.http.app import Service

# Settings of whoever runs the tests must not reach the processes under test.
_FOREIGN = ("PACKHORSE_", "MCP_", "JWT_", "LOG_LEVEL", "LOG_FORMAT", "PYTHON")

TRIES = 4500
TRY_SECONDS = 0.02
STOP_SECONDS = 90
LIFE_SECONDS = 240
"""Bounds for waiting: far above what is needed, so that a loaded machine fails nothing."""

stdio.PROCESS_TERMINATION_TIMEOUT = STOP_SECONDS
"""The client's own 2 s may end a server on a loaded machine before it has written the log that a test reads."""


@dataclass(frozen=True)
class Bench:
    """A folder with seeded packs, a configuration and nothing of the user's own."""

    folder: Path

    @property
    def packs(self) -> Path:
        """Where `seeds.install` puts distributions; on the path of every process."""
        return self.folder / "packs"

    @property
    def log(self) -> Path:
        """Standard error of the server last started."""
        return self.folder / "stderr.log"

    def configure(self, text: str = "", **server: Any) -> None:
        """Write packhorse.toml: ``server`` under [server], then ``text``."""
        values = {"data_dir": str(self.folder / "data"), **server}
        lines = ["[server]", *(f"{key} = {json.dumps(value)}" for key, value in values.items()), text]
        (self.folder / "packhorse.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def environment(self, **more: str) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(_FOREIGN)}
        config = self.folder / "packhorse.toml"
        if not config.exists():
            self.configure()
        return {
            **kept,
            "PYTHONPATH": str(self.packs),
            "PACKHORSE_CONFIG": str(config),
            "HOME": str(self.folder),
            **more,
        }

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "packhorse", *arguments]

    def run(
        self, *arguments: str, given: str = "", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            self.command(*arguments),
            input=given,
            capture_output=True,
            text=True,
            env=self.environment(**(env or {})),
            cwd=self.folder,
            timeout=STOP_SECONDS,
        )

    def stdio(self, *names: str, env: Mapping[str, str] | None = None) -> StdioServerParameters:
        """What a client needs to start a server over standard input and output."""
        executable, *arguments = self.command("serve", *names)
        return StdioServerParameters(
            command=executable, args=arguments, env=self.environment(**(env or {})), cwd=self.folder
        )

    @contextmanager
    def started(
        self, *arguments: str, env: Mapping[str, str] | None = None, **popen: Any
    ) -> "Iterator[subprocess.Popen[bytes]]":
        """A running process, whose standard error is the bench's log unless given; killed at the end if it runs."""
        with (
            self.log.open("wb") as log,
            subprocess.Popen(
                self.command(*arguments),
                env=self.environment(**(env or {})),
                cwd=self.folder,
                **{"stderr": log, **popen},
            ) as process,
        ):
            life = threading.Timer(LIFE_SECONDS, process.kill)  # a test that waits for its words must not wait for ever
            life.start()
            try:
                yield process
            finally:
                life.cancel()
                if process.poll() is None:
                    process.kill()

    @contextmanager
    def serving(
        self,
        *names: str,
        transport: str = "http",
        env: Mapping[str, str] | None = None,
        ready: bool = True,
        port: int = 0,
    ) -> "Iterator[Served]":
        """A server on ``port`` (0: a free one), ready or listening; stopped at the end, if the test has not done so."""
        arguments = ("serve", *names, "--transport", transport, "--port", str(port))
        with self.started(*arguments, env=env, stdout=subprocess.DEVNULL) as process:
            served = Served(process, self.log, self._port(process))
            if ready:
                served.wait_until_ready()
            yield served
            if process.poll() is None:
                served.stop()

    def _port(self, process: "subprocess.Popen[bytes]") -> int:
        pause = threading.Event()
        for _ in range(TRIES):
            found = re.search(r"listening on http://\S*:(\d+)", self.log.read_text())
            if found:
                return int(found[1])
            assert process.poll() is None, f"it ended before it listened:\n{self.log.read_text()}"
            pause.wait(TRY_SECONDS)
        raise AssertionError(f"it does not listen:\n{self.log.read_text()}")


@dataclass(frozen=True)
class Served:
    """A running HTTP server."""

    process: "subprocess.Popen[bytes]"
    log: Path
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.address}/mcp"

    def wait_until_ready(self) -> None:
        pause = threading.Event()
        for _ in range(TRIES):
            if httpx2.get(f"{self.address}/readyz").status_code == 200:
                return
            pause.wait(TRY_SECONDS)
        raise AssertionError(f"it is not ready:\n{self.log.read_text()}")

    def tell(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ask it to stop."""
        self.process.send_signal(number)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop, and give its exit status."""
        self.tell(number)
        return self.process.wait(STOP_SECONDS)

    def wait_for_log(self, text: str) -> None:
        wait_for(lambda: text in self.log.read_text(), f"{text!r} in the log")


def wait_for(happened: Any, what: str) -> None:
    """Return once ``happened()`` is true.

    Raises:
        AssertionError: it never was.
    """
    pause = threading.Event()
    for _ in range(TRIES):
        if happened():
            return
        pause.wait(TRY_SECONDS)
    raise AssertionError(f"waited in vain for {what}")


class Ran(NamedTuple):
    """A command as it ended."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Ran]


def in_here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command line on a bench within this process: as in a process of its own, and sooner."""

    def ran(bench: Bench, *arguments: str, given: str = "", **env: str) -> Ran:
        with monkeypatch.context() as patched:
            for name in os.environ:
                patched.delenv(name)
            for name, value in bench.environment(**env).items():
                patched.setenv(name, value)
            patched.setattr(sys, "path", [*os.environ["PYTHONPATH"].split(os.pathsep), *sys.path])
            patched.setattr(sys, "stdin", io.StringIO(given))
            patched.chdir(bench.folder)
            for module in [name for name in sys.modules if name.startswith("seeded_")]:
                patched.delitem(sys.modules, module)
            importlib.invalidate_caches()
            capfd.readouterr()
            status = cli.run(arguments)
            out, err = capfd.readouterr()
            return Ran(status, out, err)

    return ran


@asynccontextmanager
async def begun(service: Service) -> AsyncIterator[None]:
    """The service between its start and its end, as a web server makes them."""
    told, hear = anyio.create_memory_object_stream[dict[str, Any]](2)
    say, heard = anyio.create_memory_object_stream[Any](2)
    async with told, hear, say, heard, anyio.create_task_group() as tasks:
        tasks.start_soon(service.app, {"type": "lifespan", "state": {}}, hear.receive, say.send)
        await told.send({"type": "lifespan.startup"})
        assert (await heard.receive())["type"] == "lifespan.startup.complete"
        yield
        await told.send({"type": "lifespan.shutdown"})
        assert (await heard.receive())["type"] == "lifespan.shutdown.complete"


def troubles(log: str | bytes) -> list[str]:
    """The lines of a log that tell of an error or an exception."""
    text = log.decode() if isinstance(log, bytes) else log
    marks = ("Traceback", '"exception"', '"level":"error"', '"level":"critical"')
    return [line for line in text.splitlines() if any(mark in line for mark in marks)]
