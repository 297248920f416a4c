"""Whether an answer says that a value is not known, varies or comes later."""

import re
from collections.abc import Mapping

from packhorse_discovery.domain.interview.structure import State
from packhorse_discovery.domain.reading.words import any_of

_KNOW = r"(?:know|tell|say|sure|certain|remember|recall|count|promise|swear)"
_SAYS: Mapping[State, re.Pattern[str]] = {
    "unknown": any_of(
        rf"(?:n[o']t|cannot|never|nobody|no one|no-one|who)\W+(?:\w+\W+){{0,3}}{_KNOW}",
        r"\bno (?:idea|clue|notion)\b",
        r"\bun(?:known|sure|clear|decided)\b",
    ),
    "varies": any_of(r"\b(?:var(?:y|ies|ied|iable)|depend(?:s|ing)?|differ(?:s|ent)?|changes?)\b"),
    "deferred": any_of(
        r"\b(?:later|not (?:now|yet)|tomorrow|next time|to be (?:decided|determined)|tbd)\b",
        r"\b(?:will|'ll|have to|must|need to|let me) (?:check|ask|see|look|find|get back)\b",
    ),
}


def says(state: State, answer: str) -> bool:
    """Whether the words of ``answer`` declare ``state`` of anything: of what, is the assistant's to say."""
    return bool(_SAYS[state].search(answer.replace("\u2019", "'")))
