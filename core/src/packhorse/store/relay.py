"""Notices from one replica to the others, by the LISTEN and NOTIFY of the PostgreSQL that they share.

PostgreSQL keeps no notice for who is not connected, and carries at most 8000
bytes (its manual, NOTIFY). A listener that may have missed some hears so instead of
knowing what: it then takes everything for changed, which is right whatever
it missed.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql as composed
from psycopg_pool import PoolTimeout

from packhorse.store.postgres import pool_of

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = logging.getLogger("packhorse.relay")

CHANNEL = "packhorse"

LONGEST_BYTES = 7_999
"""PostgreSQL takes a payload that is shorter than 8000 bytes (its manual, NOTIFY)."""

TICK_SECONDS = 0.5
"""How often the listener looks whether it is to stop, or has something to make up for."""

QUIET_TICKS = 20
"""After so many ticks without a notice, PostgreSQL is asked whether it is still there."""

PATIENCE_SECONDS = 5
"""Seconds that a sender waits for a connection."""

LONGEST_PAUSE_SECONDS = 5.0
"""Between two attempts to connect again."""

_ALIVE: Mapping[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""A connection that was cut without a word is noticed in about 15 seconds (libpq's manual, connection parameters)."""

_EVERYTHING = "*"

Heard = Callable[[Any], None]
"""Takes what another replica sent: any JSON value."""


class Relay:
    """This process's place among the replicas. ``heard`` and ``missed`` are called in a thread of the relay's own.

    What is sent here does not arrive here.
    """

    def __init__(self, url: str, heard: Heard, missed: Callable[[], None]) -> None:
        self._url = url
        self._heard = heard
        self._missed = missed
        self._me = secrets.token_hex(8)
        self._listening = threading.Event()
        self._stopping = threading.Event()
        self._unsent = False  # whether something could not be sent, so that the others must look again
        self._thread = threading.Thread(target=self._listen, name="relay", daemon=True)

    def start(self) -> None:
        """Begin to listen, and return once it does, or once it is known that it cannot at present."""
        self._thread.start()
        self._listening.wait(PATIENCE_SECONDS)

    def say(self, what: Any) -> None:
        """Tell the other replicas: committed on return, unless PostgreSQL is away.

        In that case they hear later that they missed something. It may
        wait: call it from a thread.
        """
        if not self._listening.is_set():  # nobody waits for a server that is known to be away
            self._unsent = True
            return
        try:
            with pool_of(self._url).connection(PATIENCE_SECONDS) as connection:
                self._notify(connection, self._payload(what))
        except (psycopg.Error, PoolTimeout) as exc:
            logger.warning("the other replicas could not be notified (%s); they will be", type(exc).__name__)
            self._unsent = True

    def close(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _payload(self, what: Any) -> str:
        payload = json.dumps([self._me, what], separators=(",", ":"))
        return payload if len(payload.encode()) <= LONGEST_BYTES else json.dumps([self._me, _EVERYTHING])

    def _notify(self, connection: psycopg.Connection[Any], payload: str) -> None:
        connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))

    def _listen(self) -> None:
        pause, connected_before = TICK_SECONDS, False
        while not self._stopping.is_set():
            try:
                with psycopg.connect(
                    self._url, autocommit=True, application_name="packhorse relay", **_ALIVE
                ) as connection:
                    connection.execute(composed.SQL("LISTEN {}").format(composed.Identifier(CHANNEL)))
                    self._listening.set()
                    if connected_before:
                        logger.warning("the other replicas can be heard again")
                        self._missed()
                    pause, connected_before = TICK_SECONDS, True
                    self._attend(connection)
            except psycopg.Error as exc:
                # Not the driver's own words: they may hold the address, and with it a password.
                logger.warning("the other replicas cannot be heard (%s); trying again", type(exc).__name__)
                connected_before = True  # what was sent until we are back is lost, the first time too
            finally:
                self._listening.clear()
            self._stopping.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    def _attend(self, connection: psycopg.Connection[Any]) -> None:
        quiet = 0
        while not self._stopping.is_set():
            quiet += 1
            for notice in connection.notifies(timeout=TICK_SECONDS, stop_after=1):
                quiet = 0
                self._take(notice.payload)
            if self._unsent:
                self._unsent = False
                try:
                    self._notify(connection, json.dumps([self._me, _EVERYTHING]))
                except psycopg.Error:
                    self._unsent = True
                    raise
            elif quiet >= QUIET_TICKS:
                quiet = 0
                connection.execute("SELECT 1")

    def _take(self, payload: str) -> None:
        with suppress(ValueError, TypeError, RecursionError):  # somebody else's, on a channel that has our name
            said_by, what = json.loads(payload)
            if said_by == self._me:
                return
            if what == _EVERYTHING:
                self._missed()
            else:
                self._heard(what)
