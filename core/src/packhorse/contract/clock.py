"""Time and ids. The only module that asks the machine for either."""

import random
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)

Clock = Callable[[], datetime]
"""Returns the present instant, aware, in UTC."""

NewId = Callable[[], str]
"""Returns an id never returned before."""


def system_clock() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)


def utc_text(moment: datetime, timespec: str = "milliseconds") -> str:
    """An aware instant in UTC as ISO 8601 with ``Z`` at its end, as every instant here is written."""
    return moment.astimezone(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")


def _steady() -> Clock:
    """The machine's clock as it was when this process began, and from then on only forward, at its own pace."""
    began, at = time.monotonic(), system_clock()
    return lambda: at + timedelta(seconds=time.monotonic() - began)


steady_clock: Clock = _steady()
"""For what is measured from one instant to another in this process: nobody sets it, as they set the machine's."""


def ids(clock: Clock) -> NewId:
    """UUIDs of version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then randomness."""

    def new_id() -> str:
        milliseconds = (clock() - _EPOCH) // _MILLISECOND & (1 << 48) - 1
        high, low = divmod(secrets.randbits(74), 1 << 62)
        made = f"{milliseconds:012x}{0x7 << 12 | high:04x}{0b10 << 62 | low:016x}"
        return f"{made[:8]}-{made[8:12]}-{made[12:16]}-{made[16:20]}-{made[20:]}"

    return new_id


def request_id() -> str:
    """Sixteen hex digits that name one request in answers and in the log."""
    return f"{random.getrandbits(64):016x}"  # a name, no secret; asking the system for each takes a fiftieth of a call
