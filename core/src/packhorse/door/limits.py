"""How many calls a caller may make in a stretch of time, counted in a moving window.

A limit of 100 an hour allows 100 calls in the worst hour, wherever that
begins. Calls are counted by `packhorse.door.rate_storage`.
"""

import hashlib
import math
import re
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from packhorse.contract.clock import Clock, steady_clock, system_clock
from packhorse.contract.principal import Principal
from packhorse.door.rate_storage import Memory, Redis
from packhorse.errors import PackError, RequestError

RATE_LIMITED = -32029

MAX_AMOUNT = 100_000
"""Calls in one window: each is kept, in 8 bytes, until it leaves the window."""

MAX_SECONDS = 31 * 86_400
"""The longest window: what is in memory does not outlive the process anyway."""

LONGEST_CALLER = 80
"""Characters of a caller in a key; a longer one, or one that is not ASCII, is kept as its SHA-256."""

SETTLE_SECONDS = 10
"""How long failures after a halving belong to it."""

_UNITS: Mapping[str, int] = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
_FORM = re.compile(r"([0-9]{1,9})\s*(?:/\s*|\s+per\s+)(?:([0-9]{1,9})\s*)?([a-z]+?)s?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``amount`` calls in any ``seconds``."""

    amount: int
    seconds: int

    def __post_init__(self) -> None:
        if not 1 <= self.amount <= MAX_AMOUNT or not 1 <= self.seconds <= MAX_SECONDS:
            raise PackError(
                f"a limit allows 1 to {MAX_AMOUNT:,} calls in a period of 1 second to {MAX_SECONDS // 86400} days;"
                f" this is {self.amount} calls in {self.seconds} seconds"
            )

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """A limit from words: ``100/hour``, ``30 per minute``, ``1 per 5 minutes``.

        Several limits in one text are refused, and so are months and years,
        whose lengths differ.

        Raises:
            PackError: naming the text and the form.
        """
        shown = repr(text) if len(repr(text)) <= 40 else f"{repr(text)[:40]}..."
        found = _FORM.fullmatch(text.strip()) if isinstance(text, str) else None
        unit = _UNITS.get(found[3].lower()) if found else None
        if found is None or unit is None:
            raise PackError(
                f"limit {shown}: write a number of calls and a period, such as '100/hour', '30 per minute' or '1"
                " per 5 minutes'; the units are second, minute, hour and day"
            )
        try:
            return cls(int(found[1]), int(found[2] or 1) * unit)
        except PackError as exc:
            raise PackError(f"limit {shown}: {exc}") from exc

    def __str__(self) -> str:
        name, unit = next((name, unit) for name, unit in reversed(list(_UNITS.items())) if self.seconds % unit == 0)
        count = self.seconds // unit
        return f"{self.amount} per {name}" if count == 1 else f"{self.amount} per {count} {name}s"


@dataclass(frozen=True, slots=True)
class Exceeded:
    """A call that was not counted and must not be made.

    ``retry_after_seconds`` is at least 1: the wait until there is room, if
    nobody else takes it, rounded up to whole seconds (RFC 9110, section
    10.2.3). ``full``: the limiter counts as many callers as it can, and this
    one is new to it.
    """

    retry_after_seconds: int
    limit: Limit
    full: bool = False

    @property
    def message(self) -> str:
        if self.full:
            why = "This server already counts the calls of as many callers as it can, and has no room for another."
        else:
            why = f"The limit of {self.limit} is reached."
        plural = "" if self.retry_after_seconds == 1 else "s"
        return f"{why} Try again in {self.retry_after_seconds} second{plural}."

    @property
    def details(self) -> dict[str, Any]:
        return {"retry_after_seconds": self.retry_after_seconds, "limit": str(self.limit)}

    def error(self) -> RequestError:
        return RequestError(RATE_LIMITED, "rate_limited", self.message, details=self.details)


class Limiter:
    """Counts calls, and says when one is too many."""

    def __init__(self, windows: Memory | Redis) -> None:
        self.windows = windows

    @classmethod
    def memory(cls, *, clock: Clock = steady_clock, max_keys: int = 100_000) -> "Limiter":
        """Counts in this process, for at most ``max_keys`` pairs of caller and pool at a time; forgotten at its end.

        A new one beyond that is refused until an older one's calls have left
        their window. ``clock`` must not be one that somebody may set: that
        would empty the windows, or keep them full.
        """
        return cls(Memory(clock, max_keys))

    @classmethod
    def redis(
        cls, url: str, *, prefix: str = "packhorse", clock: Clock = system_clock, timeout_seconds: float = 1.0
    ) -> "Limiter":
        """Counts in a Redis, for every process with the same ``prefix``; nothing is connected yet.

        While Redis does not answer within ``timeout_seconds``, no call is
        allowed. `check` before serving; `close` at the end.

        Raises:
            PackError: the address is not one, or `packhorse[redis]` is not installed. The address is not repeated:
                there may be a password in it.
        """
        return cls(Redis(url, prefix=prefix, clock=clock, timeout_seconds=timeout_seconds))

    async def hit(self, pool: str, limit: Limit, callers: Sequence[str]) -> Exceeded | None:
        """Count one call of ``pool`` for each of ``callers``, or say when it could be.

        All of them must have room; a call that is refused counts for none.
        In memory this does not wait, and costs some 3 microseconds. ``limit``
        may differ from call to call: the calls already made count against the
        new one.

        Raises:
            UserError: the calls cannot be counted at present.
        """
        if not callers:
            raise ValueError("a call is counted for somebody")
        distinct = callers if len(callers) == 1 else dict.fromkeys(callers)
        keys = [f"{pool}/{_short(caller)}" for caller in distinct]
        wait = self.windows.acquire_all(keys, limit.amount, limit.seconds)
        if wait is None:  # the usual case, before the slower question
            return None
        if isinstance(wait, Awaitable):
            wait = await wait
        return None if wait is None else Exceeded(math.ceil(wait.seconds), limit, wait.full)

    async def check(self) -> None:
        """Find out whether calls can be counted.

        Raises:
            PackError: they cannot, or not reliably, and why.
        """
        await self.windows.inspect()

    async def close(self) -> None:
        await self.windows.close()


def _short(caller: str) -> str:
    if len(caller) <= LONGEST_CALLER and caller.isascii():
        return caller
    return "sha256:" + hashlib.sha256(caller.encode("utf-8", "surrogatepass")).hexdigest()


def callers_of(principal: Principal, address: str | None) -> tuple[str, ...]:
    """For whom a call counts: the verified subject and those it acts for, else the address it came from.

    ``address`` is what `packhorse.http.addresses.limit_key` gave; None where
    there is none (stdio, a call in the process). The kinds of name cannot be
    taken for one another.
    """
    # An agent's chain names agents, which everybody's runs share: it counts for the person named as its subject.
    chain = () if principal.acts_for else tuple(f"subject:{name}" for name in principal.chain)
    if principal.subject is not None:
        # Two issuers may know different people by the same name.
        issuer = principal.claims.get("iss")
        own = f"subject:{principal.subject}" if issuer is None else f"subject:{issuer}|{principal.subject}"
    elif address is not None and not principal.holds_every_role:
        own = f"address:{address}"
    else:
        own = f"kind:{principal.kind}"
    if not chain:
        return (own,)
    return tuple(dict.fromkeys((own, *chain)))


@dataclass(frozen=True, slots=True)
class Adaptive:
    """How many calls an outside source gets: fewer while it fails.

    Each failure halves the allowance, down to one call; each success gives
    back one, up to the ``full`` limit, so that a window at most doubles the
    allowance. (Additive increase and multiplicative decrease, as TCP does it:
    Chiu and Jain 1989; RFC 5681, section 3.1.) Calls under way fail together:
    failures within `SETTLE_SECONDS` of a halving are the same one. A value:
    each report gives the next. Every process learns for itself.
    """

    full: Limit
    allowance: int | None = None
    lowered_at: datetime | None = None

    @property
    def limit(self) -> Limit:
        return self.full if self.allowance is None else replace(self.full, amount=self.allowance)

    def failed(self, now: datetime) -> "Adaptive":
        if self.lowered_at is not None and abs(now - self.lowered_at) < timedelta(seconds=SETTLE_SECONDS):
            return self
        return replace(self, allowance=max(1, self.limit.amount // 2), lowered_at=now)

    def succeeded(self) -> "Adaptive":
        if self.allowance is None:
            return self
        raised = self.allowance + 1
        return replace(self, allowance=raised if raised < self.full.amount else None)
