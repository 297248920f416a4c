"""A sentence cut into words that remember where they stood."""

import re
import unicodedata

from attrs import frozen

from packhorse_locator.domain.query import lexicon

_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f'\u2019\u02bc`.-](?=[^\W_\d]|\u0300))*\.?|[^\w\s]", re.UNICODE)

_SHORTENED = lexicon.words(
    """vda sta sto dr dra sr sra mr mrs ms no st ma fco gpe jr num nr tel co ft mt ste lic ing prof rev esq atty gov hon
    abog lcda lcdo"""
)
"""Short words that are written with a dot inside a sentence."""


@frozen
class Token:
    """A word or a mark. ``fold`` is lower case without accents; ``end`` is exclusive."""

    text: str
    fold: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it has a letter or a digit."""
        return any(character.isalnum() for character in self.text)

    @property
    def is_number(self) -> bool:
        """Whether it is digits alone."""
        return self.text.isdigit()

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[:1].isupper()


def cut(text: str) -> list[Token]:
    """Words with their apostrophes, hyphens and dots, and marks one by one."""
    found = []
    for match in _WORD.finditer(text):
        word, start = match.group(), match.start()
        ending = word.rstrip(".")
        stops = word.endswith(".") and len(ending) > 1 and "." not in ending and ending.casefold() not in _SHORTENED
        if stops:
            word = ending  # the end of a sentence, not an abbreviation
        if fold(word).endswith(("'s", "\u2019s")) and len(word) > 3:
            word = word[:-2]
        found.append(Token(word, fold(word).rstrip("."), start, start + len(word)))
        if stops:
            found.append(Token(".", ".", match.end() - 1, match.end()))
    return found


def fold(text: str) -> str:
    """Lower case without accents."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(character for character in plain if not unicodedata.combining(character)).casefold()
