"""Cells of a ward's tables, as people write them: what a text says of a number, limits, a list, a day off, somebody."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from datetime import time, timedelta
from typing import Any

from packhorse_scheduling.convert.files.tables import text_of
from packhorse_scheduling.domain.grids.dates import mark_of
from packhorse_scheduling.domain.wards.question import ANY, OFF

Read = Callable[[str], Any]
"""What a cell's text says; a ValueError words what it must be."""

_FIGURE = re.compile(r"\d+(?:[.,]\d+)?")
_UNIT = re.compile(r"\s*(?:h|hrs?|hours?|days?)\.?$", re.IGNORECASE)
_MOST = re.compile(r"(?:at most|up to|max(?:imum)?\.?|<=|\u2264)\s*", re.IGNORECASE)
_LEAST = re.compile(r"(?:at least|min(?:imum)?\.?|>=|\u2265)\s*", re.IGNORECASE)
_SPAN = re.compile(r"(\d+(?:[.,]\d+)?)?\s*([-\u2013\u2014])?\s*(\d+(?:[.,]\d+)?)?")
_YES, _NO = ("yes", "y", "true", "x", "1", "ja"), ("no", "n", "false", "0", "nein")
_CLOCK = re.compile(r"(\d{1,2})(?:\s*[:.h]?\s*(\d{2})(?:[:.]00)?)?\s*(?:([ap])\.?m\.?|h|uhr|o'?clock)?")
_WEEKDAY = re.compile(r"^(?:mo|tu|we|th|fr|sa|su|di|mi|do|so)[a-z]*[.,]*\s+", re.IGNORECASE)
_ORDINAL = re.compile(r"^(\d{1,2})\.\s*(?=[^\W\d])")
_MONTHS = {"jän": "jan", "mär": "mar", "mrz": "mar", "mae": "mar", "mai": "may", "okt": "oct", "dez": "dec",
           "jan": "jan", "feb": "feb", "jun": "jun", "jul": "jul"}  # fmt: skip
_MONTH = re.compile(
    r"(?<!\w)(j[aä]n(?:uar|ner)?|feb(?:ruar)?|m(?:är|ae|r)z?|mai|juni|juli|okt(?:ober)?|dez(?:ember)?)(?!\w)",
    re.IGNORECASE,
)
"""Months in German; those that are the same in English are left."""
_SHORT_DATE = re.compile(r"(?<![\d./])\d{1,2}([./])\s?\d{1,2}\1\s?\d{2,4}(?!\d)")
_OFFS = ("off", "day off", "free", "frei", "rest", "\u2013", "\u2014")


def as_text(cell: str) -> str:
    """The text itself."""
    return cell


def as_list(cell: str) -> list[str]:
    """E; L or E, L."""
    return [part.strip() for part in re.split("[;,]", cell) if part.strip()]


def as_pattern(cell: str) -> list[str]:
    """N - E."""
    return cell.split()


def as_number(cell: str) -> int | float:
    """37.5, 37,5 or 37.5 h."""
    try:
        number = float(_UNIT.sub("", cell).replace(",", "."))
    except ValueError:
        raise ValueError("must be a number") from None
    return int(number) if number.is_integer() else number


def as_share(cell: str) -> int | float:
    """60 or 60 %; a spreadsheet has 0.6 where it shows 60 %, and 1 for 100 %."""
    number = as_number(cell.removesuffix("%").strip())
    return round(100 * number) if number <= 1 and "%" not in cell else number


def as_span(cell: str) -> list[int | float | None]:
    """2-5, 2 to 5, 2-, min 2, -5, at most 5; 5 alone is both."""
    words = _MOST.sub("-", _LEAST.sub("", cell) + "-" if _LEAST.match(cell) else cell)
    found = _SPAN.fullmatch(_UNIT.sub("", re.sub(r"\s+to\s+", "-", words)))
    if not found or not (found[1] or found[3]):
        raise ValueError("must be limits such as 2-5, 2- or -5")
    low, high = (None if one is None else as_number(one) for one in (found[1], found[3]))
    return [low, high if found[2] else low]


def as_yes(cell: str) -> bool:
    """Yes or no."""
    if cell.lower() not in (*_YES, *_NO):
        raise ValueError("must be yes or no")
    return cell.lower() in _YES


def as_map(item: Read) -> Read:
    """N=2-3; D=6."""

    def read(cell: str) -> dict[str, Any]:
        found = {}
        for part in as_list(cell):
            key, sign, value = (piece.strip() for piece in part.replace(":", "=", 1).partition("="))
            if not sign or key in found:
                raise ValueError(f"{part[:20]!r} must be a name, = and a value")
            found[key] = item(value)
        return found

    return read


def as_clock(cell: str) -> str:
    """7:00, 07:00:00, 0700, 7am, 7.30 pm, 7 Uhr; 24:00 is the midnight that ends a day."""
    found = _CLOCK.fullmatch(cell.lower())
    hours, minutes = (int(found[1]), int(found[2] or 0)) if found else (99, 0)
    half = found[3] if found else None
    if half:
        hours = hours % 12 + (12 if half == "p" else 0) if 1 <= hours <= 12 else 99
    if hours > 24 or minutes > 59 or (hours == 24 and minutes):
        raise ValueError("must be a time such as 07:00")
    return f"{hours % 24:02}:{minutes:02}"


def as_date(cell: str) -> str:
    """2027-01-04, 4.1.2027, 4 January 2027, Jan 4, 2027, Mo 4. Januar 2027; 13/1/2027, but not 4/1/2027."""
    words = _MONTH.sub(_english, _ORDINAL.sub(r"\1 ", _WEEKDAY.sub("", cell)))
    mark = mark_of(int(cell) if cell.isdigit() else words)
    token = None if mark is None or mark.last is not None else mark.first
    if token is None or token.year is None:
        raise ValueError("must be a date such as 2027-01-04")
    found = {token.on(token.year, day_first=day_first) for day_first in ([True] if "." in cell else [True, False])}
    days = sorted(day for day in found if day is not None)
    if len(days) > 1:
        raise ValueError(f"can mean {days[0]} or {days[1]}: write the date in one of these forms")
    if not days:
        raise ValueError("is not a day of the calendar")
    return days[0].isoformat()


def _english(month: re.Match[str]) -> str:
    return _MONTHS[month[1].lower()[:3]]


def as_days(cell: str) -> str:
    """As it is, with its dates as 2027-01-04."""
    return _SHORT_DATE.sub(lambda found: as_date(found[0]), cell)


def cell_text(value: Any) -> str:
    """A cell as text, blanks as one; a spreadsheet's clock time as hours and minutes."""
    if isinstance(value, time):
        return f"{value.hour:02}:{value.minute:02}"
    if isinstance(value, timedelta):
        minutes = int(value.total_seconds()) // 60
        return f"{minutes // 60:02}:{minutes % 60:02}"
    return " ".join(unicodedata.normalize("NFC", text_of(value)).split())


def column_name(head: Any) -> str:
    """The name of a column, however its words are parted."""
    return re.sub(r"[\s_-]+", "_", cell_text(head).lower())


class Known:
    """Shifts, people and skills that the tables define, as other cells write them."""

    def __init__(self, shifts: Iterable[Mapping[str, Any]], people: Iterable[Mapping[str, Any]]) -> None:
        staff = [row for row in people if "key" in row]
        self.shifts = _spelt([(row["key"], row["key"]) for row in shifts if "key" in row])
        self.people = _spelt([(row["key"], row["key"]) for row in staff])
        self.names = _spelt([(row.get("name", ""), row["key"]) for row in staff])
        skills = dict.fromkeys(skill for row in staff for skill in row.get("skills", ()))
        self.skills = _spelt([(skill, skill) for skill in skills])

    def shift(self, cell: str) -> str:
        """The key of a shift in the case that it has, - for a day off, * for any, or else the cell as it is."""
        if cell in self.shifts.values():
            return cell
        word = cell.casefold()
        return self.shifts.get(word) or (OFF if word in _OFFS else ANY if word == "any" else cell)

    def person(self, cell: str) -> str:
        """The key of somebody who is written by key or name, or the cell as it is."""
        if cell in self.people.values():
            return cell
        return self.people.get(cell.casefold()) or self.names.get(cell.casefold()) or cell

    def is_total(self, head: str, cells: Iterable[str]) -> bool:
        """Whether a row of a grid is nobody's, and has figures, none of which is a shift: a sum below the people."""
        figures = [cell for cell in cells if cell]
        return (
            self.person(head) not in self.people.values()
            and bool(figures)
            and all(_FIGURE.fullmatch(cell) and self.shift(cell) not in self.shifts.values() for cell in figures)
        )

    def skill(self, cell: str) -> str:
        """The skill in the case that people's rows have, or the cell as it is."""
        return cell if cell in self.skills.values() else self.skills.get(cell.casefold(), cell)


def _spelt(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Keys by spelling, where no two are spelt alike but for case."""
    words = [word.casefold() for word, _ in pairs]
    return {word: key for word, (_, key) in zip(words, pairs, strict=True) if words.count(word) == 1}
