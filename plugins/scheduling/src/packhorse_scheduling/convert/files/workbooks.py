"""Excel workbooks: a programme's tables a sheet each, and a roster as a grid of people by half-days."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from packhorse import UserError
from packhorse_scheduling.convert.files.blocks import (
    ATTENDINGS,
    BLOCKS,
    COLUMNS,
    HEAD,
    attending_rows,
    block_rows,
    plan_of_sheet,
)
from packhorse_scheduling.convert.files.rows import cells_from
from packhorse_scheduling.convert.files.tables import KINDS, TABLES, check_names, document_from, tables_of, text_of
from packhorse_scheduling.domain.insight.wording import violation_words
from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.roster.plan import Plan
from packhorse_scheduling.domain.roster.roster import Cell
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid, unavailable

ROSTER = "Roster"
GRID_HEAD = ("Key", "Name", "Role", "PGY")
"""The first columns of the grid; the half-days follow, two a day."""
MOST_BYTES = 50_000_000
"""Of a workbook once unpacked: a year of 500 people has about 15 MB."""
COLOURS = ("CFE2F3", "D9EAD3", "F4CCCC", "FFF2CC", "D9D2E9", "FCE5CD", "D0E0E3", "EAD1DC", "E6B8AF", "C9DAF8")
_BREACH, _LEAVE, _WEEKEND = "CC0000", "BFBFBF", "EFEFEF"


def openpyxl_module() -> Any:
    """openpyxl, where it is installed.

    Raises:
        UserError: it is not.
    """
    try:
        import openpyxl  # type: ignore[import-untyped]
        import openpyxl.comments  # type: ignore[import-untyped]
        import openpyxl.styles  # type: ignore[import-untyped]
    except ImportError as exc:
        raise unavailable("Workbooks need openpyxl: pip install 'packhorse-scheduling[excel]'.") from exc
    return openpyxl


def write_programme(programme: "Programme", path: Path) -> None:
    """Write a programme's tables, a sheet each, with their heads in place."""
    book = openpyxl_module().Workbook()
    book.remove(book.active)
    _programme_sheets(book, programme)
    book.save(path)


def write_roster(opened: "Opened", path: Path) -> None:
    """Write a roster as a grid, its violations, and the programme it is of."""
    book = openpyxl_module().Workbook()
    book.remove(book.active)
    _plan_sheets(book, opened)
    _roster_sheet(book, opened)
    _violations_sheet(book, opened)
    _programme_sheets(book, opened.programme)
    book.save(path)


def read_workbook(path: Path) -> "tuple[dict[str, Any] | None, dict[Cell, str] | None, Plan]":
    """The programme's document, the roster's cells and the rotation plan in a workbook; None for what it does not hold.

    Sheets of other names are left alone.

    Raises:
        UserError: it is no workbook, is too large, or a sheet is wrong.
    """
    book = opened_book(path)
    check_names([sheet.title for sheet in book.worksheets if sheet.title not in (BLOCKS, ATTENDINGS)])
    sheets = {sheet.title.lower(): sheet for sheet in book.worksheets}
    for sheet in sheets.values():
        if sheet.title.lower() in (*TABLES, ROSTER.lower(), BLOCKS.lower()):
            check_values(sheet)
    tables = {name: _table(sheets[name]) for name in TABLES if name in sheets}
    document = document_from(tables) if tables else None
    grid = sheets.get(ROSTER.lower())
    if document is None and grid is None:
        raise invalid("file", f"{path.name} has none of the sheets {', '.join((*TABLES, ROSTER))}.")
    blocks = sheets.get(BLOCKS.lower())
    plan = () if blocks is None else plan_of_sheet(blocks.iter_rows(values_only=True))
    return document, None if grid is None else _cells(grid), plan


def opened_book(path: Path) -> Any:
    """The workbook with the results of its formulas; a formula without one is still there as a formula."""
    load = openpyxl_module().load_workbook
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as packed:
            check_size(path.name, packed)
            sheets = [name for name in packed.namelist() if name.startswith(_SHEETS)]
            formulas = any(_FORMULA.search(packed.read(name)) for name in sheets)
            book = load(file, data_only=True)
            if formulas:
                _keep_unsolved(book, load(file))
    except (OSError, UserError):
        raise
    except Exception as exc:  # of a damaged file the reader raises whatever comes first: zlib's, XML's, an index
        raise invalid("file", f"{path.name} is not an Excel workbook (.xlsx), or is damaged.") from exc
    return book


def check_size(name: str, packed: zipfile.ZipFile) -> None:
    """Let a workbook pass that unpacks to no more than `MOST_BYTES`.

    Raises:
        UserError: it is larger.
    """
    size = sum(entry.file_size for entry in packed.infolist())
    if size > MOST_BYTES:
        raise invalid("file", f"{name} unpacks to {size:,} bytes, above the limit of {MOST_BYTES:,}.")


_FORMULA = re.compile(rb"<(\w+:)?f[ />]")
_SHEETS = "xl/worksheets/"


def _keep_unsolved(book: Any, written: Any) -> None:
    for sheet in written.worksheets:
        results = book[sheet.title]
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f" and results[cell.coordinate].value is None:
                    results[cell.coordinate] = cell.value


def check_values(sheet: Any) -> None:
    """Let a sheet pass whose cells are values.

    Raises:
        UserError: a formula has no result, or a cell is an error.
    """
    for row in sheet.iter_rows():
        for cell in row:
            if cell.data_type == "f":
                raise invalid(
                    "file",
                    f"The sheet {sheet.title}, cell {cell.coordinate}, has a formula without its result: open and save"
                    " the workbook in a spreadsheet program, or write the value.",
                )
            if cell.data_type == "e":
                raise invalid("file", f"The sheet {sheet.title}, cell {cell.coordinate}, has the error {cell.value}.")


def _table(sheet: Any) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    rows = sheet.iter_rows(values_only=True)
    head = [text_of(value) for value in next(rows, ())]
    while head and not head[-1]:
        head.pop()
    return head, rows


def _cells(sheet: Any) -> "dict[Cell, str]":
    rows = sheet.iter_rows(values_only=True)
    days, sessions = next(rows, ()), next(rows, ())
    start = len(GRID_HEAD)
    if [text_of(value) for value in sessions[:start]] != list(GRID_HEAD):
        raise invalid("file", f"The sheet {ROSTER} must have {', '.join(GRID_HEAD)} in its second row.")
    slots = []
    day = ""
    for shown, session in zip(days[start:], sessions[start:], strict=True):
        day = text_of(shown) or day
        slots.append((day, text_of(session)))
    letter = openpyxl_module().utils.get_column_letter
    return cells_from(
        (
            f"the sheet {ROSTER}, cell {letter(column)}{number}",
            {"date": slot[0], "session": slot[1], "person_key": text_of(row[0]), "service_code": text_of(value)},
        )
        for number, row in enumerate(rows, start=3)
        for column, (slot, value) in enumerate(zip(slots, row[start:], strict=False), start=start + 1)
        if text_of(value)
    )


def _programme_sheets(book: Any, programme: "Programme") -> None:
    for name, (columns, rows) in tables_of(programme).items():
        sheet = book.create_sheet(name)
        head_of_sheet(sheet, columns)
        days = {n for n, column in enumerate(columns) if column in ("start", "end", "day")}
        for number, row in enumerate(rows, start=2):
            for n, text in enumerate(row):
                if not text:
                    continue
                cell = sheet.cell(number, n + 1)
                if n in days:
                    cell.value = date.fromisoformat(text)
                    cell.number_format = "yyyy-mm-dd"
                elif name in KINDS and text.isdigit() and columns[n] in ("pgy", "least", "most", "minimum", "maximum"):
                    cell.value = int(text)
                else:
                    write_text(cell, text)


def head_of_sheet(sheet: Any, columns: Sequence[str]) -> None:
    """The names of columns in the first row, which stays in view."""
    openpyxl = openpyxl_module()
    for n, column in enumerate(columns, start=1):
        cell = sheet.cell(1, n, column)
        cell.font = openpyxl.styles.Font(bold=True)
        sheet.column_dimensions[openpyxl.utils.get_column_letter(n)].width = max(12, len(column) + 4)
    sheet.freeze_panes = "A2"


def write_text(cell: Any, text: str) -> None:
    """Text as text: what begins with a sign of a formula is none."""
    cell.value = text
    cell.data_type = "s"


def _plan_sheets(book: Any, opened: "Opened") -> None:
    """The chart of rotations first of all, and the attendings, where the version has a plan."""
    head, rows = block_rows(opened)
    if rows:
        openpyxl = openpyxl_module()
        sheet = book.create_sheet(BLOCKS)
        head_of_sheet(sheet, ["" if isinstance(column, date) else column for column in head])
        for n, column in enumerate(head, start=1):
            if isinstance(column, date):
                cell = sheet.cell(1, n, column)
                cell.number_format = "yyyy-mm-dd"
        codes = [rotation.code for rotation in opened.programme.rotations]
        for number, row in enumerate(rows, start=2):
            for n, value in enumerate(row, start=1):
                cell = sheet.cell(number, n)
                if isinstance(value, str):
                    write_text(cell, value)
                    if value in codes and n > len(HEAD):
                        colour = COLOURS[codes.index(value) % len(COLOURS)]
                        cell.fill = openpyxl.styles.PatternFill("solid", start_color=colour)
                else:
                    cell.value = value
        sheet.freeze_panes = sheet.cell(2, len(HEAD) + 1)
    stays = attending_rows(opened)
    if stays:
        sheet = book.create_sheet(ATTENDINGS)
        head_of_sheet(sheet, COLUMNS)
        for number, stay in enumerate(stays, start=2):
            for n, text in enumerate(stay, start=1):
                write_text(sheet.cell(number, n), text)


def _roster_sheet(book: Any, opened: "Opened") -> None:
    openpyxl = openpyxl_module()
    styles, comment = openpyxl.styles, openpyxl.comments.Comment
    kernel, programme = opened.kernel, opened.programme
    sheet = book.create_sheet(ROSTER)
    _grid_head(sheet, programme)
    start = len(GRID_HEAD)
    fills = [styles.PatternFill("solid", start_color=COLOURS[s % len(COLOURS)]) for s in range(kernel.S)]
    away, red = styles.PatternFill("solid", start_color=_LEAVE), styles.Side(style="medium", color=_BREACH)
    frame = styles.Border(left=red, right=red, top=red, bottom=red)
    for p, person in enumerate(programme.people):
        for n, value in enumerate((person.key, person.name, person.role)):
            write_text(sheet.cell(p + 3, n + 1), value)
        if person.pgy is not None:
            sheet.cell(p + 3, 4, person.pgy)
    for p, d, half in np.argwhere(opened.grid[:, kernel.tail :] >= 0).tolist():
        s = int(opened.grid[p, d + kernel.tail, half])
        cell = sheet.cell(p + 3, start + 2 * d + half + 1)
        write_text(cell, programme.services[s].code)
        cell.fill = fills[s]
    for p, d in np.argwhere(kernel.away[:, kernel.tail :]).tolist():
        for half in (0, 1):
            if opened.grid[p, d + kernel.tail, half] < 0:
                sheet.cell(p + 3, start + 2 * d + half + 1).fill = away
    for (p, d, half), words in _breaches(opened).items():
        cell = sheet.cell(p + 3, start + 2 * (d - kernel.tail) + half + 1)
        cell.border = frame
        if words:
            cell.comment = comment(words, "packhorse")
    sheet.freeze_panes = sheet.cell(3, start + 1)


def _grid_head(sheet: Any, programme: "Programme") -> None:
    openpyxl = openpyxl_module()
    styles = openpyxl.styles
    bold, middle, grey = (
        styles.Font(bold=True),
        styles.Alignment(horizontal="center"),
        styles.PatternFill("solid", start_color=_WEEKEND),
    )
    for n, name in enumerate(GRID_HEAD, start=1):
        sheet.cell(2, n, name).font = bold
    sheet.column_dimensions["B"].width = 24
    for d in range(programme.year.days):
        day = programme.year.day(d)
        column = len(GRID_HEAD) + 2 * d + 1
        head = sheet.cell(1, column, day)
        head.number_format, head.font, head.alignment = "ddd yyyy-mm-dd", bold, middle
        sheet.merge_cells(start_row=1, start_column=column, end_row=1, end_column=column + 1)
        for half, session in enumerate(SESSIONS):
            cell = sheet.cell(2, column + half, session)
            if day.weekday() >= 5 or day in programme.year.holidays:
                cell.fill = grey
            sheet.column_dimensions[openpyxl.utils.get_column_letter(column + half)].width = 8


def _breaches(opened: "Opened") -> dict[tuple[int, int, int], str]:
    """Cells inside a person's violations; the words stand on the first cell of each."""
    kernel = opened.kernel
    found: dict[tuple[int, int, int], str] = {}
    for violation in opened.violations():
        if violation.person is None or not violation.blocks:
            continue
        words = violation_words(kernel, violation)
        for d in range(max(violation.first, kernel.tail), violation.last + 1):
            for half in (0, 1) if violation.session is None else (violation.session,):
                key = (violation.person, d, half)
                found[key] = "\n".join(filter(None, (found.get(key, ""), words)))
                words = ""
    return found


def _violations_sheet(book: Any, opened: "Opened") -> None:
    sheet = book.create_sheet("Violations")
    columns = ("rule", "severity", "authority", "first day", "last day", "person", "what")
    head_of_sheet(sheet, columns)
    kernel = opened.kernel
    for row, violation in enumerate(opened.violations(), start=2):
        person = "" if violation.person is None else opened.programme.people[violation.person].name
        values = (
            violation.rule,
            violation.severity,
            violation.authority,
            kernel.date_of(violation.first).isoformat(),
            kernel.date_of(violation.last).isoformat(),
            person,
            violation_words(kernel, violation),
        )
        for n, value in enumerate(values, start=1):
            write_text(sheet.cell(row, n), value)
