"""How much one machine takes at a time, told twice: "the kiln holds 24 tiles", "it holds 16 tiles"."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from attrs import frozen

from packhorse_discovery.domain import counting
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.claims import elsewhere
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.contradictions.said import Said, conflict
from packhorse_discovery.domain.markers import CORRECTS

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|,\s*(?:and|but|so)\s+")
_NAME = r"[a-z][\w-]*(?:\s+(?!(?:can|will|only|always|just|holds?|takes?|fits?)\b)[a-z][\w-]*){0,2}?"
_HOLDS = re.compile(
    rf"(?:\b(?:the|our|a|an|each|every|one)\s+(?P<what>{_NAME})|\b(?P<it>it|that one))(?:,\s[^,;.]{{2,40}},)?\s+"
    r"(?:can\s+|will\s+|only\s+|always\s+|just\s+)*(?:hold|take|fit|carr(?:y|ie)|accommodate)s?\s+"
    rf"(?:only\s+|exactly\s+|just\s+|up to\s+)?(?P<number>\d{{1,5}}|{counting.CARDINAL})\s+(?P<goods>[a-z][\w-]*)"
    r"(?P<rest>[^.;,]*)",
    re.IGNORECASE,
)
_INTO = re.compile(
    rf"\b(?:no more than|(?:more|not more) than|only|at most|just)\s+(?P<number>\d{{1,5}}|{counting.CARDINAL})\s+"
    rf"(?P<goods>[a-z][\w-]*)[^.;,]{{0,30}}?\b(?:go(?:es)?|fits?)\s+(?:in|into|on|onto)\s+(?:the|our|it)\s+(?P<what>{_NAME})"
    r"(?P<rest>(?=\s*(?:[.,;]|$)|\s+(?:at|and|so)\b))",
    re.IGNORECASE,
)
"""``more than one stack doesn't go into the kiln``."""
_AT_ONCE = re.compile(
    r"\bat (?:a time|once|one go)\b|\bin one go\b|\bside by side\b|\btogether\b|\bper (?:load|batch|charge|firing)\b",
    re.IGNORECASE,
)
_ROOM = re.compile(r"\b(?:holds?|fits?|go(?:es)?|accommodates?)\b", re.IGNORECASE)
_TIME = re.compile(r"^(?:more\s+)?(?:minutes?|hours?|days?|weeks?|seconds?|people|men|of)\b", re.IGNORECASE)
_THING = re.compile(r"\b(?:the|our|a|an|one)\s+(?P<what>[a-z][\w-]*(?:\s+[a-z][\w-]*)?)", re.IGNORECASE)


@frozen
class Capacity:
    """How many of some goods one machine takes; ``machine`` and ``goods`` are the stems of their names."""

    machine: frozenset[str]
    goods: frozenset[str]
    number: int
    said: str


def capacities(new: Said, earlier: Sequence[Said]) -> Iterator[Conflict]:
    """Another number of the same goods for the same machine."""
    for one in _told(new.text):
        for said in earlier:
            for other in _told(said.text):
                same = one.machine <= other.machine or other.machine <= one.machine
                if same and one.goods & other.goods and one.number != other.number and said.text != new.text:
                    yield conflict("resources/inventory/resources", said, other.said, new, one.said)
                    return


@lru_cache(maxsize=4096)
def _told(text: str) -> list[Capacity]:
    found: list[Capacity] = []
    if CORRECTS.search(text):
        return found
    last = ""
    for sentence in _SENTENCE.split(text):
        match = None if elsewhere(sentence) else _INTO.search(sentence) or _HOLDS.search(sentence)
        if match is not None and not _TIME.match(match["goods"]):
            machine = match["what"] or last
            if machine and (_AT_ONCE.search(match["rest"]) or _ROOM.search(match[0])):
                goods = frozenset(stems(match["goods"]).split()[:1])
                found.append(
                    Capacity(
                        frozenset(stems(machine).split()), goods, counting.count(match["number"]), sentence.strip()
                    )
                )
        named = _THING.search(sentence)
        last = named["what"] if named is not None else last
    return found
