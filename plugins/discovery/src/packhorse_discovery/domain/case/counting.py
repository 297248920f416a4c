"""How many: cardinal numbers in words, dozens and scores, and what else stands for one or two."""

import re

_ONES = dict(
    zip(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), range(1, 10), strict=True)
)  # fmt: skip
_TEENS = {
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_OTHERS = {
    **dict.fromkeys(("a", "an", "a single", "one single", "single", "a lone", "our one"), 1),
    **dict.fromkeys(("a couple of", "a couple", "a pair of", "a pair", "twin", "two sets of", "two pairs of"), 2),
}


def _any(words: dict[str, int]) -> str:
    return "|".join(one.replace(" ", r"\s+") for one in sorted(words, key=len, reverse=True))


_BELOW_HUNDRED = rf"(?:(?:{_any(_TENS)})(?:[\s-]+(?:{_any(_ONES)})\b)?|{_any(_TEENS)}|{_any(_ONES)})"
CARDINAL = (
    rf"(?:(?:an?|{_any(_ONES)})\s+hundred(?:\s+and)?(?:\s+{_BELOW_HUNDRED}\b)?"
    rf"|half\s+a\s+dozen|(?:a|{_BELOW_HUNDRED})\s+(?:dozen|score)(?:\s+and\s+a\s+half)?|{_BELOW_HUNDRED})"
)
"""A cardinal number in words, as a regular expression: "forty-two", "a hundred and twenty", "two dozen"."""

_FIRST = {one: many for one, many in _OTHERS.items() if " " in one}
WORDS = rf"{_any(_FIRST)}|{CARDINAL}|{_any({one: many for one, many in _OTHERS.items() if one not in _FIRST})}"
"""The same and what else counts: "a pair of", "a single"; what a regular expression tries, the longest first."""


def count(words: str) -> int:
    """The number that digits or one of these words stand for."""
    if words.isdigit():
        return int(words)
    said = " ".join(words.casefold().replace("-", " ").split())
    if said in _OTHERS:
        return _OTHERS[said]
    if said == "half a dozen":
        return 6
    if match := re.fullmatch(r"(.+) (dozen|score)( and a half)?", said):
        size = 12 if match[2] == "dozen" else 20
        return count(match[1]) * size + (size // 2 if match[3] else 0)
    if match := re.fullmatch(r"(.+) hundred(?: and)?(?: (.+))?", said):
        return 100 * count(match[1]) + (count(match[2]) if match[2] else 0)
    return sum({**_ONES, **_TEENS, **_TENS}[word] for word in said.split())
