"""A pack's store on PostgreSQL: the same contract as on SQLite, each pack in a schema of its own.

Writers of one pack take turns, as they do on SQLite: a transaction that may
write first takes the schema's advisory lock. Packs that read, decide and write
are thus right on both, and replicas of one pack cannot overwrite each other.
Errors are those of ``sqlite3``, so that a pack catches one kind.
"""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql as composed
from psycopg.adapt import Dumper, Loader
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from packhorse.errors import PackError
from packhorse.store.dialect import with_parameters, with_types, writes
from packhorse.store.sqlite import BUSY_SECONDS, Store

if TYPE_CHECKING:
    from psycopg.abc import Buffer

POOL_SIZE = 10
"""Connections that one process keeps at most, all packs together. PostgreSQL's own default allows 100 in all."""

CONNECT_SECONDS = 10
"""How long opening a store waits for a connection."""

_LOCKS = 0x7061636B
"""The first half of every advisory lock here ("pack"), so that other users of the database keep theirs."""

_pools: dict[str, ConnectionPool[psycopg.Connection[dict[str, Any]]]] = {}
_pools_lock = threading.Lock()


class PostgresStore(Store):
    """One open store. It belongs to the thread that opened it; close it when done."""

    def __init__(self, url: str, schema: str) -> None:
        self._schema = schema
        self._thread = threading.get_ident()
        self._depth = 0
        try:
            self._pool = pool_of(url)
            self._taken: psycopg.Connection[dict[str, Any]] | None = self._pool.getconn(CONNECT_SECONDS)
        except (psycopg.Error, PoolTimeout) as exc:
            # Neither the address nor the driver's words: either may hold the password.
            raise PackError(
                f"{schema}: cannot connect to PostgreSQL ({type(exc).__name__}); check that the server"
                " given in `database` is running, and that this account may log in"
            ) from None

    @classmethod
    def connect(cls, url: str, schema: str, migrations: Sequence[str] = ()) -> PostgresStore:
        """Open the store of ``schema`` in the database at ``url``, creating and migrating it as needed.

        Raises:
            PackError: it was written by a newer version, or the database cannot be reached.
        """
        store = cls(url, schema)
        try:
            store._prepare(migrations)
        except psycopg.Error as exc:
            store.close()
            raise PackError(f"{schema}: the PostgreSQL store cannot be opened ({_words(exc)})") from exc
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def check(cls, url: str) -> None:
        """Connect once.

        Raises:
            PackError: the database cannot be reached.
        """
        cls(url, "replicas").close()

    def query(self, sql: str, **parameters: Any) -> list[dict[str, Any]]:
        if self._depth or not writes(sql):
            return self._rows(sql, parameters)
        with self.tx():
            return self._rows(sql, parameters)

    def execute(self, sql: str, **parameters: Any) -> int:
        with self.tx():
            return self._run(sql, parameters).rowcount

    @contextmanager
    def tx(self) -> Iterator[None]:
        connection = self._connection_here()
        try:
            with connection.transaction():
                if not self._depth:
                    self._lock()
                self._depth += 1
                try:
                    yield
                finally:
                    self._depth -= 1
        except psycopg.Error as exc:
            raise _as_sqlite(exc) from exc  # of the commit: deferred constraints are checked there

    def close(self) -> None:
        taken, self._taken = self._taken, None
        if taken is not None:
            self._pool.putconn(taken)

    def insert_many(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows by the quickest way there is; inside `tx`."""
        statement = composed.SQL("COPY {} ({}) FROM STDIN").format(
            composed.Identifier(table), composed.SQL(", ").join(composed.Identifier(column) for column in columns)
        )
        try:
            with self._connection_here().cursor().copy(statement) as into:
                for row in rows:
                    into.write_row(row)
        except psycopg.Error as exc:
            raise _as_sqlite(exc) from exc

    def stream(self, sql: str, batch: int) -> Iterator[list[dict[str, Any]]]:
        """The rows of a SELECT, ``batch`` at a time, without holding them all; inside `tx`."""
        with self._connection_here().cursor("packhorse_stream") as cursor:
            cursor.execute(with_parameters(sql))
            while rows := cursor.fetchmany(batch):
                yield rows

    def _connection_here(self) -> psycopg.Connection[dict[str, Any]]:
        if self._taken is None:
            raise sqlite3.ProgrammingError("Cannot operate on a closed store.")
        if threading.get_ident() != self._thread:
            raise sqlite3.ProgrammingError("A store belongs to the thread that opened it; open one in this thread.")
        return self._taken

    def _run(self, sql: str, parameters: Mapping[str, Any]) -> psycopg.Cursor[dict[str, Any]]:
        connection = self._connection_here()
        try:
            return connection.execute(with_parameters(sql), parameters)
        except psycopg.Error as exc:
            raise _as_sqlite(exc) from exc

    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        cursor = self._run(sql, parameters)
        if cursor.description is None:
            raise ValueError("query() is for statements that give rows; use execute() for this one")
        return cursor.fetchall()

    def _lock(self) -> None:
        self._connection_here().execute("SELECT pg_advisory_xact_lock(%s, %s)", self._key())

    def _key(self) -> tuple[int, int]:
        return _LOCKS, zlib.crc32(self._schema.encode()) - 2**31

    def _prepare(self, migrations: Sequence[str]) -> None:
        connection = self._connection_here()
        name = composed.Identifier(self._schema)
        connection.execute(composed.SQL("SET search_path TO {}").format(name))
        if self._done(migrations) == len(migrations) and migrations:
            return
        with self._migrating(), connection.transaction():
            connection.execute(composed.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(name))
            connection.execute("CREATE TABLE IF NOT EXISTS packhorse_migrations (number BIGINT PRIMARY KEY)")
            # Asked again inside the lock: another replica may have been first.
            done = self._done(migrations)
            for number, script in enumerate(migrations[done:], start=done + 1):
                try:
                    connection.execute(with_types(script))
                    connection.execute("INSERT INTO packhorse_migrations (number) VALUES (%s)", (number,))
                except psycopg.Error as exc:
                    raise PackError(
                        f"{self._schema}: migration {number} failed ({_words(exc)}); nothing was changed"
                    ) from exc

    @contextmanager
    def _migrating(self) -> Iterator[None]:
        """The schema's lock, taken before the transaction begins: one begun earlier would not see what others made."""
        connection, key = self._connection_here(), self._key()
        connection.execute("SELECT pg_advisory_lock(%s, %s)", key)
        try:
            yield
        finally:
            connection.execute("SELECT pg_advisory_unlock(%s, %s)", key)

    def _done(self, migrations: Sequence[str]) -> int:
        connection = self._connection_here()
        known = connection.execute(
            "SELECT to_regclass(%s) IS NOT NULL AS there", (f'"{self._schema}".packhorse_migrations',)
        ).fetchone()
        if not known or not known["there"]:
            return 0
        found = connection.execute("SELECT COALESCE(MAX(number), 0) AS done FROM packhorse_migrations").fetchone()
        done = int(found["done"]) if found else 0
        if done > len(migrations):
            raise PackError(
                f"{self._schema} was written by a newer version ({done} migrations; the installed one has"
                f" {len(migrations)}): install the newer version again, or restore a backup"
            )
        return done


def schema_of(pack: str) -> str:
    """The schema that a pack's store has: its name, with what an unquoted name may not have replaced."""
    return "pack_" + pack.replace("-", "_").replace(".", "_")


def pool_of(url: str) -> ConnectionPool[psycopg.Connection[dict[str, Any]]]:
    """The process's pool for one database, opened when first asked for."""
    with _pools_lock:
        pool = _pools.get(url)
        if pool is None:
            pool = _pools[url] = ConnectionPool(
                url,
                connection_class=psycopg.Connection[dict[str, Any]],
                kwargs={"autocommit": True, "row_factory": dict_row, "application_name": "packhorse"},
                min_size=0,
                max_size=POOL_SIZE,
                configure=_configure,
                check=ConnectionPool.check_connection,
                name="packhorse",
                open=True,
            )
        return pool


def close_pools() -> None:
    """Close every pool, when the process stops serving."""
    with _pools_lock:
        pools = list(_pools.values())
        _pools.clear()
    for pool in pools:
        pool.close()


def _configure(connection: psycopg.Connection[dict[str, Any]]) -> None:
    connection.execute(f"SET lock_timeout = '{BUSY_SECONDS}s'")
    # SQLite has neither truth values nor exact decimals: what it gives as numbers comes as numbers here too.
    connection.adapters.register_loader("bool", _Truth)
    connection.adapters.register_loader("numeric", _Number)
    connection.adapters.register_dumper(bool, _TruthDumper)


class _Truth(Loader):
    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


class _Number(Loader):
    def load(self, data: Buffer) -> int | float:
        number = Decimal(bytes(data).decode())
        return int(number) if number == number.to_integral_value() else float(number)


class _TruthDumper(Dumper):
    oid = psycopg.adapters.types["int8"].oid

    def dump(self, obj: bool) -> bytes:
        return b"1" if obj else b"0"


def _as_sqlite(exc: psycopg.Error) -> sqlite3.Error:
    """The driver's error as the one that SQLite's would raise for the same fault."""
    kind = sqlite3.IntegrityError if isinstance(exc, psycopg.IntegrityError) else sqlite3.OperationalError
    return kind(_words(exc))


def _words(exc: psycopg.Error) -> str:
    """What went wrong, without values: PostgreSQL keeps those in the detail."""
    return exc.diag.message_primary or type(exc).__name__
