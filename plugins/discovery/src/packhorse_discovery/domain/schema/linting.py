"""What is wrong with a schema, before anybody is asked its questions."""

from collections.abc import Iterable, Iterator
from typing import Literal

from attrs import frozen

from packhorse_discovery.domain.case.units import unit_of
from packhorse_discovery.domain.schema.eads import ANY_DATE, DOMAINS, Eads, Field, written

_KINDS = frozenset({"text", "yesno", "number", "quantity", "choice", "list", "choices", "table", "any"})
_MODES = frozenset({"ask", "infer", "optional", "never"})


@frozen
class Problem:
    """One fault: an error keeps the schema out of the library, a warning does not."""

    severity: Literal["error", "warning"]
    path: str
    words: str


def lint(eads: Eads, known: Iterable[str] = ()) -> tuple[Problem, ...]:
    """Every problem of ``eads``; ``known`` are the other ids, which requirements must name, if any are given."""
    return tuple(_problems(eads, set(known)))


def _problems(eads: Eads, known: set[str]) -> Iterator[Problem]:
    if eads.id.partition("/")[0] not in DOMAINS:
        yield Problem("warning", "", f"The id {eads.id!r} does not begin with one of {', '.join(DOMAINS)} and a slash.")
    if not all(part.isdigit() for part in eads.version.split(".")):
        yield Problem("error", "", f"The version {eads.version[:40]!r} is not like 1.0.0.")
    if not eads.objective:
        yield Problem("warning", "", "It has no interview-objective: say what is to be found out.")
    for field in eads.fields:
        yield from _of_field(field, eads)
    if not any(one.required and one.mode in {"ask", "infer"} for one in eads.leaves):
        yield Problem("warning", "", "Nothing in it is required: it is complete before it begins.")
    for need in (*eads.requires, *eads.excludes):
        if need.eads == eads.id:
            yield Problem("error", "", "It requires or excludes itself.")
        elif known and need.eads not in known:
            yield Problem("warning", "", f"It requires {need.eads}, which is not among the schemas.")


def _of_field(field: Field, eads: Eads) -> Iterator[Problem]:
    paths = {one.path for one in eads.fields}
    where = written(field.path)
    if field.kind not in _KINDS:
        yield Problem("error", where, f"{where}: type {str(field.kind)[:40]!r} is none of {', '.join(sorted(_KINDS))}.")
    if field.mode not in _MODES:
        yield Problem("error", where, f"{where}: mode {str(field.mode)[:40]!r} is none of {', '.join(sorted(_MODES))}.")
    if field.kind in {"choice", "choices"} and not field.choices:
        yield Problem("error", where, f"{where}: a choice needs an enum.")
    if field.unit and field.unit != "time" and not unit_of(field.unit):
        yield Problem("warning", where, f"{where}: the unit {field.unit[:40]!r} is not known.")
    if field.kind == "table":
        for key in (field.key or "").split("+"):
            if (*field.path, "*", key) not in paths:
                yield Problem("error", where, f"{where}: its key {key!r} is not one of its properties.")
    if field.when and field.when != ANY_DATE:
        name = field.when.partition("=")[0].strip().removeprefix("!").partition("|")[0]
        beside = (*field.path[:-1], name)
        if beside not in paths and (name,) not in paths:
            yield Problem("error", where, f"{where}: its condition names {name!r}, which is never asked.")
    if field.example in (None, "", []) and field.kind not in {"list", "any", "choices"}:
        yield Problem("warning", where, f"{where}: it has no example.")
