"""The law of a moving window, on both storages; then what memory alone must keep to."""

import asyncio
import gc
import itertools
import math
import sys
import threading
import tracemalloc
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.rates.hand import NOON, PATIENCE_SECONDS, Hand

from packhorse.door.limits import Limit, Limiter
from packhorse.door.rate_storage import SWEEP_SECONDS, Memory

HOUR = Limit.parse("100/hour")
SECONDS = 60
"""Of a window. Redis keeps a key for that long by its own clock, and no example takes so long."""

MICROSECOND = 1e-6
GAPS = [0, MICROSECOND, 3.75, 21, SECONDS / 2, SECONDS - MICROSECOND, SECONDS, SECONDS + MICROSECOND]

Hits = list[tuple[float, frozenset[str], int]]

hits = st.lists(
    st.tuples(st.sampled_from(GAPS), st.frozensets(st.sampled_from("abc"), min_size=1), st.integers(1, 4)), max_size=25
)
"""(seconds since the hit before, for whom, how many are allowed at that moment)."""

pools = map(str, itertools.count())


@pytest.fixture(params=["memory", "redis"])
def limiter_on(request):
    if request.param == "memory":
        return lambda clock: Limiter.memory(clock=clock)
    url = request.getfixturevalue("redis_url")
    return lambda clock: Limiter.redis(url, prefix="law", clock=clock, timeout_seconds=PATIENCE_SECONDS)


def expected(hits: Hits) -> list[int | None]:
    """By a list of all calls ever made: None where a call is allowed, else after how many seconds it would be."""
    now, made, verdicts = timedelta(), [], []
    for gap, callers, amount in hits:
        now += timedelta(seconds=gap)
        wait = timedelta()
        for caller in callers:
            stamps = sorted((at for at, counted in made if caller in counted), reverse=True)
            if len(stamps) >= amount:
                wait = max(wait, stamps[amount - 1] + timedelta(seconds=SECONDS) - now)
        if wait:
            verdicts.append(math.ceil(wait / timedelta(seconds=1)))
        else:
            made.append((now, callers))
            verdicts.append(None)
    return verdicts


def counted(limiter_on, hits: Hits) -> list[int | None]:
    async def count() -> list[int | None]:
        clock, pool = Hand(), next(pools)
        limiter = limiter_on(clock)
        verdicts = []
        for gap, callers, amount in hits:
            clock.move(gap)
            exceeded = await limiter.hit(pool, Limit(amount, SECONDS), sorted(callers))
            verdicts.append(exceeded and exceeded.retry_after_seconds)
        await limiter.close()
        return verdicts

    return asyncio.run(count())


def test_a_call_is_allowed_exactly_when_everybody_has_room_in_the_moving_window(limiter_on):
    @settings(max_examples=300)
    @given(hits)
    def law(hits):
        assert counted(limiter_on, hits) == expected(hits)

    law()


def test_no_hour_however_placed_has_a_hundred_and_first_call(limiter_on):
    # A burst before the full hour and one after it: counters of fixed or sliding hours let 199 through.
    bursts = [(3_599, 100), (2, 100), (1_800, 30), (1_797, 1), (1, 100)]

    async def count() -> list[int]:
        clock, pool = Hand(NOON.replace(minute=0, second=0, microsecond=0)), next(pools)
        limiter = limiter_on(clock)
        allowed = []
        for gap, calls in bursts:
            clock.move(gap)
            allowed.append([await limiter.hit(pool, HOUR, ["a"]) for _ in range(calls)].count(None))
        await limiter.close()
        return allowed

    assert asyncio.run(count()) == [100, 0, 0, 0, 100]


def test_a_caller_named_twice_counts_once(limiter_on):
    async def count() -> None:
        limiter, pool = limiter_on(Hand()), next(pools)
        assert [await limiter.hit(pool, Limit(2, 60), ["a", "a"]) for _ in range(2)] == [None, None]
        assert await limiter.hit(pool, Limit(2, 60), ["a"]) is not None
        await limiter.close()

    asyncio.run(count())


def test_long_and_strange_names_are_told_apart_to_the_last_character(limiter_on):
    async def count() -> None:
        limiter, pool = limiter_on(Hand()), next(pools)
        assert await limiter.hit(pool, Limit(1, 60), ["subject:" + "x" * 5_000]) is None
        assert await limiter.hit(pool, Limit(1, 60), ["subject:" + "x" * 4_999 + "\ud800"]) is None
        assert await limiter.hit(pool, Limit(1, 60), ["subject:" + "x" * 5_000]) is not None
        for name in ("\ud800", "\ud801", "ü", "", " ", "\n", "*", "a/b"):
            assert await limiter.hit(pool, Limit(1, 60), [f"subject:{name}"]) is None
            assert await limiter.hit(pool, Limit(1, 60), [f"subject:{name}"]) is not None
        await limiter.close()

    asyncio.run(count())


@pytest.mark.anyio
async def test_a_call_for_nobody_is_not_let_through():
    with pytest.raises(ValueError, match="for somebody"):
        await Limiter.memory().hit("pool", HOUR, [])


# --- memory ---


def filled(clock, keys, *, max_keys=100_000, pool="pool", limit=HOUR):
    """A memory with one call for each of ``keys`` names."""
    memory = Memory(clock, max_keys)
    for number in range(keys):
        assert memory.acquire_all([f"{pool}/{number}"], limit.amount, limit.seconds) is None
    return memory


def test_a_clock_that_is_set_back_allows_nothing_more():
    clock = Hand()
    memory = Memory(clock, 10)
    for _ in range(2):
        assert memory.acquire_all(["a"], 3, 60) is None
    clock.move(-3_600)
    assert memory.acquire_all(["a"], 3, 60) is None
    assert memory.acquire_all(["a"], 3, 60) is not None
    clock.move(3_600 + 59)
    assert memory.acquire_all(["a"], 3, 60) is not None
    clock.move(1)
    assert memory.acquire_all(["a"], 3, 60) is None


def test_threads_together_get_what_the_limit_allows():
    memory = Memory(Hand(), 100)
    start = threading.Barrier(8)
    allowed = []

    def work() -> None:
        start.wait()
        keys = ["shared", f"own/{threading.get_ident()}"]
        allowed.extend([memory.acquire_all(keys, 2_000, 60) is None for _ in range(500)])

    threads = [threading.Thread(target=work) for _ in range(8)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)

    assert allowed.count(True) == 2_000
    assert len(memory._windows[60]["shared"]) == 2_000


def test_looking_for_room_and_taking_it_are_one_step():
    memory, seen = Memory(Hand(), 10), []

    class Keys(list[str]):
        def __iter__(self):
            seen.append(memory._lock.locked())
            return super().__iter__()

    assert [memory.acquire_all(Keys(["a"]), 1, 60) is None for _ in range(2)] == [True, False]
    assert seen == [True, True]


def test_expired_keys_are_gone_a_minute_after_without_being_asked_for():
    clock = Hand()
    memory = filled(clock, 50_000)
    clock.move(HOUR.seconds)
    assert memory.acquire_all(["last"], 1, 60) is None

    assert len(memory) == 1


def test_a_sweep_drops_what_has_expired_and_nothing_else():
    clock = Hand()
    memory = filled(clock, 3)
    clock.move(SWEEP_SECONDS / 2)
    assert memory.acquire_all(["pool/1"], 100, 3_600) is None
    assert memory.acquire_all(["short"], 1, 10) is None
    clock.move(3_600 - SWEEP_SECONDS / 2)

    assert memory.acquire_all(["pool/1"], 100, 3_600) is None
    assert len(memory) == 1, "0, 2 and the short one are gone"
    assert len(memory._windows[3_600]["pool/1"]) == 2


@pytest.mark.drill
def test_two_hundred_thousand_callers_fit_in_bounded_memory_which_returns_when_they_expire():
    clock = Hand()
    Memory(clock, 1)
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        memory = filled(clock, 200_000, max_keys=200_000, pool="circadian/address")
        held = tracemalloc.get_traced_memory()[0] - before
        clock.move(HOUR.seconds)
        assert memory.acquire_all(["last"], 1, 60) is None
        gc.collect()
        left = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    print(f"{held / 200_000:.0f} bytes a caller, {left} bytes left of {held}")

    assert held < 200_000 * 500
    assert len(memory) == 1
    assert left < 100_000


def test_memory_returns_too_when_one_of_many_stays():
    clock = Hand()
    Memory(clock, 1)
    tracemalloc.start()
    try:
        memory = filled(clock, 20_000)
        clock.move(1)
        assert memory.acquire_all(["late"], 1, HOUR.seconds) is None
        clock.move(HOUR.seconds - 1)
        assert memory.acquire_all(["late"], 2, HOUR.seconds) is None
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()

    assert len(memory) == 1
    assert held < 100_000, "the table was made anew, not kept at its largest"


def test_a_caller_that_never_stops_costs_no_more_than_its_window():
    clock = Hand()
    memory = Memory(clock, 10)
    for _ in range(10_000):
        assert memory.acquire_all(["a"], 100, 60) is None
        clock.move(1)

    assert len(memory._windows[60]["a"]) == 60


@pytest.mark.drill
def test_two_hundred_thousand_callers_do_not_exceed_the_cap():
    memory = Memory(Hand(), 1_000)
    refused = [memory.acquire_all([str(number)], 1, 60) for number in range(200_000)]

    assert refused.count(None) == 1_000
    assert len(memory) == 1_000


@pytest.mark.anyio
async def test_at_the_cap_a_new_caller_is_refused_and_a_live_one_is_never_given_up():
    clock = Hand()
    limiter = Limiter.memory(clock=clock, max_keys=100)
    blocked = ["address:blocked"]
    assert [await limiter.hit("pool", HOUR, blocked) for _ in range(100)] == [None] * 100
    clock.move(10)
    for number in range(99):
        assert await limiter.hit("pool", HOUR, [f"address:{number}"]) is None
    clock.move(0.5)

    # With a table of the last used, 5,000 new callers push the blocked one out, and it starts over.
    for number in range(5_000):
        refused = await limiter.hit("pool", HOUR, [f"address:new-{number}"])
        assert refused is not None
        assert refused.full
    assert refused.retry_after_seconds == 3_590  # 3,589.5: when the blocked one, here the oldest, has expired
    assert "no room for another" in refused.message
    still = await limiter.hit("pool", HOUR, blocked)
    assert still is not None
    assert not still.full
    assert await limiter.hit("pool", HOUR, ["address:7"]) is None, "who is known goes on"
    clock.move(refused.retry_after_seconds)
    assert await limiter.hit("pool", HOUR, ["address:new-1"]) is None
    assert await limiter.hit("pool", HOUR, ["address:new-2"]) is not None, "one place was free"


def test_at_the_cap_room_is_made_as_soon_as_a_window_has_passed():
    clock = Hand()
    memory = filled(clock, 10, max_keys=10, limit=Limit(1, SWEEP_SECONDS // 2))
    clock.move(SWEEP_SECONDS // 2)

    assert memory.acquire_all(["new"], 1, 60) is None
    assert len(memory) == 1


def test_a_call_for_two_new_callers_with_room_for_one_counts_for_neither():
    memory = filled(Hand(), 9, max_keys=10)

    refused = memory.acquire_all(["agent", "person"], 5, 60)
    assert refused is not None
    assert refused.full
    assert memory.acquire_all(["person"], 1, 60) is None, "nothing was counted, and its place is free"


def test_a_call_for_more_callers_than_the_table_has_places_is_refused():
    refused = Memory(Hand(), 1).acquire_all(["agent", "person"], 5, 60)

    assert refused == (60, True)
