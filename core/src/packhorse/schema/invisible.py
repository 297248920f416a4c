"""Characters that a reader does not see: what a person reads must be what a model reads."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Control, format (no width, direction of writing, tags), private, half a pair, line and paragraph separators."""


# Letters and marks that nothing shows (Unicode's Default_Ignorable_Code_Point, and the blank of Braille); a single
# variation selector stands behind an emoji, a row of them carries bytes.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U000e0100-\U000e01ef]|[\ufe00-\ufe0f]{2}")


def unseen_in(value: Any) -> str | None:
    """The first such character in a text, or in any text of a JSON value, as ``U+202E``; None where there is none."""
    for text in texts_in(value):
        if not text.isascii() and (blank := _BLANK.search(text)):
            return f"U+{ord(blank[0][-1]):04X}"
        if text.replace("\n", "").replace("\t", "").isprintable():
            continue  # then no character is of these kinds (Python's str.isprintable), and looking at each takes long
        for character in text:
            if character not in "\n\t" and unicodedata.category(character) in _UNSEEN:
                return f"U+{ord(character):04X}"
    return None


def texts_in(value: Any) -> Iterator[str]:
    """Every text of a JSON value, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, dict | Mapping):
        for key, item in value.items():
            yield from texts_in(key)
            yield from texts_in(item)
