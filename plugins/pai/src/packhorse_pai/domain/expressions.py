"""Conditions of playbooks: a closed grammar over given values. No calls, no attributes, no arithmetic.

    condition  := single ("and" single)*
    single     := ["not"] path ["exists" | "is" value | (">" | "<") number]
    value      := number | 'text' | true | false | null

A path alone asks whether it is true; one that is not there is null. Comparing what is no number is false.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from attrs import field, frozen

from packhorse_pai.domain.facts import at_path

MOST_LETTERS = 500

_SINGLE = re.compile(
    r"\s*(?P<no>not\s+)?(?P<path>[A-Za-z_]\w*(?:\.\w+)*)"
    r"(?:\s+(?P<exists>exists)\b|\s+is\s+(?P<value>-?\d{1,15}(?:\.\d{1,15})?|'[^']*'|true\b|false\b|null\b)"
    r"|\s*(?P<sign>[<>])\s*(?P<number>-?\d{1,15}(?:\.\d{1,15})?))?\s*(?P<more>and\s+|$)",
    re.ASCII,
)
_START = re.compile(r"(?:\s*(?:not\s+)?[A-Za-z_]\w*(?:\.\w+)*\s*)?", re.ASCII)
"""What of a test can be read where not all of it can."""
_FORMS = (
    "write PATH, PATH exists, PATH is 'TEXT' (or a number, true, false, null), PATH > 5 or PATH < 5,"
    " with not before it where that must not hold, and join several by and"
)
_KEYWORDS = frozenset({"and", "not", "is", "exists", "true", "false", "null"})
_WORDS = {"true": True, "false": False, "null": None}

Value = str | float | bool | None
"""What a condition can compare with."""


@frozen
class Single:
    """One test of one path: ``true``, ``exists``, ``is``, ``>`` or ``<``, against a value; or that it is not so."""

    path: str
    test: str = "true"
    value: Value = True
    wanted: bool = True

    def __str__(self) -> str:
        """As it is written in a condition."""
        match self.value:
            case str():
                bound = f"'{self.value}'"
            case bool() | None:
                bound = json.dumps(self.value)
            case _:
                bound = f"{self.value:g}"
        form = {"true": "", "exists": " exists"}.get(self.test, f" {self.test} {bound}")
        return f"{'' if self.wanted else 'not '}{self.path}{form}"

    def holds(self, found: Any) -> bool:
        """Whether what stands at its path passes."""
        match self.test:
            case "exists":
                passes = found is not None
            case ">" | "<":
                passes = _is_beyond(found, float(self.value or 0), above=self.test == ">")
            case _:
                passes = _is_same(found, self.value)
        return passes is self.wanted


@frozen
class Condition:
    """Tests that must all pass, and their text."""

    text: str
    singles: tuple[Single, ...] = field(repr=False)

    def __call__(self, values: Mapping[str, Any]) -> bool:
        """Whether it holds of these values."""
        return all(single.holds(at_path(values, single.path)) for single in self.singles)

    @property
    def paths(self) -> frozenset[str]:
        """The paths that it reads."""
        return frozenset(single.path for single in self.singles)

    def can_hold(self, allows: Callable[[str, Any], bool], listed: Callable[[str], Iterable[Any]]) -> bool:
        """Whether it holds of some values.

        ``allows`` says whether a value may stand at a path; ``listed`` which values do, where they are few.
        """

        def can_pass(path: str) -> bool:
            samples = ({},) if self._is_entered(path) else self._samples(path, list(listed(path)))
            tests = [one for one in self.singles if one.path == path]
            return any(allows(path, value) and all(one.holds(value) for one in tests) for value in samples)

        return all(map(can_pass, self.paths))

    def _is_entered(self, path: str) -> bool:
        """Whether something must stand below a path, so that an object stands there."""
        below = [one for one in self.singles if one.path.startswith(path + ".")]
        return any(not all(other.holds(None) for other in below if other.path == one.path) for one in below)

    def _samples(self, path: str, listed: list[Any]) -> Iterable[Any]:
        """One value of each kind that the tests of a path tell apart, and those that are listed."""
        tested = [one.value for one in self.singles if one.path == path and one.test not in ("true", "exists")]
        known = [*tested, *(float(one) for one in listed if isinstance(one, int | float) and type(one) is not bool)]
        numbers = sorted({float(one) for one in known if isinstance(one, float) and not isinstance(one, bool)})
        between = [(low + high) / 2 for low, high in pairwise(numbers)]
        ends = [numbers[0] - 1, numbers[-1] + 1] if numbers else [0.0]
        texts = [one for one in known if isinstance(one, str)]
        return (None, True, False, {}, *texts, max(texts, default="") + "x", *numbers, *between, *ends, *listed)


def condition(text: str) -> Condition:
    """The condition that a text says.

    Raises:
        ValueError: the text is none of this grammar, or too long.
    """
    if len(text) > MOST_LETTERS:
        raise ValueError(f"a condition has at most {MOST_LETTERS} letters")
    singles: list[Single] = []
    at, more = 0, "and"
    while more:
        found = _SINGLE.match(text, at)
        if found is None or found["path"] in _KEYWORDS:
            at = max(at, _START.match(text, at).end())  # type: ignore[union-attr]  # it matches anything
            raise ValueError(f"the condition {text!r} cannot be read from letter {at + 1}: {_FORMS}")
        singles.append(_single(found))
        at, more = found.end(), found["more"]
    return Condition(text, tuple(singles))


def _single(found: re.Match[str]) -> Single:
    path, wanted = found["path"], not found["no"]
    if found["exists"]:
        return Single(path, "exists", wanted=wanted)
    if found["sign"]:
        return Single(path, found["sign"], float(found["number"]), wanted)
    if found["value"] is None:
        return Single(path, wanted=wanted)
    return Single(path, "is", _value(found["value"]), wanted)


def _value(text: str) -> Value:
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
