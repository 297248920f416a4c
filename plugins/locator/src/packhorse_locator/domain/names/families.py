"""Names that stand for one another: tables of nicknames, abbreviations and romanisations, and the rules beside them."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from itertools import combinations
from types import MappingProxyType

from packhorse_locator.domain.names.tables import (
    abbreviations,
    arabic,
    chinese,
    english,
    french,
    indic,
    portuguese,
    slavic,
    spanish,
)


class Kin(StrEnum):
    """How two words of one family belong together."""

    NICKNAME = "nickname"
    ABBREVIATION = "abbreviation"
    ROMANISATION = "romanisation"
    COGNATE = "cognate"


NICKNAME_TABLES = (
    spanish.NICKNAMES,
    english.NICKNAMES,
    french.NICKNAMES,
    portuguese.NICKNAMES,
    slavic.NICKNAMES,
    arabic.NICKNAMES,
    indic.NICKNAMES,
)
COGNATE_TABLES = (english.COGNATES, slavic.COGNATES)
SPELLING_TABLES = (arabic.COGNATES, indic.COGNATES, chinese.KOREAN, chinese.VIETNAMESE)

# Spanish, Portuguese and French diminutives: what is left takes a name's own ending.
DIMINUTIVE = re.compile("^([a-z]{2,}?)(?:c?it[oa]s?|z?inh[oa]s?|ill[oa]|uch[oa]|ch[oa]|et+e|ot)$")


def entries(table: str) -> Iterator[str]:
    """The entries of a table, in plain letters."""
    flat = unicodedata.normalize("NFD", table)
    for entry in re.split(r"[|\n]", "".join(c for c in flat if unicodedata.category(c) != "Mn")):
        if entry.strip():
            yield entry.strip()


def heads(table: str) -> Iterator[tuple[str, list[str]]]:
    """Head and variants of each ``head:variant ...`` entry; a number after a head tells two of one spelling apart."""
    for entry in entries(table):
        head, _, variants = entry.partition(":")
        yield head.rstrip("0123456789"), [re.sub("[^a-z]", "", v) for v in variants.split()]


@cache
def kinship() -> Mapping[str, Mapping[str, Kin]]:
    """Every word of the tables with its kin, in both directions. A nickname leads to heads, not to other nicknames."""
    kin: dict[str, dict[str, Kin]] = defaultdict(dict)

    def relate(one: str, other: str, how: Kin) -> None:
        if one != other:
            kin[one].setdefault(other, how)
            kin[other].setdefault(one, how)

    headed = [(Kin.ABBREVIATION, abbreviations.ABBREVIATIONS)]
    headed += [(Kin.NICKNAME, table) for table in NICKNAME_TABLES]
    headed += [(Kin.ROMANISATION, table) for table in (chinese.FAMILY_NAMES, french.CREOLE)]
    for how, table in headed:
        for head, variants in heads(table):
            for variant in variants:
                relate(head, variant, how)
    for tables, how in ((SPELLING_TABLES, Kin.ROMANISATION), (COGNATE_TABLES, Kin.COGNATE)):
        for table in tables:
            for entry in entries(table):
                for one, other in combinations(entry.split(), 2):
                    relate(one, other, how)
    return MappingProxyType(kin)


def kin_of(word: str) -> Mapping[str, Kin]:
    """Words that the tables let stand for this one."""
    return kinship().get(word, MappingProxyType({}))


def stems_of(word: str) -> frozenset[str]:
    """What a diminutive may be made from, without its ending: ``carlitos`` -> ``carl``; empty for other words."""
    found = DIMINUTIVE.match(word)
    return frozenset({found.group(1)}) if found and len(found.group(1)) >= 3 else frozenset()
