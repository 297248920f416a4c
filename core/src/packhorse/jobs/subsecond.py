"""Fractions of a second in the clock of an older SQLite, where DBOS counts on them.

From Python 3.12 on DBOS 3.4 stamps its rows by ``unixepoch('subsec')``. That
modifier came with SQLite 3.42 (its release notes, 2023-05-16); before, the
call gives NULL, and DBOS does not launch. Debian 12 has 3.40.
"""

import sqlite3
import time
from typing import Any

SINCE = (3, 42, 0)


def unixepoch(*given: str) -> float:
    """Unix seconds of now, to the millisecond: what SQLite gives from 3.42 on for ``subsec``.

    Raises:
        ValueError: any other use, which SQLite then reports as an error.
    """
    if given not in (("subsec",), ("now", "subsec")):
        raise ValueError("only unixepoch('subsec') is made up for")
    return time.time_ns() // 1_000_000 / 1000


def make_up_for() -> None:
    """From now on give each SQLite connection of SQLAlchemy the function, where SQLite itself lacks it."""
    if sqlite3.sqlite_version_info >= SINCE:
        return
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    if not event.contains(Engine, "connect", _connected):
        event.listen(Engine, "connect", _connected)


def _connected(connection: Any, record: Any) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.create_function("unixepoch", -1, unixepoch)
