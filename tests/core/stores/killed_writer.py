"""A writer in a process of its own: ``killed_writer.py FILE NAME FIRST``. Says each number once it is committed."""

import sqlite3
import sys
from itertools import count
from pathlib import Path

from packhorse.store.sqlite import Store

MIGRATIONS = (
    """
    CREATE TABLE lines (writer TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (writer, number));
    CREATE TABLE totals (name TEXT PRIMARY KEY, lines INTEGER NOT NULL);
    INSERT INTO totals (name, lines) VALUES ('all', 0);
    """,
)


def main(file: str, name: str, first: str) -> None:
    try:
        with Store.open(Path(file), MIGRATIONS) as store:
            for number in count(int(first)):
                with store.tx():  # reads, decides and writes: what a deferred transaction would fail at
                    (row,) = store.query("SELECT lines FROM totals WHERE name = 'all'")
                    store.execute(
                        "INSERT INTO lines (writer, number) VALUES (:writer, :number)", writer=name, number=number
                    )
                    store.execute("UPDATE totals SET lines = :lines WHERE name = 'all'", lines=row["lines"] + 1)
                sys.stdout.write(f"{number}\n")
                sys.stdout.flush()
    except (sqlite3.Error, Exception) as exc:
        sys.stdout.write(f"{type(exc).__name__}: {exc}\n")
        sys.stdout.flush()
        raise


if __name__ == "__main__":
    main(*sys.argv[1:])
