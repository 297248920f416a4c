"""Telling the observers of every call, and of every job's end."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, cast

from packhorse.contract.content import Reply
from packhorse.contract.observers import UNKNOWN, ObservedCall, Observer, Outcome, OutcomeWord
from packhorse.contract.principal import ANONYMOUS, Principal
from packhorse.contract.principal import Kind as PrincipalKind
from packhorse.contract.questions import InputRequired, Suspended
from packhorse.door.catalogue import Entry, ResourceEntry, ToolEntry, kind_of
from packhorse.door.execution import Ended, GivenUp, Requester, Stopping
from packhorse.door.limits import RATE_LIMITED
from packhorse.door.record_writer import Writer
from packhorse.door.repeats import Enter, Repeats
from packhorse.errors import AUTHENTICATION, AUTHORIZATION, Masked, RequestError, UserError
from packhorse.observe.logs import request_id_var

if TYPE_CHECKING:
    from packhorse.jobs import Job

logger = logging.getLogger("packhorse.observers")

Ends = Callable[[ObservedCall, Outcome], None]


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
        self._writer = Writer(begin)
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
        word, code = _outcome_of_call(error)
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
        word, code = _outcome_of_job(job)
        seconds = _seconds_between(job.created_at, job.finished_at or job.created_at)
        call = ObservedCall("job", job.tool, _owner_of(job), job.request_id, offer="tool", job=job.id)
        _tell([one.job_ended for one in self.observers], call, Outcome(word, code, seconds))


def _overrides(observer: Observer, method: str) -> bool:
    return getattr(type(observer), method) is not getattr(Observer, method)


def _tell(observers: Sequence[Ends], call: ObservedCall, outcome: Outcome) -> None:
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
            word, code = _outcome_of_call(exc)
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


# --- how calls and jobs end, in the words that observers get ---


def _outcome_of_call(exc: BaseException) -> tuple[OutcomeWord, str | None]:
    """An exception as an outcome, with its code."""
    match exc:
        case Masked():
            return "failed", exc.code
        case GivenUp() | Stopping():
            return "timeout", exc.code
        case Ended():
            return "cancelled", exc.code
        case UserError():
            return "refused", exc.code
        case RequestError() if exc.code in (AUTHORIZATION, AUTHENTICATION):
            return "denied", exc.error_type
        case RequestError() if exc.code == RATE_LIMITED:
            return "limited", exc.error_type
        case RequestError():
            return "refused", exc.error_type
        case asyncio.CancelledError():
            return "cancelled", None
    return "failed", None


def _outcome_of_job(job: "Job") -> tuple[OutcomeWord, str | None]:
    """How a job ended, in the same words as a call."""
    if job.status == "completed":
        return "ok", None
    if job.status == "cancelled":
        return "cancelled", None
    refused = (job.error or {}).get("refused")
    if refused is None:
        return "refused", "JOB_FAILED"
    code = str(refused["code"])
    if code == "TIMEOUT":
        return "timeout", code
    return ("failed" if code in _FAULTS else "refused"), code


_FAULTS = frozenset({"INTERNAL_ERROR", "WORK_DIED", "OUT_OF_MEMORY"})


def _owner_of(job: "Job") -> Principal:
    """Whose job it is."""
    kind, _, issuer = job.owner.issuer.partition(":")
    claims = {"iss": issuer} if issuer else {}
    return Principal(cast("PrincipalKind", kind), job.owner.subject or None, claims=claims)


def _seconds_between(begin: str, end: str) -> float:
    """Seconds from one time in ISO 8601 to another; 0 where the second is earlier."""
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds())
