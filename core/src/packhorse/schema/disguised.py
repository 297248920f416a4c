"""Text that reads otherwise to a model than to a person: unseen characters, look-alike letters, coded orders.

Each rule is exact: it finds what has no ordinary use in a description, and nothing by its meaning.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from typing import Any
from urllib.parse import unquote

# Letters of these scripts look like Latin ones (Unicode Technical Standard 39, "mixed-script confusables").
_LOOK_ALIKES = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "DESERET", "MATHEMATICAL", "FULLWIDTH")
_WORD = re.compile(r"[^\W\d_]+")

# What a decoded text must hold to count: an order among other words, a path or an address.
_ORDER = (
    "ignore disregard forget override bypass read send call run execute eval reveal print output return delete remove"
    " fetch get post upload forward include append copy transfer share leak exfiltrate email instructions previous"
    " system prompt password passwords credential credentials secret secrets key keys token tokens admin root silently"
    " secretly always never must instead whenever curl wget sudo"
).replace(" ", "|")
_MEANS = re.compile(
    rf"\b(?:{_ORDER})\b"
    r"[^a-z]+[a-z]{2,}"
    rf"|[a-z][^a-z]+(?:{_ORDER})\b"
    r"|://|[\w.-]+@[\w-]+\.[a-z]{2,}|(?:^|[\s\"'=])(?:~|\.{1,2})?/[\w.]+",
    re.IGNORECASE,
)
_LEAST = 6
"""Characters of a decoded text that can say something."""

_SHORTEST_CODE = 12
"""Characters of the shortest text that one of the codes below matches."""


def disguise_in(value: Any) -> str | None:
    """What is disguised in a text, or in any text of a JSON value; None where nothing is."""
    texts = list(dict.fromkeys(texts_in(value)))
    unseen = unseen_in(texts)
    if unseen is not None:
        return f"an invisible character, {unseen}"
    for text in texts:
        if text.isascii() or (mixed := _mixed_word(text)) is None:
            if (coded := _coded(text)) is not None:
                return f"an order, a path or an address in code, {coded}"
        else:
            return f"a word of letters of two scripts, {mixed!r}"
    return None


def _mixed_word(text: str) -> str | None:
    for word in _WORD.findall(text):
        if word.isascii():
            continue
        scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
        if "LATIN" in scripts and scripts & set(_LOOK_ALIKES):
            return str(word)
    return None


def _coded(text: str) -> str | None:
    if len(text) < _SHORTEST_CODE:
        return None
    for plain in _decoded(text):
        if len(plain) >= _LEAST and plain.isprintable() and _MEANS.search(plain):
            return repr(plain if len(plain) <= 60 else plain[:60] + "...")
    return None


def _decoded(text: str) -> Iterator[str]:
    for pattern, decode, mark in _CODES:
        if mark.search(text) is None:
            continue
        for found in pattern.findall(text):
            try:
                yield decode(found).strip()
            except (ValueError, binascii.Error):
                continue


def _base64(found: str) -> str:
    bare = found.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode("utf-8")


def _hex(found: str) -> str:
    return bytes.fromhex(re.sub(r"[^0-9a-fA-F]", "", found.replace("0x", ""))).decode("utf-8")


def _points(found: str) -> str:
    """Escapes of JSON and of programs, such as backslash-u and four digits."""
    return "".join(chr(int(digits, 16)) for digits in re.findall(r"\\(?:x|u\{?|U000)([0-9a-fA-F]{2,6})\}?", found))


def _numbers(found: str) -> str:
    return "".join(chr(int(number)) for number in re.findall(r"\d+", found))


# The last of each is what every text in that code holds: a server that starts looks at thousands, and few have it.
_ANY, _BACKSLASH = re.compile(""), re.compile(r"\\")
_DIGIT = re.compile("[0-9]")  # in hexadecimal too the code of every printable ASCII character has one
_CODES: tuple[tuple[re.Pattern[str], Callable[[str], str], re.Pattern[str]], ...] = (
    (re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}"), _base64, _ANY),
    (re.compile(r"(?:0x)?(?:[0-9a-fA-F]{2}){8,}|(?:[0-9a-fA-F]{2}[ :,-]){7,}[0-9a-fA-F]{2}"), _hex, _DIGIT),
    (re.compile(r"(?:\\(?:x[0-9a-fA-F]{2}|u\{?[0-9a-fA-F]{2,6}\}?|U000[0-9a-fA-F]{5})){4,}"), _points, _BACKSLASH),
    (re.compile(r"(?:%[0-9a-fA-F]{2}){4,}[\w%.~/-]*"), unquote, re.compile("%")),
    (re.compile(r"(?:&#x?[0-9a-fA-F]{2,6};\s?){4,}"), unescape, re.compile("&#")),
    (re.compile(r"(?:\b(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])\b[ ,]+){7,}\d{2,3}"), _numbers, _DIGIT),
)


# --- characters that nobody sees ---

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
