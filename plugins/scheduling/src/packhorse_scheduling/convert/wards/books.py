"""A ward in files: a workbook with a sheet for each table, or a folder of CSV, and the roster with its counts."""

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from packhorse_scheduling.convert.files.csvs import csv_text, first_rows, read_csv
from packhorse_scheduling.convert.files.documents import unique_keys
from packhorse_scheduling.convert.files.workbooks import (
    COLOURS,
    check_values,
    head_of_sheet,
    opened_book,
    openpyxl_module,
    write_text,
)
from packhorse_scheduling.convert.wards.cells import cell_text
from packhorse_scheduling.convert.wards.counts import COUNT_COLUMNS, count_rows, staffing_rows
from packhorse_scheduling.convert.wards.question import ward_of
from packhorse_scheduling.convert.wards.tables import (
    COLUMNS,
    GRIDS,
    NAMES,
    Table,
    Tables,
    grid_days,
    likeness,
    rows_of,
    tables_from,
)
from packhorse_scheduling.convert.wards.wording import breach_words
from packhorse_scheduling.domain.wards.question import OFF, REST, Ward
from packhorse_scheduling.domain.wards.repair import Change
from packhorse_scheduling.domain.wards.roster import Count, Roster
from packhorse_scheduling.errors import invalid

NEARLY = 0.8
"""How alike two names are, as difflib counts, that are taken for a slip."""
ALIKE, TITLES = 3, 5
"""How many columns of a table are no chance, and among how many rows its heads stand."""
COUNTS, STAFFING, BREACHES = "counts", "staffing", "breaches"
WRITTEN = (COUNTS, STAFFING, BREACHES)
"""Tables that are written beside a roster, and not read."""
_BREACH, _COST, _CHANGE, _WEEKEND = "CC0000", "E69138", "3D85C6", "EFEFEF"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def read_ward(path: Path) -> tuple[Tables, Ward]:
    """The tables of a workbook, a folder of CSV or a JSON document, and the question that they ask.

    Raises:
        UserError: a table is wrong; the message names sheet or file, row and column.
        OSError: it cannot be read.
    """
    if path.suffix.lower() == ".json":
        return _json(path)
    tables = _folder(path) if path.is_dir() else _book(path)
    return tables, ward_of(tables.document, tables.place)


def _json(path: Path) -> tuple[Tables, Ward]:
    """A JSON document, without a roster."""
    try:
        document = json.loads(path.read_text("utf-8-sig"), object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as exc:
        raise invalid("file", f"{path.name} is not a ward in JSON.") from exc
    if not isinstance(document, dict):
        raise invalid("file", f"{path.name} is not a ward.")
    return Tables(document, None, {}), ward_of(document)


def _book(path: Path) -> Tables:
    book = opened_book(path)
    given: dict[str, Table] = {}
    notes: list[str] = []
    for sheet in book.worksheets:
        name, source = sheet.title.strip().lower(), f"sheet {sheet.title}"
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
        if _is_table(name, rows, source, given, notes):
            check_values(sheet)
            given[name] = _table(name, rows, source)
            _refuse_merged(sheet, given[name])
            notes += _hidden(sheet, given[name], source)
    return tables_from(given, notes)


def _folder(path: Path) -> Tables:
    given: dict[str, Table] = {}
    notes: list[str] = []
    for file in sorted(path.glob("*.csv")):
        name = file.stem.strip().lower()
        if _is_table(name, first_rows(file, TITLES), file.name, given, notes):
            head, rows = read_csv(file)
            given[name] = _table(name, [head, *rows], file.name)
    return tables_from(given, notes)


def _is_table(
    name: str, rows: Sequence[Sequence[Any]], source: str, given: Mapping[str, Table], notes: list[str]
) -> bool:
    """Whether it is read; what is left out, and is nothing that an answer adds, is noted.

    Raises:
        UserError: its name is nearly that of a table, it has a table's columns, or it is there twice: it would be left
            out unseen.
    """
    if name in given:
        raise invalid("file", f"{source}: there are two tables {name!r}. Delete or rename one of them.")
    near = difflib.get_close_matches(name, NAMES, 1, NEARLY)
    if near and name not in (*NAMES, *WRITTEN):
        raise invalid(
            "file",
            f"{source}: a ward has no table {name!r}. Rename it: {near[0]!r} if you mean that table, else a less"
            " similar name.",
        )
    if name not in (*NAMES, *WRITTEN):
        for table in COLUMNS:
            if any(likeness(table, row) >= ALIKE for row in rows[:TITLES]):
                named = f"{source} has columns of the table {table!r}, and would not be read"
                raise invalid("file", f"{named}: rename it {table!r}, or delete it.")
        notes.append(f"{source} is no table of a ward: it is not read, and not in what is written.")
    return name in NAMES


def _refuse_merged(sheet: Any, table: Table) -> None:
    """Of merged cells only the first has a value."""
    for merged in sheet.merged_cells.ranges:
        if merged.max_row > table.head_row and sheet.cell(merged.min_row, merged.min_col).value is not None:
            words = f"sheet {sheet.title}: the cells {merged.coord} are merged; unmerge them, and fill each in."
            raise invalid("file", words)


def _hidden(sheet: Any, table: Table, source: str) -> list[str]:
    """What a person does not see of the sheet, and is read all the same."""
    rows = [str(number) for number, _ in table.rows if sheet.row_dimensions[number].hidden]
    columns = [
        cell_text(head) or group.index
        for group in sheet.column_dimensions.values()
        if group.hidden
        for head in table.head[group.min - 1 : group.max]
    ]
    notes = [f"{source} is hidden, and is read."] if sheet.sheet_state != "visible" else []
    for what, those in (("row", rows), ("column", columns)):
        if those:
            notes.append(f"{source}: hidden {what}{'s' * (len(those) > 1)} {', '.join(those[:20])}, and read.")
    return notes


_HEAD_WITHIN = 10
"""Rows in which the head is sought: a title or the month may stand above it."""


def _table(name: str, rows: Sequence[Sequence[Any]], source: str) -> Table:
    filled = [(n, list(row)) for n, row in enumerate(rows, start=1) if any(cell_text(value) for value in row)]
    n, head_row, head = max(
        ((i, number, row) for i, (number, row) in enumerate(filled[:_HEAD_WITHIN])),
        key=lambda one: (likeness(name, one[2]), -one[0]),
        default=(0, 1, []),
    )
    letter = openpyxl_module().utils.get_column_letter

    def place(row: int, column: int | None) -> str:
        if column is None:
            return f"{source}, row {row}"
        head_text = cell_text(head[column]) if column < len(head) else ""
        return f"{source}, row {row}, column {letter(column + 1)}" + (f" ({head_text})" if head_text else "")

    return Table(name, head, filled[n + 1 :], place, head_row)


def roster_of(tables: Tables, ward: Ward) -> Roster:
    """The roster of the tables, with the skills that serve the demand best.

    Raises:
        UserError: there is none, or it names a person or a shift that the ward does not have.
    """
    from packhorse_scheduling.domain.wards.repair import with_roles

    if tables.roster is None:
        raise invalid(
            "file",
            "There is no sheet or file 'roster'. 'packhorse scheduling roster solve' writes it.",
        )
    table = tables.tables["roster"]
    numbers = dict(zip(tables.roster, (number for number, _ in table.rows), strict=True))
    columns = {day: n for n, day in grid_days(table, []).items()}
    for day in map(ward.date, range(ward.days)):
        if day not in columns:
            raise invalid("file", f"{table.at_head()}: there is no column of {day}.")
    rows: dict[int, list[int]] = {}
    for person, cells in tables.roster.items():
        if person not in ward.person_of:
            raise invalid("file", f"{table.place(numbers[person], 0)}: there is no person {person[:40]!r}.")
        row = rows[ward.person_of[person]] = []
        for d in range(ward.days):
            key = cells[ward.date(d)]
            if key not in ("", OFF) and key not in ward.shift_of:
                shifts = ", ".join(ward.shift_of)
                place = table.place(numbers[person], columns[ward.date(d)])
                raise invalid("file", f"{place}: there is no shift {key[:40]!r}. The shifts: {shifts}.")
            row.append(ward.shift_of.get(key, REST))
    missing = [person.key for e, person in enumerate(ward.people) if e not in rows]
    if missing:
        raise invalid("file", f"{table.at_head()}: there is no row of {missing[0]}.")
    return with_roles(ward, [rows[e] for e in range(len(ward.people))])


def _dates(ward: Ward) -> list[str]:
    return [ward.date(d).isoformat() for d in range(ward.days)]


def grid_rows(ward: Ward, roster: Roster) -> tuple[list[str], list[list[Any]]]:
    """The roster as people by dates."""
    head = ["person", "name", *_dates(ward)]
    named = roster.named(ward)
    return head, [[person.key, person.name, *named[person.key]] for person in ward.people]


def answer_tables(
    document: Mapping[str, Any], ward: Ward, roster: Roster, count: Count
) -> dict[str, tuple[list[str], list[list[Any]]]]:
    """The roster, what each person has of it, what it breaks, and the question that it answers."""
    breaches = [[breach.rule, "hard" if breach.weight is None else breach.cost, breach_words(ward, breach)]
                for breach in sorted(count.breaches, key=lambda one: (one.weight is not None, -one.cost))]  # fmt: skip
    return {
        "roster": grid_rows(ward, roster),
        COUNTS: (list(COUNT_COLUMNS), count_rows(ward, roster, count)),
        STAFFING: (["shift", *_dates(ward)], staffing_rows(ward, roster)),
        BREACHES: (["rule", "cost", "what"], breaches),
        **rows_of(document),
    }


def csv_files(tables: Mapping[str, tuple[list[str], list[list[Any]]]]) -> dict[str, str]:
    """The files of a folder, by name."""
    return {
        f"{name}.csv": csv_text(head, [list(map(str, row)) for row in rows]) for name, (head, rows) in tables.items()
    }


def write_book(
    tables: Mapping[str, tuple[list[str], list[list[Any]]]],
    path: Path,
    ward: Ward,
    count: Count | None = None,
    changes: Sequence[Change] = (),
) -> None:
    """A workbook with a sheet for each table; the roster's cells are coloured by shift, breaches and changes framed."""
    openpyxl = openpyxl_module()
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, (head, rows) in tables.items():
        sheet = book.create_sheet(name)
        head_of_sheet(sheet, ["" if _DATE.fullmatch(column) else column for column in head])
        for n, column in enumerate(head, start=1):
            if _DATE.fullmatch(column):
                _date_cell(sheet.cell(1, n), column)
                if name in (*GRIDS, STAFFING):
                    sheet.cell(1, n).number_format = "ddd dd mmm yyyy"
        for number, row in enumerate(rows, start=2):
            for n, value in enumerate(row, start=1):
                if isinstance(value, str) and _DATE.fullmatch(value):
                    _date_cell(sheet.cell(number, n), value)
                elif isinstance(value, str):
                    write_text(sheet.cell(number, n), value)
                    sheet.cell(number, n).number_format = "@"  # a spreadsheet would make a date of 2-5
                elif value is not None:
                    sheet.cell(number, n, value)
        if name == "roster":
            _colour(sheet, ward, rows, count, changes)
    book.save(path)


def _date_cell(cell: Any, text: str) -> None:
    cell.value = date.fromisoformat(text)
    cell.number_format = "yyyy-mm-dd"


def _colour(
    sheet: Any, ward: Ward, rows: Sequence[Sequence[Any]], count: Count | None, changes: Sequence[Change]
) -> None:
    openpyxl = openpyxl_module()
    styles = openpyxl.styles
    fills = [styles.PatternFill("solid", start_color=COLOURS[k % len(COLOURS)]) for k in range(len(ward.shifts))]
    grey = styles.PatternFill("solid", start_color=_WEEKEND)
    for number, row in enumerate(rows, start=2):
        for n, key in enumerate(row[2:], start=3):
            if key in ward.shift_of:
                sheet.cell(number, n).fill = fills[ward.shift_of[key]]
            elif ward.weekday(n - 3) >= 5:
                sheet.cell(number, n).fill = grey
    notes: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for breach in count.breaches if count is not None else ():
        if breach.person is not None:
            at = breach.person + 2, max(breach.day, -1) + 3
            colour = _BREACH if breach.weight is None else _COST
            notes.setdefault(at, []).append((colour, breach_words(ward, breach)))
    for e, d, before, _ in changes:
        was = ward.shifts[before].key if before >= 0 else "off"
        notes.setdefault((e + 2, d + 3), []).append((_CHANGE, f"Changed by the repair: it was {was}."))
    for (number, column), words in notes.items():
        colours = [colour for colour, _ in words]
        side = styles.Side(style="medium", color=next(one for one in (_BREACH, _CHANGE, _COST) if one in colours))
        cell = sheet.cell(number, column)
        cell.border = styles.Border(left=side, right=side, top=side, bottom=side)
        cell.comment = openpyxl.comments.Comment("\n".join(text for _, text in words), "packhorse")
    sheet.column_dimensions["B"].width = 22
    sheet.freeze_panes = "C2"
