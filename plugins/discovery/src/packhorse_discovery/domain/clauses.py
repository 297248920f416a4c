"""Running text cut into what is told of one step each: around the times in it, at sentences, connectives and commas."""

import re
from collections.abc import Iterator
from itertools import pairwise

from attrs import frozen

from packhorse_discovery.domain import quantities
from packhorse_discovery.domain.anaphora import resolved
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.labels import unlabelled
from packhorse_discovery.domain.markers import plainly
from packhorse_discovery.domain.quantities import Found
from packhorse_discovery.domain.units import family_of

_SENTENCE = re.compile(
    r"(?<!\bapprox)(?<!\bca)(?<!\bno)(?<!\d)[.!?](?=\s|$)|(?<=\d)\.(?=\s+[A-Z]|\s*$)|[;\n]+|\s/\s", re.IGNORECASE
)
_WRAPPED = re.compile(
    r"(,|\b(?:for|in|the|an?|of|to|at|on|and|with|by|is|are|takes?|about|then|it|we)|"
    r"^.{70,}\w)[ \t]*\n(?=[ \t]*[a-z0-9])",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that ends within a sentence."""
_NEXT = re.compile(
    r"[,:]?\s*(?:\bbefore\s+(?=(?:we|they|it)\s)|\b(?:and then|then|after that|after which|afterwards|"
    r"followed by|and finally|finally|lastly"
    r"|and last(?:ly)?)\b"
    r"|(?:(?<=[,:])|(?<=^))\s*(?:and\s+)?(?:next|last|first|second|third)(?=\s*[,:]|\s+(?:we|comes?|is|up|the)\b))"
    r"[\s,]*",
    re.IGNORECASE,
)
_PREFACE = re.compile(
    r"^[^:\d]{0,90}\b(?:steps?|stages?|process(?:es)?|operations?|follow\w*|like this|goes|runs|order|this way)"
    r"[^:\d]{0,30}:\s*(?=\S)",
    re.IGNORECASE,
)
"""What announces the list: "There are four steps: "."""
_CONTINUES = re.compile(
    r"^\s*(?:(?:and|so|but)\s+)?(?:(?:that|which|it|this|they|each(?: of them)?)\b(?:['\u2019]s)?\s*"
    r"(?:\s*(?:is|are|all|usually|normally|typically|then|only|just|about|would|will|can|may|alone))*\s*"
    r"(?:takes?|lasts?|runs?|needs?|requires?|done)?\b"
    r"|(?:takes?|taking|lasts|lasting|for|about|roughly|around|say|call it|maybe|perhaps|another)\b)"
    r"\s*(?:us\b|you\b|up\b|for\b|about\b|around\b|roughly\b|say\b|maybe\b|some\b|only\b|just\b|between\b|from\b|~|"
    r"another\b|at least\b|up to\b|\s)*(?:~\s*)?\d",
    re.IGNORECASE,
)
"""A time that is said of what was named before: "That takes 20 minutes"."""
_GOES_ON = re.compile(
    r"^\s*(?:in|on|onto|into|at|using|with|by|inside|through|which|that|for|about|plus|taking|it takes|this takes|say|"
    r"call it|maybe|perhaps|roughly|around|usually|typically|where|again|depending|or so|per|each|all|not|but|"
    r"including|~)\b",
    re.IGNORECASE,
)
_DELIMITER = re.compile(r":\s+|\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*[\u2013\u2014]\s*|\s+-\s+", re.IGNORECASE)
_AND = re.compile(r"^\s+and\s+$", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:plus|\+|to|or|and a|between|from)\s*(?:about|another|~)?\s*$", re.IGNORECASE)
_OF_TWO = re.compile(r"(?:[a-z]+ing|pick|cut|mix|wash)\s+and\s+(?:place|[a-z]+ing|[a-z]+)\s+", re.IGNORECASE)
_SAME_UNIT = re.compile(
    r"(\b\d+(?:\.\d+)?\s+(minutes?|hours?|days?)\b[^.;!?\n]{0,80}?\b(?:takes?|needs?|is)\s+(?:me\s+|us\s+|about\s+|another\s+)?\d+(?:\.\d+)?)"
    r"(?![\d.]*\d)(?=\s*(?:[,.;]|$))",
    re.IGNORECASE,
)
"""``cooling is 60 minutes, and icing takes me 45``: in the same unit."""
_OWN = re.compile(
    r"\s*[,.;]\s*(?:and\s+)?(?:we|there)(?:\s+have|['\u2019]ve(?:\s+got)?|['\u2019]s|\s+is)\s+an?\s+"
    r"(?:separate|dedicated|special|own)\s+",
    re.IGNORECASE,
)
"""What is told of the step before: "we have a separate lauter tun"."""


@frozen
class Clause:
    """What is told of one step. ``times`` are its spans of time, as places in ``text``; empty where it has none.

    ``sentence`` counts the sentences, so that what follows a colon is known to belong to what stands before it.
    """

    text: str
    times: tuple[Found, ...] = ()
    sentence: int = 0


def clauses(text: str) -> list[Clause]:
    """``text`` cut so that each part tells of one step; numbers are in digits (`figures.digits`)."""
    flat = digits(_PREFACE.sub("", plainly(_WRAPPED.sub(r"\1 ", unlabelled(text.strip())))))
    flat = resolved(_SAME_UNIT.sub(r"\1 \2", _OWN.sub(", in the ", flat)))
    found: list[Clause] = []
    for sentence, unit in _units(flat):
        previous = found[-1] if found else None
        if previous is not None and not previous.times and (_CONTINUES.match(unit) or _only_time(unit)):
            found[-1] = _timed(f"{previous.text}, {unit}", previous.sentence)
        else:
            found += _divided(unit, sentence)
    return found


def _only_time(unit: str) -> bool:
    """Whether nothing but a time is said: "The glass is cut on the cutter; 6 minutes"."""
    times = _times(unit)
    return bool(times) and not f"{unit[: times[0].start]}{unit[times[-1].end :]}".strip(" .~")


def _units(text: str) -> Iterator[tuple[int, str]]:
    """Sentences, and what connectives part in them; a few words without a time belong to what follows."""
    for number, sentence in enumerate(_outside(_SENTENCE, text)):
        before = ""
        for piece in _outside(_NEXT, sentence):
            words = f"{before} {piece}".strip()
            if piece and not _times(words) and len(words.split()) <= 3:
                before = words
            elif words:
                before = ""
                yield number, words
        if before:
            yield number, before


def _outside(pattern: re.Pattern[str], text: str) -> list[str]:
    """``text`` cut where ``pattern`` stands outside brackets."""
    parts, at = [], 0
    for match in pattern.finditer(text):
        head = text[: match.start()]
        if head.count("(") <= head.count(")") or "\n" in match[0]:
            parts.append(text[at : match.start()])
            at = match.end()
    return [part.strip(" ,") for part in [*parts, text[at:]] if part.strip(" ,")]


def _times(text: str) -> list[Found]:
    return [one for one in quantities.find(text) if family_of(one.quantity.unit) == "time"]


def _timed(text: str, sentence: int) -> Clause:
    return Clause(text, tuple(_times(text)), sentence)


def _divided(unit: str, sentence: int) -> Iterator[Clause]:
    """A unit with several times, cut between them."""
    times = _times(unit)
    times_lead = bool(times) and not unit[: times[0].start].strip(" ~")
    at = 0
    for before, after in pairwise(times):
        cut = _cut(unit, before, after, leads=times_lead)
        if cut is not None and cut > at:
            yield _timed(unit[at:cut].strip(" ,"), sentence)
            at = cut
    yield _timed(unit[at:].strip(" ,"), sentence)


def _cut(unit: str, before: Found, after: Found, *, leads: bool) -> int | None:
    """Where the next step begins between two times; None where both are of one."""
    between = unit[before.end : after.start]
    if _TOGETHER.search(between) and not re.search(r"[,(]", between):
        return None
    marks = [match for match in _DELIMITER.finditer(between) if _free(unit, before.end + match.start())]
    strong = [match for match in marks if not _AND.match(match[0])]
    marks = strong or [match for match in marks if not _OF_TWO.search(between[max(0, match.start() - 12) :])]
    if not marks:
        closed = between.find(")")
        return before.end + closed + 1 if closed >= 0 and between[closed + 1 :].strip() else None
    ends = [*(match.start() for match in marks[1:]), len(between)]
    pieces = [between[match.end() : end] for match, end in zip(marks, ends, strict=True)]
    starts = [place for place, piece in enumerate(pieces) if piece.strip(" (~") and not _GOES_ON.match(piece)]
    if not starts:
        # Only a time follows: of the next step where times come first, of this one otherwise.
        return before.end + marks[-1].end() if leads else None
    bare = unit[before.end : before.end + marks[0].start()].strip(" ).")
    chosen = starts[0]
    if len(starts) > 1 and not bare:
        chosen = starts[1]  # "scan, 20 minutes, scanner, design, 45 minutes": the first says where
    return before.end + marks[chosen].end()


def _free(unit: str, place: int) -> bool:
    head = unit[:place]
    return head.count("(") <= head.count(")")
