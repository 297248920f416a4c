"""A host of mounts and of nothing else, and its client."""

import os
from pathlib import Path

import anyio

from packhorse.compose.deployment import compose
from packhorse.contract.principal import LOCAL
from packhorse.settings import ServerSettings, Settings
from packhorse.testing import connected

UPSTREAM = Path(__file__).parent / "upstream.py"


def deployment_of(tmp_path, server=None, **settings):
    """The mounts and nothing else."""
    return compose(Settings(server=ServerSettings(data_dir=tmp_path / "data", **(server or {})), **settings), [])


def folder_of(tmp_path):
    """Where what was accepted is kept."""
    return tmp_path / "data" / "packhorse-mounts"


def client(tmp_path, principal=LOCAL, options=None, **settings):
    """A client of that host; ``options`` are the client's own."""
    return connected(deployment_of(tmp_path, **settings), principal=principal, **(options or {}))


async def received(pipe):
    """The first words that another process writes into a named pipe."""
    reads = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with anyio.fail_after(20):
        await anyio.wait_readable(reads)
    text = os.read(reads, 4096).decode()
    os.close(reads)
    return text


def code_of(reply):
    assert reply.is_error, reply
    return reply.meta["packhorse/error"]["code"]
