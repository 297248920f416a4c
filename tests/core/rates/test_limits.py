import subprocess
import sys
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

import packhorse.contract.clock
from packhorse.compose.deployment import compose
from packhorse.contract.principal import ANONYMOUS, LOCAL, Principal
from packhorse.door.limits import MAX_AMOUNT, RATE_LIMITED, Exceeded, Limit, callers_of
from packhorse.errors import PackError
from packhorse.settings import ServerSettings, Settings


@pytest.mark.parametrize(
    ("text", "amount", "seconds"),
    [
        pytest.param("100/hour", 100, 3_600, id="short"),
        pytest.param("30/minute", 30, 60, id="minutes"),
        pytest.param("30 per minute", 30, 60, id="in words"),
        pytest.param("1 per 5 minutes", 1, 300, id="a multiple"),
        pytest.param("1/5 minutes", 1, 300, id="short, a multiple"),
        pytest.param(" 10 / Hours ", 10, 3_600, id="spaces and capitals"),
        pytest.param("2/second", 2, 1, id="the shortest window"),
        pytest.param("7/31 days", 7, 2_678_400, id="the longest window"),
    ],
)
def test_a_limit_is_read_from_words(text, amount, seconds):
    assert Limit.parse(text) == Limit(amount, seconds)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("100", id="no time"),
        pytest.param("hour", id="no number"),
        pytest.param("100/fortnight", id="an unknown unit"),
        pytest.param("100/month", id="a month is no fixed time"),
        pytest.param("1/year", id="nor is a year"),
        pytest.param("-1/hour", id="a negative number"),
        pytest.param("1.5/hour", id="half a call"),
        pytest.param("100/hour; 5/minute", id="two limits"),
        pytest.param("100/hour, 5/minute", id="two limits with a comma"),
        pytest.param("\u0661/hour", id="a digit of another script"),
        pytest.param("100/hourss", id="two plurals"),
        pytest.param(100, id="a number"),
        pytest.param(None, id="nothing at all"),
    ],
)
def test_what_is_no_limit_is_refused_with_the_text_and_the_form(text):
    with pytest.raises(PackError) as refused:
        Limit.parse(text)

    assert f"limit {text!r}: " in str(refused.value)
    assert "'100/hour', '30 per minute' or '1 per 5 minutes'" in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("0/hour", id="no call"),
        pytest.param("5/0 minutes", id="no time"),
        pytest.param(f"{MAX_AMOUNT + 1}/hour", id="more calls than are kept"),
        pytest.param("1/32 days", id="longer than is kept"),
    ],
)
def test_a_limit_out_of_range_is_refused_with_the_range(text):
    with pytest.raises(
        PackError, match=r"limit '.*': a limit allows 1 to 100,000 calls in a period of 1 second to 31 days; this is"
    ):
        Limit.parse(text)


def test_a_long_text_is_not_repeated():
    with pytest.raises(PackError) as refused:
        Limit.parse("1/" + "x" * 10_000)

    assert len(str(refused.value)) < 250


@given(
    st.integers(1, MAX_AMOUNT),
    st.sampled_from(["/", " / ", " per ", "  PER "]),
    st.sampled_from([("", 1), ("1 ", 1), ("2", 2), ("5 ", 5), ("24 ", 24)]),
    st.sampled_from([("second", 1), ("minutes", 60), ("Hour", 3_600), ("days", 86_400)]),
)
def test_every_spelling_of_a_limit_is_read(amount, per, count, unit):
    assert Limit.parse(f"{amount}{per}{count[0]}{unit[0]}") == Limit(amount, count[1] * unit[1])


@given(st.builds(Limit, st.integers(1, MAX_AMOUNT), st.integers(1, 2_678_400)))
def test_a_limit_is_written_as_it_is_read(limit):
    assert Limit.parse(str(limit)) == limit


@pytest.mark.parametrize(
    ("exceeded", "said"),
    [
        pytest.param(
            Exceeded(42, Limit(100, 3_600)),
            "The limit of 100 per hour is reached. Try again in 42 seconds.",
            id="the window is full",
        ),
        pytest.param(
            Exceeded(1, Limit(1, 300)),
            "The limit of 1 per 5 minutes is reached. Try again in 1 second.",
            id="one second",
        ),
        pytest.param(
            Exceeded(9, Limit(1, 300), full=True),
            "This server already counts the calls of as many callers as it can, and has no room for another."
            " Try again in 9 seconds.",
            id="too many callers",
        ),
    ],
)
def test_a_refusal_says_the_limit_and_when_to_come_back(exceeded, said):
    error = exceeded.error()

    assert (error.code, error.error_type, error.message) == (RATE_LIMITED, "rate_limited", said)
    assert error.details == {"retry_after_seconds": exceeded.retry_after_seconds, "limit": str(exceeded.limit)}


@pytest.mark.parametrize(
    ("principal", "address", "callers"),
    [
        pytest.param(Principal("human", "alice"), "192.0.2.1", ("subject:alice",), id="who is verified, from anywhere"),
        pytest.param(
            Principal("human", "alice", claims={"iss": "https://a.example"}),
            None,
            ("subject:https://a.example|alice",),
            id="the alice of one issuer is not another's",
        ),
        pytest.param(ANONYMOUS, "192.0.2.1", ("address:192.0.2.1",), id="who is not, by address"),
        pytest.param(ANONYMOUS, None, ("kind:anonymous",), id="who has no address, with all of that kind"),
        pytest.param(LOCAL, None, ("kind:local",), id="the deployer"),
        pytest.param(LOCAL, "127.0.0.1", ("kind:local",), id="the deployer over HTTP"),
        pytest.param(
            Principal("agent", "planner", chain=("writer", "alice")),
            "192.0.2.1",
            ("subject:planner", "subject:writer", "subject:alice"),
            id="an agent, and those it acts for",
        ),
        pytest.param(
            Principal("agent", None, chain=("alice",)),
            "192.0.2.1",
            ("address:192.0.2.1", "subject:alice"),
            id="a nameless agent, and whom it acts for",
        ),
        pytest.param(
            Principal("agent", "alice", chain=("bob", "alice")),
            None,
            ("subject:alice", "subject:bob"),
            id="nobody twice",
        ),
        pytest.param(
            Principal("human", "192.0.2.1"), None, ("subject:192.0.2.1",), id="a subject named like an address is none"
        ),
    ],
)
def test_a_call_counts_for(principal, address, callers):
    assert callers_of(principal, address) == callers


def test_counting_in_memory_loads_no_redis_and_no_server():
    code = """
import asyncio, sys
from packhorse.door.limits import Limit, Limiter
asyncio.run(Limiter.memory().hit("pool", Limit.parse("1/hour"), ["caller"]))
print(sorted({"mcp", "pydantic", "redis", "starlette"} & set(sys.modules)))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.splitlines() == ["[]"]


@pytest.mark.anyio
async def test_a_machine_whose_clock_is_set_empties_no_window_and_fills_none(monkeypatch, tmp_path):
    class Set(datetime):
        by = timedelta()

        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + cls.by

    monkeypatch.setattr(packhorse.contract.clock, "datetime", Set)
    limiter = compose(Settings(server=ServerSettings(data_dir=tmp_path)), []).limiter
    limit = Limit.parse("2/hour")
    assert [await limiter.hit("pool", limit, ["ada"]) for _ in range(2)] == [None, None]
    for hours in (2, -3, 24 * 400):
        Set.by = timedelta(hours=hours)
        exceeded = await limiter.hit("pool", limit, ["ada"])
        assert 3_500 < exceeded.retry_after_seconds <= 3_600
