"""Numbers of things wherever they are said, each with what is counted and for whom: "the hotel order is 8 lots"."""

import re
from collections.abc import Iterator
from functools import lru_cache

from attrs import frozen

from packhorse_discovery.domain import counting
from packhorse_discovery.domain.binding import stems

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_SMALL = (
    "the|an?|and|or|of|to|for|in|on|at|by|from|with|without|is|are|was|were|be|been|being|has|have|had|do|does|"
    "did|will|"
    "would|can|could|may|might|must|should|shall|not|no|never|only|just|also|too|all|both|each|every|any|some|"
    "this|that|"
    "these|those|which|who|whom|whose|what|where|when|while|because|since|so|but|if|then|than|as|it|its|he|him|his|she|"
    "her|they|them|their|we|us|our|i|me|my|you|your|there|here|now|still|already|again|more|other|others|due|"
    "ready|out|up|"
    "down|off|over|under|per|until|till|before|after|within|about|around|exactly|altogether|together|today|tomorrow|"
    "tonight|yesterday|long|please|yet|even|very|much|away|back|apiece|in|one"
)
_NO_NOUN = rf"(?!(?:{_SMALL})\b)"
_WORD = rf"{_NO_NOUN}[^\W\d_][\w'\u2019-]*"
_PLURAL = rf"{_NO_NOUN}(?:[^\W\d_][\w-]*[^\Wsui]s|people|men|women|children|loaves|feet|teeth|mice|geese|oxen|sheep)\b"
_UNITS = (
    r"(?:pairs?|sets?|batch(?:es)?|lots?|loads?|box(?:es)?|crates?|cases?|pallets?|bags?|sacks?|rolls?|barrels?|kegs?|"
    r"casks?|pieces?|units?|copies|copy|dozens?|bundles?|trays?|tins?|jars?|drums?|bottles?|runs?|stacks?|racks?)"
)
UNITS = frozenset(
    stems("pairs sets batches lots loads boxes crates cases pallets bags sacks rolls barrels kegs casks").split()
)
"""The stems of what goods are ordered in."""
_MENTION = re.compile(
    rf"(?<![\w.,:/-])(?P<number>\d{{1,5}}(?![\d.:/%])|{counting.CARDINAL})(?P<dozen>\s+dozens?)?\s+"
    rf"(?:(?P<unit>{_UNITS})\s+of\s+(?:(?:the|our|my|their|his|her|its)\s+)?)?"
    rf"(?P<noun>(?:{_WORD}\s+){{0,3}}?{_PLURAL}|{_WORD}(?:\s+{_WORD}){{0,2}}|(?=[.,;:)]|$))",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"^(?:(?:more|whole|full|working|good|long|short|straight)\s+)?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|"
    r"weeks?|months?|years?|nights?|fortnights?|times?|percent|degrees?|o['\u2019]?clock|shifts?|kilos?|grams?|tons?|"
    r"tonnes?|litres?|liters?|metres?|meters?|mm|cm|kg|am|pm|mornings?|afternoons?|evenings?|euros?|pounds?|dollars?|"
    r"steps?|stages?|kinds?|types?|sorts?|ways?)\b",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"^\s*(?:an?|per|every|each)\s+(?:hour|day|minute|shift|week|month|year|time|batch|load|go)\b|^\s*at (?:a|"
    r"once|one|the same)\b"
    r"|^\s*(?:daily|weekly|hourly)\b",
    re.IGNORECASE,
)
_PROPER = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][^\W\d_]+(?:['\u2019]s)?\b|^(?:[A-Z][^\W\d_]+)(?=\s+(?:has|have|"
    r"is|wants?|needs?|"
                     r"ordered|orders|gets?|[A-Z]|takes?|asked)\b|['\u2019]s\b|\s*[:,])")  # fmt: skip
_DAYS = re.compile(
    r"^(?:mon|tues|wednes|thurs|fri|satur|sun)day|^(?:I|Yes|No|And|But|So|The|Well|Our|We)$", re.IGNORECASE
)
_FOR = re.compile(rf"\b(?:for|to|from)\s+(?:the|our|my|an?)\s+(?P<who>{_WORD}(?:\s+{_WORD}){{0,2}})", re.IGNORECASE)
_WANTS = re.compile(
    rf"(?:^|[,;:]\s*|\b(?:and|but|so|then)\s+)(?:the|our|my|"
    rf"an?)\s+(?P<who>{_WORD}(?:\s+{_WORD}){{0,2}}?)(?:\s+order)?\s+"
    r"(?:has|have|wants?|needs?|ordered|orders|gets?|asked|takes?|is|are|comes?|(?:has|have) ordered)\b",
    re.IGNORECASE,
)
_ORDER_OF = re.compile(
    rf"\b(?:the|our|my|this|that)\s+(?P<who>{_WORD}(?:\s+{_WORD})?)(?:['\u2019]s)?\s+order\b", re.IGNORECASE
)
_LABEL = re.compile(
    rf"(?:^|[.;,]\s*|\band\s+)(?P<who>{_WORD}(?:\s+{_WORD}){{0,2}})\s*(?::|,|\s[-\u2013])\s*$", re.IGNORECASE
)
_POSSESSOR = re.compile(rf"\b(?:the|our|my)\s+(?P<who>{_WORD}(?:\s+{_WORD})?)['\u2019]s?\s", re.IGNORECASE)
_FOR_WHOM = re.compile(r"\s*(?:of [\w ]{2,30}?)?\s*(?:for|to|that|which)\s+[^,;.]*?(?=,|;|\.|$|\band\b)", re.IGNORECASE)
_GENERIC = frozenset(
    stems("there it two one three door day book order week the other others batch lot whole everything all "
        "first last").split()
) | {"ther", "s", "mis", "mr", "mrs"}  # fmt: skip
"""What names nobody."""
_PART = re.compile(
    rf"\b(?:(?:\d+|{counting.CARDINAL}|some|most|half|few|none|part|rest|many) of (?:the|them|these|those)|"
    rf"already|done|"
    rf"finished|so far|(?:another|further|additional|extra|more|new)\s+(?:\d+|{counting.CARDINAL})|"
    rf"(?:\d+|{counting.CARDINAL})\s+(?:more|other|further|additional|extra|new|left))\b",
    re.IGNORECASE,
)
"""What makes a number one of a part, or of more."""
_ALSO = re.compile(
    r"\b(?:second|another|other|new|next|further)\s+(?:order|one|job|lot)\b|\b(?:also|as well|besides|left|"
    r"remaining|still to)\b",
    re.IGNORECASE,
)


@frozen
class Mention:
    """A number of things: its stems (``noun``, the unit among them), who wants them, and the sentence.

    ``partial`` says that the sentence counts a part, or more of them;
    ``around`` are the stems of all words that belong to the number.
    """

    value: float
    noun: frozenset[str]
    parties: frozenset[str]
    said: str
    partial: bool = False
    around: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def mentions(text: str) -> tuple[Mention, ...]:
    """Every number of things in ``text``; spans of time and rates are none."""
    return tuple(one for sentence in _SENTENCE.split(text) for one in _in(sentence))


def parties(sentence: str) -> frozenset[str]:
    """The stems of those whom ``sentence`` names as customers: proper names, and whom something is for."""
    found = {stems(re.sub(r"['\u2019]s$", "", one[0])) for one in _PROPER.finditer(sentence) if not _DAYS.match(one[0])}
    for pattern in (_FOR, _WANTS, _ORDER_OF, _POSSESSOR):
        found |= {word for one in pattern.finditer(sentence) for word in stems(one["who"]).split()}
    return frozenset(one for one in found if one and one not in _GENERIC)


def _in(sentence: str) -> Iterator[Mention]:
    matches = [one for one in _MENTION.finditer(sentence) if not _TIMES.match(sentence[one.end("number") :].lstrip())]
    matches = [one for one in matches if not _RATE.match(sentence[one.end() :])]
    at = 0
    last: Mention | None = None
    for match in matches:
        ahead = _FOR_WHOM.match(sentence, match.end())
        end = ahead.end() if ahead else match.end()
        near = sentence[at : end if len(matches) > 1 else _clause_end(sentence, end)]
        label = _LABEL.search(sentence[at : match.start()])
        at = end
        noun = frozenset(stems(f"{match['unit'] or ''} {match['noun'] or ''}").split())
        own = (parties(near) | frozenset(stems(label["who"]).split() if label else ())) - noun
        if last is not None and re.search(r"\bones$", match["noun"] or "", re.IGNORECASE):
            noun, own = last.noun, own or last.parties  # "120 yellow pansies and 90 blue ones"
        if not own and len(_customers(sentence) or _names(sentence)) == 1:
            own = parties(sentence) - noun  # "two colours for the town hall: 120 yellow ones"
        value = counting.count(match["number"]) * (12 if match["dozen"] else 1)
        around = frozenset(stems(near).split()) - noun
        beside = sentence[max(match.start() - 30, 0) : match.end()]
        last = Mention(
            float(value), noun, own, sentence.strip(), bool(_PART.search(beside) or _ALSO.search(near)), around
        )
        yield last


def _names(sentence: str) -> set[str]:
    """The proper names in ``sentence``, words that follow one another as one."""
    found = re.findall(r"\b[A-Z][^\W\d_]+(?:\s+[A-Z][^\W\d_]+)*", sentence[1:])
    return {one for one in found if not _DAYS.match(one)}


def _customers(sentence: str) -> list[str]:
    """Whom ``sentence`` says something is for, as said."""
    return [one["who"] for pattern in (_FOR, _WANTS, _ORDER_OF) for one in pattern.finditer(sentence)]


def _clause_end(sentence: str, start: int) -> int:
    """Where the clause ends that goes on at ``start``."""
    comma = re.compile(r"[,;:]").search(sentence, start)
    return comma.start() if comma else len(sentence)
