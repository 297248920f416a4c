"""Writes the beginnings and ends of calls down, those of one moment together, in a thread of its own."""

import asyncio
import logging
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import SimpleQueue

import anyio

from packhorse.contract.observers import ObservedCall, Observer, Outcome
from packhorse.errors import AuditUnavailable, UserError

logger = logging.getLogger("packhorse.observers")


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
        """Wait until it is written, also where the caller is cancelled once more."""
        with anyio.CancelScope(shield=True):
            while not self.is_written:
                self.done = asyncio.get_running_loop().create_future()
                with suppress(asyncio.CancelledError, UserError):  # a plain task.cancel() knows no shield
                    await self.done


class Writer:
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
        if batch:
            self._batches.put(batch)

    def _written(self, batch: Sequence[_Waiting], stopped: Mapping[ObservedCall, UserError]) -> None:
        for one in batch:
            one.written(stopped.get(one.call) if one.outcome is None else None)
        self._is_writing = bool(self._gathered)
        if self._gathered:
            self._hand_over()

    def _write(self) -> None:
        while (batch := self._batches.get()) is not None:
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
