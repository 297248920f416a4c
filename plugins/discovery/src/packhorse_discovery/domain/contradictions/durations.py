"""A time that a sentence gives a step, which is not the one the step has."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from packhorse_discovery.domain import clock_spans, quantities
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.claims import claims, elsewhere
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.contradictions.said import Said, conflict
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.markers import CORRECTS
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.quantity import MINUTES
from packhorse_discovery.domain.sequences import action, actions
from packhorse_discovery.domain.units import family_of

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_PLACE = "process/flow-shop/subprocesses"
_NO_DURATION = re.compile(
    r"\b(?:due|left|late|early|earlier|later|longer|shorter|faster|quicker|slower|ago|within|wait\w*|before|after|"
    r"since|until|"
    r"till|sometimes|once|worst|best|yesterday|today|last|bad|exception\w*|break|save[sd]?|extra|more|less|"
    r"first|another|"
    r"second|final|initial|incoming|outgoing|rough|fine|coarse|each way|warm|heat|setup|set-?up|clean\w*|"
    r"change\w*|shift|"
    r"day|week|hour|stretch|everything|whole|total|altogether|together|both|orders?|or|old|new|small|big|large|other|"
    r"only if|if|when|unless|every (?:hour|day|week|other|second|few|\d+)|brochure|theory|says?|said|tell\w*|"
    r"claim\w*|think\w*|promis\w*)\b",
    re.IGNORECASE,
)
"""What makes a time one of something else, or of a part or a case of the step."""


_ONE_OF = re.compile(
    r"\b(?:an?|1|one|each|every|per)\s+((?:[a-z]+\s+)?[a-z]+?)(?=\s+(?:takes?|is|needs?|on|in|at|of|for|and)\b|"
    r"\s*(?:[.,;]|$))",
    re.IGNORECASE,
)


@frozen
class Timed:
    """A step with its least and most minutes, its stems (``work``, verbs in one form), and who said so."""

    name: str
    work: frozenset[str]
    low: float
    high: float
    said: str
    question: str
    words: str


def timed(pursuits: Sequence[Pursued]) -> list[Timed]:
    """The steps of the flow shop that have one duration, the same for all products."""
    found = []
    for one in pursuits:
        for row in one.rows("subprocesses") if one.eads.id == "process/flow-shop" else []:
            name, held = one.words(*row, "process-id"), one.quantity(*row, "duration")
            if name is None or held is None or held.value.unit not in MINUTES or held.value.per or held.value.cases:
                continue
            low, high, factor = held.value.low, held.value.high, MINUTES[held.value.unit]
            if low is None or high is None:
                continue
            work = frozenset(stems(name.value).split()) | actions(name.value)
            words = f"{name.value} takes {f'{low:g}' if low == high else f'{low:g}-{high:g}'} {held.value.unit}s"
            found.append(Timed(name.value, work, low * factor, high * factor, held.said, held.question_id or "", words))
    return found


def durations(new: Said, pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """A time in passing: "it is the proofing, which takes 80 minutes"."""
    steps = timed(pursuits)
    for sentence in _SENTENCE.split("" if CORRECTS.search(new.text) else new.text):
        flat = digits(sentence)
        spans = [one for one in quantities.find(flat) if family_of(one.quantity.unit) == "time"]
        if len(spans) != 1 or elsewhere(sentence):
            continue
        told, rest = spans[0].quantity, f"{flat[: spans[0].start]} {flat[spans[0].end :]}"
        tokens = {action(word) for word in re.findall(r"[^\W\d][\w-]*", rest)}
        earlier = [one for one in steps if one.said not in sentence and one.said not in flat]
        named = [one for one in earlier if one.work <= tokens or (actions(one.name) and actions(one.name) <= tokens)]
        if any(one.kind == "rate" for one in claims(sentence)):
            continue
        if len(named) != 1 or _NO_DURATION.search(rest) or told.low is None or told.high is None or told.per:
            continue
        held, factor = named[0], MINUTES[told.unit]
        if (mine := _units(sentence)) and (its := _units(held.said)) and not mine & its:
            continue  # of a tray, and of a piece
        if told.low * factor > 1.05 * held.high or told.high * factor < 0.95 * held.low:
            yield conflict(_PLACE, Said(held.question, held.said), held.words, new, sentence)


def _units(text: str) -> set[str]:
    """The stems of what a time is told for one of: "a tray", "per soldier"."""
    found = _ONE_OF.findall(text)
    return {stems(one).split()[-1] for one in found if stems(one)}


def clocks(new: Said, pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """A time by the clock, in and out, that is not the one the step has."""
    for sentence in _SENTENCE.split("" if CORRECTS.search(new.text) else new.text):
        told = () if elsewhere(sentence) else clock_spans.spans(sentence)
        words, work = set(stems(sentence).split()), actions(sentence)
        named = [one for one in timed(pursuits) if told and (one.work <= words or one.work & work)]
        for held in named if len(named) == 1 else []:
            if held.said not in new.text and not any(0.95 * held.low <= one <= 1.05 * held.high for one in told):
                yield conflict(_PLACE, Said(held.question, held.said), held.words, new, sentence)
