import sys
from pathlib import Path

import pytest
from tests.core.stores.servers import running_postgres

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from stable import place_with, provider_running  # noqa: E402 - found beside this file


@pytest.fixture(scope="session")
def new_database():
    """Makes an empty PostgreSQL database at each call, and gives its address."""
    with running_postgres() as made:
        yield made


@pytest.fixture(scope="session")
def provider():
    """The mock provider's address."""
    with provider_running() as address:
        yield address


@pytest.fixture(scope="session")
def place(tmp_path_factory, provider):
    with place_with(tmp_path_factory.mktemp("stable"), provider, daily_roles=[]) as made:
        yield made
