"""Where calls are counted: moving windows in this process or in Redis.

The `limits` library counts a call for one key at a time. Both storages here
count it for several callers or for none, by a clock that is given. A call
leaves its window exactly when the window's length has passed since.
"""

import asyncio
import logging
import re
import threading
from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from packhorse.contract.clock import Clock
from packhorse.errors import INTERNAL, PackError, UserError
from packhorse.errors.extras import install

logger = logging.getLogger("packhorse.limits")

SWEEP_SECONDS = 60
"""How often expired keys are dropped at the latest."""


class Wait(NamedTuple):
    """Why a call was not counted: for ``seconds``, above 0, a window or (``full``) the table of keys has no room."""

    seconds: float
    full: bool = False


class Memory:
    """Windows in this process, for at most ``max_keys`` keys at a time.

    A call costs 8 bytes and a key some 400 more, for as long as its window.
    A key that is being counted is never given up for a new one. Safe to use
    from several threads.
    """

    def __init__(self, clock: Clock, max_keys: int) -> None:
        self._clock = clock
        self._max_keys = max_keys
        self._lock = threading.Lock()
        # By length in seconds; in each, the keys in the order of their last call, so that the first expires first.
        self._windows: dict[int, OrderedDict[str, array[float]]] = {}
        self._swept = clock().timestamp()

    def acquire_all(self, keys: Sequence[str], limit: int, expiry: int) -> Wait | None:
        """Count a call for each of ``keys``, which differ, if all of them have room; else for none."""
        now = self._clock().timestamp()
        with self._lock:
            if not 0 <= now - self._swept < SWEEP_SECONDS:
                self._sweep(now)
            wait, new = self._room(keys, limit - 1, now, expiry)
            if wait > 0:
                return Wait(wait)
            if new and len(self) + new > self._max_keys:
                self._sweep(now)
                if len(self) + new > self._max_keys:
                    return Wait(self._until_room(now, expiry), full=True)
            self._add(keys, now, expiry)
            return None

    async def inspect(self) -> None:
        """Nothing can be wrong."""

    async def close(self) -> None:
        """Nothing is open."""

    def __len__(self) -> int:
        return sum(map(len, self._windows.values()))

    def _room(self, keys: Sequence[str], spare: int, now: float, expiry: int) -> tuple[float, int]:
        """How long until every key has at most ``spare`` calls in its window, and how many keys are new."""
        windows = self._windows.get(expiry)
        if windows is None:
            return 0, len(keys)
        wait, new = 0.0, 0
        for key in keys:
            stamps = windows.get(key)
            if stamps is None:
                new += 1
            elif len(stamps) > spare:
                wait = max(wait, stamps[-spare - 1] - now + expiry)
        return wait, new

    def _add(self, keys: Sequence[str], now: float, expiry: int) -> None:
        windows = self._windows.setdefault(expiry, OrderedDict())
        for key in keys:
            stamps = windows.get(key)
            if stamps is None:
                windows[key] = array("d", [now])
                continue
            del stamps[: bisect_right(stamps, now - expiry)]
            # A clock that was set back must not put a call before earlier ones: the list is searched as sorted.
            stamps.append(max(now, stamps[-1]) if stamps else now)
            windows.move_to_end(key)

    def _sweep(self, now: float) -> None:
        self._swept = now
        for expiry, windows in self._windows.items():
            before = len(windows)
            while windows and next(iter(windows.values()))[-1] <= now - expiry:
                windows.popitem(last=False)
            if before - len(windows) > len(windows):
                self._windows[expiry] = OrderedDict(windows)  # a dictionary that shrinks keeps its room

    def _until_room(self, now: float, otherwise: int) -> float:
        """How long until the first key expires; ``otherwise`` if there is none."""
        firsts = ((expiry, next(iter(windows.values()))) for expiry, windows in self._windows.items() if windows)
        return min((stamps[-1] - now + expiry for expiry, stamps in firsts), default=float(otherwise))


# Redis runs a script to its end before anything else, so this is all or none.
# The answer is text, since numbers leave a script without their fraction.
_ACQUIRE_ALL = """
local now, limit, expiry = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local wait = 0
for _, key in ipairs(KEYS) do
    local stamp = redis.call('lindex', key, limit - 1)
    if stamp then
        wait = math.max(wait, tonumber(stamp) - now + expiry)
    end
end
if wait > 0 then
    return string.format('%.17g', wait)
end
for _, key in ipairs(KEYS) do
    redis.call('lpush', key, ARGV[1])
    redis.call('ltrim', key, 0, limit - 1)
    redis.call('expire', key, expiry)
end
return '0'
"""

# Checked here: the client takes a database that is no number for number 0, and a missing host for this machine.
_URL = re.compile(
    r"rediss?://(?:[^/?]*@)?(?:\[[0-9A-Fa-f:]+\]|[^/?@:,\[]+):[0-9]{1,5}(?:/[0-9]*)?(?:\?.*)?|redis\+unix:///.+"
)
_FORM = "the address of Redis must be like redis://:password@host:6379/0 (or rediss://, or redis+unix:///path)"


class Redis:
    """Windows in one Redis, shared by every process that uses the same ``prefix``.

    Instants are the callers' own: the windows are as exact as the machines'
    clocks agree. Keys expire by themselves. Redis must not evict keys
    (``maxmemory-policy noeviction``): `inspect` says so. An answer is awaited for
    ``timeout_seconds`` and not asked for again: the call may have been counted.
    """

    def __init__(self, url: str, *, prefix: str, clock: Clock, timeout_seconds: float) -> None:
        if not _URL.fullmatch(url):
            raise PackError(f"limits: {_FORM}; clusters and sentinels are not supported")
        self._url = url
        # The name of earlier releases: their windows count on.
        self._prefix = f"{prefix}:moving-window"
        self._clock = clock
        self._timeout = timeout_seconds
        self._connect()
        self._loop: asyncio.AbstractEventLoop | None = None

    def _connect(self) -> None:
        try:
            from redis.asyncio import Redis as Client
            from redis.exceptions import RedisError
        except ImportError as exc:
            raise PackError(f"to count limits in Redis, install its client for Python: {install('redis')}") from exc
        self._failures = (RedisError, OSError)
        url = self._url.replace("redis+unix", "unix", 1)
        try:
            self._client = Client.from_url(url, socket_timeout=self._timeout, socket_connect_timeout=self._timeout)
        except ValueError:
            # Not the client's own words, which may repeat the address and the password in it.
            raise PackError(f"limits: {_FORM}") from None
        self._script = self._client.register_script(_ACQUIRE_ALL)

    async def acquire_all(self, keys: Sequence[str], limit: int, expiry: int) -> Wait | None:
        """Count a call for each of ``keys``, which differ, if all of them have room; else for none.

        Raises:
            UserError: Redis did not do it. What cannot be counted is not allowed.
        """
        self._bind()
        stored = [f"{self._prefix}:{expiry}/{key}" for key in keys]
        try:
            seconds = float(await self._script(stored, [repr(self._clock().timestamp()), limit, expiry]))
        except self._failures as exc:
            logger.warning("limits cannot be counted: %s from Redis", type(exc).__name__)
            raise UserError(
                "Calls cannot be counted at the moment, so this call was not made. Try again in a minute.",
                code="LIMITS_UNAVAILABLE",
                jsonrpc_code=INTERNAL,
            ) from exc
        return Wait(seconds) if seconds else None

    async def inspect(self) -> None:
        """Find out whether calls can be counted.

        Raises:
            PackError: Redis does not answer, or may forget a caller to make room for another.
        """
        self._bind()
        try:
            memory = await self._client.info("memory")
        except self._failures as exc:
            raise PackError(
                f"limits: Redis does not answer ({type(exc).__name__}); check that Redis runs at the address"
                " in `limits`"
            ) from exc
        policy = memory.get("maxmemory_policy", "noeviction")
        if int(memory.get("maxmemory", 0)) and policy != "noeviction":
            raise PackError(
                f"limits: this Redis deletes keys when it is full (maxmemory-policy {policy}), so callers' counts"
                " could be lost; set maxmemory-policy noeviction"
            )

    async def close(self) -> None:
        await self._client.aclose()

    def _bind(self) -> None:
        """A connection belongs to one event loop: another loop (another test, another run) gets its own."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            if self._loop is not None:
                self._connect()
            self._loop = loop
