"""CSV (RFC 4180, UTF-8): a folder of tables for a programme, one file for a roster.

A cell that a spreadsheet would take for a formula is written with an
apostrophe before it, and read back without.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from packhorse_scheduling.convert.files.rows import COLUMNS, NEEDED, cells_from, rows_of
from packhorse_scheduling.convert.files.tables import TABLES, check_names, document_from, tables_of
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.roster.roster import Cell
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid

_LOOK = 65_536
"""Characters of a file that are looked at to see what it is: fewer than a field of the csv module may have."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def programme_csvs(programme: "Programme") -> dict[str, str]:
    """The files of a programme, by name."""
    return {f"{name}.csv": csv_text(columns, rows) for name, (columns, rows) in tables_of(programme).items()}


def document_of_folder(folder: Path) -> dict[str, Any]:
    """The document of a folder of tables; files of quite other names are left alone.

    Raises:
        UserError: no such table is there, or one is wrong.
    """
    check_names([path.stem for path in folder.glob("*.csv")])
    tables = {name: read_csv(path) for name in TABLES if (path := folder / f"{name}.csv").is_file()}
    return document_from(tables)


def roster_csv(opened: "Opened") -> str:
    """A roster, one filled half-day a row."""
    return csv_text(COLUMNS, rows_of(opened))


def cells_of_csv(path: Path) -> "dict[Cell, str]":
    """The filled half-days of a roster's file, each with its row.

    Raises:
        UserError: a needed column is missing, or a row is wrong.
    """
    columns, rows = read_csv(path)
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        raise invalid("file", f"{path.name} has no column {missing[0]!r}. Required columns: {', '.join(NEEDED)}.")
    return cells_from(_records(columns, rows, path.name))


def _records(
    columns: Sequence[str], rows: Iterable[Sequence[str]], name: str
) -> Iterable[tuple[str, Mapping[str, str]]]:
    return (
        (f"{name}, row {number}", dict(zip(columns, (cell.strip() for cell in row), strict=False)))
        for number, row in enumerate(rows, start=2)
        if any(row)
    )


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A file's text; what a spreadsheet would take for a formula has an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row] for row in rows)
    return out.getvalue()


def first_rows(path: Path, count: int) -> list[list[str]]:
    """The first rows of a file that may be no CSV of ours."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        return list(csv.reader(file.read(_LOOK).splitlines()[:count]))


def read_csv(path: Path) -> tuple[list[str], list[list[str]]]:
    """Head and rows of a file.

    Raises:
        UserError: it is no CSV, or is empty.
    """
    try:
        lines = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline=""), strict=True))
    except (csv.Error, UnicodeDecodeError) as exc:
        raise invalid(
            "file", f"{path.name} is not a CSV file in UTF-8 ({exc}). Save the spreadsheet as CSV UTF-8."
        ) from exc
    if not lines:
        raise invalid("file", f"{path.name} is empty. Its first line must name its columns.")
    rows = [[cell[1:] if cell[:1] == "'" and cell[1:2] in _FORMULA else cell for cell in line] for line in lines[1:]]
    return [name.strip() for name in lines[0]], rows
