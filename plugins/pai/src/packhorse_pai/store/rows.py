"""Reading and writing rows: each call is one transaction on its own connection, so any thread may make it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from packhorse import Host

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store  # loads the database library, which most starts do without


class Rows:
    """The pack's store. Instants are given as they are, and kept as texts whose order is that of time."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @contextmanager
    def opened(self) -> "Iterator[Store]":
        """The store, for several statements."""
        with self._host.store() as store:
            yield store

    def rows(self, sql: str, **given: Any) -> list[dict[str, Any]]:
        """What a query finds."""
        with self.opened() as store:
            return store.query(sql, **plain(given))

    def row(self, sql: str, **given: Any) -> dict[str, Any] | None:
        """The first row that a query finds."""
        return next(iter(self.rows(sql, **given)), None)

    def change(self, sql: str, **given: Any) -> int:
        """How many rows a statement changed."""
        with self.opened() as store:
            return store.execute(sql, **plain(given))

    def add(self, table: str, row: Mapping[str, Any]) -> None:
        """Put a new row into a table."""
        self.change(insertion(table, row), **row)


def insertion(table: str, row: Mapping[str, Any]) -> str:
    """The statement that inserts a row; names of tables and columns are ours."""
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(f':{name}' for name in row)})"  # noqa: S608


def plain(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values as a store takes them."""
    return {name: text_of(value) if isinstance(value, datetime) else value for name, value in given.items()}


def text_of(at: datetime) -> str:
    """Always with microseconds, so that the order of texts is that of instants."""
    return at.isoformat(timespec="microseconds")
