"""The numbers that stand in somebody's words, with their places, in figures or in words."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from attrs import evolve, frozen

from packhorse_discovery.domain.case.quantity import MINUTES
from packhorse_discovery.domain.reading.amounts import amounts, number_words
from packhorse_discovery.domain.reading.words import Words, words_of

_POWERS = {"thousand": 1_000, "k": 1_000, "million": 1_000_000, "billion": 10**9, "dozen": 12}
_SINGLE = {
    **dict.fromkeys(("twice", "double", "doubles", "pair", "pairs", "both", "couple"), Fraction(2)),
    "dozen": Fraction(12), "triple": Fraction(3), "thrice": Fraction(3), "half": Fraction(1, 2),
    "quarter": Fraction(1, 4), "third": Fraction(1, 3), "halves": Fraction(1, 2), "quarters": Fraction(1, 4),
    "thirds": Fraction(1, 3),
}  # fmt: skip
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_PERCENT = re.compile(r"\s*(?:\\?%|per ?cent\b)")


@frozen
class Spoken:
    """One number: every value it may mean, its place, and the word after it."""

    values: frozenset[Fraction]
    start: int
    end: int
    after: str
    must_use: bool = True

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

    A length of time in words ("a quarter of an hour") means its number in minutes and in hours as well.
    """
    answer = words_of(text)
    found = [*_figures(answer), *_in_words(answer)]
    for one in amounts(answer):
        first, last = answer.words[one.first].start, answer.words[one.last].end
        inside = [each for each in found if first <= each.start and each.end <= last]
        if one.unit not in MINUTES or one.low != one.high or all(text[each.start].isdigit() for each in inside):
            continue
        sizes = (one.low * MINUTES[one.unit] / MINUTES[unit] for unit in ("minute", "hour", one.unit))
        values = frozenset(Fraction(size).limit_denominator(10_000) for size in sizes)
        found = [
            evolve(each, values=each.values | values, must_use=False) if each in inside else each for each in found
        ]
    return tuple(sorted(found, key=lambda each: each.start))


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
