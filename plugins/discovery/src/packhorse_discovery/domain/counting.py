"""How many: counts in words."""

_COUNTS = {
    **dict.fromkeys(("a", "an", "one", "a single", "one single", "single", "a lone", "our one"), 1),
    **dict.fromkeys(("two", "a couple of", "a couple", "a pair of", "twin"), 2),
    **dict.fromkeys(("two sets of", "two pairs of"), 2),
    "half a dozen": 6,
    "a dozen": 12,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "eighteen": 18,
    "seventeen": 17,
    "nineteen": 19,
    "twenty": 20,
    "a score": 20,
    "two score": 40,
    "one dozen": 12,
    "two dozen": 24,
    "three dozen": 36,
    "four dozen": 48,
    "five dozen": 60,
    "six dozen": 72,
}

WORDS = "|".join(sorted((words.replace(" ", r"\s+") for words in _COUNTS), key=len, reverse=True))
"""What a regular expression tries, the longest first."""


def count(words: str) -> int:
    """The number that digits or one of these words stand for."""
    return int(words) if words.isdigit() else _COUNTS[" ".join(words.casefold().split())]
