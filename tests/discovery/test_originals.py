"""The original schema files, unchanged: they load, lint, give a plan, and run to completeness."""

from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from packhorse_discovery.domain.interview.completeness import standing
from packhorse_discovery.domain.interview.merging import merge
from packhorse_discovery.domain.interview.questions import next_question, plan
from packhorse_discovery.domain.interview.structure import Mark, Structure, rendered
from packhorse_discovery.domain.interview.validation import faults
from packhorse_discovery.domain.reading.plain import read
from packhorse_discovery.domain.schema import loading
from packhorse_discovery.domain.schema.annotations import strip
from packhorse_discovery.domain.schema.eads import Eads, Field
from packhorse_discovery.domain.schema.linting import lint


def test_it_loads_and_lints(original: Any) -> None:
    eads = original.eads

    assert [one.words for one in lint(eads) if one.severity == "error"] == []
    assert eads.id.partition("/")[0] in {"process", "data", "resources", "optimality"}


def test_its_plan_is_within_its_budget(original: Any) -> None:
    eads = original.eads

    assert 1 <= len(plan(eads)) <= eads.budget.questions


def test_a_pursuit_from_start_to_end_is_complete_and_valid(original: Any, expert: Callable[..., Any]) -> None:
    eads = original.eads
    person, structure, asked = expert(eads), Structure(), []
    while (question := next_question(eads, structure, asked=asked)) is not None:
        reading = read(question, person.answer(question), eads, structure)
        structure, _ = merge(structure, reading.proposals, eads, mark=Mark(question_id=f"q1-{len(asked) + 1}"))
        asked.append(question.signature)
        assert len(asked) <= eads.budget.questions

    assert standing(eads, structure).completeness == 1.0
    assert list(faults(eads, structure)) == []
    Draft202012Validator(schema_of(eads)).validate(rendered(structure, eads))


def test_stripping_keeps_every_value_and_twice_is_once(original: Any) -> None:
    bare = strip(original.document)

    assert strip(bare) == bare
    Draft202012Validator(_loose(schema_of(original.eads))).validate(dict(original.eads.example))


def test_the_document_itself_is_kept_as_it_was(original: Any) -> None:
    assert original.eads.document == original.document


def _loose(schema: dict) -> dict:
    """The originals write "none" for an absent list or object, and mark a finished example as exhausted."""
    schema["properties"]["exhausted?"] = {}

    def loosened(node: dict) -> dict:
        inner = {**node, "properties": {k: loosened(v) for k, v in node.get("properties", {}).items()}}
        if "items" in node:
            inner["items"] = loosened(node["items"])
        return (
            {"anyOf": [{"const": "none"}, {"type": "string"}, inner]}
            if node.get("type") in {"object", "array"}
            else node
        )

    return loosened(schema)


@pytest.mark.parametrize(
    ("written", "today"),
    [("flow-shop", "process/flow-shop"), ("process/job-shop--unique-order", "process/job-shop--unique")],
)
def test_ids_of_every_generation_lead_to_the_one_of_today(written: str, today: str) -> None:
    assert loading.migrated_id(written) == today


def test_a_property_called_val_beside_others_is_no_annotation() -> None:
    assert strip({"val": 1, "currency": "EUR"}) == {"val": 1, "currency": "EUR"}
    assert strip({"val": 1, "comment": "a price"}) == 1


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "object"),
        ({}, "EADS"),
        ({"EADS": {"a": 1}}, "id"),
        ({"EADS": {"EADS-id": "process/x"}}, "example object is empty"),
        ({"format": "packhorse-eads/9", "EADS": {"EADS-id": "process/x", "a": 1}}, "packhorse-eads/1"),
        ({"budget-decrement": 0, "EADS": {"EADS-id": "process/x", "a": 1}}, "above 0"),
    ],
    ids=["list", "empty", "no-id", "no-values", "later-format", "free-questions"],
)
def test_what_is_no_schema_is_refused_with_the_reason(document: object, words: str) -> None:
    with pytest.raises(loading.UnreadableError, match=words):
        loading.load(document)


def schema_of(eads: Eads) -> dict[str, Any]:
    """A JSON Schema of the structure of a schema; every property may be left out."""
    root: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    for field in eads.fields:
        node = root
        for part in field.path[:-1]:
            made = {"type": "object", "properties": {}, "additionalProperties": False}
            node = node["items"] if part == "*" else node["properties"].setdefault(part, made)
        node["properties"][field.name] = _schema(field, eads.needed_keys(field.path))
    return root


def _schema(field: Field, needed: tuple[str, ...]) -> dict[str, Any]:
    choices = [one.value for one in field.choices]
    shapes: dict[str, dict[str, Any]] = {
        "yesno": {"type": "boolean"},
        "number": {"type": "number"},
        "text": {"type": "string"},
        "quantity": {
            "type": "object",
            "properties": {"value-string": {"type": "string"}, "units": {"type": "string"}},
            "required": ["value-string"],
        },
        "list": {"type": "array"},
        "choice": {"enum": choices},
        "choices": {"type": "array", "items": {"enum": choices}},
        "table": {
            "type": "array",
            "items": {"type": "object", "properties": {}, "required": list(needed)},
        },
        "any": {},
    }
    return shapes[field.kind]
