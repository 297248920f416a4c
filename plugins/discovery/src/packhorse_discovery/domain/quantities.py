"""Read a quantity as people write it: numbers, ranges, units, rates, sums and cases.

Nothing is guessed: words without a number give a `Quantity` without bounds,
and parts that cannot be one number are kept apart as cases.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve, frozen

from packhorse_discovery.domain.quantity import Quantity, Unit
from packhorse_discovery.domain.units import UNITS, factor, family_of, unit_of

_WORDS = {
    "half an": "0.5", "half a": "0.5", "a half": "0.5", "half": "0.5", "a quarter of an": "0.25",
    "quarter of an": "0.25", "a quarter": "0.25", "quarter": "0.25",
    "three quarters of an": "0.75", "three-quarters of an": "0.75", "three quarters": "0.75",
    "a couple of": "2", "a couple": "2", "a dozen": "12", "an": "1", "a": "1",
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30",
    "thirteen": "13", "fourteen": "14", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19",
    "twenty-five": "25", "thirty-five": "35", "forty": "40", "forty-five": "45", "fifty": "50", "fifty-five": "55",
    "sixty": "60", "seventy": "70", "seventy-five": "75", "eighty": "80", "ninety": "90", "a hundred": "100",
}  # fmt: skip
_UNIT = "|".join(sorted((re.escape(word).replace(r"\ ", r"[\s-]") for word in UNITS), key=len, reverse=True))
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\s+\d/0*[1-9]\d*|\d+/0*[1-9]\d*|\d+(?!\d*/\d)(?:\.\d+)?|\.\d+)"
_UNIT_AFTER = rf"(?:\s*-?\s*(?P<unit{{n}}>{_UNIT})(?![\w%]))"
_ABOUT = r"(?P<about>~|≈|about|around|roughly|approximately|approx\.?|circa|ca\.|nearly|almost|typically|usually|some)"
_RANGE = re.compile(
    rf"(?:{_ABOUT}\s*)?"
    r"(?P<bound>at least|at most|up to|no more than|less than|under|over|more than|minimum(?: of)?|"
    r"max(?:imum)?(?: of)?|between|from|>=|<=|≥|≤|>|<)?\s*(?:(?<![\w])[$€£])?"
    rf"(?P<low>(?<![\w.,/:]){_NUMBER})(?!:\d)(?P<plus>\+)?"
    + _UNIT_AFTER.format(n=1)
    + r"?(?:\s*(?:-|\u2013|\u2014|to|and|or|\.\.\.?)\s*(?:~|about\s+)?[$€£]?"
    + rf"(?P<high>{_NUMBER})(?P<plus2>\+)?"
    + _UNIT_AFTER.format(n=2)
    + r"?)?(?!\w|,\d)",
    re.IGNORECASE,
)
_CLOCK_PAIR = re.compile(r"\b(\d+)\s*(h|hr|hrs|hours?)\s*(?:and\s+)?(\d+)\s*(m|min|mins|minutes?)\b", re.IGNORECASE)
_GLUED = re.compile(r"\b(\d{1,2})(?:h|\s+(?:h|hrs?|hours?)\s+)([0-5]\d)(?![\w.%/-])(?!\s+[a-z])", re.IGNORECASE)
"""``1h10``, ``1 h 20``: the minutes after the hours."""
_AT_LEAST_AND = re.compile(
    rf"\b(at least|min(?:imum)?|no less than)\s+({_NUMBER})(?:\s+(?:{_UNIT}))?\s*(?:,|and|but|to)\s*(?:and\s+)?"
    rf"(at most|max(?:imum)?|no more than|up to)\s+({_NUMBER})\s+({_UNIT})(?!\w)",
    re.IGNORECASE,
)
"""``at least 35 and at most 50 minutes``: a range."""
_NEVER = re.compile(
    r"\b(?:takes?|lasts?|needs?|is|runs?)?\s*\bnever\s+(?:takes?\s+|lasts?\s+|needs?\s+|is\s+|runs?\s+|goes\s+)?"
    r"(less|shorter|under|fewer|more|longer|over)(?:\s+than)?(?=\s)",
    re.IGNORECASE,
)
_MOST = frozenset({"longest", "most", "very most"})
_LONGEST = re.compile(
    rf"\bat the (longest|most|very most|shortest|least|quickest)\b,?([^.;\d]{{0,60}}?)((?:about )?{_NUMBER})",
    re.IGNORECASE,
)
"""``at the longest, burn-in is 140 minutes``: a bound."""
_TIMES = re.compile(
    r"\b(\d+)\s*[x\u00d7]\s*(\d+(?:\.\d+)?)(?=\s*(?:s|sec|secs|min|mins|h|hr|hrs|minutes?|hours?|days?)\b)"
)
_ISO = re.compile(r"^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?)?$")
_AND_PART = re.compile(
    r"\b(\d+|an?|one|two|three|four|five)(\s+\w+)?\s+and\s+(a\s+half|half|a\s+quarter|three[\s-]quarters)\b(?!\s+(?:of\s+)?an?\b)"
    r"(\s+\w+)?",
    re.IGNORECASE,
)
_PARTS = {"half": 0.5, "a half": 0.5, "a quarter": 0.25, "three quarters": 0.75, "three-quarters": 0.75}
_HOUR_AND = re.compile(
    rf"\b(an|one|two|three|four|five|\d+)\s+hours?\s+(?:and\s+)?(?:a\s+)?(five|ten|fifteen|twenty|twenty-five|thirty|forty|"
    rf"forty-five|fifty|\d{{1,2}})\b(?!\s*-?\s*(?:{_UNIT})(?![\w%]))(?=\s*(?:$|[.,;:)]|\b(?:in|on|at|for)\b))",
    re.IGNORECASE,
)
"""``an hour and ten``: minutes, since nothing else is said."""
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ONES = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_COMPOUND = re.compile(rf"\b({'|'.join(_TENS)})[\s-]({'|'.join(_ONES)})\b", re.IGNORECASE)
"""``twenty-two``."""
_QUARTERS = re.compile(r"\b(two|four|five|six|seven)[\s-]quarters of an hour\b", re.IGNORECASE)
_TOLERANCE = re.compile(
    rf"({_NUMBER})\s*({_UNIT})?\s*,?\s*(?:±|\+/?-|\+/\u2212|\bplus(?:-| or )minus\b|\bgive or take\b)\s*(?:about\s+)?"
    rf"({_NUMBER})\s*({_UNIT})?(?![\w%])",
    re.IGNORECASE,
)
"""``14 ± 2 min``: a range about its middle."""
_PER = re.compile(
    r"(?:\bper\b|\beach\b|^\s*/)\s*(?P<count>~?\s*\d[\d,.\u2013-]*)?[\s-]*"
    r"(?P<what>[A-Za-z][\w-]*(?:\s+(?!for\b|if\b|when\b|to\b|in\b|on\b|and\b|with\b|depending\b|door)[A-Za-z][\w-]*)?)",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\bif\b|\bwhen\b|\bunless\b|\bsetup\b|\bset-up\b|\bchangeover\b|\bqueue\b|\bwait\b", re.IGNORECASE)
_SETUP = re.compile(r"\bset-?up\b|\bchange-?over\b", re.IGNORECASE)
_VARIES = re.compile(
    r"^\s*(?:it|this|that)?\s*(?:varies|depends|variable|differs|it's different|inline\b(?!\s*\d))", re.IGNORECASE
)
_PARENS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


@frozen
class Found:
    """A quantity inside a longer text, and where: ``start`` and ``end`` count characters."""

    quantity: Quantity
    start: int
    end: int


def parse(text: str, units: str = "") -> Quantity:
    """What ``text`` says; ``units`` holds for numbers that bring no unit of their own ("min/part" is a rate).

    The text comes back as it was. Bounds are None where it has no number that stands for the whole.
    """
    declared, per = _declared(units)
    whole = _PARENS.sub(" ", text)
    if not whole.strip():
        whole = text.strip("()[] ")
    if _VARIES.match(whole) or units.strip().casefold() in {"note", "notes"}:
        return Quantity(text, setup=_setup(whole, declared))
    parts = [part for part in re.split(r";|\n|(?<=\w)\s+or\s+(?=[a-z]+\s+\d)", whole) if part.strip()]
    read = [(_label(part), part, _sum(part, declared, per)) for part in parts]
    spoken = [(label, part, q) for label, part, q in read if q is not None]
    main = [(label, q) for label, part, q in spoken if not _SETUP.search(part.split("+")[0])]
    setup = _setup(whole, declared)
    if not main or (len(parts) > 1 and len(spoken) < len(parts) and not _starts_with_number(parts[0])):
        return Quantity(text, setup=setup)
    if len(main) == 1:
        return evolve(main[0][1], text=text, setup=setup)
    return Quantity(text, cases=tuple((label, q) for label, q in main), setup=setup)


def find(text: str) -> list[Found]:
    """The quantities with a unit that stand in ``text``, in order."""
    found: list[Found] = []
    flat = digits(text)
    for match in _matches(flat):
        quantity = _from(match, flat[match.start() : match.end()], "", None)
        if quantity.unit:
            found.append(Found(quantity, match.start(), match.end()))
    return found


def first_duration(text: str) -> Quantity | None:
    """The first span of time in ``text``, with sums and rates read as in `parse`; None where there is none."""
    for match in _matches(digits(text)):
        if family_of(_unit_in(match)) == "time":
            quantity = parse(text)
            if quantity.low is not None and family_of(quantity.unit) == "time":
                return quantity
            return _from(match, match.group(), "", None)
    return None


def number(text: str) -> float | None:
    """The only number in ``text`` (thousands, fractions and number words are read); None where there is not one."""
    if text.strip(" .").casefold() in _WORDS:
        return float(_WORDS[text.strip(" .").casefold()])
    found = [match for match in _matches(digits(text)) if not match["high"]]
    return _value(found[0]["low"]) if len(found) == 1 else None


def _declared(units: str) -> tuple[Unit, str | None]:
    """``min/part`` is minutes per part; ``hL packaged beer per run`` hectolitres per run."""
    head, _, basis = units.replace(" per ", "/").partition("/")
    unit = unit_of(head) or unit_of(head.split(" ")[0] if head.strip() else "")
    return unit, basis.strip() or None


def _starts_with_number(text: str) -> bool:
    return bool(re.match(r"\s*[~≈]?\s*\d", text))


def _setup(text: str, declared: Unit) -> Quantity | None:
    for piece in re.split(r";|\+|,", text):
        if _SETUP.search(piece):
            matches = list(_matches(piece))
            if matches:
                quantity = _from(matches[0], piece.strip(), declared, None)
                return quantity if family_of(quantity.unit) == "time" else None
    return None


def _sum(text: str, declared: Unit, per: str | None) -> Quantity | None:
    """A part: one number or range, or several joined by ``+``; what is said apart (setup, if, when) is left out."""
    iso = _ISO.match(text.strip())
    if iso and any(iso.groups()):
        days, hours, minutes = (float(group or 0) for group in iso.groups())
        total = days * 1440 + hours * 60 + minutes
        return Quantity(text, low=total, high=total, unit="minute")
    _head, colon, tail = text.partition(": ")
    if colon and _RANGE.search(tail):
        text = tail
    total_so_far: Quantity | None = None
    for piece in re.split(r"\s\+\s*(?=[~\d])|\bplus\b(?=\s*[~\d])", digits(text)):
        matches = list(_matches(piece))
        if not matches:
            continue
        quantity = _from(matches[0], piece.strip(), declared, per, rest=piece[matches[0].end() :])
        if total_so_far is None:
            total_so_far = quantity
            continue
        if _ASIDE.search(piece) or quantity.per != total_so_far.per:
            continue
        total_so_far = _add(total_so_far, quantity) or total_so_far
    return total_so_far


def _add(first: Quantity, second: Quantity) -> Quantity | None:
    into = factor(second.unit, first.unit)
    if into is None or None in (first.low, first.high, second.low, second.high):
        return None
    if into < 1:  # the larger unit is the one to keep: 30 min + 2 days is days
        other = second.scaled(into)
        unit, left = first.unit, first
    else:
        other, unit = second, second.unit
        left = first.scaled(1 / into)
    low, high = (left.low or 0) + (other.low or 0), (left.high or 0) + (other.high or 0)
    return evolve(left, low=low, high=high, mode=None, unit=unit, approximate=first.approximate or second.approximate)


def _from(match: re.Match[str], text: str, declared: Unit, per: str | None, rest: str | None = None) -> Quantity:
    low = _value(match["low"])
    high = _value(match["high"]) if match["high"] else None
    unit = _unit_in(match) or declared
    own = unit_of(match["unit1"] or "")
    if high is not None and own and own != unit and (into := factor(own, unit)) is not None:
        low *= into
    bound = (match["bound"] or "").casefold()
    ends: tuple[float | None, float | None] = (low, low if high is None else max(low, high))
    if high is None:
        if bound in {"at least", "over", "more than", ">=", "≥", ">"} or bound.startswith("minimum") or match["plus"]:
            ends = (low, None)
        elif bound in {"at most", "up to", "no more than", "less than", "under", "<=", "≤", "<"} or bound[:3] == "max":
            ends = (None, low)
    elif high < low:
        ends = (high, low)
    inverted = high is not None and high < low
    basis, count = _basis(rest if rest is not None else "")
    return Quantity(
        text,
        low=ends[0],
        high=ends[1],
        unit=unit,
        per=basis or per,
        per_count=count,
        approximate=bool(match["about"]) or "~" in match.group(),
        inverted=inverted,
    )


def _basis(rest: str) -> tuple[str | None, float | None]:
    match = _PER.search(rest[:60]) if rest else None
    if match is None:
        return None, None
    count = re.sub(r"[~,\s]", "", match["count"] or "").rstrip("-\u2013.")
    return match["what"].strip().casefold(), float(count) if re.fullmatch(r"\d+(\.\d+)?", count) else None


def _unit_in(match: re.Match[str]) -> Unit:
    return unit_of(match["unit2"] or match["unit1"] or "")


def _matches(text: str) -> Iterator[re.Match[str]]:
    return _RANGE.finditer(text)


def _label(part: str) -> str:
    match = _RANGE.search(part)
    words = part[: match.start()] if match else part
    return words.strip(" :,-\u2013\u2014~\t*").removesuffix(" takes").removesuffix(" is")


def digits(text: str) -> str:
    """``text`` with its times in digits: "1 h 30 min" and "1h30" in minutes, "two and a half hours" as 2.5 hours.

    What `find` gives as places are places in this.
    """
    text = _COMPOUND.sub(lambda m: str(_TENS[m[1].casefold()] + _ONES[m[2].casefold()]), text)
    text = _QUARTERS.sub(lambda m: f"{15 * _small(m[1]):g} minutes", text)
    text = _AT_LEAST_AND.sub(r"\2-\4 \5", text)
    text = _NEVER.sub(
        lambda m: "at least" if m[1].casefold() in {"less", "shorter", "under", "fewer"} else "at most", text
    )
    text = _LONGEST.sub(lambda m: f"{m[2]}{'at most' if m[1].casefold() in _MOST else 'at least'} {m[3]}", text)
    text = _GLUED.sub(lambda m: f"{int(m[1]) * 60 + int(m[2])} minutes", text)
    text = _CLOCK_PAIR.sub(lambda m: f"{int(m[1]) * 60 + int(m[3])} minutes", text)

    def half(match: re.Match[str]) -> str:
        count = float(_WORDS.get(match[1].casefold(), match[1]))
        part = _PARTS[" ".join(match[3].casefold().split())]
        unit = match[2] or match[4] or ""
        return f"{count + part:g}{unit}" + ((match[4] or "") if match[2] else "")

    text = _HOUR_AND.sub(lambda m: f"{60 * _small(m[1]) + _small(m[2]):g} minutes", text)
    text = _AND_PART.sub(half, text)
    text = _TIMES.sub(lambda m: f"{int(m[1]) * float(m[2]):g}", text)
    words = "|".join(sorted(_WORDS, key=len, reverse=True))
    pair = rf"\b({words})\b(?=\s+(?:(?:to|or|and)\s+(?:{words}|\d+)\s+)?(?:{_UNIT})(?!\w))"
    text = re.sub(pair, lambda m: _WORDS[m[1].casefold()], text, flags=re.IGNORECASE)
    text = _CLOCK_PAIR.sub(lambda m: f"{int(m[1]) * 60 + int(m[3])} minutes", text)
    return _TOLERANCE.sub(_within, text)


def _within(match: re.Match[str]) -> str:
    """The range that a middle and its tolerance mean, in the unit of the tolerance; the words where it is none."""
    middle, spread = _value(match[1]), _value(match[3])
    unit = match[4] or match[2] or ""
    into = factor(unit_of(match[2]), unit_of(unit)) if match[2] else 1.0
    if into is None or spread > middle * into:
        return match[0]
    return f"{middle * into - spread:g}-{middle * into + spread:g} {unit}".strip()


def _small(word: str) -> float:
    return float(_WORDS.get(word.casefold(), word))


def _value(written: str) -> float:
    written = written.replace(",", "").strip()
    whole, _, part = written.rpartition(" ")
    if "/" in part:
        return float(Fraction(part)) + (float(whole) if whole else 0.0)
    return float(written)
