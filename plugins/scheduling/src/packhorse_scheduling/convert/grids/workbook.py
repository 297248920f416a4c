"""A workbook of any maker as plain sheets: values, fills as colours, merged areas, formulas."""

import colorsys
import re
import zipfile
from collections.abc import Iterable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from packhorse import UserError
from packhorse_scheduling.convert.files.tables import columns_of
from packhorse_scheduling.convert.files.workbooks import GRID_HEAD, ROSTER, check_size, openpyxl_module
from packhorse_scheduling.domain.grids.sheet import At, Rect, Sheet, Value
from packhorse_scheduling.errors import invalid

MOST_SHEETS = 60
MOST_CELLS = 400_000
"""Of one sheet, filled or coloured, and inside merged areas: a year of weeks of 500 people has 30,000."""
_SCHEME = ("lt1", "dk1", "lt2", "dk2", *(f"accent{n}" for n in range(1, 7)), "hlink", "folHlink")
_OFFICE = [
    "FFFFFF",
    "000000",
    "EEECE1",
    "1F497D",
    "4F81BD",
    "C0504D",
    "9BBB59",
    "8064A2",
    "4BACC6",
    "F79646",
    "0000FF",
    "800080",
]
"""The colours of a theme in the order in which cells count them (ECMA-376, 20.1.6.2), and Office's own."""


def sheets_of(path: Path) -> list[Sheet]:
    """The visible sheets of a workbook.

    Raises:
        UserError: it is no workbook, or too large.
    """
    load = openpyxl_module().load_workbook
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as packed:
            check_size(path.name, packed)
            _check_extent(path.name, packed)
            book, written = load(file, data_only=True), load(file)
    except (OSError, UserError):
        raise
    except Exception as exc:  # of a damaged file the reader raises whatever comes first: zlib's, XML's, an index
        raise invalid("file", f"{path.name} is not an Excel workbook (.xlsx), or is damaged.") from exc
    theme = _theme(book)
    return [
        _sheet(path.name, sheet, written[sheet.title], theme)
        for sheet in book.worksheets
        if sheet.sheet_state == "visible"
    ]


def is_for_import(sheets: Iterable[Sheet]) -> bool:
    """Whether this is a roster as it is exported, or has the tables of a programme."""
    named = {sheet.name.lower(): sheet.values for sheet in sheets}
    head = tuple(named.get(ROSTER.lower(), {}).get((2, n)) for n in range(1, len(GRID_HEAD) + 1))
    tables = ("programme", "people", "services")
    return head == GRID_HEAD or all(named.get(one, {}).get((1, 1)) == columns_of(one)[0] for one in tables)


def _check_extent(name: str, packed: zipfile.ZipFile) -> None:
    """Count the cells before anything is unpacked into objects: a small file can hold very many."""
    sheets = [one for one in packed.namelist() if one.startswith("xl/worksheets/") and one.endswith(".xml")]
    if len(sheets) > MOST_SHEETS:
        raise invalid("file", f"{name} has {len(sheets)} sheets, above {MOST_SHEETS}: keep those of the grid.")
    for sheet in sheets:
        body = packed.read(sheet)
        cells = len(re.findall(rb"<(?:\w+:)?c[ />]", body))
        inside = sum(_inside(found[1].decode("ascii", "replace")) for found in _MERGED.finditer(body))
        if max(cells, inside) > MOST_CELLS:
            raise invalid("file", f"{name} has a sheet of {max(cells, inside):,} cells, above {MOST_CELLS:,}.")


_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*ref="([^"]+)"')


def _inside(ref: str) -> int:
    found = re.fullmatch(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})", ref)
    if found is None:
        return 1
    left, right = (sum((ord(sign) - 64) * 26**n for n, sign in enumerate(reversed(found[k]))) for k in (1, 3))
    return int(right - left + 1) * (int(found[4]) - int(found[2]) + 1)


def _sheet(name: str, sheet: Any, written: Any, theme: list[str]) -> Sheet:
    values: dict[At, Value] = {}
    colours: dict[At, str] = {}
    counted: set[At] = set()
    struck: set[At] = set()
    noted: set[At] = set()
    for row in sheet.iter_rows():
        for cell in row:
            at = (cell.row, cell.column)
            value = _value(cell.value)
            if value is not None:
                values[at] = value
            if not cell.has_style:
                continue
            colour = _colour(cell.fill, theme)
            if colour and colour != "FFFFFF":
                colours[at] = colour
            if value is not None and cell.font is not None and cell.font.strike:
                struck.add(at)
    for row in written.iter_rows():
        for cell in row:
            if cell.data_type == "f":
                counted.add((cell.row, cell.column))
            if cell.comment is not None:
                noted.add((cell.row, cell.column))
    merged: list[Rect] = [(one.min_row, one.min_col, one.max_row, one.max_col) for one in sheet.merged_cells.ranges]
    hidden = [f"row {n}" for n, one in sheet.row_dimensions.items() if one.hidden]
    hidden += [f"column {n}" for n, one in sheet.column_dimensions.items() if one.hidden]
    return Sheet(
        sheet.title,
        values,
        colours,
        tuple(sorted(merged)),
        frozenset(counted),
        frozenset(struck),
        frozenset(noted),
        hidden=tuple(hidden),
    )


def _value(given: Any) -> Value | None:
    if isinstance(given, datetime):
        return given.date()
    if isinstance(given, bool | time) or given is None:
        return None if given is None else str(given)
    if isinstance(given, str):
        return given.strip() or None
    return given if isinstance(given, int | float | date) else str(given)


def _colour(fill: Any, theme: list[str]) -> str:
    """The colour of a solid fill as RRGGBB; empty of any other. A theme's colour is worked out with its tint."""
    if fill is None or fill.fill_type != "solid":
        return ""
    found = fill.start_color
    if found.type == "rgb" and isinstance(found.rgb, str) and len(found.rgb) == 8:
        base = found.rgb[2:].upper()
    elif found.type == "theme" and isinstance(found.theme, int) and found.theme < len(theme):
        base = theme[found.theme]
    elif found.type == "indexed" and isinstance(found.indexed, int):
        palette = openpyxl_module().styles.colors.COLOR_INDEX
        base = palette[found.indexed][2:].upper() if found.indexed < len(palette) else ""
    else:
        return ""
    return _tinted(base, float(found.tint or 0)) if re.fullmatch("[0-9A-F]{6}", base) else ""


def _tinted(base: str, tint: float) -> str:
    """A colour made lighter or darker as ECMA-376, 18.8.3 says: of hue, lightness and saturation, the lightness."""
    if not tint:
        return base
    red, green, blue = (int(base[n : n + 2], 16) / 255 for n in (0, 2, 4))
    hue, light, full = colorsys.rgb_to_hls(red, green, blue)
    light = light * (1 + tint) if tint < 0 else light * (1 - tint) + tint
    return "".join(f"{round(255 * part):02X}" for part in colorsys.hls_to_rgb(hue, min(1.0, max(0.0, light)), full))


def _theme(book: Any) -> list[str]:
    """The workbook's own theme; Office's where it has none."""
    text = (book.loaded_theme or b"").decode("utf-8", "replace")
    found = []
    for name, usual in zip(_SCHEME, _OFFICE, strict=True):
        match = re.search(rf'<a:{name}>\s*<a:\w+Clr[^>]*?(?:lastClr|val)="([0-9A-Fa-f]{{6}})"', text)
        last = re.search(rf'<a:{name}>\s*<a:sysClr[^>]*lastClr="([0-9A-Fa-f]{{6}})"', text)
        found.append(((last or match)[1] if last or match else usual).upper())  # type: ignore[index]
    return found
