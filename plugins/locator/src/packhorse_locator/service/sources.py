"""Outside sources, and what to do when they do not answer.

A call that failed in a way that may pass is tried again (tenacity); a source
that fails again and again is left alone for a while (interlock), so that its
callers hear at once what they would otherwise wait for. Both are imported by
the first call.

tenacity and not stamina: each `Source` has its own sleep and log line, where
stamina's are the process's, and its default log line repeats what the failed
exception said. interlock: one breaker for threads and event loops alike, its
lock never held while the source is asked, one trial at a time, and a clock
that can be given. Of its elders, pybreaker serialises the calls and knows no
asyncio, circuitbreaker has neither a lock nor a limit on trials, and
aiobreaker has had no release since 2021.
"""

import logging
import math
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from packhorse import PackError, UserError
from packhorse.contract.clock import Clock, system_clock, utc_text

if TYPE_CHECKING:
    import interlock
    import tenacity

T = TypeVar("T")
State = Literal["up", "down", "trying"]

logger = logging.getLogger("packhorse.locator")

SOURCE_DOWN = "SOURCE_DOWN"

INTERNAL = -32603
"""JSON-RPC 2.0, section 5.1: an internal error."""


class Transient(Exception):  # noqa: N818 - it names what happened, and is raised as that
    """A source failed in a way that may pass: raise it, or name other exceptions to a `Source`."""


class SourceDown(UserError):  # noqa: N818 - as above
    """A source does not answer. Says which, since when, and when it will be tried again.

    ``details`` has ``source``, ``since`` and ``tried_again_at`` (ISO 8601, UTC)
    and ``retry_after_seconds``; nothing of what the source or the failure said.
    """

    def __init__(self, source: str, *, since: datetime, now: datetime, again: datetime) -> None:
        seconds = max(0, math.ceil((again - now).total_seconds()))
        when = f"in {seconds} s" if seconds else "from now on"
        away_since = utc_text(since, "seconds")
        super().__init__(
            f"{source} has not answered since {away_since}, and can be tried again {when}. Your request is not the"
            " cause: send it again then, or go on without this source.",
            code=SOURCE_DOWN,
            jsonrpc_code=INTERNAL,
            details={
                "source": source,
                "since": away_since,
                "tried_again_at": utc_text(again, "seconds"),
                "retry_after_seconds": seconds,
            },
        )
        self.source = source
        self.since = since
        self.again = again


@dataclass(frozen=True, slots=True)
class Retry:
    """How often and when to try again: after ``first_seconds``, then twice as long each time, at most ``most_seconds``.

    Up to ``jitter_seconds`` are added at random, so that callers who failed
    together do not come back together. ``attempts`` counts the first one;
    three are what Amazon's SDKs make ("Retry behavior", AWS SDKs and Tools
    Reference Guide, standard mode). The waits are short because a person waits.
    """

    attempts: int = 3
    first_seconds: float = 0.2
    most_seconds: float = 5.0
    jitter_seconds: float = 0.2

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise PackError(f"Retry: attempts is {self.attempts}; it must be at least 1 (1 means no retry)")
        if min(self.first_seconds, self.most_seconds, self.jitter_seconds) < 0:
            raise PackError("Retry: first_seconds, most_seconds and jitter_seconds must be 0 or more")


@dataclass(frozen=True, slots=True)
class Breaker:
    """When to leave a source alone: after so many failures one after another, for ``open_seconds``.

    Then one call is let through to see; the others hear `SourceDown` until it
    has succeeded. Five failures are what pybreaker and circuitbreaker take, 30
    seconds what circuitbreaker does.
    """

    failures: int = 5
    open_seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.failures < 1 or self.open_seconds <= 0:
            raise PackError("Breaker: failures must be at least 1 and open_seconds above 0")


class Source:
    """One outside source, under the name that callers hear; made once, used by every call, from any thread.

    ``transient`` are the exceptions that mean it did not answer; any other
    (a refusal, a bug) passes through untouched and counts as an answer. Time
    and sleep are arguments for tests: ``monotonic`` in seconds, ``sleep`` for
    plain functions, ``async_sleep`` for async ones.

    Raises:
        PackError: ``transient`` takes in refusals, which are answers.
    """

    def __init__(
        self,
        name: str,
        *,
        transient: tuple[type[Exception], ...] = (Transient,),
        retry: Retry | None = None,
        breaker: Breaker | None = None,
        clock: Clock = system_clock,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        async_sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        if wide := [kind.__name__ for kind in transient if issubclass(UserError, kind)]:
            raise PackError(
                f"the source {name!r}: the exception {wide[0]} also occurs when the source refuses a request; list"
                " only exceptions for a source that cannot be reached"
            )
        self.name = name
        self._transient = transient
        self._retry = retry or Retry()
        self._breaker = breaker or Breaker()
        self._clock = clock
        self._monotonic = monotonic
        self._sleep = sleep
        self._async_sleep = async_sleep
        self._since: datetime | None = None
        self._lock = threading.Lock()
        self._circuit: interlock.CircuitBreaker | None = None

    @property
    def state(self) -> State:
        """Whether it is asked as usual, left alone, or being tried."""
        return _STATES.get(str(self._circuit.state), "up") if self._circuit else "up"

    @property
    def since(self) -> datetime | None:
        """When it stopped answering; None while it answers."""
        return self._since

    def call(self, ask: Callable[[], T], *, idempotent: bool = False) -> T:
        """What ``ask`` returns.

        Tried again only where ``idempotent`` says that asking twice does no
        harm; a call that changes something is made once.

        Raises:
            SourceDown: it did not answer, or is left alone for now.
        """
        circuit, began = self._ready(), self._clock()
        try:
            if not idempotent or self._retry.attempts == 1:
                return circuit.call_sync(ask)
            import tenacity

            again: Callable[..., T] = tenacity.Retrying(sleep=self._sleep, **self._rules())
            return again(circuit.call_sync, ask)
        except Exception as exc:
            self._translate(exc, began)
            raise

    async def call_async(self, ask: Callable[[], Awaitable[T]], *, idempotent: bool = False) -> T:
        """As `call`, for an async ``ask``. A call that is cancelled counts neither way."""
        circuit, began = self._ready(), self._clock()

        async def once() -> T:
            return await circuit.call_async(ask)

        try:
            if not idempotent or self._retry.attempts == 1:
                return await once()
            import anyio
            import tenacity

            answer: T = await tenacity.AsyncRetrying(sleep=self._async_sleep or anyio.sleep, **self._rules())(once)
        except Exception as exc:
            self._translate(exc, began)
            raise
        return answer

    def _rules(self) -> dict[str, Any]:
        import tenacity

        retry = self._retry
        return {
            "retry": tenacity.retry_if_exception(self._worth_another),
            "stop": tenacity.stop_after_attempt(retry.attempts),
            "wait": tenacity.wait_exponential_jitter(
                multiplier=retry.first_seconds, max=retry.most_seconds, jitter=retry.jitter_seconds
            ),
            "before_sleep": self._log_attempt,
            "reraise": True,
        }

    def _worth_another(self, exc: BaseException) -> bool:
        # Once the circuit is open a wait would end in a refusal.
        return isinstance(exc, self._transient) and self.state != "down"

    def _log_attempt(self, attempt: "tenacity.RetryCallState") -> None:
        failed = attempt.outcome.exception() if attempt.outcome else None
        logger.info(
            "%s did not answer (%s), attempt %d of %d",
            self.name,
            type(failed).__name__,
            attempt.attempt_number,
            self._retry.attempts,
            extra={"source": self.name},
        )

    def _translate(self, exc: Exception, began: datetime) -> None:
        """Raise `SourceDown` where ``exc`` means that; its own words stay here."""
        import interlock

        seconds: float | None
        if isinstance(exc, interlock.CircuitOpenError):
            seconds = exc.retry_after  # None while another call is trying it: that one's answer is near
        elif isinstance(exc, self._transient):
            seconds = self._breaker.open_seconds if self.state == "down" else None
        else:
            return
        now = self._clock()
        again = now + timedelta(seconds=seconds or 0)
        raise SourceDown(self.name, since=self._since or began, now=now, again=again) from exc

    def _ready(self) -> "interlock.CircuitBreaker":
        if self._circuit is None:
            with self._lock:
                if self._circuit is None:
                    self._circuit = self._make()
        return self._circuit

    def _make(self) -> "interlock.CircuitBreaker":
        import interlock

        failures = self._breaker.failures
        return interlock.CircuitBreaker(
            name=self.name,
            config=interlock.Config(
                # All of the last so many: that many in a row.
                failure_rate_threshold=1.0,
                minimum_number_of_calls=failures,
                window_size=failures,
                # A slow answer is an answer.
                slow_call_duration_threshold=float("inf"),
                wait_duration_in_open=self._breaker.open_seconds,
                permitted_calls_in_half_open=1,
                max_concurrent_probes=1,
            ),
            clock=_Ticks(self._monotonic),
            classifier=_Failures(self._transient),
            listener=_Changes(self._changed),  # type: ignore[arg-type]  # what it does not hear is left out
        )

    def _changed(self, old: str, new: str) -> None:
        """Log the first failure that opened the circuit, and the recovery; the trials between are no news."""
        now = self._clock()
        if new == "open" and self._since is None:
            self._since = now
            logger.warning(
                "%s does not answer; it is left alone, and tried every %g s",
                self.name,
                self._breaker.open_seconds,
                extra={"source": self.name},
            )
        elif new == "closed":
            since, self._since = self._since or now, None
            seconds = (now - since).total_seconds()
            logger.warning("%s answers again, after %.0f s", self.name, seconds, extra={"source": self.name})


_STATES: dict[str, State] = {"closed": "up", "open": "down", "half_open": "trying"}


class _Ticks:
    """The seconds that the breaker counts in."""

    def __init__(self, read: Callable[[], float]) -> None:
        self._read = read

    def monotonic(self) -> float:
        return self._read()


class _Failures:
    """What the breaker counts as a failure."""

    def __init__(self, kinds: tuple[type[Exception], ...]) -> None:
        self._kinds = kinds

    def is_failure(self, *, result: object, exception: Exception | None) -> bool:
        return isinstance(exception, self._kinds)


class _Changes:
    """What the breaker tells of its state."""

    def __init__(self, changed: Callable[[str, str], None]) -> None:
        self._changed = changed

    def on_state_change(self, *, name: str, old: object, new: object) -> None:
        self._changed(str(old), str(new))
