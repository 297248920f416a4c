"""What stands in a block: codes, leave, halves, marks and what is none of them."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import frozen

from packhorse_scheduling.domain.programme.kinds import LeaveKind

_SIGNS = "*†‡^°§!"
_WORDS_OF_LEAVE: Mapping[LeaveKind, str] = {
    "vacation": "v, vac, vacay, vacation, annual leave, al, pto, leave, time off, vac week",
    "maternity_paternity": "maternity, paternity, parental, mat leave, pat leave, maternity leave, paternity leave,"
    " parental leave",
    "sick": "sick, sick leave",
    "medical": "medical leave",
}
_LEAVE = {word: kind for kind, words in _WORDS_OF_LEAVE.items() for word in words.split(", ")}
_EMPTY = re.compile(r"^(?:[-\u2013\u2014._]+|n/?a|none|x+)$", re.IGNORECASE)
_OPEN = re.compile(r"^(?:\?+|tb[dac]|t\.b\.d\.?|pending|open|unassigned)$", re.IGNORECASE)
_PARTS = re.compile(r"\s*(?:/|\u2192|->|=>|>|\+|&|,|;|\||\bthen\b|\band\b)\s*|\n+|\s+[-\u2013\u2014]\s+", re.IGNORECASE)
_INSIDE = re.compile(
    r"^(?P<code>.+?)\s*[(\[+,;-]\s*(?P<leave>vac|vacation|v|pto|leave|al|lv)\b[\s.:]*(?P<rest>[^()\[\]]*)[)\]]?$",
    re.IGNORECASE,
)
_SOME_HALF = r"(?:\u00bd|1/2|half(?![ -]day))(?:[ -]block)?(?: of)?"
_ORDINAL = r"(?P<which>1st|first|2nd|second|last)"
_HALF = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^{_ORDINAL} {_SOME_HALF}[\s:,-]*(?P<code>.+)$",
        rf"^(?P<code>.+?)[\s,(\[-]+{_ORDINAL} {_SOME_HALF}[)\]]?$",
        rf"^(?P<which>){_SOME_HALF}[\s:,-]+(?P<code>.+)$",
        rf"^(?P<code>.+?)[\s,(\[-]+(?P<which>){_SOME_HALF}[)\]]?$",
    )
)
LONGEST_CODE = 30
MOST_WORDS = 4


@frozen
class Meaning:
    """What a code is: a rotation by its code and name, or leave of a kind."""

    code: str
    name: str
    leave: LeaveKind | None = None


def key_of(text: str) -> str:
    """A text as it is compared: case, blanks and marks do not count."""
    plain = "".join(" " if sign in _SIGNS else sign for sign in text).strip(" .:")
    return " ".join(plain.casefold().split())


def marks_of(text: str) -> str:
    """The marks about a text, such as an asterisk."""
    return "".join(sign for sign in text if sign in _SIGNS)


def leave_of(text: str) -> LeaveKind | None:
    """The kind of leave that a text says; None where it says none for certain."""
    return _LEAVE.get(key_of(text))


def is_empty(text: str) -> bool:
    """Whether a text only holds the place of nothing."""
    return not text.strip() or _EMPTY.match(text.strip()) is not None


def is_undecided(text: str) -> bool:
    """Whether a text says that nothing is decided yet."""
    return _OPEN.match(text.strip()) is not None


def halves_of(text: str) -> list[str]:
    """The parts of a text that names several things; one part where it names one."""
    return [part for part in _PARTS.split(text.strip()) if part]


def could_be_code(text: str, count: int = 1) -> bool:
    """Whether a text is short enough to name a rotation, and no number, date, question or sentence.

    What stands three times may be twice as long: names in full.
    """
    more = 2 if count >= 3 else 1
    if not text or len(text) > more * LONGEST_CODE or len(text.split()) > more * MOST_WORDS or "?" in text:
        return False
    if re.search(r"\d{1,2}[/.]\d{1,2}|\b(?:19|20)\d\d\b|@|:", text):
        return False
    return any(sign.isalpha() for sign in text)


def near(text: str, others: Iterable[str]) -> str | None:
    """The one other code that a text may be a slip of: a letter more, less, other or moved, not the first."""
    found = [other for other in others if other != text and _slip(text, other)]
    return found[0] if len(found) == 1 else None


def _slip(one: str, two: str) -> bool:
    if min(len(one), len(two)) < 4 or one[:1] != two[:1] or abs(len(one) - len(two)) > 1:
        return False
    if re.sub(r"\D", "", one) != re.sub(r"\D", "", two):
        return False
    if len(one) == len(two):
        places = [n for n, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
        moved = len(places) == 2 and places[1] == places[0] + 1 and one[places[0]] == two[places[1]]
        # The last letter alone tells services apart: WARD A, WARD B.
        return moved or (len(places) == 1 and places[0] < len(one) - 1)
    short, long = sorted((one, two), key=len)
    return any(long[:n] + long[n + 1 :] == short for n in range(1, len(long)))


def begins_with(text: str, known: Collection[str]) -> str | None:
    """The longest known code that a text begins with, before something more."""
    found = [code for code in known if len(code) > 1 and re.match(re.escape(code) + r"(?![^\W_])", text)]
    return max(found, key=len, default=None)


def commonest(spellings: Sequence[str]) -> str:
    """The most frequent spelling, the first of those alike."""
    return Counter(spellings).most_common(1)[0][0]


def leave_inside(text: str) -> tuple[str, str, str] | None:
    """The code, the word of leave and its days of a block with leave in it, such as "ICU (vac 7/27-8/2)"."""
    found = _INSIDE.match(text)
    return None if found is None else (found["code"], found["leave"], found["rest"].strip())


def half_inside(text: str) -> tuple[str, str] | None:
    """The code of a text that names half a block, and which half: "first", "second", or "" where it does not say."""
    for pattern in _HALF:
        found = pattern.match(" ".join(text.split()))
        if found is not None:
            which = found["which"].lower()
            return found["code"], "" if not which else "first" if which in ("1st", "first") else "second"
    return None


def squeezed(text: str) -> str:
    """A text's letters and digits alone: U/S and us are one."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def alias_of(text: str, names: Mapping[str, str]) -> str | None:
    """The one code, of codes with their long names, that a text seems to stand for; None where none or several do."""
    short = squeezed(text)
    exact = [code for code in names if squeezed(code) == short]
    if exact:
        return exact[0] if len(exact) == 1 else None
    if len(short) < 2:
        return None
    words = {_singular(word) for word in re.findall(r"[a-z0-9]+", text.casefold()) if len(word) > 1}
    by_name = [
        code for code, name in names.items()
        if words and words <= {_singular(word) for word in re.findall(r"[a-z0-9]+", name.casefold())}
    ]  # fmt: skip
    if by_name:
        return by_name[0] if len(by_name) == 1 else None
    longer = [code for code in names if len(squeezed(code)) >= 2 and short.startswith(squeezed(code))]
    if longer:
        return max(longer, key=len)
    begun = [
        code for code, name in names.items()
        if len(short) >= 2 and any(squeezed(word).startswith(short) for word in (code, *name.split()))
    ]  # fmt: skip
    return begun[0] if len(begun) == 1 else None
