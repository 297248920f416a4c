"""Days of the week in an answer: which are named, and whether they are excepted."""

from collections.abc import Iterable
from functools import lru_cache

from attrs import frozen

from packhorse_discovery.domain.reading.words import Words, spelled

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAY_OF = {
    short: place
    for place, name in enumerate(DAYS)
    for short in (name.casefold(), f"{name.casefold()}s", f"{name.casefold()}'s", name[:3].casefold())
} | {"tues": 1, "weds": 2, "thur": 3, "thurs": 3, "mons": 0, "fris": 4, "sats": 5, "suns": 6}
SETS = {
    "weekdays": range(5), "weekday": range(5), "workdays": range(5), "weekends": (5, 6), "weekend": (5, 6),
    "daily": range(7),
}  # fmt: skip
CUES = spelled("at by until till til from between before after since past around noon")
THROUGH = frozenset({"-", "to", "through", "till", "until"})
_SPOKEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
HOURS = {word: place for place, word in enumerate(_SPOKEN.split(" "))}


@frozen
class Week:
    """Days of the week, in their order, and whether they are excepted."""

    days: tuple[str, ...]
    first: int
    last: int
    denied: bool = False


@lru_cache(maxsize=512)
def weeks(answer: Words) -> tuple[Week, ...]:
    """Every group of weekdays that ``answer`` names."""
    found: list[Week] = []
    place = 0
    while place < len(answer.texts):
        parts = _week(answer, place)
        if parts:
            days = {day for part, _, _, _ in parts for day in part}
            but = place > 1 and answer.texts[place - 1] in {"but", "except", "bar"} and answer.texts[place - 2] == "day"
            whole = Week(_named(days), place, parts[-1][2], but or answer.denied(place))
            found.append(whole)
            if len(parts) > 1 and any(spread for _, _, _, spread in parts):
                found += [Week(_named(part), first, last, whole.denied) for part, first, last, _ in parts]
        place = parts[-1][2] + 1 if parts else place + 1
    return tuple(found)


def _named(days: Iterable[int]) -> tuple[str, ...]:
    return tuple(DAYS[day] for day in sorted(days))


def _week(answer: Words, place: int) -> list[tuple[set[int], int, int, bool]]:
    """The parts of a list of days: which, from which token to which, and whether it is a span or a set."""
    texts, step = answer.texts, place
    parts: list[tuple[set[int], int, int, bool]] = []
    while step < len(texts) and (one := _days_at(texts, step, inside=bool(parts))) is not None:
        days, last = one
        parts.append((days, step, last, len(days) > 1))
        step = last + 1
        while step < len(texts) and texts[step] in {",", ";", "and", "&", "or", "/", "on"}:
            step += 1
        if len(days) > 1 and not {"and", "&", "or"} & {*texts[last + 1 : step]} and _has_hours(texts, step):
            break  # "eight to five on weekdays, Saturday from nine"
    return parts


def _has_hours(texts: tuple[str, ...], at: int) -> bool:
    """Whether the day at ``at`` has hours of its own after it."""
    after = texts[at + 1] if at + 1 < len(texts) and texts[at] in DAY_OF else ""
    return after in CUES | {"only"} or after[:1].isdecimal() or after in HOURS


def _days_at(texts: tuple[str, ...], at: int, *, inside: bool) -> tuple[set[int], int] | None:
    """The days that the words from ``at`` name, and the last token: "Monday", "Mon-Fri", "weekdays", "every day"."""
    text = texts[at]
    if text in SETS:
        return set(SETS[text]), at
    if text in {"every", "each"} and texts[at + 1 : at + 2] == ("day",):
        return set(range(7)), at + 1
    if text not in DAY_OF or (text == "sun" and not inside):
        return None
    if text in {"sat", "wed", "mon"} and not _near_day(texts, at):
        return None
    start = DAY_OF[text]
    to = at + 2 + (texts[at + 2 : at + 3] == ("to",))
    if texts[at + 1 : at + 2] and texts[at + 1] in THROUGH and to < len(texts) and texts[to] in DAY_OF:
        end = DAY_OF[texts[to]]
        return {day % 7 for day in range(start, end + 1 if end >= start else end + 8)}, to
    return {start}, at


def _near_day(texts: tuple[str, ...], place: int) -> bool:
    """Whether "mon", "wed", "sat" stand for days: beside a sign of a span, a time or another day."""
    beside = (texts[place - 1] if place else "", texts[place + 1] if place + 1 < len(texts) else "")
    return texts[place] == "mon" or any(
        one in {"-", "to", "on", ",", "and", "|", "", "\n", ":"} or one in DAY_OF or one[:1].isdecimal()
        for one in beside
    )
