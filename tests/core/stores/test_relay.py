"""Notices between processes: what is said is heard by the others, and what may have been missed is known."""

import queue
import threading

import pytest
from tests.core.live import wait_for

psycopg = pytest.importorskip("psycopg", reason="packhorse[postgres] is not installed")

from packhorse.store.postgres import POOL_SIZE, pool_of  # noqa: E402
from packhorse.store.relay import CHANNEL, LONGEST_BYTES, Relay  # noqa: E402

pytestmark = pytest.mark.drill

MISSED = object()
SECONDS = 90


class Replica:
    """One process's relay, and what it heard."""

    def __init__(self, url: str) -> None:
        self.heard: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.relay = Relay(url, self.heard.put, lambda: self.heard.put(MISSED))
        self.relay.start()

    def next(self) -> object:
        return self.heard.get(timeout=SECONDS)

    @property
    def is_silent(self) -> bool:
        return self.heard.empty()


@pytest.fixture
def replicas(database):
    made = [Replica(database) for _ in range(3)]
    yield made
    for one in made:
        one.relay.close()


def cut(url: str) -> None:
    """End every relay's connection, as a restart of PostgreSQL would."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'packhorse relay'"
        )


def test_the_others_hear_what_one_says_in_its_order_and_it_does_not_hear_itself(replicas):
    first, *others = replicas
    said = [{"updated": "schedule://current"}, {"changed": "tools"}, ["any", {"JSON": "Grüße 👋"}, None, 1.5]]
    for what in said:
        first.relay.say(what)
    for other in others:
        assert [other.next() for _ in said] == said
    others[0].relay.say("over")
    assert first.next() == "over"
    assert first.is_silent


ENVELOPE_BYTES = len('["0123456789abcdef",""]')


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        pytest.param("x" * (LONGEST_BYTES - ENVELOPE_BYTES), True, id="the longest"),
        pytest.param("x" * (LONGEST_BYTES - ENVELOPE_BYTES + 1), False, id="one more"),
        pytest.param("👋" * 600, True, id="escaped, twelve bytes each"),
        pytest.param("👋" * 700, False, id="escaped, and too many"),
        pytest.param("x" * 1_000_000, False, id="a million"),
    ],
)
def test_what_is_too_long_for_a_notice_is_told_as_missed(replicas, text, fits):
    first, other, _ = replicas
    first.relay.say(text)
    first.relay.say("after")
    assert other.next() == (text if fits else MISSED)
    assert other.next() == "after"


def test_whoever_was_cut_off_knows_that_it_missed_something_and_hears_again(replicas, database):
    first, other, third = replicas
    cut(database)
    assert [one.next() for one in replicas] == [MISSED] * 3
    first.relay.say("again")
    assert (other.next(), third.next()) == ("again", "again")


def test_what_could_not_be_said_is_made_up_for(replicas, database):
    first, other, _ = replicas
    pool = pool_of(database)
    taken = [pool.getconn() for _ in range(POOL_SIZE)]
    try:
        first.relay.say("lost")
    finally:
        for connection in taken:
            pool.putconn(connection)
    assert other.next() is MISSED
    first.relay.say("heard")
    assert other.next() == "heard"


def test_a_notice_of_somebody_else_is_passed_over(replicas, database):
    with psycopg.connect(database, autocommit=True) as connection:
        for payload in ("", "no JSON", "[]", "{}", '["a", "b", "c"]', "1", "[" * LONGEST_BYTES):
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
    first, other, _ = replicas
    first.relay.say("ours")
    assert other.next() == "ours"


def test_without_a_server_it_starts_and_stops_and_nobody_waits_for_it():
    alone = Replica("postgresql://nobody@127.0.0.1:1/none")
    alone.relay.say("nobody hears")
    alone.relay.close()
    assert alone.is_silent
    wait_for(lambda: "relay" not in {thread.name for thread in threading.enumerate()}, "its thread to end")
