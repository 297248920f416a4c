"""Names that stand for one another: nicknames, abbreviations, romanisations and cognates."""

import re
from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum
from itertools import combinations


class Kin(StrEnum):
    """How two words of one family belong together."""

    NICKNAME = "nickname"
    ABBREVIATION = "abbreviation"
    ROMANISATION = "romanisation"
    COGNATE = "cognate"


# Spanish, Portuguese and French diminutives: what is left takes a name's own ending.
DIMINUTIVE = re.compile("^([a-z]{2,}?)(?:c?it[oa]s?|z?inh[oa]s?|ill[oa]|uch[oa]|ch[oa]|et+e|ot)$")


def kinship_of(lines: Iterable[str]) -> dict[str, dict[str, Kin]]:
    """Every word of a table with its kin, in both directions; the first relation of two words counts.

    ``# kind: remark`` begins a section. ``head: variant ...`` relates each variant to the head and not to the others;
    a line without a colon relates each of its words to each.
    """
    kin: dict[str, dict[str, Kin]] = defaultdict(dict)
    how = Kin.NICKNAME
    for line in lines:
        if line.startswith("#"):
            how = Kin(line[1:].partition(":")[0].strip())
            continue
        head, colon, variants = line.partition(":")
        related = ((head, variant) for variant in variants.split()) if colon else combinations(line.split(), 2)
        for one, other in related:
            kin[one].setdefault(other, how)
            kin[other].setdefault(one, how)
    return dict(kin)


def stems_of(word: str) -> frozenset[str]:
    """What a diminutive may be made from, without its ending: ``carlitos`` -> ``carl``; empty for other words."""
    found = DIMINUTIVE.match(word)
    return frozenset({found.group(1)}) if found and len(found.group(1)) >= 3 else frozenset()
