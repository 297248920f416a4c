"""Which work comes before which, as it is told in passing, and which products go which way."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from packhorse_discovery.domain import counting
from packhorse_discovery.domain.binding import stems

_IRREGULAR = {
    "ground": "grind", "cut": "cut", "sewn": "sew", "bent": "bend", "spun": "spin", "woven": "weave", "wound": "wind",
    "sawn": "saw",
    "built": "build", "rebuilt": "rebuild", "bound": "bind", "blown": "blow", "drawn": "draw", "hung": "hang",
    "shot": "shoot", "split": "split", "spread": "spread",
    "set": "set", "fed": "feed", "hewn": "hew", "shorn": "shear", "frozen": "freeze", "beaten": "beat",
}  # fmt: skip
_ACTION = re.compile(rf"\b(?:[a-z]+-)?(?:[a-z]{{2,}}(?:ed|ing)|{'|'.join(_IRREGULAR)})\b", re.IGNORECASE)
NO_ACTION = re.compile(
    r"^(?:thing|nothing|anything|everything|something|morning|evening|during|being|going|coming|needed|wanted|"
    r"called|supposed|finished|bring|"
    r"running|working|going|taking|turning|keeping|standing|sitting|making|doing|having|getting|red|bed|need|"
    r"indeed|king|string|spring|ring|rings|wing|building|according|following|including|used|allowed|"
    r"promised|listed|related|interested|hundred|meaning|starting|beginning|ending|waiting|unfinished|un[a-z]+ed)$",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:first(?:ly)?|then|after(?:wards)?|next|before|(?<!the )second(?:ly)?|(?<!the )third(?:ly)?|"
    r"finally|last(?:ly)?|followed by|later|once|until|step)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^(?P<later>.*?)\b(?:only\s+)?(?:comes?\s+|is done\s+|happens\s+|follows?\s+)?after\s+(?!that\b|"
    r"this\b|which\b|it\b(?!\s+(?:is|has)))(?P<earlier>.*)$",
    re.IGNORECASE,
)
_NOT_BEFORE = re.compile(
    r"^\W*(?:\w+\s+){0,3}?(?:no|none|nothing|nobody|never|not|cannot|can['\u2019]t|don['\u2019]t|"
    r"do(?:es)?n['\u2019]t|mustn['\u2019]t)\b"
    r"(?P<later>.*?)\b(?:before|until|till|unless)\s+(?P<earlier>[^,;:]*)",
    re.IGNORECASE,
)
"""``nothing is painted before it has been sanded``: sanded, then painted."""
_BEFORE_FIRST = re.compile(r"^(?:(?:and|but|so|well)\s+)?before\s+(?P<later>[^,]+),\s*(?P<earlier>.+)$", re.IGNORECASE)
"""``before painting, we sand``."""
_COMES_FIRST = re.compile(
    r"(?P<earlier>[a-z]+ing)\s+(?:always\s+|still\s+)?(?:comes?|goes|is|has to (?:be|come)|must (?:be|come))\s+"
    r"(?:always\s+)?first\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"\b(?:one|two|three|\d+)\s+(?:of\s+)?(?:each|everything)\b|\bapiece\b", re.IGNORECASE)
"""A list of machines, whose order is nobody's way."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_NEVER = re.compile(r"\b(?:if|would|could|used to|not|never|n['\u2019]t)\b", re.IGNORECASE)
_GOES = re.compile(
    r"^(?:and\s+|but\s+)?(?:the\s+|all\s+)?(?P<who>[a-z][\w-]*(?:\s+(?!go(?:es)?\b|only\b|are\b|is\b|"
    r"start)[a-z][\w-]*){0,3}?)\s+"
    r"(?:always\s+|only\s+|just\s+)?(?:go(?:es)?|runs?|takes?|moves?|starts?|visits?|pass(?:es)?|(?:are|"
    r"is)\s+only)\s+(?P<way>.+)$",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"^(?:and\s+|but\s+)?(?:the\s+|all\s+)?(?P<who>[a-z][\w-]*(?:\s+[a-z][\w-]*)?)\s+(?:are|is|get|"
    r"gets)\s+(?P<way>(?:always\s+)?[a-z]+(?:ed|t|n)\b.*)$",
    re.IGNORECASE,
)
"""``the radios are soldered first and then cleaned``."""
_STOPS = re.compile(
    r"\b(?:then|and|to|through|on|onto|into|from|first|back|at|the|with|in|via|only|straight|last|finally)\b|"
    r"[,;]|->|\u2192",
    re.IGNORECASE,
)
_TOO = re.compile(r"\s+and that\b|,?\s+(?:as well|too|also|likewise)\b", re.IGNORECASE)
_NOT_FOR = re.compile(
    r"\b(?:skip(?:s|ped)?|(?<!the )leaves? (?:it |that |the \w+ )?out|bypass(?:es)?|never sees?|"
    r"never goes? (?:to|near|through)|(?:is|are|gets?) never (?:[a-z]+ed|ground|cut|sewn|bent)|"
    r"do(?:es)?n['\u2019]t (?:need|go|see|get)|"
    r"do(?:es)? not (?:need|go|see|get)|miss(?:es)? out|without (?:the )?\w+ing)\b",
    re.IGNORECASE,
)


def action(word: str) -> str:
    """The stem of a verb in any form: "ground" and "grinding" have one."""
    return stems(_IRREGULAR.get(word.casefold(), word))


@lru_cache(maxsize=4096)
def actions(text: str) -> frozenset[str]:
    """The stems of the work that ``text`` names by participles."""
    return frozenset(action(one) for one in _ACTION.findall(text) if not NO_ACTION.match(one))


def orders(text: str, known: Iterable[str]) -> list[tuple[str, ...]]:
    """Each sequence of work in ``text``, as stems in the order of time; ``known`` are stems of work named elsewhere."""
    vocabulary = frozenset(known) | actions(text)
    found = []
    listing: list[str] = []
    for sentence in _SENTENCE.split(text):
        if inverted := _inverted(sentence, vocabulary):
            found.append(inverted)
            continue
        if _COUNTS.search(sentence):
            continue
        told = _TOLD.search(sentence)
        if told is None or _NEVER.search(sentence.split(",")[0]):
            if told is None:
                listing += _named(sentence, vocabulary)[:1]
            continue
        swapped = _AFTER.match(sentence)
        if swapped and (later := _named(swapped["later"], vocabulary)):
            found.append((*_named(swapped["earlier"], vocabulary)[:1], later[-1]))
            continue
        found.append(tuple(_named(sentence, vocabulary)))
    return [tuple(dict.fromkeys(one)) for one in found if len(set(one)) >= 2]


def _inverted(sentence: str, vocabulary: frozenset[str]) -> tuple[str, ...]:
    """Two pieces of work that ``sentence`` names in the reverse of their order of time; empty where it does not."""
    match = _NOT_BEFORE.match(sentence) or _BEFORE_FIRST.match(sentence)
    if match is not None:
        later, earlier = _named(match["later"], vocabulary), _named(match["earlier"], vocabulary)
        return (earlier[0], later[-1]) if earlier and later and earlier[0] != later[-1] else ()
    first = _COMES_FIRST.search(sentence)
    head = _named(first["earlier"], vocabulary) if first is not None else []
    others = [one for one in _named(sentence, vocabulary) if one not in head] if head else []
    return (head[0], others[0]) if len(set(others)) == 1 else ()


def _named(words: str, vocabulary: frozenset[str]) -> list[str]:
    flat = re.sub(r"\ban?\s+un[a-z]+ed\b", " ", words, flags=re.IGNORECASE)
    tokens = re.findall(r"[^\W\d][\w-]*", flat)
    return [stem for token in tokens if (stem := action(token)) in vocabulary and not NO_ACTION.match(token)]


def reversed_pair(one: Sequence[str], other: Sequence[str]) -> tuple[str, str] | None:
    """Two pieces of work that ``one`` has in one order and ``other`` in the other."""
    places = {stem: place for place, stem in enumerate(other)}
    shared = [stem for stem in one if stem in places]
    return next(
        ((a, b) for at, a in enumerate(shared) for b in shared[at + 1 :] if places[a] > places[b]),
        None,
    )


_LISTING = re.compile(
    rf"\b(?:the|our|these)\s+(?P<count>\d+|{counting.CARDINAL})\s+(?:steps|stages|operations)\b(?P<of>\s+(?:of|"
    rf"in|for|with|that)\s+[^,.;:]{{2,40}}?)?"
    r"\s*(?:\bare\b|:|,\s*(?:they\s+are|namely|that is))\s*(?P<these>[^.;]+)",
    re.IGNORECASE,
)


def listings(text: str) -> Iterable[tuple[int, bool, str]]:
    """How many steps are listed by name, whether these are said to be all, and the sentence.

    Only where as many are named as are announced: "the three steps are cutting, folding and binding".
    """
    for sentence in _SENTENCE.split(text):
        for match in _LISTING.finditer(sentence):
            names = [one for one in re.split(r",\s*(?:and\s+)?|\s+and\s+", match["these"]) if re.search(r"\w", one)]
            if len(names) == counting.count(match["count"]) and not _NEVER.search(sentence):
                yield len(names), match["of"] is None, sentence


_OTHERS_DIFFER = re.compile(
    r"\b(?:all (?:the )?)?(?:others|other ones|rest)\b[^.;]{0,40}?\b(?:after|before|first|last|the other way|in "
    r"reverse|without)\b"
    r"|\bexcept (?:for )?(?:the )?[a-z][\w -]{2,30}?,?\s+(?:which|they|these|those|that)\b",
    re.IGNORECASE,
)
"""``the others are drilled after``: some are not."""


def differing(text: str) -> str:
    """The sentence by which products go different ways, or leave out a step; empty where all go alike."""
    ways: dict[str, tuple[tuple[str, ...], str]] = {}
    told: list[tuple[str, list[str]]] = []
    for sentence in _SENTENCE.split(text):
        bare = sentence.strip(" .")
        if _OTHERS_DIFFER.search(bare) and len(actions(bare)) >= 2:
            return bare
        match = _GOES.match(bare)
        done = _DONE.match(bare)
        if done:
            work = _named(done["way"], actions(done["way"]))
            if any(who != done["who"].casefold() and reversed_pair(work, other) for who, other in told):
                return bare
            told.append((done["who"].casefold(), work))
        denied = _NOT_FOR.search(bare)
        if denied and not re.match(r"^(?:no|none|nothing|nobody|never|not)\b", bare, re.IGNORECASE):
            return bare
        if match is None:
            continue
        stops = tuple(stems(part) for part in _STOPS.split(_TOO.split(match["way"])[0]) if part and stems(part))
        if len(stops) < 2:
            continue
        for other, said in ways.values():
            if set(stops) & set(other) and stops != other:
                return said if reversed_pair(stops, other) is None else bare
        ways[match["who"]] = (stops, bare)
    return ""
