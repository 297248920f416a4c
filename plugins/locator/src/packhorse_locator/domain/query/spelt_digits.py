"""Numbers that are said in words, in English or Spanish: "two one three, four zero six", "doble cuatro"."""

import re

from packhorse_locator.domain.query.tokens import fold

_UNITS = (
    "zero|oh|o|cero",
    "one|uno|un",
    "two|dos",
    "three|tres",
    "four|cuatro",
    "five|cinco",
    "six|seis",
    "seven|siete",
    "eight|ocho",
    "nine|nueve",
)
_TEENS = (
    "ten|diez",
    "eleven|once",
    "twelve|doce",
    "thirteen|trece",
    "fourteen|catorce",
    "fifteen|quince",
    "sixteen|dieciseis",
    "seventeen|diecisiete",
    "eighteen|dieciocho",
    "nineteen|diecinueve",
)
_TENS = (
    "twenty|veinte|veinti",
    "thirty|treinta",
    "forty|fourty|cuarenta",
    "fifty|cincuenta",
    "sixty|sesenta",
    "seventy|setenta",
    "eighty|ochenta",
    "ninety|noventa",
)
_VALUES = {
    word: value
    for values in (enumerate(_UNITS), enumerate(_TEENS, 10), zip(range(20, 100, 10), _TENS, strict=True))
    for value, words in values
    for word in words.split("|")
}
_TIMES = {"double": 2, "doble": 2, "triple": 3}
_WORD = r"(?:" + "|".join(sorted((*_VALUES, *_TIMES), key=len, reverse=True)) + r"|\d+)"
_SPOKEN = re.compile(rf"(?<![\w'])(?:a[\s#:,.-]+)?({_WORD}(?:[\s,.;/-]+(?:(?:and|y)\s+)?{_WORD}){{3,}})(?!\w)")
_FEWEST_WORDS, _FEWEST_DIGITS = 3, 7
_ONE_DIGIT = 10
"""Values below it are one digit."""


def with_digits(text: str) -> str:
    """``text``, as long as it was, with digits where as many as an A-number has are said in three words or more."""
    folded = "".join(fold(character)[:1] or character for character in text)
    made = text
    for found in _SPOKEN.finditer(folded):
        words = re.findall(_WORD, found[1])
        digits = _digits(words)
        if sum(not word.isdigit() for word in words) >= _FEWEST_WORDS and len(digits) >= _FEWEST_DIGITS:
            start, end = found.span(1)
            made = made[:start] + digits.ljust(end - start)[: end - start] + made[end:]
    return made


def _digits(words: list[str]) -> str:
    """The digits of these words one after another; empty where one says how often, and no single digit follows."""
    made = ""
    times = 1
    tens = False
    for word in words:
        if word in _TIMES:
            times, tens = _TIMES[word], False
            continue
        value = word if word.isdigit() else str(_VALUES[word])
        if tens and len(value) == 1 and value != "0":
            made = made[:-1] + value  # "forty two"
            tens = False
            continue
        if times > 1 and len(value) != 1:
            return ""
        made += value * times
        tens = not word.isdigit() and len(value) == 2 and value.endswith("0") and value != str(_ONE_DIGIT)
        times = 1
    return made
