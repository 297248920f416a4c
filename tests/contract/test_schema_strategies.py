"""The fuzzing material itself: it must be right about what it calls valid and what it calls a fault."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.contract.schema_document import EcmaValidator, UnsupportedSchemaError, compiled
from tests.contract.schema_strategies import one_fault, valid

quick = settings(max_examples=60, derandomize=True, database=None, deadline=None)
searching = settings(max_examples=3000, derandomize=True, database=None, phases=[Phase.generate])

TRIP = {
    "type": "object",
    "properties": {
        "origin": {"type": "string", "minLength": 1, "maxLength": 64, "examples": ["Europe/Paris", "Asia/Tokyo"]},
        "date": {"anyOf": [{"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}, {"type": "null"}], "default": None},
        "prep_days": {"type": "integer", "minimum": 1, "maximum": 7, "default": 3},
        "interventions": {"$ref": "#/$defs/Interventions"},
    },
    "required": ["origin"],
    "additionalProperties": False,
    "$defs": {
        "Interventions": {
            "type": "object",
            "properties": {"melatonin": {"type": "boolean", "default": True}},
            "additionalProperties": False,
        }
    },
}
SEARCH = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["number", "name"]},
        "number": {"type": "string", "pattern": "^A?[0-9]{8,9}$"},
        "name": {"type": "string", "minLength": 2, "maxLength": 50},
        "country": {"type": "string", "pattern": "^[A-Z]{2}$"},
    },
    "required": ["kind"],
    "additionalProperties": False,
    "allOf": [
        {
            "if": {"properties": {"kind": {"const": "number"}}},
            "then": {"required": ["number"]},
            "else": {"required": ["name", "country"]},
        }
    ],
}
TREE = {
    "$ref": "#/$defs/Node",
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Node"}, "maxItems": 3}},
            "additionalProperties": False,
        }
    },
}

SCHEMAS = [
    pytest.param(TRIP, id="an object with references and defaults"),
    pytest.param(SEARCH, id="if, then and else"),
    pytest.param(TREE, id="a schema that contains itself"),
    pytest.param({"type": ["string", "integer", "null"]}, id="several types"),
    pytest.param({"type": "string", "format": "date"}, id="a date"),
    pytest.param({"type": "string", "format": "date-time", "maxLength": 20}, id="an instant, length bounded"),
    pytest.param({"type": "string", "format": "uuid"}, id="a uuid"),
    pytest.param({"type": "string", "pattern": "^[a-z]{2}(-[A-Z]{2})?$", "maxLength": 3}, id="a pattern and a length"),
    pytest.param({"type": "string", "pattern": "[$]$"}, id="a dollar that is a dollar"),
    pytest.param({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 2}, id="one integer only"),
    pytest.param({"type": "integer", "minimum": 0.5, "maximum": 9, "multipleOf": 4}, id="multiples"),
    pytest.param({"type": "number", "minimum": 0, "exclusiveMaximum": 1}, id="a half-open interval"),
    pytest.param({"type": "number", "minimum": 0, "maximum": 24, "multipleOf": 0.25}, id="quarters"),
    pytest.param({"type": "boolean"}, id="a boolean"),
    pytest.param({"const": "ONE_TO_ONE"}, id="a constant"),
    pytest.param({"enum": [1, "1", None, True]}, id="values that Python confuses"),
    pytest.param(
        {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 2, "maxItems": 3, "uniqueItems": True},
        id="a set",
    ),
    pytest.param(
        {"oneOf": [{"type": "integer", "maximum": 9}, {"type": "integer", "minimum": 5}]}, id="branches that overlap"
    ),
    pytest.param({"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object"}, id="one of two keys"),
    pytest.param(
        {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "additionalProperties": False,
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        id="at least one key of a closed object",
    ),
    pytest.param({"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}, id="a table of counts"),
    pytest.param(
        {"allOf": [{"type": "integer", "minimum": 1}, {"type": "number", "maximum": 3}]}, id="bounds from two sides"
    ),
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_what_is_called_valid_is_accepted_and_is_json(schema: dict[str, Any]) -> None:
    judge = Draft202012Validator(schema)

    @quick
    @given(valid(schema))
    def check(value: Any) -> None:
        judge.validate(value)
        assert json.loads(json.dumps(value, allow_nan=False).encode()) == value

    check()


@pytest.mark.parametrize("schema", SCHEMAS)
def test_what_is_called_a_fault_is_refused_and_is_json(schema: dict[str, Any]) -> None:
    judge = EcmaValidator(schema)

    @quick
    @given(one_fault(schema))
    def check(fault: Any) -> None:
        assert not judge.is_valid(fault.value), fault.what
        json.dumps(fault.value, allow_nan=False).encode()

    check()


@pytest.mark.parametrize(
    ("schema", "kind", "wanted"),
    [
        pytest.param({"const": 8}, "wrong type", lambda value: value == "8", id="8 in quotes"),
        pytest.param({"type": "integer"}, "wrong type", lambda value: value == 1.5, id="a half for an integer"),
        pytest.param({"type": "integer"}, "wrong type", lambda value: value is True, id="true for an integer"),
        pytest.param({"type": "string"}, "wrong type", lambda value: value is None, id="null for a string"),
        pytest.param({"type": "boolean"}, "wrong type", lambda value: type(value) is int, id="1 for true"),
        pytest.param({"type": "integer", "minimum": 1}, "out of range", lambda value: value == 0, id="one too few"),
        pytest.param({"type": "integer", "maximum": 7}, "out of range", lambda value: value == 8, id="one too many"),
        pytest.param({"exclusiveMinimum": 0, "type": "number"}, "out of range", lambda v: v == 0, id="an open end"),
        pytest.param({"type": "integer", "multipleOf": 5}, "not a multiple", lambda v: v % 5, id="between multiples"),
        pytest.param({"type": "string", "minLength": 3}, "too short", lambda v: len(v) == 2, id="one short"),
        pytest.param({"type": "string", "maxLength": 3}, "too long", lambda v: len(v) == 4, id="one over"),
        pytest.param({"type": "string", "maxLength": 3}, "too long", lambda v: len(v) > 9000, id="very long"),
        pytest.param({"enum": ["ADMIN"]}, "not in the list", lambda v: v == "admin", id="another case"),
        pytest.param({"enum": [1, 2]}, "not in the list", lambda v: v == 3, id="a number beyond the list"),
        pytest.param(
            {"type": "array", "maxItems": 2, "minItems": 1}, "too many", lambda v: len(v) == 3, id="one item over"
        ),
        pytest.param({"type": "array", "minItems": 2}, "too few", lambda v: len(v) == 1, id="one item short"),
        pytest.param({"type": "array", "uniqueItems": True, "minItems": 1}, "repeated", bool, id="an item twice"),
        pytest.param(TRIP, "missing key", lambda v: "origin" not in v, id="a required key left out"),
        pytest.param(TRIP, "unknown key at the top", lambda v: "unexpected" in v, id="a key too many"),
        pytest.param(TRIP, "unknown key at .interventions", lambda v: True, id="a key too many, nested"),
        pytest.param(SEARCH, "missing key", lambda v: "country" not in v, id="a key that another one asks for"),
    ],
)
def test_each_kind_of_fault_is_found(schema: dict[str, Any], kind: str, wanted: Callable[[Any], bool]) -> None:
    found = find(one_fault(schema), lambda f: f.what.startswith(kind) and bool(wanted(f.value)), settings=searching)

    assert not EcmaValidator(schema).is_valid(found.value)


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param("\x00", id="NUL"),
        pytest.param("\u202e", id="a right-to-left override"),
        pytest.param("x" * 10_000, id="ten thousand characters"),
    ],
)
def test_strange_but_legal_text_is_valid_where_nothing_forbids_it(odd: str) -> None:
    assert find(valid({"type": "string"}), lambda text: odd in text, settings=searching)


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("2026-02-15\n", id="a newline after the end"),
        pytest.param("\u0662\u0660\u0662\u0666-\u0660\u0662-\u0661\u0665", id="digits of another script"),
        pytest.param("2026-02-15\x00", id="NUL after the end"),
    ],
)
def test_patterns_are_read_as_json_schema_reads_them(broken: str) -> None:
    assert compiled(r"^\d{4}-\d{2}-\d{2}$").search("2026-02-15")
    assert not compiled(r"^\d{4}-\d{2}-\d{2}$").search(broken)


def drawn(strategy: st.SearchStrategy[Any], times: int) -> list[Any]:
    values: list[Any] = []

    @settings(max_examples=times, derandomize=True, database=None, deadline=None, phases=[Phase.generate])
    @given(strategy)
    def collect(value: Any) -> None:
        values.append(value)

    collect()
    return values


def test_about_three_draws_in_four_are_an_example_where_examples_are_given() -> None:
    values = drawn(valid(TRIP), 400)

    share = sum(value["origin"] in {"Europe/Paris", "Asia/Tokyo"} for value in values) / len(values)

    assert 0.6 < share < 0.9


def test_examples_at_the_same_place_are_mostly_drawn_together() -> None:
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "examples": ["1", "2", "3", "4"]} for name in ("a", "b")},
        "required": ["a", "b"],
    }
    values = drawn(valid(schema), 400)

    assert sum(value["a"] == value["b"] for value in values) / len(values) > 0.3


def test_an_example_of_the_whole_is_drawn_from_and_varied() -> None:
    schema = {**TRIP, "examples": [{"origin": "Europe/Rome", "prep_days": 2}]}
    values = drawn(valid(schema), 200)

    assert sum(value == schema["examples"][0] for value in values) > 20
    assert any(value.get("origin") == "Europe/Rome" and value.get("prep_days") not in (2, None) for value in values)


def test_an_example_that_the_schema_refuses_is_not_drawn() -> None:
    assert "ninety" not in drawn(valid({"type": "integer", "examples": ["ninety"]}), 60)


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"type": "object", "patternProperties": {"^x": True}}, id="a keyword"),
        pytest.param(
            {"type": "object", "properties": {"a": {"type": "array", "contains": True}}}, id="a nested keyword"
        ),
        pytest.param({"type": "string", "format": "hostname"}, id="a format"),
        pytest.param({"$ref": "https://schemas.example/trip"}, id="another document"),
    ],
)
def test_what_is_not_known_is_refused_loudly(schema: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedSchemaError, match="cannot"):
        drawn(valid(schema), 50)
