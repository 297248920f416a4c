"""What sessions were sent: found again by its owner in any process, and forgotten in time."""

import pytest
from tests.core.stores.servers import emptied

pytest.importorskip("psycopg", reason="packhorse[postgres] is not installed")

from packhorse.store.sent import FORGET_EVERY, SCHEMA, Sent, SentMessages


@pytest.fixture
def two(database):
    url = emptied(database, SCHEMA)
    made = [SentMessages(url, size=1000) for _ in range(2)]
    for one in made:
        one.open()
    return made


def test_another_process_finds_what_followed_on_the_same_stream(two):
    here, there = two
    first = here.keep("s", "ada", "1", None)
    here.keep("s", "ada", "2", '"of another stream"')
    last = here.keep("s", "ada", "1", '"answer"')

    assert there.after(first, "s", "ada") == ("1", [Sent(last, '"answer"')])
    assert there.after(last, "s", "ada") == ("1", [])


@pytest.mark.parametrize(("session", "owner"), [("other", "ada"), ("s", "bob"), ("", "")])
def test_nobody_else_and_no_other_session_finds_it(two, session, owner):
    here, there = two
    first = here.keep("s", "ada", "1", None)
    assert there.after(first, session, owner) is None
    assert there.after(first + 1000, "s", "ada") is None


def test_a_session_that_was_ended_is_forgotten(two):
    here, there = two
    first, other = here.keep("s", "ada", "1", None), here.keep("t", "ada", "1", None)
    there.forget("s")
    assert here.after(first, "s", "ada") is None
    assert here.after(other, "t", "ada") == ("1", [])


def test_the_oldest_are_forgotten(database):
    sent = SentMessages(emptied(database, SCHEMA), size=10)
    sent.open()
    numbers = [sent.keep("s", "ada", "1", str(number)) for number in range(FORGET_EVERY)]
    assert sent.after(numbers[-11], "s", "ada") is None
    assert sent.after(numbers[-10], "s", "ada") is not None
