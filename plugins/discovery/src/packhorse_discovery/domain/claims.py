"""What an answer says of counts, rates and sequences, whatever it was asked: to hold against other answers.

Only what is said of the shop as it is counts: wishes, memories and other
people's shops claim nothing.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from attrs import evolve, frozen

from packhorse_discovery.domain import counting, quantities, stock
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.markers import CORRECTS, SHOP
from packhorse_discovery.domain.quantity import MINUTES

Kind = Literal["count", "rate", "steps", "orders"]

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
ELSEWHERE = re.compile(
    r"\b(?:if|unless|would|could|might|wish|suppose|imagine|dream|hypothetical\w*|"
    r"used to|in (?:19|20)\d\d|years? ago|back then|in those days|"
    r"formerly|originally|initially|at first|once upon|(?:my|our|his|her) [a-z]+-in-law|my (?:father|mother|"
    r"grand\w+|uncle|predecessor)|when i (?:started|"
    r"began)|last (?:year|month|winter|summer|spring|autumn)|"
    r"next (?:year|month|winter|summer|spring|autumn)|soon|some day|planned|"
    r"going to (?:buy|get|order)|neighbou?r\w*|across the (?:street|road)|competitor\w*|"
    r"next door|elsewhere|other (?:shop|workshop|firm|company|place)|colleague|rivals?|competition|"
    r"(?:my|his|her) (?:former|previous|last|old|ex)[ -](?:employers?|boss|job|firm|company|workshop|place)|"
    r"(?:former|previous) (?:employer|boss|firm|company)|(?:across|over|down) the (?:river|road|street|valley|canal)|"
    r"where i (?:worked|trained|learn(?:ed|t)|was)|"
    rf"(?:in|at|with) (?:his|her|their) (?:own )?{SHOP}|"
    r"the (?:people|folks) (?:at|in|from|over)|the other [a-z]+ in (?:town|the village)|"
    r"in the next (?:village|town|street)|had|were|was)\b",
    re.IGNORECASE,
)
"""What is said of another time, another place, or nowhere."""
_LATELY = re.compile(
    r"\b(?:yesterday|today|this (?:morning|afternoon|week|month)|last (?:night|week)|the other day|"
    r"all (?:day|week|morning|night))\b",
    re.IGNORECASE,
)
_WAS = re.compile(r"\b(?:had|were|was)\b", re.IGNORECASE)


def elsewhere(sentence: str) -> bool:
    """Whether ``sentence`` is of another time, another place, or nowhere; yesterday is here and now."""
    return bool(ELSEWHERE.search(_WAS.sub(" ", sentence) if _LATELY.search(sentence) else sentence))


_HAVE = re.compile(
    r"\b(?:(?:we|i|they)(?:['\u2019]ve|\s+have)(?:\s+got)?|there(?:['\u2019]s|"
    r"\s+is|\s+are)|(?:the (?:shop|workshop|hall|house|plant) has)|"
    r"(?:we|i)\s+(?:(?:only|just)\s+(?:own|have|run)|own|employ|keep|operate|run(?=\s+(?:\d|a|one|two|three|"
    r"four|five|six))))\s+",
    re.IGNORECASE,
)
_ALL_OF = re.compile(
    rf"\ball\s+(?P<count>{counting.WORDS}|\d+)\s+(?:of\s+(?:the|our)\s+)?(?P<name>[a-z][\w-]*(?:\s+(?!are\b|is\b|"
    rf"were\b|of\b)[a-z][\w-]*){{0,2}})",
    re.IGNORECASE,
)
_OUR = re.compile(
    rf"\b(?:our|my)\s+(?P<count>{counting.WORDS}|\d+)\s+(?P<name>(?:[a-z][\w-]*\s+){{0,2}}?[a-z][\w-]*[^\Ws]s)\b",
    re.IGNORECASE,
)
"""``our two tumbling drums``."""
_BOTH = re.compile(
    r"\bboth\s+(?:of\s+)?(?:the\s+|our\s+|my\s+)?(?P<name>(?:[a-z][\w-]*\s+){0,2}?[a-z][\w-]*[^\Ws]s)\b(?!\s+and\b)",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"\b(?:the|our) only (?P<name>[a-z][\w-]*(?:\s+(?!we\b|i\b|they\b|there\b|"
    r"who\b|that\b|in\b|at\b|is\b|here\b|there\b|now\b|left\b)[a-z][\w-]*){0,2}?)(?=\s+(?:we|i|they|there|"
    r"who|that|in|at|is|has|must|can|does|here|there|now|left)\b|\s*[.,;]|$)",
    re.IGNORECASE,
)
_ONLY_ONE = re.compile(
    r"\b(?:(?:there(?:['\u2019]s|\s+is)|(?:we|i)(?:['\u2019]ve|\s+have)(?:\s+got)?|own)\s+(?:only|just)|(?:only|"
    r"just)\s+(?:have|got|own))\s+"
    r"(?:the\s+|that\s+)?(?:one|a single)\s+(?P<name>(?:[a-z][\w-]*\s+)??[a-z][\w-]*)"
    r"(?=\s+(?:we|i|here|in|at|for|and|so|but)\b|\s*(?:[.,;]|$))",
    re.IGNORECASE,
)
"""``only the one kiln``."""
_THE_TWO = re.compile(
    r"\bthe\s+(?P<count>two|three|four|five|six)\s+(?!(?:of|other|more|first|last|new|next|old)\b)"
    r"(?P<name>(?:[a-z][\w-]*\s+){0,2}?[a-z][\w-]*[^\Ws]s)\b",
    re.IGNORECASE,
)
_NUMBER = rf"(?P<number>\d+|{counting.WORDS})"
ANOTHER = re.compile(r"\b(?:second|another|further|additional|more|other|new|also|as well|besides)\b", re.IGNORECASE)
_UNIT = r"(?P<unit>(?!minute|hour|day|week|second|month|total|row|time)[a-z][a-z-]+)"
_SPAN = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h)"
_EACH_TAKES = re.compile(
    rf"(?P<span>\d[\d.]*\s+{_SPAN})\s+(?:per|an?|1|each|for (?:each|every|a|one))\s+{_UNIT}\b",
    re.IGNORECASE,
)
_UNIT_TAKES = re.compile(
    rf"\b(?:an?|1|each|every|one)\s+{_UNIT}\s+(?:of\s+[a-z]+\s+)?(?:(?:on|in|at|with|through)\s+(?:the|that|our|this|"
    rf"one)\s+[\w-]+(?:\s+[\w-]+)?\s+)?"
    rf"(?:takes|needs|is|lasts|(?:stays|remains|sits|stands|spends|hangs|lies|bakes|soaks|runs|is)"
    rf"(?:\s+(?:in|on|over|under|at|inside)\s+(?:it|there|the\s+[\w-]+(?:\s+[\w-]+)?))?"
    rf"(?:\s+for)?)\s+(?:about\s+)?(?P<span>\d[\d.]*\s+{_SPAN})\b",
    re.IGNORECASE,
)
_SO_MANY = re.compile(
    rf"(?<![\w.]){_NUMBER}\s+(?:(?!of\b)[a-z]+\s+)?{_UNIT}\s+(?:an?|1|per|every|each|in an|in 1)\s+(?P<per>hour|"
    rf"minute|day|shift)\b",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    rf"\b(?:holds?|fits?|has room for|have room for|room for)\s+(?:up to\s+|about\s+)?(?:\d+\s+to\s+)?{_NUMBER}\b",
    re.IGNORECASE,
)
_WORKED = re.compile(
    r"\b(?P<hours>\d+(?:\.\d+)?)[- ]hours?\s+(?:day|shift)\b"
    r"|\b(?:day|shift)\s+(?:of|has|is|lasts|means)\s+(?P<after>\d+(?:\.\d+)?)\s+hours?\b",
    re.IGNORECASE,
)
"""``an eight-hour shift``: how long is worked in a day or a shift."""
_MANY_IN = re.compile(
    rf"(?<![\w.]){_NUMBER}\s+(?:of\s+)?(?:[a-z]+(?:ed|t|n)\s+)?{_UNIT}\s+in\s+(?P<span>\d[\d.]*\s+(?:seconds?|"
    rf"minutes?|hours?))\b",
    re.IGNORECASE,
)
_IN_SPAN = re.compile(
    rf"\b(?:in|within|over|during)\s+(?:(?:an?|1|one|the|those|these|every|each|our|that)\s+)?"
    rf"(?:(?:shift|day|week|night|morning)\s+of\s+)?(?P<span>\d[\d.]*\s+{_SPAN})\b[^.;]{{0,60}}?\b(?:turns? out|"
    rf"[a-z]+(?:s|es)|gets? through|"
    rf"(?:make|do|produce|finish|manage|turn|get|put|press|print|process)(?:\s+(?:through|out))?)\s+"
    rf"{_NUMBER}\s+(?:[a-z]+(?:ed|t|n)\s+)?{_UNIT}\b",
    re.IGNORECASE,
)
_STATION = re.compile(
    r"\b(?:the|our|one|a|an|at the|on the|that)\s+(?:(?:one|only|single)\s+)?(?P<name>[a-z][\w-]*"
    r"(?:\s+(?![a-z]*[^s\W]s\b|and\b|or\b|of\b|in\b|on\b|at\b|to\b|for\b|with\b|we\b|that\b|it\b|an?\b|the\b|"
    r"can\b|per\b|so\b|but\b)"
    r"[a-z][\w-]*)?)",
    re.IGNORECASE,
)
_NO_STATION = frozenset(
    {"", "tim", "hour", "minut", "day", "dozen", "end", "moment", "batch", "lot", "piec", "part", "slow", "way"}
)
GENERIC = frozenset(
    {
        "machin",
        "stat",
        "resourc",
        "peopl",
        "person",
        "man",
        "woman",
        "thing",
        "them",
        "kind",
        "typ",
        "step",
        "order",
        "job",
    }
)
_HOW_MANY = re.compile(
    rf"\b(?:there are|there['\u2019]s|have|has|got|in|it['\u2019]s|is|takes|goes through|"
    rf"through|by)\s+(?:exactly\s+|only\s+|just\s+|all in all\s+)?{_NUMBER}\s+"
    r"(?:open\s+|current\s+|different\s+)?(?P<what>steps?|stages?|operations?|"
    r"orders?|jobs?)\b(?!\s+(?:at a time|a day|per|an hour|a week))",
    re.IGNORECASE,
)


@frozen
class Claim:
    """A number said of a subject, the stems of its words; rates are minutes for one piece.

    ``at_most`` says that the value is a bound: of so many a day nobody knows
    how many hours are worked. ``at_least`` says that there may be more: "the
    two kilns" can be two of four.
    """

    kind: Kind
    subject: frozenset[str]
    head: str
    value: float
    said: str
    at_most: bool = False
    at_least: bool = False


@lru_cache(maxsize=4096)
def claims(text: str) -> tuple[Claim, ...]:
    """What ``text`` says of the shop as it is."""
    found: list[Claim] = []
    sentences = [one.strip() for one in _SENTENCE.split(text) if one.strip()]
    places = {stems(one["name"]) for sentence in sentences for one in _STATION.finditer(sentence)}
    seen: set[str] = set()
    for whole in sentences:
        corrected = CORRECTS.search(whole)
        found = [] if corrected else found
        sentence = whole[corrected.end() :] if corrected else whole
        if elsewhere(sentence):
            continue
        found += _counts(sentence)
        found += _numbers(sentence)
        seen |= {stems(one["name"]) for one in _STATION.finditer(sentence)}
        found += _rates(sentence, frozenset(seen), frozenset(places))
    return tuple(one for one in found if one.kind != "count" or one.head not in GENERIC)


def _counts(sentence: str) -> Iterator[Claim]:
    if have := _HAVE.search(sentence):
        for item in stock.things(sentence[have.start() :]):
            if (
                item.rest
                and item.label
                and not re.search(rf"\b{re.escape(item.label)}\s+(?:that|which|who|whose)\b", sentence)
            ):
                yield _claim("count", item.label, float(item.rest.split()[0]), sentence)
    for match in _ALL_OF.finditer(sentence):
        yield _claim("count", match["name"], float(counting.count(match["count"])), sentence)
    for match in _OUR.finditer(sentence):
        if match["count"].casefold() not in {"a", "an", "one"}:
            yield _claim("count", match["name"], float(counting.count(match["count"])), sentence)
    for match in _BOTH.finditer(sentence):
        yield _claim("count", match["name"], 2.0, sentence)
    for match in _THE_TWO.finditer(sentence):
        yield evolve(_claim("count", match["name"], float(counting.count(match["count"])), sentence), at_least=True)
    for pattern in (_ONLY, _ONLY_ONE):
        for match in pattern.finditer(sentence):
            yield _claim("count", match["name"], 1.0, sentence)


def _numbers(sentence: str) -> Iterator[Claim]:
    for match in _HOW_MANY.finditer(sentence):
        if match["number"].casefold() not in {"a", "an", "one"}:
            kind: Kind = "orders" if match["what"].casefold().startswith(("order", "job")) else "steps"
            yield Claim(kind, frozenset({kind}), kind, float(counting.count(match["number"])), sentence)


def _rates(sentence: str, near: frozenset[str], places: frozenset[str]) -> Iterator[Claim]:
    """The rates of a sentence, of the stations named up to it (``near``), or of those named after it."""
    flat = digits(sentence)
    if any(counting.count(match["number"]) > 1 for match in _HOLDS.finditer(flat)):
        return  # of several at once a rate says nothing about one
    for pattern in (_EACH_TAKES, _UNIT_TAKES):
        for match in pattern.finditer(flat):
            yield _rate(match["unit"], _minutes(match["span"]), near, places, sentence)
    for match in _SO_MANY.finditer(flat):
        per = match["per"].casefold()
        told = _WORKED.search(flat) if per in {"day", "shift"} else None
        if per == "shift" and told is None:
            continue
        minutes = 60 * float(told["hours"] or told["after"]) if told is not None else MINUTES[per]
        one = _rate(match["unit"], minutes / counting.count(match["number"]), near, places, sentence)
        yield evolve(one, at_most=per == "day" and told is None)
    for match in (*_MANY_IN.finditer(flat), *_IN_SPAN.finditer(flat)):
        yield _rate(match["unit"], _minutes(match["span"]) / counting.count(match["number"]), near, places, sentence)


def _rate(unit: str, minutes: float, near: frozenset[str], places: frozenset[str], sentence: str) -> Claim:
    known, every = (frozenset(names - _NO_STATION - {stems(unit)}) for names in (near, places))
    return Claim("rate", known or every, stems(unit), minutes, sentence)


def _minutes(span: str) -> float:
    found = quantities.parse(span)
    return (found.low or 0.0) * MINUTES[found.unit]


def _claim(kind: Kind, name: str, value: float, said: str) -> Claim:
    words = stems(name).split()
    return Claim(kind, frozenset(words), words[-1] if words else "", value, said)
