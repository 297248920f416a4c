"""What is told of every call: to the audit record, to the metrics, to the log and the trace."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Protocol

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from packhorse.catalogue import Entry, ResourceEntry, ToolEntry
from packhorse.errors import AUTHENTICATION, AUTHORIZATION, RequestError, UserError
from packhorse.events import Event, Outcome, Status
from packhorse.execution import GivenUp, Masked, Request, Stopping
from packhorse.limits import RATE_LIMITED
from packhorse.logs import request_id_var
from packhorse.metrics import UNKNOWN, Kind, Meter, NoMetrics
from packhorse.principal import Principal
from packhorse.questions import InputRequired, Suspended
from packhorse.traces import recording, span


class Record(Protocol):
    """The audit record, as calls are entered in it; see `packhorse.audit.AuditLog`."""

    @property
    def available(self) -> bool: ...

    def allowed(self, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]: ...
    def begin(self, event: Event) -> str: ...
    def end(self, event_id: str, outcome: Outcome) -> None: ...
    def note(self, event: Event | Callable[[], Event], outcome: Outcome) -> None: ...
    def flush(self) -> None: ...


class Accounts:
    """Opens a `Visit` for each call. What is not wanted (``record`` None, `NoMetrics`) is told nothing."""

    def __init__(self) -> None:
        self.record: Record | None = None
        self.meter: Meter = NoMetrics()

    def open(
        self,
        kind: Kind,
        entry: Entry | None,
        request: Request,
        arguments: Mapping[str, Any] | None = None,
    ) -> "Visit":
        """A call that begins now; ``entry`` None where there is no such offer."""
        return Visit(self, kind, entry, request, arguments or {})

    def refused_at_the_door(self, error: RequestError, rid: str, address: str | None) -> None:
        """Record a credential that did not hold."""
        if self.record is not None:
            event = Event("auth", error.error_type, _NOBODY, address=address, request_id=rid)
            self.record.note(event, Outcome("denied", error.error_type))


_NOBODY = Principal("anonymous")
_WRITERS = 4  # one writes, and the rows of those who wait go with it


class Visit:
    """One call, from the door to its answer, which `close` is told of: once, whatever came of it."""

    __slots__ = ("_accounts", "_arguments", "_begun", "_entry", "_kind", "_request", "_span", "_started", "_token")

    def __init__(
        self,
        accounts: Accounts,
        kind: Kind,
        entry: Entry | None,
        request: Request,
        arguments: Mapping[str, Any],
    ) -> None:
        self._accounts = accounts
        self._kind = kind
        self._entry = entry
        self._request = request
        self._arguments = arguments
        self._begun: str | None = None
        self._started = time.perf_counter()
        self._token = request_id_var.set(request.id)
        self._span = self._traced() if recording() else None

    def _traced(self) -> AbstractContextManager[None]:
        name, pack = (self._entry.name, self._entry.pack) if self._entry else (UNKNOWN, UNKNOWN)
        traced = span(
            f"dispatch {self._kind} {name}",
            {
                "packhorse.kind": self._kind,
                "packhorse.name": name,
                "packhorse.pack": pack,
                "packhorse.principal.kind": self._request.principal.kind,
                "packhorse.request_id": self._request.id,
            },
        )
        traced.__enter__()
        return traced

    async def begin(self) -> None:
        """Write down that the call is about to take effect.

        Raises:
            AuditUnavailable: it cannot be written down, so the call must not run.
        """
        record = self._accounts.record
        if record is not None:
            event = self._event()

            def enter() -> None:
                self._begun = record.begin(event)

            await _surely(enter)

    def close(self, value: Any = None, exc: BaseException | None = None) -> Awaitable[None] | None:
        """The call came to ``value`` (its entry may stand before it), or to ``exc``.

        What is returned, if anything, is still to be awaited.
        """
        seconds = time.perf_counter() - self._started
        request_id_var.reset(self._token)
        if self._span is not None:
            self._span.__exit__(type(exc) if exc else None, exc, exc.__traceback__ if exc else None)
        if exc is not None:
            outcome, status, code = _told_of(exc)
        elif isinstance(value[1] if type(value) is tuple else value, InputRequired | Suspended):
            outcome, status, code = "asked", "ok", "ASKED"
        else:
            outcome, status, code = "ok", "ok", None
        meter = self._accounts.meter
        if meter.enabled:
            self._count(meter, outcome, code, seconds)
        record = self._accounts.record
        if record is None or self._entry is None:
            return None
        ended = Outcome(status, code, seconds * 1000)
        if self._begun is not None:
            return _surely(partial(record.end, self._begun, ended))
        record.note(self._event, ended)
        return None

    def _event(self) -> Event:
        entry, record = self._entry, self._accounts.record
        tool = entry if isinstance(entry, ToolEntry) else None
        return Event(
            self._kind,
            # Of a template the template: what a caller wrote into the URI is an argument, and not recorded.
            entry.offer.uri if isinstance(entry, ResourceEntry) else entry.name if entry else UNKNOWN,
            self._request.principal,
            pack=entry.pack if entry else None,
            address=self._request.address,
            request_id=self._request.id,
            effectful=tool is not None and not tool.offer.read_only,
            arguments=partial(record.allowed, self._arguments, tool.arguments.schema) if tool and record else {},
        )

    def _count(self, meter: Meter, outcome: str, code: str | None, seconds: float) -> None:
        name = self._entry.name if self._entry else UNKNOWN
        meter.call(self._kind, name, outcome, seconds)
        if code is not None and outcome in ("refused", "denied", "limited"):
            meter.refusal(name, code)
        if outcome == "limited":
            meter.limited(name)


def _told_of(exc: BaseException) -> tuple[str, Status, str | None]:
    """An exception as an outcome for the metrics, a status for the record, and a code for both."""
    match exc:
        case Masked():
            return "failed", "failed", exc.code
        case GivenUp() | Stopping():
            return "timeout", "timeout", exc.code
        case UserError():
            return "refused", "refused", exc.code
        case RequestError() if exc.code in (AUTHORIZATION, AUTHENTICATION):
            return "denied", "denied", exc.error_type
        case RequestError() if exc.code == RATE_LIMITED:
            return "limited", "refused", exc.error_type
        case RequestError():
            return "refused", "refused", exc.error_type
        case asyncio.CancelledError():
            return "cancelled", "cancelled", None
    return "failed", "failed", None


_LIMITER: RunVar[anyio.CapacityLimiter] = RunVar("packhorse.record")


def _threads() -> anyio.CapacityLimiter:
    """Threads of the record's own: whatever else is busy, what is about to happen is written down."""
    try:
        return _LIMITER.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(_WRITERS)
        _LIMITER.set(limiter)
        return limiter


async def _surely(step: Callable[[], Any]) -> Any:
    """Run a write in a worker thread to its end, whoever is cancelled meanwhile: what was done is on record."""
    with anyio.CancelScope(shield=True):
        writing = asyncio.ensure_future(anyio.to_thread.run_sync(step, limiter=_threads()))
        cancelled: asyncio.CancelledError | None = None
        while not writing.done():
            try:
                await asyncio.shield(writing)
            except asyncio.CancelledError as exc:  # a plain task.cancel() knows no shield
                cancelled = exc
        value = writing.result()
    if cancelled is not None:
        raise cancelled
    return value
