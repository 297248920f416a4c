"""The slim form of a schema: shorter, never narrower, and nothing goes that is not said otherwise."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from packhorse.schema.slim import slim, slim_answer

DATE = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"
UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
TEXT, WHOLE, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}
FORMATS = FormatChecker(["date", "uuid"])
LOCAL = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]$"


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def slimmed(node: dict[str, Any]) -> Any:
    return slim(of(x=node))["properties"]["x"]


@pytest.mark.parametrize(
    ("full", "expected"),
    [
        ({"type": "string", "pattern": DATE}, {"type": "string", "format": "date"}),
        ({"type": "string", "pattern": UUID}, {"type": "string", "format": "uuid"}),
        ({"type": "string", "pattern": LOCAL}, {"type": "string"}),
        ({"type": "string", "pattern": "^A?[0-9]{8,9}$"}, {"type": "string", "pattern": "^A?[0-9]{8,9}$"}),
        ({"type": "string", "pattern": "^(complete_form|brief_form)$"}, {"enum": ["complete_form", "brief_form"]}),
        ({"type": "string", "enum": ["a", "b"], "examples": ["a"]}, {"enum": ["a", "b"]}),
        ({**TEXT, "minLength": 1, "maxLength": 9, "examples": ["one", "two"]}, {**TEXT, "examples": ["one"]}),
        ({"type": "array", "items": WHOLE, "minItems": 1, "examples": [[]]}, {"type": "array", "items": WHOLE}),
        ({"type": "array", "minItems": 2, "maxItems": 3}, {"type": "array", "minItems": 2, "maxItems": 3}),
        ({"anyOf": [{**WHOLE, "minimum": 1}, NULL], "default": None}, {**WHOLE, "minimum": 1}),
        ({"anyOf": [WHOLE, NULL], "default": 5}, {"anyOf": [WHOLE, NULL], "default": 5}),
        ({"anyOf": [WHOLE, NULL]}, {"anyOf": [WHOLE, NULL]}),
        ({"type": "boolean", "default": False, "examples": [True]}, {"type": "boolean", "default": False}),
        ({"oneOf": [{"type": "string", "maxLength": 3}, {"type": "string", "minLength": 5}]}, {"type": "string"}),
        ({"not": {"type": "string", "maxLength": 3}}, {"not": {"type": "string", "maxLength": 3}}),
        ({"type": "string", "x-mcp-header": "Region"}, {"type": "string", "x-mcp-header": "Region"}),
    ],
)  # fmt: skip
def test_a_node_keeps_what_helps_to_fill_it_in(full, expected):
    assert slimmed(full) == expected


def test_an_argument_called_like_a_keyword_is_an_argument():
    named = of(maxLength={"type": "integer"}, title={"type": "string"}, pattern={"type": "string"})
    assert slim(named) == named


def test_an_argument_that_few_need_is_accepted_and_not_listed_unless_it_is_required():
    rare = {"type": "integer", "x-unlisted": True}
    schema = {**of(usual=TEXT, rare=rare), "additionalProperties": False}
    assert slim(schema) == of(usual=TEXT)
    assert slim({**schema, "required": ["rare"]})["properties"] == {"usual": TEXT, "rare": rare}


def test_an_example_stands_with_the_first_of_several_arguments_of_one_form_unless_words_say_it():
    zone = {"type": "string", "pattern": r"^[A-Za-z]+(/[A-Za-z_]+){0,2}$", "examples": ["Asia/Tokyo"]}
    assert slim(of(origin=zone, destination=zone))["properties"] == {
        "origin": {"type": "string", "examples": ["Asia/Tokyo"]},
        "destination": {"type": "string"},
    }
    local = {"type": "string", "pattern": LOCAL, "description": "YYYY-MM-DDTHH:MM.", "examples": ["2026-01-31T08:30"]}
    assert "examples" not in slimmed(local)


def test_a_definition_used_once_stands_in_its_place_and_one_used_twice_is_shared():
    twice = {"$ref": "#/$defs/Twice"}
    schema = {
        **of(a={"$ref": "#/$defs/Once", "description": "Here."}, b=twice, c=twice),
        "$defs": {
            "Once": {"type": "object", "description": "There.", "properties": {"n": {"type": "integer"}}},
            "Twice": {"type": "object", "properties": {"t": {"type": "integer"}}},
            "Never": {"type": "string"},
        },
    }  # fmt: skip
    made = slim(schema)
    assert made["properties"]["a"] == {
        "type": "object",
        "description": "Here.",
        "properties": {"n": {"type": "integer"}},
    }
    assert list(made["$defs"]) == ["Twice"]


def test_a_definition_that_contains_itself_stays_a_definition():
    tree = {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}
    made = slim({**of(root={"$ref": "#/$defs/Tree"}), "$defs": {"Tree": tree}})
    assert made["$defs"] == {"Tree": tree}


def test_a_default_of_an_object_goes_where_its_fields_have_it():
    fields = {"deep": {"type": "boolean", "default": True}, "seed": {"type": "integer"}}
    repeats, differs = {"deep": True, "seed": None}, {"deep": False}
    assert "default" not in slimmed({"type": "object", "properties": fields, "default": repeats})
    assert slimmed({"type": "object", "properties": fields, "default": differs})["default"] == differs


def test_a_schema_that_denies_a_definition_is_left_as_it_is():
    schema = {**of(x={"not": {"$ref": "#/$defs/Short"}}), "$defs": {"Short": {"type": "string", "maxLength": 3}}}
    assert slim(schema) == schema


def test_an_answer_keeps_names_kinds_and_what_must_be_there():
    full = {**of(n={"type": "string", "description": "N.", "pattern": "^a$"}), "required": ["n"], "title": "T"}
    assert slim_answer(full) == {**of(n={"type": "string"}), "required": ["n"]}


@given(st.dates().map(str) | st.uuids().map(str))
def test_the_format_that_stands_for_a_pattern_takes_the_same_dates_and_uuids(text):
    for pattern in (DATE, UUID):
        published = Draft202012Validator(slimmed({"type": "string", "pattern": pattern}), format_checker=FORMATS)
        assert published.is_valid(text) == Draft202012Validator({"pattern": pattern}).is_valid(text)
