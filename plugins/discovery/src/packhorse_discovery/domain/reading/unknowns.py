"""Whether an answer says that a value is not known, varies or comes later."""

import re
from collections.abc import Mapping

from packhorse_discovery.domain.interview.structure import State

_KNOW = r"(?:know|tell|say|sure|certain|remember|recall|count|promise|swear)"
_SAYS: Mapping[State, re.Pattern[str]] = {
    "unknown": re.compile(
        rf"(?:n[o']t|cannot|never|nobody|no one|no-one|who)\W+(?:\w+\W+){{0,3}}{_KNOW}"
        r"|\bno (?:idea|clue|notion)\b|\bun(?:known|sure|clear|decided)\b",
        re.IGNORECASE,
    ),
    "varies": re.compile(r"\b(?:var(?:y|ies|ied|iable)|depend(?:s|ing)?|differ(?:s|ent)?|changes?)\b", re.IGNORECASE),
    "deferred": re.compile(
        r"\b(?:later|not (?:now|yet)|tomorrow|next time|(?:will|'ll|have to|must|need to|let me) "
        r"(?:check|ask|see|look|find|get back)|to be (?:decided|determined)|tbd)\b",
        re.IGNORECASE,
    ),
}


def says(state: State, answer: str) -> bool:
    """Whether the words of ``answer`` declare ``state`` of anything: of what, is the assistant's to say."""
    return bool(_SAYS[state].search(answer.replace("\u2019", "'")))
