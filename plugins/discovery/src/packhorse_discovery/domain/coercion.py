"""From words to a value of the kind that a field wants, or to the state in which it stays open."""

import re
from typing import Any, get_args

from attrs import evolve, frozen

from packhorse_discovery.domain import aims, quantities, routes
from packhorse_discovery.domain.eads import Choice, Field
from packhorse_discovery.domain.quantity import Quantity
from packhorse_discovery.domain.structure import State
from packhorse_discovery.domain.units import family_of, unit_of

_UNKNOWN = re.compile(
    r"^\W*(?:(?:i|we)\s+)?(?:really\s+|honestly\s+)?(?:do\s?n[o']?t|don.t|do not|no)\s+(?:know|idea|have (?:that|"
    r"it))\b"
    r"|^\W*(?:unknown|not sure|no idea|unsure|no clue|can't say|cannot say|hard to say|\?+)\W*",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"^\W*(?:later|skip|not now|pass|come back|tbd|to be (?:determined|decided)|(?:i|we)'?(?:ll| will| need to|"
    r" have to)? ?"
    r"(?:ask|check|find out|get back)|ask (?:my|our|me))\b",
    re.IGNORECASE,
)
_NOT_APPLICABLE = re.compile(
    r"^\W*(?:n/?a|not applicable|none|nothing|no such|not relevant|-+|\u2013|\u2014)\W*$", re.IGNORECASE
)
_NOTHING = re.compile(
    r"\W*(?:(?:done )?by hand|hand|manual(?:ly)?|nobody|no[- ]?one|nothing(?: special)?|"
    r"no machine|anyone|anybody|anywhere|waits?|waiting|itself|"
    r"on its own|by itself)\W*",
    re.IGNORECASE,
)
"""What stands for no resource in the place of one."""
_VARIES = re.compile(r"^\W*(?:it |that |this )?(?:varies|depends|it's different|differs|variable)\b", re.IGNORECASE)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|y|aye|affirmative|true|correct|right|sure|always|usually|mostly|mainly|generally|"
    r"definitely|absolutely|"
    r"exactly|"
    r"indeed|of course|(?:they do|it does|we do|it is|they are)(?=\s*(?:[,.;:!\u2013-]|$|indeed|all\b|always|mostly|"
    r"usually))|"
    r"all of them|pretty much|for the most part)(?!\w)",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^\W*(?:no|nope|nah|nay|negative|n|false|never|not really|not at all|hardly|rarely|seldom|incorrect|wrong|"
    r"they don't|"
    r"it doesn't|"
    r"we don't|it isn't|they aren't|not exactly|not usually|not strictly|neither)\b"
    r"|^\W*(?:[a-z']+\s+){1,2}no(?=\s*[,.;!]|\s*$)",
    re.IGNORECASE,
)
_LATE_NO = re.compile(r"\b(?:don't|do not|doesn't|does not|isn't|is not|aren't|are not|not|never)\b", re.IGNORECASE)
_CLEAR = re.compile(
    r"^\W*(?:\(?\d[.)]\s*)?(?:(?:oh|ah|um|hm+|and|so|but|well|then|also|again|there|(?:for|to|on) the \w+)\s+)*"
    r"(?:(?P<no>no|nope|nah|not really|not at all|never|(?:definitely|absolutely|certainly) not)"
    r"|(?P<yes>yes|yeah|yep|yup|sure|(?:definitely|absolutely|certainly)(?! not)))\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^\s*(?:step\s*)?(?:\(?\d{1,2}[.):]\s*|\d{1,2}\s+-\s+)", re.IGNORECASE)


GAP = "___"
"""In an alias: any few words."""
_CLAUSE = re.compile(r"[.;,!?\n]+|\s[-\u2013\u2014]\s|\bbut\b|\bbecause\b")
_OF_TIMES = re.compile(
    r"(?:^|(?<=[.,;\n]))[^.,;\n]*\b(?:weeks?|days?|months?|seasons?|years?|mornings?|nights?)\b[^.,;\n]*", re.IGNORECASE
)
"""Clauses about one week and the next, which tell no way."""
_TELLING = re.compile(r"\b(?:way|route|path|order|sequence|steps|line|routing|stages|stations|alike|never|always)\b")
_DENIES = re.compile(
    r"\b(?:not|never|no|none|nothing|isn t|aren t|don t|doesn t|can t|won t|neither|nor|hardly|without)\b"
)


@frozen
class Coerced:
    """A value, or a state without one; ``confidence`` is below 1 where words had to be interpreted."""

    value: Any = None
    state: State = "answered"
    confidence: float = 1.0


def state_of(text: str) -> State | None:
    """The state that an answer declares in place of a value; None where it does not."""
    words = text.strip()
    if _NOT_APPLICABLE.match(words):
        return "not_applicable"
    if _UNKNOWN.match(words):
        return "unknown"
    if _LATER.match(words):
        return "deferred"
    if _VARIES.match(words):
        return "varies"
    return None


def coerce(field: Field, text: str, *, header: str = "") -> Coerced | None:
    """What ``text`` says about ``field``; None where it says nothing of that kind.

    ``header`` is the heading it stood under, which may hold the unit ("time, min").
    """
    words = text.strip()
    if not words:
        return None
    state = state_of(words)
    if state == "varies" and field.kind not in {"number", "list", "choices", "any"}:
        state = None  # "it depends on the job" may well name a choice, or how long it takes
    if state is not None:
        if state == "not_applicable" and field.kind in {"list", "choices"}:
            return Coerced([])
        return Coerced(state=state)
    if field.name == "resources" and _NOTHING.fullmatch(words):
        return Coerced([])
    match field.kind:
        case "yesno":
            answer = yes_or_no(words)
            return None if answer is None else Coerced(answer, confidence=0.9)
        case "number":
            value = quantities.number(words)
            if value is None:
                return None
            return Coerced(int(value) if value == int(value) else value)
        case "quantity":
            return _quantity(field, words, header)
        case "choice":
            choice = chosen(field.choices, words) or _by_route(field.choices, words)
            return None if choice is None else Coerced(choice, confidence=0.9)
        case "choices":
            several = _aimed_at(field.choices, words)
            return Coerced(several, confidence=0.9) if several else None
        case "list":
            return Coerced(listed(words))
        case "text":
            unit = unit_in_header(header) if re.fullmatch(r"\d+(?:\.\d+)?", words) else ""
            return Coerced(f"{words} {_plural(unit_of(unit))}" if family_of(unit_of(unit)) == "time" else words)
        case _:
            return None


def yes_or_no(text: str) -> bool | None:
    """Whether an answer affirms or denies; None where it does neither clearly."""
    if _NO.match(text):
        return False
    if _YES.match(text):
        return True
    clear = set(clear_answers(text))
    if len(clear) == 1:
        return clear.pop()
    head = re.split(r"[.;\n]", text)[0]
    if re.search(r"\b(?:same|all)\b", head, re.IGNORECASE) and not _LATE_NO.search(head):
        return True
    if _LATE_NO.search(head):
        return False
    return None


def begins(text: str) -> bool:
    """Whether ``text`` begins with a yes or a no, so that what follows only explains it."""
    return bool(
        re.match(
            r"^\W*(?:yes|yeah|yep|yup|aye|affirmative|no|nope|nah|nay|negative|not at all|not really)\b",
            text,
            re.IGNORECASE,
        )
    )


def clear_answers(text: str) -> list[bool]:
    """Each clause that begins with a yes or a no: "they can wait, so no. And no, every week is another." has two."""
    parts = re.split(r"[,;.!\n]\s*", text)
    return [found["no"] is None for part in parts if (found := _CLEAR.match(part))]


def chosen(choices: tuple[Choice, ...], text: str) -> str | None:
    """The one choice that ``text`` names, by value, label, letter or alias; None where none or several are.

    A clause that denies what it names ("they do not go the same way") names nothing.
    """
    text = routes.today(text)
    words = _simple(text)
    letter = re.match(r"^(?:option |choice |answer )?([a-z])$", words)
    if ordinal := re.match(
        r"^(?:it s |that s |definitely )?the (first|second|third|fourth|fifth)(?: one| of (?:those|these|them))?$",
        _simple(re.split(r"[.,;:]", text)[0]),
    ):
        place = ("first", "second", "third", "fourth", "fifth").index(ordinal[1])
        return choices[place].value if place < len(choices) else None
    if letter and ord(letter[1]) - ord("a") < len(choices):
        return choices[ord(letter[1]) - ord("a")].value
    clauses = [_simple(part) for part in _CLAUSE.split(text) if part.strip()]
    found: dict[str, int] = {}
    for choice in choices:
        names = [_simple(name) for name in (choice.value, choice.label.split(":")[0])]
        names += [_simple(alias) for alias in choice.aliases]
        names = [name for name in names if all(part.strip() in words for part in name.split(GAP))]
        best = max(
            (
                len(name)
                for name in names
                for clause in (words, *clauses)
                if _mentions(clause, name, whole=clause is words)
            ),
            default=0,
        )
        if best:
            found[choice.value] = best
    if not found:
        return None
    longest = max(found.values())
    best_ones = [value for value, size in found.items() if size == longest]
    return best_ones[0] if len(best_ones) == 1 else None


_BY_ROUTE = {"same": "FLOW-SHOP", "different": "JOB-SHOP"}


def _by_route(choices: tuple[Choice, ...], text: str) -> str | None:
    """Of kinds of scheduling problem, the one in which work takes the ways that ``text`` tells of."""
    kind = _BY_ROUTE.get(routes.told(text) or "")
    return kind if {one.value for one in choices} >= set(_BY_ROUTE.values()) else None


def _aimed_at(choices: tuple[Choice, ...], text: str) -> list[str]:
    """The choices that ``text`` names; of aims of a schedule those that it wants, named or not."""
    named = named_in(choices, text)
    if not {one.value for one in choices} >= set(get_args(aims.Aim)):
        return named
    told = aims.aims(text)
    return [one for one in named if one not in told.unwanted] or list(told.wanted)


def chosen_by_the_way(choices: tuple[Choice, ...], text: str) -> str | None:
    """The same for an answer to another question: only what says in several words which way things go counts."""
    kept = tuple(
        evolve(one, aliases=tuple(a for a in one.aliases if _TELLING.search(a) and " " in a)) for one in choices
    )
    named = tuple(evolve(one, label=one.value) for one in kept)
    text = _OF_TIMES.sub(" ", text)
    return chosen(named, text) if len(text.split()) >= 4 else None


def named_in(choices: tuple[Choice, ...], text: str) -> list[str]:
    """Every choice that ``text`` names, in the order of first mention; a longer name hides one inside it."""
    words = _simple(text)
    spans: list[tuple[int, int, str]] = []
    for choice in choices:
        for name in (choice.value, choice.label.split(":")[0], *choice.aliases):
            spans += [(m.start(), m.end(), choice.value) for m in re.finditer(_pattern(_simple(name)), words)]
    kept = [
        one
        for one in spans
        if not any(o[0] <= one[0] and one[1] <= o[1] and o[1] - o[0] > one[1] - one[0] for o in spans)
    ]
    return list(dict.fromkeys(value for _, _, value in sorted(kept)))


def listed(text: str) -> list[str]:
    """The items of a list in one line or cell: by semicolons, else commas (not inside brackets) and "and"."""
    mark = ";" if ";" in text else "\n" if "\n" in text.strip() else ","
    parts = re.split(rf"{mark}(?![^()]*\))", text)
    if mark == ",":
        parts = [
            piece
            for place, part in enumerate(parts)
            for piece in (re.split(r"\band\b(?![^()]*\))", part, maxsplit=1) if place == len(parts) - 1 else [part])
        ]
    cleaned = [re.sub(r"^\s*(?:and|or|[-*\u2022])\s+", "", part).strip(" .\t") for part in parts]
    return list(dict.fromkeys(part for part in cleaned if part))


def name_of(text: str) -> str:
    """The name in a cell or item: without numbering and trailing punctuation."""
    return _NUMBERED.sub("", text).strip(" .:*\t")


def quantity_value(quantity: Quantity, words: str) -> dict[str, Any]:
    """A quantity in the form that the schemas have: the words and the units."""
    per = f"/{quantity.per}" if quantity.per and quantity.unit and quantity.per_count is None else ""
    return {"value-string": words, "units": f"{_plural(quantity.unit)}{per}"}


def _quantity(field: Field, words: str, header: str) -> Coerced | None:
    unit = field.unit if field.unit != "time" else ""
    from_header = unit_in_header(header)
    quantity = quantities.parse(words, from_header or unit)
    if quantity.cases:
        return Coerced({"value-string": words, "units": _plural(quantity.cases[0][1].unit)}, confidence=0.9)
    if quantity.low is None and quantity.high is None:
        return Coerced({"value-string": words, "units": "varies"}, "varies") if state_of(words) == "varies" else None
    wants_time = field.unit == "time" or field.name == "duration"
    if wants_time and family_of(quantity.unit) != "time":
        return None  # a number without a unit of time is not a duration
    return Coerced(quantity_value(quantity, words), confidence=0.8 if quantity.approximate else 1.0)


def unit_in_header(header: str) -> str:
    """The unit of time or amount that a heading has, as written; empty where it has none."""
    for word in re.findall(r"[A-Za-z]+(?:/[A-Za-z]+)?", header):
        if unit_of(word.split("/")[0]) and (len(word) > 1 or word in {"h", "d"}):
            return str(word)
    return ""


_PLURALS: dict[str, str] = {"loaf": "loaves", "inch": "inches", "foot": "feet", "person": "people", "batch": "batches"}


def _plural(unit: str) -> str:
    if not unit or unit.endswith("s"):
        return unit
    return _PLURALS.get(unit, f"{unit}s")


def _simple(text: str) -> str:
    words = " ".join(re.sub(r"[^\w\s]", " ", text.casefold().replace("-", " ")).split())
    return re.sub(r"\b(?:identical|very same|selfsame)\b", "same", words)


def _mentions(words: str, name: str, *, whole: bool = False) -> bool:
    """Whether a clause names something; in a ``whole`` answer only what has no denial before it is looked for."""
    if not name:
        return False
    for match in re.finditer(_pattern(name), words):
        head = words[: match.start()]
        if not _DENIES.search(head) and not (whole and _DENIES.search(words)):
            return True
    return False


def _pattern(name: str) -> str:
    """A name as a regular expression; ``every ___ same line`` has up to six words in the gap."""
    return rf"\b{r'(?: [a-z0-9]+){0,6} '.join(re.escape(part.strip()) for part in name.split(GAP))}\b"
