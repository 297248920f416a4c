"""The log: a line a record on stderr, naming the request it belongs to, masked, and never in the way of a call.

What a caller sent must not be found here. So the host never logs arguments;
an exception is its kind and its frames, without its words, which often repeat
what it was given; of the fields that a record carries only `FIELDS` are kept;
libraries that log messages and addresses are heard from warnings on; and the
deployment's mask goes over the rest.
"""

import logging
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from types import TracebackType
from typing import Any, TextIO

from packhorse.observe.log_lines import FIELDS, Entries, JsonLines, Mask, TextLines, described, message_of

QUIET = (
    "asyncio",
    "httpcore",
    "httpx",
    "httpx2",
    "mcp",
    "sse_starlette",
    "urllib3",
    "uvicorn.access",
)
"""Loggers heard from warnings on at every level: below, they repeat messages, addresses and headers."""

OWN_HANDLERS = ("mcp", "uvicorn", "uvicorn.access", "uvicorn.error")
"""Loggers that may have been given handlers of their own, which would write past the mask."""

request_id_var: ContextVar[str | None] = ContextVar("packhorse_request_id", default=None)
"""The request being served, which every line logged meanwhile carries; the door sets and resets it around a call."""


def configure(level: str, *, stream: TextIO | None = None, json: bool, mask: Mask | None = None) -> None:
    """Send everything that is logged in this process to ``stream`` (stderr when None), and nowhere else.

    ``level`` is debug, info, warning or error. With ``json`` each line is one
    JSON object, else text for a terminal. Warnings, and exceptions that end a
    thread or the process, become lines too. May be called again; the last call holds.
    """
    entries = Entries(mask)
    handler = _Handler(stream or sys.stderr)
    handler.setFormatter(JsonLines(entries) if json else TextLines(entries))
    handler.addFilter(_RequestId())
    handler.addFilter(_Heard())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in OWN_HANDLERS:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    _take_over()


def hand_over(tell: Callable[[dict[str, Any]], None], level: int) -> None:
    """Write nothing here: give each record, as JSON, to ``tell``, for the process that writes the log.

    It is `relayed` there. Exceptions go as `described`, without their words.
    """
    root = logging.getLogger()
    root.handlers[:] = [_Relay(tell)]
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, level))
    _take_over()


def relayed(sent: Mapping[str, Any], **fields: str) -> None:
    """Log what another process has `hand_over`-ed, with ``fields`` of `FIELDS` that this process knows."""
    logger = logging.getLogger(sent["logger"])
    if logger.isEnabledFor(sent["level"]):
        extra = {**sent["fields"], **fields, "exception": sent["exception"]}
        logger.handle(
            logger.makeRecord(
                sent["logger"],
                sent["level"],
                "",
                0,
                "%s",
                (sent["message"],),
                None,
                extra=extra,
            )
        )


def _take_over() -> None:
    """Make lines of what Python would otherwise print to stderr by itself."""
    ends = logging.getLogger("packhorse.ends")
    warned = logging.getLogger("packhorse.warnings")

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        # Without its words, which may be about a value: pydantic's name the one that was not as expected.
        warned.warning("%s at %s:%d", category.__name__, filename, lineno)

    def ended(kind: type[BaseException], exc: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, exc, trace)
            return
        ends.critical("the process ends by an exception", exc_info=(kind, exc, trace))

    def thread_ended(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            ends.error("a thread ended by an exception", exc_info=args.exc_value)

    def ignored(args: Any) -> None:
        ends.error("an exception could not be raised", exc_info=args.exc_value)

    warnings.showwarning = show
    sys.excepthook = ended
    threading.excepthook = thread_ended
    sys.unraisablehook = ignored


class _RequestId(logging.Filter):
    """Gives a record the id of the request under way, unless it brings its own."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "request_id", None) is None:
            record.request_id = request_id_var.get()
        return True


class _Heard(logging.Filter):
    """Below info only packhorse and the packs named after it are heard: what libraries say there repeats messages."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.INFO or record.name.startswith("packhorse")


class _Handler(logging.StreamHandler[TextIO]):
    """Writes lines, or does not: a log that fails has nobody to tell, and must not fail a call."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record)
            self.stream.write(line + "\n")
            self.flush()
        except Exception:  # noqa: S110 - logging's own answer prints the record, unmasked
            pass


class _Relay(logging.Handler):
    """Gives records away."""

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        exc = record.exc_info[1] if record.exc_info else None
        values = {name: getattr(record, name, None) for name in FIELDS}
        sent = {
            "logger": record.name,
            "level": record.levelno,
            "message": message_of(record),
            "fields": {name: value for name, value in values.items() if isinstance(value, str | bool | int | float)},
            "exception": described(exc) if exc is not None else [],
        }
        with suppress(Exception):  # as `_Handler`
            self._tell(sent)
