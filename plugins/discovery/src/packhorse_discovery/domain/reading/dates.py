"""Dates in an answer, each with every reading that the words allow."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache

from attrs import evolve, frozen

from packhorse_discovery.domain.reading.amounts import number_words
from packhorse_discovery.domain.reading.weekdays import DAY_OF, HOURS, THROUGH
from packhorse_discovery.domain.reading.words import EVERYONE, Words, spelled

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH_OF = {short: place for place, name in enumerate(_MONTHS, 1) for short in (name, name[:3])} | {"sept": 9}
_AFTER_DAY = EVERYONE | spelled("to and or until of at by for so but not is it they he she because when")
"""What may stand after an ordinal that is a day; any other word is a noun ("the 3rd floor")."""
_SAME_DAY = frozenset(DAY_OF) | spelled("is , the so that it")
"""What may stand between "today" and its date."""
_COUNTED = frozenset({"later", "earlier"})
"""What counts from a date before it, whatever follows."""
_EARLY = ("first", "second", "third")
_LAST_YEAR = 9000
_MOST_STEPS = 10_000
"""Days or weeks ahead that a relative date may name."""
_LATELY = 60
"""Days back to which a date without a year may lie in the past."""


@frozen
class Calendar:
    """A date: every reading, ISO 8601; ``relative`` where it depends on the day the schedule starts."""

    readings: frozenset[str]
    first: int
    last: int
    relative: bool = False
    weekday: int | None = None


@lru_cache(maxsize=512)
def calendars(answer: Words, origin: str) -> tuple[Calendar, ...]:
    """Every date that ``answer`` may name; relative ones count from ``origin``, and have no reading without it."""
    day = _date_of(origin)
    stated = _stated(answer, day)
    found = tuple(_dates(answer, stated or day))
    return found if stated is None else tuple(evolve(one, relative=False) for one in found)


def _date_of(text: str) -> date | None:
    """The day of an ISO 8601 text; None of any other, and in years so late that days cannot be counted on."""
    try:
        found = date.fromisoformat(text[:10])
    except ValueError:
        return None
    return found if found.year < _LAST_YEAR else None


def _stated(answer: Words, day: date | None) -> date | None:
    """The day on which an answer was given, where it says so: "tomorrow's Thursday, 3 December 2026"."""
    for at, text in enumerate(answer.texts):
        ahead = {"today": 0, "tonight": 0, "tomorrow": 1}.get(text.removesuffix("'s"))
        if ahead is None or (
            text == text.removesuffix("'s") and answer.texts[at + 1 : at + 2] not in (("is",), (",",))
        ):
            continue
        for one in _single_dates(answer, day):
            between = {*answer.texts[at + 1 : one.first]}
            if at < one.first and one.weekday is None and between <= _SAME_DAY and len(one.readings) == 1:
                return date.fromisoformat(min(one.readings)) - timedelta(days=ahead)
    return None


def _dates(answer: Words, day: date | None) -> Iterator[Calendar]:
    """Each date; a weekday and the date beside it ("Monday the 21st") are one, which both must fit."""
    before: Calendar | None = None
    for one in _single_dates(answer, day):
        beside = before is not None and one.weekday is None
        if before is not None and beside and set(answer.texts[before.last + 1 : one.first]) <= {",", "the", "on"}:
            fit = frozenset(each for each in one.readings if date.fromisoformat(each).weekday() == before.weekday)
            yield Calendar(fit, before.first, one.last, one.relative and not (one.readings and not fit))
            before = None
            continue
        if before is not None:
            yield before
        before = one if one.weekday is not None else None
        if before is None:
            yield one
    if before is not None:
        yield before


def _single_dates(answer: Words, day: date | None) -> Iterator[Calendar]:
    texts = answer.texts
    before: Calendar | None = None
    month = 0
    at = 0
    while at < len(texts):
        text = texts[at]
        found: Calendar | None = None
        if text[:1].isdecimal() and len(re.split(r"[-./]", text)) == 3:
            found = Calendar(_figures(text), at, at)
        elif text in _MONTH_OF and (
            text not in {"may", "mar", "sun"} or _day_beside(texts, at) or texts[max(0, at - 2) : at] == ("end", "of")
        ):
            found = _of_month(texts, at, day)
            month = _MONTH_OF[text]
        elif (in_month := _ends_in_month(texts, at, day)) is not None:
            found = in_month
        elif (number := _ordinal(texts, at)) is not None and _lone(texts, at) and not _month_beside(texts, at):
            named = next((_MONTH_OF[one] for one in texts[at + 1 : at + 8] if one in _MONTH_OF), month)
            either = _on_day(number[0], named, day) | _on_day(number[0], 0, day)
            if before and texts[before.last + 1 : at] in (("to", "the"), ("until", "the"), ("till", "the"), ("-",)):
                ends = (_on_day(number[0], 0, date.fromisoformat(one)) for one in before.readings)
                either = either.union(*ends)
            found = _in_year(texts, number) or Calendar(either, at, number[1], relative=True)
        elif before is not None and (counted := _from_before(texts, at, before)) is not None:
            found = counted
        elif text in DAY_OF:
            on = _on_weekday(DAY_OF[text], texts[at - 1] if at else "", day)
            found = Calendar(on, at, at, relative=True, weekday=DAY_OF[text])
            if texts[at + 1 : at + 3] == ("after", "next"):
                found = evolve(found, readings=_after_next(DAY_OF[text], day), last=at + 2)
            elif texts[at + 1 : at + 2] == ("week",) and _ends_phrase(texts, at + 2):  # "Friday week"
                later = (date.fromisoformat(one) + timedelta(days=7) for one in sorted(on)[:1])
                found = evolve(found, readings=frozenset(one.isoformat() for one in later), last=at + 1)
        else:
            found = _spoken(texts, at, day)
        if found is not None:
            yield found
        before = found or before
        at = found.last + 1 if found else at + 1


def _from_before(texts: tuple[str, ...], at: int, before: Calendar) -> Calendar | None:
    """Such as "the same day", "the day after", "a week later", "the Tuesday after": counted from the date before."""
    if texts[at : at + 2] in (("same", "day"), ("that", "day")):
        return evolve(before, first=at, last=at + 1, weekday=None)
    if texts[at : at + 2] in (("next", "day"), ("following", "day")):
        return _shifted(before, [1] * len(before.readings), at, at + 1)
    sign = texts[at + 1] if texts[at] in {"day", "week", *DAY_OF} and at + 1 < len(texts) else ""
    many, last = 1, at + 1
    if texts[at] in {*HOURS, "a"} and "".join(texts[at + 1 : at + 2]).rstrip("s") in {"day", "week"}:
        many, last = HOURS.get(texts[at], 1), at + 2
        sign = "".join(texts[last : last + 1])
    if sign not in {"later", "earlier", "after", "before"} or not (_ends_phrase(texts, last + 1) or sign in _COUNTED):
        return None
    if (wanted := DAY_OF.get(texts[at])) is not None:
        days = [(wanted - date.fromisoformat(one).weekday() - 1) % 7 + 1 for one in before.readings]
        days = days if sign == "after" else [one - 7 if one < 7 else -7 for one in days]
    else:
        size = many * (7 if texts[last - 1].startswith("week") else 1)
        days = [size if sign in {"later", "after"} else -size] * len(before.readings)
    return _shifted(before, days, at, last)


def _shifted(before: Calendar, days: Iterable[int], first: int, last: int) -> Calendar:
    """A date that is so many days after each reading of the one before it."""
    pairs = zip(before.readings, days, strict=True)
    found = frozenset((date.fromisoformat(one) + timedelta(days=step)).isoformat() for one, step in pairs)
    return Calendar(found, first, last, before.relative)


def _ends_phrase(texts: tuple[str, ...], at: int) -> bool:
    """Whether nothing follows that a date could be counted from: "the day after", and not "the day after delivery"."""
    return at >= len(texts) or not texts[at][0].isalnum() or texts[at] in _AFTER_DAY


def _figures(text: str) -> frozenset[str]:
    """A date in figures: the year first, or the day with full stops; with strokes where it cannot be mixed up."""
    first, second, third = (int(part) for part in re.split(r"[-./]", text))
    if first > 31:
        orders = [(first, second, third)]
    else:
        orders = [(third, second, first)] if "." in text else [(third, second, first), (third, first, second)]
    found = frozenset(one.isoformat() for order in orders if (one := _date(*order)) is not None)
    return found if len(found) == 1 else frozenset()


def _ordinal(texts: tuple[str, ...], at: int) -> tuple[int, int] | None:
    """The day that an ordinal names, and its last token: "the 18th", "the eleventh"."""
    text = texts[at]
    if text[:1].isdecimal() and text[-2:] in {"st", "nd", "rd", "th"}:
        return int(text[:-2]), at
    early = text in _EARLY and texts[at + 1 : at + 2] == ("of",) and "".join(texts[at + 2 : at + 3]) in _MONTH_OF
    before = [one for one in texts[max(0, at - 3) : at] if one != ","]  # "Wednesday, the second"
    early |= text in _EARLY and before[-1:] == ["the"] and before[-2:-1] != [] and before[-2] in DAY_OF
    if early:
        return _EARLY.index(text) + 1, at
    if text.isalpha() and at and texts[at - 1] == "the" and text not in _EARLY:
        first, last, value, ordinal = next(number_words(texts[at : at + 3]), (1, 0, 0.0, False))
        if first == 0 and ordinal:
            return int(value), at + last
    return None


def _lone(texts: tuple[str, ...], at: int) -> bool:
    """Whether an ordinal stands alone: no noun after it ("the 3rd floor")."""
    after = texts[at + 1] if at + 1 < len(texts) else ""
    return not after[:1].isalpha() or after in _AFTER_DAY or after in _MONTH_OF


def _day_beside(texts: tuple[str, ...], at: int) -> bool:
    beside = [*texts[max(0, at - 2) : at], *texts[at + 1 : at + 3]]
    return any(one[:1].isdecimal() for one in beside)


def _month_beside(texts: tuple[str, ...], at: int) -> bool:
    """Whether the month of a day in figures follows it, so that the two are read together."""
    step = at + 1 + (texts[at + 1 : at + 2] == ("of",))
    return texts[at][:1].isdecimal() and step < len(texts) and texts[step] in _MONTH_OF


def _of_month(texts: tuple[str, ...], at: int, day: date | None) -> Calendar | None:
    """A date with the name of its month, before or after the day."""
    month, first, last = _MONTH_OF[texts[at]], at, at
    number: int | None = None
    step = at + 1 + (texts[at + 1 : at + 2] == ("the",))
    if texts[step : step + 1] and (value := _day_number(texts[step])) is not None:
        number, last = value, step
    elif (spelled_out := _spelled_day(texts, step)) is not None:
        number, last = spelled_out
    else:
        back = at - 1 - (at > 1 and texts[at - 1] == "of")
        if back >= 0 and texts[back] == "end":  # "by the end of May"
            ends = [] if day is None else [date(day.year + (month < day.month) + month // 12, month % 12 + 1, 1)]
            found_ends = frozenset((one - timedelta(days=1)).isoformat() for one in ends)
            return Calendar(found_ends, back, at, relative=True)
        if back >= 0 and (value := _day_number(texts[back])) is not None:
            number, first = value, back
    if number is None:
        return None
    year = next((int(one) for one in texts[last + 1 : last + 3] if one.isdecimal() and 1990 < int(one) < 2200), None)
    if year is not None:
        found = _date(year, month, number)
        last += 1 + (texts[last + 1] == ",")
        return Calendar(frozenset({found.isoformat()}) if found else frozenset(), first, last)
    return Calendar(_on_day(number, month, day), first, last, relative=True)


def _ends_in_month(texts: tuple[str, ...], at: int, day: date | None) -> Calendar | None:
    """The first of two days whose month stands after the second: the 13 of "13 to 15 May"."""
    number = int(texts[at]) if texts[at].isdecimal() else 0
    second = texts[at + 2] if at + 2 < len(texts) and texts[at + 1] in THROUGH | {"and", "or"} else ""
    step = at + 3 + (texts[at + 3 : at + 4] == ("of",))
    if not (1 <= number <= 31 and _day_number(second) and step < len(texts) and texts[step] in _MONTH_OF):
        return None
    return Calendar(_on_day(number, _MONTH_OF[texts[step]], day), at, at, relative=True)


def _day_number(text: str) -> int | None:
    bare = text[:-2] if text[-2:] in {"st", "nd", "rd", "th"} else text
    return int(bare) if bare.isdecimal() and 1 <= int(bare) <= 31 else None


def _spelled_day(texts: tuple[str, ...], at: int) -> tuple[int, int] | None:
    """The day that an ordinal in words names after its month, and its last token: "December the second"."""
    if texts[at : at + 1] and texts[at] in _EARLY:
        return _EARLY.index(texts[at]) + 1, at
    first, last, value, ordinal = next(number_words(texts[at : at + 2]), (1, 0, 0.0, False))
    return (int(value), at + last) if first == 0 and ordinal and value <= 31 else None


def _in_year(texts: tuple[str, ...], number: tuple[int, int]) -> Calendar | None:
    """A day in words with its month and year after it: "the second of December 2026"."""
    step = number[1] + 1 + (texts[number[1] + 1 : number[1] + 2] == ("of",))
    month = _MONTH_OF.get("".join(texts[step : step + 1]))
    year = step + 1 + (texts[step + 1 : step + 2] == (",",))
    said = "".join(texts[year : year + 1])
    if month is None or not said.isdecimal() or not 1990 < int(said) < 2200:
        return None
    found = _date(int(said), month, number[0])
    return Calendar(frozenset({found.isoformat()} if found else ()), number[1], year)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _on_day(number: int, month: int, day: date | None) -> frozenset[str]:
    """The next day of that number; in ``month`` where one was named, and by itself too."""
    if day is None:
        return frozenset()
    found: set[str] = set()
    if month:
        years = (_date(day.year + step, month, number) for step in range(2))
        found |= {one.isoformat() for one in [next((one for one in years if one and one >= day), None)] if one}
        lately = _date(day.year, month, number)
        if lately is not None and timedelta() < day - lately < timedelta(days=_LATELY):
            found.add(lately.isoformat())  # "15 November", said on the 23rd: a week ago, or in a year
    else:
        for step in range(13):
            year, at = divmod(day.month - 1 + step, 12)
            one = _date(day.year + year, at + 1, number)
            if one is not None and one >= day:
                found.add(one.isoformat())
                break
    return frozenset(found)


def _on_weekday(wanted: int, before: str, day: date | None) -> frozenset[str]:
    if day is None:
        return frozenset()
    ahead = (wanted - day.weekday()) % 7
    steps = {ahead} if ahead else {7} if before == "next" else {0, 7}
    if before == "next" and ahead:
        steps |= {ahead + 7}
    return frozenset((day + timedelta(days=step)).isoformat() for step in steps)


def _after_next(wanted: int, day: date | None) -> frozenset[str]:
    """The one after either day that people call the next: the first to come, and that of the week after."""
    if day is None:
        return frozenset()
    first = day + timedelta(days=(wanted - day.weekday()) % 7 or 7)
    steps = (7,) if first - day == timedelta(days=7) else (7, 14)
    return frozenset((first + timedelta(days=step)).isoformat() for step in steps)


def _spoken(texts: tuple[str, ...], at: int, day: date | None) -> Calendar | None:
    """Such as "today", "tomorrow", "in 3 weeks", "month end"."""
    steps: int | None = None
    last = at
    rest = texts[at : at + 4]
    if rest[:1] in (("today",), ("tonight",)):
        steps = 0
    elif rest[:4] == ("the", "day", "after", "tomorrow"):
        steps, last = 2, at + 3
    elif rest[:1] == ("tomorrow",):
        steps = 2 if texts[max(0, at - 2) : at] == ("day", "after") else 1
    elif rest[:1] == ("in",) and len(rest) > 2 and rest[2].rstrip("s") in {"day", "week"}:
        many = int(rest[1]) if rest[1].isdecimal() else {**HOURS, "a": 1}.get(rest[1])
        steps, last = (
            (None if many is None or many > _MOST_STEPS else many * (7 if rest[2].startswith("week") else 1)),
            at + 2,
        )
    elif rest[:2] == ("month", "end") or rest[:4] == ("end", "of", "the", "month"):
        if day is None:
            return Calendar(frozenset(), at, at + 1, relative=True)
        after = date(day.year + day.month // 12, day.month % 12 + 1, 1) - timedelta(days=1)
        return Calendar(frozenset({after.isoformat()}), at, at + (1 if rest[0] == "month" else 3), relative=True)
    if steps is None:
        return None
    readings = frozenset() if day is None else frozenset({(day + timedelta(days=steps)).isoformat()})
    return Calendar(readings, at, last, relative=True)
