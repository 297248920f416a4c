"""Conditions of playbooks: a closed grammar over given values. No calls, no attributes, no arithmetic.

    condition  := single ("and" single)*
    single     := ["not"] path ["exists" | "is" value | (">" | "<") number]
    value      := number | 'text' | true | false | null

A path alone asks whether it is true; one that is not there is null. Comparing what is no number is false.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from packhorse_pai.domain.facts import at_path

MOST_LETTERS = 500

_SINGLE = re.compile(
    r"\s*(?P<no>not\s+)?(?P<path>[A-Za-z_]\w*(?:\.\w+)*)"
    r"(?:\s+(?P<exists>exists)\b|\s+is\s+(?P<value>-?\d{1,15}(?:\.\d{1,15})?|'[^']*'|true\b|false\b|null\b)"
    r"|\s*(?P<sign>[<>])\s*(?P<number>-?\d{1,15}(?:\.\d{1,15})?))?\s*(?P<more>and\s+|$)",
    re.ASCII,
)
_KEYWORDS = frozenset({"and", "not", "is", "exists", "true", "false", "null"})
_WORDS = {"true": True, "false": False, "null": None}

Condition = Callable[[Mapping[str, Any]], bool]


def condition(text: str) -> tuple[Condition, frozenset[str]]:
    """The condition as a function of named values, and the paths it reads.

    Raises:
        ValueError: the text is none of this grammar, or too long.
    """
    if len(text) > MOST_LETTERS:
        raise ValueError(f"a condition has at most {MOST_LETTERS} letters")
    singles: list[Condition] = []
    paths: set[str] = set()
    at, more = 0, "and"
    while more:
        found = _SINGLE.match(text, at)
        if found is None or found["path"] in _KEYWORDS:
            raise ValueError(f"{text!r}: cannot be read from letter {at + 1}")
        singles.append(_single(found))
        paths.add(found["path"])
        at, more = found.end(), found["more"]
    return lambda values: all(single(values) for single in singles), frozenset(paths)


def _single(found: re.Match[str]) -> Condition:
    path, wanted = found["path"], not found["no"]
    if found["exists"]:
        return lambda values: (at_path(values, path) is not None) is wanted
    if found["sign"]:
        bound, above = float(found["number"]), found["sign"] == ">"
        return lambda values: _is_beyond(at_path(values, path), bound, above=above) is wanted
    value = True if found["value"] is None else _value(found["value"])
    return lambda values: _is_same(at_path(values, path), value) is wanted


def _value(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    return text[1:-1] if text.startswith("'") else float(text)


def _is_same(found: Any, value: Any) -> bool:
    # True is no 1 here: a flag and a count are different answers.
    return isinstance(found, bool) == isinstance(value, bool) and bool(found == value)


def _is_beyond(found: Any, bound: float, *, above: bool) -> bool:
    if isinstance(found, bool) or not isinstance(found, int | float):
        return False
    return found > bound if above else found < bound
