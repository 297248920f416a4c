import pytest
from tests.core.stores.servers import running_postgres


@pytest.fixture(scope="session")
def new_database():
    """Makes an empty PostgreSQL database at each call, and gives its address."""
    with running_postgres() as made:
        yield made


@pytest.fixture(scope="session")
def database(new_database):
    """One PostgreSQL database; `servers.emptied` takes out what a test before has left."""
    return str(new_database())
