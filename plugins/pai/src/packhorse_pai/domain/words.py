"""A mission read once: what stands in it, whole. Nothing is guessed: values either stand there or do not.

Texts are compared in Unicode's composed form and without case, and in no other
way: a fold that a tool does not make would let another value through.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from attrs import frozen

_QUOTED = re.compile(
    r"'([^'\n]{1,500})'|\"([^\"\n]{1,500})\"|\u201c([^\u201d\n]{1,500})\u201d|\u00ab([^\u00bb\n]{1,500})\u00bb"
)
_NUMBER = re.compile(
    r"(?<![\w.])-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?!\w)|(?<![\w.])-?[0-9]+(?:\.[0-9]+)?(?!\w)", re.ASCII
)
_WORD = re.compile(r"[^\W_]+")
_CONTENT = re.compile(r"[^\W\d_]{4,}|[0-9]+")
_NAMES_OF_MONTHS = """january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,
september sep sept,october oct,november nov,december dec"""
_MONTHS = {name: number for number, names in enumerate(_NAMES_OF_MONTHS.split(","), start=1) for name in names.split()}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAYS = (
    re.compile(r"(?P<y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})", re.ASCII),
    re.compile(
        rf"\b(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<n>{_MONTH})\b\.?(?:,? (?P<y>[0-9]{{4}}))?", re.ASCII
    ),
    re.compile(rf"\b(?P<n>{_MONTH})\b\.? (?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y>[0-9]{{4}}))?", re.ASCII),
)
_LINK = re.compile(
    r"[a-z][a-z0-9+.-]*://\S+"  # an address of the web
    r"|[\w.+-]+@[\w.-]+"  # a mailbox
    r"|(?<!\w)(?:[\w-]+\.)+[^\W\d]{2,}[\w/?=&%.-]*"  # a host, with what follows it
    r"|[a-z]{2}[0-9]{2}[a-z0-9]{8,30}"  # an account (ISO 13616), also inside a longer word
    r"|[0-9]{8,}"
    r"|(?<!\w)[0-9]{4}(?:[ -][0-9]{4}){2,}(?:[ -][0-9]{1,4})?(?!\w)"  # a card's number (ISO/IEC 7812), in groups
)
_INSIDE = frozenset("_@+/%:=&~-")
"""Marks that may stand in the middle of a value: beside one, or a letter or digit, a match is part of something."""
_MARK = re.compile(r"[@0-9.:]")
_MAY_LINK = re.compile(r"[@0-9]|://|\.[^\W\d]")
"""Without one of these a text holds no link: most hold none, and this is quicker to see; a set of letters quickest."""


def same(text: str) -> str:
    """A text as it is compared."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).casefold()


def is_word(text: str) -> bool:
    """Whether a text is one word of a mission: letters and digits, without a space or a mark."""
    return _WORD.fullmatch(text) is not None


def number(value: Any) -> Decimal | None:
    """A finite number; a flag and a text are none."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    return Decimal(str(value)) if math.isfinite(value) else None


def content_words(text: str) -> list[str]:
    """The words of a title that say something: four letters or more, and numbers."""
    return _CONTENT.findall(same(text))


@lru_cache(maxsize=64)
def mission_words(text: str) -> "Words":
    """A mission, read once however often its run is judged."""
    return Words(text)


@frozen
class Words:
    """A mission's text."""

    text: str

    @cached_property
    def _same(self) -> str:
        return same(self.text)

    @cached_property
    def quoted(self) -> frozenset[str]:
        """What stands between quotation marks, without the blanks at its ends."""
        parts = (next(part for part in found if part).strip() for found in _QUOTED.findall(self.text))
        return frozenset(same(part) for part in parts if part)

    @cached_property
    def bag(self) -> frozenset[str]:
        """Its words."""
        return frozenset(_WORD.findall(self._same))

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        """Its numbers."""
        return frozenset(Decimal(text.replace(",", "")) for text in _NUMBER.findall(self._same))

    @cached_property
    def days(self) -> frozenset[tuple[int | None, int, int]]:
        """(year or None, month, day) of each day that it names."""
        return frozenset(_days(self._same))

    def names(self, value: Any) -> bool:
        """Whether a value stands there, whole."""
        if not isinstance(value, str):
            amount = number(value)
            return amount is not None and amount in self.numbers
        if not value or value != value.strip():
            return False
        return _stands(self._same, same(value))

    def dates(self, value: Any) -> bool:
        """Whether the day in a value is one that it names; true where it names none, or the value has none."""
        if not isinstance(value, str):
            return False
        if not self.days:
            return True
        return all(
            any((y is None or year == y) and (month, day) == (m, d) for y, m, d in self.days)
            for year, month, day in _days_in(same(value))
        )


MEMO, MOST_KEPT = 512, 200
"""A value is judged about three times until its call is made, so answers about short ones are kept for a while."""

R = TypeVar("R")


def _kept(answer: Callable[..., R]) -> Callable[..., R]:
    """A pure function of texts that keeps its answers about short last ones: long ones would fill the memory."""
    keeping = lru_cache(maxsize=MEMO)(answer)
    return lambda *texts: (keeping if len(texts[-1]) <= MOST_KEPT else answer)(*texts)


@_kept
def links(text: str) -> tuple[str, ...]:
    """Addresses and account numbers inside a text, without the full stop of its sentence."""
    if not _MARK.search(text) or not _MAY_LINK.search(text):
        return ()
    return tuple(found[0].rstrip(".,;:!?)'\"") for found in _LINK.finditer(same(text)))


@_kept
def _stands(text: str, wanted: str) -> bool:
    """Whether something stands in a text, and is no part of something longer."""
    at = text.find(wanted)
    while at >= 0:
        if _is_whole(text, at, at + len(wanted)):
            return True
        at = text.find(wanted, at + 1)
    return False


def _is_whole(text: str, at: int, end: int) -> bool:
    """Whether nothing joins what is at these places; a full stop joins where something stands behind it."""
    if at and (_joins(text[at - 1]) or (at > 1 and text[at - 1] == "." and _joins(text[at - 2]))):
        return False
    after = text[end : end + 2]
    if not after or after[0] != ".":
        return not (after and _joins(after[0]))
    return not (after[1:].isalnum() or after[1:] == "_")


def _joins(letter: str) -> bool:
    return letter.isalnum() or letter in _INSIDE


@_kept
def _days_in(text: str) -> tuple[tuple[int | None, int, int], ...]:
    """The days in a text."""
    return tuple(_days(text))


def _days(text: str) -> Iterator[tuple[int | None, int, int]]:
    for pattern in _DAYS:
        for found in pattern.finditer(text):
            parts = found.groupdict()
            month = _MONTHS[parts["n"]] if parts.get("n") else int(parts["m"])
            year = int(parts["y"]) if parts.get("y") else None
            try:
                date(year or 2000, month, int(parts["d"]))
            except ValueError:
                continue
            yield year, month, int(parts["d"])
