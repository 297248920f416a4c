"""A tool's answer: the schema that is published, and nothing sent that breaks it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, computed_field

from packhorse import Audio, Embedded, Image, InputRequired, Link, PackError, Reply, Text
from packhorse.schema.answers import Answers


class Score(BaseModel):
    """How well it went."""

    points: int = Field(ge=0)
    by: str = Field("", alias="scoredBy")


class Other(BaseModel):
    size: int = 0


class Defaults(BaseModel):
    size: int = 0


class Counted(BaseModel):
    sizes: list[int]

    @computed_field
    @property
    def total(self) -> int:
        return sum(self.sizes)


class ClosedCounted(Counted):
    model_config = ConfigDict(extra="forbid")


class Renamed(BaseModel):
    size: int = Field(serialization_alias="sizeInCm")


class Marked(BaseModel):
    mark: Literal[1, 2]


class Forbidding(BaseModel):
    model_config = ConfigDict(extra="forbid")

    size: int = 0


@dataclass
class Point:
    x: int


SCORE = {"points": 1, "scoredBy": ""}


def answers(annotation: Any, **options: Any) -> Answers:
    return Answers("tool", annotation, **options)


def spoilt(**changes: Any) -> Score:
    score = Score(points=1)
    for name, value in changes.items():
        setattr(score, name, value)
    return score


@pytest.mark.parametrize(
    ("annotation", "value", "structured", "text"),
    [
        pytest.param(Score, Score(points=1), {"points": 1, "scoredBy": ""}, '{"points":1,"scoredBy":""}', id="model"),
        pytest.param(Score, {"points": 1}, {"points": 1, "scoredBy": ""}, '{"points":1,"scoredBy":""}', id="its dict"),
        pytest.param(Counted, Counted(sizes=[1, 2]), {"sizes": [1, 2], "total": 3}, None, id="with a computed field"),
        pytest.param(ClosedCounted, ClosedCounted(sizes=[1]), {"sizes": [1], "total": 1}, None, id="and closed"),
        pytest.param(Renamed, Renamed(size=1), {"sizeInCm": 1}, None, id="with another name on the way out"),
        pytest.param(Forbidding, Forbidding(), {"size": 0}, None, id="a closed model"),
        pytest.param(Point, Point(1), {"x": 1}, '{"x":1}', id="dataclass"),
        pytest.param(dict[str, int], {"a": 1}, {"a": 1}, '{"a":1}', id="mapping"),
        pytest.param(Mapping[str, int], {"a": 1}, {"a": 1}, '{"a":1}', id="any mapping"),
        pytest.param(int, 5, {"result": 5}, "5", id="number"),
        pytest.param(str, "Zoë", {"result": "Zoë"}, "Zoë", id="text is its own text"),
        pytest.param(bool, True, {"result": True}, "true", id="true"),
        pytest.param(type(None), None, {"result": None}, "null", id="nothing"),
        pytest.param(date, date(2026, 1, 31), {"result": "2026-01-31"}, '"2026-01-31"', id="date"),
        pytest.param(Decimal, Decimal("1.50"), {"result": "1.50"}, '"1.50"', id="decimal"),
        pytest.param(list[Score], [Score(points=1)], {"result": [SCORE]}, None, id="list"),
        pytest.param(list[int], [], {"result": []}, "[]", id="empty list"),
        pytest.param(tuple[int, str], (1, "a"), {"result": [1, "a"]}, '[1,"a"]', id="tuple"),
        pytest.param(set[int], {1}, {"result": [1]}, "[1]", id="set"),
        pytest.param(Score | None, None, {"result": None}, "null", id="model or nothing"),
        pytest.param(Score | None, Score(points=1), {"result": SCORE}, None, id="or the model"),
        pytest.param(Annotated[int, "note"], 5, {"result": 5}, "5", id="annotated"),
    ],
)
def test_an_object_answers_as_itself_and_anything_else_as_a_result(annotation, value, structured, text):
    shaping = answers(annotation)
    reply = shaping.shape(value)

    assert reply.structured == structured
    Draft202012Validator.check_schema(shaping.schema)
    Draft202012Validator(shaping.schema).validate(structured)
    assert shaping.schema["type"] == "object"
    if text is not None:
        assert reply.content == (Text(text),)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        pytest.param(Score, spoilt(points=-1), id="a model changed to break a limit"),
        pytest.param(Score, spoilt(points="x"), id="a model changed to another type"),
        pytest.param(Score, Score.model_construct(), id="a model made without its checks"),
        pytest.param(list[Score], [Score(points=1), spoilt(points=-1)], id="such a model in a list"),
        pytest.param(Score | None, spoilt(points=-1), id="such a model or nothing"),
        pytest.param(Counted, Counted(sizes=[]).model_copy(update={"sizes": 5}), id="with a computed field"),
        pytest.param(Marked, Marked(mark=1).model_copy(update={"mark": True}), id="true for a literal 1"),
        pytest.param(Score, Other(), id="another model"),
        pytest.param(Defaults, Other(), id="another model with the same fields"),
        pytest.param(Score, None, id="nothing"),
        pytest.param(int, "many", id="text for a number"),
        pytest.param(Literal["a"], "b", id="no choice of it"),
        pytest.param(float, math.nan, id="not a number"),
        pytest.param(list[float], [math.inf], id="infinity within"),
        pytest.param(dict[str, Any], {"a": object()}, id="no JSON"),
    ],
)
def test_a_value_that_breaks_its_promise_is_an_error(annotation, value):
    with pytest.raises(Exception):  # noqa: B017, PT011 - of any kind: the dispatcher masks them all
        answers(annotation).shape(value)


def test_a_reply_gives_words_first_and_the_json_after_them():
    shaping = answers(Reply[Score])
    reply = shaping.shape(Reply(Score(points=1), [Text("One point."), Link("a://b", "b")], {"k": 1}))

    assert shaping.schema["properties"]["points"] == {"minimum": 0, "type": "integer"}
    assert reply.structured == SCORE
    assert list(reply.content) == [Text("One point."), Link("a://b", "b"), Text('{"points":1,"scoredBy":""}')]
    assert reply.meta == {"k": 1}


def test_a_reply_that_ends_in_a_resource_carries_its_json_there():
    content = [Text("One point."), Embedded("score://1", '{"points": 1}', "application/json")]

    assert list(answers(Reply[Score]).shape(Reply(Score(points=1), content)).content) == content


def test_a_reply_in_words_carries_its_json_nowhere_else():
    reply = answers(Reply[Score]).shape(Reply(Score(points=1), [Text("One point.")], in_words=True))

    assert reply.structured == SCORE
    assert list(reply.content) == [Text("One point.")]


@pytest.mark.parametrize(
    "structured", [pytest.param(spoilt(points=-1), id="broken"), pytest.param(Other(), id="another model")]
)
def test_a_replys_data_is_checked_like_any_other(structured):
    with pytest.raises(Exception):  # noqa: B017, PT011
        answers(Reply[Score]).shape(Reply(structured, [Text("One point.")]))


def test_a_tool_that_promises_a_reply_may_give_the_model_alone():
    assert answers(Reply[Score]).shape(Score(points=1)).structured == SCORE


@pytest.mark.parametrize(
    "annotation",
    [
        pytest.param(Reply[Score] | InputRequired, id="reply or questions"),
        pytest.param(Score | InputRequired, id="model or questions"),
        pytest.param(Annotated[Reply[Score], "note"], id="annotated"),
        pytest.param(Score | Text, id="model or text"),
    ],
)
def test_the_schema_is_that_of_the_part_that_is_data(annotation):
    assert answers(annotation).schema == answers(Score).schema


@pytest.mark.parametrize(
    ("annotation", "value", "content"),
    [
        pytest.param(Text, Text("a"), [Text("a")], id="text"),
        pytest.param(Image, Image(b"a"), [Image(b"a")], id="image"),
        pytest.param(Audio | Text, Audio(b"a"), [Audio(b"a")], id="one of two"),
        pytest.param(list[Text], [Text("a"), Text("b")], [Text("a"), Text("b")], id="list"),
        pytest.param(list[Text | Image], [Text("a"), Image(b"b")], [Text("a"), Image(b"b")], id="list of two kinds"),
        pytest.param(Sequence[Link], (Link("a://b", "b"),), [Link("a://b", "b")], id="sequence"),
        pytest.param(tuple[Text, ...], (Text("a"),), [Text("a")], id="tuple"),
        pytest.param(InputRequired, Text("a"), [Text("a")], id="questions"),
        pytest.param(Reply, Reply(None, [Text("a")]), [Text("a")], id="a reply of content alone"),
        pytest.param(Any, {"a": 1}, [Text('{"a":1}')], id="anything"),
        pytest.param(Any, None, [Text("")], id="anything, and there is nothing"),
        pytest.param(Any, {"a": date(2026, 1, 31)}, [Text('{"a":"2026-01-31"}')], id="anything with a date"),
    ],
)
def test_content_has_no_schema(annotation, value, content):
    shaping = answers(annotation)
    reply = shaping.shape(value)

    assert shaping.schema is None
    assert (reply.structured, list(reply.content)) == (None, content)


# --- a schema of the pack's own ---

OWN = {
    "type": "object",
    "title": "Kept",
    "properties": {"points": {"type": "integer", "maximum": 9}, "at": {"type": "string"}},
    "required": ["points"],
}


def test_a_schema_of_the_packs_own_is_published_to_the_letter():
    assert answers(dict, override=OWN).schema == OWN


@pytest.mark.parametrize(
    ("value", "structured"),
    [
        pytest.param({"points": 1, "at": datetime(2026, 1, 31)}, {"points": 1, "at": "2026-01-31T00:00:00"}, id="dict"),  # noqa: DTZ001
        pytest.param(Score(points=1), SCORE, id="model, by its published names"),
        pytest.param(Reply({"points": 1}), {"points": 1}, id="reply"),
    ],
)
def test_whatever_fits_it_is_sent(value, structured):
    assert answers(dict, override=OWN).shape(value).structured == structured


@pytest.mark.parametrize("value", [{}, {"points": 10}, {"points": "1"}, {"points": 1, "x": math.nan}, 5, None])
def test_what_does_not_fit_it_is_an_error(value):
    with pytest.raises(Exception):  # noqa: B017, PT011
        answers(dict, override=OWN).shape(value)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        pytest.param({"type": "array"}, "must have type object", id="a list"),
        pytest.param({"properties": {}}, "must have type object", id="anything"),
        pytest.param({"type": "object", "properties": []}, "not a valid JSON Schema 2020-12", id="no schema"),
        pytest.param({"type": "object", "$ref": "#/nowhere"}, "leads nowhere", id="a reference to nothing"),
    ],
)
def test_a_schema_that_cannot_be_kept_is_refused_at_the_start(schema, said):
    with pytest.raises(PackError, match=f"tool 'tool'.*{said}"):
        answers(dict, override=schema)


def test_a_type_without_a_schema_is_refused_at_the_start():
    class Odd: ...

    with pytest.raises(PackError, match="tool 'tool': its return type has no JSON Schema"):
        answers(Odd)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        pytest.param(str, "Jove", id="text"),
        pytest.param(str, "", id="no text"),
        pytest.param(str, "grüß", id="text beyond ASCII"),
        pytest.param(int, 5, id="a number"),
        pytest.param(int, -(2**53) + 1, id="the least exact number"),
        pytest.param(int, 2**64, id="a number beyond the exact ones"),
    ],
)
def test_text_and_whole_numbers_are_wrapped_as_they_are(annotation, value):
    reply = Answers("t", annotation).shape(value)

    assert reply.structured == {"result": value}
    assert reply.content == (Text(str(value)),)


def test_text_with_half_a_character_is_not_sent():
    with pytest.raises(ValueError, match="surrogates"):
        Answers("t", str).shape("half \ud83d")


@pytest.mark.parametrize("value", [True, "5"])
def test_what_stands_for_a_number_is_sent_as_one(value):
    structured = Answers("t", int).shape(value).structured

    assert structured == {"result": int(value)}
    assert type(structured["result"]) is int


class Computed(BaseModel):
    size: int = 0

    @computed_field
    @property
    def made(self) -> Callable[[], int]:
        return int


class Called(BaseModel):
    fn: Callable[[], int]


@pytest.mark.parametrize("annotation", [Computed, Called, list[Called]])
def test_a_field_without_a_schema_is_refused_at_the_start(annotation):
    with pytest.raises(PackError, match="tool 'tool': its return type has no JSON Schema"):
        answers(annotation)
