"""Reading people and facilities from files: CSV, JSON Lines and SQLite, one row at a time, with its line."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from attrs import frozen

from packhorse import UserError

Format = Literal["csv", "jsonl", "sqlite"]
FORMATS: tuple[Format, ...] = ("csv", "jsonl", "sqlite")

LONGEST_LINE = 1_000_000
"""Characters of one line; a longer one means that the file is something else."""

_BY_SUFFIX: dict[str, Format] = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".db": "sqlite",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
}


@frozen
class Line:
    """A row under the pack's own column names, or what is wrong with the line (``fault``)."""

    number: int
    fields: Mapping[str, object]
    fault: str | None = None


@frozen
class TableFile:
    """A file with a table in it. ``columns`` maps the pack's names to the file's, where they differ."""

    path: Path
    columns: Mapping[str, str]
    format: Format | None = None
    table: str | None = None

    def lines(self, known: Sequence[str], required: Sequence[str]) -> Iterator[Line]:
        """The rows, with the line on which each begins (for SQLite: its place in the table).

        Raises:
            UserError: the file cannot be read, or lacks a column that is required.
        """
        kind = self.format or _BY_SUFFIX.get(self.path.suffix.lower())
        if kind is None:
            raise UserError(
                f"{self.path.name}: name the kind of file with --format {'|'.join(FORMATS)}", code="BAD_FILE"
            )
        if not self.path.is_file():
            raise UserError(f"{self.path.name}: there is no such file", code="BAD_FILE")
        strange = sorted(set(self.columns) - set(known))
        if strange:
            raise UserError(
                f"--map {strange[0]}=...: packhorse has no field {strange[0]}. Map one of {', '.join(known)}",
                code="BAD_MAPPING",
            )
        read = {"csv": self._csv, "jsonl": self._jsonl, "sqlite": self._sqlite}[kind]
        try:
            yield from read(known, required)
        except UnicodeDecodeError as exc:
            raise UserError(f"{self.path.name}: the file is not UTF-8 text; save it as UTF-8", code="BAD_FILE") from exc
        except (OSError, csv.Error, sqlite3.Error) as exc:
            raise UserError(f"{self.path.name}: the file cannot be read as {kind}", code="BAD_FILE") from exc

    def _names(self, present: Sequence[str], known: Sequence[str], required: Sequence[str]) -> dict[str, str]:
        """The file's column for each of the pack's that it has."""
        names = {name: self.columns.get(name, name) for name in known}
        lost = [name for name in self.columns if names[name] not in present]
        missing = lost or [name for name in required if names[name] not in present]
        if missing:
            have = ", ".join(present[:30]) or "none"
            column = names[missing[0]]
            asked = f"for {missing[0]}" if column == missing[0] else f"{column!r} for {missing[0]}"
            raise UserError(
                f"{self.path.name} has no column {asked}. It has: {have}. Name the right column with"
                f" --map {missing[0]}=COLUMN.",
                code="BAD_MAPPING",
            )
        return {name: column for name, column in names.items() if column in present}

    def _csv(self, known: Sequence[str], required: Sequence[str]) -> Iterator[Line]:
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, [])
            names = self._names(header, known, required)
            places = {name: header.index(column) for name, column in names.items()}
            first = reader.line_num + 1
            for row in reader:
                if row and len(row) != len(header):
                    yield Line(first, {}, f"has {len(row)} fields, but the header has {len(header)}")
                elif row:
                    yield Line(first, {name: row[place] for name, place in places.items()})
                first = reader.line_num + 1

    def _jsonl(self, known: Sequence[str], required: Sequence[str]) -> Iterator[Line]:
        names = {name: self.columns.get(name, name) for name in known}
        with self.path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                if len(line) > LONGEST_LINE:
                    yield Line(number, {}, f"is longer than {LONGEST_LINE:,} characters")
                    continue
                try:
                    value: Any = json.loads(line)
                except (ValueError, RecursionError):
                    yield Line(number, {}, "is not JSON")
                    continue
                if not isinstance(value, dict):
                    yield Line(number, {}, "is not a JSON object")
                    continue
                missing = [name for name in required if names[name] not in value]
                if missing:
                    yield Line(number, {}, f"has no {missing[0]}")
                    continue
                fields = {name: value.get(column) for name, column in names.items()}
                nested = [name for name, item in fields.items() if isinstance(item, dict | list)]
                yield Line(number, fields, f"{nested[0]} must be text or a number" if nested else None)

    def _sqlite(self, known: Sequence[str], required: Sequence[str]) -> Iterator[Line]:
        if self.table is None:
            raise UserError(f"{self.path.name}: name the table to read with --table NAME", code="BAD_FILE")
        from sqlite_utils import Database  # loaded for such a file alone

        with closing(sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            database = Database(connection, execute_plugins=False)
            tables = [*database.table_names(), *database.view_names()]
            if self.table not in tables:
                raise UserError(
                    f"{self.path.name} has no table with this name; it has: {', '.join(tables[:20]) or 'none'}",
                    code="BAD_FILE",
                )
            table = database[self.table]
            names = self._names([column.name for column in table.columns], known, required)
            for number, row in enumerate(table.rows, start=1):
                yield Line(number, {name: row[column] for name, column in names.items()})
