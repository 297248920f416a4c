"""Refusals in words: each names the field, the limit and the next step."""

import enum
import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import (
    AfterValidator,
    AnyUrl,
    AwareDatetime,
    BaseModel,
    Field,
    FutureDate,
    NaiveDatetime,
    PastDatetime,
    ValidationError,
    create_model,
)
from pydantic_core import PydanticCustomError

from packhorse.schema.checker import Checker
from packhorse.schema.faults import Fault, code_for, from_pydantic, from_schema, refusal, together
from packhorse.schema.schemas import published

pytestmark = pytest.mark.python


class Shade(enum.Enum):
    DARK = "dark"
    LIGHT = "light"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(ge=1)


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Parcel(BaseModel):
    grams: int = Field(ge=1, examples=[250])
    items: list["Parcel"] = []


def _even(value: int) -> int:
    if value % 2:
        raise ValueError("must be even")
    return value


def _prime(value: int) -> int:
    raise PydanticCustomError("not_prime", "{number} is no prime", {"number": value})


def _silent(value: int) -> int:
    raise ValueError


def faults_of(kind: Any, value: Any) -> list[Fault]:
    model = create_model("Asked", x=(kind, ...))
    schema = published(model.model_json_schema(), closed=True)
    try:
        model.__pydantic_validator__.validate_json(json.dumps({"x": value}), strict=True, extra="forbid")
    except ValidationError as exc:
        return from_pydantic(exc.errors(), schema)
    raise AssertionError(f"{value!r} was accepted")


@pytest.mark.parametrize(
    ("kind", "value", "keyword", "said"),
    [
        pytest.param(int, [], "type", "`x` must be a whole number.", id="whole number"),
        pytest.param(float, [], "type", "`x` must be a number.", id="number"),
        pytest.param(str, 5, "type", "`x` must be text.", id="text"),
        pytest.param(bool, 5, "type", "`x` must be true or false.", id="true or false"),
        pytest.param(list[int], 5, "type", "`x` must be a list.", id="list"),
        pytest.param(Cat, 5, "type", "`x` must be an object, whose keys can be `kind`, `lives`.", id="object"),
        pytest.param(int | None, [], "type", "`x` must be a whole number or null.", id="or null"),
        pytest.param(int | str, [], "type", "`x` must be a whole number or text.", id="one of two"),
        pytest.param(
            Annotated[int, Field(examples=[3])], [], "type", "`x` must be a whole number, for example 3.", id="example"
        ),
        pytest.param(
            Annotated[str, Field(max_length=1)], "ab", "maxLength", "`x` must have at most 1 character.", id="long"
        ),
        pytest.param(
            Annotated[str, Field(min_length=2)], "", "minLength", "`x` must have at least 2 characters.", id="short"
        ),
        pytest.param(
            Annotated[str, Field(max_length=2, pattern="^[a-z]+$", examples=["ab"])],
            "abc",
            "maxLength",
            '`x` must have at most 2 characters, for example "ab".',
            id="long, of a form",
        ),
        pytest.param(Annotated[int, Field(ge=2)], 1, "minimum", "`x` must be at least 2.", id="minimum"),
        pytest.param(Annotated[int, Field(le=2)], 3, "maximum", "`x` must be at most 2.", id="maximum"),
        pytest.param(Annotated[int, Field(gt=2)], 2, "exclusiveMinimum", "`x` must be above 2.", id="above"),
        pytest.param(Annotated[int, Field(lt=2)], 2, "exclusiveMaximum", "`x` must be below 2.", id="below"),
        pytest.param(
            Annotated[int, Field(multiple_of=5)], 3, "multipleOf", "`x` must be a multiple of 5.", id="multiple"
        ),
        pytest.param(
            Annotated[list[int], Field(max_length=1)],
            [1, 2],
            "maxItems",
            "`x` must have at most 1 item.",
            id="too many",
        ),
        pytest.param(
            Annotated[list[int], Field(min_length=1)], [], "minItems", "`x` must have at least 1 item.", id="too few"
        ),
        pytest.param(Shade, "x", "enum", '`x` must be one of: "dark", "light".', id="enum"),
        pytest.param(Literal["a"], "x", "enum", '`x` must be "a".', id="the only choice"),
        pytest.param(Literal["a", 1], "x", "enum", '`x` must be one of: "a", 1.', id="choices"),
        pytest.param(Shade | None, "x", "enum", '`x` must be one of: "dark", "light".', id="enum or null"),
        pytest.param(
            Annotated[str, Field(pattern="^[A-Z]{3}$")],
            "x",
            "pattern",
            "`x` must match the pattern `^[A-Z]{3}$`.",
            id="pattern",
        ),
        pytest.param(
            Annotated[str | None, Field(pattern="^[A-Z]{3}$", examples=[None, "ABC"])],
            "ABCD",
            "pattern",
            '`x` must be written like "ABC" (the pattern `^[A-Z]{3}$`).',
            id="an example that is null says nothing",
        ),
        pytest.param(
            Annotated[str, Field(pattern="^[A-Z]{3}$", description="Three capitals.", examples=["ABC"])],
            "x",
            "pattern",
            '`x` must be written like "ABC" (the pattern `^[A-Z]{3}$`).',
            id="pattern in words",
        ),
        pytest.param(date, "x", "format", "`x` must be a date such as 2026-01-31.", id="date"),
        pytest.param(date, 5, "type", "`x` must be a date such as 2026-01-31.", id="a number for a date"),
        pytest.param(
            datetime | None, "x", "format", "`x` must be null or an instant such as 2026-01-31T08:00:00Z.", id="instant"
        ),
        pytest.param(time, "x", "format", "`x` must be a time of day such as 08:30:00.", id="time"),
        pytest.param(timedelta, "x", "format", "`x` must be a duration such as PT1H30M.", id="duration"),
        pytest.param(
            UUID, "x", "format", "`x` must be a UUID such as 123e4567-e89b-42d3-a456-426614174000.", id="uuid"
        ),
        pytest.param(AnyUrl, "x", "format", "`x` must be a URL such as https://example.org.", id="url"),
        pytest.param(IPv4Address, "x", "format", "`x` must be an IPv4 address such as 192.0.2.1.", id="ip address"),
        pytest.param(
            AwareDatetime,
            "2026-01-31T08:00:00",
            "value",
            "`x` must say its offset, such as Z or +02:00.",
            id="no offset",
        ),
        pytest.param(NaiveDatetime, "2026-01-31T08:00:00Z", "value", "`x` must have no offset.", id="an offset"),
        pytest.param(FutureDate, "1999-12-31", "value", "`x` must lie in the future.", id="future"),
        pytest.param(PastDatetime, "2999-12-31T08:00:00Z", "value", "`x` must lie in the past.", id="past"),
        pytest.param(
            Annotated[Decimal, Field(max_digits=3)], "1234", "value", "`x` must have at most 3 digits.", id="digits"
        ),
        pytest.param(
            Annotated[Decimal, Field(decimal_places=1)],
            "1.25",
            "value",
            "`x` must have at most 1 digits after the point.",
            id="decimals",
        ),
        pytest.param(
            Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")],
            "soon",
            "pattern",
            '`x` must be written like "2026-02-15".',
            id="a date by its pattern",
        ),
        pytest.param(
            Annotated[str, Field(pattern=r"^(19[7-9][0-9]|20[0-2][0-9]|203[0-7])-[0-9]{2}-[0-9]{2}$")],
            "1200-01-01",
            "pattern",
            '`x` must be written like "2026-02-15", with a year from 1970 to 2037.',
            id="a year too early",
        ),
        pytest.param(
            Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z_]*(/[A-Za-z_]+){0,2}$")],
            "5",
            "pattern",
            '`x` must be written like "Europe/Paris".',
            id="a time zone by its pattern",
        ),
        pytest.param(
            Annotated[int, Field(ge=0, le=7)] | None, 9, "maximum", "`x` must be from 0 to 7.", id="both limits"
        ),
        pytest.param(
            Annotated[str, Field(min_length=1, examples=["Juan"])],
            "",
            "minLength",
            '`x` must not be empty: write for example "Juan".',
            id="empty",
        ),
        pytest.param(Annotated[int, AfterValidator(_even)], 3, "value", "`x` must be even.", id="a validator's words"),
        pytest.param(
            Annotated[int, AfterValidator(_prime)], 4, "value", "`x`: 4 is no prime.", id="a pack's own error"
        ),
        pytest.param(Annotated[int, AfterValidator(_silent)], 4, "value", "`x` is not valid.", id="without words"),
        pytest.param(
            Annotated[int | Annotated[str, Field(max_length=3)], Field()],
            "abcd",
            "maxLength",
            "`x` must have at most 3 characters.",
            id="of two, the one whose kind was right",
        ),
    ],
)
def test_a_fault_is_told_in_one_sentence(kind, value, keyword, said):
    assert faults_of(kind, value) == [Fault("x", keyword, said)]


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        pytest.param(
            list[Parcel],
            [{"grams": 1}, {"grams": 0}],
            {"x.1.grams": "`x.1.grams` must be at least 1, for example 250."},
            id="in a list",
        ),
        pytest.param(
            Parcel,
            {"grams": 1, "items": [{"grams": 1, "items": [{}]}]},
            {"x.items.0.items.0.grams": "`x.items.0.items.0.grams` is required, for example 250."},
            id="deep",
        ),
        pytest.param(dict[str, int], {"k": "z"}, {"x.k": "`x.k` must be a whole number."}, id="in a mapping"),
        pytest.param(tuple[int, str], [1], {"x.1": "`x.1` is required."}, id="in a tuple"),
        pytest.param(
            Parcel,
            {"grams": 1, "pounds": 2},
            {"x.pounds": "There is no field `x.pounds`: use only `grams`, `items`."},
            id="unknown name",
        ),
        pytest.param(
            Annotated[Cat | Dog, Field(discriminator="kind")],
            {"kind": "cow"},
            {"x.kind": '`x.kind` must be one of: "cat", "dog".'},
            id="unknown tag",
        ),
        pytest.param(
            Annotated[Cat | Dog, Field(discriminator="kind")], {}, {"x.kind": "`x.kind` is required."}, id="no tag"
        ),
        pytest.param(
            Annotated[Cat | Dog, Field(discriminator="kind")],
            {"kind": "cat", "lives": 0, "name": "x"},
            {
                "x.lives": "`x.lives` must be at least 1.",
                "x.name": "There is no field `x.name`: use only `kind`, `lives`.",
            },
            id="in the tagged one",
        ),
        pytest.param(
            Parcel | list[int], {"grams": 0}, {"x.grams": "`x.grams` must be at least 1, for example 250."}, id="of two"
        ),
    ],
)
def test_the_place_of_a_fault_is_its_path(kind, value, expected):
    assert {fault.field: fault.message for fault in faults_of(kind, value)} == expected


def ask(schema: dict[str, Any], value: Any) -> dict[str, tuple[str, str]]:
    found = from_schema(Checker(schema).faults(value), schema, value)
    return {fault.field: (fault.keyword, fault.message) for fault in found}


SHAPES = {
    "anyOf": [
        {"properties": {"kind": {"const": "a"}, "size": {"minimum": 1}}, "required": ["size"]},
        {"properties": {"kind": {"const": "b"}}, "required": ["name", "place"]},
    ]
}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        pytest.param(
            {"required": ["a", "b"], "properties": {"b": {"examples": [1]}}},
            {},
            {"a": ("required", "`a` is required."), "b": ("required", "`b` is required, for example 1.")},
            id="required",
        ),
        pytest.param(
            {"dependentRequired": {"a": ["b"]}}, {"a": 1}, {"b": ("required", "`b` is required.")}, id="dependent"
        ),
        pytest.param(
            {"properties": {"a": {}}, "patternProperties": {"^x": {}}, "additionalProperties": False},
            {"b": 1, "x1": 1},
            {"b": ("additionalProperties", "There is no argument `b`: use only `a`.")},
            id="unknown name beside a pattern of names",
        ),
        pytest.param(
            {"additionalProperties": False},
            {"b": 1},
            {"b": ("additionalProperties", "There is no argument `b`: leave it out.")},
            id="unknown name where there are none",
        ),
        pytest.param(
            {"additionalProperties": False},
            {"": 1},
            {"": ("additionalProperties", "An argument has an empty name: leave it out.")},
            id="a name that is empty",
        ),
        pytest.param(
            {"properties": {"a": {}, "b": {}}, "additionalProperties": False},
            {"a ": 1},
            {"a ": ("additionalProperties", "There is a space before or after the name `a `: write `a`.")},
            id="a name with a space at its end",
        ),
        pytest.param(
            {"if": {"required": ["a"]}, "then": {"properties": {"a": {"type": "string"}}}},
            {"a": 1},
            {"a": ("type", "`a` must be text.")},
            id="of what a condition asks for",
        ),
        pytest.param(
            {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {},
            {"": ("anyOf", "Give at least one of: `a`, `b`.")},
            id="at least one",
        ),
        pytest.param(
            {"anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}]},
            {"b": 1},
            {"": ("anyOf", "Give at least one of: `a`, `b` with `c`.")},
            id="at least one, of which one needs another",
        ),
        pytest.param(
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"a": 1, "b": 1},
            {"": ("oneOf", "Give exactly one of: `a`, `b`.")},
            id="only one",
        ),
        pytest.param(
            {"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}},
            {"a": "x"},
            {"a": ("anyOf", "`a` must be a whole number or null.")},
            id="another kind than all",
        ),
        pytest.param(
            {"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 3}]}}},
            {"a": "long"},
            {"a": ("maxLength", "`a` must have at most 3 characters.")},
            id="the alternative whose kind is right",
        ),
        pytest.param(
            {"properties": {"shape": SHAPES}},
            {"shape": {"kind": "a", "size": 0}},
            {"shape.size": ("minimum", "`shape.size` must be at least 1.")},
            id="the alternative that fits best",
        ),
        pytest.param(
            {"properties": {"a": {"type": ["integer", "null"]}}},
            {"a": "x"},
            {"a": ("type", "`a` must be a whole number or null.")},
            id="several types",
        ),
        pytest.param({"properties": {"a": {"const": 5}}}, {"a": 1}, {"a": ("const", "`a` must be 5.")}, id="constant"),
        pytest.param(
            {"properties": {"a": {"enum": ["x", None]}}},
            {"a": 1},
            {"a": ("enum", '`a` must be one of: "x", null.')},
            id="choices",
        ),
        pytest.param(
            {
                "properties": {"kind": {"enum": ["p", "q"]}, "size": {"enum": [1, 2, 3]}},
                "if": {"properties": {"kind": {"const": "p"}}},
                "then": {"properties": {"size": {"enum": [1]}}},
            },
            {"kind": "p", "size": 2},
            {"size": ("enum", "`size` must be 1.")},
            id="the choices of the condition, not of the field",
        ),
        pytest.param(
            {"properties": {"a": {"uniqueItems": True}}},
            {"a": [1, 1]},
            {"a": ("uniqueItems", "`a` must not have the same item twice.")},
            id="repeats",
        ),
        pytest.param(
            {"minProperties": 1}, {}, {"": ("minProperties", "The arguments must have at least 1 name.")}, id="none"
        ),
        pytest.param(
            {"properties": {"a": {"not": {"type": "string"}}}},
            {"a": "x"},
            {"a": ("not", "`a` does not fit the schema of this tool (`not`).")},
            id="a keyword without words",
        ),
        pytest.param(
            {"properties": {"a": {"items": {"$ref": "#/$defs/b"}}}, "$defs": {"b": {"maximum": 1}}},
            {"a": [1, 2]},
            {"a.1": ("maximum", "`a.1` must be at most 1.")},
            id="in a list through a reference",
        ),
        pytest.param(
            {"additionalProperties": {"type": "integer"}},
            {"k" * 500: "x"},
            {"k" * 31 + "…": ("type", f"`{'k' * 31}…` must be a whole number.")},
            id="a long name of the caller's own",
        ),
    ],
)
def test_what_the_schema_refuses_is_told_the_same_way(schema, value, expected):
    assert ask(schema, value) == expected


def test_long_and_strange_names_are_shortened_and_made_plain():
    (fault,) = faults_of(Parcel, {"grams": 1, "\u202eevil\n" + "x" * 500: 1})

    assert fault.field == "x.?evil?" + "x" * 25 + "…"


def test_a_validators_long_words_are_cut():
    def repeat(value: str) -> str:
        raise ValueError(f"not {value}")

    (fault,) = faults_of(Annotated[str, AfterValidator(repeat)], "x" * 5000)

    assert len(fault.message) < 320


def test_a_long_list_of_choices_is_cut():
    many = enum.Enum("many", {f"C{n}": f"c{n}" for n in range(500)})

    (fault,) = faults_of(many, "x")

    assert fault.message.endswith('"c39", and 460 more.')


def test_both_lists_are_told_once_for_each_place():
    first = [Fault("a", "type", "1"), Fault("b.c", "type", "2")]
    second = [Fault("a", "enum", "3"), Fault("b", "anyOf", "4"), Fault("b.c.d", "type", "5"), Fault("", "anyOf", "6")]

    assert [fault.message for fault in together(first, second)] == ["1", "2", "6"]


def test_a_refusal_has_the_code_of_its_first_fault_and_all_in_its_details():
    said = refusal([Fault("a", "type", "A."), Fault("b", "enum", "B.")], {"b": "BAD_B"})

    assert (said.message, said.code) == ("A. B.", "INVALID_ARGUMENTS")
    assert said.details == {
        "faults": [
            {"field": "a", "code": "INVALID_ARGUMENTS", "message": "A."},
            {"field": "b", "code": "BAD_B", "message": "B."},
        ]
    }


def test_a_refusal_of_very_many_faults_stays_readable():
    said = refusal([Fault(f"f{n}", "type", f"F{n}.") for n in range(5000)], {})

    assert said.message.endswith("F39. There are 4960 more faults.")
    assert len(said.details["faults"]) == 40


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        pytest.param({"a.b.type": "1", "a.b": "2", "type": "3"}, "1", id="field and keyword first"),
        pytest.param({"a.b": "2", "type": "3"}, "2", id="then the field"),
        pytest.param({"a": "0", "type": "3"}, "3", id="then the keyword"),
        pytest.param({"a": "0"}, "INVALID_ARGUMENTS", id="else the host's"),
    ],
)
def test_the_most_particular_code_wins(codes, code):
    assert code_for(Fault("a.b", "type", ""), codes) == code
