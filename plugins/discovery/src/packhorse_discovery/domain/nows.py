"""Which clause of a text says what time it is: "it's nine in the morning now", "we start Monday at six"."""

import re

_NOW = re.compile(
    r"(?<!from )\bnow\b|\brn\b|\b(?:current|present) time\b|\bas i (?:write|speak)\b|\bwriting (?:this )?at\b|"
    r"\b(?:has|have|it) (?:just )?(?:struck|gone|turned)\b|\bclock (?:says|shows)\b|\bat the moment\b|"
    r"\bwe(?:['\u2019]re)? (?:start|begin|open)(?:n?ing)?\b|"
    r"\b(?:count\w*|clock|schedule|week|plan)\s+"
    r"(?:starts?|begins?|from)\b|\b(?:count(?:ing)?|starting)\s+from\b|\bt\s*=\s*0\b|"
    r"\btoday(?: is|['\u2019]s)\b|\bit['\u2019]?s (?:only |just |already )?(?=\w+day\b)|\bas of\b|"
    r"^\W*(?:(?:so|well|ok|okay|and|right|look|(?:let(?:['\u2019]s| us) )?say|assume|"
    r"suppose)\s+)*(?:it['\u2019]?s|it is|start(?:s|ing)?)\b",
    re.IGNORECASE,
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_TODAY = (
    rf"\b(?:(?:it(?:['\u2019]s| is)|today(?:['\u2019]s| is)|this is)\s+(?:(?:a|only|now|"
    rf"already)\s+)?(?P<day>{_DAY})\b(?!['\u2019])"
    rf"|(?P<after>{_DAY})\s+today\b)"
)
_TODAY_AND = re.compile(rf"{_TODAY}[\s,]*\b(?:and\b|so\b)?\s*$", re.IGNORECASE)
_NOT_NOW = re.compile(r"\b(?:due|by|until|till|before|needs?|wants?|ready|collect\w*|picks?|fetch\w*)\b", re.IGNORECASE)
_NOW_AFTER = re.compile(r"\s*(?:,\s*)?(?:that(?:['\u2019]s| is)\s+)?(?:right\s+)?now\b", re.IGNORECASE)
_OPENING = re.compile(r"\W*(?:(?:right|so|well|ok|okay|now|look|hello|hi|good morning)\W+)*", re.IGNORECASE)
_BEGUN = re.compile(r"(?:^|[.;!?\n])\s*$")
_ENDED = re.compile(r"\s*[.;\n]")
_BOUNDARY = re.compile(r"[;!?\n]\s*|(?<!\b[ap]\.m)\.(?:\s+|$)|,\s*|\s+(?:and|so|but)\s+", re.IGNORECASE)


def says_now(text: str, start: int, end: int) -> bool:
    """Whether the point of time from ``start`` to ``end`` of ``text`` is said to be now."""
    first, last = clause(text, start, end)
    if stands_by_now(text, end):
        return True
    return bool(_NOW.search(text[first:last])) and not _NOT_NOW.search(text[first:start])


def opens(text: str, start: int) -> bool:
    """Whether nothing is said before ``start``."""
    return _OPENING.fullmatch(text, 0, start) is not None


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether the point of time from ``start`` to ``end`` is a sentence by itself."""
    return _BEGUN.search(text[:start]) is not None and _ENDED.match(text, end) is not None


def stands_by_now(text: str, end: int) -> bool:
    """Whether "now" follows what ends at ``end``: "it's nine now"."""
    return _NOW_AFTER.match(text, end) is not None


def clause(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the clause around a part of ``text`` begins and ends."""
    heads = [one.end() for one in _BOUNDARY.finditer(text, 0, start)]
    tail = _BOUNDARY.search(text, end)
    return (heads[-1] if heads else 0), (tail.end() if tail else len(text))


def today(text: str) -> str | None:
    """The day that it is, where that is told: "it's Tuesday, and it has just struck ten"."""
    found = re.search(_TODAY, text, re.IGNORECASE)
    return (found["day"] or found["after"]) if found is not None else None


def without_today(text: str) -> str:
    """``text`` without a day that it ends with: "it's Tuesday, and"."""
    return _TODAY_AND.sub("", text)
