"""A-numbers, ZIP codes and years in a sentence."""

import re

from attrs import frozen

from packhorse_locator.domain.alien_numbers import canonical
from packhorse_locator.domain.query.parsed import Entity

_DIGITS = re.compile(r"(?<![\w/])([Aa](?:[-\s]?(?:[Nn]umber|[Nn]um))?[\s#.:/-]*)?#?(\d(?:[\s.-]{0,2}\d)*)(?!\w)")
_FEWEST, _MOST = 7, 9
_FEWEST_WRITTEN = 2
"""Digits from which on anything is a number of some kind."""
_AREA = re.compile(r"\((\d{2,3})\)(?=\W{0,2}\d)")
"""Digits in brackets, as telephone numbers begin."""
_SOCIAL = re.compile(r"\d{3}-\d{2}-\d{3,4}")
"""How social security numbers are written, also with a digit lost."""
_OF_OTHERS = re.compile(
    r"\b(?:ssn|social|receipt|recibo|phone|cell|tel|telephone|telefono|tel\u00e9fono|celular|whatsapp|docket|call)\b\D{0,20}$",
    re.IGNORECASE,
)
"""What stands before a number of another kind."""
_OF_CASES = re.compile(
    r"\b(?:case|caso|file|expediente|receipt|recibo|room|cuarto|ext|extension|folio|badge|booking|docket|pin)\b\D{0,20}$",
    re.IGNORECASE,
)
"""What stands before a number of five digits that is no ZIP code."""
_YEAR = re.compile(r"19\d\d|20[0-2]\d")
_DATE = re.compile(r"(?<!\d)(?:\d{1,2}([/.-])\d{1,2}\1((?:19|20)\d\d)|((?:19|20)\d\d)([/.-])\d{1,2}\4\d{1,2})(?!\d)")

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug"
    "|sept?|oct|nov|dec|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre"
    "|diciembre"
)
_WRITTEN = re.compile(
    rf"\b(?:(?:{_MONTHS})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:de\s+|of\s+)?(?:{_MONTHS})"
    rf"\.?,?\s+(?:del?\s+|of\s+)?)((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_SHORT = re.compile(r"(?<![\d/.-])\d{1,2}([/-])\d{1,2}\1(\d\d)(?![\d/-])")
_BORN_IN = re.compile(
    r"\b(?:born|naci(?:o|\u00f3|d[oa])|dob|birth|nacimiento)\W+(?:(?:in|en|el|del|de|year|a[n\u00f1]o|the|date|is|es)\W+)*"
    r"['\u2019]?(\d\d)(?![\w/]|[.-]\d)",
    re.IGNORECASE,
)
_CENTURY = 26
"""Years written with two digits are of this century up to here."""


@frozen
class Numbers:
    """``numbers`` are A-numbers, ``wrong`` whether something is one digit or more off one."""

    numbers: tuple[Entity, ...]
    zips: tuple[Entity, ...]
    years: tuple[Entity, ...]
    wrong: bool


def numbers_in(text: str) -> Numbers:
    """All of them, by how many digits they have: 7 to 9, 5, and 4 that can be a year."""
    numbers, zips, years, wrong = [], [], [], False
    for date in _DATE.finditer(text):
        year = date[2] or date[3]
        if _YEAR.fullmatch(year):
            years.append(Entity("year", year, 0.9, date.start(), date.end()))
    years += [Entity("year", date[1], 0.9, date.start(), date.end()) for date in _WRITTEN.finditer(text)]
    short = [(date, date[2]) for date in _SHORT.finditer(text)] + [(date, date[1]) for date in _BORN_IN.finditer(text)]
    for date, digits in short:
        year = str(int(digits) + (2000 if int(digits) <= _CENTURY else 1900))
        years.append(Entity("year", year, 0.8, date.end() - 2, date.end()))
    without_dates = _AREA.sub(r" \1 ", text)
    for pattern in (_DATE, _WRITTEN, _SHORT):
        without_dates = pattern.sub(lambda found: " " * len(found.group()), without_dates)
    for match in _DIGITS.finditer(without_dates):
        with_a = match[1] is not None
        digits = re.sub(r"\D", "", match[2])
        start, end = match.span()
        if not with_a and len(digits) < _FEWEST_WRITTEN:
            continue  # "phone number 4 Otay Mesa"
        if not with_a and (_SOCIAL.fullmatch(match[2]) or _OF_OTHERS.search(without_dates[:start])):
            wrong = True
            continue
        if _FEWEST <= len(digits) <= _MOST and (with_a or len(digits) > _FEWEST):
            found = canonical(digits)
            if found is not None:
                numbers.append(Entity("alien_number", found, 0.98 if with_a else 0.93, start, end))
        elif (with_a and match[1].strip().casefold() != "a") or len(digits) > _MOST:
            wrong = True
        elif len(digits) == 5 and not with_a and not _OF_CASES.search(without_dates[:start]):
            zips.append(Entity("zip_code", digits, 0.95, start, end))
        elif len(digits) == 4 and _YEAR.fullmatch(digits) and not with_a:
            years.append(Entity("year", digits, 0.9, start, end))
        elif with_a and len(digits) >= 5:
            wrong = True
    return Numbers(tuple(numbers), tuple(zips), tuple(years), wrong)
