"""One cell, or a short answer, as a value of its field's kind: exactly, or not at all."""

import json
import re
from datetime import date
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.case import quantities
from packhorse_discovery.domain.case.units import family_of, unit_of
from packhorse_discovery.domain.interview.structure import State
from packhorse_discovery.domain.reading.amount import Amount
from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.dates import calendars
from packhorse_discovery.domain.reading.hours import clock_of, days_of
from packhorse_discovery.domain.reading.times import clocks, shown_time
from packhorse_discovery.domain.reading.words import NEGATORS, NO, YES, Words, spelled, words_of
from packhorse_discovery.domain.schema.eads import Choice, Field

_STATES: tuple[tuple[State, re.Pattern[str]], ...] = (
    ("not_applicable", re.compile(r"n/?a|not applicable|none|nothing|no such|not relevant|-+|\u2013|\u2014", re.I)),
    ("unknown", re.compile(r"(?:(?:i|we) )?(?:do ?n[o']t|do not) know\b.*|unknown|not sure|no idea|unsure|\?+", re.I)),
    (
        "deferred",
        re.compile(r"later|not now|skip|tbd|to be (?:determined|decided)|(?:i|we)'ll (?:check|ask|see).*", re.I),
    ),
    ("varies", re.compile(r"(?:it |that )?(?:varies|depends)\b.*", re.I)),
)
_LETTERS = re.compile(r"\(?[a-z][).]?(?:\s*(?:,|;|>|then|and|,\s*then|,\s*and)\s*\(?[a-z][).]?)+\.?")
"""Several choices by their letters: "(b), then (a)"."""
_FILLERS = spelled("by on at the this of before until due from a m p am pm in morning afternoon evening")
_NO_RESOURCE = frozenset({"by hand", "hand", "manual", "manually", "nobody", "no machine", "waits", "waiting"})
_PLURALS = {"loaf": "loaves", "inch": "inches", "foot": "feet", "person": "people", "batch": "batches"}


@frozen
class Cell:
    """A value, or a state without one; ``said`` are the words of a date that counts from a start not known yet."""

    value: Any = None
    state: State = "answered"
    said: str = ""


def state_of(text: str) -> State | None:
    """The state that a short answer declares in place of a value."""
    words = text.strip().strip(".!").strip()
    return next((state for state, pattern in _STATES if pattern.fullmatch(words)), None)


def cell(field: Field, text: str, *, header: str = "", origin: str = "") -> Cell | None:
    """What ``text`` says as a value of ``field``; None where it is of no such kind. ``header`` may hold the unit."""
    words = text.strip()
    state = state_of(words)
    if state is not None and not (state == "varies" and field.kind in {"list", "choices"}):
        empty = state == "not_applicable" and field.kind in {"list", "choices"}
        return Cell([]) if empty else Cell(state=state)
    match field.kind:
        case "yesno":
            answer = yes_or_no(words)
            return None if answer is None else Cell(answer)
        case "number":
            number = _whole(words_of(words))
            return None if number is None else Cell(int(number) if number == int(number) else number)
        case "quantity":
            return _quantity(field, words, header)
        case "choice":
            named = chosen(field.choices, words)
            return Cell(named[0]) if len(named) == 1 else None
        case "choices":
            several = chosen(field.choices, words)
            return Cell(several) if several else None
        case "list":
            return _list(field, words)
        case "text":
            return _text(field, words, header, origin)
        case _:
            return _any(words)


def _any(words: str) -> Cell:
    try:
        return Cell(json.loads(words))
    except ValueError:
        return Cell(words)


def yes_or_no(text: str) -> bool | None:
    """Whether a short answer says yes or no; None where it says more."""
    words = [one.text for one in words_of(text).words if one.is_word]
    if not words or len(words) > 6 or "but" in words:
        return None
    if words[0] in NO | {"n"}:
        return False
    return True if words[0] in YES | {"y"} and not any(word in NEGATORS for word in words) else None


def chosen(choices: tuple[Choice, ...], text: str) -> list[str]:
    """The choices that a short answer names by value, label, alias or letter, in its order; none where it denies."""
    if _LETTERS.fullmatch(text.strip().casefold()):
        places = [ord(one) - 97 for one in re.findall(r"\b[a-z]\b", text.casefold())]
        return list(dict.fromkeys(choices[at].value for at in places if at < len(choices)))
    flat = _flat(text)
    letter = re.fullmatch(r"([a-z])(?: .*)?", flat)
    if letter and re.match(r"\s*\(?[a-z]\)?(?:\s*$|\s*[).:-])", text, re.I) and ord(letter[1]) - 97 < len(choices):
        return [choices[ord(letter[1]) - 97].value]
    if any(word in NEGATORS for word in words_of(text).texts):
        return []
    found: list[tuple[int, int, str]] = []
    for choice in choices:
        for name in (choice.value, choice.label.split(":")[0], *choice.aliases):
            at = f" {flat} ".find(f" {_flat(name)} ") if name else -1
            if at >= 0:
                found.append((at, -len(name), choice.value))
    inside = {
        one
        for one in found
        for other in found
        if one != other and other[0] <= one[0] and one[0] - one[1] <= other[0] - other[1]
    }
    return list(dict.fromkeys(value for at, size, value in sorted(found) if (at, size, value) not in inside))


def _flat(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.casefold().replace("-", " ")).split())


def _whole(words: Words) -> float | None:
    """The only number of a cell, where it has one and no unit."""
    found = amounts(words)
    return found[0].low if len(found) == 1 and found[0].low == found[0].high and not found[0].unit else None


def shown(amount: Amount, header: str = "") -> dict[str, str]:
    """An amount in the form that the schemas have: the number and the unit apart."""
    number = f"{amount.low:g}" if amount.low == amount.high else f"{amount.low:g}-{amount.high:g}"
    return {"value-string": number, "units": plural(amount.unit or unit_of(header))}


def plural(unit: str) -> str:
    """The unit as it is written."""
    return unit if not unit or unit.endswith("s") else _PLURALS.get(unit, f"{unit}s")


def _quantity(field: Field, text: str, header: str) -> Cell | None:
    words = words_of(text)
    found = amounts(words)
    head = unit_in(header) or ("" if field.unit == "time" else field.unit)
    timed = field.unit == "time" or field.name == "duration"
    whole = len(found) == 1 and (found[0].first, found[0].last) == (0, len(words.texts) - 1)
    noun = len(found) == 1 and found[0].first == 0 and not found[0].unit and len(words.texts) - found[0].last <= 3
    if whole and (not timed or family_of(found[0].unit or unit_of(head)) == "time"):
        return Cell(shown(found[0], head))
    if noun and not timed:
        unit = " ".join(words.texts[found[0].last + 1 :])
        return Cell({**shown(found[0]), "units": unit})
    read = quantities.parse(text, head)
    if read.low is None and read.high is None and not read.cases:
        return None
    unit = read.unit or (read.cases[0][1].unit if read.cases else "")
    if timed and family_of(unit) != "time":
        return None
    return Cell(
        {"value-string": text, "units": ""}
        if found and found[0].unit
        else {"value-string": text, "units": plural(unit)}
    )


def unit_in(header: str) -> str:
    """The unit that a heading has, as written; empty where it has none."""
    words = re.findall(r"[A-Za-z]+", header)
    runs = (" ".join(words[at : at + size]) for size in (3, 2, 1) for at in range(len(words)))
    return next((run for run in runs if unit_of(run) and (len(run) > 1 or run in "hd") and run != "in"), "")


def _list(field: Field, text: str) -> Cell | None:
    if field.weekdays:
        days = days_of(text)
        return None if days is None else Cell(days)
    if field.name == "resources" and text.strip(" .").casefold() in _NO_RESOURCE:
        return Cell([])
    return Cell(listed(text))


def listed(text: str) -> list[str]:
    """The items of a list in one line or cell: by semicolons or lines, else by commas and "and"."""
    mark = r"[;\n]" if re.search(r"[;\n]", text.strip()) else r",(?![^()]*\))|\band\b(?![^()]*\))"
    parts = (re.sub(r"^\s*(?:and\s|[-*\u2022]\s)\s*", "", part).strip(" .\t") for part in re.split(mark, text))
    return list(dict.fromkeys(part for part in parts if part))


def _text(field: Field, text: str, header: str, origin: str) -> Cell | None:
    words = words_of(text)
    example = str(field.example)
    if re.fullmatch(r"\d{2}:\d{2}", example):
        at = clock_of(text)
        return None if at is None else Cell(at)
    if field.dated:
        return dated(words, origin) or from_start(words, header)
    return Cell(text)


def dated(words: Words, origin: str) -> Cell | None:
    """A date, with its time where it has one; put off where it counts from a start that nobody has named."""
    found = calendars(words, origin)
    times = clocks(words)
    places = [(one.first, one.last) for one in found] + [(one.first, one.last) for one in times]
    used = {at for first, last in places for at in range(first, last + 1)}
    rest = [one.text for at, one in enumerate(words.words) if at not in used and one.is_word]
    left = [text for text in rest if text not in _FILLERS]
    if not found or left:
        return None
    if not origin and any(not one.readings and one.relative for one in found):
        return Cell(state="deferred", said=words.text.strip())
    exact = [one.readings for one in found if one.weekday is None] or [one.readings for one in found]
    readings = frozenset.intersection(*exact)
    for one in found:
        readings = frozenset(day for day in readings if one.weekday in {None, date.fromisoformat(day).weekday()})
    sure = len(times) == 1 and len(times[0].readings) == 1
    if len(readings) != 1 or (times and not sure):
        return None
    time = f" {shown_time(min(times[0].readings))}" if sure else ""
    return Cell(f"{min(readings)}{time}", said=words.text.strip() if found[0].relative else "")


def from_start(words: Words, header: str) -> Cell | None:
    """A time from the start of the schedule: "5 days"."""
    found = amounts(words)
    if len(found) != 1 or found[0].last != len(words.texts) - 1:
        return None
    unit = found[0].unit or unit_of(unit_in(header))
    text = shown(found[0])["value-string"]
    return Cell(f"{text} {plural(unit)}") if family_of(unit) == "time" else None
