"""A tool's arguments: what its schema refuses is refused, what it accepts arrives."""

import copy
import enum
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Any, Literal, Optional
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, RootModel, StringConstraints, field_validator

from packhorse import Context, PackError, Resolve, UserError
from packhorse.schema.arguments import Arguments
from packhorse.schema.parameters import parameters_of


def arguments(fn: Callable[..., Any], **options: Any) -> Arguments:
    return Arguments(fn.__name__, parameters_of(fn), **options)


def refused(taken: Arguments, given: Mapping[str, Any]) -> UserError:
    with pytest.raises(UserError) as caught:
        taken.bind(given)
    return caught.value


def fields(refusal: UserError) -> list[str]:
    return [fault["field"] for fault in refusal.details["faults"]]


# --- the signatures ---


class Shade(enum.Enum):
    DARK = "dark"
    LIGHT = "light"


class Level(enum.Enum):
    LOW = 1
    HIGH = 2
    NONE = "none"


class Leg(BaseModel):
    nights: int = Field(ge=1, le=3)
    place: str | None = Field(None, max_length=3)


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(ge=1)


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str = ""


class Node(BaseModel):
    size: int = Field(0, ge=0)
    nodes: list["Node"] = Field([], max_length=2)


class Trip(BaseModel):
    """Where to, and how."""

    legs: list[Leg] = Field(min_length=1, max_length=2)
    pace: Literal["slow", "fast"] = "slow"
    code: str = Field("AB", alias="theCode", pattern="^[A-Z]{2}$", examples=["AB"])


class Trimmed(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True, str_to_lower=True)

    word: str = Field(max_length=3, pattern="^[a-z ]*$")


class Conditional(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [{"required": ["kind"]}, {"required": ["size"]}],
            "if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
            "then": {"required": ["size"]},
        }
    )

    kind: Literal["a", "b"] | None = None
    size: int | None = None


class Either(BaseModel):
    name: str = Field("", validation_alias=AliasChoices("name", "nombre"))


class Named(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    family_name: str = Field("", alias="familyName")


@dataclass
class Point:
    x: int
    y: int = 0


def nothing() -> None: ...
def words(
    a: Annotated[str, Field(min_length=1, max_length=3)], b: Annotated[str, Field(pattern="^[A-Z]")] = "A"
) -> None: ...
def numbers(
    n: Annotated[int, Field(ge=0, le=5)],
    x: Annotated[float, Field(gt=0, lt=2)] = 1,
    fives: Annotated[int, Field(multiple_of=5)] = 0,
) -> None: ...
def choices(shade: Shade, pace: Literal["slow", "fast"] = "slow", sure: bool = False) -> None: ...
def number_choices(level: Level = Level.LOW, one: Literal[1] = 1, yes: Literal[True] = True) -> None: ...
def optional(a: Optional[int] = None, b: str | None = "x", c: int | str = 1) -> None: ...  # noqa: UP045
def lists(
    some: Annotated[list[int], Field(min_length=1, max_length=2)],
    many: tuple[str, ...] = (),
    pair: tuple[int, str] = (1, "a"),
) -> None: ...
def sets(tags: set[str], sizes: frozenset[int] = frozenset()) -> None: ...
def mappings(counts: dict[str, int], anything: dict[str, Any] | None = None) -> None: ...
def whole(trip: Trip) -> None: ...
def nested(leg: Leg, point: Point = Point(1), legs: list[Leg] = []) -> None: ...  # noqa: B006, B008 - what packs write
def tagged(pet: Annotated[Cat | Dog, Field(discriminator="kind")], other: Cat | Dog | None = None) -> None: ...
def recursive(node: Node) -> None: ...
def trimmed(word: Annotated[str, StringConstraints(strip_whitespace=True, max_length=3)] = "") -> None: ...
def trimmed_model(trimmed: Trimmed) -> None: ...
def conditional(asked: Conditional) -> None: ...
def lenient(n: Annotated[int, Field(strict=False)] = 1) -> None: ...
def two_names(either: Either) -> None: ...
def by_either_name(named: Named) -> None: ...
def weights(kg: float) -> None: ...
def anything(a: Any, b=None) -> None: ...


LEG = {"nights": 2, "place": "abc"}
CAT = {"kind": "cat", "lives": 1}
NODE = {"size": 1, "nodes": [{"size": 0, "nodes": []}]}

# Each with arguments that it takes, every name given.
SIGNATURES: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (nothing, {}),
    (words, {"a": "abc", "b": "A"}),
    (numbers, {"n": 5, "x": 1.5, "fives": 10}),
    (choices, {"shade": "dark", "pace": "slow", "sure": True}),
    (number_choices, {"level": 1, "one": 1, "yes": True}),
    (optional, {"a": 1, "b": "a", "c": "a"}),
    (lists, {"some": [1, 2], "many": ["a"], "pair": [1, "a"]}),
    (sets, {"tags": ["a", "b"], "sizes": [1, 2]}),
    (mappings, {"counts": {"a": 1}, "anything": {"a": [None]}}),
    (whole, {"legs": [LEG, LEG], "pace": "fast", "theCode": "AB"}),
    (nested, {"leg": LEG, "point": {"x": 1, "y": 2}, "legs": [LEG]}),
    (tagged, {"pet": CAT, "other": {"kind": "dog", "name": "a"}}),
    (recursive, NODE),
    (conditional, {"kind": "a", "size": 1}),
    (lenient, {"n": 1}),
    (two_names, {"name": "a"}),
    (by_either_name, {"familyName": "a"}),
    (anything, {"a": {"b": [1]}, "b": None}),
]

# Just inside and just outside of what the signatures ask for, and the confusions that JSON invites.
numbers_around = (-1, 0, 1, 2, 3, 5, 6, 10, 0.0, 1.0, 8.0, 0.5, 1.5, 2.5, 1e300, 10**30)
words_around = ("", "a", "abc", "abcd", "A", "AB", "ABC", "1", "true", "null", "dark", "DARK", "none", "dog", "é", "😀")
lists_around: list[Any] = [[], ["a", "a"], [1, 1], [1, 2, 3], [1, "a"], [LEG], [LEG, LEG, LEG]]
objects_around = [{}, LEG, CAT, {"kind": "dog"}, NODE, {"size": 1, "nodes": [NODE] * 3}, {"x": 1}, {"a": "1"}]
values = st.sampled_from([None, True, False, *numbers_around, *words_around, *lists_around, *objects_around]).map(
    copy.deepcopy
)
names = st.sampled_from(["unknown", "nombre", "code", "elsewhere", "kind", "a", "size"])


@st.composite
def around(draw: st.DrawFn, example: dict[str, Any]) -> dict[str, Any]:
    """The example with some places changed, at any depth: another value, none at all, or one too many."""
    made = copy.deepcopy(example)
    for _ in range(draw(st.integers(0, 2))):
        holder = draw(st.sampled_from(list(_holders(made))))
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        change = draw(st.sampled_from(["replace", "replace", "remove", "add"]))
        if change == "add" and isinstance(holder, dict):
            holder[draw(names)] = draw(values)
        elif change == "add":
            holder.append(draw(values))
        elif keys and change == "remove":
            del holder[draw(st.sampled_from(keys))]
        elif keys:
            holder[draw(st.sampled_from(keys))] = draw(values)
    return made


def _holders(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _holders(inner)


def accepts(taken: Arguments, given_arguments: dict[str, Any]) -> bool:
    try:
        taken.bind(given_arguments)
    except UserError:
        return False
    return True


@pytest.mark.parametrize(("fn", "example"), SIGNATURES, ids=lambda value: getattr(value, "__name__", ""))
def test_what_the_published_schema_accepts_is_accepted_and_nothing_else(fn, example):
    taken = arguments(fn)
    judge = Draft202012Validator(taken.schema)
    assert judge.is_valid(example)
    assert accepts(taken, example)

    @settings(max_examples=60, database=None)
    @given(around(example))
    def law(given_arguments: dict[str, Any]) -> None:
        assert accepts(taken, given_arguments) == judge.is_valid(given_arguments)

    law()


@pytest.mark.parametrize("fn", [*(fn for fn, _ in SIGNATURES), trimmed, trimmed_model], ids=lambda fn: fn.__name__)
def test_the_published_schema_is_valid_and_closed(fn):
    schema = arguments(fn).schema

    Draft202012Validator.check_schema(schema)
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)


@pytest.mark.parametrize(
    ("fn", "given_arguments"),
    [
        pytest.param(numbers, {"n": "3"}, id="text for a number"),
        pytest.param(numbers, {"n": True}, id="true for 1"),
        pytest.param(numbers, {"n": 2.5}, id="a fraction for a whole number"),
        pytest.param(choices, {"shade": "dark", "sure": 1}, id="1 for true"),
        pytest.param(choices, {"shade": "DARK"}, id="an enum's name for its value"),
        pytest.param(number_choices, {"one": True}, id="true for a literal 1"),
        pytest.param(number_choices, {"yes": 1}, id="1 for a literal true"),
        pytest.param(number_choices, {"level": True}, id="true for an enum's 1"),
        pytest.param(words, {"a": 5}, id="a number for text"),
        pytest.param(lists, {"some": "12"}, id="text for a list"),
        pytest.param(sets, {"tags": ["a", "a"]}, id="a set with a repeat"),
        pytest.param(lenient, {"n": "1"}, id="text for a number that is not strict"),
        pytest.param(trimmed, {"word": "  abc  "}, id="too long before it is trimmed"),
        pytest.param(trimmed_model, {"trimmed": "ABC"}, id="not a model's fields"),
        pytest.param(trimmed_model, {"word": "ABC"}, id="not as its pattern before it is lowered"),
        pytest.param(two_names, {"nombre": "x"}, id="a name that is not published"),
        pytest.param(whole, {"legs": [{"nights": 1}], "code": "AB"}, id="a field's own name for its alias"),
        pytest.param(by_either_name, {"family_name": "x"}, id="and not where the model would take it either"),
        pytest.param(weights, {"kg": 10**400}, id="a number beyond all numbers"),
        pytest.param(nested, {"leg": {"nights": 1, "elsewhere": 1}}, id="an unknown name inside"),
        pytest.param(nested, {"leg": {"nights": 1}, "legs": [{"nights": 1, "x": 1}]}, id="an unknown name in a list"),
        pytest.param(nested, {"leg": {"nights": 1}, "point": {"x": 1, "z": 1}}, id="an unknown name in a dataclass"),
        pytest.param(conditional, {"kind": "a"}, id="what a condition asks for is absent"),
        pytest.param(nothing, {"a": None}, id="anything where nothing is taken"),
        pytest.param(numbers, {"n": 1, "x": math.nan}, id="NaN"),
        pytest.param(numbers, {"n": 1, "x": math.inf}, id="infinity"),
        pytest.param(anything, {"a": [math.nan]}, id="NaN where anything is taken"),
        pytest.param(words, {"a": "\ud800"}, id="half a character"),
        pytest.param(anything, {"a": datetime.now(UTC)}, id="what is no JSON"),
    ],
)
def test_it_is_refused(fn, given_arguments):
    assert refused(arguments(fn), given_arguments).code == "INVALID_ARGUMENTS"


def test_arguments_too_deep_to_be_read_are_refused():
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    deepest: Any = {}
    for _ in range(100_000):
        deepest = {"a": deepest}

    assert "levels deep" in refused(arguments(anything), {"a": deep}).message
    assert "levels deep" in refused(arguments(anything), deepest).message


def test_a_whole_number_written_with_a_point_is_that_number():
    bound = arguments(numbers).bind({"n": 3.0, "fives": 10.0})

    assert (bound["n"], type(bound["n"]), bound["fives"]) == (3, int, 10)
    assert arguments(number_choices).bind({"level": 2.0})["level"] is Level.HIGH
    assert arguments(nested).bind({"leg": {"nights": 2.0}})["leg"].nights == 2


def test_any_mapping_will_do():
    given_arguments = MappingProxyType({"n": 1})

    assert arguments(numbers).bind(given_arguments)["n"] == 1


def test_values_arrive_as_the_types_that_were_asked_for():
    def moments(
        day: date,
        at: datetime,
        wake: time,
        gap: timedelta,
        who: UUID,
        price: Decimal,
        shade: Shade,
        leg: Leg,
        to: Point,
    ) -> None: ...

    bound = arguments(moments).bind(
        {
            "day": "2026-01-31",
            "at": "2026-01-31T08:00:00Z",
            "wake": "07:30:00",
            "gap": "PT90M",
            "who": "123e4567-e89b-42d3-a456-426614174000",
            "price": "1.50",
            "shade": "dark",
            "leg": {"nights": 1},
            "to": {"x": 1},
        }
    )

    assert bound == {
        "day": date(2026, 1, 31),
        "at": datetime(2026, 1, 31, 8, tzinfo=UTC),
        "wake": time(7, 30),
        "gap": timedelta(minutes=90),
        "who": UUID("123e4567-e89b-42d3-a456-426614174000"),
        "price": Decimal("1.50"),
        "shade": Shade.DARK,
        "leg": Leg(nights=1),
        "to": Point(1),
    }


@pytest.mark.parametrize("name", ["json", "copy", "schema", "model_config", "model_dump", "dict", "fields", "validate"])
def test_an_argument_may_have_any_name(name):
    namespace: dict[str, Any] = {}
    exec(f"def tool({name}: int, other: int = 2) -> None: ...", namespace)
    taken = arguments(namespace["tool"])

    assert list(taken.schema["properties"]) == [name, "other"]
    assert taken.bind({name: 1}) == {name: 1, "other": 2}
    assert fields(refused(taken, {name: "x"})) == [name]


def test_defaults_are_filled_in_and_published():
    taken = arguments(optional)

    assert taken.bind({}) == {"a": None, "b": "x", "c": 1}
    assert {name: one["default"] for name, one in taken.schema["properties"].items()} == {"a": None, "b": "x", "c": 1}


def test_a_default_that_can_change_is_new_at_each_call():
    taken = arguments(nested)
    taken.bind({"leg": {"nights": 1}})["legs"].append("left over")

    assert taken.bind({"leg": {"nights": 1}})["legs"] == []


def test_a_field_may_be_the_default_as_many_write_it():
    def search(text: str = Field(description="What to look for."), limit: int = Field(10, ge=1)) -> None: ...

    taken = arguments(search)

    assert taken.schema["required"] == ["text"]
    assert taken.schema["properties"]["limit"] == {"default": 10, "minimum": 1, "type": "integer"}
    assert taken.bind({"text": "x"}) == {"text": "x", "limit": 10}


def test_the_fields_of_one_model_are_the_arguments():
    taken = arguments(whole)

    assert list(taken.schema["properties"]) == ["legs", "pace", "theCode"]
    assert taken.bind({"legs": [{"nights": 1}], "theCode": "XY"}) == {"trip": Trip(legs=[Leg(nights=1)], theCode="XY")}


def test_so_are_they_when_the_model_is_annotated_or_a_context_stands_beside_it():
    def annotated(ctx: Context, trip: Annotated[Trip, "the trip"], who: Annotated[str, Resolve(str)]) -> None: ...

    assert list(arguments(annotated).schema["properties"]) == ["legs", "pace", "theCode"]


def test_a_model_of_something_else_than_an_object_is_one_argument():
    class Sizes(RootModel[list[int]]): ...

    def sized(sizes: Sizes) -> None: ...

    assert arguments(sized).bind({"sizes": [1]}) == {"sizes": Sizes([1])}


def test_which_names_are_known_is_said_once():
    refusal = refused(arguments(number_choices_and_more), {"n": 3, "word": "ab", "level": 1, "more": 1, "less": 2})

    assert refusal.message == (
        "There is no argument `more`: use only `n`, `word`, `level`, `day`. There is no argument `less`."
    )


def test_one_refusal_names_every_fault():
    refusal = refused(
        arguments(number_choices_and_more), {"n": "3", "word": "abcd", "level": True, "day": "soon", "more": 1}
    )

    assert fields(refusal) == ["n", "word", "day", "more", "level"]
    assert refusal.message == (
        "`n` must be a whole number. `word` must have at most 3 characters."
        " `day` must be a date such as 2026-01-31."
        " There is no argument `more`: use only `n`, `word`, `level`, `day`."
        ' `level` must be one of: 1, 2, "none".'
    )


def number_choices_and_more(
    n: int, word: Annotated[str, Field(max_length=3)], level: Level, day: date = date.min
) -> None: ...


def test_the_packs_own_codes_are_used_by_field_and_keyword_then_field_then_keyword():
    codes = {"a.maxLength": "NAME_TOO_LONG", "a": "NAME_INVALID", "minimum": "TOO_SMALL"}

    def named(a: Annotated[str, Field(max_length=3)], b: Annotated[int, Field(ge=1)] = 1, c: bool = True) -> None: ...

    taken = arguments(named, codes=codes)
    refusal = refused(taken, {"a": "abcd", "b": 0, "c": 1})

    assert [fault["code"] for fault in refusal.details["faults"]] == ["NAME_TOO_LONG", "TOO_SMALL", "INVALID_ARGUMENTS"]
    assert refusal.code == "NAME_TOO_LONG"
    assert refused(taken, {"a": 5}).code == "NAME_INVALID"


def test_a_packs_own_check_may_refuse_what_the_schema_accepts():
    class Booking(BaseModel):
        first: int
        last: int

        @field_validator("last")
        @classmethod
        def _in_order(cls, last: int, info: Any) -> int:
            if last < info.data.get("first", 0):
                raise ValueError("must not come before `first`")
            return last

    def book(booking: Booking) -> None: ...

    assert refused(arguments(book), {"first": 2, "last": 1}).message == "`last` must not come before `first`."


def test_a_packs_own_refusal_passes_as_it_is():
    class Strict(BaseModel):
        name: str

        @field_validator("name")
        @classmethod
        def _known(cls, name: str) -> str:
            raise UserError("Nobody of that name.", code="UNKNOWN_PERSON")

    def find(strict: Strict) -> None: ...

    assert refused(arguments(find), {"name": "x"}).code == "UNKNOWN_PERSON"


def test_long_input_is_not_repeated_and_pydantic_is_not_heard():
    canary = "CANARY" * 1000

    refusal = refused(
        arguments(tagged),
        {"pet": {"kind": canary, canary: 1}, "other": {"kind": "cat", "lives": canary}, canary: canary},
    )
    everything = refusal.message + str(refusal.details)

    assert "CANARY" * 6 not in everything
    for word in ("pydantic", "http", "Input should", "validation error", "type="):
        assert word not in everything


# --- a schema of the pack's own ---

OWN = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "title": "Kept as it is",
    "$defs": {"size": {"$anchor": "size", "type": "integer", "minimum": 1}},
    "properties": {
        "a": {"$ref": "#size"},
        "b": {"type": "string", "pattern": "^[A-Z]{2}$"},
        "kind": {"enum": ["p", "q"]},
    },
    "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    "if": {"properties": {"kind": {"const": "p"}}, "required": ["kind"]},
    "then": {"required": ["b"]},
    "additionalProperties": False,
}


def takes_anything(**given_arguments: Any) -> None: ...
def takes_a_mapping(given_arguments: dict[str, Any]) -> None: ...
def takes_names(a: int | None = None, b: str = "", kind: str = "q") -> None: ...


own_takers = pytest.mark.parametrize("fn", [takes_anything, takes_a_mapping, takes_names], ids=lambda fn: fn.__name__)


@own_takers
def test_a_schema_of_the_packs_own_is_published_to_the_letter(fn):
    assert arguments(fn, override=OWN).schema == OWN


@own_takers
@pytest.mark.parametrize(
    ("given_arguments", "said"),
    [
        pytest.param({}, "Give at least one of: `a`, `b`.", id="none of two"),
        pytest.param({"a": 0}, "`a` must be at least 1.", id="through an anchor"),
        pytest.param({"a": "1"}, "`a` must be a whole number.", id="another type"),
        pytest.param({"a": 1, "kind": "p"}, "`b` is required.", id="if and then"),
        pytest.param({"b": "AB\n"}, "`b` must match the pattern `^[A-Z]{2}$`", id="a line break at the end"),
        pytest.param({"b": "AB", "kind": "r"}, '`kind` must be one of: "p", "q".', id="enum"),
        pytest.param({"a": 1, "z": 1}, "There is no argument `z`: use only `a`, `b`, `kind`.", id="unknown name"),
        pytest.param({"a": math.nan}, "The arguments are not valid JSON: send plain Unicode text", id="not a number"),
    ],
)
def test_it_is_checked_whole_however_the_function_takes_it(fn, given_arguments, said):
    assert refused(arguments(fn, override=OWN), given_arguments).message.startswith(said)


@pytest.mark.parametrize(
    ("fn", "bound"),
    [
        pytest.param(takes_anything, {"a": 2, "kind": "q"}, id="as keywords"),
        pytest.param(takes_a_mapping, {"given_arguments": {"a": 2, "kind": "q"}}, id="as one mapping"),
        pytest.param(takes_names, {"a": 2, "b": "", "kind": "q"}, id="by name, with the function's defaults"),
    ],
)
def test_the_function_gets_them_as_it_asks(fn, bound):
    assert arguments(fn, override=OWN).bind({"a": 2, "kind": "q"}) == bound


def test_what_the_function_gets_is_not_what_the_caller_holds():
    given_arguments = {"a": [1]}
    taken = arguments(takes_a_mapping, override={"type": "object"})
    taken.bind(given_arguments)["given_arguments"]["a"].append(2)

    assert given_arguments == {"a": [1]}


def test_the_functions_types_are_checked_beside_the_packs_own_schema():
    schema = {"type": "object", "properties": {"day": {"type": "string"}, "size": {"maximum": 3}}}

    def dated(day: date, size: int = 0) -> None: ...

    refusal = refused(arguments(dated, override=schema), {"day": "soon", "size": 4})

    assert fields(refusal) == ["size", "day"]


@pytest.mark.parametrize(
    ("fn", "schema", "said"),
    [
        pytest.param(takes_anything, {"type": "objekt"}, "not a valid JSON Schema 2020-12", id="no schema at all"),
        pytest.param(takes_anything, {"$ref": "#/nowhere"}, "leads nowhere", id="a reference to nothing"),
        pytest.param(takes_anything, {"pattern": "("}, "cannot be read", id="a pattern nobody can read"),
        pytest.param(takes_names, {"properties": {"c": {}}}, "'c', which its function does not take", id="too much"),
        pytest.param(words, {"properties": {}}, "its function needs 'a'", id="too little"),
        pytest.param(whole, {"properties": {"code": {}}}, "'code', which its function does not take", id="no alias"),
    ],
)
def test_a_schema_that_cannot_serve_its_function_is_refused_at_the_start(fn, schema, said):
    with pytest.raises(PackError, match=f"tool '{fn.__name__}'.*{said}"):
        arguments(fn, override=schema)


def test_a_type_without_a_schema_is_refused_at_the_start():
    class Odd: ...

    def odd(thing: Odd) -> None: ...

    with pytest.raises(PackError, match="tool 'odd'"):
        arguments(odd)


# --- what guards see ---


def test_what_is_judged_is_what_will_run():
    taken = arguments(number_choices_and_more)
    bound = taken.bind({"n": 3.0, "word": "abc", "level": 2, "day": "2026-01-31"})

    assert taken.seen(bound) == {"n": 3, "word": "abc", "level": 2, "day": "2026-01-31"}
    assert taken.seen(taken.bind({"n": 1, "word": "", "level": "none"}))["day"] == "0001-01-01"


def test_of_a_model_the_published_names_are_judged():
    taken = arguments(whole)

    assert taken.seen(taken.bind({"legs": [{"nights": 1}]})) == {
        "legs": [{"nights": 1, "place": None}],
        "pace": "slow",
        "theCode": "AB",
    }


def test_text_is_judged_as_it_was_trimmed():
    taken = arguments(trimmed)

    assert taken.seen(taken.bind({"word": " a "})) == {"word": "a"}


@own_takers
def test_of_a_schema_of_the_packs_own_the_same_is_judged(fn):
    taken = arguments(fn, override=OWN)

    assert taken.seen(taken.bind({"a": 2, "b": "AB", "kind": "q"})) == {"a": 2, "b": "AB", "kind": "q"}
