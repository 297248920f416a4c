"""Edits of somebody else's TOML file: a table is put at its end or taken out, and every other byte stays.

The standard library reads what stood there and what would stand there; an edit
that changed anything else is refused.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

EMPTY = ""
"""A text that says nothing."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"^[ \t]*\[.*$", re.MULTILINE)


class TomlError(ValueError):
    """Text that cannot be edited safely, and why."""


def read(text: str) -> dict[str, Any]:
    """What the text says.

    Raises:
        TomlError: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise TomlError(str(exc)) from exc


def table(text: str, name: str) -> dict[str, Any]:
    """One of the text's tables, empty where there is none.

    Raises:
        TomlError: the text is no TOML, or has something else of this name.
    """
    found = read(text).get(name, {})
    if not isinstance(found, dict):
        raise TomlError(f"{name} must be a table.")
    return found


def put(text: str, path: tuple[str, str], value: Mapping[str, Any]) -> str:
    """The text with the table at ``path`` after all that is there, in place of an earlier one.

    One that says the same already stays as it is written.

    Raises:
        TomlError: that would change more than this table.
    """
    parent, name = path
    wanted = read(text)
    if table(text, parent).get(name) == value:
        return text
    cut = drop(text, path)
    start = "" if not cut or cut.endswith("\n") else "\n"
    made = f"{cut}{start}{chr(10) if cut else ''}{_written(_header(parent, name), value)}"
    wanted.setdefault(parent, {})[name] = dict(value)
    return _checked(made, wanted, parent)


def drop(text: str, path: tuple[str, str]) -> str:
    """The text without the table at ``path``, the tables in it, and the blank line before them.

    Raises:
        TomlError: that would change more than this table.
    """
    parent, name = path
    wanted = read(text)
    servers = wanted.get(parent)
    if not isinstance(servers, dict) or name not in servers:
        return text
    own = re.compile(rf"^[ \t]*\[{re.escape(_header(parent, name))}[\].]")
    headers = [*_HEADER.finditer(text)]
    for place in reversed(range(len(headers))):
        if own.match(headers[place].group()):
            end = headers[place + 1].start() if place + 1 < len(headers) else len(text)
            before = text[: headers[place].start()]
            text = (before.removesuffix("\n") if before.endswith("\n\n") else before) + text[end:]
    del servers[name]
    return _checked(text, wanted, parent)


def _checked(text: str, wanted: dict[str, Any], parent: str) -> str:
    made = read(text)
    for one in (made, wanted):
        if not one.get(parent, True):
            del one[parent]
    if made != wanted:
        raise TomlError(f"[{parent}] is written in a way that cannot be edited safely.")
    return text


def _header(parent: str, name: str) -> str:
    return f"{parent}.{_key(name)}"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: Any) -> str:
    """JSON's strings, numbers, booleans and lists are TOML's too, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _written(header: str, table: Mapping[str, Any]) -> str:
    """Plain values first, then the tables inside."""
    lines = [f"[{header}]"]
    tables = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    lines += [f"{_key(key)} = {_value(value)}" for key, value in table.items() if key not in tables]
    inner = [_written(f"{header}.{_key(key)}", value) for key, value in tables.items()]
    return "\n".join([*lines, "", *inner]) if inner else "\n".join([*lines, ""])
