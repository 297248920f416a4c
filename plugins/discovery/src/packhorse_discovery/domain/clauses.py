"""Running text cut into what is told of one step each: around the times in it, at sentences, connectives and commas."""

import re
from collections.abc import Iterator
from itertools import pairwise

from attrs import frozen

from packhorse_discovery.domain.anaphora import resolved
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.labels import unlabelled
from packhorse_discovery.domain.markers import plainly
from packhorse_discovery.domain.quantities import Found
from packhorse_discovery.domain.step_names import LEAD, without
from packhorse_discovery.domain.worktimes import spans, without_stories

_SENTENCE = re.compile(
    r"(?<!\bapprox)(?<!\bca)(?<!\d)[.!?](?=\s|$)(?!(?<=\bno\.)\s*\d)|(?<=\d)\.(?=\s+[A-Z]|\s*$)|[;\n]+|"
    r"\s/\s",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    r"(,|\b(?:for|in|the|an?|of|to|at|on|and|with|by|is|are|takes?|about|then|it|we)|"
    r"^.{70,}\w)[ \t]*\n(?=[ \t]*[a-z0-9])",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that ends within a sentence."""
_NEXT = re.compile(
    r"[,:]?\s*(?:\bbefore\s+(?=(?:we|they|it)\s)|\b(?:and then|then|after that(?!\s*,\s*(?:which|where)\b)|"
    r"after which|afterwards|"
    r"followed by|and finally|finally|lastly"
    r"|and last(?:ly)?)\b"
    r"|(?:(?<=[,:])|(?<=^))\s*(?:and\s+)?(?:next|last|first|second|third)(?=\s*[,:]|\s+(?:we|comes?|is|up|the)\b))"
    r"[\s,]*",
    re.IGNORECASE,
)
_PREFACE = re.compile(
    r"^[^:\d]{0,90}\b(?:steps?|stages?|process(?:es)?|operations?|as follows|following|like this|goes|runs|order|"
    r"this way)"
    r"[^:\d.!?]{0,30}:\s*(?=\S)",
    re.IGNORECASE,
)
"""What announces the list: "There are four steps: "."""
_CONTINUES = re.compile(
    r"^\s*(?:(?:and|so|but)\s+)?(?:(?:that|which|it|this|they|each(?: of them)?)\b(?:['\u2019]s)?\s*"
    r"(?:\s*(?:is|are|all|usually|normally|typically|then|only|just|about|would|will|can|may|alone))*\s*"
    r"(?:takes?|lasts?|runs?|needs?|requires?|done)?\b"
    r"|(?:takes?|taking|lasts|lasting|for|about|roughly|around|say|call it|maybe|perhaps|another)\b)"
    r"\s*(?:anywhere\b|anything\b|us\b|you\b|me\b|her\b|him\b|them\b|up\b|for\b|about\b|around\b|roughly\b|say\b|"
    r"maybe\b|some\b|only\b|just\b|between\b|from\b|~|"
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
_ELSEWHERE = re.compile(
    r"^\s*(?:(?:in|on|at|by|for|with)\s[^,]*?\b(?:they|we|it|you|i)(?:\s+(?:are|is|get|gets|go|goes|do|have)\b|"
    r"[\'\u2019](?:re|s|ve)\b)|"
    r"(?:in|on|at)\s+(?:the|our|an?)\s+[a-z][\w-]*(?:\s+[a-z][\w-]*){0,2}?\s+(?:we|i|they|it|you|is|comes?|"
    r"follows?)\b"
    r"|(?:on|over|off|back)\s+(?:in)?to\s+)",
    re.IGNORECASE,
)
"""``in the cellar we bottle``, ``on to the sander``: the next step, from its place on."""
_DELIMITER = re.compile(
    r":\s+|\s+before\s+(?=[a-z]+ing\b)|\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*[\u2013\u2014]\s*|"
    r"\s+-\s+",
    re.IGNORECASE,
)
_AND_THEN = re.compile(
    r"\s+and\s+(?=(?:(?:the|our|an?)\s+)?[a-z][\w-]*(?:\s+[a-z][\w-]*){0,2}?\s+(?:goes|go|gets?|is|are|takes?|needs?|"
    r"happens?|comes?|runs?)\b(?!\s*$)|(?:in|on|at)\s+(?:the|our|an?)\s+[a-z][\w-]*(?:\s+[a-z][\w-]*){0,2}?\s+(?:we|i|"
    r"they|it|you|is|comes?)\b)",
    re.IGNORECASE,
)
"""``and the glazing goes back in``: another clause, with a verb of its own."""
_AND = re.compile(r"^\s+and\s+$", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:plus|\+|to|or|and a|between|from)\s*(?:about|another|~)?\s*$", re.IGNORECASE)
_OF_TWO = re.compile(r"(?:[a-z]+ing|pick|cut|mix|wash)\s+and\s+(?:place|[a-z]+ing|[a-z]+)\s+", re.IGNORECASE)
_SAME_UNIT = re.compile(
    r"(\b\d+(?:\.\d+)?\s+(minutes?|hours?|days?)\b[^.;!?\n]{0,80}?\b(?:takes?|needs?|is)\s+(?:me\s+|us\s+|about\s+|"
    r"another\s+)?\d+(?:\.\d+)?)"
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


_CLEFT = re.compile(
    r"^(?:(?:and|but|so)\s+)?(?:what\b[^,;.\d]{2,40}?|(?:the|our|my)\s+(?:[a-z]+\s+)?(?:one|thing|bottleneck|"
    r"culprit|problem)"
    r"(?:\s+(?:that|which|who)\s[^,;.\d]{2,30}?)?)\s+(?:is|are)\s+(?:the\s+)?(?=[a-z-]+ing\b)"
    r"|^(?:an?|the|each|every)\s+[a-z]+\s+(?:goes|passes|runs)\s+through\s+(?:the\s+)?(?=[a-z -]{0,20}[a-z]+ing\b)",
    re.IGNORECASE,
)
"""``the slow one is the smoking``, ``a sofa goes through frame building``: before the work that is named."""
_OF_WHAT = re.compile(
    r"^(?![a-z-]+ing\b)[^:.,;\d]{2,25}(?:,\s*(?:an?|one|per|each)\s+[a-z]+)?:\s*(?=[a-z-]+ing\s+(?:takes?|is|"
    r"lasts?|needs?)\b)",
    re.IGNORECASE,
)
"""``carrots, a load: washing takes``: what the work is done on."""
COMES = re.compile(
    r"(?:(?:and|then|next|now)\s+)*(?:comes?|follows|there['\u2019]s|there is)\s+(?:the\s+)?(?P<name>[a-z-]+ing)",
    re.IGNORECASE,
)
"""``then comes steaming``, without a time."""


@frozen
class Clause:
    """What is told of one step. ``times`` are its spans of time, as places in ``text``; empty where it has none.

    ``sentence`` counts the sentences, so that what follows a colon is known to belong to what stands before it.
    """

    text: str
    times: tuple[Found, ...] = ()
    sentence: int = 0


_OF_ONE = re.compile(
    r"^\s*(?:(?:ok(?:ay)?|so|well|right|now)\W+)*(?:(?:for|per|with|take)\s+)?(?:an?|one|each|every|any|\d|two|"
    r"three|four|"
    r"five|six|seven|eight|nine|ten)\s+[a-z]+(?:\s+[a-z]+)?\s*:\s*",
    re.IGNORECASE,
)
"""``for each job:``."""
_SHORT = 5
"""Words of a sentence that may be a fragment of the one with the time."""
_VERB = re.compile(r"\b(?:is|are|we|it|they|you|i|then|takes?|goes|comes?|has|have|per|all|for)\b", re.IGNORECASE)
_BEGINS_WITH_TIME = re.compile(
    r"\s*(?:(?:about|around|roughly|some|say|another|up to|at least|between|from)\s+|"
    r"~\s*)*\d",
    re.IGNORECASE,
)
_THUS = re.compile(r"^[^:.,;\d]{1,30},?\s+(?:so|thus|here goes|here we go)\s*:\s*", re.IGNORECASE)
"""``candles, so:``."""
_NTH = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next|last|final)(?:\s+and\s+(?:last|"
    r"final))?\s+"
    r"(?:step|stage|operation|phase|place)"
)
_IN_THE_NTH = re.compile(
    rf"(?:(?<=^)|(?<=[.;!?\n]))\s*(?:and\s+)?(?:in|as|for)\s+(?:the|an?)\s+{_NTH}\b\s*,?\s*|"
    rf",\s*(?:which is\s+)?(?:as\s+)?the\s+{_NTH}\s*,\s*",
    re.IGNORECASE,
)
"""``in the first step,``, ``, the fourth step,``."""
_IS = re.compile(
    r"(?<![\w-])((?!(?:it|that|he|she|there|what|who|here|where|let|one)\b)[a-z-]{3,})['\u2019]s\s+"
    r"(?=(?:next|on|in|at|done|the|an?|another|about|roughly|\d)\b)",
    re.IGNORECASE,
)
"""``trimming's on the wheel``."""


def clauses(text: str) -> list[Clause]:
    """``text`` cut so that each part tells of one step; numbers are in digits (`figures.digits`)."""
    text = _IS.sub(r"\1 is ", _IN_THE_NTH.sub(" ", text))
    text = _PREFACE.sub("", plainly(_WRAPPED.sub(r"\1 ", unlabelled(_THUS.sub("", text.strip())))))
    flat = without_stories(digits(_OF_ONE.sub("", text)))
    flat = resolved(_SAME_UNIT.sub(r"\1 \2", _OWN.sub(", in the ", flat)))
    found: list[Clause] = []
    for sentence, told in _units(_OF_WHAT.sub("", flat)):
        unit = _CLEFT.sub("", told)
        previous = found[-1] if found else None
        if (pieces := _fragments(found)) and _BEGINS_WITH_TIME.match(unit):
            del found[-len(pieces) :]
            found.append(_timed(", ".join([*pieces, unit]), sentence))
        elif previous is not None and not previous.times and (_CONTINUES.match(unit) or _only_time(unit)):
            found[-1] = _timed(f"{previous.text}, {unit}", previous.sentence)
        else:
            found += _divided(unit, sentence)
    return found


def _fragments(found: list[Clause]) -> list[str]:
    """The last two clauses, where they are short and have neither time nor verb: "Sawing. Bridge saw."."""
    last = [one.text for one in found[-2:] if not one.times]
    short = all(len(words.split()) <= _SHORT for words in last)
    return last if len(last) == 2 and short and len(last[0].split()) < _SHORT and not _VERB.search(last[0]) else []


def _only_time(unit: str) -> bool:
    """Whether nothing but a time is said: "The glass is cut on the cutter; 6 minutes"."""
    times = spans(unit)
    return bool(times) and not f"{unit[: times[0].start]}{unit[times[-1].end :]}".strip(" .~")


def _units(text: str) -> Iterator[tuple[int, str]]:
    """Sentences, and what connectives part in them; a few words without a time belong to what follows."""
    for number, sentence in enumerate(_outside(_SENTENCE, text)):
        before = ""
        for piece in _outside(_NEXT, sentence):
            words = f"{before} {piece}".strip()
            if not before and COMES.fullmatch(piece):
                yield number, piece
            elif piece and not spans(words) and len(words.split()) <= 3:
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


def _timed(text: str, sentence: int) -> Clause:
    return Clause(text, tuple(spans(text)), sentence)


def _divided(unit: str, sentence: int) -> Iterator[Clause]:
    """A unit with several times, cut between them."""
    times = spans(unit)
    times_lead = bool(times) and not without(LEAD, unit[: times[0].start]).strip(" ~,")
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
    strong = [match for match in marks if not _AND.match(match[0]) or _AND_THEN.match(between, match.start())]
    marks = strong or [match for match in marks if not _OF_TWO.search(between[max(0, match.start() - 12) :])]
    if not marks:
        closed = between.find(")")
        return before.end + closed + 1 if closed >= 0 and between[closed + 1 :].strip() else None
    ends = [*(match.start() for match in marks[1:]), len(between)]
    pieces = [between[match.end() : end] for match, end in zip(marks, ends, strict=True)]
    starts = [place for place, piece in enumerate(pieces) if _starts(piece)]
    if not starts:
        # Only a time follows: of the next step where times come first, of this one otherwise.
        return before.end + marks[-1].end() if leads else None
    bare = unit[before.end : before.end + marks[0].start()].strip(" ).")
    chosen = starts[0]
    if len(starts) > 1 and not bare:
        chosen = starts[1]  # "scan, 20 minutes, scanner, design, 45 minutes": the first says where
    return before.end + marks[chosen].end()


def _starts(piece: str) -> bool:
    """Whether the words between two times tell of the next step, rather than more of the one before."""
    return bool(piece.strip(" (~")) and (bool(_ELSEWHERE.match(piece)) or not _GOES_ON.match(piece))


def _free(unit: str, place: int) -> bool:
    head = unit[:place]
    return head.count("(") <= head.count(")")
