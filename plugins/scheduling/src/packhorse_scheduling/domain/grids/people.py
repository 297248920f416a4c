"""Labels of rows: names, years of training in all their makes, headings of sections, and counters."""

import re

from attrs import frozen

from packhorse_scheduling.domain.programme.people import EVERY_PGY

FACULTY = "faculty"
"""The level of people who are not in training."""
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7}
_ORDINAL = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7}
_LEVEL = re.compile(
    r"\b(?:pgy|pg)[\s.#:_-]*(?:year\s*)?(?P<a>[1-9]|[iv]{1,3}\b)(?!\d)"
    r"|\br[\s-]?(?P<b>[1-9])(?:['\u2019]?s)?\b"
    r"|\b(?:year|yr)[\s#-]*(?P<c>[1-9])\b"
    r"|\b(?P<d>[1-9])(?:st|nd|rd|th)[\s-]*(?:year|yr)s?\b"
    r"|\b(?P<e>first|second|third|fourth|fifth|sixth|seventh)[\s-]*(?:year|yr)s?\b"
    r"|\b(?P<f>interns?|internship)\b",
    re.IGNORECASE,
)  # fmt: skip
_BARE = re.compile(r"^\W*(?P<a>[1-9]|[iv]{1,3})(?:st|nd|rd|th)?\W*$", re.IGNORECASE)
_TAIL = re.compile(r"[\s,]*[(\[]\s*(?P<a>[1-9])\s*[)\]]\s*$")
_FACULTY = re.compile(r"\b(?:fac(?:ulty)?|attendings?|staff physicians?|hospitalists?)\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:chiefs?|seniors?|juniors?|fellows?|ca[\s-]?\d|f[\s-]?\d|class of \d{4}|prelim\w*|transitional|ty"
    r"|rotators?|visit\w*|ms[\s-]?\d|students?|upper levels?)\b",
    re.IGNORECASE,
)
_COUNTER = re.compile(
    r"^\W*(?:#|no\.? of|number|num|total|subtotal|count|sum|coverage|cover|needed|need|required|requirement"
    r"|min(?:imum)?|max(?:imum)?"
    r"|target|staffing|available|capacity|check|goal|short|over|balance|headcount|avg|average|on service|people on"
    r"|residents on|interns on|difference|diff|%)\b"
    r"|\b(?:total|count|needed|required|coverage|staffed|headcount|per block)\W*$|^\s*[#Σ%]",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"^\W*(?:notes?|legend|key|colou?rs?|codes?|abbreviations?|updated|revised|version|draft|prepared|approved|printed"
    r"|last (?:updated|changed)|see|please|all|vacation requests?|holidays?|block|week|dates?|rotation|name|resident"
    r"|start|end|from|to)\b",
    re.IGNORECASE,
)
_TITLES = re.compile(
    r"^(?:dr\.?|doctor)\s+|[,\s]+(?:m\.?d\.?|d\.?o\.?|mbbs|ph\.?d\.?|mph)\.?(?=$|[\s,(])", re.IGNORECASE
)
_ASIDE = re.compile(r"[(\[][^()\[\]]*[)\]]")
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[a-z]{2,}", re.IGNORECASE)
_NAME = re.compile(r"^[^\W\d_][\w'\u2019.\-]*(?:,?\s+[\w'\u2019.\-()\"\u201c\u201d]+){0,5}$")
_VACANT = re.compile(r"\b(?:tbd|tba|vacant|vacancy|open|unfilled|new intern|match(?:ed)?)\b|\?", re.IGNORECASE)


@frozen
class Named:
    """A label taken apart: the name as written without its level, the level in it, and marks that stood about it."""

    name: str
    level: int | None
    marks: str = ""


def level_of(text: str, *, bare: bool = False) -> int | None:
    """The year of training that a text names; with ``bare`` a number alone counts. None where it names none or two."""
    found = {_number(match) for match in _LEVEL.finditer(text)}
    if bare and (alone := _BARE.match(text)) is not None:
        found.add(_number(alone))
    known = {one for one in found if one in EVERY_PGY}
    return known.pop() if len(found) == len(known) == 1 else None


def _number(found: re.Match[str]) -> int:
    text = next(group for group in found.groups() if group).lower()
    if text.startswith("intern"):
        return 1
    return _ROMAN.get(text) or _ORDINAL.get(text) or (int(text) if text.isdigit() else 0)


def is_faculty(text: str) -> bool:
    """Whether a heading or level says that these are no trainees."""
    return _FACULTY.search(text) is not None and level_of(text) is None


def is_level_word(text: str) -> bool:
    """Whether a text speaks of a year of training, surely or not."""
    return bool(_LEVEL.search(text) or _UNSURE.search(text) or _FACULTY.search(text))


def coded_level(text: str) -> tuple[str, int] | None:
    """Letters and number of a programme's own levels, such as EM2 or CA-1; None where it is none."""
    found = re.fullmatch(r"([A-Za-z]{1,5})[\s-]?([1-7])", text.strip())
    return None if found is None else (found[1].upper(), int(found[2]))


def is_counter(text: str) -> bool:
    """Whether a row's label says that it counts."""
    return _COUNTER.search(text) is not None


def is_note(text: str) -> bool:
    """Whether a label is a remark, a title or a column's head."""
    return bool(_NOTE.match(text)) or len(text) > 60 or (text.rstrip().endswith((":", ".")) and len(text.split()) > 4)


def is_mail(text: str) -> bool:
    """Whether it is an address."""
    return _MAIL.fullmatch(text.strip()) is not None


def is_vacant(text: str) -> bool:
    """Whether it stands for somebody who is not known yet."""
    return _VACANT.search(text) is not None


def named(text: str) -> Named | None:
    """A name with its level and marks taken off; None where nothing like a name is left."""
    level = level_of(text)
    rest = _ASIDE.sub(lambda found: " " if is_level_word(found[0]) else found[0], text)
    rest = _LEVEL.sub(" ", rest)
    tail = _TAIL.search(rest)
    if tail is not None and level is None:
        level, rest = int(tail["a"]), rest[: tail.start()]
        if level not in EVERY_PGY:
            return None
    rest = _MAIL.sub(" ", rest)
    marks = "".join(sign for sign in rest if sign in "*†‡^°§")
    rest = "".join(" " if sign in "*†‡^°§" else sign for sign in rest)
    rest = re.sub(r"[(\[]\s*[)\]]", " ", rest)
    rest = _TITLES.sub("", " ".join(rest.split()))
    alone = rest.strip(" ,;:-#.")
    if level is not None and alone and (alone.isdigit() or len(alone) == 1):
        return Named(" ".join(text.split()), level, marks)  # Intern 1, R2 A
    rest = rest.strip(" ,;:-\u2013\u2014/|#").lstrip(".")
    if not _NAME.match(rest) or sum(sign.isalpha() for sign in rest) < 2:
        return None
    return Named(rest, level, marks)


def tokens_of(name: str) -> frozenset[str]:
    """The words of a name, for telling whether two are the same person's."""
    return frozenset(re.findall(r"\w+", name.casefold()))
