"""Times of day, dates and weekdays of an answer, each with every reading that the words allow."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache

from attrs import evolve, frozen

from packhorse_discovery.domain.reading.amounts import Amount, number_words
from packhorse_discovery.domain.reading.words import EVERYONE, Words, spelled

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
DAY_OF = {
    short: place
    for place, name in enumerate(DAYS)
    for short in (name.casefold(), f"{name.casefold()}s", f"{name.casefold()}'s", name[:3].casefold())
} | {"tues": 1, "weds": 2, "thur": 3, "thurs": 3, "mons": 0, "fris": 4, "sats": 5, "suns": 6}
_SETS = {
    "weekdays": range(5), "weekday": range(5), "workdays": range(5), "weekends": (5, 6), "weekend": (5, 6),
    "daily": range(7),
}  # fmt: skip
_MONTH_OF = {short: place for place, name in enumerate(_MONTHS, 1) for short in (name, name[:3])} | {"sept": 9}
_CUES = spelled("at by until till til from between before after since past around noon")
_HALVES = {"morning": "am", "mornings": "am", "afternoon": "pm", "evening": "pm", "tonight": "pm", "night": "night"}
_AFTER_TIME = spelled(
    "am pm a p o'clock h in on and to until till for from but or tomorrow sharp then we each every the at next this "
    "that so only with not when because they it he she except apart"
)
"""What may stand after a bare number that is a time; any other word is a noun, and the number its count."""
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
_TO = frozenset({"-", "to", "until", "till", "and"})
_THROUGH = frozenset({"-", "to", "through", "till", "until"})


@frozen
class Clock:
    """A time of day: every reading in minutes after midnight; ``span`` says whether it begins or ends one."""

    readings: frozenset[int]
    first: int
    last: int
    span: str = ""


@frozen
class Calendar:
    """A date: every reading, ISO 8601; ``relative`` where it depends on the day the schedule starts."""

    readings: frozenset[str]
    first: int
    last: int
    relative: bool = False
    weekday: int | None = None


@frozen
class Week:
    """Days of the week, in their order, and whether they are excepted."""

    days: tuple[str, ...]
    first: int
    last: int
    denied: bool = False


def minutes(text: str) -> int | None:
    """The minutes after midnight of ``08:30``; None where it is no such time."""
    hour, _, minute = text.partition(":")
    if not (hour.isdecimal() and minute.isdecimal() and len(minute) == 2 and int(hour) < 25 and int(minute) < 60):
        return None
    return int(hour) * 60 + int(minute)


def shown_time(at: int) -> str:
    """Minutes after midnight as ``08:30``."""
    return f"{at // 60:02}:{at % 60:02}"


@lru_cache(maxsize=512)
def clocks(answer: Words) -> tuple[Clock, ...]:
    """Every time of day that ``answer`` may name."""
    reader = _Clocks(answer)
    found: list[Clock] = []
    place = 0
    while place < len(answer.texts):
        again = bool(found) and found[-1].last >= place  # the end of a span, which may begin another
        pair = reader.span(place)
        one = reader.one(place, sure=False) if pair is None and not again else None
        if one is None and found and answer.texts[place : place + 2] == ("same", "time"):
            one = evolve(found[-1], first=place, last=place + 1, span="")
        found += pair or ([one] if one is not None else [])
        if pair is not None and pair[0].last < pair[1].first and pair[1].first > place:
            place = pair[1].first
        else:
            place = max(place + 1, found[-1].last + 1 if found else 0)
    return tuple(found)


_ONLY_CLOCKS = frozenset(_HALVES) | spelled("half quarter to past before after am pm o'clock oclock noon midnight")


def of_clock(one: Amount, answer: Words) -> bool:
    """Whether a number is only part of a time of day: the five of "half five", the six of "Thursday at six"."""
    if one.unit or one.parts > 1:
        return False
    every = clocks(answer)
    for place, at in enumerate(every):
        if at.first <= one.first and one.last <= at.last:
            beside = [at, *every[place + 1 : place + 2]] if at.span == "start" else [at]
            beside += [every[place - 1]] if at.span == "end" else []
            return any(_sure(each, answer) for each in beside)
    return False


def _sure(one: Clock, answer: Words) -> bool:
    """Whether what may be a time of day can be nothing else: "half five", "Thursday at six", "8:30"."""
    day = answer.texts[max(0, one.first - 2)]
    dated = answer.texts[one.first - 1] in _CUES and (day in DAY_OF or day in {"today", "tonight", "tomorrow"})
    texts = answer.texts[one.first : one.last + 1]
    return dated or bool(_ONLY_CLOCKS & {*texts}) or any(":" in text for text in texts)


@frozen
class _Clocks:
    answer: Words

    def _at(self, place: int) -> str:
        return self.answer.texts[place] if 0 <= place < len(self.answer.texts) else ""

    def span(self, place: int) -> list[Clock] | None:
        """Such as "8 to 12", "from eight to half past five", "14-16h": both ends."""
        start = self._to_the_hour(place)  # "ten to nine to three"
        then = start.last + 1 if start is not None and self._number(place) in {5, 10, 20, 25} else -1
        if self._at(then) not in _TO - {"and"} or self._number(then + 1) is None:
            start = self.one(place, sure=True)
        if start is None or self._at(start.last + 1) not in _TO:
            return None
        day = self._at(place - 1) in DAY_OF
        end = self.one(start.last + 2 + (self._at(start.last + 2) in {"at", "about"}), sure=True, ends=True, day=day)
        if end is None:
            return None
        if self._at(start.last + 1) == "and" and self._at(place - 1) not in {"between", "from"}:
            return None
        begin, after = self._of_the_day(start), end.readings
        if len(begin) == 1 and any(one > min(begin) for one in after):
            after = frozenset(one for one in after if one > min(begin))
        if self._at(start.last + 1) == "to" and self._at(place) == "ten":  # "ten to six" is 05:50 as well
            spoken = self._to_the_hour(place)
            if spoken is not None:
                return [Clock(begin | spoken.readings, place, end.last, "start"), Clock(after, place, end.last, "end")]
        return [Clock(begin, start.first, start.last, "start"), Clock(after, end.first, end.last, "end")]

    def _of_the_day(self, start: Clock) -> frozenset[int]:
        """The readings of the start of a span that fit what stands before it: "the morning shift is six to two"."""
        for step in range(start.first - 1, max(-1, start.first - 5), -1):
            if self.answer.marks[step]:
                break
            if (half := _HALVES.get(self._at(step), "")) in {"am", "pm"}:
                wanted = {one for one in start.readings if (one >= 720) == (half == "pm")}
                return frozenset(wanted) or start.readings
        return start.readings

    def one(self, place: int, *, sure: bool, ends: bool = False, day: bool = False) -> Clock | None:
        """The time that begins at ``place``; a bare number only where ``sure``, or after "at", "by", "until"."""
        text = self._at(place)
        if text in {"noon", "midday"}:
            return Clock(frozenset({720}), place, place)
        if text == "midnight":
            return Clock(frozenset({0, 1440}), place, place)
        if minutes(text) is not None or (self._two_decimals(text) and not self._unit_after(place)):
            said, minute = (int(part) for part in text.replace(".", ":").split(":"))
            return self._read(said, minute, place, place, ends=ends, padded=text[0] == "0" or said > 12)
        step = place + (text in {"a", "an"})
        past = self._at(step) in {"half", "quarter"} or (not sure and self._number(step) in {5, 10, 20, 25})
        if past and (spoken := self._past(step, place)) is not None:
            return spoken
        hour = self._number(place)
        if hour is None or not 0 <= hour <= 24:
            return None
        after = self._at(place + 1)
        exact = hour <= 12 and self._half(place)[1] > place  # "five in the afternoon"
        exact = (
            exact
            or after in {"am", "pm", "o'clock", "oclock", "h"}
            or (after in {"a", "p"} and self._at(place + 2) == ".")
        )
        if exact or sure or (self._at(place - 1) in _CUES and not self._noun(place + 1)):
            if after == "h" and self._at(place + 2).isdecimal() and len(self._at(place + 2)) == 2:
                return self._read(hour, int(self._at(place + 2)), place, place + 2, ends=ends, padded=True)
            if (
                sure and not exact and not (day and not self._unit_after(place)) and self._noun(place + 1)
            ):  # "Saturdays 9-11 consults only"
                return None
            ends |= self._at(place - 1) in {"until", "till", "til"}
            return self._read(hour, 0, place, place + (after in {"o'clock", "oclock", "h"}), ends=ends)
        return None

    def _past(self, step: int, place: int) -> Clock | None:
        """Such as "half five", "quarter past five", "ten to six"."""
        if self._at(step) == "half":
            past = step + 1 + (self._at(step + 1) == "-") + (self._at(step + 1) == "past")
            past += self._at(past) == "past"
            hour = self._number(past)
            if hour is not None and 1 <= hour <= 12 and not self._unit_after(past):
                return self._read(hour, 30, place, past, loose=True)
            return None
        return self._to_the_hour(step, place)

    def _to_the_hour(self, step: int, place: int | None = None) -> Clock | None:
        before = 15 if self._at(step) == "quarter" else self._number(step)
        after = step + 1 + (self._at(step + 1) == "minutes")
        sign, hour = self._at(after), self._number(after + 1)
        if sign not in {"past", "to", "after", "before"} or hour is None or not 1 <= hour <= 12 or before is None:
            return None
        if sign in {"after", "before"} and before != 15:
            return None
        back = sign in {"to", "before"}
        found = self._read(
            (hour - 1) or 12 if back else hour, 60 - before if back else before, step, after + 1, loose=True
        )
        return Clock(found.readings, step if place is None else place, found.last)

    def _read(
        self, hour: int, minute: int, first: int, last: int, *, ends: bool = False, padded: bool = False,
        loose: bool = False,
    ) -> Clock:  # fmt: skip
        half, last = self._half(last)
        base = hour % 12 * 60 + minute
        if half == "night":
            half = "am" if hour % 12 < 6 else "pm"
        if half:
            found = {base + 720 * (half == "pm")}
        elif padded or hour > 12 or hour == 0:
            found = {hour * 60 + minute}
        elif hour == 12:
            found = {720 + minute} | ({1440} if ends and minute == 0 else set())
        elif 7 <= hour <= 11 and not ends and not (loose and hour < 8):
            found = {base}
        else:
            found = {base, base + 720}
        return Clock(frozenset(found), first, last)

    def _half(self, last: int) -> tuple[str, int]:
        after = self._at(last + 1)
        if after in {"am", "pm"}:
            return after, last + 1
        if after in {"a", "p"} and self._at(last + 2) == "." and self._at(last + 3) == "m":
            return f"{after}m", last + 3 + (self._at(last + 4) == "." and not self._ends(last + 4))
        for step in range(last + 1, last + 5):
            if self._at(step) in _HALVES:
                beside = all(text in {"in", "the"} for text in self.answer.texts[last + 1 : step])
                return _HALVES[self._at(step)], step if beside else last
            if self._at(step) not in {"in", "the", "tomorrow", "this", "at", "on"} and self._at(step) not in DAY_OF:
                break
        return "", last

    def _ends(self, place: int) -> bool:
        return self.answer.marks[place] == "." and self._at(place + 1) not in _TO

    def _number(self, place: int) -> int | None:
        text = self._at(place)
        if text.isdecimal():
            return int(text)
        return _HOURS.get(text)

    def _two_decimals(self, text: str) -> bool:
        whole, dot, part = text.partition(".")
        return (
            bool(dot)
            and whole.isdecimal()
            and len(part) == 2
            and part.isdecimal()
            and int(whole) < 25
            and int(part) < 60
        )

    def _unit_after(self, place: int) -> bool:
        return self._at(place + 1) in {
            "minutes",
            "hours",
            "min",
            "hour",
            "h",
            "days",
            "kg",
            "m",
            "litres",
            "percent",
            "%",
        }

    def _noun(self, place: int) -> bool:
        text = self._at(place)
        return text[:1].isalpha() and text not in _AFTER_TIME and text not in DAY_OF and text not in _SETS


_SPOKEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_HOURS = {word: place for place, word in enumerate(_SPOKEN.split(" "))}


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
    return after in _CUES | {"only"} or after[:1].isdecimal() or after in _HOURS


def _days_at(texts: tuple[str, ...], at: int, *, inside: bool) -> tuple[set[int], int] | None:
    """The days that the words from ``at`` name, and the last token: "Monday", "Mon-Fri", "weekdays", "every day"."""
    text = texts[at]
    if text in _SETS:
        return set(_SETS[text]), at
    if text in {"every", "each"} and texts[at + 1 : at + 2] == ("day",):
        return set(range(7)), at + 1
    if text not in DAY_OF or (text == "sun" and not inside):
        return None
    if text in {"sat", "wed", "mon"} and not _near_day(texts, at):
        return None
    start = DAY_OF[text]
    to = at + 2 + (texts[at + 2 : at + 3] == ("to",))
    if texts[at + 1 : at + 2] and texts[at + 1] in _THROUGH and to < len(texts) and texts[to] in DAY_OF:
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
    if texts[at] in {*_HOURS, "a"} and "".join(texts[at + 1 : at + 2]).rstrip("s") in {"day", "week"}:
        many, last = _HOURS.get(texts[at], 1), at + 2
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
    second = texts[at + 2] if at + 2 < len(texts) and texts[at + 1] in _THROUGH | {"and", "or"} else ""
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
        many = int(rest[1]) if rest[1].isdecimal() else {**_HOURS, "a": 1}.get(rest[1])
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
