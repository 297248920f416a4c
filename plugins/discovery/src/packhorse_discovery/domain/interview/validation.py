"""Whether values are of the kind their schema wants: for what an assistant hands in, and at the end of a pursuit."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.interview.completeness import standing
from packhorse_discovery.domain.interview.structure import Structure
from packhorse_discovery.domain.schema.eads import Eads, Field, path_from, written


@frozen
class Fault:
    """A value that does not fit, where, and what would."""

    path: str
    words: str


def fits(field: Field, value: Any) -> str:
    """What is wrong with ``value`` for ``field``; empty where nothing is."""
    wanted: Mapping[str, tuple[bool, str]] = {
        "yesno": (isinstance(value, bool), "true or false"),
        "number": (isinstance(value, int | float) and not isinstance(value, bool), "a number"),
        "text": (isinstance(value, str) and bool(value.strip()), "text"),
        "quantity": (
            isinstance(value, Mapping) and isinstance(value.get("value-string"), str),
            'an object {"value-string": "45-60", "units": "minutes"}',
        ),
        "list": (
            isinstance(value, list) and all(isinstance(one, str | Mapping | int | float) for one in value),
            "a list",
        ),
        "choice": (
            value in [one.value for one in field.choices],
            f"one of {', '.join(one.value for one in field.choices)}",
        ),
        "choices": (
            isinstance(value, list) and all(one in [choice.value for choice in field.choices] for one in value),
            f"a list out of {', '.join(one.value for one in field.choices)}",
        ),
        "table": (isinstance(value, Mapping), "a list of objects"),
    }
    good, words = wanted.get(field.kind, (True, ""))
    return "" if good else f"must be {words}"


def faults(eads: Eads, structure: Structure) -> Iterator[Fault]:
    """Every value that does not fit its field."""
    for field in eads.leaves:
        for row in structure.rows(field.table) if field.table else [()]:
            path = (*row, *field.path[len(row) :])
            value = structure.get(path)
            if value is not None and (wrong := fits(field, value)):
                yield Fault(written(path), wrong)


def missing(eads: Eads, structure: Structure) -> tuple[str, ...]:
    """Paths of the required values that nobody has answered."""
    return tuple(slot.path for slot in standing(eads, structure).slots if slot.worth < 1.0)


def schema_of(eads: Eads, only: tuple[str, ...] = ()) -> dict[str, Any]:
    """A JSON Schema of the structure of ``eads``; of the fields at the template paths ``only``, where given.

    With a column of a list come its others. This is what a refinement must
    satisfy; every property may be left out.
    """
    root: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    wanted = {path_from(one) for one in only}
    asked = {field.table for field in eads.fields if field.path in wanted}
    for field in eads.fields:
        inside = any(one[: len(field.path)] == field.path for one in wanted)
        inside = inside or (bool(field.table) and any(one[: len(field.table)] == field.table for one in asked))
        inside = inside or field.path[0] == "rules"
        if wanted and not inside:
            continue
        node = root
        for part in field.path[:-1]:
            if part == "*":
                node = node["items"]
            else:
                node = node["properties"].setdefault(
                    part, {"type": "object", "properties": {}, "additionalProperties": False}
                )
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
