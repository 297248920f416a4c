"""A card's text cut into level-two sections, and a section into fields and list items: one pass each."""

import re
from collections.abc import Iterator

from attrs import frozen

_HEADING = re.compile(r"(#{1,6})[ \t](.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(.*)", re.ASCII)
_BREAK = re.compile(r"\r\n|\r|\n")
_MOST_INDENT = 1


@frozen
class Section:
    """A level-two section: its heading without the mark, and its lines as written."""

    title: str
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The lines, without empty ones around them."""
        return "\n".join(self.lines).strip()


def sections(text: str) -> tuple[str | None, list[Section]]:
    """The first level-one heading, and the level-two sections in order.

    Headings count at the beginning of a line alone, outside fences and HTML
    comments. An open fence or comment hides everything after it, which is how
    a reader of the rendered card would see it.
    """
    title: str | None = None
    found: list[Section] = []
    head: str | None = None
    lines: list[str] = []
    for line, hidden in _marked(text):
        heading = None if hidden else _HEADING.fullmatch(line)
        if heading is None or len(heading[1]) > 2:
            lines.append(line)
            continue
        if head is not None:
            found.append(Section(head, _trimmed(lines)))
        lines = []
        head = None
        words = heading[2].strip()
        if len(heading[1]) == 2:
            head = words
        elif title is None:
            title = words
    if head is not None:
        found.append(Section(head, _trimmed(lines)))
    return title, found


def fields(section: Section) -> Iterator[tuple[str, str, list[str]]]:
    """``- **Label:** value`` items, each with the list items that stand below it."""
    current: tuple[str, str, list[str]] | None = None
    for indent, words in _items(section):
        if indent > _MOST_INDENT:
            if current is not None:
                current[2].append(words)
            continue
        if current is not None:
            yield current
        current = None
        if words.startswith("**") and ":**" in words:
            label, value = words[2:].split(":**", 1)
            current = (label.strip(), value.strip(), [])
    if current is not None:
        yield current


def bullets(section: Section) -> tuple[str, ...]:
    """The section's own list items, numbered or not, without those nested below them."""
    return tuple(words for indent, words in _items(section) if indent <= _MOST_INDENT)


def fenced(section: Section, label: str) -> list[str]:
    """The blocks of a section that are fenced and labelled so."""
    found: list[list[str]] = []
    inside = False
    for line in section.lines:
        stripped = line.strip()
        if not inside and stripped == f"```{label}":
            inside = True
            found.append([])
        elif inside and stripped == "```":
            inside = False
        elif inside:
            found[-1].append(line)
    return ["\n".join(lines) for lines in found]


def _items(section: Section) -> Iterator[tuple[int, str]]:
    for line, hidden in _marked("\n".join(section.lines)):
        match = None if hidden else _ITEM.fullmatch(line)
        if match is not None and match[2].strip():
            yield len(match[1].expandtabs(4)), match[2].strip()


def _marked(text: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether a fence or a comment hides it."""
    fence: str | None = None
    comment = False
    for line in _BREAK.split(text):
        if comment:
            comment = "-->" not in line
            yield line, True
        elif fence is not None:
            closing = _FENCE.match(line)
            if closing and closing[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = None
            yield line, True
        elif opening := _FENCE.match(line):
            fence = opening[1]
            yield line, True
        elif "<!--" in line:
            comment = "-->" not in line.rsplit("<!--", 1)[1]
            yield line, True
        else:
            yield line, False


def _trimmed(lines: list[str]) -> tuple[str, ...]:
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return tuple(lines[start:end])
