"""How long all steps take together, against what they take one by one."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from packhorse_discovery.domain import quantities
from packhorse_discovery.domain.claims import elsewhere
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.contradictions.durations import timed
from packhorse_discovery.domain.contradictions.said import Said, conflict
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.markers import AT_ONCE, CORRECTS
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.quantity import MINUTES
from packhorse_discovery.domain.units import family_of

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_PLACE = "process/flow-shop/subprocesses"
_WHOLE = re.compile(
    r"\b(?:all (?:the |these |those |\w+ )?(?:steps|stages|parts|operations|of (?:them|those|these)|together|"
    r"told|in all)|"
    r"altogether|in all|in total|start to finish|beginning to end|end to end|"
    r"from (?:the )?(?:very )?(?:first|start|beginning)\b[^.;]{0,30}?\bto (?:the )?(?:very )?\w+|"
    r"(?:whole|complete|entire|full|total)\s+(?!day|hour|week|night|minute|time\b|shift)[a-z]+|everything together|"
    r"add\w* (?:\w+ ){0,4}up|sum(?:s)? (?:up )?to|makes? (?:up )?(?:\w+ )?in (?:all|total))\b",
    re.IGNORECASE,
)
_NO_WHOLE = re.compile(
    r"\b(?:orders?|customers?|a (?:day|week)|per (?:day|week)|due|left|wait\w*|late|early|shift|open|oven|kiln|every|"
    r"about|around|roughly|nearly|almost|some)\b",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(
    r"\b(?:that['\u2019]s (?:all|every)\w*|nothing else|no (?:waiting|queu\w+|breaks?|other|more)|these are all|"
    r"all (?:the )?steps (?:there are|we have)|all (?:three|two|four|five|six) of|of (?:pure )?work|"
    r"(?:the )?(?:two|three|four|five|six|seven) (?:of them|steps|together))\b",
    re.IGNORECASE,
)
_SLACK = 0.02


def wholes(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """A time for all steps together that is shorter than their sum, or another one where nothing else is in it."""
    flow = next((one for one in pursuits if one.eads.id == "process/flow-shop"), None)
    if flow is None or flow.quantity("duration") is not None:
        return  # held against the steps in the aggregate
    every = (*earlier, new)
    if any(AT_ONCE.search(said.text) for said in every):
        return
    for said in every:
        for sentence, low, high in _told(said.text):
            steps = [one for one in timed(pursuits) if one.said not in sentence and one.said not in digits(sentence)]
            if len(steps) < 2 or len(steps) < len(flow.rows("subprocesses")) - 1:
                continue
            if new.question not in {said.question, *(one.question for one in steps)}:
                continue
            least, most = sum(one.low for one in steps), sum(one.high for one in steps)
            words = f"the steps take {least:g} minutes together: {', '.join(one.words for one in steps)}"
            complete = any(_NOTHING_ELSE.search(one.text) for one in every)
            if least > high * (1 + _SLACK):
                yield Conflict(
                    "parts-exceed-whole",
                    (_PLACE,),
                    (f"{sentence} ({said.question or 'earlier'})", words),
                    "Correct the whole, or the step that is too long.",
                )
            elif complete and most < low * (1 - _SLACK):
                yield conflict(_PLACE, said, sentence, new, words)


@lru_cache(maxsize=4096)
def _told(text: str) -> list[tuple[str, float, float]]:
    """The sentences that tell how long all steps take, with their least and most minutes."""
    found: list[tuple[str, float, float]] = []
    for sentence in _SENTENCE.split("" if CORRECTS.search(text) else text):
        flat = digits(sentence)
        spans = [one.quantity for one in quantities.find(flat) if family_of(one.quantity.unit) == "time"]
        if len(spans) != 1 or not _WHOLE.search(sentence) or _NO_WHOLE.search(sentence) or elsewhere(sentence):
            continue
        low, high, factor = spans[0].low, spans[0].high, MINUTES.get(spans[0].unit)
        if low is not None and high is not None and factor is not None:
            found.append((sentence.strip(), low * factor, high * factor))
    return found
