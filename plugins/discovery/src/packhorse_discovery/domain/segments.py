"""Cut an answer into tables, lists and prose: Markdown, HTML, CSV, TSV and JSON are read without guessing."""

import csv
import html
import io
import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.figures import digits


@frozen
class Table:
    """A table as written: its headers and its cells, as text."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Item:
    """An item of a list: the label before a colon or dash (or all of it), and the rest."""

    label: str
    rest: str
    depth: int = 0
    labelled: bool = False


_CLOCKED = re.compile(r"\bh{1,2}:mm\b", re.IGNORECASE)
"""A heading of spans as hours and minutes."""
_SPAN_CELL = re.compile(r"^(\d{1,3}):([0-5]\d)$")
_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$")
_BULLET = re.compile(
    r"^(?P<indent>\s*)(?:[-*•\u2013\u2022\u25e6]|(?:step\s*)?\(?\d{1,2}[.):]|\(?[a-h][.)])\s+(?P<text>\S.*)$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^\*\*(?P<bold>[^*]+?):?\*\*\s*(?:[:\u2013\u2014(-]|\Z)?\s*(?P<after>.*)$"
    r"|^(?P<plain>[^:\u2013\u2014|;()=]{2,60}?)\s*(?::|\s[\u2013\u2014-]\s|=)\s*(?P<then>\S.*)$",
    re.DOTALL,
)
_PAREN = re.compile(r"^(?P<name>[^()]{2,60}?)\s*\((?P<inside>[^()]*)\)\s*(?P<after>.*)$", re.DOTALL)
_COMMA = re.compile(r"^(?P<name>[^,;]{2,60}?),\s*(?P<after>.*\d.*)$", re.DOTALL)


def tables(text: str) -> list[Table]:
    """Every table in ``text``, whatever its notation."""
    return [*_json(text), *_html(text), *_markdown(text), *_separated(text)]


def items(text: str) -> list[Item]:
    """The items of bulleted and numbered lists, continuation lines joined to theirs."""
    found: list[tuple[int, str]] = []
    for line in text.splitlines():
        match = _BULLET.match(line)
        if match:
            found.append((len(match["indent"].expandtabs(2)), match["text"].strip()))
        elif found and line.startswith((" ", "\t")) and line.strip():
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
    if not found:
        return []
    least = min(indent for indent, _ in found)
    return [_item(words, (indent - least) // 2) for indent, words in found]


def unbulleted(line: str) -> str:
    """A line without its bullet or number."""
    match = _BULLET.match(line)
    return match["text"] if match else line


def labelled(line: str) -> Item:
    """One line cut into its label and the rest."""
    return _item(line.strip(), 0)


def plain(text: str) -> str:
    """``text`` without Markdown emphasis and HTML tags, spaces joined."""
    text = html.unescape(re.sub(r"<[^>]{1,80}>", " ", text))
    return " ".join(re.sub(r"\*\*|__|`", "", text).split()).strip()


def prose(text: str) -> str:
    """What is left of ``text`` when tables and list items are taken out."""
    kept = [line for line in text.splitlines() if "|" not in line and not _BULLET.match(line)]
    return plain("\n".join(kept))


def _item(words: str, depth: int) -> Item:
    match = _LABEL.match(words)
    if match:
        label, rest = match["bold"] or match["plain"], match["after"] or match["then"] or ""
        return Item(plain(label).strip(" :"), plain(rest), depth, labelled=True)
    bare = plain(words)
    for pattern in (_PAREN, _COMMA):
        found = pattern.match(bare)
        if found:
            groups = found.groupdict()
            return Item(found["name"].strip(), f"{groups.get('inside') or ''} {found['after']}".strip(), depth)
    return Item(bare.rstrip("."), "", depth)


def _markdown(text: str) -> list[Table]:
    found: list[Table] = []
    lines = text.splitlines()
    place = 0
    while place < len(lines) - 1:
        if "|" in lines[place] and _RULE.match(lines[place + 1]):
            headers = _cells(lines[place])
            rows: list[tuple[str, ...]] = []
            place += 2
            while place < len(lines) and "|" in lines[place]:
                cells = _cells(lines[place])
                rows.append(cells)
                place += 1
            found.append(_filled(headers, rows))
        else:
            place += 1
    return found


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return tuple(plain(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", inner))


class _TableReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[list[list[str]]] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.found.append([])
        elif tag == "tr" and self.found:
            self.found[-1].append([])
        elif tag in {"td", "th"} and self.found:
            if not self.found[-1]:
                self.found[-1].append([])
            self.found[-1][-1].append("")
            self._open = True
        elif tag in {"br", "li"} and self._open:
            self.found[-1][-1][-1] += "; "

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th", "tr", "table"}:
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self.found[-1][-1][-1] += data


def _html(text: str) -> list[Table]:
    if "<table" not in text.casefold():
        return []
    reader = _TableReader()
    reader.feed(text)
    return [_table([[plain(cell) for cell in row] for row in rows if row]) for rows in reader.found if len(rows) > 1]


def _separated(text: str) -> list[Table]:
    """CSV, TSV or bars: at least two lines of the same number (two or more) of cells, the first without digits."""
    block = re.sub(r"^```\w*\s*$", "", text, flags=re.MULTILINE).strip()
    for chunk in re.split(r"\n\s*\n", block):
        lines = [line for line in chunk.splitlines() if line.strip()]
        ruled = any(_RULE.match(line) for line in lines)
        for mark in ("\t", ";", ",") if ruled else ("\t", ";", ",", "|"):
            good = [line for line in lines if mark in line and not _BULLET.match(line)]
            if mark == "|":
                good = [line.strip().removeprefix("|").removesuffix("|") for line in good]
            else:
                good = [line for line in good if "|" not in line]
            rows = list(csv.reader(io.StringIO("\n".join(good)), delimiter=mark, skipinitialspace=True))
            widths = {len(row) for row in rows}
            if len(rows) >= 2 and len(widths) == 1 and widths.pop() >= 2 and _heads(rows[0]):
                return [_table([[plain(cell) for cell in row] for row in rows])]
    return []


def _heads(row: list[str]) -> bool:
    if any(re.search(r"[:=\d]", digits(_CLOCKED.sub("", cell))) for cell in row):
        return False  # a line of a list, not headings
    return all(cell.strip() and len(cell) <= 40 and not re.search(r"[.!?]\s", cell) for cell in row) and not any(
        re.match(r"\s*[~\d]", cell) for cell in row
    )


def _json(text: str) -> list[Table]:
    match = re.search(r"```(?:json)?\s*(\[.*?\])\s*```", text, re.DOTALL) or re.match(
        r"\s*(\[\s*\{.*\}\s*\])\s*$", text, re.DOTALL
    )
    if not match:
        return []
    try:
        rows: Any = json.loads(match[1])
    except ValueError:
        return []
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        return []
    headers = list(dict.fromkeys(str(name) for row in rows for name in row))
    return [_table([headers, *[[_cell(row.get(name)) for name in headers] for row in rows]])]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(_cell(item) for item in value)
    if isinstance(value, Mapping) and "value-string" in value:
        return f"{value['value-string']} {value.get('units', '')}".strip()
    return str(value)


def _table(rows: list[list[str]]) -> Table:
    return _filled(tuple(rows[0]), [tuple(row) for row in rows[1:]])


def _filled(headers: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    """A table whose rows are as long as its headings; cells under "h:mm" say their unit."""
    clocked = [bool(_CLOCKED.search(head)) for head in headers]
    return Table(
        tuple(_CLOCKED.sub("", head).strip(" (),[]") or "time" for head in headers),
        tuple(
            tuple(
                _SPAN_CELL.sub(lambda m: f"{int(m[1]) * 60 + int(m[2])} minutes", cell.strip()) if clock else cell
                for cell, clock in zip((*row, *[""] * len(headers)), clocked, strict=False)
            )
            for row in rows
        ),
    )
