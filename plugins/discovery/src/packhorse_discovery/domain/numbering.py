"""What running text says once for all its items: how they are numbered, and in which unit of time their figures are."""

import re

from packhorse_discovery.domain import counting, figures
from packhorse_discovery.domain.numerals import NUMBER, UNIT, value
from packhorse_discovery.domain.quantity import Unit
from packhorse_discovery.domain.records import WORK
from packhorse_discovery.domain.units import unit_of
from packhorse_discovery.domain.worktimes import spans

_MARK = re.compile(
    rf"(?:(?<=^)|(?<=[.;:!?\n,)]))\s*(?:and\s+)?(?:"
    rf"(?:(?:step|stage|operation|station|number|no\.?)\s+(?:number\s+|no\.?\s*)?)(?P<step>\d{{1,2}}|"
    rf"{counting.CARDINAL})"
    rf"(?:\s*[.:,)\u2013\u2014-]|\s+(?:is|would be)\b(?:\s*[:,])?|(?=\s*\())"
    rf"|\(?(?P<digits>\d{{1,2}})(?:\)|[.:](?=\s+\D))"
    rf"|\(?(?P<letter>[a-h])\)"
    rf"|(?P<word>{counting.CARDINAL})\s*(?:[,:)]|\.(?=\s)|\s[\u2013\u2014-](?=\s))"
    r")\s*",
    re.IGNORECASE,
)
"""A number before an item: "1)", "(2)", "c)", "three,", "step four is"."""
_DECLARED = re.compile(
    r"(?:^|(?<=[.;:!?(\n,]))\s*(?:(?:and|all|both|everything|every|it['\u2019]?s|the|times?|figures?|numbers?|"
    r"durations?|"
    r"values?|these|those|they|given|stated|below|above|here|are|is|always|of|them|it|that|that['\u2019]s|as|said|i|"
    r"we|mean|give|so|just|my|our|always|step|steps)\s+)*"
    r"(?:(?:in\s+|=\s*|:\s*)?(?P<minutes>minutes|mins?)|(?:in|are|=)\s+(?P<longer>hours|hrs|days))\b\.?"
    r"(?!\s*(?:\d|to\b|or\b|-|later\b|after\b|before\b|ago\b))"
    r"(?:\s+(?:per|each|a|an|every|for|all|throughout|everywhere|please|unless)\b[^.;:)\n,]*|,?\s+(?:per|"
    r"each)\b[^.;:)\n]*)?"
    r"(?=\s*(?:[.;:)\n,!]|$))",
    re.IGNORECASE,
)
"""``All in minutes.``, ``times are minutes per lot:``."""
_ONE = rf"(?:{NUMBER}|{counting.CARDINAL})"
_NUMBERS = rf"(?P<many>{_ONE}(?:(?:\s*[-\u2013]\s*|\s+(?:to|or)\s+){_ONE})?)"
_CLOSED = r"(?=\s*(?:$|[,)|(]|\s[-\u2013\u2014]\s|(?:on|in|at|with|by|each|per|and|for|then)\b))"
_EXPECTED = re.compile(
    r"\b(?:takes?|taking|needs?|lasts?|requires?|it['\u2019]s)\s+(?:(?:me|us|her|him|them|about|around|another|only|"
    r"just|some|"
    rf"roughly|maybe|say|a further)\s+)*{_NUMBERS}{_CLOSED}",
    re.IGNORECASE,
)
"""``drilling takes another 14 on the drill press``."""
_ALONE = re.compile(
    r"(?:(?<=[,:])(?!\d)|(?<=[(|@=])|(?<=\s[-\u2013\u2014]))\s*"
    r"(?:(?:about|around|another|say|roughly|maybe|only|~)\s*)*"
    rf"{_NUMBERS}{_CLOSED}",
    re.IGNORECASE,
)
"""``recovery unit, 20``: a number for itself."""
_BESIDE = re.compile(r"(?P<name>[a-z-]+)\s+(?P<many>\d+(?:\s*(?:-|\u2013|to)\s*\d+)?)(?=\s*(?:$|[,(|]))", re.IGNORECASE)
"""``sanding 35 (belt sander)``: a number right after a name."""
_RATE = re.compile(r"\b(?:on|per|an?|each|every)\s+(?:about\s+)?$", re.IGNORECASE)
"""Before what is no time of work: "on a good day"."""
_LIKELY = {"minute": (4.0, 600.0), "hour": (1.0, 12.0), "day": (1.0, 30.0)}
"""Numbers beyond these are seldom told in the unit of the number before, and stay open."""


def itemised(text: str) -> str:
    """``text`` with the numbers of its items, which count up from one, as ends of sentences: "1) Cut ... 2) Bend"."""
    expected, kept = 1, []
    for match in _MARK.finditer(text):
        number = _number(match)
        if number == expected and (match["step"] or not _continues(text, match.end())):
            kept.append(match)
            expected += 1
        elif number == 1:
            kept, expected = [match], 2
    if len(kept) < 2:
        return text
    for match in reversed(kept):
        head = text[: match.start()].rstrip(" ,;:")
        mark = "" if not head or head[-1] in ".!?\n" else "."
        text = f"{head}{mark}{' ' if head else ''}{text[match.end() :]}"
    return text


def _number(match: re.Match[str]) -> int:
    """Which item a number or letter marks, from one."""
    if match["letter"]:
        return ord(match["letter"].casefold()) - ord("a") + 1
    return counting.count(match["step"] or match["digits"] or match["word"])


def _continues(text: str, at: int) -> bool:
    """Whether a number is one of what is named after it: "two saws", "1. minute"."""
    return bool(re.match(rf"(?:{UNIT})(?!\w)", text[at:], re.IGNORECASE))


def in_units(text: str) -> str:
    """``text`` with the unit of time that it declares, or that all its times before have, after each bare number.

    Where no unit is declared and the times before differ in theirs, or the
    number would be an unlikely one of that unit, it stays bare.
    """
    declared = _DECLARED.search(text)
    unit = unit_of(declared["minutes"] or declared["longer"]) if declared else ""
    if declared is not None:
        text = f"{text[: declared.start()]} {re.sub(r'^[ .:;,)!]+', '', text[declared.end() :])}".strip()
    parts = re.split(r"((?<!\d)[.](?=\s|$)|(?<=\d)[.](?=\s+\D|\s*$)|[;\n!?]+)", text)
    for at in range(0, len(parts), 2):
        parts[at] = _with_units(parts[at], unit, "".join(parts[:at]))
    return "".join(parts)


def _with_units(sentence: str, declared: Unit, before: str) -> str:
    expected, alone, beside = (list(pattern.finditer(sentence)) for pattern in (_EXPECTED, _ALONE, _BESIDE))
    if alone or not declared or spans(sentence):
        beside = [match for match in beside if WORK.match(match["name"])]
    at, done = 0, ""
    for match in sorted((*expected, *alone, *beside), key=lambda one: one.start("many")):
        start, end = match.span("many")
        told = f"{before}{done}{sentence[at:start]}"
        unit = declared or _only_unit(told)
        likely = _likely(match["many"], unit) if unit else _likely(match["many"], "minute", least=10.0)
        unit = unit or _last_unit(told)
        if start >= at and unit and (declared or likely):
            done += f"{sentence[at:end]} {unit}s"
            at = end
    return done + sentence[at:]


def with_open_time(words: str) -> str:
    """``words`` with any unit after the bare number that stands where a time would; empty where there is none."""
    match = _EXPECTED.search(words) or _ALONE.search(words)
    match = match or next((one for one in _BESIDE.finditer(words) if WORK.match(one["name"])), None)
    return f"{words[: match.end('many')]} minutes{words[match.end('many') :]}" if match else ""


def _only_unit(text: str) -> Unit:
    """The unit that every time in ``text`` has; none where there is no time, or they differ."""
    flat = figures.digits(text)
    units = {one.quantity.unit for one in spans(flat) if not _RATE.search(flat[: one.start])}
    return units.pop() if len(units) == 1 else ""


def _last_unit(text: str) -> Unit:
    """The unit of the last time in ``text``, where it is minutes: what is told in hours may be followed by either."""
    flat = figures.digits(text)
    units = [one.quantity.unit for one in spans(flat) if not _RATE.search(flat[: one.start])]
    return "minute" if units[-1:] == ["minute"] else ""


def _likely(many: str, unit: Unit, *, least: float = 0.0) -> bool:
    lowest, most = _LIKELY.get(unit, (0.0, 0.0))
    least = max(least, lowest)
    return all(
        least <= (figures.number(one) or 0.0 if re.match("[a-z]", one, re.IGNORECASE) else value(one)) <= most
        for one in re.split(r"\s*(?:-|\u2013|\bto\b|\bor\b)\s*", many)
    )
