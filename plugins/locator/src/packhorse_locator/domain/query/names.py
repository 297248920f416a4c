"""Given names and surnames of a name written in one line."""

from collections.abc import Mapping, Sequence
from functools import cache

from attrs import frozen

from packhorse_locator.domain.names.families import COGNATE_TABLES, NICKNAME_TABLES, entries, heads
from packhorse_locator.domain.names.tables.arabic import COGNATES as ARABIC
from packhorse_locator.domain.query.leanings import leaning
from packhorse_locator.domain.query.lexicon import DEVOTIONS, GIVEN, JOINING, PARTICLES, SURNAMES, words
from packhorse_locator.domain.query.tokens import Token

Known = Mapping[str, tuple[int, int]]

SERVANTS = frozenset({"abdul", "abdel", "abd", "abdur", "abdal"})
"""First halves of Arabic names that mean nothing without the second."""

_BETWEEN_BOTH = frozenset({"singh", "kaur"})
_ORDERED_OTHERWISE = words(
    """nguyen pham tran le vu vo dang bui do ho ngo duong ly huynh phan truong chen wang li zhang liu yang huang zhao wu
    zhou xu sun zhu lin guo zheng liang kim park choi jung smith johnson williams jones davis miller wilson
    anderson taylor moore jackson thompson white harris clark lewis walker young allen wright scott hill green
    adams baker carter webb mccarthy roberts phillips evans turner collins edwards stewart morris murphy rogers
    cooper"""
)
"""Surnames of people who bear one: before them stands a second given name more often than another surname."""


@frozen
class SplitName:
    """``sure`` says whether the words themselves, or only the usual order, tell where the surname begins."""

    first: str
    last: str
    sure: bool


def units(tokens: Sequence[Token]) -> list[list[Token]]:
    """The name's words, particles joined to the word after them and devotions to the one before."""
    made: list[list[Token]] = []
    waiting: list[Token] = []
    position = 0
    while position < len(tokens):
        devotion = _devotion(tokens, position) if made and not waiting else 0
        if devotion and len(made) == 1 and position + devotion < len(tokens):
            made[-1] += tokens[position : position + devotion]
            position += devotion
            continue
        token = tokens[position]
        position += 1
        waiting.append(token)
        if token.fold in SERVANTS and not made and position + 1 < len(tokens):
            continue
        if token.fold.rstrip(".") in PARTICLES and position < len(tokens) and (made or token.fold in JOINING):
            continue
        made.append(waiting)
        waiting = []
    if waiting:
        made.append(waiting)
    return made


def split(tokens: Sequence[Token], known: Known, *, spanish: bool = False) -> SplitName | None:
    """Where the surname begins; None for a single name. ``spanish`` says whether the sentence around it is.

    Two words are one and one, four are two and two, unless the second word is
    seldom a given name; of three the second decides. In Spanish the last two of three are the surname unless the
    second is known as a given name.
    """
    parts = units(tokens)
    if len(parts) < 2:
        return None
    cut, sure = _cut(parts, known, spanish=spanish)
    return SplitName(_text(parts[:cut]), _text(parts[cut:]), sure)


def _cut(parts: Sequence[Sequence[Token]], known: Known, *, spanish: bool) -> tuple[int, bool]:
    if len(parts) == 2:
        return 1, True
    second = _leaning(parts[1], known)
    if len(parts) == 3:
        return _cut_of_three(parts, second, _leaning(parts[2], known), spanish=spanish)
    if second < 0:
        return 1, True
    third = _leaning(parts[2], known)
    if third > 0 and second > 0 and len(parts) >= 4 and _leaning(parts[3], known) <= 0:
        return 3, True
    # Of four words whose second nobody knows it is a second given name: so in 97 of 100 invented people.
    return 2, second >= 0 or third < 0


def _cut_of_three(parts: Sequence[Sequence[Token]], second: int, third: int, *, spanish: bool) -> tuple[int, bool]:
    if second > 0:
        # Where the third is a given name as well (Pascual Andres), the second may be a surname too.
        return 2, third <= 0
    first, word, last = parts[0][-1].fold, parts[1][-1].fold, parts[2][-1].fold
    if (first, word) in _COMPOUND:
        return 2, True
    if second < 0:
        return 1, word not in _BETWEEN_BOTH
    # The second word is in no list: its letters decide, and where they do not, the usual order, without certainty.
    # Singh and Kaur are middle names as often as surnames; before surnames of people who bear one only stands a
    # second given name more often than another surname.
    if last in _ORDERED_OTHERWISE:
        return (2, leaning(word) > 0) if leaning(word) >= 0 else (1, False)
    family = third < 0 or last in SURNAMES or leaning(word) <= third == 0
    if spanish and family and first not in SURNAMES - GIVEN:
        return 1, True
    if leaning(word) > 0:
        return 2, third < 0
    return (1, True) if leaning(word) < 0 else (2 if third > 0 else 1, False)


_COMPOUND = frozenset({("joao", "batista"), ("juan", "bautista"), ("jean", "baptiste"), ("john", "baptist")})
"""Given names of two words whose second is a surname as well."""


def _leaning(part: Sequence[Token], known: Known) -> int:
    """Above 0 for a given name, below for a surname, 0 where it is not known."""
    if len(part) > 1:
        return -1 if part[0].fold in PARTICLES else 1
    word = part[0].fold
    given, family = known.get(word, (0, 0))
    if given > 2 * family or family > 2 * given:
        return 1 if given > family else -1
    if word in GIVEN or word in SURNAMES:
        return (word in GIVEN) - (word in SURNAMES)
    return int(word in given_variants())


@cache
def given_variants() -> frozenset[str]:
    """Given names of the tables of nicknames and cognates, and their short forms."""
    found: set[str] = set()
    for table in NICKNAME_TABLES:
        for head, variants in heads(table):
            found.update((head, *variants))
    for table in (*COGNATE_TABLES, ARABIC):
        for entry in entries(table):
            found.update(entry.split())
    return frozenset(word for word in found if len(word) > 2)


def _devotion(tokens: Sequence[Token], position: int) -> int:
    for devotion in DEVOTIONS:
        if tuple(token.fold for token in tokens[position : position + len(devotion)]) == devotion:
            return len(devotion)
    return 0


def _text(parts: Sequence[Sequence[Token]]) -> str:
    return " ".join(token.text for part in parts for token in part)
