"""Whether an assistant's number is one that the words of the answer say."""

import re
from collections.abc import Mapping
from typing import Any

from packhorse_discovery.domain import quantities
from packhorse_discovery.domain.figures import digits
from packhorse_discovery.domain.quantity import MINUTES, Quantity
from packhorse_discovery.domain.sequences import action
from packhorse_discovery.domain.units import family_of

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_DERIVED = re.compile(
    r"\b(?:twice|half as|times|double|same|each|per|together|total|altogether|o['\u2019]clock|plus|another|as long|"
    r"from\b.{0,40}\b(?:to|until|till)|between|every|until|till|less|more|quarter|third)\b",
    re.IGNORECASE,
)
"""From these a number may follow that is not said."""


def unsaid(value: Any, name: str, text: str) -> str:
    """What ``text`` says in place of a duration that it does not say; empty where it says it, or nothing of ``name``.

    ``name`` is the step's; where the text has one duration only, it is meant.
    """
    if not (isinstance(value, Mapping) and "value-string" in value):
        return ""
    told = quantities.parse(str(value["value-string"]), str(value.get("units", "")))
    spans = _spans(text)
    if family_of(told.unit) != "time" or not spans or any(_near(told, one) for one in spans):
        return ""
    about = [sentence for sentence in _SENTENCE.split(text) if _names(sentence, name)]
    own = [one for sentence in about for one in _spans(sentence)] or (spans if len(spans) == 1 else [])
    where = " ".join(about) or text
    return own[0].text.strip() if len(own) == 1 and not _DERIVED.search(digits(where)) else ""


def _spans(text: str) -> list[Quantity]:
    return [one.quantity for one in quantities.find(digits(text)) if family_of(one.quantity.unit) == "time"]


def _names(sentence: str, name: str) -> bool:
    wanted, said = ({action(word) for word in re.findall(r"[^\W\d_]+", words)} for words in (name, sentence))
    return bool(wanted & said)


def _near(one: Quantity, other: Quantity) -> bool:
    mine, its = ({end * MINUTES.get(q.unit, 0.0) for end in (q.low, q.high) if end is not None} for q in (one, other))
    return any(abs(a - b) <= 0.02 * max(a, b) for a in mine for b in its)
