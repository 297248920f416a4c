"""Text of strangers made harmless to show: data stays data."""

import unicodedata

_LETTER_JOINERS = "\u200c\u200d"
LONGEST = 80
"""Characters of a source's text in an answer: a long name fits, a story does not."""


def shown(text: str) -> str:
    """``text`` in NFC without control, bidi and other invisible characters, on one line, no space doubled.

    The two joiners that Persian and Indic spelling needs stay where they stand
    between letters.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    composed = unicodedata.normalize("NFC", text)
    for position, character in enumerate(composed):
        category = unicodedata.category(character)
        if character in _LETTER_JOINERS:
            between = composed[position - 1 : position] + composed[position + 1 : position + 2]
            if len(between) == 2 and all(c.isalpha() and ord(c) > 0x5FF for c in between):
                kept.append(character)
        elif category in ("Zl", "Zp", "Zs") or character in "\t\r\n\v\f":
            kept.append(" ")
        elif category[0] != "C":
            kept.append(character)
    return " ".join("".join(kept).split())


def datum(text: str, most: int = LONGEST) -> str:
    """A source's or a caller's text inside « and », which it cannot close: the one way for it into any answer."""
    plain = shown(text).replace("\u00ab", "\u2039").replace("\u00bb", "\u203a").replace("`", "'")
    cut = plain if len(plain) <= most else plain[: most - 1] + "\u2026"
    return f"\u00ab{cut}\u00bb"


def undatum(text: str) -> str:
    """A name as an answer gave it, handed back by a caller: without the marks around it."""
    return text.strip().removeprefix("\u00ab").removesuffix("\u00bb").strip()
