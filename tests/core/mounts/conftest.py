"""A server of somebody else, mounted by the command, over pipes or over HTTP."""

import asyncio
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner
from tests.core.mounts.hosting import UPSTREAM, folder_of

from packhorse.mounts import accepted, listing
from packhorse.mounts.accepted import Mount
from packhorse.mounts.commands import mount


@pytest.fixture
def words(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("Say it again.")
    return file


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a command of ``packhorse mount``, or another, on this test's data folder."""
    config = tmp_path / "packhorse.toml"
    config.write_text(f'[server]\ndata_dir = "{tmp_path / "data"}"\n')
    monkeypatch.setenv("PACKHORSE_CONFIG", str(config))

    def run(*arguments, command=mount, **env):
        with ThreadPoolExecutor(1) as apart:  # it runs a loop of its own
            return apart.submit(CliRunner().invoke, command, arguments, standalone_mode=False, env=env).result()

    return run


@pytest.fixture(scope="session")
def asked(tmp_path_factory):
    """The server over pipes, as ``mount add`` wrote it down."""
    folder = tmp_path_factory.mktemp("asked")
    words = folder / "words.txt"
    words.write_text("Say it again.")
    made = Mount(command=(sys.executable, str(UPSTREAM), str(words), "stdio"), prefix="up_")
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, listing.asked(folder, "up", made)).result()


@pytest.fixture
def added(asked, tmp_path, words):
    """Mounts the server over pipes under the name ``up``, with what is given changed."""

    def add(*kind, **changes):
        command = (sys.executable, str(UPSTREAM), str(words), "stdio", *kind)
        accepted.save(folder_of(tmp_path), "up", asked.model_copy(update={"command": command, **changes}))

    return add


@pytest.fixture
def serving(words):
    """Starts the server over HTTP; gives its address, the process and the port."""
    running = []

    def start(port=0, *kind):
        # The system keeps what comes to a socket that listens until the server takes it: nothing to wait for.
        with socket.create_server(("127.0.0.1", port), reuse_port=False) as listening:
            process = subprocess.Popen(
                [sys.executable, str(UPSTREAM), str(words), "http", *kind],
                stdin=listening,
                stderr=subprocess.DEVNULL,
            )
            running.append(process)
            port = listening.getsockname()[1]
        return f"http://127.0.0.1:{port}/mcp", process, port

    yield start
    for process in running:
        process.kill()
        process.wait()
