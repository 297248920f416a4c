"""Whether all goes one way through the work or different things go different ways, as people say it."""

import re
from typing import Literal

Way = Literal["same", "different"]

_WAY = (
    r"(?:orders?|ways?|sequences?|routes?|routings?|paths?|roads?|tracks?|steps?|stations?|stages?|stops?|lines?|"
    r"turns?|"
    r"rows?|rounds?|tours?|courses?|operations?|process(?:es)?)"
)
_SENTENCE = re.compile(r"[.!?;\n]+(?:\s+|$)|\s+but\s+|:\s+")
_NOT = (
    r"(?:no(?:thing|body|ne)?|not|never|n['\u2019]t|neither|nor|hardly|without(?: any)?|none|(?:could|ca)n['\u2019]t)"
)
_OTHER = (
    r"(?:different(?:ly)?|differs?|another|(?:any )?other|else|own|var(?:y|ies|ied|iations?|iants?)|chang(?:es?|"
    r"ed|ing)|"
    r"deviat\w+|exceptions?|skip\w*|swap\w*|revers\w+|jumps?|leaves? out|turns? back|miss(?:es)? out|branch\w*|"
    r"detours?|shortcuts?)"
)
_ALIKE = (
    r"(?:same|identical(?:ly)?|uniform(?:ly)?|common|constant|fixed|alike|single|one|exactly one|equal(?:ly)?|"
    r"standard)"
)
_NEVER_OTHER = re.compile(rf"\b{_NOT}\b[^.;]{{0,60}}?\b{_OTHER}\b", re.IGNORECASE)
_NOT_ALIKE = re.compile(
    r"\b(?:no|not|never|n['\u2019]t)\s+(?:\w+\s+){0,4}?(?:same|identical|common|uniform|alike|fixed)\b|"
    r"\bno two\b|\bnot all\b",
    re.IGNORECASE,
)
_OTHER_WAY = re.compile(
    rf"\b(?:different|various|own|separate|opposite|another|other)\s+(?:\w+\s+)?{_WAY}\b|"
    rf"\b{_WAY}\s+(?:\w+\s+){{0,2}}?(?:differs?|var(?:y|ies)|changes?|depends?)\b|"
    r"\bdepends? on (?:what|the|which)\b|\b(?:hop|jump|zigzag|criss-?cross|wander|bounce)\w*\b|"
    r"\bsome\b[^.;]{2,80}?\b(?:others?|some|while)\b",
    re.IGNORECASE,
)
_ONE_WAY = re.compile(
    rf"\b{_ALIKE}\s+(?:\w+\s+)?{_WAY}\b|\b{_WAY}\b[^.;]{{0,40}}?\b(?:is|are|stays?|remains?)\s+(?:always\s+|"
    rf"all\s+)?(?:the\s+)?{_ALIKE}\b|"
    r"\b(?:each|every|everything|whatever|all|any)\b[^.;]{0,50}?\bthrough\s+(?:every|all|each|the lot|the whole|"
    r"everything)\b|"
    r"\bone\s+\w+\s+after\s+(?:an|the)other\b|\b(?:start to finish|a to z|from first to last|top to bottom|"
    r"end to end)\b|"
    r"\b(?:does ?n['\u2019]t|does not|do not|don['\u2019]t)\s+matter\s+(?:what|which)\b[^.;]*\bgoes\b|"
    r"\b(?:whatever|whichever)\b[^.;]*\b(?:goes|runs|passes|takes)\b[^.;]*\b(?:then|to the|through)\b",
    re.IGNORECASE,
)
_ONLY_LOOKS = re.compile(
    rf"\bonly\s+(?:the\s+|in\s+(?:the\s+)?)?(?!{_WAY}\b)\w+\s+(?:\w+\s+)?{_OTHER}\b|\b{_OTHER}\s+(?:is|"
    rf"are)\s+(?:only\s+|just\s+)?(?:the\s+)?(?!{_WAY}\b)\w+\b"
    rf"|\bnot the\s+(?:\w+\s+)?{_WAY}\b",
    re.IGNORECASE,
)
"""What differs, and is no way: "only the colour differs"."""


_ONCE = re.compile(
    r"\b(?:used to|went|in the old|years ago|formerly|back then|gave (?:them|it|that) "
    r"up)\b",
    re.IGNORECASE,
)
"""Of another time."""
_WHOLE_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")


def today(text: str) -> str:
    """``text`` without its sentences of another time."""
    return " ".join(one for one in _WHOLE_SENTENCE.split(text) if not _ONCE.search(one))


def told(text: str) -> Way | None:
    """What ``text`` says of the ways through the work; None where it says neither, or both."""
    ways = {way for sentence in _SENTENCE.split(text) if (way := _of(sentence)) is not None}
    return ways.pop() if len(ways) == 1 else None


def _of(sentence: str) -> Way | None:
    if _ONCE.search(sentence):
        return None
    if _NOT_ALIKE.search(sentence):
        return "different"
    if _ONLY_LOOKS.search(sentence) or _NEVER_OTHER.search(sentence):
        return "same"
    if _OTHER_WAY.search(sentence):
        return "different"
    return "same" if _ONE_WAY.search(sentence) else None
