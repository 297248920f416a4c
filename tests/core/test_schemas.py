"""JSON Schemas: what is published, and the checker that enforces it."""

import enum
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from re import Pattern
from typing import Annotated, Any, Literal, Optional, TypeAlias
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
    WithJsonSchema,
    create_model,
)
from typing_extensions import TypedDict

from packhorse.schema.checker import Checker
from packhorse.schema.schemas import is_object, left_out, publishable, published

pytestmark = pytest.mark.python


class Leaf(BaseModel):
    title: str = Field("x", title="A heading")
    properties: int = 1


class Tree(BaseModel):
    """A tree of leaves."""

    leaf: Leaf = Leaf()
    trees: list["Tree"] = []


class OpenLeaf(BaseModel):
    model_config = ConfigDict(extra="allow")

    size: int = 1


def arguments_of(model: type[BaseModel]) -> dict[str, Any]:
    return published(model.model_json_schema(), closed=True)


def test_generated_titles_are_left_out_and_fields_of_that_name_stay():
    schema = arguments_of(Tree)

    assert "title" not in schema
    assert schema["$defs"]["Leaf"]["properties"] == {
        "title": {"default": "x", "type": "string"},
        "properties": {"default": 1, "type": "integer"},
    }


def test_bounds_of_a_union_are_published_as_keywords_of_json_schema_and_fields_of_such_names_stay():
    class Hours(BaseModel):
        le: int
        hours: Annotated[int | float, Field(ge=0, lt=12)] = Field(default=1, examples=[{"ge": 3}])

    made = published(TypeAdapter(Hours).json_schema(), closed=False)["properties"]
    assert made["le"] == {"type": "integer"}
    assert made["hours"] == {
        "anyOf": [{"type": "integer"}, {"type": "number"}],
        "default": 1,
        "examples": [{"ge": 3}],
        "exclusiveMaximum": 12,
        "minimum": 0,
    }


def test_values_that_look_like_keywords_are_left_alone():
    given = {"type": "object", "default": {"title": "x"}, "examples": [{"title": "y"}], "const": {"title": "z"}}

    assert published(given, closed=False) == given


def test_the_tags_of_a_union_are_left_alone_whatever_they_are_called():
    given = {"oneOf": [], "discriminator": {"propertyName": "title", "mapping": {"title": "#/$defs/Title"}}}

    assert published(given, closed=False) == given


def test_a_recursive_model_is_an_object_at_the_root():
    schema = arguments_of(Tree)

    assert "$ref" not in schema
    assert (schema["type"], schema["description"]) == ("object", "A tree of leaves.")
    assert schema["properties"]["trees"]["items"] == {"$ref": "#/$defs/Tree"}


def test_arguments_are_closed_at_every_depth_and_answers_stay_as_they_are():
    closed, open_ = arguments_of(Tree), published(Tree.model_json_schema(), closed=False)

    assert [closed["additionalProperties"], *(one["additionalProperties"] for one in closed["$defs"].values())] == [
        False,
        False,
        False,
    ]
    assert "additionalProperties" not in str(open_)


def test_a_model_that_would_take_further_names_is_published_as_it_is_checked_closed():
    holder = create_model("Holder", leaf=(OpenLeaf, ...))

    assert arguments_of(holder)["$defs"]["OpenLeaf"]["additionalProperties"] is False


def test_a_mapping_of_the_callers_own_names_stays_open_to_them():
    holder = create_model("Holder", counts=(dict[str, int], ...))

    assert arguments_of(holder)["properties"]["counts"] == {
        "type": "object",
        "additionalProperties": {"type": "integer"},
    }


def test_conditions_are_not_closed_since_they_speak_of_part_of_an_object():
    condition = {
        "if": {"type": "object", "properties": {"kind": {"const": "a"}}},
        "then": {"type": "object", "properties": {"size": {"minimum": 1}}, "required": ["size"]},
    }

    class Sized(BaseModel):
        model_config = ConfigDict(json_schema_extra=condition)

        kind: str
        size: int = 0

    schema = arguments_of(Sized)

    assert {key: schema[key] for key in condition} == condition
    assert schema["additionalProperties"] is False
    assert Checker(schema).is_valid({"kind": "a", "size": 1})
    assert not Checker(schema).is_valid({"kind": "a"})


def test_a_tool_without_arguments_takes_none():
    assert arguments_of(create_model("Nothing")) == {"type": "object", "properties": {}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        pytest.param({"type": "object"}, True, id="object"),
        pytest.param({"type": "array"}, False, id="list"),
        pytest.param({"anyOf": [{"type": "object"}, {"type": "null"}]}, False, id="object or null"),
        pytest.param({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}}, True, id="a reference to an object"),
    ],
)
def test_only_what_is_always_an_object_counts_as_one(schema, expected):
    assert is_object(schema) is expected


# --- does pydantic enforce it alone? ---


class Word(enum.Enum):
    A = "a"


class Number(enum.Enum):
    ONE = 1


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(ge=1)


class Dog(BaseModel):
    kind: Literal["dog"]


class TwoNames(BaseModel):
    name: str = Field(validation_alias=AliasChoices("name", "nombre"))


class Entry(TypedDict):
    size: int


@dataclass
class Point:
    x: int


ORDINARY: list[TypeAlias] = [
    str,
    int,
    float,
    bool,
    None,
    Any,
    date,
    datetime,
    UUID,
    Word,
    Literal["a"] | None,
    Optional[int],  # noqa: UP045 - both spellings are met
    int | str,
    list[int],
    tuple[int, str],
    tuple[int, ...],
    dict[str, int],
    Tree,
    Cat | Dog,
    Annotated[Cat | Dog, Field(discriminator="kind")],
    Entry,
    Point,
    Annotated[str, Field(pattern="^[A-Z]$", max_length=3, description="d", examples=["A"])],
    Annotated[int, Field(ge=0, multiple_of=5)],
    Annotated[int, Field(json_schema_extra={"x-mcp-header": "Size"})],
    Annotated[int, AfterValidator(lambda value: value)],
    Annotated[int, BeforeValidator(lambda value: 1)],
    set[int],
    Decimal,
    dict[int, str],
    Number,
    TwoNames,
]

UNPUBLISHABLE = [
    pytest.param(Callable[[], int], id="a function"),
    pytest.param(Pattern[str], id="what has one, in a form of its own"),
    pytest.param(Annotated[int, PlainValidator(int)], id="a validator in the place of a type"),
    pytest.param(Annotated[int, PlainSerializer(str)], id="a serializer of its own"),
    pytest.param(Annotated[str, WithJsonSchema({"type": "integer"})], id="a schema by hand"),
]


@pytest.mark.parametrize("kind", ORDINARY, ids=str)
def test_a_type_that_is_known_to_have_a_schema_has_one_for_reading_and_for_writing(kind):
    adapter = TypeAdapter(kind)

    assert publishable(adapter.core_schema)
    assert adapter.json_schema(mode="serialization") is not None
    assert adapter.json_schema(mode="validation") is not None


@pytest.mark.parametrize("kind", UNPUBLISHABLE)
def test_of_other_types_the_schema_is_made_to_see_whether_they_have_one(kind):
    assert not publishable(TypeAdapter(kind).core_schema)


def test_fields_that_are_left_out_are_named_at_every_depth():
    inner = create_model("Inner", kept=(str, ...), gone=(str, Field(exclude=True)))
    outer = create_model("Outer", inner=(dict[str, inner] | None, None), hidden=(int, Field(exclude=True, alias="no")))

    assert sorted(left_out(outer.__pydantic_core_schema__)) == ["gone", "no"]


# --- asking the schema ---

_KEYWORDS = ["type", "properties", "items", "enum", "$ref", "$defs", "minimum", "pattern", "required", "allOf", "if"]
_ANY_SCHEMA = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-1, 2),
        st.sampled_from(["object", "string", "#", "#/$defs/a", "text", "uri"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from([*_KEYWORDS, "format", "dependencies", "contains", "a"]), inner, max_size=4),
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(_KEYWORDS), _ANY_SCHEMA))
def test_what_is_a_schema_is_decided_as_by_the_published_metaschema(schema):
    said = ""
    try:
        Checker(schema)
    except ValueError as exc:
        said = str(exc)

    assert ("not a valid" in said) is not Draft202012Validator(Draft202012Validator.META_SCHEMA).is_valid(schema)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        pytest.param({"type": "objekt"}, "not a valid JSON Schema 2020-12", id="unknown type"),
        pytest.param({"minimum": "1"}, "not a valid JSON Schema 2020-12", id="a limit that is text"),
        pytest.param({"$ref": "#/$defs/none"}, "leads nowhere: Pointer '/\\$defs/none'", id="no such definition"),
        pytest.param({"$ref": "#none"}, "leads nowhere", id="no such anchor"),
        pytest.param(
            {"properties": {"a": {"items": {"$ref": "https://example.org/a.json"}}}},
            "leads nowhere: .*https://example.org/a.json",
            id="somewhere on the network",
        ),
        pytest.param({"pattern": "("}, "its pattern '\\(' cannot be read", id="broken pattern"),
        pytest.param({"patternProperties": {"[": {}}}, "cannot be read", id="broken pattern of names"),
    ],
)
def test_a_schema_that_cannot_be_checked_is_refused_before_the_first_call(schema, said):
    with pytest.raises(ValueError, match=said):
        Checker(schema)


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"$ref": "#whole", "$defs": {"a": {"$anchor": "whole", "type": "integer"}}}, id="an anchor"),
        pytest.param({"$ref": "#/$defs/a", "$defs": {"a": {"type": "integer"}}}, id="a pointer"),
        pytest.param(
            {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$id": "https://example.org/root",
                "$ref": "part",
                "$defs": {"a": {"$id": "part", "type": "integer"}},
            },
            id="an identifier of its own",
        ),
    ],
)
def test_references_within_a_schema_are_followed(schema):
    assert Checker(schema).is_valid(1)
    assert not Checker(schema).is_valid("1")


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        pytest.param("^A[0-9]+$", "A1", True, id="fits"),
        pytest.param("^A[0-9]+$", "A1\n", False, id="$ is the very end"),
        pytest.param(r"^\d+$", "1", True, id="a digit"),
        pytest.param(r"^\d+$", "\u0661", False, id="a digit of another script"),
        pytest.param(r"^[\d-]+$", "1-2", True, id="digits in a class"),
        pytest.param(r"^\w+$", "é", False, id="a letter with an accent is no ASCII word"),
        pytest.param(r"^\W$", "é", True, id="and so no word at all"),
        pytest.param(r"^\D$", "\u0661", True, id="nor a digit"),
        pytest.param("[$]", "a$b", True, id="$ in a class is itself"),
        pytest.param(r"\$$", "a$", True, id="an escaped $ is itself"),
        pytest.param("^[[a]+$", "[a", True, id="a bracket in a class"),
        pytest.param("^(?<year>[0-9]{4})$", "2026", True, id="a named group"),
        pytest.param("^(?<!a)b$", "b", True, id="a look behind is none"),
        pytest.param("b", "abc", True, id="anywhere in the text"),
        pytest.param(r"^\p{L}+$", "é", True, id="a letter of any script"),
        pytest.param(r"^(a*)*\1b$", "a" * 3_000, False, id="one that other engines never come to an end of"),
    ],
)
def test_a_pattern_means_what_its_standard_says(pattern, text, expected):
    assert Checker({"pattern": pattern}).is_valid(text) is expected
