"""What is told of every call, and of every job's end: to the audit record, the metrics, the log and the trace."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from packhorse.catalogue import Entry, ResourceEntry, ToolEntry
from packhorse.errors import AUTHENTICATION, AUTHORIZATION, Masked, RequestError, UserError
from packhorse.events import Event, Outcome, Status
from packhorse.execution import GivenUp, Request, Stopping
from packhorse.limits import RATE_LIMITED
from packhorse.logs import request_id_var
from packhorse.metrics import UNKNOWN, Kind, Meter, NoMetrics
from packhorse.principal import Kind as PrincipalKind
from packhorse.principal import Principal
from packhorse.questions import InputRequired, Suspended
from packhorse.traces import recording, span

if TYPE_CHECKING:
    from packhorse.jobs import Job

logger = logging.getLogger("packhorse.calls")


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
        self.pseudonym: Callable[[str], str] = lambda subject: ""
        """A subject as the log names it: one can see that two calls were the same person's, and not whose."""

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
        """Record and count a request that reached no offer: its credential did not hold, or it was none to answer."""
        if self.record is not None:
            denied = error.code == AUTHENTICATION
            event = Event("auth" if denied else "door", error.error_type, _NOBODY, address=address, request_id=rid)
            self.record.note(event, Outcome("denied" if denied else "refused", error.error_type))
        self.meter.refusal(UNKNOWN, error.error_type)

    def job_ended(self, job: "Job") -> None:
        """A job has ended: it is entered beside the call that started it, under the same request id.

        Waits for the record's file: not to be called on the loop.
        """
        outcome, status, code = _ended(job)
        principal = _owner(job)
        seconds = _seconds_between(job.created_at, job.finished_at or job.created_at)
        self.meter.job(job.tool, outcome)
        if self.record is not None:
            event = Event("job", job.tool, principal, request_id=job.request_id)
            self.record.note(event, Outcome(status, code, seconds * 1000))
            with suppress(UserError):  # while it cannot be written, it waits
                self.record.flush()
        self.log({"kind": "job", "tool": job.tool, "job": job.id}, principal, job.request_id, outcome, code, seconds)

    def log(
        self,
        named: Mapping[str, str],
        principal: Principal,
        request_id: str | None,
        outcome: str,
        code: str | None,
        seconds: float,
    ) -> None:
        """One line of a call or a job: what it was, whose, how it ended and how long it took. Nothing it was given."""
        if not logger.isEnabledFor(logging.INFO):
            return
        line = {
            **named,
            "principal": principal.kind,
            "outcome": outcome,
            "milliseconds": round(seconds * 1000, 3),
            "request_id": request_id,
        }
        if principal.subject is not None:
            line["subject"] = self.pseudonym(f"{principal.claims.get('iss', '')} {principal.subject}")
        if code is not None:
            line["code"] = code
        # Made without a look for the calling line, which would take longer than all the rest.
        logger.handle(logger.makeRecord(logger.name, logging.INFO, "", 0, "%s", (named["kind"],), None, extra=line))


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
        self._accounts.log(self._named(), self._request.principal, self._request.id, outcome, code, seconds)
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

    def _named(self) -> dict[str, str]:
        """What was called, as registered: a name that is not is a caller's own text."""
        entry = self._entry
        if entry is None:
            return {"kind": self._kind, self._kind: UNKNOWN}
        field = "tool" if isinstance(entry, ToolEntry) else "resource" if isinstance(entry, ResourceEntry) else "prompt"
        return {"kind": self._kind, field: entry.name, "pack": entry.pack}

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


def _ended(job: "Job") -> tuple[str, Status, str | None]:
    """How a job ended, in the same words as a call."""
    if job.status == "completed":
        return "ok", "ok", None
    if job.status == "cancelled":
        return "cancelled", "cancelled", None
    refused = (job.error or {}).get("refused")
    if refused is None:
        return "refused", "refused", "JOB_FAILED"
    code = str(refused["code"])
    if code == "TIMEOUT":
        return "timeout", "timeout", code
    return ("failed", "failed", code) if code in _FAULTS else ("refused", "refused", code)


_FAULTS = frozenset({"INTERNAL_ERROR", "WORK_DIED", "OUT_OF_MEMORY"})


def _owner(job: "Job") -> Principal:
    kind, _, issuer = job.owner.issuer.partition(":")
    claims = {"iss": issuer} if issuer else {}
    return Principal(cast("PrincipalKind", kind), job.owner.subject or None, claims=claims)


def _seconds_between(begin: str, end: str) -> float:
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds())


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
