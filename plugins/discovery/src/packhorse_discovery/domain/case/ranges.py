"""Ranges and bounds in a normal form: "at least 35 and at most 50 minutes" is 35 to 50 minutes."""

import re

from packhorse_discovery.domain.case import counting
from packhorse_discovery.domain.case.numerals import ENDS, NUMBER, OPEN, SPAN, TIME, UNIT, small, value
from packhorse_discovery.domain.case.units import factor, unit_of

_LEAST = r"(?:at least|at best|at the least|min(?:imum)?\.?(?: of)?|no(?:t)? less than)"
_UTMOST = r"(?:at most|at worst|at the most|max(?:imum)?\.?(?: of)?|no(?:t)? (?:more|longer) than|up to)"
_JOIN = r"\s*(?:,|and|but|to|-|/)?\s*(?:and\s+|but\s+)?"
_BOTH_BOUNDS = re.compile(
    rf"\b{_LEAST}\s+(?P<low>{NUMBER})(?:\s*(?P<a>{UNIT}))?{_JOIN}{_UTMOST}\s+(?P<high>{NUMBER})(?:\s*(?P<b>{UNIT}))?(?!\w)"
    rf"|"
    rf"\b{_UTMOST}\s+(?P<high2>{NUMBER})(?:\s*(?P<c>{UNIT}))?{_JOIN}{_LEAST}\s+(?P<low2>{NUMBER})(?:\s*(?P<d>{UNIT}))?(?!\w)"
    rf"|"
    rf"{OPEN}(?P<low3>{NUMBER})(?:\s*(?P<e>{UNIT}))?\s+{_LEAST}{_JOIN}(?P<high3>{NUMBER})(?:\s*(?P<f>{UNIT}))?\s+{_UTMOST}(?!\w)",
    re.IGNORECASE,
)
"""``at least 35 and at most 50 minutes``, ``30 minutes minimum, 40 maximum``: a range."""
_OR_WORSE = re.compile(
    rf"{OPEN}({NUMBER})\s+({SPAN}|min|mins|h|hrs?)\b,?\s+(?:(?:and|but|or)\s+)?"
    rf"(?:(?:sometimes|occasionally|at times|now and then|on (?:a )?bad days?|up to|maybe even|"
    rf"even|at most)\s+(?:as much as\s+|up to\s+|it['\u2019]s\s+|it is\s+)?"
    rf"({NUMBER}|{counting.CARDINAL})(?:\s+\2)?(?![\w:/])"
    rf"|({NUMBER}|{counting.CARDINAL})(?:\s+\2)?\s+(?:at (?:the )?(?:very )?(?:most|worst|outside)|max(?:imum)?|"
    rf"tops|at a push)\b)",
    re.IGNORECASE,
)
"""``ten minutes, fifteen at the most``: a range."""
_ONE_OR_NEXT = re.compile(
    rf"{OPEN}(?<!\d )(?:([1-9]\d|[5-9]|{counting.CARDINAL})/([1-9]\d|[5-9]|{counting.CARDINAL})"
    rf"|({NUMBER}|{counting.CARDINAL})(?:\s+up\s+to|,?\s+sometimes)\s+({NUMBER}|{counting.CARDINAL}))(?=\s+{TIME}\b)"
    rf"|(?:(?<=takes )|(?<=is )|(?<=about )|(?<=say )|(?<=needs )|(?<=maybe )|(?<=for )|^)({counting.CARDINAL}|"
    rf"\d+),\s+({counting.CARDINAL}|\d+)(?=\s+{TIME}\b)",
    re.IGNORECASE,
)
"""``forty, forty-five minutes``, ``20 up to 30 minutes``: a range."""
_TILL = re.compile(
    rf"{OPEN}({NUMBER}(?:\s*(?:{TIME}))?)\s+(?:till|til|until)\s+(?={NUMBER}\s*(?:{TIME})\b)", re.IGNORECASE
)
_OR_SO_MANY = re.compile(
    rf"{OPEN}({NUMBER})\s+({SPAN})\s+(?:or|to)\s+({counting.CARDINAL}){ENDS}(?!\s+(?:a|of)\b)", re.IGNORECASE
)
"""``an hour or two``: a range."""
_NEVER = re.compile(
    r"\b(?:takes?|lasts?|needs?|is|runs?)?\s*\bnever\s+(?:once\s+)?(?:(?:has\s+|have\s+)?tak(?:es?|"
    r"en)\s+(?:me\s+|us\s+)?|lasts?\s+|needs?\s+|is\s+|runs?\s+|goes\s+)?"
    r"(less|shorter|under|fewer|more|longer|over)(?:\s+than)?(?=\s)",
    re.IGNORECASE,
)
_MOST = frozenset({"longest", "most", "very most"})
_LONGEST = re.compile(
    rf"\bat the (longest|most|very most|shortest|least|quickest)\b,?([^.;\d]{{0,60}}?)((?:about )?{NUMBER})",
    re.IGNORECASE,
)
"""``at the longest, burn-in is 140 minutes``: a bound."""
_TOLERANCE = re.compile(
    rf"({NUMBER})\s*({UNIT})?\s*,?\s*(?:±|\+/?-|\+/\u2212|\bplus(?:-| or )minus\b|\bgive or take\b)\s*(?:about\s+)?"
    rf"({NUMBER}|{counting.CARDINAL})\s*({UNIT})?(?![\w%])",
    re.IGNORECASE,
)
"""``14 ± 2 min``: a range about its middle."""


_NO_LONGER = re.compile(
    r"\b(?:no|not)\s+(?:(longer|over|beyond)|(shorter))(?:\s+than)?(?=\s+(?:about\s+)?(?:an?\b|"
    r"\d|[a-z]+))",
    re.IGNORECASE,
)


def bounded(text: str) -> str:
    """``text`` with "at least" and "at most" for other ways to tell a bound."""
    text = _NO_LONGER.sub(lambda m: "at most" if m[1] else "at least", text)
    text = _NEVER.sub(
        lambda m: "at least" if m[1].casefold() in {"less", "shorter", "under", "fewer"} else "at most", text
    )
    return _LONGEST.sub(lambda m: f"{m[2]}{'at most' if m[1].casefold() in _MOST else 'at least'} {m[3]}", text)


def ranged(text: str) -> str:
    """``text``, its numbers in figures, with each range as two numbers and a unit."""
    text = _BOTH_BOUNDS.sub(_both, text)
    text = _TILL.sub(r"\1 to ", text)
    text = _OR_SO_MANY.sub(lambda m: _range(m[0], m[1], m[3], m[2]), text)
    text = _OR_WORSE.sub(lambda m: _range(m[0], m[1], m[3] or m[4], m[2]), text)
    text = _ONE_OR_NEXT.sub(lambda m: _range(m[0], m[1] or m[3] or m[5], m[2] or m[4] or m[6], ""), text)
    return _TOLERANCE.sub(_within, text)


def _range(said: str, low: str, high: str, unit: str) -> str:
    """Two numbers as the ends of a range, where the second is the larger and not out of all proportion."""
    first, second = small(low), small(high)
    return f"{first:g}-{second:g} {unit}".strip() if first < second <= 4 * first else said


def _within(match: re.Match[str]) -> str:
    """The range that a middle and its tolerance mean, in the unit of the tolerance; the words where it is none."""
    middle, spread = value(match[1]), small(match[3])
    unit = match[4] or match[2] or ""
    into = factor(unit_of(match[2]), unit_of(unit)) if match[2] else 1.0
    if into is None or spread > middle * into:
        return match[0]
    return f"{middle * into - spread:g}-{middle * into + spread:g} {unit}".strip()


def _both(match: re.Match[str]) -> str:
    """Two bounds as a range, each in its own unit or the other's; the words where neither has one."""
    said = match.groupdict()
    low, high = (said[end] or said[f"{end}2"] or said[f"{end}3"] or "" for end in ("low", "high"))
    first, second = said["a"] or said["e"] or said["d"], said["b"] or said["f"] or said["c"]
    if not (first or second):
        return match[0]
    return f"{low} {first or second} to {high} {second or first}"
