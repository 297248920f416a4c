"""A ward's document as tables of cells: what a workbook's sheets and a folder of CSV have in common.

In a cell a list is written with ``;`` between its parts, limits as ``2-5``, ``2-`` or ``-5``, a mapping as ``N=2-3;
D=6``, a pattern with blanks. An empty cell is the default.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from attrs import field, frozen

from packhorse_scheduling.convert.files.tables import text_of
from packhorse_scheduling.convert.wards.question import Path
from packhorse_scheduling.errors import invalid

Read = Callable[[str], Any]


def _text(cell: str) -> str:
    return cell


def _list(cell: str) -> list[str]:
    return [part.strip() for part in re.split("[;,]", cell) if part.strip()]


def _pattern(cell: str) -> list[str]:
    return cell.split()


def _number(cell: str) -> int | float:
    try:
        number = float(cell.replace(",", "."))
    except ValueError:
        raise ValueError("must be a number") from None
    return int(number) if number.is_integer() else number


def _span(cell: str) -> list[int | float | None]:
    found = re.fullmatch(r"(\d+(?:[.,]\d+)?)?\s*(-|\u2013)?\s*(\d+(?:[.,]\d+)?)?", cell)
    if not found or not (found[1] or found[3]):
        raise ValueError("must be limits such as 2-5, 2- or -5")
    low, high = (None if one is None else _number(one) for one in (found[1], found[3]))
    return [low, high if found[2] else low]


def _yes(cell: str) -> bool:
    if cell.lower() not in ("yes", "no", "true", "false"):
        raise ValueError("must be yes or no")
    return cell.lower() in ("yes", "true")


def _map(item: Read) -> Read:
    def read(cell: str) -> dict[str, Any]:
        found = {}
        for part in _list(cell):
            key, sign, value = (piece.strip() for piece in part.partition("="))
            if not sign or key in found:
                raise ValueError(f"{part[:20]!r} must be a name, = and a value")
            found[key] = item(value)
        return found

    return read


def _clock(cell: str) -> str:
    found = re.fullmatch(r"(\d{1,2}):(\d{2})(:00)?", cell)
    if not found:
        raise ValueError("must be a time such as 07:00")
    return f"{int(found[1]):02}:{found[2]}"


def _date(cell: str) -> str:
    try:
        return date.fromisoformat(cell).isoformat()
    except ValueError:
        raise ValueError("must be a date such as 2027-01-04") from None


COLUMNS: Mapping[str, Mapping[str, Read]] = {
    "ward": {"name": _text, "start": _date, "days": _number, "cyclic": _yes},
    "shifts": {
        "key": _text, "start": _clock, "end": _clock, "hours": _number, "not_next": _list, "needs": _text,
        "place": _text, "department": _text,
    },
    "contracts": {
        "key": _text, "hours": _span, "shifts": _span, "week_hours": _number, "work_run": _span, "off_run": _span,
        "weekends": _number, "weekend_run": _number, "whole_weekends": _yes, "week_off": _number,
        "shift_run": _map(_span), "shift_most": _map(_number), "rest_hours": _number,
        "place_changes": _number, "departments": _number, "weights": _map(_number),
    },
    "people": {"key": _text, "name": _text, "contract": _text, "skills": _list, "share": _number},
    "demand": {
        "shift": _list, "skill": _text, "days": _text, "least": _number, "wished": _number, "most": _number,
        "under": _number, "over": _number,
    },
    "sequences": {"pattern": _pattern, "contract": _text, "days": _text, "weight": _number},
    "fair": {"count": _list, "contract": _text, "weight": _number},
    "used": {"shifts": _list, "contract": _text, "weight": _number},
    "requests": {
        "person": _text, "from": _date, "to": _date, "shift": _text, "wanted": _yes, "weight": _number,
        "hours": _number,
    },
    "fixed": {"person": _text, "day": _date, "shift": _text},
    "carried": {"person": _text, "count": _list, "amount": _number},
}  # fmt: skip
"""The columns of each table, with what reads a cell."""
GRIDS = ("before", "roster")
"""Tables of people by dates: the first column is the person's key, the heads of the days are dates."""
NAMES = (*COLUMNS, *GRIDS)
NEEDED = ("ward", "shifts", "contracts", "people")

Rows = Sequence[tuple[int, Sequence[Any]]]
"""Filled rows below the head, with their numbers as a spreadsheet counts them."""


@frozen
class Table:
    """A sheet or file as it was read: ``place`` words a cell from row and column number (from 0; None: the row)."""

    name: str
    head: Sequence[Any]
    rows: Rows
    place: Callable[[int, int | None], str]


@frozen
class Tables:
    """A ward's tables as a document, a roster if there is one, and where each row stands."""

    document: Mapping[str, Any]
    roster: Mapping[str, Mapping[date, str]] | None
    tables: Mapping[str, Table]
    at: Mapping[tuple[str, int], int] = field(factory=dict)

    def place(self, path: Path) -> str:
        """Where a fault of the document is: sheet or file, row, column."""
        if not path or path[0] in self.tables["ward"].head:
            table = self.tables["ward"]
            columns = [text_of(name) for name in table.head]
            column = columns.index(str(path[0])) if path else None
            return table.place(table.rows[0][0] if table.rows else 2, column)
        table = self.tables.get(str(path[0])) or self.tables["ward"]
        columns = [text_of(name).lower() for name in table.head]
        row = self.at.get((table.name, path[1])) if len(path) > 1 and isinstance(path[1], int) else None
        if row is None:
            return table.place(1, None)
        name = str(path[2]) if len(path) > 2 else ""
        if table.name in GRIDS and name == "days":
            return table.place(row, None)
        words = table.place(row, columns.index(name) if name in columns else None)
        return f"{words}, {name}" if name and name not in columns else words


def tables_from(given: Mapping[str, Table]) -> Tables:
    """The document of these tables.

    Raises:
        UserError: a table or column is missing or unknown, or a cell is not of its kind; it names the place.
    """
    missing = [name for name in NEEDED if name not in given]
    if missing:
        raise invalid(
            "file", f"The table {missing[0]} is missing: packhorse scheduling roster new writes a ward to start from."
        )
    faults: list[str] = []
    document: dict[str, Any] = {}
    at: dict[tuple[str, int], int] = {}
    for name in COLUMNS:
        if name in given:
            document[name] = _records(given[name], at, faults)
    wards = document.pop("ward")
    if len(wards) != 1:
        faults.append(f"{given['ward'].place(1, None)}: the ward has one row, and there are {len(wards)}.")
    grids = {name: _grid(given[name], faults) for name in GRIDS if name in given}
    if faults:
        raise invalid("file", "\n".join(faults[:20]))
    document |= wards[0]
    if "before" in grids:
        document["before"] = _before(grids["before"], date.fromisoformat(document["start"]), given["before"], at)
    return Tables(document, grids.get("roster"), given, at)


def _records(table: Table, at: dict[tuple[str, int], int], faults: list[str]) -> list[dict[str, Any]]:
    known = COLUMNS[table.name]
    columns = [text_of(name).lower() for name in table.head]
    for n, column in enumerate(columns):
        if column and (column not in known or column in columns[:n]):
            words = "stands there twice" if column in known else "is not a column"
            faults.append(f"{table.place(1, n)}: {column[:40]!r} {words}; the columns are {', '.join(known)}.")
    found: list[dict[str, Any]] = []
    for number, cells in table.rows:
        row = {}
        for n, value in enumerate(cells):
            text = cell_text(value)
            if not text or n >= len(columns) or columns[n] not in known:
                if text and (n >= len(columns) or not columns[n]):
                    faults.append(f"{table.place(number, n)}: {text[:40]!r} stands below no column's name.")
                continue
            try:
                if isinstance(value, datetime) and known[columns[n]] is not _date and not _is_days(table, columns[n]):
                    words = "is a date: write the limits as text, with an apostrophe before them"
                    faults.append(f"{table.place(number, n)}: {text[:40]!r} {words}.")
                    continue
                row[columns[n]] = known[columns[n]](text)
            except ValueError as exc:
                faults.append(f"{table.place(number, n)}: {text[:40]!r} {exc}.")
        at[table.name, len(found)] = number
        found.append(row)
    return found


def _is_days(table: Table, column: str) -> bool:
    return table.name in ("demand", "sequences") and column == "days"


def cell_text(value: Any) -> str:
    """A cell as text; a spreadsheet's clock time as hours and minutes."""
    if isinstance(value, time):
        return f"{value.hour:02}:{value.minute:02}"
    if isinstance(value, timedelta):
        minutes = int(value.total_seconds()) // 60
        return f"{minutes // 60:02}:{minutes % 60:02}"
    return text_of(value)


def _grid(table: Table, faults: list[str]) -> dict[str, dict[date, str]]:
    """People by dates. Columns whose head is no date, such as names, are left alone."""
    days: dict[int, date] = {}
    for n, head in enumerate(table.head):
        try:
            days[n] = date.fromisoformat(cell_text(head))
        except ValueError:
            continue
    found: dict[str, dict[date, str]] = {}
    for number, cells in table.rows:
        person = cell_text(cells[0]) if cells else ""
        if not person:
            faults.append(f"{table.place(number, 0)}: the person's key is missing.")
        elif person in found:
            faults.append(f"{table.place(number, 0)}: {person[:40]!r} stands there twice.")
        else:
            found[person] = {day: cell_text(cells[n]) if n < len(cells) else "" for n, day in days.items()}
    return found


def _before(
    grid: Mapping[str, Mapping[date, str]], start: date, table: Table, at: dict[tuple[str, int], int]
) -> list[dict[str, Any]]:
    """The last days before the start, without a gap, as far as the grid has them."""
    rows = []
    for n, ((person, cells), (number, _)) in enumerate(zip(grid.items(), table.rows, strict=True)):
        days: list[str] = []
        day = start - timedelta(days=1)
        while day in cells:
            days.insert(0, cells[day])
            day -= timedelta(days=1)
        rows.append({"person": person, "days": days})
        at["before", n] = number
    return rows


def rows_of(document: Mapping[str, Any]) -> dict[str, tuple[list[str], list[list[Any]]]]:
    """The tables of a document: heads and cells, with dates as dates."""
    found: dict[str, tuple[list[str], list[list[Any]]]] = {}
    for name, columns in COLUMNS.items():
        rows = [document] if name == "ward" else document.get(name, [])
        found[name] = (
            list(columns), [[_cell(columns[column], row.get(column)) for column in columns] for row in rows]
        )  # fmt: skip
    start = date.fromisoformat(str(document["start"]))
    longest = max((len(row["days"]) for row in document.get("before", ())), default=0)
    heads = [(start - timedelta(days=longest - n)).isoformat() for n in range(longest)]
    found["before"] = (
        ["person", *heads],
        [[row["person"], *[""] * (longest - len(row["days"])), *row["days"]] for row in document.get("before", ())],
    )
    return found


def _cell(read: Read, value: Any) -> Any:
    if value is None or value in ({}, []):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if read is _span:
        return _span_text(value)
    if read is _pattern:
        return " ".join(value)
    if isinstance(value, Mapping):
        return "; ".join(
            f"{key}={_span_text(one) if isinstance(one, list | tuple) else one}" for key, one in value.items()
        )
    return "; ".join(value) if isinstance(value, Iterable) and not isinstance(value, str) else value


def _span_text(span: Sequence[Any]) -> str:
    low, high = ("" if limit is None else f"{limit:g}" for limit in span)
    return low if low == high else f"{low}-{high}"
