"""Times told by other times: "the same as washing", "twice as long", in figures."""

import re

from packhorse_discovery.domain import quantities
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.counting import CARDINAL, count
from packhorse_discovery.domain.units import family_of

_NAME = r"(?:for\s+)?(?:the\s+)?(?P<{0}>[a-z][\w-]*(?:\s+(?!(?:on|in|at|and|is|takes?|does|do)\b)[a-z][\w-]*){{0,2}})"
_END = r"(?=\s*(?:$|[.,;:)]|(?:on|in|at|and|does|do|takes?)\b))"
_AS_LONG = re.compile(
    rf"\b(?:(?P<times>twice|double|half|(?:{CARDINAL}|\d+)\s+times)\s+(?:as long|as much time|that(?:\s+(?:long|"
    rf"time))?|the time)"
    rf"|(?:exactly\s+|just\s+|about\s+)?(?:as long|equally long|(?:for\s+)?the same (?:time|length of time|"
    rf"amount of time)))"
    rf"(?:\s+(?:as|of)\s+{_NAME.format('of')})?{_END}",
    re.IGNORECASE,
)
_SAME = re.compile(
    rf"(?<!all )(?:(?<=takes )|(?<=take )|(?<=needs )|(?<=lasts )|(?<=runs )|(?<=another )|(?<=ing )|"
    rf"(?<=, ))(?:exactly\s+|"
    rf"about\s+|just\s+|also\s+)?"
    rf"(?:the same(?:\s+again)?(?P<alone>(?=\s*(?:$|[.,;:)]|(?:on|in|at)\b)))?|ditto|"
    rf"likewise)(?:\s+as\s+{_NAME.format('of')})?{_END}",
    re.IGNORECASE,
)


def resolved(text: str) -> str:
    """``text``, its times in figures, with "as long as X" and "the same" as the time that X, or the last, has.

    What names nothing that was told before stays as it is.
    """
    at = 0
    while match := next((one for one in (_AS_LONG.search(text, at), _SAME.search(text, at)) if one), None):
        span = _meant(text[: match.start()], match)
        if span:
            text = f"{text[: match.start()]}{span}{text[match.end() :]}"
        at = match.start() + max(len(span), 1)
    return text


def _meant(before: str, match: re.Match[str]) -> str:
    """The time meant, as written; empty where it is not known, or the last one is not said to be meant."""
    times = [one for one in quantities.find(before) if family_of(one.quantity.unit) == "time"]
    name = set(stems(match["of"] or "").split()) - {"that", "befor", "it", "this", "last", "previou"}
    if name:
        near = [
            one
            for one in times
            if name <= set(stems(re.split(r"[.;\n]", before[: one.start])[-1]).split())
            or name <= set(stems(re.split(r"[.;\n,]", before[one.end :])[0]).split())
        ]
        times = near[-1:]
    if not times:
        return ""
    last = times[-1].quantity
    said = match.groupdict().get("times")
    scale = {"": 1.0, "twice": 2.0, "double": 2.0, "half": 0.5}.get((said or "").casefold())
    if scale is None:
        scale = float(count((said or "").split()[0]))
    if last.low is None or last.high is None:
        return ""
    low, high = last.low * scale, last.high * scale
    return f"{low:g} {last.unit}s" if low == high else f"{low:g}-{high:g} {last.unit}s"
