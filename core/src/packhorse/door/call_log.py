"""Telling the observers of every call, and of every job's end."""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Self

import anyio

from packhorse.contract.content import Reply
from packhorse.contract.observers import UNKNOWN, ObservedCall, Observer, Outcome
from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.contract.questions import InputRequired, Suspended
from packhorse.door.catalogue import Entry, ResourceEntry, ToolEntry, kind_of
from packhorse.door.execution import Requester
from packhorse.door.outcomes import outcome_of_call, outcome_of_job, owner_of, seconds_between
from packhorse.door.repeats import Enter, Repeats
from packhorse.errors import AUTHENTICATION, AuditUnavailable, RequestError, UserError
from packhorse.observe.logs import request_id_var

if TYPE_CHECKING:
    from packhorse.jobs import Job

logger = logging.getLogger("packhorse.observers")

Told = Callable[[ObservedCall, Outcome], None]


class Accounts:
    """Opens a `Visit` for each call. Whom to tell what is worked out once, from what each observer overrides."""

    def __init__(
        self,
        observers: Sequence[Observer] = (),
        subject_hash: Callable[[Principal], str | None] = lambda principal: None,
    ) -> None:
        self.observers = tuple(observers)
        self.subject_hash = subject_hash
        """A caller as the log names it: one can see that two calls were the same person's, and not whose."""
        begin = [one for one in observers if _overrides(one, "begins") or _overrides(one, "together")]
        self._arrive = [one.arrives for one in observers if _overrides(one, "arrives")]
        self._end_begun = [one.ends for one in begin]
        self._end = [one.ends for one in observers if one not in begin and _overrides(one, "ends")]
        self._writer = _Writer(begin)
        self._refused = {
            grouped: [one.refused for one in observers if one.groups_refusals is grouped] for grouped in (True, False)
        }
        self._repeats = Repeats()

    @property
    def record(self) -> Observer | None:
        """The first open observer without which nothing may be changed; None where there is none."""
        return next((one for one in self.observers if one.essential and one.is_open), None)

    @property
    def available(self) -> bool:
        """Whether every observer that is essential can take a call now."""
        return all(one.available for one in self.observers if one.essential)

    def open(
        self, kind: str, entry: Entry | None, request: Requester, arguments: Mapping[str, Any] | None = None
    ) -> "Visit":
        """A call that arrives now; ``entry`` None where there is no such offer."""
        return Visit(self, _observed(kind, entry, request.principal, request.id, request.address, arguments or {}))

    def refused_at_the_door(
        self,
        error: RequestError,
        request_id: str,
        caller: str | None,
        entry: Entry | None = None,
        principal: Principal = ANONYMOUS,
    ) -> str:
        """Tell of a request that was refused before it reached an offer; the id under which it is found.

        That is ``request_id``, or, of a caller (an address) who repeats the
        same refusal, the id of the entry that counts them. ``entry`` is the
        offer that it asked for, and ``principal`` who asked, where they are known.
        """
        word, code = outcome_of_call(error)
        outcome = Outcome(word, code, error=error)
        kind = "tool" if entry else "auth" if error.code == AUTHENTICATION else "door"
        _tell(self._refused[False], self._turned_away(kind, error, entry, principal, caller, request_id), outcome)

        def entering(caller: str | None) -> Enter:
            def enter(request_id: str, count: int) -> None:
                call = self._turned_away(kind, error, entry, principal, caller, request_id)
                call.count = count
                _tell(self._refused[True], call, outcome)

            return enter

        alike = (error.error_type, entry.name if entry else principal.subject)
        return self._repeats.take(caller, alike, request_id, entering)

    def _turned_away(
        self,
        kind: str,
        error: RequestError,
        entry: Entry | None,
        principal: Principal,
        caller: str | None,
        request_id: str,
    ) -> ObservedCall:
        if entry is None:
            return ObservedCall(kind, error.error_type, principal, request_id, address=caller)
        return _observed(kind, entry, principal, request_id, caller, {})

    def noted(self, call: ObservedCall) -> None:
        for observer in self.observers:
            try:
                observer.noted(call)
            except Exception:
                # Whatever an observer may raise: what was done is done.
                logger.exception("an observer failed")

    def settle(self) -> None:
        """Tell of the refusals that were counted in the minutes that are over."""
        self._repeats.settle()

    def close(self) -> None:
        """Tell of what was counted, before the observers close."""
        self._repeats.close()
        self._writer.close()

    def job_ended(self, job: "Job") -> None:
        """Tell of the end of a job, under the request id of the call that started it. Not to be called on the loop."""
        word, code = outcome_of_job(job)
        seconds = seconds_between(job.created_at, job.finished_at or job.created_at)
        call = ObservedCall("job", job.tool, owner_of(job), job.request_id, offer="tool", job=job.id)
        _tell([one.job_ended for one in self.observers], call, Outcome(word, code, seconds))


def _overrides(observer: Observer, method: str) -> bool:
    return getattr(type(observer), method) is not getattr(Observer, method)


def _tell(observers: Sequence[Told], call: ObservedCall, outcome: Outcome) -> None:
    for tell in observers:
        try:
            tell(call, outcome)
        except Exception:
            # Whatever an observer may raise: what was done is done, and its caller gets the answer.
            logger.exception("an observer failed")


def _observed(
    kind: str,
    entry: Entry | None,
    principal: Principal,
    request_id: str,
    address: str | None,
    arguments: Mapping[str, Any],
) -> ObservedCall:
    if isinstance(entry, ToolEntry):
        schema, effectful = entry.arguments.schema, not entry.offer.read_only
        return ObservedCall(
            kind, entry.name, principal, request_id, entry.pack, address, "tool", None, effectful, arguments, schema
        )
    if entry is None:
        return ObservedCall(kind, UNKNOWN, principal, request_id, None, address, kind)
    uri = entry.offer.uri if isinstance(entry, ResourceEntry) else None
    return ObservedCall(kind, entry.name, principal, request_id, entry.pack, address, kind_of(entry), uri)


class Visit:
    """One call, from the door to its answer: a block that sets ``value`` to what the call came to.

    `close` ends what has no block.
    """

    __slots__ = ("_accounts", "_call", "_has_begun", "_started", "_token", "value")

    def __init__(self, accounts: Accounts, call: ObservedCall) -> None:
        self._accounts = accounts
        self._call = call
        self.value: Any = None
        self._has_begun = False
        self._started = time.perf_counter()
        self._token = request_id_var.set(call.request_id)
        for arrives in accounts._arrive:  # noqa: SLF001 - a visit is a part of its accounts
            try:
                arrives(call)
            except Exception:
                # Whatever an observer may raise: the call is still to be served.
                logger.exception("an observer failed")

    async def begin(self) -> None:
        """Tell that the call is about to take effect.

        Raises:
            UserError: an essential observer cannot take it, so the call must not run.
        """
        writer = self._accounts._writer  # noqa: SLF001
        if writer.observers:
            self._has_begun = True
            await writer.write(self._call)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, exc: BaseException | None, trace: object) -> None:
        writing = self.close(exc)
        if writing is not None:
            await writing

    def close(self, exc: BaseException | None = None) -> Awaitable[None] | None:
        """The call has ended, with an exception or not; what is returned, if anything, is still to be awaited."""
        seconds = time.perf_counter() - self._started
        request_id_var.reset(self._token)
        if exc is not None:
            word, code = outcome_of_call(exc)
            outcome = Outcome(word, code, seconds, exc)
        elif isinstance(self.value, InputRequired | Suspended):
            outcome = Outcome("asked", "ASKED", seconds)
        elif isinstance(self.value, Reply) and self.value.recorded is not None:
            word, code = self.value.recorded
            outcome = Outcome(word, code, seconds)
        else:
            outcome = Outcome("ok", None, seconds)
        accounts = self._accounts
        _tell(accounts._end, self._call, outcome)  # noqa: SLF001
        if self._has_begun:
            return accounts._writer.write(self._call, outcome)  # noqa: SLF001
        _tell(accounts._end_begun, self._call, outcome)  # noqa: SLF001
        return None


class _Waiting:
    """A call that waits until its beginning, or its end, has been written."""

    __slots__ = ("call", "done", "is_written", "outcome")

    def __init__(self, call: ObservedCall, outcome: Outcome | None, done: "asyncio.Future[None]") -> None:
        self.call = call
        self.outcome = outcome
        self.done = done
        self.is_written = False

    def written(self, error: UserError | None) -> None:
        self.is_written = True
        if self.done.done():  # its caller was cancelled
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)

    async def cancelled(self) -> None:
        """Wait on, whoever cancels."""
        with anyio.CancelScope(shield=True):
            while not self.is_written:
                self.done = asyncio.get_running_loop().create_future()
                with suppress(asyncio.CancelledError, UserError):  # a plain task.cancel() knows no shield
                    await self.done


class _Writer:
    """Tells observers of calls that begin and end: while it does, the next ones gather.

    It does so in a thread of its own: whatever else is busy, what is about to happen is written down.
    """

    def __init__(self, observers: Sequence[Observer]) -> None:
        self.observers = observers
        self._loop: asyncio.AbstractEventLoop | None = None
        self._gathered: list[_Waiting] = []
        self._is_writing = False
        self._batches: SimpleQueue[list[_Waiting] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    async def write(self, call: ObservedCall, outcome: Outcome | None = None) -> None:
        """Tell that a call is about to take effect, or how it ended; to the end, even if its caller is cancelled.

        Raises:
            UserError: an essential observer could not take it.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._write, name="packhorse record", daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._gathered, self._is_writing = loop, [], False
        one = _Waiting(call, outcome, loop.create_future())
        self._gathered.append(one)
        if not self._is_writing:
            self._is_writing = True
            loop.call_soon(self._hand_over)  # with those that come in this turn of the loop
        try:
            await one.done
        except asyncio.CancelledError:
            await one.cancelled()
            raise

    def close(self) -> None:
        """End the thread, which the next call would start again."""
        if self._thread is not None:
            self._batches.put(None)
            self._thread = None

    def _hand_over(self) -> None:
        batch, self._gathered = self._gathered, []
        self._batches.put(batch)

    def _written(self, batch: Sequence[_Waiting], stopped: Mapping[ObservedCall, UserError]) -> None:
        for one in batch:
            one.written(stopped.get(one.call) if one.outcome is None else None)
        self._is_writing = bool(self._gathered)
        if self._gathered:
            self._hand_over()

    def _write(self) -> None:
        while batch := self._batches.get():
            begun = [one.call for one in batch if one.outcome is None]
            ended = [(one.call, one.outcome) for one in batch if one.outcome is not None]
            stopped = self._tell(begun, ended)
            with suppress(RuntimeError):  # the loop was closed meanwhile
                batch[0].done.get_loop().call_soon_threadsafe(self._written, batch, stopped)

    def _tell(
        self, begun: Sequence[ObservedCall], ended: Sequence[tuple[ObservedCall, Outcome]]
    ) -> Mapping[ObservedCall, UserError]:
        """Tell each observer; the calls that must not take effect, each with its refusal."""
        stopped: dict[ObservedCall, UserError] = {}
        for observer in self.observers:
            going = [call for call in begun if call not in stopped]
            try:
                failures = dict(observer.together(going, ended))
            except Exception as exc:
                # Whatever an observer may raise: only one that is essential stops the calls.
                failures = dict.fromkeys(going, exc)
            for call, failure in failures.items():
                if not isinstance(failure, UserError):
                    logger.error("an observer failed", exc_info=failure)
                if observer.essential and call in going:
                    stopped[call] = failure if isinstance(failure, UserError) else AuditUnavailable()
        return stopped
