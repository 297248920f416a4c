"""Running a pack's function: in its thread or on the loop, under its time limit, with its bugs masked."""

import asyncio
import functools
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import anyio
import anyio.to_thread

from packhorse.contract.clock import request_id as new_request_id
from packhorse.contract.context import EXPECTED, Context, Door, Wire
from packhorse.contract.offers import Complete, Route, Tool
from packhorse.contract.packs import Foresight
from packhorse.contract.principal import Principal
from packhorse.contract.questions import Suspended
from packhorse.door.catalogue import Entry, RouteEntry, ToolEntry
from packhorse.door.shares import Place
from packhorse.errors import INTERNAL, Masked, RequestError, UserError
from packhorse.schema.parameters import is_async
from packhorse.settings import ServerSettings

logger = logging.getLogger("packhorse.dispatch")

FORESIGHT_SECONDS = 10
"""For a preview, which may have to judge a whole roster on a busy machine."""

MOST_PREVIEW = 600
"""Letters of a preview: a person reads it before they answer."""


class Stopping(UserError):  # noqa: N818 - names what happens to the server
    """A call that was under way when the server had to end."""

    def __init__(self) -> None:
        super().__init__(
            "This server is stopping, so the call was stopped; it may or may not have taken effect. Try again in"
            " a moment.",
            code="STOPPING",
            jsonrpc_code=INTERNAL,
        )


class Ended(UserError):  # noqa: N818 - names what happened to the call
    """A call that a person ended."""

    def __init__(self) -> None:
        super().__init__(
            "Somebody who may do so ended this call; it may or may not have taken effect.",
            code="CANCELLED",
            jsonrpc_code=INTERNAL,
        )


class GivenUp(UserError):  # noqa: N818 - names what happened to the call
    """A call that took longer than its limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"This took longer than its limit of {seconds:g} seconds and was stopped; it may or may not have taken"
            " effect. Ask for less at a time, or try again later.",
            code="TIMEOUT",
            jsonrpc_code=INTERNAL,
            details={"timeout_seconds": seconds},
        )


def bug(rid: str, entry: Entry, what: str) -> Masked:
    """Log the exception that is being handled with its traceback; what its caller hears instead."""
    logger.exception("%s of pack %s %s", entry.name, entry.pack, what, extra={"request_id": rid})
    return Masked(rid)


@dataclass(slots=True)  # not frozen, which would take longer to make than the rest of an admission; nobody changes it
class Requester:
    """Who asks, under which id, and what can be known of where from.

    ``wire`` is the client's side, where there is one; ``address`` what a
    caller without a verified subject is counted by; ``expected`` the version
    of the data that the call is meant for.
    """

    principal: Principal
    id: str = field(default_factory=new_request_id)
    wire: Wire | None = None
    address: str | None = None
    expected: str | None = None


class Running(NamedTuple):
    """One call under way, what is asked, and how many seconds it may take."""

    request: Requester
    entry: Entry
    seconds: float


class _AtOnce(anyio.CapacityLimiter):
    """Gives everything a thread at once: what runs in one has a `Place`, which has counted it already.

    To count it again takes a turn of the loop, a thirtieth of a call.
    """

    def __new__(cls) -> Self:
        return object.__new__(cls)

    def __init__(self) -> None:
        """Nothing is counted here."""

    async def __aenter__(self) -> None:
        """There is room."""

    async def __aexit__(self, *_: object) -> None:
        """Nothing was taken."""


_AT_ONCE = _AtOnce()


class Runner:
    """Runs what the door let through.

    ``door`` is what a call of a pack may use to call other tools; ``subject_hash`` a caller as the log names it.
    """

    def __init__(
        self,
        settings: ServerSettings,
        door: Callable[[Requester, str], Door],
        subject_hash: Callable[[Principal], str | None],
    ) -> None:
        self._settings = settings
        self._door = door
        self._subject_hash = subject_hash
        self.running: dict[anyio.CancelScope, Running] = {}
        self._ended: set[anyio.CancelScope] = set()
        self._stopping = False

    def give_up(self) -> None:
        self._stopping = True
        for scope in self.running:
            scope.cancel()

    def cancel(self, request_id: str) -> bool:
        """End the call of this id, and what it called: its caller hears `Ended`. Whether there is any. On the loop."""
        scopes = [
            scope
            for scope, (request, entry, _) in self.running.items()
            if request.id == request_id and not isinstance(entry, RouteEntry)  # a page shows how its call ended
        ]
        self._ended.update(scopes)
        for scope in scopes:
            scope.cancel()
        return bool(scopes)

    async def run(
        self,
        request: Requester,
        entry: Entry,
        bound: dict[str, Any],
        place: Place,
        *,
        before: Callable[[], Awaitable[None]] | None = None,
    ) -> Any:
        """What the pack's function returns for these validated arguments.

        ``before`` is awaited when every question has been answered and nothing
        has been done yet; what it raises, the caller hears.

        Raises:
            UserError: the pack's refusal; its time is up; or a bug, masked.
            RequestError: as another tool that it called raised it.
        """
        limit = entry.offer.timeout if isinstance(entry.offer, Tool | Route) else None
        seconds = limit or self._settings.timeout_seconds
        parameters = entry.parameters
        stopped = threading.Event()
        with _masked(request, entry, "failed", stopped):
            if parameters.context or parameters.resolved:
                context = self._context(request, entry, stopped)
            if parameters.resolved:
                resolved = await self._resolved(request, entry, bound, context)
                if isinstance(resolved, Suspended):
                    return resolved
                bound = {**bound, **resolved}
            if before is not None:
                await before()
            with self._within(seconds, request, entry):
                meant = EXPECTED.set(request.expected)
                try:
                    if parameters.context:
                        bound[parameters.context] = context
                    if entry.is_async:
                        return await entry.offer.fn(**bound)
                    return await self._in_thread(functools.partial(entry.offer.fn, **bound), place, seconds)
                finally:
                    EXPECTED.reset(meant)

    @contextmanager
    def _within(self, seconds: float, request: Requester, entry: Entry) -> Iterator[None]:
        """The block ends in its time, when the server must stop, or when somebody ends it.

        Raises:
            UserError: it was ended.
        """
        with anyio.move_on_after(seconds) as scope:
            self.running[scope] = Running(request, entry, seconds)
            ended = False
            try:
                yield
            finally:
                del self.running[scope]
                ended = scope in self._ended
                self._ended.discard(scope)
        if scope.cancelled_caught:
            if ended:
                raise Ended
            raise Stopping if self._stopping else GivenUp(seconds)

    def _context(self, request: Requester, entry: Entry, stopped: threading.Event) -> Context:
        return Context(
            request.principal,
            request.id,
            wire=request.wire,
            stopped=stopped,
            door=self._door(request, entry.pack),
            subject_hash=self._subject_hash(request.principal),
        )

    async def foresight(
        self, request: Requester, entry: ToolEntry, arguments: Mapping[str, Any], place: Place
    ) -> Foresight:
        """The tool's own preview and version for these validated arguments, within ``FORESIGHT_SECONDS``.

        Raises:
            UserError: the call would be refused; its time is up; or a bug, masked.
        """
        offer, stopped = entry.offer, threading.Event()
        context = self._context(request, entry, stopped)

        def asked() -> Foresight:
            version = offer.version(context, arguments) if offer.version is not None else None
            preview = offer.preview(context, arguments)[:MOST_PREVIEW] if offer.preview is not None else None
            return Foresight(preview, version, arguments)

        seconds = FORESIGHT_SECONDS
        with (
            _masked(request, entry, "could not say what it would do", stopped),
            self._within(seconds, request, entry),
        ):
            foresight: Foresight = await self._in_thread(asked, place, seconds)
        return foresight

    async def complete(
        self, request: Requester, entry: Entry, complete: Complete, typed: str, place: Place
    ) -> list[str]:
        """What a pack's function makes of what was typed; under the host's limits, as any other call.

        Raises:
            UserError: the pack's refusal; its time is up; or a bug, masked.
        """
        seconds = self._settings.timeout_seconds

        def listed() -> Any:
            found = complete(typed)
            # Here and not on the loop: a generator works when it is asked for its values.
            return found if isinstance(found, Awaitable) else [str(value) for value in found]

        with _masked(request, entry, "could not be completed"), self._within(seconds, request, entry):
            found = complete(typed) if is_async(complete) else await self._in_thread(listed, place, seconds)
            return [str(value) for value in (await found if isinstance(found, Awaitable) else found)]

    async def _resolved(
        self, request: Requester, entry: Entry, bound: Mapping[str, Any], context: Context
    ) -> Mapping[str, Any] | Suspended:
        """What the caller answered. It has longer than a call: a person may be filling in a form."""
        wire = request.wire
        if wire is None:
            raise UserError(
                "This needs a client that can answer questions during a call. The command line and other tools cannot.",
                code="NEEDS_CLIENT",
            )
        with self._within(self._settings.question_seconds, request, entry):
            answered: Mapping[str, Any] | Suspended = await wire.resolve(entry, bound, context)
        return answered

    async def _in_thread(self, work: Callable[[], Any], place: Place, seconds: float) -> Any:
        """Run ``work`` in a thread, which has ``seconds`` from now before it counts as overdue."""
        until = time.monotonic() + seconds
        give = place.hand_over()

        # The first decides: the thread that begins the call, or the caller that stops waiting before that.
        lock = threading.Lock()
        begun = given_up = ended = False

        def job() -> Any:
            nonlocal begun, ended
            with lock:
                if given_up:
                    return None
                begun = True
            try:
                return work()
            finally:
                ended = True
                give()

        try:
            return await anyio.to_thread.run_sync(job, abandon_on_cancel=True, limiter=_AT_ONCE)
        finally:
            with lock:
                given_up = not begun
            if given_up:
                give()
            elif not ended:  # its caller has an answer, or has gone
                left = until - time.monotonic()
                if left <= 0:
                    place.outlived()
                else:
                    asyncio.get_running_loop().call_later(left, place.outlived)


@contextmanager
def _masked(request: Requester, entry: Entry, failed: str, stopped: threading.Event | None = None) -> Iterator[None]:
    """The boundary between a pack's code and its callers: any exception of its own is a bug there, and masked.

    ``stopped`` is set at the end.
    """
    try:
        yield
    except (UserError, RequestError):
        raise
    except (Exception, SystemExit, asyncio.CancelledError) as exc:
        if is_caller_gone(exc):
            raise
        inner = _alone(exc)
        if isinstance(inner, UserError | RequestError):
            raise inner from exc
        raise bug(request.id, entry, failed) from exc
    finally:
        if stopped is not None:
            stopped.set()


def is_caller_gone(exc: BaseException) -> bool:
    """Whether a cancellation came from outside. One that a pack's code lets out would take the connection with it."""
    task = asyncio.current_task()
    return isinstance(exc, asyncio.CancelledError) and (task is None or task.cancelling() > 0)


def _alone(exc: BaseException) -> BaseException:
    """What a task group wrapped, where it is a single thing."""
    while isinstance(exc, BaseExceptionGroup) and len(exc.exceptions) == 1:
        exc = exc.exceptions[0]
    return exc
