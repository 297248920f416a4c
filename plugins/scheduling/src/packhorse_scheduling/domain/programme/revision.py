"""What a revised programme changes, in lines."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from attrs import fields

from packhorse_scheduling.domain.programme.limits import Limit, RuleSet
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
    return [*lines, *_rules(before.rules, after.rules)]


def _rules(was: RuleSet, now: RuleSet) -> Iterator[str]:
    """Each limit that differs, with what it was and what it is."""
    for field in fields(RuleSet):
        old, new = getattr(was, field.name), getattr(now, field.name)
        if isinstance(old, Limit) and isinstance(new, Limit):
            parts = [
                f"{part.name} {getattr(old, part.name)} before, {getattr(new, part.name)} now"
                for part in fields(Limit)
                if getattr(old, part.name) != getattr(new, part.name)
            ]
        else:
            parts = [f"{_plain(old)} before, {_plain(new)} now"] if old != new else []
        if parts:
            yield f"rules: {field.name}: {'; '.join(parts).removeprefix('value ')}."


def _plain(value: object) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(str, value))) or "nobody"
    return str(dict(value)) if isinstance(value, Mapping) else str(value)


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
