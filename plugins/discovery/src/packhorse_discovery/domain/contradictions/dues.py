"""A due time told by the way that is not the one an order has."""

import re
from collections.abc import Iterator, Sequence

from packhorse_discovery.domain import moments, quantities
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.claims import ANOTHER, ELSEWHERE
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.contradictions.said import Said, conflict
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.markers import CORRECTS
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.quantity import MINUTES

_DUE = re.compile(
    r"\b(?:due|left|from now|to go|remaining|deadline|ready|finished|promised|deliver\w*|collect\w*|needed|"
    r"wanted|out)\b",
    re.IGNORECASE,
)
_DUE_IN = re.compile(
    r"\b(?:due|ready|finished|promised|delivered|collected|needed|wanted|out|"
    r"there)\s+in\s+(\d+(?:\.\d+)?\s+(?:minutes?|hours?|days?|weeks?))\b",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\b(\d+(?:\.\d+)?\s+(?:minutes?|hours?|days?|weeks?))\s+(?:left|to go|remaining|from now|until (?:that|it|"
    r"they)\b)",
    re.IGNORECASE,
)
"""``seven hours left``."""


def dues(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """A due time told by the way that is not the one an order has."""
    nows = [now for said in (*earlier, new) if (now := moments.now_in(said.text)) is not None]
    rows = [
        (set(stems(key.value).split()), key.value, fact)
        for one in pursuits
        if one.eads.id == "data/orders"
        for row in one.rows("orders")
        if (key := one.words(*row, "order-id")) and (fact := one.words(*row, "due"))
    ]
    for sentence in re.split(r"(?<=[.!?;])\s+|\n+", new.text):
        if not _DUE.search(sentence) or any(one.search(sentence) for one in (CORRECTS, ELSEWHERE, ANOTHER)):
            continue
        told = moments.find(sentence)
        flat = digits(sentence)
        spans = _DUE_IN.findall(flat) or _LEFT.findall(flat)
        if len(told) + len(spans) != 1 or (spans and len(_spans(sentence)) != 1):
            continue
        here = [name for name, _, due in rows if due.said.strip(" .") in sentence]
        words = set(stems(sentence).split())
        for name, called, due in rows:
            if not name <= words or not all(name <= one for one in here):
                continue
            if told and re.fullmatch(moments.WORDS, due.value):
                differs = due.question_id != new.question and due.value != told[0].words
            else:
                hours = _hours(spans[0]) if spans else moments.after(told[0], nows[-1]) if nows else None
                promised = _hours(due.value)
                differs = hours is not None and promised is not None and abs(hours - promised) > 0.05 * promised
            if differs:
                before = Said(due.question_id or "", due.said)
                yield conflict("data/orders/orders", before, f"{called} is due {due.value}", new, sentence)


def _spans(sentence: str) -> list[quantities.Found]:
    return [one for one in quantities.find(sentence) if one.quantity.unit in MINUTES]


def _hours(span: str) -> float | None:
    """The hours of a span with a fixed length; None where it is none."""
    found = quantities.parse(span)
    return None if found.low is None or found.unit not in MINUTES else found.low * MINUTES[found.unit] / 60
