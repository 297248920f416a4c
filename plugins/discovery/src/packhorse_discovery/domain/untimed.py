"""Steps whose time nobody knows: "annealing in the lehr, I honestly don't know how long that takes"."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from packhorse_discovery.domain import quantities
from packhorse_discovery.domain.markers import CORRECTS
from packhorse_discovery.domain.places import resources_in
from packhorse_discovery.domain.told import Told
from packhorse_discovery.domain.units import family_of

_NOBODY = r"(?:nobody|no one|no-one|none of us|i(?:['\u2019]ve)?|we(?:['\u2019]ve)?)"
UNKNOWN = re.compile(
    r"\b(?:no idea|not the (?:faintest|slightest|foggiest)|no clue|have ?n['\u2019]t a clue|"
    r"(?:do|does|did)(?: not|n['\u2019]?t) (?:\w+ )?(?:know|remember|recall)|dunno|not sure|unsure|"
    r"(?:cannot|(?:ca|could|would)n['\u2019]t|(?:can|could|would) not) (?:even |really |honestly )*(?:say|tell|"
    r"guess|put (?:a|any) (?:number|figure|time)|"
    r"(?:want|like|dare|care) to (?:say|guess))|"
    r"(?:nobody|no one|no-one)(?: here| else)?(?: really| ever| actually)? (?:knows|can (?:say|tell)|could "
    r"(?:say|tell)|has any idea)|"
    rf"{_NOBODY} (?:has |have )?(?:ha(?:s|ve)n['\u2019]t |never |not |ever )+(?:once |even |actually )*(?:been "
    rf")?(?:timed?|measured?|clocked|taken the time|looked)|"
    r"(?:nobody|no one|no-one)(?: has|['\u2019]s)?(?: ever| once)* (?:timed|measured|clocked|wrote|written|counted)|"
    r"never (?:been )?(?:measured|timed|clocked)|"
    r"(?:is|are|was)(?: not|n['\u2019]t) known|not known|unknown|who knows|god knows|heaven knows|goodness knows|"
    r"hard to (?:say|tell)|impossible to (?:say|tell)|beats me|search me|"
    r"any(?:body|one)['\u2019]s guess|your guess is as good as mine|(?:have|had)(?:n['\u2019]t| not) (?:been "
    r")?(?:timed|measured)|"
    r"would have to (?:ask|measure|time|look)|['\u2019]d have to (?:ask|measure|time|look)|must (?:first "
    r")?(?:ask|measure|time) )",
    re.IGNORECASE,
)
_OF_TIME = re.compile(
    r"\b(?:how long|how much time|how many (?:minutes|hours|days)|times?|timed|timing|takes?|lasts?|duration|"
    r"minutes|hours|long|guess|figure|clocked|"
    r"measured)\b",
    re.IGNORECASE,
)
_HOW_LONG = re.compile(
    r"\bhow (?:long|much time|many (?:minutes|hours|days))\s+(?:(?:does|do|will|would)\s+)?"
    r"(?:in\s+(?:the|our)\s+(?P<place>[a-z][\w -]{1,30}?)|(?:(?:the|an?|our)\s+)?"
    r"(?P<name>[a-z][\w-]*(?:\s+(?!in\b)[a-z][\w-]*){0,3}?)\s+(?:takes?|lasts?|needs?|is|runs?|goes on|will "
    r"(?:take|last)))"
    r"(?=\s*(?:$|[.,;?!]|\bor\b|\bbut\b|\band\b|\bon\b|\bin\b|\beach\b|\bper\b|\bnobody\b|\bi\b|\bwe\b))",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"^(?:it|that|this|they|we|you|he|she|i|which|what|there|nobody|no|everything|anyone|how|only|who|one|for|"
    r"of|in|on|at|"
    r"honestly|sorry|duration|time|its|his|her|but|not|unknown|dunno|never|don|can|could|steps?|god|hard|work|as)\b",
    re.IGNORECASE,
)
_DURATION_OF = re.compile(
    r"\b(?:duration|time|length)\s+(?:of|for)\s+(?:the\s+)?(?P<name>[a-z][\w-]*(?:\s+(?!(?:is|are|"
    r"was)\b)[a-z][\w-]*){0,2}?)"
    r"\s+(?:is|isn|we|i|nobody)\b",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"^\W*(?:\d{1,2}[.):]\s*)?(?:(?:and|so|but|then|now|well|next|also|after that|finally|lastly|first|as for|"
    r"for|oh|comes?|there(?:['\u2019]s| is)|"
    r"we have|it['\u2019]s|followed by)\b[\s,]*)*"
    r"(?:(?:the|our|an?)\s+)?(?P<name>[a-z][\w-]*(?:\s+(?!(?:is|are|gets?|we|i|you|nobody|no|in|on|at|with|"
    r"takes?|lasts?|"
    r"needs?|happens?|goes|depends|could|can|that|which|it|has|have|for|i['\u2019]\w+|we['\u2019]\w+|"
    r"don)\b)[a-z][\w-]*){0,3})"
    r"(?=\s*(?:[,:;?.!(\u2013\u2014]|$)|['\u2019]s\b|\s+(?:is|are|gets?|we|i|you|nobody|no|in|on|at|with|takes?|"
    r"lasts?|needs?|"
    r"happens?|goes|depends|could|can|that|which|it|has|have|for|i['\u2019]\w+|we['\u2019]\w+|don)\b)",
    re.IGNORECASE,
)
"""What a stretch of text begins with: "and the engraving, ..."."""
_BACK = re.compile(
    r"^\W*(?:(?:and|but|so|well|honestly|sorry|there|for|of)\b[\s,]*)*(?:it|that|this|they|duration|time|how "
    r"long(?! (?:the|a|it|they|he|she|we|i|my|our|is|does)\b)|no|nobody|no one|"
    r"i|we|not|never|unknown|don|can|could|god|hard|dunno|only|who|its)\b",
    re.IGNORECASE,
)
"""The beginning of a sentence about what was named before it."""
_SENTENCE = re.compile(r"(?<!\d)[.!?](?=\s|$)|[;\n]+")
_GUESS = re.compile(
    r"^\W*(?:(?:but|so)\s+)?(?:maybe|perhaps|say|about|probably|roughly|around|i['\u2019]d|call it|let['\u2019]s)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^\s*\d{1,2}[.):]\s*")
_WORK = re.compile(r"\b[a-z-]{2,}ing\b", re.IGNORECASE)


@frozen
class Untimed:
    """A step whose time nobody knows: by its name, or (``is_place``) by where it is done. ``sure`` names it a step."""

    name: str
    said: str
    is_place: bool = False
    sure: bool = True


def untimed(text: str) -> list[Untimed]:
    """The steps of which ``text`` says that their time is not known."""
    found: dict[str, Untimed] = {}
    for cue in UNKNOWN.finditer(text):
        start, end = _stretch(text, cue)
        said = text[start:end].strip(" ,.;!")
        one, after = _named(text, start, cue.start(), end, said), text[end:]
        if one is not None and not _guessed(text[cue.end() : end], after) and not _told_later(one.name, after):
            found.setdefault(one.name.casefold(), one)
    return list(found.values())


def placed(steps: Sequence[Told], text: str) -> list[Told]:
    """``steps`` with those whose time nobody knows at their place among them, where the text names them as work."""
    every = list(steps)
    flat = text.casefold()
    for one in untimed(text) if steps else []:
        if one.is_place or not one.sure or any(_same(one.name, step.name) for step in every):
            continue
        at = flat.find(one.said.casefold()[:30])
        ahead = sum(0 <= flat.find(step.said.casefold()[:12]) < at for step in steps if step.duration is not None)
        where = resources_in(_NUMBERED.sub("", one.said))
        every.insert(ahead + len(every) - len(steps), Told(one.name, None, where, one.said))
    return every


def _same(name: str, other: str) -> bool:
    mine, its = set(name.casefold().split()), set(other.casefold().split())
    return mine <= its or its <= mine


def _stretch(text: str, cue: re.Match[str]) -> tuple[int, int]:
    """From the sentence's beginning, or the last time before the cue, to the sentence's end."""
    starts = [one.end() for one in _SENTENCE.finditer(text, 0, cue.start())]
    ends = [one.start() for one in _SENTENCE.finditer(text, cue.end())]
    start, end = (starts[-1] if starts else 0), (ends[0] if ends else len(text))
    times = list(_times(text[start : cue.start()]))
    return (start + times[-1] if times else start), end


def _times(text: str) -> Iterator[int]:
    """Where the spans of time in ``text`` end."""
    for match in re.finditer(
        r"\d[\d.]*\s*(?:-\s*\d+\s*)?[a-z]+|\b[a-z-]+\s+(?:an\s+)?(?:hours?|minutes?|days?)\b", text, re.IGNORECASE
    ):
        if any(family_of(one.quantity.unit) == "time" for one in quantities.find(match[0])):
            yield match.end()


def _guessed(rest: str, after: str) -> bool:
    """Whether a time is told all the same: "I don't know, maybe twenty minutes", "I don't know ... wait, it's 35"."""
    corrected = CORRECTS.search(f"{rest}{after}"[:80])
    if corrected is not None and any(True for _ in _times(f"{rest}{after}"[corrected.end() :][:80])):
        return True
    pieces = [piece for piece in rest.split(",") if piece.strip()]
    return any(
        any(True for _ in _times(piece)) and (number == 0 or _GUESS.match(piece))
        for number, piece in enumerate(pieces[:2])
    )


def _told_later(name: str, rest: str) -> bool:
    """Whether the time is told after all: "let me look at the card. Here: buffing takes 35 minutes"."""
    last = re.escape(name.rpartition(" ")[2])
    takes = rf"\b{last}\b[^.;!?]{{0,20}}?\b(?:takes?|is|lasts?|needs?)\b(?P<span>[^.;!?,]{{0,40}})"
    said = re.search(takes, rest, re.IGNORECASE)
    return said is not None and any(True for _ in _times(said["span"]))


def _named(text: str, start: int, cue: int, end: int, said: str) -> Untimed | None:
    of = _DURATION_OF.search(text, start, end)
    if of is not None and not _NO_NAME.match(of["name"]):
        return Untimed(of["name"].strip(), said)
    asked = _HOW_LONG.search(text, start, end)
    if asked is None and start:  # "How long in the press? Couldn't tell you."
        asked = next(
            (one for one in _HOW_LONG.finditer(text[:start]) if not text[one.end() : start].strip(" ?,.")), None
        )
    if asked is not None:
        name = asked["name"] or asked["place"]
        if not _NO_NAME.match(name):
            return Untimed(name.strip(), asked[0], is_place=asked["place"] is not None)
    stretch = text[start:cue]
    of_time = bool(_OF_TIME.search(text[start:end]))
    topics = [_TOPIC.match(piece) for piece in (stretch, *reversed(stretch.split(",")[1:]))]
    topic = next((one for one in topics if one is not None and not _NO_NAME.match(one["name"])), None)
    if topic is not None:
        return Untimed(topic["name"].strip(), said, sure=of_time or bool(_WORK.search(topic["name"])))
    if not _BACK.match(text[start:end]):
        return None
    before = [one for one in _SENTENCE.split(text[:start]) if one.strip(" ,")]
    earlier = _TOPIC.match(before[-1]) if before else None
    if earlier is None or _NO_NAME.match(earlier["name"]) or any(True for _ in _times(before[-1])):
        return None
    return Untimed(earlier["name"].strip(), f"{before[-1].strip()}? {said}", sure=of_time)
