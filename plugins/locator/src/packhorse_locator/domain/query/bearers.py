"""How many people bear a word as their given name, and how many as their surname.

``data/SOURCES.md`` tells where the counts come from. Whoever reads sentences hands in, by `Lists.hand_in`, where the
texts of the tables are; they are asked for with the first sentence.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Literal

from attrs import define, frozen

Group = Literal["h", "a", "b", "w", "?"]
"""Who mostly bears a name in the United States: Hispanic, Asian, Black or other people; ? for an uncounted one."""
UNCOUNTED: Group = "?"

OWN, OTHER, WORD = "+", "-", "."
"""Marks of the table: a name of the own lists, another name, and an ordinary word that is a name as well."""
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""A digit of the table: twice the natural logarithm of how many people there are."""
PLAIN = 2.5
"""Natural log-odds from which a name is plainly the one kind and not the other: 12 to 1."""
_MANY = 9.0
"""Natural logarithm of the people from whom on a name is well known: eight thousand."""
_UNKNOWN = 4.0
"""Natural logarithm of the people taken for a use of a name of which none is counted: tables leave out rare ones."""


@frozen
class Bearers:
    """How many bear a name, as natural logarithms: as given name and as surname, all of them and Hispanic ones.

    ``mark`` says whether it is in the own lists, or an ordinary word as well.
    """

    given: float
    family: float
    hispanic_given: float
    hispanic_family: float
    group: Group
    mark: str

    @property
    def odds(self) -> float:
        """Natural log-odds that it is a given name."""
        return max(self.given, _UNKNOWN) - max(self.family, _UNKNOWN)

    @property
    def hispanic_odds(self) -> float:
        """The same among Hispanic people, or among all where hardly any of them bears it."""
        if max(self.hispanic_given, self.hispanic_family) <= _UNKNOWN:
            return self.odds
        return max(self.hispanic_given, _UNKNOWN) - max(self.hispanic_family, _UNKNOWN)


TABLE = "names.txt"
OWN_LISTS = "own_names.txt"
"""The texts that are asked for."""


@define(slots=False, eq=False)
class Lists:
    """The tables of names, made from their texts when they are first looked into."""

    _text_of: Callable[[str], str] | None = None

    def hand_in(self, text_of: Callable[[str], str]) -> None:
        """Says where the texts come from: by name, `TABLE` or `OWN_LISTS`."""
        self._text_of = text_of

    @cached_property
    def own(self) -> tuple[frozenset[str], frozenset[str]]:
        """Given names and surnames of the own lists."""
        given, family = self._text(OWN_LISTS).removeprefix("given:").split("family:")
        return frozenset(given.split()), frozenset(family.split())

    @cached_property
    def _heads(self) -> Mapping[str, str]:
        """By name the head of its line: four digits, the group and the mark."""
        heads: dict[str, str] = {}
        for line in self._text(TABLE).splitlines():
            head, *names = line.split(" ")
            heads.update(dict.fromkeys(names, head))
        return heads

    @cached_property
    def _made(self) -> dict[str, Bearers]:
        return {}

    def bearers_of(self, word: str) -> Bearers | None:
        """Who bears a folded word; None where nobody is known to."""
        head = self._heads.get(word)
        if head is None:
            return None
        if head not in self._made:
            self._made[head] = _of_head(head)
        return self._made[head]

    def _text(self, name: str) -> str:
        if self._text_of is None:
            raise RuntimeError(f"{name} was not handed in")
        return self._text_of(name)


LISTS = Lists()
"""The tables that every sentence is read with."""


def own_names() -> tuple[frozenset[str], frozenset[str]]:
    """Given names and surnames of the own lists."""
    return LISTS.own


def _of_head(head: str) -> Bearers:
    given, family, hispanic_given, hispanic_family = (DIGITS.index(digit) / 2 for digit in head[:4])
    return Bearers(given, family, hispanic_given, hispanic_family, _GROUPS[head[4]], head[5])


_GROUPS: Mapping[str, Group] = {"h": "h", "a": "a", "b": "b", "w": "w", "?": "?"}


def bearers_of(word: str) -> Bearers | None:
    """Who bears a folded word as a name, also an ordinary word; None where nobody is known to."""
    return LISTS.bearers_of(word)


def _of_name(word: str) -> Bearers | None:
    """Who bears a folded word that is a name rather than an ordinary word."""
    found = bearers_of(word)
    return found if found is not None and found.mark != WORD else None


def is_word_and_surname(word: str) -> bool:
    """Whether an ordinary word is a surname as well: Small, Rojo."""
    found = bearers_of(word)
    return found is not None and found.mark == WORD and found.odds < PLAIN


def is_borne(word: str) -> bool:
    """Whether a folded word is known as a name."""
    return _of_name(word) is not None


def is_own(word: str) -> bool:
    """Whether a folded word is in the own lists."""
    found = _of_name(word)
    return found is not None and found.mark == OWN


def is_given(word: str) -> bool:
    """Whether a folded word is known as a given name, though it may be a surname as well."""
    found = _of_name(word)
    return found is not None and found.odds > -PLAIN


def is_surname(word: str) -> bool:
    """Whether a folded word is known as a surname, though it may be a given name as well."""
    found = _of_name(word)
    return found is not None and found.odds < PLAIN


def is_plainly_given(word: str) -> bool:
    """Whether a folded word is a given name and next to never a surname."""
    found = _of_name(word)
    return found is not None and found.odds >= PLAIN


def is_plainly_surname(word: str) -> bool:
    """Whether a folded word is a surname and next to never a given name."""
    found = _of_name(word)
    return found is not None and found.odds <= -PLAIN


def is_well_known(word: str) -> bool:
    """Whether a word is a name of the own lists, or one that thousands bear: more likely a person than a place."""
    found = _of_name(word)
    return found is not None and (found.mark == OWN or max(found.given, found.family) >= _MANY)
