"""Several schemas read as one, so that a single answer may fill all that it speaks of."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve

from packhorse_discovery.domain.interview.structure import Structure
from packhorse_discovery.domain.schema.eads import Eads, path_from

NOTES = frozenset({"quote", "derived", "EADS-id", "DS-id", "exhausted?"})
"""What may stand at the top of a refinement beside its fields."""


def tops(eads: Eads) -> frozenset[str]:
    """The names at the top of a schema."""
    return frozenset(one.path[0] for one in eads.fields)


def owners(refinement: Mapping[str, Any], own: Eads, others: Iterable[Eads]) -> list[tuple[Eads, frozenset[str]]]:
    """The other schemas that a refinement fills, each with its names: of two that have a name the first."""
    left = {name for name in refinement if name not in NOTES} - tops(own)
    found: list[tuple[Eads, frozenset[str]]] = []
    for eads in others:
        mine = left & tops(eads)
        if mine and eads.id != own.id:
            found.append((eads, frozenset(mine)))
            left -= mine
    return found


def joined(own: Eads, others: Sequence[tuple[Eads, frozenset[str]]]) -> Eads:
    """One schema with the fields of ``own``, and of the others those under the names given."""
    more = [field for eads, names in others for field in eads.fields if field.path[0] in names]
    return evolve(own, fields=(*own.fields, *more))


def beside(own: Structure, others: Sequence[tuple[Structure, frozenset[str]]]) -> Structure:
    """One structure with what ``own`` holds, and of the others what stands under the names given."""
    values, marks = dict(own.values), dict(own.marks)
    for structure, names in others:
        values |= {name: value for name, value in structure.values.items() if name in names}
        marks |= {path: mark for path, mark in structure.marks.items() if top(path) in names}
    return Structure(values, marks)


def top(path: str) -> str:
    """The first name of a path."""
    return next(iter(path_from(path)), "")


def of(paths: Iterable[Any], names: Collection[str]) -> list[Any]:
    """Those of things with a path that stand under one of ``names``."""
    return [one for one in paths if top(one.path) in names]
