"""A deployment served over a real socket in this process, with callers who sign in as the specification has it."""

import threading
import time
from contextlib import contextmanager

import jwt
import uvicorn

from packhorse.compose.deployment import compose
from packhorse.door.catalogue import Found
from packhorse.http.app import Service
from packhorse.settings import PackTable, ServerSettings, Settings
from packhorse.settings.security import AuthSettings
from packhorse_scheduling import pack
from wire import NOW

SECRET = "a secret of the tests, and longer than 32 bytes"
ROOM = 64 * 1024 * 1024
START_SECONDS = 120


def deployed(folder, *, clock=NOW, own=None, signed=True):
    """The pack alone, for callers with tokens."""
    settings = Settings(
        server=ServerSettings(data_dir=folder, strict=True, answer_limit_bytes=ROOM, metrics=False),
        auth=AuthSettings(secret=SECRET) if signed else AuthSettings(),
        packs={"scheduling": PackTable(own=own)} if own else {},
    )
    found = [Found("scheduling", pack.__name__, "under-test", "0")]
    return compose(settings, found, modules={"scheduling": pack}, clock=clock)


def token(role, sub="somebody", *, secret=SECRET, seconds=1800, at=None):
    """The specification's own token."""
    now = int((at or NOW()).timestamp())
    claims = {"sub": sub, "email": f"{sub}@hospital.example", "role": role, "iat": now, "exp": now + seconds}
    return jwt.encode({key: value for key, value in claims.items() if value is not None}, secret, "HS256")


def bearing(role, sub="somebody", **changed):
    """The header of a caller."""
    return {"Authorization": f"Bearer {token(role, sub, **changed)}"}


@contextmanager
def serving(deployment):
    """Its address, while it runs; the protocol at /mcp, and what also answers plain HTTP."""
    with deployment.running():
        config = uvicorn.Config(Service(deployment).app, host="127.0.0.1", port=0, log_config=None, access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{_port(server, thread)}"
        finally:
            server.should_exit = True
            thread.join(START_SECONDS)


def _port(server, thread):
    give_up = time.monotonic() + START_SECONDS
    pause = threading.Event()
    while not server.started:
        assert thread.is_alive(), "the server ended before it listened"
        assert time.monotonic() < give_up, "the server does not listen"
        pause.wait(0.01)
    return server.servers[0].sockets[0].getsockname()[1]
