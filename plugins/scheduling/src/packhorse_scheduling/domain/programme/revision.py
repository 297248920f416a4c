"""What a revised programme changes, in lines."""

from collections import Counter
from collections.abc import Iterable

from packhorse_scheduling.domain.programme.programme import Programme

MOST_NAMED = 5
_ROWS = ("demands", "leaves", "preferences", "locks", "history", "actual_hours")


def differences(before: Programme, after: Programme) -> list[str]:
    """A line for each table that differs; empty where none does."""
    lines = [
        *_named("people", {one.key: one for one in before.people}, {one.key: one for one in after.people}),
        *_named("services", {one.code: one for one in before.services}, {one.code: one for one in after.services}),
        *_named(
            "rotations",
            {one.code: one for one in before.rotations},
            {one.code: one for one in after.rotations},
        ),
    ]
    for name in _ROWS:
        was, now = _counted(getattr(before, name)), _counted(getattr(after, name))
        more, fewer = sum((now - was).values()), sum((was - now).values())
        if more or fewer:
            lines.append(f"{name}: {more} new, {fewer} gone.")
    if before.rules != after.rules:
        lines.append("rules: changed.")
    return lines


def _counted(rows: Iterable[object]) -> Counter[str]:
    return Counter(map(repr, rows))


def _named(many: str, was: dict[str, object], now: dict[str, object]) -> list[str]:
    changed = [key for key in now if key in was and was[key] != now[key]]
    parts = [
        f"{words} {', '.join(keys[:MOST_NAMED])}" + (f" and {len(keys) - MOST_NAMED} more" * (len(keys) > MOST_NAMED))
        for words, keys in (
            ("new:", [key for key in now if key not in was]),
            ("gone:", [key for key in was if key not in now]),
            ("changed:", changed),
        )
        if keys
    ]
    return [f"{many}: {'; '.join(parts)}."] if parts else []
