"""Secrets that stand for something: until a time, or until one caller has used them up."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from packhorse.store.sqlite import Store
from packhorse.store.tickets import TABLE, Tickets, digest


class Time:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self):
        return self.now


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def tickets(tmp_path, time):
    return Tickets(lambda: Store.open(tmp_path / "store.sqlite3", (TABLE,)), time)


def test_a_secret_stands_for_one_thing_until_its_time(tickets, time):
    secret = tickets.issue("a run", timedelta(minutes=10))
    time.now += timedelta(minutes=9)
    assert [tickets.about(secret), tickets.about("another")] == ["a run", None]
    time.now += timedelta(minutes=1)
    assert [tickets.about(secret), tickets.spend(secret)] == [None, None]


def test_of_many_who_use_it_at_once_one_succeeds(tickets):
    secret = tickets.issue("a run", timedelta(minutes=10))
    with ThreadPoolExecutor(8) as threads:
        used = list(threads.map(lambda _: tickets.spend(secret), range(8)))
    assert sorted(used, key=str) == [None] * 7 + ["a run"]
    assert tickets.about(secret) is None


def test_one_that_is_ended_holds_no_more(tickets):
    secret = tickets.issue("a session", timedelta(hours=1))
    tickets.end(digest(secret))
    assert tickets.about(secret) is None


def test_those_that_have_run_out_are_forgotten(tickets, tmp_path, time):
    tickets.issue("old", timedelta(minutes=1))
    time.now += timedelta(minutes=2)
    tickets.issue("new", timedelta(minutes=1))
    with Store.open(tmp_path / "store.sqlite3", (TABLE,)) as store:
        assert [row["about"] for row in store.query("SELECT about FROM tickets")] == ["new"]
