"""Which texts may be searched as a name: any script, apostrophes, hyphens and single names; no wildcards."""

import unicodedata
from typing import Literal

from packhorse_locator.domain.people import MISSING_NAMES
from packhorse_locator.domain.plain import shown

NameFault = Literal["INVALID_NAME_FORMAT", "NAME_TOO_SHORT", "NAME_TOO_LONG"]

LONGEST = 50
"""Characters, after composition (NFC): the specification's limit."""

SHORTEST = 2
"""Letters of a name in an alphabet. One letter would match a tenth of a registry."""

_MARKS = frozenset("'\u2019\u2018\u02bc\u02bb`\u00b4-\u2010\u2011\u2013.,\u00b7\u30fb ()")
_CONTROL = frozenset({"Cc", "Cs", "Co", "Cn"})


def fault_of(text: str) -> NameFault | None:
    """What is wrong with one part of a name; None where nothing is, or where it only says that the part is missing."""
    if any(unicodedata.category(character) in _CONTROL for character in text):
        return "INVALID_NAME_FORMAT"
    plain = shown(text)
    if len(plain) > LONGEST:
        return "NAME_TOO_LONG"
    if plain.upper() in MISSING_NAMES:
        return None
    if not all(_is_of_a_name(character) for character in plain):
        return "INVALID_NAME_FORMAT"
    if any(word.isdecimal() for word in plain.split()):
        return "INVALID_NAME_FORMAT"
    letters = [character for character in plain if character.isalpha()]
    if not letters:
        return "INVALID_NAME_FORMAT"
    if len(letters) < SHORTEST and not _is_syllable(letters[0]):
        return "NAME_TOO_SHORT"
    return None


def _is_of_a_name(character: str) -> bool:
    # Digits stand for letters where a name was read from paper (0scar); a word of digits alone is no name.
    return character in _MARKS or unicodedata.category(character)[0] in ("L", "M") or character in "0123456789"


def _is_syllable(letter: str) -> bool:
    """Whether one character is a whole name by itself: Chinese characters, kana and Korean syllables."""
    name = unicodedata.name(letter, "")
    return name.startswith(("CJK", "HANGUL", "HIRAGANA", "KATAKANA", "BOPOMOFO", "YI SYLLABLE"))
