"""A mission read once: what stands in it, whole. Nothing is guessed: values either stand there or do not.

Texts are compared in Unicode's composed form and without case, and in no other
way: a fold that a tool does not make would let another value through.
"""

import math
import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any

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
_INSIDE = r"[\w@+/%:=&~-]"
"""What may stand in the middle of a value: beside one of these a match is a part of something else."""
_JOINED_BEFORE = re.compile(rf"(?:{_INSIDE}|{_INSIDE}\.)$")
_JOINED_AFTER = re.compile(rf"{_INSIDE}|\.\w")
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


def links(text: str) -> list[str]:
    """Addresses and account numbers inside a text, without the full stop of its sentence."""
    if not _MARK.search(text) or not _MAY_LINK.search(text):
        return []
    return [found[0].rstrip(".,;:!?)'\"") for found in _LINK.finditer(same(text))]


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
        """What stands between quotation marks."""
        return frozenset(same(next(part for part in found if part)) for found in _QUOTED.findall(self.text))

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
        if (amount := number(value)) is not None:
            return amount in self.numbers
        if not isinstance(value, str) or not value or value != value.strip():
            return False
        wanted = same(value)
        at = self._same.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            if not _JOINED_BEFORE.search(self._same, max(0, at - 2), at) and not _JOINED_AFTER.match(
                self._same, end, end + 2
            ):
                return True
            at = self._same.find(wanted, at + 1)
        return False

    def dates(self, value: Any) -> bool:
        """Whether the day in a value is one that it names; true where it names none, or the value has none."""
        if not isinstance(value, str):
            return False
        if not self.days:
            return True
        wanted = _days_in(same(value))
        return all(
            any((y is None or year == y) and (month, day) == (m, d) for y, m, d in self.days)
            for year, month, day in wanted
        )


@lru_cache(maxsize=4096)
def _days_in(text: str) -> tuple[tuple[int | None, int, int], ...]:
    """The days in a text; a value is asked about again when its call is."""
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
