"""Heads of columns: dates of many makes, ranges, months, numbers of blocks and weeks."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from attrs import frozen

from packhorse_scheduling.domain.grids.sheet import Value

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MON = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?(?![a-z])"
)
_YEAR = r"'?(?P<{0}>20\d\d|\d\d)(?!\d)"
_TH = r"(?:st|nd|rd|th)?(?![a-z])"
_DATE = re.compile(
    r"(?<![\d/.])(?:"
    r"(?P<iso>20\d\d)[-/.](?P<iso_m>\d{1,2})[-/.](?P<iso_d>\d{1,2})"
    r"|(?P<a>\d{1,2})[/.](?P<b>\d{1,2})(?:[/.]" + _YEAR.format("ny") + r")?"
    r"|(?P<ha>\d{1,2})-(?P<hb>\d{1,2})-" + _YEAR.format("hy")
    + r"|" + _MON.format("m1") + r"\s*-?\s*(?P<d1>\d{1,2})" + _TH + r"(?![\d:])(?:(?:,\s*|\s+)'?(?P<y1>20\d\d)(?!\d))?"
    + r"|(?P<d2>\d{1,2})" + _TH + r"[\s-]*" + _MON.format("m2")
    + r"(?:[\s,]*(?P<y2>20\d\d)(?!\d)|-" + _YEAR.format("y3") + r")?"
    + r")(?!\d)",
    re.IGNORECASE,
)  # fmt: skip
_MONTH_ONLY = re.compile(r"^\W*" + _MON.format("m") + r"[\s,'/-]*(?P<y>20\d\d|\d\d)?\W*$", re.IGNORECASE)
_DASH = "[-\u2013\u2014\u2192]"
_TO = re.compile(rf"^\s*(?:{_DASH}|to|thru|through|until)\s*", re.IGNORECASE)
_HARMLESS = re.compile(
    r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b"
    r"|\b(?:week|wk|block|of|from|begins?|beginning|starts?|starting|dates?|commencing|w/[bc])\b",
    re.IGNORECASE,
)
_OTHER_WORDS = re.compile(r"[^\W\d_]{2,}")
_BARE_DAY = re.compile(r"^(\d{1,2})" + _TH + r"(?![\d/.])(?:,?\s*'?(20\d\d))?", re.IGNORECASE)
_WORD = r"(?:block|blk|bl|b|week|wk|w|period|per|p|rotation|rot|cycle|month|session|no\.?)"  # before a number
_ORDINAL = re.compile(
    rf"^\W*(?:{_WORD}[\s.#:_-]*(?P<word>\d{{1,2}})\s*(?:[ab](?![a-z]))?(?=\W|$)|(?P<line>\d{{1,2}})[ab]?\s*\n)[\s:.,\u2013-]*",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"^\W*(\d{1,2})\s*(?:[ab](?![a-z]))?(?=\W|$)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"(20\d\d)\s*(?:{_DASH}|/|to)\s*((?:20)?\d\d)(?!\d)|(?<![\d/])(\d\d)\s*(?:{_DASH}|/)\s*(\d\d)(?![\d/.-])"
)
_SERIALS = range(40_000, 60_000)
"""Dates as a spreadsheet counts them, from 2009 to 2064 (ECMA-376, 18.17.4.1), where a head has lost its format."""
_SINGLE = re.compile(r"(?<!\d)(20\d\d)(?!\d)")
LEAST_STEP, MOST_STEP = 5, 45
"""Days from the first day of one column to that of the next: weeks, half-blocks, blocks or months."""
ODD_STEPS = (1, 62)
"""What is taken where no order of day and month gives such: an orientation of two days, a break."""


@frozen
class Token:
    """A day as written: its year where that is there, and two numbers, month first unless ``plain`` is False."""

    year: int | None
    one: int
    two: int
    plain: bool = True
    """Whether it is sure which number is the month."""

    def on(self, year: int, *, day_first: bool) -> date | None:
        """The day in a year; None where the calendar has none such."""
        month, day = (self.two, self.one) if day_first and not self.plain else (self.one, self.two)
        try:
            return date(self.year or year, month, day)
        except ValueError:
            return None


@frozen
class Mark:
    """What a head says: a first day, a last day, a whole month, or only a number.

    With a first day and a month it may be either: "Jul 26".
    """

    first: Token | None = None
    last: Token | None = None
    month: Token | None = None
    number: int | None = None

    @property
    def dated(self) -> bool:
        """Whether it names a day or a month."""
        return self.first is not None or self.month is not None


def mark_of(value: Value | None) -> Mark | None:
    """What a head's cell says; None where it is none of a column."""
    if isinstance(value, date):
        return Mark(Token(value.year, value.month, value.day))
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float) and value == int(value) and value in _SERIALS:
        day = date(1899, 12, 30) + timedelta(days=int(value))
        return Mark(Token(day.year, day.month, day.day))
    if isinstance(value, int | float):
        return Mark(number=int(value)) if value == int(value) and 1 <= value <= 54 else None
    ordinal = _ORDINAL.match(value)
    counted = None if ordinal is None else int(ordinal["word"] or ordinal["line"])
    text = " ".join(value[ordinal.end() if ordinal else 0 :].split())
    if len(text) > 60 or not (text or ordinal):
        return None
    if ordinal and not _DATE.search(text) and not _MONTH_ONLY.match(text):
        return Mark(number=counted)
    whole = _MONTH_ONLY.match(text)
    if whole is not None:
        month = Token(_year(whole["y"]), _month(whole["m"]), 1)
        if whole["y"] and len(whole["y"]) == 2 and "'" not in text and int(whole["y"]) <= 31:
            return Mark(Token(None, month.one, int(whole["y"])), month=month)  # Jul 26 is a day, or a year
        return Mark(month=month)
    found = _DATE.search(text)
    number = _NUMBER.match(text)
    if number is not None and counted is None and (found is None or found.start() >= number.end()):
        counted = int(number[1])
    if found is None:
        return None if counted is None else Mark(number=counted)
    first = _token(found)
    if first is None or _OTHER_WORDS.search(_HARMLESS.sub(" ", text[: found.start()])):
        return None
    return Mark(first, _last(first, text[found.end() :]), number=counted)


def _last(first: Token, rest: str) -> Token | None:
    """The last day of a range, in what follows its first."""
    to = _TO.match(rest)
    if to is None:
        second = _DATE.search(rest)
        return None if second is None else _token(second)
    after = _DATE.match(rest[to.end() :])
    if after is not None:
        return _token(after)
    bare = _BARE_DAY.match(rest[to.end() :])
    return None if bare is None or not first.plain else Token(_year(bare[2]) or first.year, first.one, int(bare[1]))


def _month(text: str) -> int:
    return _MONTHS.index(text[:3].lower()) + 1


def _year(text: str | None) -> int | None:
    return None if not text else int(text) + (2000 if len(text) == 2 else 0)


def _token(found: re.Match[str]) -> Token | None:
    if found["iso"]:
        return Token(int(found["iso"]), int(found["iso_m"]), int(found["iso_d"]))
    for one, two, year in (("a", "b", "ny"), ("ha", "hb", "hy")):
        if found[one]:
            return Token(_year(found[year]), int(found[one]), int(found[two]), plain=False)
    n = "1" if found["m1"] else "2"
    year = found["y1"] if found["m1"] else found["y2"] or found["y3"]
    return Token(_year(year), _month(found[f"m{n}"]), int(found[f"d{n}"]))


def years_in(text: str) -> tuple[int, int | None] | None:
    """The year that a title names, as (first, last) of an academic year, or (year, None)."""
    for found in _RANGE.finditer(text):
        one = int(found[1] or f"20{found[3]}")
        two = found[2] or found[4]
        last = int(two if len(two) == 4 else f"{one // 100}{two}")
        if last == one + 1:
            return one, last
    years = sorted({int(year) for year in _SINGLE.findall(text)})
    if len(years) == 2 and years[1] == years[0] + 1:
        return years[0], years[1]
    single = _SINGLE.search(text)
    return None if single is None else (int(single[1]), None)


def days_of(
    tokens: Sequence[Token], year: int, *, day_first: bool, steps: tuple[int, int] = (LEAST_STEP, MOST_STEP)
) -> list[date] | None:
    """The days of a row of heads: each later than the one before, a new year after December; None where they jump."""
    found: list[date] = []
    at = tokens[0].year or year
    for token in tokens:
        at = token.year or at
        day = token.on(at, day_first=day_first)
        if day is not None and found and day <= found[-1] and token.year is None:
            at += 1
            day = token.on(at, day_first=day_first)
        if day is None or (found and not steps[0] <= (day - found[-1]).days <= steps[1]):
            return None
        found.append(day)
    return found


def last_days(firsts: Sequence[date], marks: Sequence[Mark], *, day_first: bool) -> list[date | None]:
    """The last day that each head itself names; None where it names none that fits."""
    found: list[date | None] = []
    for n, (first, mark) in enumerate(zip(firsts, marks, strict=True)):
        day = None
        if mark.last is not None:
            day = mark.last.on(first.year, day_first=day_first)
            if day is not None and day < first and mark.last.year is None:
                day = mark.last.on(first.year + 1, day_first=day_first)
        after = firsts[n + 1] if n + 1 < len(firsts) else first + timedelta(days=MOST_STEP)
        found.append(day if day is not None and first <= day < after + timedelta(days=1) else None)
    return found


def usual_step(firsts: Sequence[date]) -> int:
    """The most common number of days from one column to the next."""
    steps = Counter((later - one).days for one, later in pairwise(firsts))
    return steps.most_common(1)[0][0]


def span_within(text: str, first: date, last: date) -> tuple[date, date] | None:
    """The days that a text names inside a block, such as ``7/27-8/2``; None where it names none that lie in it."""
    mark = next((mark for found in _DATE.finditer(text) if (mark := mark_of(text[found.start() :])) is not None), None)
    if mark is None or mark.first is None:
        return None
    for year in (first.year, last.year):
        for day_first in (False, True):
            start = mark.first.on(year, day_first=day_first)
            end = start if mark.last is None or start is None else mark.last.on(start.year, day_first=day_first)
            if start is not None and end is not None and end < start and mark.last is not None:
                end = mark.last.on(start.year + 1, day_first=day_first)
            if start is not None and end is not None and first <= start <= end <= last:
                return start, end
    return None
