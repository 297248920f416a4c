"""Forms from schemas: which field a property gets, and that what a form holds comes back as the same arguments."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse.console.forms import ARGUMENT, arguments, fields, filled


def schema(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "$defs": {"Day": {"type": "string", "format": "date"}},
    }


@pytest.mark.parametrize(
    ("given", "kind", "choices"),
    [
        pytest.param({"type": "string"}, "text", (), id="text"),
        pytest.param({"type": "string", "maxLength": 4000}, "long", (), id="long text"),
        pytest.param({"type": "integer"}, "number", (), id="whole number"),
        pytest.param({"type": "boolean"}, "yes_no", (), id="yes or no"),
        pytest.param({"enum": ["a", 2]}, "choice", ("a", "2"), id="choice"),
        pytest.param({"const": "x"}, "choice", ("x",), id="one value"),
        pytest.param({"$ref": "#/$defs/Day"}, "date", (), id="a reference"),
        pytest.param({"anyOf": [{"$ref": "#/$defs/Day"}, {"type": "null"}]}, "date", (), id="may be null"),
        pytest.param({"type": ["integer", "null"]}, "number", (), id="may be null, as a list of types"),
        pytest.param({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "json", (), id="one of two"),
        pytest.param({"type": "array", "items": {"type": "string"}}, "json", (), id="a list"),
        pytest.param({}, "json", (), id="anything"),
        pytest.param({"$ref": "#/$defs/none"}, "json", (), id="a reference to nothing"),
    ],
)
def test_each_kind_of_property_has_its_field(given, kind, choices):
    (field,) = fields(schema(one=given))
    assert (field.kind, field.choices) == (kind, choices)


def test_a_reference_to_itself_comes_to_an_end():
    loop = {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"$ref": "#/$defs/A"}}}
    assert fields(loop)[0].kind == "json"


def test_what_must_be_filled_in_comes_first_and_defaults_are_shown():
    made = fields(schema(("b",), a={"type": "integer", "default": 3}, b={"type": "string"}))
    assert [(field.name, field.empty) for field in made] == [("b", ""), ("a", "3")]


def test_what_is_empty_is_left_out_unless_it_is_a_text_that_must_be_there():
    made = schema(("text", "number"), text={"type": "string"}, number={"type": "integer"}, other={"type": "string"})
    assert arguments(made, {}) == ({"text": ""}, {})


def test_what_no_field_reads_is_left_to_the_schema_and_bad_json_is_named():
    made = schema(number={"type": "integer"}, list={"type": "array"})
    assert arguments(made, {f"{ARGUMENT}number": "many"}) == ({"number": "many"}, {})
    assert arguments(made, {f"{ARGUMENT}list": '{"a": 1, "a": 2}'})[1] == {
        "list": "This is not JSON: an object has one key twice."
    }


PROPERTIES = {
    "text": ({"type": "string"}, st.text(min_size=1).filter(lambda text: "\r" not in text)),
    "day": ({"type": "string", "format": "date"}, st.dates().map(str)),
    "whole": ({"type": "integer"}, st.integers()),
    "real": ({"type": "number"}, st.floats(allow_nan=False, allow_infinity=False)),
    "yes": ({"type": "boolean"}, st.booleans()),
    "choice": ({"enum": ["a", "b", 3, None]}, st.sampled_from(["a", "b", 3, None])),
    "any": ({}, st.lists(st.integers() | st.text() | st.none() | st.booleans())),
}


@given(st.fixed_dictionaries({}, optional={name: strategy for name, (_, strategy) in PROPERTIES.items()}))
def test_what_a_form_is_filled_with_it_gives_back(values):
    made = schema(**{name: one for name, (one, _) in PROPERTIES.items()})
    assert arguments(made, filled(values, made)) == (values, {})
    assert json.dumps([field.value for field in fields(made, filled(values, made))])
