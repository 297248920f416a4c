"""A-numbers: the canonical form ``A`` and nine digits, read leniently, never truncated.

Seven, eight and nine digits are all in use; shorter ones are written with
zeros after the ``A`` (USCIS, "A-Number", glossary). The first series began at
1,000,000 with the Alien Registration Program of 1940 (USCIS Genealogy,
"A-Files Numbered Below 8 Million"), so that a smaller number was never issued.
"""

import re
import unicodedata

DIGITS = 9
SHORTEST = 7
FIRST_ISSUED = 1_000_000

_SEPARATORS = re.compile(r"[\s#.,:_/\-\u2010-\u2015]+")
_WRITTEN = re.compile(r"A?([0-9]{7,9})")


def canonical(text: str) -> str | None:
    """``A012345678`` for any usual way of writing it; None for what has fewer than 7 or more than 9 digits."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    if not plain.isascii():
        plain = "".join(_ascii(character) for character in plain if unicodedata.category(character) != "Cf")
    plain = _SEPARATORS.sub("", plain).upper()
    found = _WRITTEN.fullmatch(plain)
    return f"A{found[1].zfill(DIGITS)}" if found else None


def is_possible(number: str) -> bool:
    """Whether a canonical number can have been issued."""
    return int(number[1:]) >= FIRST_ISSUED


def masked(number: str) -> str:
    """The last three digits, for who did not bring the number: ``A******678``."""
    return f"A******{number[-3:]}"


def _ascii(character: str) -> str:
    return str(unicodedata.digit(character)) if character.isdigit() else character
