"""The server under test: ``packhorse serve conformance`` on a free port, as a deployer would start it."""

import json
import os
import random
import socket
import subprocess
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

_START_SECONDS = 120
_POLL_SECONDS = 0.1
_STOP_SECONDS = 10

# Settings of whoever runs this must not leak into the server under test.
_FOREIGN = ("PACKHORSE_", "MCP_", "JWT_", "LOG_LEVEL", "LOG_FORMAT")


class ServerError(Exception):
    """The server did not come up. The message says how far it got."""


@contextmanager
def served(work: Path) -> Iterator[str]:
    """The address of the MCP endpoint of a running server, which is stopped afterwards.

    Its log is ``server.log`` in ``work``.

    Raises:
        ServerError: it ended, or was not ready in time.
    """
    work.mkdir(parents=True, exist_ok=True)
    config = work / "packhorse.toml"
    settings = {"name": "conformance", "strict": True, "data_dir": str(work / "data")}
    lines = ["[server]", *(f"{key} = {json.dumps(value)}" for key, value in settings.items())]
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(_FOREIGN)}
    environment |= {"PACKHORSE_CONFIG": str(config)}
    port = _free_port()
    command = [
        str(Path(sysconfig.get_path("scripts")) / "packhorse"),
        *("serve", "conformance", "--transport", "http", "--host", "127.0.0.1", "--port", str(port)),
    ]
    log = work / "server.log"
    with log.open("w", encoding="utf-8") as out:
        try:
            process = subprocess.Popen(command, env=environment, cwd=work, stdout=out, stderr=out)
        except OSError as exc:
            raise ServerError(f"packhorse could not be started ({exc}): install it into this environment.") from exc
        try:
            wait_until_ready(process, f"http://127.0.0.1:{port}/readyz", log)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    """Below the ports that Linux gives out of itself: one of those may be somebody's before the server asks for it."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_until_ready(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    """Return once ``url`` answers with success.

    Raises:
        ServerError: the process ended first, or a minute went by.
    """
    said = "nothing"
    for _ in range(int(_START_SECONDS / _POLL_SECONDS)):
        try:
            with urlopen(url, timeout=_START_SECONDS):
                return
        except (URLError, OSError) as exc:
            said = str(exc)
        try:
            code = process.wait(_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        raise ServerError(f"The server ended with code {code} before it was ready:\n{tail(log)}")
    raise ServerError(f"The server was not ready after {_START_SECONDS} seconds ({said}):\n{tail(log)}")


def tail(log: Path, lines: int = 40) -> str:
    """The last lines of a log."""
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
