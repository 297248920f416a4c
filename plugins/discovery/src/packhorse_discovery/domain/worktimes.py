"""Which of the times in a telling are how long work takes: no shift, no rate and no story of what was once."""

import re

from packhorse_discovery.domain import quantities
from packhorse_discovery.domain.counting import CARDINAL
from packhorse_discovery.domain.numerals import UNIT
from packhorse_discovery.domain.quantities import Found
from packhorse_discovery.domain.quantity import Quantity
from packhorse_discovery.domain.units import family_of

_STORY = re.compile(
    r"(?:^|(?<=[.;!?\n,\u2013\u2014]))[^.;!?\n,\u2013\u2014]*\b(?:(?<!has )(?<!have )(?<!ve )had|used to|"
    r"ago|since (?:about )?\d|(?:have|has|"
    r"ve)\s+been\s+[a-z]+ing|(?:have|has|ve)\s+(?:always\s+)?done|"
    r"(?:years?|months?|weeks?)\s+old)\b"
    r"[^.;!?\n,\u2013\u2014]*?(?:\s+but\s+|[.;!?\n,\u2013\u2014]|$)",
    re.IGNORECASE,
)
"""``it used to take forty minutes but``, ``my cider had four months``: what was, and is no step."""
_RATE = re.compile(
    rf"(?:\b(?:\d+|{CARDINAL})\s+(?!times?\b|minutes?\b|hours?\b)[a-z]+\s+(?:an|1|per|every|each|in an|"
    rf"a)\s+(?:hour|day|minute|shift|week)\b"
    r"|\b(?:hours?|minutes?)\s+(?:an?|per|every)\s+(?:single\s+)?(?:day|week|shift)\b|\bevery\s+single\s+(?:day|"
    r"hour|shift)\b"
    rf"|\b(?:turns? out|gets? through|churns? out|produces?|puts? through|spits? out|manages?|"
    rf"comes? out at)\s+(?:about\s+)?(?:\d+|{CARDINAL})\b)",
    re.IGNORECASE,
)
"""``six trays an hour``: how many, and no step."""
_OFTEN = re.compile(rf"\bevery\s+(?:\d+(?:\.\d+)?|{CARDINAL}|few|couple of)\s+(?:{UNIT})(?!\w)", re.IGNORECASE)
"""``every 50 hours``: how often."""
_HOURS_OF_PEOPLE = re.compile(
    r"^(?:(?:the|our|an?|each|every|one)\s+)?(?:(?:night|day|early|late|lunch|coffee|tea|working|whole)\s+)?"
    r"(?:shifts?|lunch|breaks?|pauses?|workday|working day|day)\s+(?:is|are|lasts?|takes?|has)\b",
    re.IGNORECASE,
)
_GAP = re.compile(
    r"\bbetween\s+(?:the\s+)?[a-z-]+(?:\s+[a-z-]+)?\s+and\s+(?:the\s+)?[a-z-]+(?:\s+[a-z-]+)?\s*,?\s+"
    r"(?:there\s+)?(?:must|may|can|should|has|have|no|at)\b",
    re.IGNORECASE,
)
"""``between cutting and gluing there must be``: how long one waits for the next."""
_RATHER = re.compile(r"\b(?:say|call it|make that|let['\u2019]s say)\b", re.IGNORECASE)
"""What follows is the figure meant: "most of a day, say eight hours"."""
_CASES = re.compile(
    rf"\b\d+(?:\.\d+)?\s+(?:{UNIT})\s+(?P<for>for|when|if|in|on|with)\s+[^,.;]*?(?:,|\band\b|\bor\b|"
    rf"\bbut\b)\s*(?:(?:only|about|just|and|or)\s+)*"
    rf"(?:\d+(?:\.\d+)?|{CARDINAL})(?:\s+(?:{UNIT}))?\s+(?P=for)\b",
    re.IGNORECASE,
)
"""``20 minutes for steel, 35 for titanium``: not one time."""
_TIMES_OVER = re.compile(
    rf"\b(?:[2-9]|{CARDINAL})\s+(?P<what>coats?|sides?|layers?|passes|rounds?|firings?|halves|faces|"
    rf"ends)\b[^.;]*\beach\b"
    rf"|\b(?:per|an?|1|each|every)\s+(?P<of>[a-z]{{3,}})\b[^.;]*\b(?:[2-9]|\d\d|{CARDINAL})\s+(?P=of)(?:e?s)\b",
    re.IGNORECASE,
)
"""``10 minutes per side, two sides``: the time of a part."""


_IN_TURN = re.compile(
    r"(?<!between )(?<!from )(?<!between about )"
    rf"\b\d+(?:\.\d+)?(?:,\s+\d+(?:\.\d+)?)*,?\s+and\s+\d+(?:\.\d+)?\s+(?:{UNIT})(?!\w)",
    re.IGNORECASE,
)
"""``20, 45 and 10 minutes``: of several in turn, and no range."""


def without_stories(text: str) -> str:
    """``text`` (times in figures) without what was once, and how old things are."""
    return _STORY.sub(_untold, text)


def _untold(match: re.Match[str]) -> str:
    """Nothing for a story that has a time; its words where it has none."""
    if not spans(match[0]):
        return match[0]
    return match[0][-1] if match[0][-1] in ".;!?\n" else " "


def spans(text: str) -> list[Found]:
    """The spans of time in ``text``, in order."""
    return [one for one in quantities.find(text) if family_of(one.quantity.unit) == "time"]


def of_no_work(text: str) -> bool:
    """Whether the times in ``text`` are rates, shifts, breaks or how often something is done."""
    return any(pattern.search(text) for pattern in (_RATE, _OFTEN, _HOURS_OF_PEOPLE, _GAP))


def duration(text: str, times: tuple[Found, ...]) -> Quantity | None:
    """How long the work of a clause takes; None where it differs from case to case, or a part of it is told."""
    if any(pattern.search(text) for pattern in (_CASES, _TIMES_OVER, _IN_TURN)):
        return None
    rather = _RATHER.search(text)
    meant = rather is not None and any(one.start >= rather.end() for one in times)
    return quantities.first_duration(text[rather.end() :] if rather is not None and meant else text)
