"""A file that several processes open for the first time at once."""

import sqlite3

from packhorse.store.write_ahead import write_ahead


def test_a_change_of_mode_that_found_the_file_locked_is_tried_again(tmp_path):
    reader = sqlite3.connect(tmp_path / "a.sqlite3", isolation_level=None)
    reader.execute("CREATE TABLE a (b)")
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM a").fetchall()
    refused = []

    class Writer(sqlite3.Connection):
        def execute(self, *words):
            try:
                return super().execute(*words)
            except sqlite3.OperationalError as exc:
                refused.append(exc.sqlite_errorcode)
                reader.execute("ROLLBACK")
                raise

    writer = sqlite3.connect(tmp_path / "a.sqlite3", timeout=0, factory=Writer)
    write_ahead(writer, 30)

    assert refused == [sqlite3.SQLITE_BUSY]
    assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    writer.close()
    reader.close()
