"""Numbers and units of time as people write them, as the parts of larger patterns."""

import re
from fractions import Fraction

from packhorse_discovery.domain.case import counting
from packhorse_discovery.domain.case.units import UNITS

UNIT = "|".join(sorted((re.escape(word).replace(r"\ ", r"[\s-]") for word in UNITS), key=len, reverse=True))
"""A unit as people write it, as a regular expression."""
NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\s+\d/0*[1-9]\d*|\d+/0*[1-9]\d*|\d+(?!\d*/\d)(?:\.\d+)?|\.\d+)"
"""A number in figures."""

WHOLE = rf"(?:\d+(?:\.\d+)?|{counting.CARDINAL}|an?)"
HOUR = r"(?:h|hrs?|hours?)"
MINUTE = r"(?:m|min|mins|minutes?)"
TIME = r"(?:s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|shifts?)"
SPAN = r"(?:minutes?|hours?|days?|weeks?)"
ENDS = (
    r"(?=\s*(?:$|[.,;:)|/\u2013\u2014]|-\s|-\d+\s?['\u2032\u2019]|[a-z]+ing\b|"
    r"(?:in|on|at|for|with|by|per|each|until|before|then|and|or|to|a|of)\b))"
)
"""What may stand after a number whose unit is left to be understood."""
OPEN = r"(?<![\w.,/:-])"


def value(written: str) -> float:
    """The number that figures stand for; thousands and fractions are read."""
    written = written.replace(",", "").strip()
    whole, _, part = written.rpartition(" ")
    if "/" in part:
        return float(Fraction(part)) + (float(whole) if whole else 0.0)
    return float(written)


def small(word: str) -> float:
    """The number that figures or a word stand for; "the" is one."""
    if re.fullmatch(NUMBER, word):
        return value(word)
    return 1.0 if word.casefold() == "the" else float(counting.count(word))
