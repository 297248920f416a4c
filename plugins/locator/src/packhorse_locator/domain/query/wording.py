"""A sentence before it is cut into words: marks made plain, and what is said before the matter taken out."""

import re

from packhorse_locator.domain.plain import shown
from packhorse_locator.domain.query import lexicon

_FORBIDDEN = frozenset("{}[]<>|\\;=*%$^~")
_LABEL = re.compile(
    r"\b((?:name|surname|forename|last|first|given|family|nombres?|apellidos?|country|pais|pa\u00eds|dob|born|birth|year"
    r"|birthplace|birthdate|nacimiento)\s*)=(?=\s*\w)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^\s*(?:(?:re|ref|fwd?|subj|subject|attn|attention|atn|asunto|atenci[o\u00f3]n)\s*:\s*)+", re.IGNORECASE
)
"""What stands before the subject of a letter."""


def plain_text(text: str) -> str | None:
    """``text`` with words where they stood; None where it has signs that belong to no name, number or place."""
    plain = _LABEL.sub(r"\1:", shown(text))
    plain = re.sub(r"(?<=[\w.]);(?=\s+\w)", ",", plain)
    plain = re.sub(r"(?<=\w)\.{2,}(?=\s|$)", lambda dots: "." + " " * (len(dots.group()) - 1), plain)
    if any(character in _FORBIDDEN for character in plain) or "--" in plain or ".." in plain:
        return None
    plain = _SUBJECT.sub(lambda said: " " * len(said.group()), plain)
    return re.sub(lexicon.SPEAKING, lambda said: " " * len(said.group()), plain, flags=re.IGNORECASE)
