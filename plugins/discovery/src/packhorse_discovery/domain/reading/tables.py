"""Tables and lists in an answer: Markdown, HTML, CSV, TSV and JSON, as written."""

import csv
import html
import io
import json
import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from typing import Any

from attrs import frozen

_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$")
_BULLET = re.compile(r"^\s*(?:[-*\u2022\u2013]|\(?\d{1,2}[.)]|\(?[a-h]\))\s+(?P<text>\S.*)$")
_NAMED = re.compile(r"^(?P<name>[^:|;=]{1,60}?)\s*(?::|\s[-\u2013\u2014]\s|=)\s*(?P<rest>\S.*)$")

_DITTO = re.compile(r'^\s*(?:"|\u3003|ditto)?\s*$', re.IGNORECASE)


@frozen
class Table:
    """A table as written: its headings and its cells, as text."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Item:
    """An item of a list: its name, and what stands after it."""

    name: str
    rest: str = ""


def tables(text: str) -> list[Table]:
    """Every table in ``text``, whatever its notation."""
    return [*_json(text), *_html(text), *(_markdown(text) or _separated(text))]


def items(text: str) -> list[Item]:
    """The items of an answer that is a list, bulleted or a line each; none where it is anything else."""
    lines = [line for line in text.splitlines() if line.strip()]
    bulleted = [_BULLET.match(line) for line in lines]
    if lines and all(bulleted):
        return [_item(match["text"]) for match in bulleted if match]
    named = [_NAMED.match(plain(line)) for line in lines]
    if len(lines) > 1 and all(named):
        return [_item(line) for line in lines]
    short = len(lines) > 1 and all(len(line.split()) <= 6 and not re.search(r"[.!?]\s*$", line) for line in lines)
    return [_item(line) for line in lines] if short else []


def plain(text: str) -> str:
    """``text`` without Markdown emphasis and HTML tags, spaces joined."""
    return " ".join(html.unescape(re.sub(r"\*\*|__|`|<[^>]{1,80}>", " ", text)).split())


def _item(line: str) -> Item:
    words = plain(line).rstrip(".")
    match = _NAMED.match(words)
    return Item(match["name"].strip(), match["rest"].strip()) if match else Item(words)


def _markdown(text: str) -> list[Table]:
    found: list[list[list[str]]] = []
    lines = text.splitlines()
    for place, line in enumerate(lines[:-1]):
        if "|" in line and _RULE.match(lines[place + 1]):
            end = next((at for at in range(place + 2, len(lines)) if "|" not in lines[at]), len(lines))
            found.append([_cells(row) for row in (line, *lines[place + 2 : end])])
    return [_table(rows) for rows in found]


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [plain(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", inner)]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[list[list[str]]] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.found.append([])
        elif tag == "tr" and self.found:
            self.found[-1].append([])
        elif tag in {"td", "th"} and self.found and self.found[-1]:
            self.found[-1][-1].append("")
            self._open = True
        elif tag in {"br", "li"} and self._open:
            self.found[-1][-1][-1] += "; "

    def handle_endtag(self, tag: str) -> None:
        self._open = self._open and tag not in {"td", "th", "tr", "table"}

    def handle_data(self, data: str) -> None:
        if self._open:
            self.found[-1][-1][-1] += data


def _html(text: str) -> list[Table]:
    if "<table" not in text.casefold():
        return []
    reader = _Reader()
    reader.feed(text)
    return [_table([[plain(cell) for cell in row] for row in rows if row]) for rows in reader.found if len(rows) > 1]


def _separated(text: str) -> list[Table]:
    """CSV or TSV: two lines or more of one width, the first of them headings."""
    for chunk in re.split(r"\n\s*\n", re.sub(r"^```\w*\s*$", "", text, flags=re.MULTILINE).strip()):
        for mark in "\t;,|":
            lines = [line.strip().strip("|") if mark == "|" else line for line in chunk.splitlines() if mark in line]
            rows = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=mark, skipinitialspace=True))
            wide = len({len(row) for row in rows}) == 1 and len(rows) > 1 and len(rows[0]) > 1
            if wide and all(cell.strip() and len(cell) <= 40 and not re.search(r"[:=\d.!?]", cell) for cell in rows[0]):
                return [_table([[plain(cell) for cell in row] for row in rows])]
    return []


def _json(text: str) -> list[Table]:
    match = re.search(r"```(?:json)?\s*(\[.*?\])\s*```", text, re.DOTALL) or re.match(
        r"\s*(\[.*\])\s*$", text, re.DOTALL
    )
    try:
        rows: Any = json.loads(match[1]) if match else None
    except ValueError:
        return []
    if not isinstance(rows, list) or not rows or not all(isinstance(row, Mapping) for row in rows):
        return []
    headers = list(dict.fromkeys(str(name) for row in rows for name in row))
    return [_table([headers, *([_cell(row.get(name)) for name in headers] for row in rows)])]


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(_cell(item) for item in value)
    if isinstance(value, Mapping) and "value-string" in value:
        return f"{value['value-string']} {value.get('units', '')}".strip()
    return "" if value is None else str(value)


def _table(rows: Sequence[Sequence[str]]) -> Table:
    """A table whose rows are as long as its headings."""
    headers = tuple(rows[0])
    return Table(headers, tuple(tuple((*row, *[""] * len(headers))[: len(headers)]) for row in rows[1:]))


def upright(table: Table) -> Table:
    """The table, with the first cell of the row above where one is empty, or a ditto, and the row is not."""
    rows: list[tuple[str, ...]] = []
    for row in table.rows:
        empty = _DITTO.match(row[0]) and any(row)
        rows.append((rows[-1][0], *row[1:]) if rows and empty else row)
    return Table(table.headers, tuple(rows))
