import tempfile
from pathlib import Path

import pytest
from tests.core.rates.conftest import running_redis
from tests.core.stores.servers import running_postgres


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def new_database():
    """Makes an empty PostgreSQL database at each call, and gives its address."""
    with running_postgres() as made:
        yield made


@pytest.fixture(scope="module")
def database(new_database):
    return str(new_database())


@pytest.fixture(scope="module")
def redis_url():
    # Not below pytest's own folder: the name of a socket has at most 108 characters.
    with tempfile.TemporaryDirectory(prefix="packhorse-") as folder, running_redis(Path(folder)) as url:
        yield url
