"""A programme as named tables of text cells: what CSV files and workbooks have in common.

The columns are the fields of the domain's own classes. In a cell a list is
separated by ``; ``, a pair by ``=`` (``ICU=2027-06-30; PROC``), clock times
are ``08:00-12:00``, weekdays ``Mon; Tue``, and yes or no stand for themselves.
``none`` is an empty list; an empty cell is the field's default.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

import attrs

from packhorse_scheduling.convert.files.schema import hints_of, optional_of
from packhorse_scheduling.domain.programme.actual import Actual
from packhorse_scheduling.domain.programme.figures import Figure
from packhorse_scheduling.domain.programme.limits import Limit, RuleSet
from packhorse_scheduling.domain.programme.people import EVERY_PGY, Person
from packhorse_scheduling.domain.programme.programme import MOST_ROWS, Programme, Worked
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Lock, Preference, RotationLock
from packhorse_scheduling.domain.programme.services import Rotation, Service, Span
from packhorse_scheduling.errors import invalid
from packhorse_scheduling.store import document_of

Table = tuple[tuple[str, ...], list[list[str]]]
"""Column names, and rows of as many cells."""


class Tabled(dict[str, Any]):
    """A programme's document that was read from tables; ``rows`` are the numbers of each table's rows in its file."""

    rows: Mapping[str, Sequence[int]] = {}


KINDS: Mapping[str, type] = {
    "people": Person,
    "services": Service,
    "rotations": Rotation,
    "demands": Demand,
    "leaves": Leave,
    "preferences": Preference,
    "locks": Lock,
    "rotation_locks": RotationLock,
    "history": Worked,
    "actual_hours": Actual,
    "ledger": Figure,
}
"""The tables that have one row to a value, by name."""
TABLES = ("programme", *KINDS, "rules")
_YEAR = ("name", "start", "end")
_LIMIT = ("rule", "value", "authority", "source", "severity")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DATE_IN_CODE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_RESERVED = (";", "=", "\n", "\r")


def columns_of(table: str) -> tuple[str, ...]:
    """The columns of a table, in order."""
    if table == "programme":
        return _YEAR
    if table == "rules":
        return _LIMIT
    return tuple(hints_of(KINDS[table]))


def tables_of(programme: Programme) -> dict[str, Table]:
    """The tables of a programme.

    Raises:
        UserError: a code or key holds one of the signs that separate values in a cell.
    """
    document = document_of(programme)
    year = document["year"]
    found: dict[str, Table] = {"programme": (_YEAR, [[document["name"], year["start"], year["end"]]])}
    for name, kind in KINDS.items():
        hints = hints_of(kind)
        rows = [[_cell(row[field], hint, field) for field, hint in hints.items()] for row in document[name]]
        found[name] = (tuple(hints), rows)
    found["rules"] = (_LIMIT, _rules(document["rules"]))
    return found


def document_from(tables: Mapping[str, tuple[Sequence[str], Iterable[Sequence[Any]]]]) -> dict[str, Any]:
    """The document of these tables, for `packhorse_scheduling.convert.files.documents`.

    Raises:
        UserError: a table or column is missing or unknown, or a cell is not of its kind; it names the place.
    """
    unknown = [name for name in tables if name not in TABLES]
    if unknown:
        raise _no_table(unknown[0])
    for name in ("programme", "people", "services"):
        if name not in tables:
            raise invalid(
                "file", f"The table {name!r} is missing. 'packhorse scheduling init' writes a file to start from."
            )
    document = Tabled(_year_from(tables["programme"]))
    rows: dict[str, Sequence[int]] = {}
    for name, kind in KINDS.items():
        if name in tables:
            records = _records(name, tables[name])
            document[name] = [_row_from(kind, name, number, one) for number, one in records]
            rows[name] = [number for number, _ in records]
    document.rows = rows
    if "rules" in tables:
        document["rules"] = _rules_from(_records("rules", tables["rules"]))
    return document


def _year_from(given: tuple[Sequence[str], Iterable[Sequence[Any]]]) -> dict[str, Any]:
    head = _records("programme", given)
    if len(head) != 1:
        raise invalid("file", f"The table 'programme' must have 1 row, not {len(head)}.")
    number, record = head[0]
    for name in _YEAR:
        if not record.get(name):
            raise invalid("file", f"programme, row {number}: {name} is missing.")
    year = {name: _item(record[name], date, name, f"programme, row {number}, column {name}") for name in _YEAR[1:]}
    return {"name": record["name"], "year": year}


def _row_from(kind: type, table: str, number: int, record: Mapping[str, str]) -> dict[str, Any]:
    hints = hints_of(kind)
    row = {
        field: _value(text, hints[field], field, f"{table}, row {number}, column {field}")
        for field, text in record.items()
        if text
    }
    for field in attrs.fields(kind):
        if not field.init or field.name in row:
            continue
        if optional_of(hints[field.name])[1]:
            row[field.name] = None
        elif field.default is attrs.NOTHING:
            raise invalid("file", f"{table}, row {number}: {field.name} is missing.")
    return row


def check_names(names: Iterable[str]) -> None:
    """Let names of other things pass, and none that was meant for a table: its rows would be lost without a word.

    Raises:
        UserError: a name is nearly that of a table.
    """
    for name in names:
        if name.lower() not in TABLES and get_close_matches(name.lower(), TABLES, n=1, cutoff=0.75):
            raise _no_table(name)


def _no_table(name: str) -> Exception:
    near = get_close_matches(name.lower(), TABLES, n=1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return invalid("file", f"There is no table {name[:40]!r}.{meant} The tables: {', '.join(TABLES)}.")


def text_of(value: Any) -> str:
    """Whatever a reader of workbooks gives for a cell, as the text that a person sees."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _records(table: str, given: tuple[Sequence[str], Iterable[Sequence[Any]]]) -> list[tuple[int, dict[str, str]]]:
    """Each filled row with its number, as a spreadsheet counts it."""
    columns = [text_of(name) for name in given[0]]
    known = columns_of(table)
    for name in columns:
        if name not in known:
            raise invalid(
                "file", f"The table {table!r} has an unknown column {name[:40]!r}. Its columns: {', '.join(known)}."
            )
    if len(set(columns)) != len(columns):
        raise invalid("file", f"The table {table!r} has the same column twice.")
    found: list[tuple[int, dict[str, str]]] = []
    for number, row in enumerate(given[1], start=2):
        cells = [text_of(value) for value in row]
        if not any(cells):
            continue
        if len(found) == MOST_ROWS:
            raise invalid("file", f"The table {table!r} has more than {MOST_ROWS:,} rows: split the programme.")
        if any(cells[len(columns) :]):
            raise invalid("file", f"The table {table!r}, row {number}, has more cells than columns.")
        cells += [""] * (len(columns) - len(cells))
        found.append((number, dict(zip(columns, cells, strict=False))))
    return found


# --- one cell ---


def _cell(value: Any, hint: Any, field: str) -> str:
    kind, _ = optional_of(hint)
    if value is None or (field == "pgy" and value == sorted(EVERY_PGY)):
        return ""
    if kind is Span:
        return f"{_clock(value['start'])}-{_clock(value['end'])}"
    if kind is bool:
        return "yes" if value else "no"
    origin = get_origin(kind)
    if origin is not None and _is_a(origin, Mapping):
        pairs = (_plain(key) if item is None else f"{_plain(key)}={_plain(item)}" for key, item in value.items())
        return "; ".join(pairs) or "none"
    if origin in (tuple, frozenset):
        items = sorted(value) if origin is frozenset else value
        return "; ".join(_DAYS[item] if field == "weekdays" else _plain(item) for item in items) or "none"
    return str(value)


def _value(text: str, hint: Any, field: str, place: str) -> Any:
    kind, _ = optional_of(hint)
    origin, arms = get_origin(kind), get_args(kind)
    if kind is Span:
        return _span(text, place)
    if kind is bool:
        if text.lower() not in ("yes", "no", "true", "false"):
            raise invalid("file", f"{place}: {text[:40]!r} must be yes or no.")
        return text.lower() in ("yes", "true")
    if origin is not None and _is_a(origin, Mapping):
        return {} if text == "none" else _pairs(text, arms[1], field, place)
    if origin in (tuple, frozenset):
        if text == "none":
            return []
        return [_item(part, arms[0], field, place) for part in _parts(text)]
    return _item(text, kind, field, place)


def _pairs(text: str, kind: Any, field: str, place: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in _parts(text):
        key, equals, item = (piece.strip() for piece in part.partition("="))
        if not key or key in found or (not equals and _DATE_IN_CODE.search(key)) or (equals and not item):
            raise invalid("file", f"{place}: {part[:40]!r} must be a name, or name=value.")
        found[key] = _value(item, kind, field, place) if equals else None
    return found


def _item(text: str, kind: Any, field: str, place: str) -> Any:
    kind, _ = optional_of(kind)
    if field == "weekdays":
        names = next((names for names in (_DAYS, _WEEKDAYS) if text.title() in names), None)
        if names is None:
            raise invalid("file", f"{place}: {text[:40]!r} must be one of {', '.join(_DAYS)}.")
        return names.index(text.title())
    if kind is int:
        if not text.lstrip("-").isascii() or not text.lstrip("-").isdigit() or len(text) > 12:
            raise invalid("file", f"{place}: {text[:40]!r} must be a whole number.")
        return int(text)
    if kind is date:
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError as exc:
            raise invalid("file", f"{place}: {text[:40]!r} must be a date such as 2026-07-01.") from exc
    if get_origin(kind) is Literal and text not in get_args(kind):
        raise invalid("file", f"{place}: {text[:40]!r} must be one of {', '.join(map(str, get_args(kind)))}.")
    return text


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _plain(value: Any) -> str:
    text = str(value)
    if any(sign in text for sign in _RESERVED) or text != text.strip() or not text:
        raise invalid(
            "file", f"{text[:40]!r} cannot be in a table: a code must not have ; or =, or begin or end with a blank."
        )
    return text


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _span(text: str, place: str) -> dict[str, int]:
    start, dash, end = text.partition("-")
    try:
        times = [_minutes(one) for one in (start, end)]
    except ValueError as exc:
        raise invalid("file", f"{place}: {text[:40]!r} must be clock times such as 08:00-12:00.") from exc
    if not dash:
        raise invalid("file", f"{place}: {text[:40]!r} must be clock times such as 08:00-12:00.")
    return {"start": times[0], "end": times[1]}


def _minutes(text: str) -> int:
    hour, _, minute = text.strip().partition(":")
    made = int(hour) * 60 + int(minute)
    if not (0 <= int(hour) <= 24 and 0 <= int(minute) < 60 and made <= 1440):
        raise ValueError(text)
    return made


def _is_a(kind: Any, base: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, base)


# --- rules ---


def _rules(document: Mapping[str, Any]) -> list[list[str]]:
    rows = []
    for field, hint in hints_of(RuleSet).items():
        value = document[field]
        if optional_of(hint)[0] is Limit:
            cells = ["", "", "", ""] if value is None else [str(value[name]) for name in _LIMIT[1:]]
            rows.append([field, *cells])
        else:
            rows.append([field, _cell(value, hint, field), "", "", ""])
    return rows


def _rules_from(records: Sequence[tuple[int, Mapping[str, str]]]) -> dict[str, Any]:
    hints = hints_of(RuleSet)
    found: dict[str, Any] = {}
    for number, record in records:
        name, place = record.get("rule", ""), f"rules, row {number}"
        if name not in hints:
            raise invalid("file", f"{place}: there is no rule {name[:40]!r}. The rules: {', '.join(hints)}.")
        if name in found:
            raise invalid("file", f"{place}: the rule {name!r} is listed twice.")
        hint, text = hints[name], record.get("value", "")
        if optional_of(hint)[0] is Limit:
            limits = hints_of(Limit)
            found[name] = {
                field: _item(record[field], limits[field], field, f"{place}, column {field}")
                for field in _LIMIT[1:]
                if record.get(field)
            }
        elif text:
            found[name] = _value(text, hint, name, place)
    return found
