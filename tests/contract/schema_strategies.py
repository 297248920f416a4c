"""Hypothesis strategies for a published JSON Schema: what it accepts, and what is wrong in one place only.

The generator guesses and the validator decides: nothing leaves unchecked.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from operator import itemgetter
from typing import Any, NamedTuple

from hypothesis import reject
from hypothesis import strategies as st
from tests.contract.schema_document import (
    Document,
    Flat,
    Schema,
    UnsupportedSchemaError,
    canonical,
    compiled,
    types_of,
)

Values = st.SearchStrategy[Any]

# Legal in JSON and seldom met: NUL and other controls, zero width, right-to-left override and isolate, byte
# order mark, a non-character, beyond the basic plane, a bare combining mark, a line separator.
ODD_CHARACTERS = "\x00\x1f\x7f\x85\u200b\u202e\u2066\ufeff\ufffe\U0001f9ed\u0301\u2028"
ODD_STRINGS = ("", "\x00", "a\x00b", "\u202egnp.exe", "x" * 10_000, "\u0301" * 300, "../../etc/passwd", "%s%n")
ODD_STRINGS += ("%2e%2e%2f", "{0.__class__}", "'; DROP TABLE x; --", "<b>", "nan", "null", "-0", "\ud7ff\ue000")

ENCODABLE = st.characters(exclude_categories=["Cs"])
PRINTABLE = st.characters(min_codepoint=32, max_codepoint=126)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
ANY_JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3), max_leaves=4)
# Around the present more often than around the year 1.
DATES = st.dates(date(2024, 1, 1), date(2034, 12, 31)) | st.dates()
FORMATS: Mapping[str, Values] = {
    "date": DATES.map(date.isoformat),
    "date-time": st.datetimes().map(lambda at: f"{at.isoformat(timespec='seconds')}Z"),
    "time": st.times().map(lambda at: f"{at.isoformat(timespec='seconds')}Z"),
    "uuid": st.uuids().map(str),
    "email": st.emails(),
    "uri": st.from_regex(r"https://[a-z]{1,9}\.example/[a-z0-9/]{0,20}", fullmatch=True),
}


class Fault(NamedTuple):
    """A value that would be accepted but for one thing, and that thing in words."""

    value: Any
    what: str


Faults = st.SearchStrategy[list[Fault]]


def valid(schema: Schema) -> Values:
    """Values that ``schema`` accepts; where it gives examples, about three draws in four are one of them.

    Raises:
        UnsupportedSchemaError: when drawn from, for a keyword or a format that is not known here.
    """
    return Drawer(Document(schema)).accepted(schema)


def one_fault(schema: Schema) -> st.SearchStrategy[Fault]:
    """Values that ``schema`` refuses, and would accept but for one mutation."""
    return faults(schema, 1).map(itemgetter(0))


def faults(schema: Schema, count: int, kept: Callable[[Any], bool] = lambda value: True) -> Faults:
    """One value that ``schema`` accepts, with ``count`` mutations of it that it refuses and that are ``kept``.

    To draw a value takes many times as long as to change it.
    """
    document = Document(schema)
    accepted = Drawer(document).accepted(schema)

    @st.composite
    def faulty(draw: st.DrawFn) -> list[Fault]:
        by_kind: dict[str, list[Fault]] = {}
        for kind, mutant, where in _mutants(document, schema, draw(accepted), ""):
            if kept(mutant):
                by_kind.setdefault(kind, []).append(Fault(mutant, f"{kind} at {where or 'the top'}"))
        if not by_kind:
            return reject()
        kinds = sorted(by_kind)

        def refused() -> Fault:
            # A kind first, so that wrong types, which are many, do not drown the rest.
            candidates = by_kind[draw(st.sampled_from(kinds))]
            chosen = draw(st.integers(0, len(candidates) - 1))
            for fault in candidates[chosen:] + candidates[:chosen]:
                if not document.accepts(schema, fault.value):
                    return fault
            return reject()

        return [refused() for _ in range(count)]

    return faulty()


class Drawer:
    """Strategies for one document, each built once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._built: dict[str, Values] = {}

    def accepted(self, schema: Schema) -> Values:
        """Three examples to one free value; where there are no examples, free values."""
        examples, free = self._document.examples(schema), self._free(schema)
        return st.integers(0, 3).flatmap(lambda n: st.sampled_from(examples) if n else free) if examples else free

    def _free(self, schema: Schema) -> Values:
        key = canonical(schema)
        if key not in self._built:
            # Deferred, because a schema may contain itself.
            self._built[key] = st.deferred(lambda: self._any_alternative(schema))
        return self._built[key]

    def _any_alternative(self, schema: Schema) -> Values:
        plain = [self._plain(flat) for flat in self._document.alternatives(schema)]
        return st.one_of(plain).filter(lambda value: self._document.accepts(schema, value))

    def _plain(self, flat: Flat) -> Values:
        if "enum" in flat:
            return st.sampled_from(flat["enum"])
        if not flat.keys() - {"examples"}:
            return ANY_JSON
        builders = {
            "null": st.none,
            "boolean": st.booleans,
            "integer": lambda: _integers(flat),
            "number": lambda: _floats(flat),
            "string": lambda: _strings(flat),
            "array": lambda: self._arrays(flat),
            "object": lambda: self._objects(flat),
        }
        return st.one_of([builders[name]() for name in types_of(flat)])

    def _arrays(self, flat: Flat) -> Values:
        least = flat.get("minItems", 0)
        most = min(flat.get("maxItems", least + 4), least + 8)
        unique = canonical if flat.get("uniqueItems") else None
        return st.lists(self.accepted(flat.get("items", True)), min_size=least, max_size=most, unique_by=unique)

    def _objects(self, flat: Flat) -> Values:
        properties: Mapping[str, Schema] = flat.get("properties", {})
        required: list[str] = flat.get("required", [])
        rest: Schema = flat.get("additionalProperties", not properties)
        optional = [key for key in properties if key not in required and self._document.alternatives(properties[key])]
        examples = {key: self._document.examples(properties.get(key, rest)) for key in [*required, *optional]}
        wholes = [example for example in flat.get("examples", ()) if isinstance(example, dict)]
        names = st.text(ENCODABLE, max_size=12).filter(lambda name: name not in properties)

        @st.composite
        def objects(draw: st.DrawFn) -> dict[str, Any]:
            made = dict(wholes[draw(st.integers(0, 1_000_000)) % len(wholes)]) if wholes else {}
            # Examples at the same place of their lists usually belong together: half of the objects keep to one
            # place, the others mix examples and free values evenly; so three values in four are examples.
            together = draw(st.booleans())
            # From a wide range, though a few places are all there are: Hypothesis does not repeat a draw, and a long
            # run would soon be out of examples.
            place = draw(st.integers(0, 1_000_000))
            for key in [*required, *(key for key in optional if draw(st.booleans()))]:
                given = examples[key]
                if together and (key in made or given):
                    made.setdefault(key, given[place % len(given)] if given else None)
                elif (key in made or given) and draw(st.booleans()):
                    made[key] = draw(st.sampled_from([made[key]] if key in made else given))
                else:
                    made[key] = draw(self._free(properties.get(key, rest)))
            if rest is not False and draw(st.booleans()):
                made |= draw(st.dictionaries(names, self.accepted(rest), max_size=3))
            return made

        return objects()


def _integers(flat: Flat) -> Values:
    lows = [math.ceil(flat["minimum"])] if "minimum" in flat else []
    lows += [math.floor(flat["exclusiveMinimum"]) + 1] if "exclusiveMinimum" in flat else []
    highs = [math.floor(flat["maximum"])] if "maximum" in flat else []
    highs += [math.ceil(flat["exclusiveMaximum"]) - 1] if "exclusiveMaximum" in flat else []
    low, high = max(lows, default=None), min(highs, default=None)
    step = flat.get("multipleOf", 1)
    if isinstance(step, float):  # those that are a multiple as well pass the validator
        return st.integers(low, high)
    first = None if low is None else -(-low // step)
    last = None if high is None else high // step
    return st.integers(first, last).map(lambda n: n * step)


def _floats(flat: Flat) -> Values:
    if "multipleOf" in flat:
        step = flat["multipleOf"]
        low, high = flat.get("minimum", -1000 * step), flat.get("maximum", 1000 * step)
        return st.integers(math.ceil(low / step), math.floor(high / step)).map(lambda n: n * step)
    low = max(flat.get("minimum", -math.inf), flat.get("exclusiveMinimum", -math.inf))
    high = min(flat.get("maximum", math.inf), flat.get("exclusiveMaximum", math.inf))
    exact = st.floats(
        None if low == -math.inf else low, None if high == math.inf else high, allow_nan=False, allow_infinity=False
    )
    return exact | exact.map(lambda number: round(number, 1))


def _strings(flat: Flat) -> Values:
    least = flat.get("minLength", 0)
    most = flat.get("maxLength")
    if "format" in flat and flat["format"] not in FORMATS:
        raise UnsupportedSchemaError(f"cannot generate the format {flat['format']}")
    if "pattern" in flat:
        texts = st.from_regex(compiled(flat["pattern"]), alphabet=ENCODABLE)
    elif "format" in flat:
        texts = FORMATS[flat["format"]]
    else:
        longest = least + 40 if most is None else min(most, least + 40)
        odd = st.sampled_from(ODD_STRINGS) | st.text(ODD_CHARACTERS, min_size=least, max_size=longest)
        plain = st.text(PRINTABLE, min_size=least, max_size=longest)
        texts = plain | plain | st.text(ENCODABLE, min_size=least, max_size=longest) | odd
    return texts.filter(lambda text: least <= len(text) and (most is None or len(text) <= most))


def _mutants(document: Document, schema: Schema, value: Any, where: str) -> Iterator[tuple[str, Any, str]]:
    """``value`` changed in one place: the kind of change, the whole, and the place. Some are still accepted."""
    flat = next((flat for flat in document.alternatives(schema) if document.accepts(flat, value)), {})
    yield from ((kind, mutant, where) for kind, mutant in _changes(flat, value))
    if isinstance(value, dict):
        for key in value:
            part = flat.get("properties", {}).get(key, flat.get("additionalProperties", True))
            for kind, mutant, place in _mutants(document, part, value[key], f"{where}.{key[:40]}"):
                yield kind, {**value, key: mutant}, place
    elif isinstance(value, list):
        for i, item in enumerate(value):
            for kind, mutant, place in _mutants(document, flat.get("items", True), item, f"{where}[{i}]"):
                yield kind, [*value[:i], mutant, *value[i + 1 :]], place


def _changes(flat: Flat, value: Any) -> Iterator[tuple[str, Any]]:
    """What could be wrong with ``value`` itself, whatever is inside it."""
    for other in (None, True, 0, 1.5, "", [], {}, [value], {"value": value}, canonical(value)):
        if type(other) is not type(value):
            yield "wrong type", other
    if "enum" in flat:
        yield from (("not in the list", f"{item}x") for item in flat["enum"])
    match value:
        case bool():
            yield "wrong type", int(value)
        case int() | float():
            yield from _number_changes(flat, value)
        case str():
            yield from _string_changes(flat, value)
        case list():
            yield from _array_changes(flat, value)
        case dict():
            yield from (("missing key", {k: v for k, v in value.items() if k != key}) for key in value)
            unknown = ["unexpected", "", "__class__", "\x00", *map(str.upper, value), *(f"{key} " for key in value)]
            yield from (("unknown key", {**value, name: 1}) for name in unknown if name not in value)


def _number_changes(flat: Flat, value: float) -> Iterator[tuple[str, Any]]:
    yield "wrong type", value + 0.5
    for key, step in (("minimum", -1), ("maximum", 1), ("exclusiveMinimum", 0), ("exclusiveMaximum", 0)):
        if key in flat:
            yield "out of range", flat[key] + step
            yield "out of range", flat[key] + step * 10**30
    if "multipleOf" in flat:
        yield "not a multiple", value + flat["multipleOf"] / 2
        yield "not a multiple", value + 1
    yield "not in the list", value + 1


def _string_changes(flat: Flat, value: str) -> Iterator[tuple[str, Any]]:
    if flat.get("minLength"):
        yield "too short", value[: flat["minLength"] - 1]
    if "maxLength" in flat:
        yield "too long", value + "x" * (flat["maxLength"] + 1 - len(value))
        yield "too long", (value or "x") * (10_000 // (len(value) or 1))
    if "pattern" in flat:
        yield from (("broken pattern", odd) for odd in ODD_STRINGS)
        yield from (("broken pattern", value + odd) for odd in ("\n", " ", "x", *ODD_CHARACTERS))
        yield from (("broken pattern", odd + value) for odd in ("\n", " ", "x", *ODD_CHARACTERS))
        yield "broken pattern", value[:-1]
        yield "broken pattern", value.swapcase()
        # The same digits as written in Arabic, and in full width.
        yield "broken pattern", value.translate({48 + n: 0x660 + n for n in range(10)})
        yield "broken pattern", value.translate({48 + n: 0xFF10 + n for n in range(10)})
    if "enum" in flat:
        yield from (("not in the list", odd) for odd in (value.swapcase(), f" {value}", f"{value}\n", f"{value}\x00"))


def _array_changes(flat: Flat, value: list[Any]) -> Iterator[tuple[str, Any]]:
    if "maxItems" in flat and value:
        yield "too many items", value + [value[-1]] * (flat["maxItems"] + 1 - len(value))
    if flat.get("minItems"):
        yield "too few items", value[: flat["minItems"] - 1]
    if flat.get("uniqueItems") and value:
        yield "repeated item", [*value, value[0]]
