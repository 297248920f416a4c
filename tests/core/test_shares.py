"""Shares of a bounded thing, as laws: whoever takes whatever, there is room for the next."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse.contract.principal import ANONYMOUS, LOCAL, Principal
from packhorse.door.shares import Holder, Shares, holder_of

CALLERS = [Holder(f"address:192.0.2.{n}", "anonymous") for n in range(6)]
MEMBERS = [Holder(f"subject:{n}", "signed_in") for n in range(3)]
sizes = st.integers(1, 200)
takers = st.lists(st.sampled_from([*CALLERS, *MEMBERS]), max_size=400)


def taken(shares: Shares, holders: list[Holder]) -> list[Holder]:
    return [holder for holder in holders if shares.take(holder)]


@given(sizes, takers)
def test_no_more_is_taken_than_there_is_and_what_is_given_back_is_there_again(size, holders):
    shares = Shares.of(size, signed_in=True)
    for _ in range(2):
        held = taken(shares, holders)
        assert shares.used == len(held) <= size
        for holder in held:
            assert shares.held(holder) > 0
            shares.give(holder)
        assert shares.used == 0
        assert all(shares.held(holder) == 0 for holder in holders)


@given(st.integers(8, 400), st.integers(1, 5))
def test_anonymous_callers_who_take_all_they_may_leave_room_for_the_next_one(size, greedy):
    shares = Shares.of(size, signed_in=False)
    for _ in range(size):
        taken(shares, CALLERS[:greedy])

    most = max(shares.held(caller) for caller in CALLERS[:greedy])
    assert most <= size // (greedy + 1) + 1
    assert shares.take(CALLERS[5]) or size < 2 * greedy + 2


@given(st.integers(4, 400), takers)
def test_whatever_anonymous_callers_take_a_quarter_is_left_for_who_signed_in(size, holders):
    shares = Shares.of(size, signed_in=True)
    for _ in range(10):
        taken(shares, [holder for holder in holders if holder.rank == "anonymous"])

    assert shares.size - shares.used >= size // 4
    assert shares.take(MEMBERS[0])


@given(sizes)
def test_the_local_caller_has_all_of_it(size):
    shares = Shares.of(size, signed_in=False)

    assert len(taken(shares, [holder_of(LOCAL)] * (size + 1))) == size


def test_what_one_held_before_it_signed_in_counts_for_it_afterwards():
    shares = Shares.of(8, signed_in=True)
    assert shares.take(CALLERS[0])
    shares.move(CALLERS[0], MEMBERS[0])

    assert (shares.held(CALLERS[0]), shares.held(MEMBERS[0]), shares.used) == (0, 1, 1)


@pytest.mark.parametrize(
    ("principal", "address", "key"),
    [
        pytest.param(ANONYMOUS, "192.0.2.1", "address:192.0.2.1", id="an address"),
        pytest.param(Principal("human", "ada", claims={"iss": "a"}), "192.0.2.1", "subject:a|ada", id="a subject"),
        pytest.param(Principal("human", "ada", claims={"iss": "b"}), None, "subject:b|ada", id="of another issuer"),
        pytest.param(
            Principal("human", "ada", claims={"iss": "a"}).agent("scribe", run="1"), None, "subject:a|ada", id="agents"
        ),
        pytest.param(LOCAL, None, "local", id="this machine"),
        pytest.param(LOCAL.agent("scribe", run="1"), None, "local", id="an agent of this machine"),
    ],
)
def test_what_is_held_counts_for_the_person_and_else_for_the_address(principal, address, key):
    assert holder_of(principal, address).key == key


def test_many_threads_take_no_more_than_there_is():
    shares = Shares.of(10, signed_in=False)
    got: list[bool] = []

    def take() -> None:
        got.extend(shares.take(holder_of(LOCAL)) for _ in range(100))

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got.count(True) == shares.used == 10
