"""Time and ids. The only module that asks the machine for either."""

import secrets
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Clock = Callable[[], datetime]
"""Returns the present instant, aware, in UTC."""

NewId = Callable[[], str]
"""Returns an id never returned before."""


def system_clock() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)


def ids(clock: Clock) -> NewId:
    """UUIDs of version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then randomness."""

    def new_id() -> str:
        milliseconds = (clock() - _EPOCH) // timedelta(milliseconds=1) & (1 << 48) - 1
        value = milliseconds << 80 | 0x7 << 76 | secrets.randbits(12) << 64 | 0b10 << 62 | secrets.randbits(62)
        return str(uuid.UUID(int=value))

    return new_id


def request_id() -> str:
    """Sixteen hex digits that name one request in answers and in the log."""
    return secrets.token_hex(8)
