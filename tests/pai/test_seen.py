"""What a run learns of ids from typed fields of answers: marked ones, and those that their names tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_pai.domain.seen import Kinds, Record, Seen, records_in

TEXT = {"type": "string"}
WATCH = {"title": "Watch", "properties": {"watch_id": TEXT, "person_id": TEXT, "title": TEXT, "person_name": TEXT}}
LISTED = {"properties": {"watches": {"type": "array", "items": WATCH}, "rule_ids": {"type": "array", "items": TEXT}}}


def test_an_id_is_known_by_its_fields_name_and_called_what_stands_for_it_alone():
    answer = {"watch_id": "w1", "person_id": "p1", "title": "Call Ann", "person_name": "Ann Hu"}
    found = {one.kind: one for one in records_in(answer, WATCH, WATCH)}
    assert found["watch"].names == ("Call Ann",)
    assert found["person"].names == ("Ann Hu",), "a title that somebody wrote names no person"


def test_ids_inside_lists_and_lists_of_ids_are_seen():
    seen = Seen()
    seen.feed({"watches": [{"watch_id": "w1"}, {"watch_id": 7}], "rule_ids": ["r1"]}, LISTED)
    assert set(seen.records) == {("watch", "w1"), ("watch", "7"), ("rule", "r1")}
    assert seen.made == set()
    assert Kinds.of([(LISTED, True, ())]) == Kinds({"watch", "person", "rule"}, {"watch", "person"}, set())


@pytest.mark.parametrize(
    ("answer", "schema", "given", "made"),
    [
        ({"watch_id": "w1"}, WATCH, {}, {("watch", "w1")}),
        ({"watch_id": "w1", "person_id": "p1"}, WATCH, {"person_id": "p1"}, {("watch", "w1")}),
        ({"watch_id": "w1"}, WATCH, {"watch": {"ids": ["w1"]}}, set()),
        ({"watch_id": "1"}, WATCH, {"days": 10, "from": "2026-01-11"}, {("watch", "1")}),
        ({"watches": [{"watch_id": "w1"}]}, LISTED, {}, set()),
        ({"watch_id": "watch-1"}, WATCH, {"watch_id": "w1"}, set()),
        ({"watch_id": "w1"}, WATCH, {"watch_id": None}, {("watch", "w1")}),
    ],
    ids=[
        "new",
        "beside one that was given",
        "given",
        "part of what was given",
        "one of a list",
        "given in other words",
        "not given",
    ],
)
def test_a_call_made_the_ids_at_the_top_of_its_answer_that_it_was_not_given(answer, schema, given, made):
    seen = Seen()
    seen.feed(answer, schema, made=True, given=given)
    assert seen.made == made


def test_the_kinds_that_a_call_may_make_are_those_at_the_top_of_its_answer():
    assert Kinds.of([(WATCH, False, ())]).made == {"watch", "person"}
    assert Kinds.of([(WATCH, False, ["person_id"])]).made == {"watch"}, "whom the call is about is not made by it"
    assert Kinds.of([(WATCH, True, ())]).made == set()
    assert Kinds.of([(LISTED, False, ())]).made == {"rule"}


def test_a_marked_id_is_called_by_the_name_beside_it_without_marks_around_that():
    marked = {"properties": {"record_id": {**TEXT, "x-packhorse-id": "record"}, "name": TEXT}}
    (record,) = records_in({"record_id": "s1", "name": "«ANN HU»"}, marked, marked)
    assert record.names == ("ANN HU",), "marks around a text of somebody else are none of it"


def test_a_marked_id_counts_as_made_wherever_it_stands():
    schema = {"properties": {"rows": {"type": "array", "items": {"title": "Row", "properties": {"id": TEXT}}}}}
    seen = Seen()
    seen.feed({"rows": [{"id": "x", "n": 1}]}, schema, made=True)
    assert seen.made == {("row", "x")}
    assert list(records_in({"rows": [{"id": "x"}]}, schema, schema)) == [Record("row", "x", inside=True)]


def test_ids_in_something_that_may_be_null_and_an_id_of_nothing_that_is_named_are_seen():
    entry = {"properties": {"id": TEXT, "name": TEXT}}
    root = {
        "$defs": {"Watch": WATCH},
        "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Watch"}, {"type": "null"}]}, "entry": entry, "id": TEXT},
    }
    seen = Seen()
    answer = {"next": {"watch_id": "w1", "title": "Call Ann"}, "entry": {"id": "warm-up", "name": "Ann Hu"}, "id": "n1"}
    seen.feed(answer, root, made=True)
    assert seen.records == {("watch", "w1"): {"call ann"}, ("", "warm-up"): set(), ("", "n1"): set()}
    assert seen.made == {("", "n1")}
    assert Kinds.of([(root, False, ())]) == Kinds({"watch", "person", ""}, {"watch", "person"}, {""})


FIELDS = ["id", "item_id", "item_ids", "loan_id", "first_item_id", "name", "title", "item_name", "loan_name", "note"]
MARKS = st.sampled_from([{}, {"x-packhorse-id": "loan"}, {"x-packhorse-name": True}])
LEAVES = MARKS.map(lambda marks: {"type": "string", **marks})
ANSWERS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda fields, title: {"type": "object", "properties": fields, **title},
        st.dictionaries(
            st.sampled_from(FIELDS),
            inner
            | inner.map(lambda one: {"type": "array", "items": one})
            | inner.map(lambda one: {"anyOf": [one, {"type": "null"}]}),
            min_size=3,
        ),
        st.sampled_from([{}, {"title": "ShelfItem"}, {"title": "Loan"}]),
    ),
    max_leaves=8,
).filter(lambda schema: "properties" in schema)


def answer_of(draw, schema):
    if "anyOf" in schema:
        return answer_of(draw, schema["anyOf"][0]) if draw(st.booleans()) else None
    if schema["type"] == "array":
        return [answer_of(draw, schema["items"]) for _ in range(draw(st.integers(0, 2)))]
    if schema["type"] == "string":
        return draw(st.sampled_from(["a", "b", "c"]))
    there = [key for key in schema["properties"] if draw(st.integers(0, 9))]
    return {key: answer_of(draw, schema["properties"][key]) for key in there}


@given(st.data(), ANSWERS, st.sets(st.sampled_from(FIELDS)), st.booleans())
def test_no_answer_shows_names_or_makes_a_kind_that_its_schema_does_not_tell(data, schema, required, made):
    known = Kinds.of([(schema, not made, required)])
    given_too = data.draw(st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(["a", "b", None])))
    given = {**given_too, **{name: data.draw(st.sampled_from(["a", "z"])) for name in required}}
    seen = Seen()
    seen.feed(answer_of(data.draw, schema), schema, made=made, given=given)
    assert {kind for kind, _ in seen.records} <= known.seen
    assert {kind for (kind, _), names in seen.records.items() if names} <= known.named
    assert {kind for kind, _ in seen.made} <= known.made
