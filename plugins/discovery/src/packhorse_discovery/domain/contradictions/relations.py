"""How long steps take beside one another: "sanding takes exactly twice as long as staining"."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from attrs import frozen

from packhorse_discovery.domain import counting
from packhorse_discovery.domain.claims import elsewhere
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.contradictions.durations import Timed, timed
from packhorse_discovery.domain.contradictions.said import Said, conflict
from packhorse_discovery.domain.markers import CORRECTS
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.sequences import action

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_TIMES = rf"(?P<times>twice|double|half|a third|a quarter|thrice|(?:\d+|{counting.CARDINAL})\s+times)"
_RATIO = re.compile(
    rf"\b(?:{_TIMES}\s+(?:as\s+(?:long|much time|many \w+)(?:\s+as)?|the\s+(?:time|length)(?:\s+(?:of|that))?|that of)|"
    r"(?:just\s+|exactly\s+|equally\s+)?as long as|(?:exactly\s+)?the same(?:\s+(?:time|length)(?: of time)?)? as)\b",
    re.IGNORECASE,
)
_LONGER = re.compile(r"\b(?:longer|more time|slower) than\b", re.IGNORECASE)
_SHORTER = re.compile(r"\b(?:shorter|less time|quicker|faster) than\b", re.IGNORECASE)
_LOOSE = re.compile(r"\b(?:about|around|almost|nearly|roughly|some|more or less|good)\b", re.IGNORECASE)
_SHARES = {"twice": 2.0, "double": 2.0, "thrice": 3.0, "half": 0.5, "a third": 1 / 3, "a quarter": 0.25}
_NOT = re.compile(r"\b(?:not|never|n['\u2019]t|no longer|used to|sometimes|usually|often|can be|may)\b", re.IGNORECASE)
_IT = re.compile(r"^\W*(?:(?:and|but|so)\s+)*(?:it|that|this)\b", re.IGNORECASE)


@frozen
class Relation:
    """Two steps, and the least and most that the first may take for each minute of the second."""

    one: str
    other: str
    least: float
    most: float
    said: str


def related(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """Steps whose times are not in the proportion that was said, told now or earlier."""
    steps = timed(pursuits)
    for said in (*earlier, new):
        for one in list(_relations(said.text, steps)) if _compares(said.text) else []:
            first, second = (next(step for step in steps if step.name == name) for name in (one.one, one.other))
            if new.question not in {said.question, first.question, second.question}:
                continue
            if first.high < one.least * second.low or first.low > one.most * second.high:
                yield conflict(
                    "process/flow-shop/subprocesses",
                    Said(first.question, first.said),
                    f"{first.words}; {second.words}",
                    said,
                    one.said,
                )


@lru_cache(maxsize=4096)
def _compares(text: str) -> bool:
    """Whether ``text`` sets two times in a proportion, and takes nothing back."""
    return any(one.search(text) for one in (_RATIO, _LONGER, _SHORTER)) and not CORRECTS.search(text)


def _relations(text: str, steps: Sequence[Timed]) -> Iterator[Relation]:
    """The proportions of two known steps that ``text`` tells."""
    subject = ""
    for sentence in _SENTENCE.split(text):
        named = _named(sentence, steps)
        found = None if elsewhere(sentence) or _NOT.search(sentence) else _proportion(sentence)
        if found is not None:
            match, least, most = found
            left = _named(sentence[: match.start()], steps) or ([subject] if _IT.match(sentence) and subject else [])
            right = _named(sentence[match.end() :], steps)
            if left and right and left[-1] != right[0]:
                yield Relation(left[-1], right[0], least, most, sentence.strip())
        subject = named[0] if named else subject


def _proportion(sentence: str) -> tuple[re.Match[str], float, float] | None:
    """Where the proportion is said, and its bounds."""
    loose = 0.25 if _LOOSE.search(sentence) else 0.03
    if match := _RATIO.search(sentence):
        said = " ".join((match["times"] or "").casefold().split())
        share = _SHARES.get(said) or (float(counting.count(said.removesuffix(" times"))) if said else 1.0)
        return match, share * (1 - loose), share * (1 + loose)
    if match := _LONGER.search(sentence):
        return match, 1.0, float("inf")
    if match := _SHORTER.search(sentence):
        return match, 0.0, 1.0
    return None


def _named(words: str, steps: Sequence[Timed]) -> list[str]:
    """The names of the steps that ``words`` name, in their order."""
    found: list[str] = []
    for token in re.findall(r"[^\W\d][\w-]*", words):
        alike = [step for step in steps if action(token) in step.work]
        own = [step.name for step in alike if (step.low, step.high) == (alike[0].low, alike[0].high)]
        own = own if len(own) == len(alike) else []
        found += [one for one in own[:1] if one not in found]
    return found
