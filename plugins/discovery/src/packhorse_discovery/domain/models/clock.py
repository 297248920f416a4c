"""What a tick is, and ticks in words."""

from datetime import datetime, timedelta

from attrs import field, frozen, validators

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
COUNTED = frozenset({"time unit", "slot"})
"""Names of ticks that have no length in seconds."""


@frozen
class Clock:
    """What a tick is: ``seconds`` long, called ``name`` (``minute``, ``15 minutes``, ``slot``).

    ``error_seconds`` is the largest rounding error of any one duration.
    ``origin`` is tick 0 as ISO 8601 local text, where the interview said it.
    With ``week``, tick 0 is a Monday at midnight, of whatever date.
    """

    seconds: int = field(default=60, validator=validators.ge(1))
    name: str = "minute"
    error_seconds: float = 0.0
    origin: str | None = None
    week: bool = False

    def lasting(self, ticks: int) -> str:
        """A stretch of time in words: 90 ticks of a minute are ``1 h 30 min``."""
        if self.name in COUNTED:
            return f"{ticks} {self.name}{'' if ticks == 1 else 's'}"
        left = ticks * self.seconds
        parts = []
        for seconds, unit in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
            count, left = divmod(left, seconds)
            if count:
                parts.append(f"{count} {unit}")
        return " ".join(parts) or "no time"

    def at(self, tick: int) -> str:
        """An instant in words: date or weekday and time where they are known, else how long after the start."""
        if self.origin is not None:
            return f"{datetime.fromisoformat(self.origin) + timedelta(seconds=tick * self.seconds):%Y-%m-%d %H:%M}"
        if self.week:
            weeks, seconds = divmod(tick * self.seconds, 604_800)
            day, clock = divmod(seconds, 86_400)
            later = f" of week {weeks + 1}" if weeks else ""
            return f"{_DAYS[day]} {clock // 3600:02}:{clock // 60 % 60:02}{later}"
        return f"{self.lasting(tick)} after the start" if tick else "the start"
