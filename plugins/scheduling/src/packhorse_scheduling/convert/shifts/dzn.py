"""A MiniZinc data file (.dzn) as names with values: numbers, truth values, texts, sets and arrays.

An array of more than one dimension becomes a flat list, in the order of the file. Labels of rows and columns are left
out.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from packhorse import UserError
from packhorse_scheduling.errors import invalid

_TOKEN = re.compile(
    r"\s+|%[^\n]*|(?P<word>[A-Za-z]\w*)|(?P<number>-?\d+(?!\d))|(?P<text>\"[^\"\n]*\")|(?P<mark>\.\.|\[\||\|\]|[][{}(),;:=|])"
)
MOST_RANGE = 100_000


class Data(Mapping[str, Any]):
    """The values; a name that is absent is refused in the file's words."""

    def __init__(self, source: str, values: Mapping[str, Any]) -> None:
        self.source, self._values = source, values

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            raise invalid(self.source, f"{self.source}: {name} is missing.")
        return self._values[name]

    def whole(self, name: str, least: int = 0, most: int = 10_000) -> int:
        """A whole number."""
        value = self[name]
        if not isinstance(value, int) or not least <= value <= most:
            raise invalid(self.source, f"{self.source}: {name} must be a whole number from {least} to {most}.")
        return value

    def array(self, name: str, size: int, kind: type = int) -> list[Any]:
        """An array of so many values of a kind."""
        value = self[name]
        right = isinstance(value, list) and len(value) == size
        if not right or any(not isinstance(one, kind) for one in value):
            raise invalid(self.source, f"{self.source}: {name} must be an array of {size} values of one kind.")
        return list(value)


def data_from(text: str, source: str) -> Data:
    """The values of a data file.

    Raises:
        UserError: the text is not one; the message names the line.
    """
    return _Reader(text, source).data()


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.source, self.text, self.at = source, text, 0
        self.tokens: list[tuple[str, str, int]] = []
        self.found: dict[str, Any] = {}
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if not found:
                raise self._refusal(f"{text[at : at + 20]!r} cannot be read", at)
            if found.lastgroup:
                self.tokens.append((found.lastgroup, found[0], at))
            at = found.end()

    def _refusal(self, words: str, at: int) -> UserError:
        line = self.text.count("\n", 0, at) + 1
        return invalid(self.source, f"{self.source}, line {line}: {words}.")

    def _refuse(self, words: str) -> NoReturn:
        raise self._refusal(words, self.tokens[self.at][2] if self.at < len(self.tokens) else len(self.text))

    def _peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def _take(self, wanted: str | None = None) -> tuple[str, str]:
        if self.at >= len(self.tokens) or wanted not in (None, self._peek()):
            self._refuse(f"{wanted or 'a value'} is expected here")
        kind, word, _ = self.tokens[self.at]
        self.at += 1
        return kind, word

    def data(self) -> Data:
        found = self.found
        while self.at < len(self.tokens):
            kind, name = self._take()
            if kind != "word" or name in found:
                self._refuse(f"{name[:20]!r} must be a name that is not there yet")
            self._take("=")
            found[name] = self._value()
            if self.at < len(self.tokens):
                self._take(";")
        return Data(self.source, found)

    def _value(self) -> Any:
        kind, word = self._take()
        if kind == "number":
            if self._peek() != "..":
                return int(word)
            self._take("..")
            low, high = int(word), self._whole()
            if high - low > MOST_RANGE:
                self._refuse("the range is too long")
            return frozenset(range(low, high + 1))
        if word in self.found:
            return self.found[word]
        if kind == "text":
            return word[1:-1]
        if word in ("true", "false"):
            return word == "true"
        if word == "{":
            return frozenset(self._until("}"))
        if word in ("[", "[|"):
            return self._until("]" if word == "[" else "|]")
        if re.fullmatch(r"array[1-6]d", word):
            self._take("(")
            values = self._until(")")
            if values and isinstance(values[-1], list):
                return values[-1]
            self._refuse("an array is expected here")
        return self._refuse(f"{word[:20]!r} is not a value")

    def _whole(self) -> int:
        kind, word = self._take()
        value = int(word) if kind == "number" else self.found.get(word)
        return value if isinstance(value, int) else self._refuse("a whole number is expected here")

    def _until(self, end: str) -> list[Any]:
        found = []
        while self._peek() != end:
            if self._peek() in (",", "|"):
                self._take()
            elif self._peek(1) == ":":
                self._take()
                self._take(":")
            else:
                found.append(self._value())
        self._take(end)
        return found
