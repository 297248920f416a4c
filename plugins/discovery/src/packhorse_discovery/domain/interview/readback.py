"""What was understood, as a sentence to read back: "brewing: 2 hours, kettle; cooling: 1 hour"."""

from collections.abc import Mapping
from typing import Any

from packhorse_discovery.domain.schema.eads import Eads, slug

LONGEST = 1200
"""Characters; what is longer ends in how much is left out."""


def read_back(established: Mapping[str, Any], eads: Eads) -> str:
    """``established``, a part of a structure as it is rendered, in words; empty where there is nothing.

    A row is called by its key; quantities keep their unit.
    """
    keys = {field.path[-1]: field.key or "" for field in eads.fields if field.kind == "table"}
    parts = [words for name, value in established.items() for words in _words(name, value, keys)]
    text, left = "", 0
    for part in parts:
        if len(text) + len(part) > LONGEST:
            left += 1
        else:
            text = f"{text}; {part}" if text else part
    return f"{text}; and {left} more" if left else text


def _words(name: str, value: Any, keys: Mapping[str, str]) -> list[str]:
    """A value with its name; the rows of a table one by one."""
    if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        return [_row(one, keys.get(name, "")) for one in value]
    return [f"{_label(name)}: {_said(value)}"] if _said(value) else []


def _row(row: Mapping[str, Any], key: str) -> str:
    called = str(row.get(key) or next(iter(row.values()), ""))
    rest = [
        f"{_label(name)}: {said}" if isinstance(value, bool) else said
        for name, value in row.items()
        if name != key and (said := _said(value)) and slug(said) != slug(called)
    ]
    return f"{called}: {', '.join(rest)}" if rest else called


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        if "value-string" in value:
            words, units = str(value["value-string"]), str(value.get("units", ""))
            return words if not units or words.endswith(units) else f"{words} {units}"
        return ", ".join(f"{_label(name)} {_said(inner)}" for name, inner in value.items() if _said(inner))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_said(one) for one in value)
    return str(value) if value is not None else ""


def _label(name: str) -> str:
    return name.replace("-", " ").rstrip("?")
