"""What is told of every call, and of every job's end: to the audit record, the metrics, the log and the trace."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.contract.questions import InputRequired, Suspended
from packhorse.door.catalogue import Entry, ResourceEntry, ToolEntry, kind_of
from packhorse.door.execution import Request
from packhorse.door.outcomes import count_call, outcome_of_call, outcome_of_job, owner_of, seconds_between
from packhorse.door.repeats import Enter, Repeats
from packhorse.errors import AUTHENTICATION, RequestError, UserError
from packhorse.observe.events import Event, Outcome
from packhorse.observe.logs import request_id_var
from packhorse.observe.metrics import UNKNOWN, Kind, Meter, NoMetrics
from packhorse.observe.traces import recording, span

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
        self._repeats = Repeats()

    def open(
        self,
        kind: Kind,
        entry: Entry | None,
        request: Request,
        arguments: Mapping[str, Any] | None = None,
    ) -> "Visit":
        """A call that begins now; ``entry`` None where there is no such offer."""
        return Visit(self, kind, entry, request, arguments or {})

    def refused_at_the_door(
        self, error: RequestError, request_id: str, caller: str | None, entry: Entry | None = None
    ) -> str:
        """Record and count a request that was refused before it reached an offer; the id under which it is found.

        That is ``request_id``, or, of a caller (an address) who repeats the
        same refusal, the id of the entry that counts them. ``entry`` is the
        offer that it asked for, where it is known.
        """
        if entry is None:
            self.meter.refusal(UNKNOWN, error.error_type)
        else:
            outcome, _, code = outcome_of_call(error)
            count_call(self.meter, "tool", entry.name, outcome, code, 0)
        kind = (error.error_type, entry.name if entry else None)
        return self._repeats.take(caller, kind, request_id, partial(self._refused, error, entry))

    def _refused(self, error: RequestError, entry: Entry | None, caller: str | None) -> Enter:
        """Enters refusals of one kind in the record; those of an offer, which are calls, in the log too."""
        outcome, status, code = outcome_of_call(error)

        def enter(request_id: str, count: int) -> None:
            if entry is not None:
                named: dict[str, str | int] = {**named_in_log("tool", entry)}
                if count > 1:
                    named["count"] = count
                self.log(named, ANONYMOUS, request_id, outcome, code, 0)
            if self.record is not None:
                kind = "tool" if entry else "auth" if error.code == AUTHENTICATION else "door"
                name, pack = (entry.name, entry.pack) if entry else (error.error_type, None)
                event = Event(kind, name, ANONYMOUS, pack, caller, request_id, count=count)
                self.record.note(event, Outcome(status, code))

        return enter

    def settle(self) -> None:
        """Enter the refusals that were counted in the minutes that are over."""
        self._repeats.settle()

    def close(self) -> None:
        """Enter what was counted, before the record is closed."""
        self._repeats.close()

    def job_ended(self, job: "Job") -> None:
        """A job has ended: it is entered beside the call that started it, under the same request id.

        Waits for the record's file: not to be called on the loop.
        """
        outcome, status, code = outcome_of_job(job)
        principal = owner_of(job)
        seconds = seconds_between(job.created_at, job.finished_at or job.created_at)
        self.meter.job(job.tool, outcome)
        if self.record is not None:
            event = Event("job", job.tool, principal, request_id=job.request_id)
            self.record.note(event, Outcome(status, code, seconds * 1000))
            with suppress(UserError):  # while it cannot be written, it waits
                self.record.flush()
        self.log({"kind": "job", "tool": job.tool, "job": job.id}, principal, job.request_id, outcome, code, seconds)

    def log(
        self,
        named: Mapping[str, str | int],
        principal: Principal,
        request_id: str | None,
        outcome: str,
        code: str | None,
        seconds: float,
    ) -> None:
        """One line of a call or a job: what it was, whose, how it ended and how long it took. Nothing it was given.

        At level info; of one that ran out of time at level warning, because what it did is not known.
        """
        level = logging.WARNING if outcome == "timeout" else logging.INFO
        if not logger.isEnabledFor(level):
            return
        line: dict[str, Any] = {
            **named,
            "principal": principal.kind,
            "outcome": outcome,
            "ms": round(seconds * 1000, 1),
            "request_id": request_id,
        }
        kind = line.pop("kind")
        if (subject := self.subject_hash(principal)) is not None:
            line["subject"] = subject
        if code is not None:
            line["code"] = code
        # Made without a look for the calling line, which would take longer than all the rest.
        logger.handle(logger.makeRecord(logger.name, level, "", 0, "%s", (kind,), None, extra=line))

    def subject_hash(self, principal: Principal) -> str | None:
        """Whose calls these are, as the log says it; None for a caller without a subject."""
        if principal.subject is None:
            return None
        return self.pseudonym(f"{principal.claims.get('iss', '')} {principal.subject}")


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
            outcome, status, code = outcome_of_call(exc)
        elif isinstance(value[1] if type(value) is tuple else value, InputRequired | Suspended):
            outcome, status, code = "asked", "ok", "ASKED"
        else:
            outcome, status, code = "ok", "ok", None
        meter = self._accounts.meter
        if meter.enabled:
            name = self._entry.name if self._entry else UNKNOWN
            count_call(meter, self._kind, name, outcome, code, seconds)
        self._accounts.log(
            named_in_log(self._kind, self._entry), self._request.principal, self._request.id, outcome, code, seconds
        )
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


def named_in_log(kind: Kind, entry: Entry | None) -> dict[str, str]:
    """What was called, as registered: a name that is not is a caller's own text."""
    if entry is None:
        return {"kind": kind, kind: UNKNOWN}
    return {"kind": kind, kind_of(entry): entry.name, "pack": entry.pack}


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
    """Run a write in a worker thread to its end, even if its caller is cancelled: what was done is on record."""
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
