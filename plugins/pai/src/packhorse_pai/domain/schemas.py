"""What may stand at a path of an answer, and what an argument may be, by their JSON schemas.

Where a schema says nothing, or says it in a way that is not read here, everything is taken to be possible.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from attrs import frozen

from packhorse_pai.domain.playbooks import is_reference
from packhorse_pai.domain.values import Values

_MOST_DEPTH = 8
KINDS = frozenset({"string", "number", "boolean", "object", "array"})


@frozen(eq=False)
class Part:
    """A schema, and the root that its references are looked up in."""

    about: Any
    root: Any

    def options(self, depth: int = 0) -> Iterator[Mapping[str, Any]]:
        """What it is behind its reference, or each of its alternatives; an empty one, which allows all, if unknown."""
        about = self.about
        if isinstance(about, Mapping) and isinstance(name := about.get("$ref"), str):
            about = self.root.get("$defs", {}).get(name.removeprefix("#/$defs/"), {})
        said: Mapping[str, Any] = about if isinstance(about, Mapping) else {}
        unions = [one for key in ("anyOf", "oneOf") for one in said.get(key) or ()]
        if unions and depth < _MOST_DEPTH:
            beside = {key: value for key, value in said.items() if key not in ("anyOf", "oneOf")}
            for one in unions:
                for option in Part(one, self.root).options(depth + 1):
                    yield {**beside, **option} if option else {}
        else:
            yield said if "$ref" not in said and "allOf" not in said else {}

    def at(self, path: Sequence[str]) -> "Iterator[Part | None]":
        """The parts that may stand at a path, none where nothing can; None for one that is not known."""
        for one in self.options():
            if not path:
                yield Part(one, self.root)
            elif not isinstance(properties := one.get("properties"), Mapping):
                if "object" in _types(one, {"object"}):
                    yield None
            elif path[0] in properties:
                yield from Part(properties[path[0]], self.root).at(path[1:])
            elif one.get("additionalProperties", False) is not False or "patternProperties" in one:
                yield None

    def items(self) -> "Iterator[Part | None]":
        """The parts that an element of it may be, none where it is no list."""
        for one in self.options():
            if "array" in _types(one, {"array"}):
                yield Part(one["items"], self.root) if isinstance(one.get("items"), Mapping) else None

    def may_lack(self, path: Sequence[str]) -> bool:
        """Whether there may be nothing at a path: a field that is not required, or that may be null."""
        for one in self.options():
            if not one or "null" in _types(one, ()) or None in one.get("enum", ()):
                return True
            if path:
                properties = one.get("properties", {})
                if path[0] not in properties or path[0] not in one.get("required", ()):
                    return True
                if Part(properties[path[0]], self.root).may_lack(path[1:]):
                    return True
        return False

    def kinds(self) -> frozenset[str]:
        """The kinds of values that it may be, null left out."""
        found: set[str] = set()
        for one in self.options():
            listed = one.get("enum", [one["const"]] if "const" in one else ())
            kinds = _types(one, {kind_of(value) for value in listed if value is not None} or KINDS)
            found |= {"number" if kind == "integer" else kind for kind in kinds} - {"null"}
        return frozenset(found)

    def highest(self) -> Decimal | None:
        """The highest number that it may be; None where there is no bound."""
        ends = [Values.of(one, self.root).high for one in self.options()]
        return None if None in ends or not ends else max(end for end in ends if end is not None)

    def allows(self, value: Any) -> bool:
        """Whether it may be a value that a condition compares with: by type, and exactly where values are listed."""
        for one in self.options():
            values = Values.of(one, self.root)
            kind = kind_of(value)
            fits = values.has(value) if kind == "number" else kind in values.types
            if fits if values.listed is None else _is_listed(value, values):
                return True
            if "array" in _types(one, ()) and value == {}:  # whatever is entered or only exists
                return True
        return value is None

    def lacks(self, value: Any) -> Iterator[str]:
        """Paths of what objects in a value need and do not have, where the schema leaves no other form for them."""
        if isinstance(value, list | tuple):
            inner = [*self.items()]
            for at, item in enumerate(value if len(inner) == 1 else ()):
                yield from (f"{at}.{path}" for part in inner if part for path in part.lacks(item))
        elif isinstance(value, Mapping) and not is_reference(value):
            forms = [one for one in self.options() if "object" in _types(one, {"object"})]
            for one in forms if len(forms) == 1 else ():
                known = one.get("properties", {})
                yield from (key for key in one.get("required", ()) if key not in value)
                for key in known.keys() & value.keys():
                    yield from (f"{key}.{path}" for path in Part(known[key], self.root).lacks(value[key]))

    def takes(self, value: Any) -> bool:
        """Whether it allows a text, number, flag, list or object that is given; what is filled in later may be all."""
        if is_reference(value):
            return True
        if isinstance(value, list | tuple):
            lists = [one for one in self.options() if "array" in _types(one, {"array"})]
            fits = any(one.get("minItems", 0) <= len(value) <= one.get("maxItems", math.inf) for one in lists)
            inner = list(self.items())
            return fits and all(any(one is None or one.takes(item) for one in inner) for item in value)
        if not isinstance(value, str | int | float):  # a day of TOML is no JSON
            return isinstance(value, Mapping) and any(self._takes_fields(value, one) for one in self.options())
        for one in self.options():
            values = Values.of(one, self.root)
            if (
                "array" not in _types(one, ())
                and values.has(value)
                and (values.listed is None or _is_listed(value, values))
            ):
                return True
        return False

    def _takes_fields(self, value: Mapping[str, Any], one: Mapping[str, Any]) -> bool:
        if "object" not in _types(one, {"object"}):
            return False
        known = one.get("properties")
        if not isinstance(known, Mapping):
            return True
        is_open = one.get("additionalProperties", True) is not False or "patternProperties" in one
        return value.keys() >= set(one.get("required", ())) and all(
            Part(known[key], self.root).takes(inner) if key in known else is_open for key, inner in value.items()
        )


def _types(about: Mapping[str, Any], unsaid: Any) -> Any:
    kinds = about.get("type", unsaid)
    return {kinds} if isinstance(kinds, str) else set(kinds)


def _is_listed(value: Any, values: Values) -> bool:
    return any(kind_of(one) == kind_of(value) and one == value for one in values.listed or ())


def kind_of(value: Any) -> str:
    """The kind of a JSON value."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    return "number" if isinstance(value, int | float) else "array" if isinstance(value, list | tuple) else "object"
