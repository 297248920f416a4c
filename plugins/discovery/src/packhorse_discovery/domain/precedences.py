"""Which work waits for which, as a sentence says it: "trimming can't begin before the book has been cased in"."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from attrs import frozen

from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.claims import elsewhere
from packhorse_discovery.domain.sequences import NO_ACTION, action

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CLAUSE = re.compile(
    r"\s*[,:\u2013\u2014]\s*(?:and|so|but|since|because|as|which means)\s+(?!(?:that|then|only)\b)"
    r"|\s*,\s*(?=(?:the\s+)?[a-z-]+ing\b(?:\s+[a-z]+){0,3}?\s+(?:comes?|follows?|is|has|must|can|only)\b)"
    r"|\s+(?:so|but|because|since)\s+(?=(?:it|that|they|this|the|we|you|[a-z]+ing)\b)",
    re.IGNORECASE,
)
_NOT = (
    r"(?:not(?! (?:forget|only|just|mind))|never|no(?! doubt)|nobody|nothing|none|cannot|"
    r"[a-z]+n['\u2019]t(?! (?:forget|mind|matter))|hardly|refuses?)"
)
_ONLY_ONCE = r"only\s+(?:[a-z]+\s+){0,3}?(?:when|once|if|after|as soon as)"
_LATER = (
    r"follows?|after(?! (?:that|this|which|it)\b)|as soon as|once|(?:has|have|had) to wait (?:for|until|till)|"
    r"must wait (?:for|until)|waits? (?:for|on|until|till)|depends? on|"
    r"(?:needs?|requires?)(?=\s+(?:an?|the|its|to be)\s+[a-z-]+ed\b)"
)
_LINKS: Sequence[tuple[re.Pattern[str], bool]] = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), after)
    for pattern, after in (
        (rf"{_NOT}\b[^.;]*?\b(?:before|until|till|unless)", True),
        (_ONLY_ONCE, True),
        (_LATER, True),
        ("before|ahead of|prior to|precedes?|comes first and", False),
    )
)
"""What stands between two pieces of work, and whether the first named is the later one."""
_IT = re.compile(r"^\W*(?:(?:and|but|so|also)\s+)*(?:it|that|this)\b", re.IGNORECASE)
_WAITS = re.compile(
    rf"\b(?:until|till|unless|wait\w*|only\s+(?:when|once|after|if)|(?:can|could)(?:not|n['\u2019]t| not| only)|"
    rf"(?:has|have|needs?) to (?:be|have)|must (?:be|have))\b|\b{_NOT} (?:begin|start)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^\W*(?:(?:and|but|so|well|then|oh)\s+)*(?P<link>after|before|once|when|as soon as|until|by the time|only when|"
    r"only after|prior to)\b(?P<first>[^,]+),\s*(?P<second>.+)$",
    re.IGNORECASE,
)
"""``before painting, we sand``."""
_WHEN = re.compile(r"\b(?:when|by the time|until)\b", re.IGNORECASE)
_LATER_FIRST = frozenset({"before", "prior to"})
_AGAIN = re.compile(
    r"\b(?P<what>[a-z]+(?:ed|ing|en|t))\s+(?:[a-z]+\s+){0,2}?(?:again|twice|once more|a second time)\b"
    r"|\b(?:again|then|and|to)\s+(?:[a-z]+\s+)?(?P<then>[a-z]+)\s+(?:it\s+|them\s+)?again\b"
    r"|\b(?:second|third|another)\s+(?P<more>[a-z]+)\b|\bre-?(?P<re>[a-z]{3,}ing)\b",
    re.IGNORECASE,
)
"""``then sand it again``, ``another firing``."""
_MANNER = re.compile(r"\b(?P<how>[a-z]+)\s+(?P<what>[a-z]+ing)\b", re.IGNORECASE)
_IN_THEORY = re.compile(r"\b(?:in theory|theoretically|some people|some do|others do|one may|you may)\b", re.IGNORECASE)
_STAGE = re.compile(
    r"\b(?P<how>first|second|third|final|last|initial|incoming|outgoing|rough|fine|coarse|another|other|"
    r"intermediate|top|"
    r"base|under)\s+(?P<what>[a-z][\w-]*)",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"^(?:the|an?|our|my|your|his|her|its|their|this|that|all|any|no|of|in|on|at|to|for|with|by|from|and|or|but|"
    r"so|then|"
    r"is|are|was|be|been|comes?|does|do|start\w*|begin\w*|after|before|until|once|when|only|always|never|first|last|"
    r"it|we|i|they|you|there|not|needs?|gets?|like|just|needing|goes|while|without|every|each|than|as|what|follows?)$",
    re.IGNORECASE,
)


@frozen
class Precedence:
    """Two pieces of work, as stems, the one that is over first and the one after it; the sentence that says so.

    ``waits`` says that the one after cannot begin otherwise, and not only
    that it usually comes then.
    """

    first: str
    later: str
    said: str
    waits: bool = False


def precedences(text: str, known: Collection[str]) -> list[Precedence]:
    """The pairs of which ``text`` says that one waits for the other; ``known`` are stems of the work there is."""
    found: list[Precedence] = []
    subject = ""
    for sentence in _SENTENCE.split(text):
        if elsewhere(sentence) or _IN_THEORY.search(sentence):
            continue
        subject = subject if _IT.match(sentence) else ""
        for clause in [sentence] if _OPENS.match(sentence) else _CLAUSE.split(sentence):
            named = _named(clause, known)
            pair = _pair(clause, known, subject)
            if pair is not None and pair[0] != pair[1]:
                found.append(Precedence(*pair, sentence.strip(), waits=bool(_WAITS.search(clause))))
            subject = named[0] if named and not subject else subject
    return found


def circle(told: Sequence[Precedence], last: Sequence[Precedence]) -> list[Precedence]:
    """Pairs that wait for one another in a circle, the shortest through one of ``last``; empty where there is none."""
    best: list[Precedence] = []
    for one in last:
        ways: list[list[Precedence]] = [[one]]
        seen = {one.later}
        while ways:
            way = ways.pop(0)
            if way[-1].later == one.first:
                if not best or len(way) < len(best):
                    best = way
                break
            for edge in (*told, *last):
                if edge.first == way[-1].later and (edge.later not in seen or edge.later == one.first):
                    seen.add(edge.later)
                    ways.append([*way, edge])
    return best


def repeated(texts: Sequence[str]) -> frozenset[str]:
    """The stems of work that is done more than once: "rough sanding" and "fine sanding", "then it is sanded again"."""
    manners: dict[str, set[str]] = {}
    several: set[str] = set()
    for text in texts:
        own, again = _manners(text)
        several |= again
        for work, how in own:
            manners.setdefault(work, set()).add(how)
    return frozenset(several | {stem for stem, ways in manners.items() if len(ways) > 1})


@lru_cache(maxsize=4096)
def _manners(text: str) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    """The work of ``text`` with the manner or stage it is told with, and what is said to be done again."""
    own = {(action(one["what"]), stems(one["how"])) for one in _MANNER.finditer(text) if not _SMALL.match(one["how"])}
    own |= {(action(one["what"]), stems(one["how"]) or one["how"].casefold()) for one in _STAGE.finditer(text)}
    return frozenset(own), frozenset(action(word) for match in _AGAIN.finditer(text) for word in match.groups() if word)


@lru_cache(maxsize=4096)
def links(text: str) -> bool:
    """Whether ``text`` says at all that something comes before or after something."""
    return any(pattern.search(text) for pattern, _ in _LINKS) or _WHEN.search(text) is not None


def _pair(clause: str, known: Collection[str], subject: str) -> tuple[str, str] | None:
    """The work that is first and the work that is later; ``subject`` is what "it" means."""
    opened = _OPENS.match(clause)
    if opened is not None:
        inner, outer = _named(opened["first"], known), _named(opened["second"], known)
        if inner and outer:
            later_first = opened["link"].casefold() in _LATER_FIRST
            return (outer[0], inner[0]) if later_first else (inner[0], outer[0])
        return None
    for pattern, after in _LINKS:
        match = pattern.search(clause)
        if match is None:
            continue
        left, right = _named(clause[: match.start()], known), _named(clause[match.end() :], known)
        inside = _named(match[0], known)
        before = (left or inside or [subject])[0 if after else -1]
        if not right or not before:
            return None
        return (right[0], before) if after else (before, right[0])
    return None


def _named(words: str, known: Collection[str]) -> list[str]:
    """The work that ``words`` name, as stems in their order."""
    tokens = re.findall(r"(?<!\bun)[^\W\d][\w-]*", words)
    return [stem for token in tokens if (stem := action(token)) in known and not NO_ACTION.match(token)]
