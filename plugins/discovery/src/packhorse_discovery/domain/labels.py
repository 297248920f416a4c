"""Labels before what is told, in words: "machine: saw, time: 10 min" is "on the saw, takes 10 min"."""

import re

_MACHINE = (
    r"(?:resources?|machines?|equipment|stations?|work\s?stations?|work\s?cent(?:re|er)s?|work\s?places?|"
    r"where|place|location|tool|(?:done|performed|runs?) (?:on|at|in))"
)
_DURATION = r"(?:duration|(?:run |cycle |processing |process |standard )?time|how long|length)"
_LABEL = re.compile(
    rf"(?:\s*[.;,\n]\s*|^\s*)(?:the\s+)?(?:(?P<machine>{_MACHINE})|{_DURATION})\s*(?:[:=]|\bis\b)\s*"
    r"(?:(?:the|an?)\s+)?(?=\S)",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"(?:^|(?<=[.;,\n]))\s*(?:step|operation|stage|process|op\.?)\s*(?:no\.?\s*)?(?:\d{1,2}\s*[:.\u2013\u2014-]|"
    r":)\s*",
    re.IGNORECASE,
)

_EQUALS = re.compile(r"(?<=[a-z])\s*=\s*(?=\S)", re.IGNORECASE)


def unlabelled(text: str) -> str:
    """``text`` with what its labels say in words, and without the numbers of steps."""
    text = _EQUALS.sub(": ", _STEP.sub(" ", re.sub(r"\s+@\s*(?=[a-z])", " on the ", text, flags=re.IGNORECASE)))
    return _LABEL.sub(lambda m: ", on the " if m["machine"] else ", takes ", text).lstrip(" ,")


def joined(text: str) -> str:
    """``text`` with lines that are indented below a line, or labelled within a paragraph, joined to it."""
    paragraphs = [part for part in re.split(r"\n\s*\n", text) if part.strip()]
    if len(paragraphs) > 1 and all(len(_LABEL.findall(part)) in {1, 2} for part in paragraphs if "\n" in part):
        text = "\n".join(re.sub(r"\s*\n\s*", ", ", part.strip()) if "\n" in part else part for part in paragraphs)
    return re.sub(r"(?<=\S)[ \t]*\n[ \t]{2,}(?![ \t]*(?:[-*\u2022|]|\d+[.)]))(?=\S)", ", ", text)
