"""The numbers that stand in somebody's words, with their places, in figures or in words."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from attrs import frozen
from text_to_num import find_numbers

from packhorse_discovery.domain.formulation.units import name_of
from packhorse_discovery.domain.reading.words import words_of

_FIGURE = re.compile(r"(?<![A-Za-z_\d.])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|(?<![\w.])\.\d+")
_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|\d[\d,.]*|[^\sA-Za-z\d]")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_PERCENT = re.compile(r"\s*(?:\\?%|per ?cent\b|percent)")
_TIMES = {"thousand": 1_000, "k": 1_000, "million": 1_000_000, "billion": 10**9, "dozen": 12}
_SINGLE = {
    "twice": Fraction(2), "double": Fraction(2), "doubles": Fraction(2), "pair": Fraction(2),
    "both": Fraction(2), "couple": Fraction(2), "dozen": Fraction(12), "triple": Fraction(3), "thrice": Fraction(3),
    "pairs": Fraction(2), "half": Fraction(1, 2), "quarter": Fraction(1, 4), "third": Fraction(1, 3),
    "halves": Fraction(1, 2), "quarters": Fraction(1, 4), "thirds": Fraction(1, 3),
}  # fmt: skip
_NUMBER_WORD_ENDS = ("second", "seconds")


@frozen
class Spoken:
    """One number: every value it may mean, its place, and the word after it as a unit's name."""

    values: frozenset[Fraction]
    start: int
    end: int
    after: str
    must_use: bool = True

    @property
    def value(self) -> Fraction:
        """The number as it is written."""
        return max(self.values)


@frozen
class _Token:
    """A word as text2num wants it."""

    word: str

    def text(self) -> str:
        return self.word

    def nt_separated(self, _previous: "_Token") -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return not self.word.isalpha() and self.word != "-"


def cleaned(text: str) -> str:
    """The words with one kind of dash, quote and thousands' comma, as every other function here takes them."""
    return words_of(text.replace("{,}", ",")).text


@lru_cache(maxsize=256)
def spoken(text: str) -> tuple[Spoken, ...]:
    """Every number in ``text``, in order. Figures within names ("A2") are none; a list's "2." need not be used."""
    found = [*_figures(text), *_in_words(text)]
    return tuple(sorted(found, key=lambda each: each.start))


def _figures(text: str) -> list[Spoken]:
    found: list[Spoken] = []
    for hit in _FIGURE.finditer(text):
        value = Fraction(hit.group().replace(",", ""))
        values, end = {value}, hit.end()
        rest = text[end : end + 24]
        if re.match(r"[A-Z]", rest) and not re.match(r"[A-Z]{2}", rest):
            continue  # "2D", "9A": a name
        must = not _ORDINAL.match(rest) and not _is_marker(text, hit.start(), end)
        if percent := _PERCENT.match(rest):
            values.add(value / 100)
            end += percent.end()
        elif (word := re.match(r"[\s-]*([A-Za-z]+)", rest)) and word.group(1).casefold().rstrip("s") in _TIMES:
            values.add(value * _TIMES[word.group(1).casefold().rstrip("s")])
            end += word.end()
        elif over := re.match(r"\s*/\s*([1-9]\d*)(?![\d.])", rest):
            values.add(value / int(over.group(1)))
        found.append(Spoken(frozenset(values), hit.start(), end, _after(text, end), must))
    return found


def _in_words(text: str) -> list[Spoken]:
    words = [hit for hit in _WORD.finditer(text) if hit.group() not in _NUMBER_WORD_ENDS]
    found: list[Spoken] = []
    for each in find_numbers([_Token(hit.group().casefold()) for hit in words], "en", 0):
        first, last = words[each.start], words[each.end - 1]
        if first.group()[0].isdigit() or first.group().casefold().rstrip("s") in (*_TIMES, "hundred"):
            continue
        value, end = Fraction(str(each.value)), last.end()
        percent = _PERCENT.match(text, end)
        values, end = ({value, value / 100}, percent.end()) if percent else ({value}, end)
        found.append(Spoken(frozenset(values), first.start(), end, _after(text, end), not each.is_ordinal))
    taken = {each.start for each in found}
    found += [
        Spoken(
            frozenset({(part := _SINGLE[hit.group().casefold()]), max(part, 1 / part)}),
            hit.start(),
            hit.end(),
            _after(text, hit.end()),
            False,
        )
        for hit in words
        if hit.group().casefold() in _SINGLE and hit.start() not in taken
    ]
    return found


def _is_marker(text: str, start: int, end: int) -> bool:
    """Whether it numbers an item of a list: "2." or "2)" at the beginning of a line, or "(2)"."""
    line = text[text.rfind("\n", 0, start) + 1 : start].strip()
    return (
        line in ("", "-", "*", "#", "##", "###", "**") and re.match(r"[.):]\s", text[end : end + 2] + " ") is not None
    ) or (text[start - 1 : start] == "(" and text[end : end + 1] == ")" and end - start == 1)


def _after(text: str, end: int) -> str:
    word = re.match(r"[\s\-$\\]*([A-Za-z]+)", text[end : end + 30])
    return name_of(word.group(1)) if word else ""


def span_of_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Where ``quote`` stands in ``text``, word by word; " ... " leaves words out. None where it does not."""
    words = words_of(text)
    found = words.find(quote)
    return None if found is None else (words.words[found[0]].start, words.words[found[1]].end)


def around(text: str, start: int, end: int, width: int = 28) -> str:
    """The words around a place."""
    left, right = max(0, start - width), min(len(text), end + width)
    cut = text[left:right]
    if left:
        cut = cut.partition(" ")[2] if " " in cut[: start - left] else cut
    if right < len(text):
        cut = cut.rpartition(" ")[0] if " " in cut[end - left :] else cut
    return " ".join(cut.split())


def positions(value: Fraction, numbers: Sequence[Spoken]) -> list[int]:
    """At which of ``numbers`` a value stands, whatever its sign."""
    return [at for at, each in enumerate(numbers) if abs(value) in each.values]
