"""Cells of a ward's tables, as people write them: what a text says of a number, limits, a list, a day off, somebody."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, time, timedelta
from typing import Any

from packhorse_scheduling.convert.files.tables import text_of
from packhorse_scheduling.domain.wards.question import ANY, OFF

Read = Callable[[str], Any]
"""What a cell's text says; a ValueError words what it must be."""

_UNIT = re.compile(r"\s*(?:h|hrs?|hours?|days?)\.?$", re.IGNORECASE)
_MOST = re.compile(r"(?:at most|up to|max(?:imum)?\.?|<=|\u2264)\s*", re.IGNORECASE)
_LEAST = re.compile(r"(?:at least|min(?:imum)?\.?|>=|\u2265)\s*", re.IGNORECASE)
_SPAN = re.compile(r"(\d+(?:[.,]\d+)?)?\s*([-\u2013\u2014])?\s*(\d+(?:[.,]\d+)?)?")
_YES, _NO = ("yes", "y", "true", "x", "1"), ("no", "n", "false", "0")
_OFFS = ("off", "day off", "free", "rest", "\u2013", "\u2014")


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
    """60 or 60 %; a spreadsheet has 0.6 where it shows 60 %."""
    number = as_number(cell.removesuffix("%").strip())
    return round(100 * number) if number < 1 and "%" not in cell else number


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
    """7:00 or 07:00:00."""
    found = re.fullmatch(r"(\d{1,2}):(\d{2})(:00)?", cell)
    if not found:
        raise ValueError("must be a time such as 07:00")
    return f"{int(found[1]):02}:{found[2]}"


def as_date(cell: str) -> str:
    """2027-01-04."""
    try:
        return date.fromisoformat(cell).isoformat()
    except ValueError:
        raise ValueError("must be a date such as 2027-01-04") from None


def cell_text(value: Any) -> str:
    """A cell as text; a spreadsheet's clock time as hours and minutes."""
    if isinstance(value, time):
        return f"{value.hour:02}:{value.minute:02}"
    if isinstance(value, timedelta):
        minutes = int(value.total_seconds()) // 60
        return f"{minutes // 60:02}:{minutes % 60:02}"
    return text_of(value)


def column_name(head: Any) -> str:
    """The name of a column, however its words are parted."""
    return re.sub(r"[\s_-]+", "_", text_of(head).strip().lower())


class Known:
    """Shifts and people that the tables define, as other cells write them."""

    def __init__(self, shifts: Iterable[Mapping[str, Any]], people: Iterable[Mapping[str, Any]]) -> None:
        staff = [row for row in people if "key" in row]
        self.shifts = _spelt([(row["key"], row["key"]) for row in shifts if "key" in row])
        self.people = _spelt([(row["key"], row["key"]) for row in staff])
        self.names = _spelt([(row.get("name", ""), row["key"]) for row in staff])

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


def _spelt(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Keys by spelling, where no two are spelt alike but for case."""
    words = [word.casefold() for word, _ in pairs]
    return {word: key for word, (_, key) in zip(words, pairs, strict=True) if words.count(word) == 1}
