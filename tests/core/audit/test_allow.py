"""Which arguments are written in clear."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.audit.factories import KEY

from packhorse.audit import Keys, allowed
from packhorse.audit.allow import LIST_LIMIT, UNKNOWN

KEYS = Keys(KEY)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


def reduced(arguments, schema, keys=KEYS):
    return allowed(arguments, schema, keys=keys)


def one(value, schema, root=None):
    return reduced({"it": value}, {"properties": {"it": schema}, **(root or {})})["it"]


WEEKDAYS = {"$defs": {"Day": {"enum": ["monday", "tuesday"], "type": "string"}}}
DAY = {"$ref": "#/$defs/Day"}


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        pytest.param(True, {"type": "boolean"}, id="a boolean"),
        pytest.param("deep", {"enum": ["deep", "light"]}, id="a member of an enum"),
        pytest.param("v1", {"const": "v1"}, id="a constant"),
        pytest.param(7, {"type": "integer", "minimum": 1, "maximum": 300}, id="an integer with narrow bounds"),
        pytest.param(None, {"type": "string"}, id="null"),
        pytest.param("monday", DAY, id="an enum by reference"),
        pytest.param("monday", {"anyOf": [DAY, {"type": "null"}]}, id="an optional enum"),
        pytest.param(["monday", "tuesday"], {"type": "array", "items": DAY}, id="a short list of enum members"),
        pytest.param(
            {"day": "monday", "count": 3},
            {"type": "object", "properties": {"day": DAY, "count": {"type": "integer", "minimum": 0, "maximum": 9}}},
            id="members of an object, each by its own schema",
        ),
    ],
)
def test_what_tells_nothing_of_a_person_is_written_in_clear(value, schema):
    assert one(value, schema, WEEKDAYS) == value


@pytest.mark.parametrize(
    ("value", "schema", "kind", "length"),
    [
        pytest.param("Maria", {"type": "string"}, "string", 5, id="a text"),
        pytest.param("deep", {"enum": ["light"]}, "string", 4, id="a text that the enum does not have"),
        pytest.param("yes", {"type": "boolean"}, "string", 3, id="a text where a boolean should be"),
        pytest.param(1, {"enum": [True]}, "number", None, id="1 where the enum has true"),
        pytest.param(True, {"enum": [1]}, "boolean", None, id="true where the enum has 1"),
        pytest.param(123456789, {"type": "integer"}, "number", None, id="an unbounded integer"),
        pytest.param(
            123456789, {"type": "integer", "minimum": 0, "maximum": 999999999}, "number", None, id="wide bounds"
        ),
        pytest.param(1234, {"type": "integer", "minimum": 0, "maximum": 9999}, "number", None, id="a PIN's bounds"),
        pytest.param(301, {"type": "integer", "minimum": 1, "maximum": 300}, "number", None, id="beyond its bounds"),
        pytest.param(2.5, {"type": "number", "minimum": 0, "maximum": 5}, "number", None, id="a number"),
        pytest.param(["monday", "Maria"], {"type": "array", "items": DAY}, "array", 2, id="a list with a text in it"),
        pytest.param(
            ["monday"] * (LIST_LIMIT + 1), {"type": "array", "items": DAY}, "array", LIST_LIMIT + 1, id="a long list"
        ),
        pytest.param({"a": 1}, {"type": "object"}, "object", 1, id="an object without properties"),
        pytest.param("x", True, "string", 1, id="a schema that is no object"),
        pytest.param(2**60, {"const": 2**60}, "number", None, id="an integer beyond what JSON keeps"),
        pytest.param("\ud800", {}, "string", 1, id="half a surrogate pair"),
    ],
)
def test_everything_else_leaves_a_digest(value, schema, kind, length):
    left = one(value, schema, WEEKDAYS)
    assert left.pop("kind") == kind
    assert left.pop("length", None) == length
    assert len(left.pop("hmac")) == 32
    assert left == {}


def test_names_that_the_schema_does_not_know_are_not_written():
    left = reduced({"n": True, "Maria Lopez": 1, "x": 2}, {"properties": {"n": {"type": "boolean"}}})
    assert left == {"n": True, UNKNOWN: {"kind": "object", "length": 2, "hmac": left[UNKNOWN]["hmac"]}}


def test_a_schema_that_refers_to_itself_ends():
    tree = {"properties": {"below": {"$ref": "#/$defs/Tree"}, "last": {"type": "boolean"}}}
    value = {"last": True}
    for _ in range(500):
        value = {"below": value, "last": False}
    left = json.dumps(one(value, {"$ref": "#/$defs/Tree"}, {"$defs": {"Tree": tree}}))
    assert '"kind": "object"' in left


def test_equal_values_have_equal_digests_under_one_key_only():
    schema = {"properties": {"name": {"type": "string"}}}
    first, again, other = (
        reduced({"name": "Maria"}, schema, keys)["name"]["hmac"]
        for keys in (Keys(KEY), Keys(KEY), Keys(b"another key of thirty-two bytes, or so"))
    )
    assert first == again != other


def test_without_a_key_a_digest_cannot_be_found_by_trying_values():
    schema = {"properties": {"number": {}}}
    assert reduced({"number": "A123456789"}, schema, Keys(None)) != reduced(
        {"number": "A123456789"}, schema, Keys(None)
    )


@given(st.dictionaries(st.text(), JSON, max_size=4), st.sampled_from([{}, {"properties": {"a": {"type": "string"}}}]))
def test_no_text_from_a_caller_is_written_unless_the_schema_lists_or_flags_it(arguments, schema):
    named = {f"canary {name}": value for name, value in arguments.items()}
    left = reduced({**named, **arguments, "a": "canary 41"}, schema)
    assert "canary" not in json.dumps(left)
    assert left.keys() <= {"a", UNKNOWN}


@given(JSON)
def test_any_value_can_be_reduced_and_written(value):
    json.dumps(one(value, {"type": "string"}), allow_nan=False)
