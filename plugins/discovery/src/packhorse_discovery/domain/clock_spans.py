"""How long work takes by the clock: "into the cabinet at six, out of it at half past seven"."""

import re

from packhorse_discovery.domain import moments

_IN = re.compile(r"\b(?:in|into|inside|onto|on\s+(?:the|a|its))\b", re.IGNORECASE)
_OUT = re.compile(r"\b(?:out|off)\b", re.IGNORECASE)
_STARTS = re.compile(r"\b(?:start\w*|begin\w*|from|lasts|runs|goes|takes)\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:done|finished|ready|ends?|stops?|over|until|till|to)\b", re.IGNORECASE)
_ONE = re.compile(
    r"\b(?:each|every|a|one|per)\s+(?!day|morning|afternoon|evening|night|week|quarter|month|shift|one\b)[a-z]+\b",
    re.IGNORECASE,
)
"""Of one piece, and not of a day's work."""
_NO_SPAN = re.compile(
    r"\b(?:sometimes|latest|earliest|shift|lunch|breaks?|open|close[sd]?|work|switch\w*|turn(?:ed)?|courier|lorry|van|"
    r"due|promised|deliver\w*|collect\w*|fetch\w*|customers?|or|first|last|people|staff|man|woman|lad|girl)\b"
    r"|\b(?:is|are) in at\b"
    r"|\b(?:i|we|he|she|they)(?:['\u2019](?:m|re|s)|\s+(?:am|are|is|comes?|goes|go))\b",
    re.IGNORECASE,
)
"""The hours of people and machines, or of the road."""
HALF_A_DAY = 720


def spans(sentence: str) -> tuple[int, ...]:
    """The minutes that ``sentence`` can mean between going in and coming out by the clock; none where it tells none.

    Hours without their half of the day mean several spans, half a day apart.
    """
    sentence = re.sub(r"\bfrom\s+(?!(?:the|it|at)\b)", "from at ", sentence, flags=re.IGNORECASE)
    found = moments.find(sentence)
    if len(found) != 2 or _NO_SPAN.search(sentence):
        return ()
    start, end = found
    before, between = sentence[: start.end], sentence[start.end : end.end]
    in_and_out = _IN.search(before) and _OUT.search(between)
    if not in_and_out and not (_ONE.search(before) and _STARTS.search(before) and _ENDS.search(between)):
        return ()
    if (start.weekday is None) != (end.weekday is None):
        return ()
    days = (end.days or 0) - (start.days or 0)
    if start.weekday is not None and end.weekday is not None:
        days = (end.weekday - start.weekday) % 7
    minutes = end.minutes - start.minutes + 2 * HALF_A_DAY * days
    if start.sure and end.sure:
        return (minutes if minutes > 0 else minutes + 2 * HALF_A_DAY,)
    shortest = minutes % HALF_A_DAY or HALF_A_DAY
    return tuple(shortest + HALF_A_DAY * more for more in range(2 * days + 2))
