"""Contradictions in what was said: found in the aggregate, each with both statements and what would settle it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from packhorse_discovery.domain.case.conflict import Conflict
from packhorse_discovery.domain.case.deadlines import deadlines
from packhorse_discovery.domain.case.established import Established
from packhorse_discovery.domain.case.plan_conflicts import between_schemas, in_plans
from packhorse_discovery.domain.case.scr import Scr
from packhorse_discovery.domain.schema.eads import written

_INVERTED = re.compile(r"(?<![\d.:/-])(\d+(?:\.\d+)?)\s*(?:-|\u2013|to)\s*(\d+(?:\.\d+)?)(?![\d:/-])")


def detect(scr: Scr, pursuits: Iterable[Established]) -> list[Conflict]:
    """Every contradiction in the aggregate, in a fixed order."""
    every = list(pursuits)
    found: list[Conflict] = []
    found += _types(scr, every)
    found += in_plans(scr, every)
    found += deadlines(scr)
    for one in every:
        found += _rivals(one)
        found += _inverted(one)
        found += _unknown(one)
    found += between_schemas(scr)
    return list({one.id: one for one in found}.values())


def _types(scr: Scr, pursuits: Iterable[Established]) -> Iterator[Conflict]:
    if scr.problem_type is None:
        return
    for one in pursuits:
        for need in one.eads.requires:
            if need.path.endswith("principal-problem-type") and scr.problem_type.value not in need.values:
                yield Conflict(
                    "type-mismatch",
                    (scr.problem_type.path, one.eads.id),
                    (
                        f"the problem is a {scr.problem_type.value}",
                        f"{one.eads.title} is for {', '.join(map(str, need.values))}",
                    ),
                    "Correct the problem type, or leave this schema.",
                )


def _rivals(one: Established) -> Iterator[Conflict]:
    """Values for which somebody gave another one."""
    for path, mark in one.structure.marks.items():
        rival = mark.rival
        if rival is None:
            continue
        mine = (f"{_says(one.structure.get(path))} ({mark.question_id or 'earlier'})",)
        other = (f"{_says(rival['value'])} ({rival['question_id'] or 'earlier'})",)
        kind: Any = rival["kind"]
        yield Conflict(
            kind,
            (f"{one.eads.id}{path}",),
            other + mine if rival["kept"] == "after" else mine + other,
            f"Which holds? The one {rival['kept']} is in use; correct_answer or resolve_conflict settles it.",
        )


def _inverted(one: Established) -> Iterator[Conflict]:
    for field in one.eads.leaves:
        if field.kind != "quantity":
            continue
        for row in one.structure.rows(field.table) if field.table else [()]:
            path = (*row, *field.path[len(row) :])
            raw = one.structure.get(path)
            text = str(raw.get("value-string", "")) if isinstance(raw, Mapping) else ""
            match = _INVERTED.search(text)
            if match and float(match[1]) > float(match[2]) and not re.search(r"[A-Za-z]\s*(?:-|\u2013|to)\s*\d", text):
                yield Conflict(
                    "range-inverted",
                    (f"{one.eads.id}{written(path)}",),
                    (f"{text} {raw.get('units', '')}".strip(),),
                    "Which is the lower end?",
                    "warning",
                )


def _unknown(one: Established) -> Iterator[Conflict]:
    for path, mark in one.structure.marks.items():
        field = one.eads.field_at(tuple(part for part in path.split("/") if part))
        if mark.state == "unknown" and field is not None and field.required and field.name == "duration":
            yield Conflict(
                "required-unknown",
                (f"{one.eads.id}{path}",),
                (f"{path.split('/')[-2].replace('-', ' ')}: how long it takes is not known",),
                "A rough range is enough; who would know?",
                "warning",
            )


def _says(value: Any) -> str:
    if isinstance(value, Mapping) and "value-string" in value:
        words, units = str(value["value-string"]), str(value.get("units", ""))
        return words if units and words.endswith((units, units.removesuffix("s"))) else f"{words} {units}".strip()
    return "; ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
