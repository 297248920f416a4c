"""What a line of the log has: a record's fields, masked, and an exception without its words; as JSON or as text."""

import errno
import logging
import re
import traceback
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from json import dumps
from types import TracebackType
from typing import Any

from packhorse.contract.clock import utc_text
from packhorse.errors import PackError

Mask = Callable[[str], str]
"""Gives a text without what must not be written down."""

FIELDS = (
    "tool",
    "resource",
    "prompt",
    "route",
    "pack",
    "source",
    "job",
    "pool",
    "outcome",
    "code",
    "count",
    "ms",
    "principal",
    "subject",
)
"""The fields, besides the request's id, that a record may carry (``extra={"tool": ...}``) and a line then has."""

LONGEST_WORD = 64
WORDS_KEPT = 1024
"""Texts so short are masked once, as long as so many others have not come since: a call's line is made of them."""

LONGEST_TEXT = 4000
"""Characters of one text of a record; the rest is cut."""

FIRST_FRAMES = 8
LAST_FRAMES = 24
"""Frames of one exception: where it came in, and where it happened. A runaway recursion has a thousand."""

MOST_EXCEPTIONS = 10
"""Exceptions of one chain, counted from the last."""

WITHHELD = "[withheld: it could not be masked]"

_OWN_ID = re.compile(r"[0-9a-f]{16}")  # `packhorse.contract.clock.request_id`, another for every call
_MOST = 2**63  # what readers of JSON take for a number; NaN and infinity are not below it
# Line ends, escape sequences and whatever turns the direction of writing, so that no text looks like another.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def described(exc: BaseException) -> list[dict[str, Any]]:
    """An exception and those that led to it, as the ``exception`` of a line shows them: causes first.

    Of each its ``type``, the system's own word for it (``detail``) and its
    ``frames``: module, line and function, no source and no values. What it
    says is left out, for it often repeats what a caller sent; a `PackError`
    keeps its ``text``.
    """
    return [_described(one) for one in _chain(exc)]


def _described(exc: BaseException) -> dict[str, Any]:
    kind = type(exc)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    about: dict[str, Any] = {"type": name}
    if detail := _detail(exc):
        about["detail"] = detail
    # A deployer's mistake is explained in words that were written not to repeat values.
    if isinstance(exc, PackError):
        about["text"] = str(exc)
    about["frames"] = _frames(exc.__traceback__)
    return about


class Entries:
    """A record's fields, in the order of its line: what both formats write."""

    def __init__(self, mask: Mask | None) -> None:
        self._mask = mask
        self._word = lru_cache(WORDS_KEPT)(self._text)  # of names and outcomes there are few, and every call has them

    def of(self, record: logging.LogRecord) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "time": utc_text(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._short(message_of(record)),
        }
        for name in ("request_id", *FIELDS):
            value = getattr(record, name, None)
            if isinstance(value, str):
                own = name == "request_id" and _OWN_ID.fullmatch(value)
                entry[name] = value if own else self._short(value)
            elif isinstance(value, bool | int | float) and abs(value) < _MOST:
                entry[name] = value
        exc = record.exc_info[1] if record.exc_info else None
        # Described already, where it comes from another process.
        chain = getattr(record, "exception", None) if exc is None else described(exc)
        if chain:
            entry["exception"] = [{**one, "text": self._text(one["text"])} if "text" in one else one for one in chain]
        return entry

    def _short(self, text: str) -> str:
        return self._word(text) if len(text) <= LONGEST_WORD else self._text(text)

    def _text(self, text: str) -> str:
        text = text[: 2 * LONGEST_TEXT]
        if self._mask is not None:
            try:
                text = str(self._mask(text))
            except Exception:
                return WITHHELD
        # Cut after masking: half a secret is not recognised.
        return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


class JsonLines(logging.Formatter):
    """One JSON object a line, in ASCII, so that no reader splits it and no stream refuses it."""

    def __init__(self, entries: Entries) -> None:
        super().__init__()
        self._entries = entries

    def format(self, record: logging.LogRecord) -> str:
        return dumps(self._entries.of(record), separators=(",", ":"))


class TextLines(logging.Formatter):
    """For a terminal: time, level, logger, message and fields on a line, an exception's frames below it."""

    def __init__(self, entries: Entries) -> None:
        super().__init__()
        self._entries = entries

    def format(self, record: logging.LogRecord) -> str:
        entry = self._entries.of(record)
        line = f"{entry.pop('time')} {entry.pop('level').upper()} {entry.pop('logger')}: {entry.pop('message')}"
        request = entry.pop("request_id", None)
        chain: list[Mapping[str, Any]] = entry.pop("exception", [])
        parts = [line, *(f"{name}={value}" for name, value in entry.items())]
        if request:
            parts.append(f"[request {request}]")
        lines = [" ".join(parts)]
        for one in chain:
            heading = ": ".join(str(one[key]) for key in ("type", "detail", "text") if key in one)
            lines += [f"  {heading}", *(f"    {frame}" for frame in one["frames"])]
        # Text of a caller in a message must not make it look like two.
        return "\n".join(_CONTROL.sub(_escaped, each) for each in lines)


def _escaped(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape", "backslashreplace").decode("ascii")


def message_of(record: logging.LogRecord) -> str:
    """What a record says; where its values do not fit its words, that, and never the values."""
    try:
        text = record.getMessage()
    except Exception:
        return f"{record.msg if isinstance(record.msg, str) else type(record.msg).__name__} [its values do not fit]"
    if record.name == "asyncio":
        # What follows describes tasks and futures, exceptions' words included.
        return text.partition("\n")[0]
    return text


def _chain(last: BaseException) -> list[BaseException]:
    """The exceptions that led to ``last``, as Python prints them: causes first, the parts of a group before it."""
    chain: list[BaseException] = []
    waiting: list[BaseException] = [last]
    while waiting and len(chain) < MOST_EXCEPTIONS:
        exc = waiting.pop()
        if any(exc is one for one in chain):
            continue
        chain.append(exc)
        if earlier := exc.__cause__ or (None if exc.__suppress_context__ else exc.__context__):
            waiting.append(earlier)
        if isinstance(exc, BaseExceptionGroup):
            waiting.extend(exc.exceptions)
    return chain[::-1]


def _frames(trace: TracebackType | None) -> list[str]:
    """Module, line and function of each frame, outermost first; no source lines, no values."""
    frames = [
        f"{frame.f_globals.get('__name__', '?')}:{line} {frame.f_code.co_qualname}"
        for frame, line in traceback.walk_tb(trace)
    ]
    left_out = len(frames) - FIRST_FRAMES - LAST_FRAMES
    if left_out <= 0:
        return frames
    return [*frames[:FIRST_FRAMES], f"… {left_out} more …", *frames[-LAST_FRAMES:]]


def _detail(exc: BaseException) -> str | None:
    """The system's or SQLite's own word for what happened, which repeats nothing: ECONNREFUSED, SQLITE_BUSY."""
    if isinstance(exc, OSError) and isinstance(exc.errno, int):
        return errno.errorcode.get(exc.errno)
    name = getattr(exc, "sqlite_errorname", None)
    return name if isinstance(name, str) and name.isidentifier() else None
