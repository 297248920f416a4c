"""How two words can agree, and how much that agreement is worth before its rarity is known.

The similarities are the recipe's hand-set scale (``design/locator_recipe.md``, section 3): 1 for equal words, falling
with the chance that the agreement is an accident. They only order the kinds; what an agreement proves in a given
registry is the surprise (``evidence.py``) and the fitted weights (``confidence.py``).
"""

from enum import IntEnum

from packhorse_locator.domain.names.families import Kin


class Kind(IntEnum):
    """The kinds of agreement; the value is the column in the evidence."""

    EXACT = 0
    EDIT_ONE = 1
    EDIT_TWO = 2
    SOUND = 3
    FOREIGN_SOUND = 4
    ROMANISATION = 5
    NICKNAME = 6
    COGNATE = 7
    ABBREVIATION = 8
    PREFIX = 9
    SHORT_FORM = 10
    NEAR = 11
    SHAPE = 12
    INITIAL = 13


CHANNELS = {
    Kind.EXACT: "exact",
    Kind.INITIAL: "exact",
    Kind.EDIT_ONE: "edit",
    Kind.EDIT_TWO: "edit",
    Kind.NEAR: "edit",
    Kind.SHAPE: "edit",
    Kind.PREFIX: "prefix",
    Kind.SHORT_FORM: "prefix",
    Kind.SOUND: "sound",
    Kind.FOREIGN_SOUND: "sound",
    Kind.ROMANISATION: "variant",
    Kind.NICKNAME: "variant",
    Kind.COGNATE: "variant",
    Kind.ABBREVIATION: "variant",
}
"""Which switch a kind obeys: edit and prefix are ``fuzzy``, sound is ``phonetic``, variant is ``variants``."""

MANNERS = {
    Kind.EDIT_ONE: "look",
    Kind.EDIT_TWO: "look",
    Kind.NEAR: "look",
    Kind.SHAPE: "look",
    Kind.SOUND: "sound",
    Kind.FOREIGN_SOUND: "sound",
    Kind.ROMANISATION: "variant",
    Kind.NICKNAME: "variant",
    Kind.COGNATE: "variant",
    Kind.ABBREVIATION: "variant",
    Kind.PREFIX: "cut",
    Kind.SHORT_FORM: "cut",
}
"""How a stranger comes to write another word: by the look, by the sound, as a variant, or cut short."""

RESOLVED = frozenset({Kind.ROMANISATION, Kind.NICKNAME, Kind.COGNATE, Kind.ABBREVIATION, Kind.INITIAL})
"""Agreements after which the query's spelling says nothing more: the record's may be put in its place."""
LEAST = 0.56
"""Agreements below this are not looked at."""
INITIAL_SIMILARITY = 0.60
KIN = {
    Kin.NICKNAME: (Kind.NICKNAME, 0.90),
    Kin.ABBREVIATION: (Kind.ABBREVIATION, 0.88),
    Kin.ROMANISATION: (Kind.ROMANISATION, 0.90),
    Kin.COGNATE: (Kind.COGNATE, 0.84),
}
DIMINUTIVE_SIMILARITY = 0.86
MISSPELT_NICKNAME = 0.78
RULED_ABBREVIATION = 0.66


def one_edit(length: int) -> float:
    """Similarity of words one edit apart; ``length`` of the longer word, in letters."""
    return 0.92 if length >= 7 else 0.90 if length >= 5 else 0.84 if length == 4 else 0.74


def two_edits(length: int) -> float:
    """Similarity of words two edits apart; ``length`` of the shorter word."""
    return 0.84 if length >= 8 else 0.78 if length == 7 else 0.70 if length == 6 else 0.60


def same_sound(key_length: int, jaro_winkler: float) -> float:
    """Similarity of words with a common consonant skeleton of so many letters."""
    base = 0.72 if key_length >= 3 else 0.66 if key_length == 2 else 0.52
    return min(0.93, base + 0.22 * jaro_winkler)


def same_foreign_sound(key_length: int, jaro_winkler: float, native: bool) -> float:
    """Similarity of words with a common Slavic, Arabic or Indic key.

    A native word has lost its vowels on the way to Latin letters, so letters prove less and the key more.
    """
    if native:
        return (0.84 if key_length >= 3 else 0.76 if key_length == 2 else 0.5) + 0.1 * jaro_winkler
    base = 0.66 if key_length >= 3 else 0.58 if key_length == 2 else 0.40
    return min(0.92, base + 0.25 * jaro_winkler)


def prefix(length: int) -> float:
    """Similarity of a word with one that it begins, by the letters of the shorter."""
    return 0.86 if length >= 5 else 0.80 if length == 4 else 0.66


def near(edit_similarity: float, jaro_winkler: float) -> float:
    """Similarity of words that merely look alike (normalised edit similarity and Jaro-Winkler, each 0 to 1)."""
    return 0.9 * (0.5 * edit_similarity + 0.5 * jaro_winkler) - 0.08


def same_shape(length: int) -> float:
    """Similarity of words whose letters a scanner confuses (``rn`` for ``m``), by the letters of the shorter."""
    return 0.92 if length >= 7 else 0.90 if length >= 5 else 0.84 if length == 4 else 0.60


def abbreviates(short: str, word: str) -> bool:
    """Whether ``short`` keeps the first and last letter of ``word`` and some between, in order."""
    if not 2 <= len(short) <= 5 or len(short) + 2 > len(word) or short[0] != word[0] or short[-1] != word[-1]:
        return False
    rest = iter(word)
    return all(letter in rest for letter in short)
