"""Where dispatch writes what was done, by whom, and how it ended."""

from __future__ import annotations

import atexit
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from packhorse.audit.allow import allowed
from packhorse.audit.chain import Chain
from packhorse.audit.keys import Keys
from packhorse.audit.masking import Mask
from packhorse.audit.record import Entry, about_call, about_outcome, entry
from packhorse.audit.table import file_errors
from packhorse.contract.clock import Clock, ids
from packhorse.contract.observers import ObservedCall, Outcome
from packhorse.errors import AuditUnavailable, PackhorseError

logger = logging.getLogger("packhorse.audit")

LATE_SECONDS = 0.5
"""How long a note waits for others to be written together with it. One second is promised; half is for the writing."""

CAPACITY = 4096
"""Notes that may wait. When so many do, a call waits while its own is written."""

BATCH = 256
"""Notes in one transaction: some three milliseconds, which a call that must be recorded at once may have to wait."""

BUSY_SECONDS = 30
"""How long one process waits for another's turn; eight writers with ``full_sync`` were seen to need 4.3 s."""


class AuditLog:
    """The audit record of this host, open for writing. From any thread; any number of processes on one file.

    `write` is for calls that change something, before and after they run;
    `note` for calls that only read, and for denials.
    """

    def __init__(
        self,
        path: Path,
        *,
        anchor: Path | None = None,
        key: bytes | None = None,
        full_sync: bool = False,
        clock: Clock,
        mask: Mask,
        wait_seconds: float = BUSY_SECONDS,
        capacity: int = CAPACITY,
    ) -> None:
        """Open the record at ``path``, or begin one.

        ``anchor`` is where the chain's head is kept (`anchor_of` when None).
        ``key``, at least 32 bytes, keeps those who can write the files from
        writing the chain again. ``full_sync`` forces each commit to the disk, so
        that a power cut loses nothing: slow beside the rest.

        Raises:
            PackError: the record cannot be written, is of a newer version or
                of another key, or does not go on from its anchor.
        """
        self._keys = Keys(key)
        self._chain = Chain(
            path, anchor or anchor_of(path), self._keys, full_sync=full_sync, wait_seconds=wait_seconds, clock=clock
        )
        self._clock = clock
        self._mask = mask
        self._new_id = ids(clock)
        self._capacity = capacity
        self._file = threading.Lock()  # its holder uses the connection
        self._notes: deque[Callable[[], Entry]] = deque()
        self._draining = threading.Lock()
        self._counting = threading.Lock()
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._writer: threading.Thread | None = None
        self._broken = False
        self._lost = 0
        self._closed = False
        atexit.register(self.close)

    @property
    def available(self) -> bool:
        """Whether the last attempt to write succeeded. While it is False, calls are likely to be refused."""
        return not self._broken and not self._closed

    def write(self, begun: Sequence[ObservedCall], ended: Sequence[tuple[str, Outcome]]) -> list[str | None]:
        """Record, in one transaction, that calls are about to run and how others ended, by the ids of their rows.

        Gives the id to end each call with, or None where it could not be
        recorded, so that it must not run. What is given is written, and
        anchored, on return; an end that could not be written is kept, and
        written when it can be.

        Waits for other writers, `BUSY_SECONDS` at the most: call it from a
        worker thread where the event loop must not stand still.
        """
        begins = [self._begin(call) for call in begun]
        ends = [
            entry(self._new_id, self._clock(), "end", begin=row, outcome=about_outcome(outcome, self._mask))
            for row, outcome in ended
        ]
        rows = [*ends, *(row for row in begins if row is not None)]
        with self._file:
            written = bool(rows) and not self._closed and self._attempt(lambda: self._chain.append(rows))
            anchored = written and self._anchored()
        if not written:
            for row in ends:
                self._later(partial(replace, row))
        elif not anchored:
            # A call that does not run has an end too.
            self.write((), [(row.id, Outcome("refused", AuditUnavailable().code)) for row in begins if row is not None])
        return [row.id if row is not None and anchored else None for row in begins]

    def _about(self, call: ObservedCall) -> dict[str, Any]:
        arguments = allowed(call.arguments, call.schema, keys=self._keys) if call.schema else {}
        return about_call(call, arguments, self._mask)

    def _begin(self, call: ObservedCall) -> Entry | None:
        try:
            return entry(self._new_id, self._clock(), "begin", call=self._about(call))
        except Exception as exc:
            # Whatever the call was filled with: one that cannot be recorded does not run.
            logger.error("a call cannot be recorded: %s", type(exc).__name__)  # noqa: TRY400  # its text may repeat an argument
            return None

    def note(self, call: ObservedCall, outcome: Outcome) -> None:
        """Record a call that only read, or that was denied: in another thread, at most a second late.

        It does not raise, and drops nothing while the file can be written.
        While it cannot, notes wait; those beyond the capacity are counted, and
        later their number is recorded in their place.
        """
        at = self._clock()

        def made() -> Entry:
            about = {"call": self._about(call), "outcome": about_outcome(outcome, self._mask)}
            return entry(self._new_id, at, "note", **about)

        self._later(made)

    def flush(self) -> None:
        """Write all notes that wait, now.

        Raises:
            AuditUnavailable: they could not be written; they wait on.
        """
        if not self._drain():
            raise AuditUnavailable

    def close(self) -> None:
        """Write what waits, and the anchor, and close the file. Once; again does nothing."""
        self._stop.set()
        self._wake.set()
        if self._writer is not None:
            self._writer.join()
        self._drain()
        with self._file:
            if not self._closed:
                self._closed = True
                self._chain.close()
        if self._notes:
            logger.error("%d notes could not be written to the audit record", len(self._notes))
            self._notes.clear()
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- rows that nobody waits for ---

    def _later(self, made: Callable[[], Entry]) -> None:
        if self._closed:
            logger.error("a call ended after the audit record was closed, and is not in it")
            return
        if len(self._notes) >= self._capacity and (self._broken or not self._drain()):
            with self._counting:
                self._lost += 1
            return
        self._notes.append(made)
        if self._writer is None:
            self._start()
        if not self._wake.is_set():
            self._wake.set()

    def _start(self) -> None:
        with self._counting:
            if self._writer is None:
                # A daemon, so that a host that forgot to close still ends: `close` runs at exit, and waits for it.
                writer = threading.Thread(target=self._write_notes, name="packhorse audit", daemon=True)
                with suppress(RuntimeError):  # the interpreter is ending: then `close` writes what waits
                    writer.start()
                    self._writer = writer

    def _write_notes(self) -> None:
        while not self._stop.is_set():
            self._wake.wait()
            self._stop.wait(LATE_SECONDS)
            self._wake.clear()
            if not self._drain():
                self._wake.set()

    def _drain(self) -> bool:
        """Write all notes that wait, in batches between which others get their turn; False when that failed."""
        with self._draining:
            while self._notes or self._lost:
                waiting = [self._notes[index] for index in range(min(BATCH, len(self._notes)))]
                entries, lost = self._built(waiting)
                with self._file:
                    if self._closed or not self._attempt(partial(self._chain.append, entries)):
                        return False
                for _ in waiting:
                    self._notes.popleft()
                with self._counting:
                    self._lost -= lost
            with self._file:
                return not self._closed and self._anchored()

    def _built(self, waiting: Iterable[Callable[[], Entry]]) -> tuple[list[Entry], int]:
        """Rows, led by one that says how many were lost, and that number."""
        entries = []
        unreadable = 0
        for made in waiting:
            try:
                entries.append(made())
            except Exception as exc:
                # Whatever a call was filled with: one that cannot be written must not keep the others waiting.
                unreadable += 1
                logger.error("a note cannot be recorded: %s", type(exc).__name__)  # noqa: TRY400  # its text may repeat an argument
        lost = self._lost
        if lost + unreadable:
            entries.insert(0, entry(self._new_id, self._clock(), "gap", lost=lost + unreadable))
        return entries, lost

    # --- both ---

    def _anchored(self) -> bool:
        done = self._attempt(self._chain.anchor)
        if done and self._broken:
            self._broken = False
            logger.warning("the audit record can be written again")
        return done

    def _attempt(self, step: Callable[[], None]) -> bool:
        try:
            step()
        except file_errors(PackhorseError) as exc:
            if not self._broken:
                logger.error("the audit record cannot be written: %s", exc)  # noqa: TRY400  # said once, in words
            self._broken = True
            return False
        return True


def anchor_of(path: Path) -> Path:
    """Where a record's anchor is kept when nobody says otherwise: beside it, under its name and ``.anchor``."""
    return path.with_name(path.name + ".anchor")
