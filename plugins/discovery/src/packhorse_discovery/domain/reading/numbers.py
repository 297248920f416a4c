"""The numbers that stand in somebody's words, with their places, in figures or in words."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from attrs import evolve, frozen

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.reading.amounts import amounts, number_words
from packhorse_discovery.domain.reading.words import Words, any_of, words_of

_POWERS = {"thousand": 1_000, "k": 1_000, "million": 1_000_000, "billion": 10**9, "dozen": 12}
_SINGLE = {
    "once": Fraction(1),
    **dict.fromkeys(("twice", "double", "doubles", "pair", "pairs", "both", "couple"), Fraction(2)),
    "dozen": Fraction(12), "triple": Fraction(3), "thrice": Fraction(3), "half": Fraction(1, 2),
    "quarter": Fraction(1, 4), "third": Fraction(1, 3), "halves": Fraction(1, 2), "quarters": Fraction(1, 4),
    "thirds": Fraction(1, 3),
}  # fmt: skip
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_PERCENT = re.compile(r"\s*(?:\\?%|per ?cent\b)")
_HOURS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_PARTS = {"quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_PART = rf"(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))}|5|10|20|25)"
_HOUR = rf"(?:{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_TOLD_CLOCK = any_of(rf"(?<![\w.,]){_PART}(?: minutes)? (?P<way>past|to) (?P<hour>{_HOUR})(?![\w:]|[.,]\d)")
_CLOCK_CUE = re.compile(r"(?:^|\b(?:at|by|until|till|before|after|since|around)(?: about)?(?: an?)? )$", re.IGNORECASE)
_ENDS = "o'clock|in|on|at|and|or|but|to|until|till|for|from|when|sharp"
_AFTER_CLOCK = any_of(rf"[\s-]*(?:[^\w\s]|\Z|(?:am|pm|a|with|every|each|the|{_ENDS})\b)")
_HOUR_CUE = r"\b(?:at|by|until|till|before|after|since|around|from|between)(?: about)?"
_NO_RANGE = r"(?! (?:and|to|or|until|till) (?:\d|ten|eleven|twelve|thir|four|fif|six|seven|eigh|nine|twen))"
_WORDS_AFTER = rf"(?:[ap]\.?m\b|(?:{_ENDS}|is|was|it|he|she|we|they|then|tomorrow|today|tonight|latest)\b)"
_HALF = r"(?P<half> (?:o'clock )?(?:am\b|a\.m|in the morning))?"
_TOLD_HOURS = any_of(
    rf"{_HOUR_CUE} (?P<first>{_HOUR})(?: (?:and|to|until|till|or) (?P<second>{_HOUR}))?(?![\w:%-]|[.,]\d)"
    rf"{_NO_RANGE}(?= ?(?:[.,;!?)\"'\n]|\Z|{_WORDS_AFTER})){_HALF}"
)
"""An hour of the day in words ("by one", "between eight and ten"), with what says that it is before noon."""
_CHANGES = "reduc|cut|increas|rais|lower|grow|grew|shr[aiu]nk|multipl|divid|extend|shorten|lengthen|mov|shift|delay"
_CHANGED_BY = any_of(rf"\b(?:{_CHANGES}|late|early|more|less|fewer|longer|shorter|higher|up|down|off)\w* $")
"""What stands before "by three" where that is an amount of change and no hour."""
_CLOCK = re.compile(r"(?<![\w:.,])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?![\w:])")


@frozen
class Spoken:
    """One number: every value it may mean, its place, and the word after it; ``clock`` is the time of day it tells."""

    values: frozenset[Fraction]
    start: int
    end: int
    after: str
    must_use: bool = True
    clock: str = ""

    @property
    def value(self) -> Fraction:
        """The number as it is written."""
        return max(self.values)


def cleaned(text: str) -> str:
    """The words with one kind of dash, quote and thousands' comma, as every other function here takes them."""
    return words_of(text.replace("{,}", ",")).text


@lru_cache(maxsize=256)
def spoken(text: str) -> tuple[Spoken, ...]:
    """Every number in ``text``, in order. Figures within names ("A2") are none; a list's "2." need not be used.

    A length of time in words ("a quarter of an hour") means its number in minutes and in hours as well. A time of day
    means its minutes and its hours since midnight: "ten to nine" only these, each figure of "8:50" these as well. An
    hour ("by one") is also that of the other half of the day, 13, where no "in the morning" denies it.
    """
    answer = words_of(text)
    found = [*_figures(answer), *_in_words(answer)]
    for one in amounts(answer):
        first, last = answer.words[one.first].start, answer.words[one.last].end
        inside = [each for each in found if first <= each.start and each.end <= last]
        if one.unit not in MINUTES or one.low != one.high or all(text[each.start].isdecimal() for each in inside):
            continue
        sizes = (one.low * MINUTES[one.unit] / MINUTES[unit] for unit in ("minute", "hour", one.unit))
        values = frozenset(Fraction(size).limit_denominator(10_000) for size in sizes)
        found = [
            evolve(each, values=each.values | values, must_use=False) if each in inside else each for each in found
        ]
    return tuple(sorted(_with_clocks(answer.text, found), key=lambda each: each.start))


def _with_clocks(text: str, found: Sequence[Spoken]) -> list[Spoken]:
    """The numbers with the times of day among them; "five to ten", which may be a range, keeps its two numbers."""
    kept = list(found)
    for hit in _TOLD_CLOCK.finditer(text):
        part, hour = hit["part"].casefold(), hit["hour"].casefold()
        back, sure = hit["way"].casefold() == "to", part in ("quarter", "half")
        if back and (part == "half" or not _AFTER_CLOCK.match(text, hit.end())):
            continue
        if not sure and not _CLOCK_CUE.search(text[: hit.start()]):
            continue
        share = _PARTS[part] if part in _PARTS else int(part)
        hours = _HOURS.index(hour) + 1 if hour in _HOURS else int(hour)
        at = (hours % 12 * 60 + (-share if back else share)) % 720
        kept = _told(kept, hit, f"{at // 60:02}:{at % 60:02}", [at, at + 720], alone=sure or share > hours)
    for hit in _CLOCK.finditer(text):
        kept = _told(kept, hit, hit.group(), [int(hit["hour"]) * 60 + int(hit["minute"])], alone=False)
    kept = [evolve(each, after=_after(text, each.end)) if each.clock else each for each in kept]
    return _with_hours(text, kept)


def _with_hours(text: str, found: Sequence[Spoken]) -> list[Spoken]:
    """The numbers, each hour of the day with the same hour of the other half of the day as one more meaning."""
    places = {
        hit.start(name)
        for hit in _TOLD_HOURS.finditer(text)
        if not hit["half"] and not _CHANGED_BY.search(text, 0, hit.start())
        for name in ("first", "second")
        if hit[name]
    }
    return [
        evolve(each, values=each.values | {each.value + 12}, clock=f"{int(each.value):02}:00")
        if each.start in places and not each.clock and len(each.values) == 1
        else each
        for each in found
    ]


def _told(
    found: Sequence[Spoken], hit: re.Match[str], clock: str, minutes: Sequence[int], *, alone: bool
) -> list[Spoken]:
    """The numbers with a time of day at ``hit``: in place of those within where ``alone``, else one more meaning."""
    values = frozenset(part for at in minutes for part in (Fraction(at), Fraction(at, 60)))
    outside = [each for each in found if not hit.start() <= each.start < hit.end()]
    inside = [each for each in found if each not in outside]
    if alone:
        return [*outside, Spoken(values, hit.start(), hit.end(), "", clock=clock)]
    return [*outside, *(evolve(each, values=each.values | values, clock=clock) for each in inside)]


def _figures(answer: Words) -> Iterator[Spoken]:
    text = answer.text
    for hit in re.finditer(rf"(?<![A-Za-z_\d.])(?:{_FIGURE.pattern})", text):
        value, end = Fraction(hit.group().replace(",", "")), hit.end()
        values, rest = {value}, text[end : end + 24]
        if re.match(r"[A-Z](?![A-Z])", rest):
            continue  # "2D", "9A": a name
        must = not re.match(r"(?:st|nd|rd|th)\b", rest) and not _is_marker(text, hit.start(), end)
        word = re.match(r"[\s-]*([A-Za-z]+)", rest)
        if percent := _PERCENT.match(rest):
            values.add(value / 100)
            end += percent.end()
        elif word and (power := _POWERS.get(word[1].casefold().rstrip("s"))):
            values.add(value * power)
            end += word.end()
        elif over := re.match(r"\s*/\s*([1-9]\d*)(?![\d.])", rest):
            values.add(value / int(over[1]))
        yield Spoken(frozenset(values), hit.start(), end, _after(text, end), must)


def _in_words(answer: Words) -> Iterator[Spoken]:
    text, taken = answer.text, set()
    for first, last, number, ordinal in number_words(answer.texts):
        if answer.texts[first].rstrip("s") in {*_POWERS, "hundred"}:
            continue
        start, end = answer.words[first].start, answer.words[last].end
        taken |= set(range(first, last + 1))
        value = Fraction(str(number))
        percent = _PERCENT.match(text, end)
        values, end = ({value, value / 100}, percent.end()) if percent else ({value}, end)
        yield Spoken(frozenset(values), start, end, _after(text, end), not ordinal)
    for at, word in enumerate(answer.words):
        if at not in taken and (part := _SINGLE.get(word.text)):
            yield Spoken(frozenset({part, max(part, 1 / part)}), word.start, word.end, _after(text, word.end), False)


def _is_marker(text: str, start: int, end: int) -> bool:
    """Whether it numbers an item of a list: "2." or "2)" at the beginning of a line, or "(2)"."""
    line = text[text.rfind("\n", 0, start) + 1 : start].strip()
    first = not line.strip("-*#") and re.match(r"[.):]\s", text[end : end + 2] + " ") is not None
    return first or (text[start - 1 : start] == "(" and text[end : end + 1] == ")" and end - start == 1)


def _after(text: str, end: int) -> str:
    word = re.match(r"[\s\-$\\]*([A-Za-z]+)", text[end : end + 30])
    return word[1] if word else ""


def span_of_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Where ``quote`` stands in ``text``, word by word; " ... " leaves words out. None where it does not."""
    words = words_of(text)
    found = words.find(quote)
    return None if found is None else (words.words[found[0]].start, words.words[found[1]].end)


def around(text: str, start: int, end: int, width: int = 28) -> str:
    """The words around a place."""
    left, right = max(0, start - width), min(len(text), end + width)
    before, after = text[left:start], text[end:right]
    before = before.partition(" ")[2] if left and " " in before else before
    after = after.rpartition(" ")[0] if right < len(text) and " " in after else after
    return " ".join(f"{before}{text[start:end]}{after}".split())


def positions(value: Fraction, numbers: Sequence[Spoken]) -> list[int]:
    """At which of ``numbers`` a value stands, whatever its sign."""
    return [at for at, each in enumerate(numbers) if abs(value) in each.values]
