"""A ward's document as tables of cells: what a workbook's sheets and a folder of CSV have in common.

In a cell a list is written with ``;`` between its parts, limits as ``2-5``, ``2-`` or ``-5``, a mapping as ``N=2-3;
D=6``, a pattern with blanks. An empty cell is the default.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from attrs import evolve, field, frozen

from packhorse_scheduling.convert.wards.cells import (
    Known,
    Read,
    as_clock,
    as_date,
    as_days,
    as_list,
    as_map,
    as_number,
    as_pattern,
    as_share,
    as_span,
    as_text,
    as_yes,
    cell_text,
    column_name,
)
from packhorse_scheduling.convert.wards.question import Path
from packhorse_scheduling.errors import invalid

COLUMNS: Mapping[str, Mapping[str, Read]] = {
    "ward": {"name": as_text, "start": as_date, "days": as_number, "cyclic": as_yes},
    "shifts": {
        "key": as_text, "start": as_clock, "end": as_clock, "hours": as_number, "not_next": as_list, "needs": as_text,
        "place": as_text, "department": as_text,
    },
    "contracts": {
        "key": as_text, "hours": as_span, "shifts": as_span, "week_hours": as_number, "work_run": as_span,
        "off_run": as_span,
        "weekends": as_number, "weekend_run": as_number, "whole_weekends": as_yes, "week_off": as_number,
        "shift_run": as_map(as_span), "shift_most": as_map(as_number), "rest_hours": as_number,
        "place_changes": as_number, "departments": as_number, "weights": as_map(as_number),
    },
    "people": {"key": as_text, "name": as_text, "contract": as_text, "skills": as_list, "share": as_share},
    "demand": {
        "shift": as_list, "skill": as_text, "days": as_days, "least": as_number, "wished": as_number, "most": as_number,
        "under": as_number, "over": as_number,
    },
    "sequences": {"pattern": as_pattern, "contract": as_text, "days": as_days, "weight": as_number},
    "fair": {"count": as_list, "contract": as_text, "weight": as_number},
    "used": {"shifts": as_list, "contract": as_text, "weight": as_number},
    "requests": {
        "person": as_text, "from": as_date, "to": as_date, "days": as_days, "shift": as_text, "wanted": as_yes,
        "weight": as_number, "hours": as_number,
    },
    "fixed": {"person": as_text, "day": as_date, "shift": as_text},
    "carried": {"person": as_text, "count": as_list, "amount": as_number},
}  # fmt: skip
"""The columns of each table, with what reads a cell."""
GRIDS = ("before", "roster")
"""Tables of people by dates: the first column is the person's key, the heads of the days are dates."""
NAMES = (*COLUMNS, *GRIDS)
NEEDED = ("ward", "shifts", "contracts", "people")

_FIGURE = re.compile(r"\d")

Rows = Sequence[tuple[int, Sequence[Any]]]
"""Filled rows below the head, with their numbers as a spreadsheet counts them."""


@frozen
class Table:
    """A sheet or file as it was read: ``place`` words a cell from row and column number (from 0; None: the row)."""

    name: str
    head: Sequence[Any]
    rows: Rows
    place: Callable[[int, int | None], str]
    head_row: int = 1

    def at_head(self, column: int | None = None) -> str:
        """Where its head, or that of a column, is."""
        return self.place(self.head_row, column)


@frozen
class Tables:
    """A ward's tables as a document, a roster if there is one, and where each row stands."""

    document: Mapping[str, Any]
    roster: Mapping[str, Mapping[date, str]] | None
    tables: Mapping[str, Table]
    at: Mapping[tuple[str, int], int] = field(factory=dict)
    notes: Sequence[str] = ()
    """What is left unread, or read though it is not seen."""

    def place(self, path: Path) -> str:
        """Where a fault of the document is: sheet or file, row, column."""
        if not path or path[0] in [column_name(name) for name in self.tables["ward"].head]:
            table = self.tables["ward"]
            columns = [column_name(name) for name in table.head]
            column = columns.index(str(path[0])) if path else None
            return table.place(table.rows[0][0] if table.rows else table.head_row + 1, column)
        table = self.tables.get(str(path[0])) or self.tables["ward"]
        columns = [column_name(name) for name in table.head]
        row = self.at.get((table.name, path[1])) if len(path) > 1 and isinstance(path[1], int) else None
        if row is None:
            return table.at_head()
        name = str(path[2]) if len(path) > 2 else ""
        if table.name in GRIDS and name == "days":
            return table.place(row, None)
        words = table.place(row, columns.index(name) if name in columns else None)
        return f"{words}, {name}" if name and name not in columns else words


def tables_from(given: Mapping[str, Table], notes: list[str]) -> Tables:
    """The document of these tables.

    Raises:
        UserError: a table or column is missing or unknown, or a cell is not of its kind; it names the place.
    """
    missing = [name for name in NEEDED if name not in given]
    if missing:
        raise invalid(
            "file",
            f"The table {missing[0]!r} is missing. 'packhorse scheduling roster new' writes a ward to start from.",
        )
    faults: list[str] = []
    document: dict[str, Any] = {}
    at: dict[tuple[str, int], int] = {}
    for name in COLUMNS:
        if name in given:
            document[name] = _records(given[name], at, faults)
    wards = document.pop("ward")
    if len(wards) != 1:
        faults.append(f"{given['ward'].at_head()}: the ward has one row, and there are {len(wards)}.")
    known = Known(document.get("shifts", ()), document.get("people", ()))
    _spell(document, known)
    given = {name: _without_sums(table, known, notes) if name in GRIDS else table for name, table in given.items()}
    grids = {name: _grid(given[name], known, faults, notes) for name in GRIDS if name in given}
    if faults:
        raise invalid("file", "\n".join(faults[:20]))
    document |= wards[0]
    if "before" in grids and "start" in document:
        start = date.fromisoformat(document["start"])
        document["before"] = _before(grids["before"], start, given["before"], at)
    return Tables(document, grids.get("roster"), given, at, notes)


def _spell(document: Mapping[str, Any], known: Known) -> None:
    """Write people, shifts and skills by the keys that the tables give them."""
    for table, column in (("demand", "skill"), ("shifts", "needs")):
        for row in document.get(table, ()):
            if column in row:
                row[column] = known.skill(row[column])
    names = ("requests", "fixed", "carried", "demand", "sequences")
    for row in (row for name in names for row in document.get(name, ())):
        if "person" in row:
            row["person"] = known.person(row["person"])
        for column in ("shift", "pattern"):
            if column in row:
                given = row[column]
                row[column] = known.shift(given) if isinstance(given, str) else [known.shift(one) for one in given]


def _records(table: Table, at: dict[tuple[str, int], int], faults: list[str]) -> list[dict[str, Any]]:
    known = COLUMNS[table.name]
    columns = [column_name(name) for name in table.head]
    for n, column in enumerate(columns):
        if column and (column not in known or column in columns[:n]):
            words = "stands there twice" if column in known else "is not a column"
            faults.append(f"{table.at_head(n)}: {column[:40]!r} {words}; the columns are {', '.join(known)}.")
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
                if isinstance(value, datetime) and known[columns[n]] is not as_date and not _is_days(table, columns[n]):
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
    return column == "days" and COLUMNS[table.name].get(column) is as_days


def likeness(name: str, row: Sequence[Any]) -> int:
    """How many cells of a row are heads of this table."""
    if name not in GRIDS:
        return sum(column_name(cell) in COLUMNS[name] for cell in row)
    return len(grid_days(Table(name, row, (), lambda *_: ""), []))


def grid_days(table: Table, faults: list[str]) -> dict[int, date]:
    """The columns of days. Other heads, such as names, have no figure."""
    days: dict[int, date] = {}
    for n, head in enumerate(table.head):
        text = cell_text(head)
        if n and _FIGURE.search(text):
            try:
                day = date.fromisoformat(as_date(text))
            except ValueError as exc:
                faults.append(f"{table.at_head(n)}: the head {exc}, or has no figure.")
                continue
            if day in days.values():
                faults.append(f"{table.at_head(n)}: {day} stands there twice.")
            days[n] = day
    return days


def _without_sums(table: Table, known: Known, notes: list[str]) -> Table:
    """A grid without rows of sums, which are noted."""
    days, rows = grid_days(table, []), []
    for number, cells in table.rows:
        if known.is_total(cell_text(cells[0]), [cell_text(cells[n]) for n in days if n < len(cells)]):
            notes.append(f"{table.place(number, None)} has sums: it is not read, and not in what is written.")
        else:
            rows.append((number, cells))
    return evolve(table, rows=rows)


def _grid(table: Table, known: Known, faults: list[str], notes: list[str]) -> dict[str, dict[date, str]]:
    """People by dates. Columns whose head is no date, such as names, are left alone."""
    days = grid_days(table, faults)
    for n in range(1, max((len(row) for _, row in table.rows), default=0)):
        head = column_name(table.head[n]) if n < len(table.head) else ""
        first = next((number for number, row in table.rows if n < len(row) and cell_text(row[n])), None)
        if first is None or n in days or head == "name":
            continue
        if not head:
            faults.append(f"{table.place(first, n)}: stands below no date.")
        elif not _FIGURE.search(head):
            notes.append(f"{table.at_head(n)} is not read.")
    found: dict[str, dict[date, str]] = {}
    for number, cells in table.rows:
        person = known.person(cell_text(cells[0])) if cells else ""
        if not person:
            faults.append(f"{table.place(number, 0)}: the person's key is missing.")
        elif person in found:
            faults.append(f"{table.place(number, 0)}: {person[:40]!r} stands there twice.")
        else:
            found[person] = {day: known.shift(cell_text(cells[n])) if n < len(cells) else "" for n, day in days.items()}
    return found


def _before(
    grid: Mapping[str, Mapping[date, str]], start: date, table: Table, at: dict[tuple[str, int], int]
) -> list[dict[str, Any]]:
    """The last days before the start, without a gap, as far as the grid has them.

    Raises:
        UserError: there are days before the start, and the last one is not.
    """
    rows = []
    last = max((day for cells in grid.values() for day in cells if day < start), default=None)
    if last is not None and (start - last).days > 1:
        words = f"the last day is {last}, and the ward starts on {start}: add the days between, or empty the table"
        raise invalid("file", f"{table.at_head()}: {words}.")
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
    if read is as_span:
        return _span_text(value)
    if read is as_pattern:
        return " ".join(value)
    if isinstance(value, Mapping):
        return "; ".join(
            f"{key}={_span_text(one) if isinstance(one, list | tuple) else one}" for key, one in value.items()
        )
    return "; ".join(value) if isinstance(value, Iterable) and not isinstance(value, str) else value


def _span_text(span: Sequence[Any]) -> str:
    low, high = ("" if limit is None else f"{limit:g}" for limit in span)
    return low if low == high else f"{low}-{high}"
