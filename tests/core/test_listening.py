"""The sockets that the web server listens on."""

import errno
import socket
from typing import Any

import pytest

from packhorse.http.listening import PAUSE_SECONDS, bound, said_of
from packhorse.settings import ServerSettings, Settings


def test_what_is_accepted_is_known_to_be_tcp_so_that_asyncio_sends_small_answers_at_once():
    (listener,) = bound("127.0.0.1", 0)
    with listener:
        listener.listen()
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            assert accepted.proto == socket.IPPROTO_TCP


def test_without_a_file_for_a_connection_it_says_so_and_pauses(monkeypatch):
    tried: list[float] = []
    now = 1_000.0

    def accept(self: Any) -> Any:
        tried.append(now)
        raise OSError(errno.EMFILE, "Too many open files")

    full: list[float] = []
    monkeypatch.setattr(socket.socket, "accept", accept)
    monkeypatch.setattr("packhorse.http.listening.time.monotonic", lambda: now)
    (listener,) = bound("127.0.0.1", 0)
    with listener:
        listener.full = lambda: full.append(now)
        with pytest.raises(OSError, match="Too many open files"):
            listener.accept()
        for _ in range(100):
            with pytest.raises(BlockingIOError):
                listener.accept()
        now += PAUSE_SECONDS
        with pytest.raises(OSError, match="Too many open files"):
            listener.accept()

    assert tried == full == [1_000.0, 1_000.0 + PAUSE_SECONDS]


@pytest.mark.parametrize(
    ("server", "there"),
    [
        ({}, "(clients: {0}/mcp, console: {0}/console)"),
        ({"paths": ("/tools", "/mcp"), "console": False}, "(clients: {0}/tools)"),
        ({"without": ("console",)}, "(clients: {0}/mcp)"),
        ({"transport": "sse"}, "(clients: {0}/sse, console: {0}/console)"),
    ],
)
def test_who_starts_a_server_reads_what_is_there_for_clients_and_for_people(server, there):
    (listener,) = bound("127.0.0.1", 0)
    with listener:
        said = said_of(listener, Settings(server=ServerSettings(**{"transport": "http", **server})))
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"

    assert said == f"listening on {origin} {there.format(origin)}"
