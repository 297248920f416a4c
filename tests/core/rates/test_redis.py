"""What counting in a real Redis must keep to, beside the law that `test_windows` holds it to."""

import asyncio
import gc
import socket
import subprocess
import sys
from contextlib import asynccontextmanager, suppress

import anyio
import pytest
from tests.core.rates.hand import PATIENCE_SECONDS, Hand

from packhorse.door.limits import Limit, Limiter
from packhorse.door.rate_storage import Redis
from packhorse.errors import PackError, UserError

pytestmark = pytest.mark.anyio

HOUR = Limit.parse("100/hour")
SECRET = "hunter2-hunter2"


@asynccontextmanager
async def client_of(url):
    from redis.asyncio import Redis

    async with Redis.from_url(url.replace("redis+unix", "unix")) as client:
        yield client


async def test_every_key_expires_with_its_window(redis_url):
    limiter = Limiter.redis(redis_url, prefix="expiry", timeout_seconds=PATIENCE_SECONDS)
    for seconds in (60, 3_600):
        assert await limiter.hit("pool", Limit(5, seconds), ["a", "b"]) is None
    async with client_of(redis_url) as client:
        keys = sorted([key.decode() async for key in client.scan_iter("expiry:*")])

        assert keys == [f"expiry:moving-window:{window}/pool/{who}" for window in (3_600, 60) for who in "ab"]
        assert [0 < await client.ttl(key) <= int(key.split(":")[2].split("/")[0]) for key in keys] == [True] * 4
    await limiter.close()


async def test_a_caller_that_never_stops_costs_no_more_than_its_limit(redis_url):
    clock = Hand()
    limiter = Limiter.redis(redis_url, prefix="long", clock=clock, timeout_seconds=PATIENCE_SECONDS)
    for _ in range(50):
        assert await limiter.hit("pool", Limit(3, 60), ["a"]) is None
        clock.move(30)
    async with client_of(redis_url) as client:
        assert await client.llen("long:moving-window:60/pool/a") == 3
    await limiter.close()


async def test_deployments_with_other_prefixes_count_apart(redis_url):
    one, other = (Limiter.redis(redis_url, prefix=prefix) for prefix in ("north", "south"))

    assert await one.hit("pool", Limit(1, 60), ["a"]) is None
    assert await one.hit("pool", Limit(1, 60), ["a"]) is not None
    assert await other.hit("pool", Limit(1, 60), ["a"]) is None
    await one.close()
    await other.close()


# The connections of a loop that has ended cannot be closed any more, and Python says so.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_one_limiter_serves_one_event_loop_after_another(redis_url):
    limiter = Limiter.redis(redis_url, prefix="loops", timeout_seconds=PATIENCE_SECONDS)

    async def count():
        return await limiter.hit("pool", Limit(2, 60), ["a"]) is None

    assert [asyncio.run(count()) for _ in range(3)] == [True, True, False]
    limiter.__dict__.clear()
    gc.collect()


async def test_while_redis_is_away_calls_are_refused_and_afterwards_counted_again(own_redis, caplog):
    with own_redis() as url:
        limiter = Limiter.redis(url, timeout_seconds=PATIENCE_SECONDS)
        assert await limiter.hit("pool", HOUR, ["subject:alice"]) is None
    with pytest.raises(UserError) as refused:
        await limiter.hit("pool", HOUR, ["subject:alice"])
    with own_redis():
        assert await limiter.hit("pool", Limit(1, 60), ["subject:alice"]) is None
        assert await limiter.hit("pool", Limit(1, 60), ["subject:alice"]) is not None
        await limiter.close()

    assert (refused.value.code, refused.value.jsonrpc_code) == ("LIMITS_UNAVAILABLE", -32603)
    assert refused.value.message.startswith("Calls cannot be counted at the moment")
    assert "redis" not in refused.value.message.lower()
    assert "limits cannot be counted: ConnectionError from Redis" in caplog.text
    assert "alice" not in caplog.text


async def test_a_script_that_redis_has_forgotten_is_sent_again(own_redis):
    with own_redis() as url:
        limiter = Limiter.redis(url, timeout_seconds=PATIENCE_SECONDS)
        assert await limiter.hit("pool", Limit(1, 60), ["a"]) is None
        async with client_of(url) as client:
            await client.script_flush()

        assert await limiter.hit("pool", Limit(1, 60), ["a"]) is not None
        await limiter.close()


async def test_a_connection_that_redis_has_dropped_is_replaced(own_redis):
    with own_redis() as url:
        limiter = Limiter.redis(url, timeout_seconds=PATIENCE_SECONDS)
        assert await limiter.hit("pool", Limit(2, 60), ["a"]) is None
        async with client_of(url) as client:
            await client.client_kill_filter(_type="normal", skipme=True)

        assert await limiter.hit("pool", Limit(2, 60), ["a"]) is None
        assert await limiter.hit("pool", Limit(2, 60), ["a"]) is not None
        await limiter.close()


async def test_a_redis_that_never_answers_is_asked_once_and_given_up():
    tries = []
    with socket.create_server(("127.0.0.1", 0)) as silent:
        limiter = Limiter.redis(f"redis://127.0.0.1:{silent.getsockname()[1]}", timeout_seconds=0.05)
        with anyio.fail_after(PATIENCE_SECONDS), pytest.raises(UserError, match="cannot be counted"):
            await limiter.hit("pool", HOUR, ["a"])
        await limiter.close()
        # Its own 5 s, when nobody tells the client, cannot be told from 0.05 s by a clock on a busy machine.
        assert limiter.windows._client.connection_pool.connection_kwargs["socket_timeout"] == 0.05
        silent.setblocking(False)
        with suppress(BlockingIOError):  # every connection waits in the system's queue until it is taken here
            while True:
                silent.accept()[0].close()
                tries.append(1)

    assert len(tries) == 1


async def test_a_full_redis_refuses_rather_than_letting_calls_go_uncounted(own_redis):
    with own_redis("--maxmemory", "1") as url:
        limiter = Limiter.redis(url, timeout_seconds=PATIENCE_SECONDS)
        await limiter.check()
        with pytest.raises(UserError, match="cannot be counted"):
            await limiter.hit("pool", HOUR, ["a"])
        await limiter.close()


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        pytest.param([], None, id="no bound on memory"),
        pytest.param(["--maxmemory-policy", "allkeys-lru"], None, id="nor a reason to evict"),
        pytest.param(["--maxmemory", "100mb", "--maxmemory-policy", "noeviction"], None, id="a bound, nothing evicted"),
        pytest.param(
            ["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"], "noeviction", id="callers would be evicted"
        ),
        pytest.param(
            ["--maxmemory", "100mb", "--maxmemory-policy", "volatile-ttl"], "noeviction", id="those that expire first"
        ),
    ],
)
async def test_a_redis_that_may_forget_callers_is_found_at_the_start(own_redis, options, fault):
    with own_redis(*options) as url:
        limiter = Limiter.redis(url, timeout_seconds=PATIENCE_SECONDS)
        try:
            if fault is None:
                await limiter.check()
            else:
                with pytest.raises(PackError, match=fault):
                    await limiter.check()
        finally:
            await limiter.close()


async def test_a_redis_that_is_not_there_is_found_at_the_start(tmp_path):
    pytest.importorskip("redis", reason="packhorse[redis] is not installed")
    limiter = Limiter.redis(f"redis+unix://{tmp_path}/none.sock")

    with pytest.raises(PackError, match=r"Redis does not answer \(ConnectionError\)"):
        await limiter.check()
    await limiter.close()


@pytest.mark.parametrize(
    "url",
    [
        pytest.param(f"redis://:{SECRET}@host", id="no port"),
        pytest.param(f"redis://:{SECRET}@host:port/0", id="no number for a port"),
        pytest.param(f"redis://:{SECRET}@host:99999/0", id="a port that there is not"),
        pytest.param(f"redis://:{SECRET}@host:6379/zero", id="no number for a database"),
        pytest.param(f"redis://:{SECRET}@", id="no host"),
        pytest.param(f"redis+cluster://:{SECRET}@host:6379", id="a cluster"),
        pytest.param(f"memcached://{SECRET}:11211", id="another store"),
        pytest.param(f"host:6379/{SECRET}", id="no scheme"),
    ],
)
def test_an_address_that_is_none_is_refused_without_repeating_its_password(url):
    pytest.importorskip("redis", reason="packhorse[redis] is not installed")

    with pytest.raises(PackError, match="must be like redis://") as refused:
        Limiter.redis(url)

    assert SECRET not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("redis://localhost:6379", id="plain"),
        pytest.param(f"rediss://user:{SECRET}@cache.example.org:6380/2?ssl_cert_reqs=none", id="with everything"),
        pytest.param(f"redis://:{SECRET}@@[2001:db8::1]:6379/", id="IPv6, and a password with an @"),
        pytest.param("redis+unix:///run/redis.sock?db=1", id="a socket"),
    ],
)
def test_an_address_is_taken_without_connecting(url):
    pytest.importorskip("redis", reason="packhorse[redis] is not installed")

    assert isinstance(Limiter.redis(url).windows, Redis)


def test_without_the_redis_library_the_extra_is_named():
    code = """
import sys
sys.modules["redis"] = None
from packhorse.errors import PackError
from packhorse.door.limits import Limiter
try:
    Limiter.redis("redis://localhost:6379")
except PackError as refused:
    print(refused)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "./core[redis]" in run.stdout
