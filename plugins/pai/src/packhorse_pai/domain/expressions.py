"""Conditions of playbooks: a closed grammar over given values. No calls, no attributes, no arithmetic.

    condition := both ("or" both)*          both := single ("and" single)*
    single    := "not" single | "(" condition ")" | term [comparison term | "exists"]
    comparison:= "==" | "!=" | "<" | "<=" | ">" | ">=" | "in"
    term      := "len" path | path | number | 'text' | true | false | null
    path      := name ("." name)*

A path that is not there is null. Comparing what has no order is false.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from packhorse_pai.domain.facts import at_path

MOST_LETTERS = 500

_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?[0-9]{1,15}(?:\.[0-9]{1,15})?)|'(?P<text>[^']*)'|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)"
    r"|(?P<sign>==|!=|<=|>=|<|>|\(|\)))",
    re.ASCII,
)
_WORDS = {"true": True, "false": False, "null": None}
_KEYWORDS = frozenset({"and", "or", "not", "in", "exists", "len", *_WORDS})

Condition = Callable[[Mapping[str, Any]], bool]
_Term = Callable[[Mapping[str, Any]], Any]


@define
class _Reader:
    tokens: list[tuple[str, str]]
    paths: set[str] = field(factory=set)
    at: int = 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.at += 1
        return token

    def took(self, word: str) -> bool:
        if self.peek() in (("name", word), ("sign", word)):
            self.at += 1
            return True
        return False


def condition(text: str) -> tuple[Condition, frozenset[str]]:
    """The condition as a function of named values, and the paths it reads.

    Raises:
        ValueError: the text is none of this grammar, or too long.
    """
    if len(text) > MOST_LETTERS:
        raise ValueError(f"a condition has at most {MOST_LETTERS} letters")
    reader = _Reader(_tokens(text))
    found = _either(reader)
    if reader.peek()[0] != "end":
        raise ValueError(f"{text!r}: there is more text after the end, at position {reader.at}")
    return found, frozenset(reader.paths)


def _tokens(text: str) -> list[tuple[str, str]]:
    found, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise ValueError(f"{text!r}: cannot be read from letter {at + 1}")
        found.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return found


def _either(reader: _Reader) -> Condition:
    options = [_both(reader)]
    while reader.took("or"):
        options.append(_both(reader))
    return options[0] if len(options) == 1 else lambda values: any(option(values) for option in options)


def _both(reader: _Reader) -> Condition:
    needed = [_single(reader)]
    while reader.took("and"):
        needed.append(_single(reader))
    return needed[0] if len(needed) == 1 else lambda values: all(one(values) for one in needed)


def _single(reader: _Reader) -> Condition:
    if reader.took("not"):
        inner = _single(reader)
        return lambda values: not inner(values)
    if reader.took("("):
        inner = _either(reader)
        if not reader.took(")"):
            raise ValueError("a bracket is not closed")
        return inner
    left = _term(reader)
    if reader.took("exists"):
        return lambda values: left(values) is not None
    kind, sign = reader.peek()
    if (kind == "sign" and sign in _COMPARISONS) or (kind, sign) == ("name", "in"):
        reader.take()
        right, compare = _term(reader), _COMPARISONS[sign]
        return lambda values: compare(left(values), right(values))
    return lambda values: left(values) is True


def _term(reader: _Reader) -> _Term:
    kind, word = reader.take()
    if kind == "number":
        number = float(word) if "." in word else int(word)
        return lambda values: number
    if kind == "text":
        return lambda values: word
    if kind == "name" and word in _WORDS:
        constant = _WORDS[word]
        return lambda values: constant
    if (kind, word) == ("name", "len"):
        kind, path = reader.take()
        if kind != "name" or path in _KEYWORDS:
            raise ValueError("a path must follow len")
        reader.paths.add(path)
        return lambda values: _length(at_path(values, path))
    if kind != "name" or word in _KEYWORDS:
        raise ValueError(f"a value must stand in the place of {word or 'the end'!r}")
    reader.paths.add(word)
    return lambda values: at_path(values, word)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | tuple | str | Mapping) else 0


def _is_same(left: Any, right: Any) -> bool:
    # True is no 1 here: a flag and a count are different answers.
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def _ordered(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compare(left: Any, right: Any) -> bool:
        numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (left, right))
        texts = isinstance(left, str) and isinstance(right, str)
        return (numbers or texts) and test(left, right)

    return compare


def _is_in(left: Any, right: Any) -> bool:
    if isinstance(right, str):
        return isinstance(left, str) and left in right
    return isinstance(right, list | tuple) and any(_is_same(left, item) for item in right)


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": _is_same,
    "!=": lambda left, right: not _is_same(left, right),
    "<": _ordered(lambda left, right: left < right),
    "<=": _ordered(lambda left, right: left <= right),
    ">": _ordered(lambda left, right: left > right),
    ">=": _ordered(lambda left, right: left >= right),
    "in": _is_in,
}
