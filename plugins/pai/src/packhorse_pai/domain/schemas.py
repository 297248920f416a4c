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
    """A schema, and the root that its references are looked up in; a schema inside it may be such a part itself."""

    about: Any
    root: Any

    def inner(self, about: Any) -> "Part":
        """A schema inside it."""
        return about if isinstance(about, Part) else Part(about, self.root)

    def forms(self, depth: int = 0) -> "Iterator[Part]":
        """It behind its reference, or each of its alternatives; an empty schema, which allows all, if unknown."""
        about = self.about
        if isinstance(about, Mapping) and isinstance(name := about.get("$ref"), str):
            about = self.root.get("$defs", {}).get(name.removeprefix("#/$defs/"), {})
        said: Mapping[str, Any] = about if isinstance(about, Mapping) else {}
        unions = [one for key in ("anyOf", "oneOf") for one in said.get(key) or ()]
        if unions and depth < _MOST_DEPTH:
            beside = {key: value for key, value in said.items() if key not in ("anyOf", "oneOf")}
            for one in unions:
                for form in self.inner(one).forms(depth + 1):
                    yield Part({**beside, **form.about} if form.about else {}, form.root)
        else:
            yield Part(said if "$ref" not in said and "allOf" not in said else {}, self.root)

    def options(self) -> Iterator[Mapping[str, Any]]:
        """The schemas of its forms."""
        return (form.about for form in self.forms())

    def at(self, path: Sequence[str]) -> "Iterator[Part | None]":
        """The parts that may stand at a path, none where nothing can; None for one that is not known."""
        for form in self.forms():
            one = form.about
            if not path:
                yield form
            elif not isinstance(properties := one.get("properties"), Mapping):
                if "object" in _types(one, {"object"}):
                    yield None
            elif path[0] in properties:
                yield from form.inner(properties[path[0]]).at(path[1:])
            elif one.get("additionalProperties", False) is not False or "patternProperties" in one:
                yield None

    def items(self) -> "Iterator[Part | None]":
        """The parts that an element of it may be, none where it is no list."""
        for form in self.forms():
            if "array" in _types(form.about, {"array"}):
                yield form.inner(form.about["items"]) if isinstance(form.about.get("items"), Mapping) else None

    def may_lack(self, path: Sequence[str]) -> bool:
        """Whether there may be nothing at a path: a field that is not required, or that may be null."""
        for form in self.forms():
            one = form.about
            if not one or "null" in _types(one, ()) or None in one.get("enum", ()):
                return True
            if path:
                properties = one.get("properties", {})
                if path[0] not in properties or path[0] not in one.get("required", ()):
                    return True
                if form.inner(properties[path[0]]).may_lack(path[1:]):
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
        ends = [Values.of(form.about, form.root).high for form in self.forms()]
        return None if None in ends or not ends else max(end for end in ends if end is not None)

    def lowest(self) -> Decimal | None:
        """The lowest number that it may be; None where there is no bound."""
        ends = [Values.of(form.about, form.root).low for form in self.forms()]
        return None if None in ends or not ends else min(end for end in ends if end is not None)

    def listed(self) -> list[Any]:
        """The values that it lists, and the bounds of its numbers."""
        found = [Values.of(form.about, form.root) for form in self.forms()]
        bounds = [float(end) for values in found for end in (values.low, values.high) if end is not None]
        return [*bounds, *(value for values in found for value in values.listed or ())]

    def allows(self, value: Any) -> bool:
        """Whether it may be a value that a condition compares with: by type, and exactly where values are listed."""
        for form in self.forms():
            one, values = form.about, Values.of(form.about, form.root)
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
            forms = [form for form in self.forms() if "object" in _types(form.about, {"object"})]
            for form in forms if len(forms) == 1 else ():
                known = form.about.get("properties", {})
                yield from (key for key in form.about.get("required", ()) if key not in value)
                for key in known.keys() & value.keys():
                    yield from (f"{key}.{path}" for path in form.inner(known[key]).lacks(value[key]))

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
            return isinstance(value, Mapping) and any(form.takes_fields(value) for form in self.forms())
        for form in self.forms():
            one, values = form.about, Values.of(form.about, form.root)
            if (
                "array" not in _types(one, ())
                and values.has(value)
                and (values.listed is None or _is_listed(value, values))
            ):
                return True
        return False

    def takes_fields(self, value: Mapping[str, Any]) -> bool:
        """Whether it, one form, allows an object."""
        one = self.about
        if "object" not in _types(one, {"object"}):
            return False
        known = one.get("properties")
        if not isinstance(known, Mapping):
            return True
        is_open = one.get("additionalProperties", True) is not False or "patternProperties" in one
        return value.keys() >= set(one.get("required", ())) and all(
            self.inner(known[key]).takes(inner) if key in known else is_open for key, inner in value.items()
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
