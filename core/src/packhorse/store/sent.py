"""What was sent to sessions, in the database of all replicas: a client that lost its stream may come back to any."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from packhorse.store.postgres import PostgresStore, pool_of

SCHEMA = "packhorse_sent"

MIGRATIONS = (
    """
    CREATE TABLE messages (
        number BIGSERIAL PRIMARY KEY,
        session TEXT NOT NULL,
        owner TEXT NOT NULL,
        stream TEXT NOT NULL,
        message TEXT
    );
    CREATE INDEX messages_by_session ON messages (session, stream, number);
    """,
)

FORGET_EVERY = 100
"""Messages of this process between two looks for those to be forgotten."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One message: its number, which is its event id, and its JSON; None for one that only primed a stream."""

    number: int
    message: str | None


class SentMessages:
    """The last ``size`` messages of all replicas taken together. Its methods wait: call them from a thread."""

    def __init__(self, url: str, size: int) -> None:
        self._url = url
        self._size = size
        self._until_forgetting = FORGET_EVERY
        self._lock = threading.Lock()

    def open(self) -> None:
        """Make the table, where it is not there yet.

        Raises:
            PackError: the database cannot be reached, or is of a newer version.
        """
        PostgresStore.connect(self._url, SCHEMA, MIGRATIONS).close()

    def keep(self, session: str, owner: str, stream: str, message: str | None) -> int:
        """Keep one message; its number. ``owner`` may read it again."""
        # Not through the store: its writers take turns, and the sessions of two replicas need not.
        with pool_of(self._url).connection() as connection:
            row = connection.execute(
                "INSERT INTO packhorse_sent.messages (session, owner, stream, message) VALUES (%s, %s, %s, %s)"
                " RETURNING number",
                (session, owner, stream, message),
            ).fetchone()
            number = int(row["number"]) if row else 0
            if self._is_time_to_forget():
                connection.execute("DELETE FROM packhorse_sent.messages WHERE number <= %s", (number - self._size,))
            return number

    def after(self, number: int, session: str, owner: str) -> tuple[str, list[Sent]] | None:
        """The stream of a message, and what followed on it; None where this owner's session was sent no such one."""
        with pool_of(self._url).connection() as connection:
            last = connection.execute(
                "SELECT stream FROM packhorse_sent.messages WHERE number = %s AND session = %s AND owner = %s",
                (number, session, owner),
            ).fetchone()
            if last is None:
                return None
            later = connection.execute(
                "SELECT number, message FROM packhorse_sent.messages"
                " WHERE session = %s AND stream = %s AND number > %s ORDER BY number",
                (session, last["stream"], number),
            ).fetchall()
            return last["stream"], [Sent(row["number"], row["message"]) for row in later]

    def forget(self, session: str) -> None:
        """Forget a session that was ended."""
        with pool_of(self._url).connection() as connection:
            connection.execute("DELETE FROM packhorse_sent.messages WHERE session = %s", (session,))

    def _is_time_to_forget(self) -> bool:
        with self._lock:
            self._until_forgetting -= 1
            if self._until_forgetting:
                return False
            self._until_forgetting = FORGET_EVERY
            return True
