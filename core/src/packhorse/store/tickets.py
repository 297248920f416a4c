"""Secrets that stand for something, until a time or until they are used up: links that open once, sessions.

Only the SHA-256 of a secret is kept, so that who reads the store can use none.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store

TABLE = "CREATE TABLE tickets (hash TEXT PRIMARY KEY, about TEXT NOT NULL, until TEXT NOT NULL, spent INTEGER NOT NULL)"
"""The migration that a store needs."""

BYTES = 32
"""Of a secret, at random."""


class Tickets:
    """Those in one store. ``clock`` gives the present instant, in UTC."""

    def __init__(self, open_store: Callable[[], AbstractContextManager[Store]], clock: Callable[[], datetime]) -> None:
        self._open = open_store
        self._clock = clock

    def issue(self, about: str, holds: timedelta) -> str:
        """A new secret that stands for ``about``; those that have run out are forgotten."""
        secret = secrets.token_urlsafe(BYTES)
        now = self._clock()
        with self._open() as store:
            store.execute("DELETE FROM tickets WHERE until <= :now", now=_text(now))
            store.execute(
                "INSERT INTO tickets (hash, about, until, spent) VALUES (:hash, :about, :until, 0)",
                hash=digest(secret),
                about=about,
                until=_text(now + holds),
            )
        return secret

    def about(self, secret: str) -> str | None:
        """What a secret stands for, while it holds; looking spends nothing."""
        with self._open() as store:
            rows = store.query(
                "SELECT about FROM tickets WHERE hash = :hash AND spent = 0 AND until > :now",
                hash=digest(secret),
                now=_text(self._clock()),
            )
        return str(rows[0]["about"]) if rows else None

    def spend(self, secret: str) -> str | None:
        """What a secret stood for, which is used up: to exactly one caller."""
        with self._open() as store:
            rows = store.query(
                "UPDATE tickets SET spent = 1 WHERE hash = :hash AND spent = 0 AND until > :now RETURNING about",
                hash=digest(secret),
                now=_text(self._clock()),
            )
        return str(rows[0]["about"]) if rows else None

    def end(self, hashed: str) -> None:
        with self._open() as store:
            store.execute("UPDATE tickets SET spent = 1 WHERE hash = :hash", hash=hashed)


def digest(secret: str) -> str:
    """The SHA-256 of a secret, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _text(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="microseconds")
