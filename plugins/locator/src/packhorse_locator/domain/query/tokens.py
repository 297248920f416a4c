"""A sentence cut into words that remember where they stood."""

import re
import unicodedata

from attrs import frozen

_WORD = re.compile(r"[^\W_]+(?:['\u2019\u02bc\-\u2010\u2011][^\W\d_]+)*|[^\w\s]")


@frozen
class Token:
    """A word or a mark. ``fold`` is lower case without accents; ``end`` is exclusive."""

    text: str
    fold: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is letters, with hyphens and apostrophes inside."""
        return self.text[0].isalpha() and not any(character.isdigit() for character in self.text)

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[:1].isupper()


def cut(text: str) -> list[Token]:
    """Words with inner hyphens and apostrophes, groups of digits, and marks one by one; a final 's is cut off."""
    found = []
    for match in _WORD.finditer(text):
        word = re.sub(r"(?<=\w)['\u2019]s$", "", match.group(), flags=re.IGNORECASE)
        found.append(Token(word, fold(word), match.start(), match.start() + len(word)))
    return found


def fold(text: str) -> str:
    """Lower case without accents."""
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'"))
    return "".join(character for character in plain if not unicodedata.combining(character)).casefold()
