"""Read EDN, the notation of the oldest schema files, into JSON-shaped data: keywords become their names."""

import re
from typing import Any

# The subset that data files use: https://github.com/edn-format/edn, without tagged elements and characters.
_TOKEN = re.compile(
    r"""[\s,]*(?:;[^\n]*\n[\s,]*)*(?P<piece>\#\{|[\[\](){}]|"(?:\\.|[^"\\])*"|[^\s,\[\](){}";]+)""", re.DOTALL
)
_CLOSING = {"[": "]", "(": ")", "{": "}", "#{": "}"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


def loads(text: str) -> Any:
    """The one value that ``text`` holds.

    Raises:
        ValueError: the text is no EDN, or uses what is not read here.
    """
    tokens = [match["piece"] for match in _TOKEN.finditer(text)]
    if _TOKEN.sub("", text).strip():
        raise ValueError("the text is not EDN: some of it could not be read")
    value, rest = _read(tokens, 0)
    if rest != len(tokens):
        raise ValueError("the text holds more than one value")
    return value


def _read(tokens: list[str], place: int) -> tuple[Any, int]:
    if place >= len(tokens):
        raise ValueError("the text ends inside a value")
    head = tokens[place]
    if head in _CLOSING:
        items: list[Any] = []
        place += 1
        while place < len(tokens) and tokens[place] != _CLOSING[head]:
            item, place = _read(tokens, place)
            items.append(item)
        if place >= len(tokens):
            raise ValueError(f"a {head} is never closed")
        if head != "{":
            return items, place + 1
        if len(items) % 2:
            raise ValueError("a map has a key without a value")
        return {str(key): value for key, value in zip(items[::2], items[1::2], strict=True)}, place + 1
    return _atom(head), place + 1


def _atom(token: str) -> Any:
    if token.startswith('"'):
        return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), token[1:-1], flags=re.DOTALL)
    if token.startswith(":"):
        return token[1:]
    if token in {"true", "false", "nil"}:
        return {"true": True, "false": False, "nil": None}[token]
    if re.fullmatch(r"[+-]?\d+N?", token):
        return int(token.rstrip("N"))
    if re.fullmatch(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?M?", token):
        return float(token.rstrip("M"))
    if token in {"]", ")", "}"} or token.startswith("#"):
        raise ValueError(f"{token[:12]!r} is not expected here")
    return token
