"""What happens once, and what can be taken back: codes that were used, and refresh tokens.

A refresh token is kept as its SHA-256, and replaced at each use. All tokens
that came from one sign-in are a family: a token that is shown again after it
was replaced was copied, and ends the family (RFC 9700, section 4.14.2).
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from packhorse.contract.clock import Clock, system_clock, utc_text
from packhorse.contract.host import Host
from packhorse.settings import LOGIN_FOLDER, Settings
from packhorse.store.sqlite import Store
from packhorse.store.tickets import digest

MIGRATIONS: Sequence[str] = (
    """
    CREATE TABLE used (id TEXT PRIMARY KEY, until TEXT NOT NULL);
    CREATE TABLE refresh (
      hash TEXT PRIMARY KEY, family TEXT NOT NULL, client TEXT NOT NULL, name TEXT NOT NULL, subject TEXT NOT NULL,
      scopes TEXT NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL, spent INTEGER NOT NULL
    );
    CREATE INDEX refresh_family ON refresh (family);
    CREATE INDEX refresh_subject ON refresh (subject);
    """,
)

_INSERT = (
    "INSERT INTO refresh (hash, family, client, name, subject, scopes, since, until, spent)"
    " VALUES (:hash, :family, :client, :name, :subject, :scopes, :since, :until, 0)"
)


@dataclass(frozen=True, slots=True)
class Grant:
    """That a person let a client act for them: by which client, and since and until when (ISO 8601, UTC).

    ``family`` is the code's own, and that of all tokens that come from it.
    """

    family: str
    client: str
    name: str
    subject: str
    scopes: str
    since: str
    until: str


class Grants:
    """The store of one deployment; each method opens it for itself, in whatever thread it runs."""

    def __init__(self, settings: Settings, clock: Clock = system_clock) -> None:
        self._host = Host(
            LOGIN_FOLDER,
            data_dir=settings.data_dir,
            migrations=MIGRATIONS,
            clock=clock,
            database=settings.server.database_url,
        )

    def first_use(self, text: str, seconds: int) -> bool:
        """Whether what is known by a text, and holds for ``seconds``, is used for the first time; that is noted."""
        with self._host.store() as store, store.tx():
            return self._first_use(store, text, seconds)

    def begin(self, grant: Grant, seconds: int) -> str | None:
        """The first refresh token of a family, whose code holds for ``seconds``; None, and its end, at a second use."""
        with self._host.store() as store, store.tx():
            store.execute("DELETE FROM refresh WHERE until < :now", now=self._now())
            if not self._first_use(store, grant.family, seconds):
                store.execute("DELETE FROM refresh WHERE family = :family", family=grant.family)
                return None
            return self._insert(store, grant)

    def find(self, token: str) -> Grant | None:
        """What a refresh token stands for, replaced or not; None where it holds no more."""
        with self._host.store() as store:
            rows = store.query(
                "SELECT family, client, name, subject, scopes, since, until FROM refresh"
                " WHERE hash = :hash AND until >= :now",
                hash=digest(token),
                now=self._now(),
            )
        return Grant(**rows[0]) if rows else None

    def rotate(self, token: str, grant: Grant) -> str | None:
        """The token that replaces this one; None, and the family's end, where another has replaced it already."""
        with self._host.store() as store, store.tx():
            if not store.execute("UPDATE refresh SET spent = 1 WHERE hash = :hash AND spent = 0", hash=digest(token)):
                store.execute("DELETE FROM refresh WHERE family = :family", family=grant.family)
                return None
            return self._insert(store, grant)

    def end(self, family: str) -> None:
        with self._host.store() as store:
            _delete(store, "family", family)

    def end_token(self, hashed: str) -> None:
        """End what the token with this digest stands for, which nothing renews."""
        with self._host.store() as store:
            store.execute("DELETE FROM refresh WHERE hash = :hash", hash=hashed)

    def end_all_of(self, subject: str) -> int:
        """End every sign-in of a person; how many there were."""
        families = sum(grant.subject == subject for grant in self.present())
        with self._host.store() as store:
            _delete(store, "subject", subject)
        return families

    def present(self) -> list[Grant]:
        with self._host.store() as store:
            rows = store.query(
                "SELECT family, client, name, subject, scopes, since, until FROM refresh"
                " WHERE spent = 0 AND until >= :now ORDER BY subject, since, family",
                now=self._now(),
            )
        return [Grant(**row) for row in rows]

    def _first_use(self, store: Store, text: str, seconds: int) -> bool:
        store.execute("DELETE FROM used WHERE until < :now", now=self._now())
        return bool(
            store.execute(
                "INSERT INTO used (id, until) VALUES (:id, :until) ON CONFLICT (id) DO NOTHING",
                id=digest(text),
                until=self._now(seconds),
            )
        )

    def _insert(self, store: Store, grant: Grant) -> str:
        token = secrets.token_urlsafe(32)
        values = {name: getattr(grant, name) for name in Grant.__slots__}
        store.execute(_INSERT, hash=digest(token), **values)
        return token

    def _now(self, later: float = 0) -> str:
        return text_of(self._host.clock() + timedelta(seconds=later))


def _delete(store: Store, column: Literal["family", "subject"], value: str) -> None:
    """Delete tokens, those too that a renewal at the same time put in the place of one of them."""
    while store.execute(f"DELETE FROM refresh WHERE {column} = :value", value=value):  # noqa: S608 - one of two names
        pass


def text_of(moment: datetime) -> str:
    """An instant as the store has it: two of them compare as the instants do."""
    return utc_text(moment, "seconds")
