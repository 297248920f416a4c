"""A file of SQLite in the mode in which it is read while it is written."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


def write_ahead(connection: sqlite3.Connection, wait_seconds: float) -> None:
    """Put the file into WAL mode, which is written in it, unless it is.

    Two processes that do so at once get "locked" without any wait for one another, because the change of mode does not
    heed the busy timeout of SQLite: here it waits as long.

    Raises:
        sqlite3.Error: the mode cannot be changed.
    """
    import sqlite3
    import threading

    give_up = time.monotonic() + wait_seconds
    pause = threading.Event()
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as exc:
            if exc.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            pause.wait(0.01)
        else:
            return
