"""Edits of somebody else's JSON file that leave every other byte as it was.

Parsing and writing back would lose the owner's layout, number spellings and
escapes. So the standard library reads the text, strictly (RFC 8259), for where its
members stand, and only the member in question is put in, changed or taken out.

`drop` undoes `put`, byte for byte, but leaves an object empty that `put` had to
make. What stood between the braces of an empty object stays, in front of the
new member; the line break before that member is ours, and goes with it.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, cast

EMPTY = "{}\n"
"""A text that says nothing."""

_SPACE = re.compile(r"[ \t\n\r]*")
_LAST_COMMA = re.compile(r",\s*[}\]]")
_COMMENT = re.compile(r"//|/\*|#")
_BREAK = re.compile(r"\r\n|\n|\r")
_LAST_BREAK = re.compile(r"(?:\r\n|\n|\r)[ \t]*\Z")


class JsonError(ValueError):
    """Text that cannot be edited safely: what is wrong, and where.

    ``line`` and ``column`` count from 1, the column in characters.
    """

    def __init__(self, text: str, at: int, problem: str) -> None:
        breaks = list(_BREAK.finditer(text, 0, at))
        self.line = len(breaks) + 1
        self.column = at - (breaks[-1].end() if breaks else 0) + 1
        self.problem = problem
        super().__init__(f"line {self.line}, column {self.column}: {problem}")


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value stands, from ``start`` up to ``end``; ``members`` is None unless it is an object."""

    text: str
    start: int
    end: int

    @property
    def members(self) -> "tuple[Member, ...] | None":
        return tuple(_members(self.text, self.start)) if self.text.startswith("{", self.start) else None


@dataclass(frozen=True, slots=True)
class Member:
    """One ``"key": value`` of an object. ``start`` and ``end`` enclose both."""

    key: str
    start: int
    value: Span

    @property
    def end(self) -> int:
        return self.value.end


def scan(text: str) -> Span:
    """Where the one object in ``text`` stands.

    Raises:
        JsonError: it is not strict JSON, is nested too deeply, or is not an object.
    """
    start = _after_space(text, 0)
    if start < len(text) and not text.startswith("{", start):
        raise JsonError(text, start, _fault(text, start, "the file must hold one object, {...}"))
    try:
        end = _value_end(text, start)
    except json.JSONDecodeError as exc:
        before = text[: exc.pos].rstrip(" \t\r\n")
        at = len(before) - 1 if before.endswith(",") and text[exc.pos : exc.pos + 1] in ("}", "]") else exc.pos
        raise JsonError(text, at, _fault(text, at, exc.msg)) from None
    except RecursionError:
        raise JsonError(text, start, "objects and arrays are nested too deeply.") from None
    rest = _after_space(text, end)
    if rest != len(text):
        raise JsonError(text, rest, _fault(text, rest, "there is more after the end of the object"))
    return Span(text, start, end)


def _value_end(text: str, start: int) -> int:
    """The end of the value that begins here, as the standard library reads it."""

    def constant(name: str) -> NoReturn:
        raise json.JSONDecodeError(f"{name} is not JSON", text, text.find(name, start))

    # As floats: numbers may be longer than Python converts.
    return json.JSONDecoder(parse_constant=constant, parse_int=float).raw_decode(text, start)[1]


def _members(text: str, start: int) -> Iterator[Member]:
    """The members of an object that `scan` has read."""
    at = _after_space(text, start + 1)
    while text[at] != "}":
        key, end = json.JSONDecoder().raw_decode(text, at)
        value = _after_space(text, text.index(":", end) + 1)
        member = Member(key, at, Span(text, value, _value_end(text, value)))
        yield member
        at = _after_space(text, member.end)
        if text[at] == ",":
            at = _after_space(text, at + 1)


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _fault(text: str, at: int, problem: str) -> str:
    if at >= len(text):
        return "the file ends too early."
    if _LAST_COMMA.match(text, at):
        return "a comma may not stand before a closing bracket."
    return "comments are not allowed in JSON." if _COMMENT.match(text, at) else f"{problem}."


def find(text: str, path: Sequence[str]) -> Span | None:
    """Where the value at ``path`` stands, or None when there is none.

    Raises:
        JsonError: as `scan`; or a key on the way stands twice, or is not an object.
    """
    here = scan(text)
    for depth, key in enumerate(path):
        if here.members is None:
            raise JsonError(text, here.start, f"{json.dumps(path[depth - 1])} must be an object, {{...}}.")
        found = [member for member in here.members if member.key == key]
        if len(found) > 1:
            raise JsonError(text, found[1].start, f"the key {json.dumps(key)} stands here a second time.")
        if not found:
            return None
        here = found[0].value
    return here


def read(text: str, path: Sequence[str] = ()) -> Any:
    """The value at ``path``, or None; numbers come as floats, however long they are spelt."""
    span = find(text, path)
    return None if span is None else json.loads(text[span.start : span.end], parse_int=float)


def table(text: str, name: str) -> dict[str, Any]:
    """One of the object's objects, empty where there is none.

    Raises:
        JsonError: as `find`.
    """
    find(text, (name, ""))  # refuses what is no object
    return read(text, (name,)) or {}


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with ``value`` at ``path``, in the file's own layout.

    A value that is there already is left as it is spelt; of an object only the members that differ are replaced.
    A new member comes last in its object, and objects on the way are made.
    """
    *parents, key = path
    holder = find(text, parents)
    if holder is None:
        text = put(text, parents, {})
        holder = cast("Span", find(text, parents))  # it has just been made
    there = find(text, path)
    if there is None:
        return _fill(text, holder, key, value)
    old = read(text, path)
    if isinstance(old, dict) and isinstance(value, dict):
        for name in old.keys() - value.keys():
            text = drop(text, (*path, name))
        for name, item in value.items():
            text = put(text, (*path, name), item)
        return text
    if json.dumps(old, sort_keys=True) == json.dumps(value, sort_keys=True):
        return text
    layout = _Layout(text)
    member = next(member for member in holder.members or () if member.key == key)
    return text[: there.start] + layout.value(value, layout.own_line(member.start)) + text[there.end :]


def drop(text: str, path: Sequence[str]) -> str:
    """The text without the member at ``path``; unchanged when there is none."""
    *parents, key = path
    holder = find(text, parents)
    if find(text, path) is None or holder is None or holder.members is None:
        return text
    members = holder.members
    index = next(i for i, member in enumerate(members) if member.key == key)
    gone = members[index]
    if len(members) == 1:
        before = _LAST_BREAK.sub("", text[holder.start + 1 : gone.start])
        return text[: holder.start + 1] + before + text[holder.end - 1 :]
    if index == 0:
        return text[: gone.start] + text[members[1].start :]
    return text[: members[index - 1].end] + text[gone.end :]


def _fill(text: str, holder: Span, key: str, value: Any) -> str:
    """Put a new member last into an object."""
    layout = _Layout(text)
    if holder.members:
        last = holder.members[-1]
        indent = layout.own_line(last.start)
        space = " " if layout.spaced else ""
        between = "," + (space if indent is None else layout.newline + indent)
        return text[: last.end] + between + layout.member(key, value, indent) + text[last.end :]
    kept = text[holder.start + 1 : holder.end - 1]
    if layout.multiline:
        base = layout.line_indent(holder.start)
        # A kept carriage return and our line feed must not melt into one line break.
        newline = "\r\n" if kept.endswith("\r") else layout.newline
        indent = base + layout.unit
        inner = newline + indent + layout.member(key, value, indent) + newline + base
    else:
        inner = layout.member(key, value, None)
    return text[: holder.end - 1] + inner + text[holder.end - 1 :]


class _Layout:
    """How a file is laid out, so that what is added looks like its neighbours."""

    def __init__(self, text: str) -> None:
        self._text = text
        root = scan(text)
        members = root.members or ()
        found = _BREAK.search(text)
        self.newline = found.group() if found else "\n"
        self.multiline = not members or _BREAK.search(text, root.start, root.end) is not None
        first = members[0] if members else None
        self.spaced = first is None or text[first.value.start - 1] != ":"
        indents = [indent for member in members if (indent := self.own_line(member.start)) is not None]
        self.unit = indents[0].removeprefix(self.line_indent(root.start)) if indents else "  "

    def line_indent(self, at: int) -> str:
        """The blanks that begin the line of ``at``."""
        line = re.compile(r"[ \t]*").match(self._text, self._line_start(at))
        return line.group() if line else ""

    def own_line(self, at: int) -> str | None:
        """The blanks before ``at`` where nothing else precedes it on a line of its own; else None."""
        start = self._line_start(at)
        blanks = self._text[start:at]
        return blanks if start and not blanks.strip(" \t") else None

    def member(self, key: str, value: Any, indent: str | None) -> str:
        return json.dumps(key, ensure_ascii=False) + (": " if self.spaced else ":") + self.value(value, indent)

    def value(self, value: Any, indent: str | None) -> str:
        """The value as JSON: over several lines below ``indent``, or on one line when it is None."""
        colon = ": " if self.spaced else ":"
        if indent is None:
            return json.dumps(value, ensure_ascii=False, separators=(", " if self.spaced else ",", colon))
        lines = json.dumps(value, ensure_ascii=False, indent=self.unit, separators=(",", colon))
        return lines.replace("\n", self.newline + indent)

    def _line_start(self, at: int) -> int:
        return max(self._text.rfind("\n", 0, at), self._text.rfind("\r", 0, at)) + 1
