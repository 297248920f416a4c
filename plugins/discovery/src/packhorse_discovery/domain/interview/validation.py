"""Whether values are of the kind their schema wants: for what an assistant hands in, and at the end of a pursuit."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.interview.completeness import standing
from packhorse_discovery.domain.interview.structure import Structure
from packhorse_discovery.domain.schema.eads import Eads, Field, written


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
            f"a list of words from {', '.join(one.value for one in field.choices)}",
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
