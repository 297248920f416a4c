"""Read a quantity as people write it: numbers, ranges, units, rates, sums and cases.

Nothing is guessed: words without a number give a `Quantity` without bounds,
and parts that no single number can hold become separate cases.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve

from packhorse_discovery.domain.case.quantity import Quantity, Unit
from packhorse_discovery.domain.case.units import UNITS, factor, family_of, unit_of

UNIT = "|".join(sorted((re.escape(word).replace(r"\ ", r"[\s-]") for word in UNITS), key=len, reverse=True))
NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+[\s-]+[1-9]/[1-9]\d?|[1-9]/[1-9]\d?|\d+(?!\d*/\d)(?:\.\d+)?|\.\d+)"
_UNIT_AFTER = rf"(?:\s*-?\s*(?P<unit{{n}}>{UNIT})(?![\w%]))"
_ABOUT = r"(?P<about>~|≈|about|around|roughly|approximately|approx\.?|circa|ca\.|nearly|almost|typically|usually|some)"
_LOWER = r"at least|not? less than|over|more than|minimum(?: of)?|>=|\u2265|>"
_UPPER = r"at most|up to|not? (?:more|longer) than|less than|under|max(?:imum)?(?: of)?|<=|\u2264|<"
_LOW = rf"(?P<low>(?<![\w.,/:]){NUMBER})(?!:\d)(?P<plus>\+)?" + _UNIT_AFTER.format(n=1)
_HIGH = rf"[$\u20ac\u00a3]?(?P<high>{NUMBER})(?P<plus2>\+)?" + _UNIT_AFTER.format(n=2)
_TO = r"\s*(?:-|\u2013|\u2014|to|and|or|\.\.\.?)\s*(?:~|about\s+)?"
_FROM = rf"(?:(?P<lower>{_LOWER})|(?P<upper>{_UPPER})|between|from)?\s*(?:(?<![\w])[$\u20ac\u00a3])?"
_RANGE = re.compile(rf"(?:{_ABOUT}\s*)?{_FROM}{_LOW}?(?:{_TO}{_HIGH}?)?(?!\w|,\d)", re.IGNORECASE)
_PLAIN = re.compile(r"[~\u2248]?\s*[\d.]+(?:\s*[-\u2013\u2014]\s*[\d.]+)?\s*[A-Za-z]*")
"""One number or range in figures: the common case."""
_HOURS = re.compile(r"(?<![\d:])(\d{1,2})(?:\s?h\s?|:(?=\d\d\s*h))([0-5]\d)(?:\s*h\b)?(?![\d:])", re.IGNORECASE)
"""``1h10``, ``1:30 h``."""
_SPOKEN = re.compile(r"\b(?:an? (?:\w+ )?(?:hour|day|week)|half|quarters?|couple|dozen)\b", re.IGNORECASE)
_MORE = re.compile(r"(?!\s*(?:per\b|each\b|for\b|/\s*[a-z])).*\d", re.IGNORECASE | re.DOTALL)
"""What goes on with a number that the first one does not hold: "14 \u00b1 2 min", "3 x 20 minutes"."""
_ISO = re.compile(r"^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?)?$")
_WHOLE = re.compile(rf"(?:a (?:good )?)?{_RANGE.pattern}(?:\s*(?:per|each|/).*)?", re.IGNORECASE)
_NO_NOUN = r"(?!(?:for|if|when|to|in|on|and|with|depending)\b|door)"
_WHAT = rf"(?P<what>[A-Za-z][\w-]*(?:\s+{_NO_NOUN}[A-Za-z][\w-]*)?)"
_PER = re.compile(rf"(?:\bper\b|\beach\b|^\s*/)\s*(?P<count>~?\s*\d[\d,.\u2013-]*)?[\s-]*{_WHAT}", re.IGNORECASE)
_ASIDE = re.compile(r"\bif\b|\bwhen\b|\bunless\b|\bsetup\b|\bset-up\b|\bchangeover\b|\bqueue\b|\bwait\b", re.IGNORECASE)
_SETUP = re.compile(r"\bset-?up\b|\bchange-?over\b", re.IGNORECASE)
_VARIES = re.compile(
    r"^\s*(?:it|this|that)?\s*(?:varies|depends|variable|differs|it's different|inline\b(?!\s*\d))", re.IGNORECASE
)
_PARENS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


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
    for piece in re.split(r"\s\+\s*(?=[~\d])|\bplus\b(?=\s*[~\d])", _figures(text) or ""):
        matches = list(_matches(piece))
        if not matches:
            continue
        if _MORE.match(piece, matches[0].end()):
            return None
        quantity = _from(matches[0], piece.strip(), declared, per, rest=piece[matches[0].end() :])
        if total_so_far is None:
            total_so_far = quantity
            continue
        if _ASIDE.search(piece) or quantity.per != total_so_far.per:
            continue
        total_so_far = _add(total_so_far, quantity) or total_so_far
    return total_so_far


def _figures(text: str) -> str | None:
    """``text`` with its amounts in figures, "1 h 30" as 1.5 hours; None where words say more than one amount."""
    if _PLAIN.fullmatch(text.strip()):
        return text
    from packhorse_discovery.domain.reading.amounts import amounts, number_words  # loads with the first text in words
    from packhorse_discovery.domain.reading.words import words_of

    answer, flat, at = words_of(_HOURS.sub(r"\1 h \2", text)), "", 0
    for one in amounts(answer):
        if one.unit and not one.ordinal:
            number = f"{one.low:.17g}" if one.low == one.high else f"{one.low:.17g}-{one.high:.17g}"
            flat += f"{answer.text[at : answer.words[one.first].start]}{number} {one.unit}"
            at = answer.words[one.last].end
    flat += answer.text[at:]
    in_words = any(not ordinal for *_, ordinal in number_words(answer.texts)) or _SPOKEN.search(text)
    return flat if not in_words or _WHOLE.fullmatch(flat.strip(" .")) else None


def _value(written: str) -> float:
    """The number that figures stand for; thousands and fractions are read."""
    whole, _, part = written.replace(",", "").replace("-", " ").strip().rpartition(" ")
    return float(Fraction(part)) + (float(whole) if whole else 0.0)


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
    if high is not None and own and own != unit and (into := factor(unit, own)) is not None:
        if into > 1:  # "50 minutes to an hour" is told in the finer of the two
            high, unit = high * into, own
        else:
            low /= into
    ends: tuple[float | None, float | None] = (low, low if high is None else max(low, high))
    if high is None:
        if match["lower"] or match["plus"]:
            ends = (low, None)
        elif match["upper"]:
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
