"""What is told of steps besides how long they take: which waits for which, and who alone may do them."""

import re

from attrs import frozen

_VERB = r"(?:is|are|has|have|must|can|only|needs?|comes?)\b"


def _name(end: str) -> str:
    """A name of up to four words, as the group ``end``."""
    return rf"(?:(?:the|an?|our|this|that)\s+)?(?P<{end}>[a-z][\w-]*(?:\s+(?!{_VERB})[a-z][\w-]*){{0,3}}?)"


_OVER = r"(?:finished|done|over|complete(?:d)?|ready|dry|through|signed(?: off)?|out|on|made|closed|first|there)"
_BEGINS = (
    r"(?:(?:starts?|begins?|happens?|goes (?:on|ahead|in)|comes?(?: on| in)?|is done|runs?|may start|"
    r"can (?:start|begin|happen|go))\b)"
)
_WHEN_OVER = (  # A starts when B is finished
    rf"{_name('later')}\s+(?:can\s+|may\s+|must\s+|should\s+)?(?:only\s+)?"
    r"(?:starts?|begins?|happens?|comes?|is done|goes? (?:on|ahead|in)|is|may be done|be done)\s+"
    rf"(?:[a-z]+\s+){{0,5}}?(?:only\s+)?(?:when|once|as soon as)\s+{_name('first')}"
    rf"(?:['\u2019]s|\s+(?:is|are|has|have)(?:\s+been)?)\s+{_OVER}"
)
_COMES_AFTER = (  # A comes after B, A waits for B
    rf"{_name('later')}\s+(?:can\s+only\s+|only\s+|always\s+|must\s+)?"
    r"(?:comes?\s+(?:straight\s+|right\s+|only\s+)?after|follows?|goes after|is after|is done after|starts? after|"
    r"begins? after|happens? after|(?:has to |have to |must )?waits?(?: for| on| until)?|depends? on)\s+"
    rf"{_name('first')}(?=\s*(?:$|[,.;]|\band\b|\bis\b|\bhas\b|\bto be\b))"
)
_NEEDS_DONE = rf"{_name('later')}\s+(?:needs?|requires?)\s+{_name('first')}\s+(?:to be\s+|to have been\s+)?{_OVER}\b"
_OVER_BEFORE = (  # A has to be over before B can begin
    rf"{_name('first')}\s+(?:has to|have to|must|needs? to|should|is|are|comes?|goes|happens)\s+"
    rf"(?:[a-z]+\s+){{0,4}}?before\s+{_name('later')}(?=\s*(?:$|[,.;]|\bcan\b|\bmay\b|{_BEGINS}|\bis\b))"
)
_NOT_UNTIL = (  # B cannot start until A is done
    rf"{_name('later')}\s+(?:can['\u2019]?t|cannot|can not|may not|must not|doesn['\u2019]t|does not|won['\u2019]t)\s+"
    rf"(?:[a-z]+\s+){{1,3}}?(?:until|before)\s+{_name('first')}"
    r"(?=\s*(?:$|[,.;]|['\u2019]s\b|\bis\b|\bare\b|\bhas\b|\bhave\b))"
)
_RELATIONS = [
    re.compile(pattern, re.IGNORECASE) for pattern in (_WHEN_OVER, _COMES_AFTER, _NEEDS_DONE, _OVER_BEFORE, _NOT_UNTIL)
]
_SENTENCE = re.compile(
    r"[.;!?\n]+(?=\s|$)|,\s*(?=(?:and|so|but)\s)"
    r"|,\s*(?=[a-z][\w -]{1,30}\s+(?:comes?|follows?|depends?|waits?|starts?|begins?|needs?)\s)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^\W*(?:(?:and|so|but|then|well|also|because|otherwise)\s+)+", re.IGNORECASE)
_NO_NAME = re.compile(
    r"^(?:it|that|this|they|we|you|he|she|which|what|there|nobody|everything|anyone|work|first of all|one|of all)\b",
    re.IGNORECASE,
)

_ONLY_BY = re.compile(
    r"(?:^|[.;!]\s*)(?:the\s+)?(?P<name>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3}?)\s+(?:may|can|must)\s+only\s+be\s+"
    r"(?:done|run|made|performed|operated)\s+by\s+(?P<who>[^.;!]+)",
    re.IGNORECASE,
)
_ONLY_THEY = re.compile(
    r"(?:^|[.;!]\s*)[Oo]nly\s+(?P<who>[A-Z][a-z]+(?:(?:,\s*|\s+and\s+|\s+or\s+)[A-Z][a-z]+)*)\s+(?:can|may|"
    r"is allowed to|are allowed to)\s+"
    r"(?:do|run|operate|make)\s+(?:the\s+)?(?P<name>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3}?)(?=\s*(?:$|[.,;!]))"
)
_PERSON = re.compile(r"\b[A-Z][a-z]+\b")


@frozen
class Entitled:
    """A step that only these people may do, any one of them."""

    name: str
    who: tuple[str, ...]
    said: str


def entitled(text: str) -> list[Entitled]:
    """Who alone may do what, by name: "the check may only be done by Marta and Jo"."""
    found = [*_ONLY_BY.finditer(text), *_ONLY_THEY.finditer(text)]
    named = [(match, tuple(dict.fromkeys(_PERSON.findall(match["who"])))) for match in found]
    return [Entitled(match["name"].strip(), who, match[0].strip(" .;!")) for match, who in named if who]


@frozen
class Waiting:
    """One step waits for another, in the words used."""

    later: str
    first: str
    said: str


def waitings(text: str) -> list[Waiting]:
    """Which step comes after which, where a sentence says it: "painting comes after drying"."""
    found: list[Waiting] = []
    for sentence in _SENTENCE.split(text):
        words = _LEAD.sub("", sentence.strip())
        for pattern in _RELATIONS:
            match = pattern.search(words)
            if match is None:
                continue
            later, first = (match[end].strip() for end in ("later", "first"))
            if not _NO_NAME.match(later) and not _NO_NAME.match(first) and later.casefold() != first.casefold():
                found.append(Waiting(later, first, words.strip(" ,.")))
            break
    return found
