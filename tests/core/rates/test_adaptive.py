from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.rates.hand import NOON, Hand

from packhorse.door.limits import Adaptive, Limit, Limiter


def after(reports, adaptive):
    """``adaptive`` after ``!`` (a failure), ``.`` (a success) and ``_`` (eleven seconds)."""
    now = NOON
    for report in reports:
        match report:
            case "!":
                adaptive = adaptive.failed(now)
            case ".":
                adaptive = adaptive.succeeded()
            case "_":
                now += timedelta(seconds=11)
    return adaptive


@pytest.mark.parametrize(
    ("reports", "allowance"),
    [
        pytest.param("", 100, id="all at first"),
        pytest.param("....", 100, id="successes raise nothing above the full limit"),
        pytest.param("!", 50, id="a failure halves it"),
        pytest.param("!!!", 50, id="calls that fail together halve it once"),
        pytest.param("!_!", 25, id="a later failure halves it again"),
        pytest.param("!_!_!_!_!_!_!_!", 1, id="never below one"),
        pytest.param("!..", 52, id="each success gives one back"),
        pytest.param("!.!", 51, id="a late failure of the same outage takes nothing back"),
        pytest.param("!._!", 25, id="half of an odd number is rounded down"),
        pytest.param("!" + "." * 49, 99, id="almost all again"),
        pytest.param("!" + "." * 50, 100, id="all again"),
        pytest.param("!" + "." * 51, 100, id="and no more"),
    ],
)
def test_a_failing_source_gets_fewer_calls(reports, allowance):
    adaptive = after(reports, Adaptive(Limit.parse("100/hour")))

    assert adaptive.limit == Limit(allowance, 3_600)


@given(st.text("!._", max_size=60), st.integers(1, 200))
def test_the_allowance_stays_between_one_and_all_and_recovers(reports, amount):
    full = Limit(amount, 60)
    adaptive = after(reports, Adaptive(full))

    assert 1 <= adaptive.limit.amount <= amount
    assert after("." * amount, adaptive).limit == full


def test_a_clock_set_back_does_not_end_the_adapting():
    adaptive = Adaptive(Limit(100, 60)).failed(NOON)

    assert adaptive.failed(NOON - timedelta(days=1)).limit.amount == 25


@pytest.mark.anyio
async def test_calls_already_made_count_against_the_lowered_limit():
    clock = Hand()
    limiter = Limiter.memory(clock=clock)
    adaptive = Adaptive(Limit(8, 60))
    for _ in range(6):
        assert await limiter.hit("registry", adaptive.limit, ["kind:local"]) is None
        clock.move(1)
    lowered = adaptive.failed(clock()).limit

    refused = await limiter.hit("registry", lowered, ["kind:local"])
    assert refused is not None
    # Four are allowed: the third call of the six, made at second 2, has to leave the minute. It is second 6.
    assert refused.retry_after_seconds == 56
    assert await limiter.hit("registry", adaptive.limit, ["kind:local"]) is None, "the full limit has room"
