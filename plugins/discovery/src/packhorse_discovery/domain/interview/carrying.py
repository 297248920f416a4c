"""What was told of one kind of problem in the form of another: steps, rules and lists that both have."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.schema.eads import Eads, Path

_STEPS: Mapping[str, tuple[str, str]] = {
    "process/flow-shop": ("subprocesses", "process-id"),
    "process/project": ("activities", "activity-id"),
}
"""The list of steps of a schema in which all work goes through the same, and the name of a step."""
_ROUTES: Mapping[str, tuple[str, str, str, str]] = {
    "process/job-shop--classifiable": ("job-level-processes", "process-id", "subprocesses", "process-id"),
}
"""The list of kinds of jobs, each with steps of its own: the name of a kind, its steps, and their name.

Jobs that are all different go by their own names, and no kind or product is one of them.
"""
_STEP, _BY_PRODUCT, _AFTER, _RULES = "step", "durations", "after", "rules"


@frozen
class Carried:
    """What of a structure has a place in another schema, in its form, and the names of what has none."""

    refinement: Mapping[str, Any]
    homeless: tuple[str, ...]


def carried(data: Mapping[str, Any], eads: Eads, into: Eads) -> Carried:
    """``data``, in the form of ``eads``, as far as ``into`` has a place for it.

    Rules go with the steps: where these have no place, a field of the other form may hold what a rule says.
    """
    tops = {one.path[0] for one in into.fields}
    own = _table(eads)
    found = {name: value for name, value in data.items() if name in tops and name != own}
    left = [name for name in data if name not in tops and name != own]
    steps = list(_told(data, eads))
    if own and own in data:
        made, lost = _written(steps, into)
        found |= made
        left += lost if made else [own]
    if not set(found) - {_RULES}:
        left += [f"the rule that {row['rule']}" for row in found.pop(_RULES, ())]
    return Carried(found, tuple(dict.fromkeys(left)))


def _table(eads: Eads) -> str:
    return (_STEPS.get(eads.base) or _ROUTES.get(eads.base) or ("",))[0]


def _told(data: Mapping[str, Any], eads: Eads) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each step with the job or product that has it; of all work, the job is empty."""
    if eads.base in _STEPS:
        table, name = _STEPS[eads.base]
        for row in data.get(table, ()):
            yield from _by_product({_STEP: row[name], **{key: one for key, one in row.items() if key != name}})
    elif eads.base in _ROUTES:
        jobs, job, table, name = _ROUTES[eads.base]
        for each in data.get(jobs, ()):
            for row in each.get(table, ()):
                yield each[job], {_STEP: row[name], **{key: one for key, one in row.items() if key != name}}


def _by_product(step: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    plain = {name: one for name, one in step.items() if name != _BY_PRODUCT}
    for row in step.get(_BY_PRODUCT, ()):
        if "duration" in row:
            yield row["product"], {**plain, "duration": row["duration"]}
    if not step.get(_BY_PRODUCT):
        yield "", plain


def _written(steps: Sequence[tuple[str, Mapping[str, Any]]], into: Eads) -> tuple[dict[str, Any], list[str]]:
    """Steps as ``into`` writes them, and the names of their columns that it does not have."""
    jobs = list(dict.fromkeys(job for job, _ in steps if job))
    if into.base in _STEPS:
        table, name = _STEPS[into.base]
        columns = _columns(into, (table, "*"))
        if any(job for job, _ in steps) and _BY_PRODUCT not in columns:
            return {}, []
        rows, lost = _rows(_merged(steps), name, columns)
        return {table: rows}, lost
    if into.base not in _ROUTES or not jobs:
        return {}, []
    outer, job_name, table, name = _ROUTES[into.base]
    columns = _columns(into, (outer, "*", table, "*"))
    every, lost = [], []
    for job in jobs:
        rows, more = _rows([step for of, step in steps if of in {"", job}], name, columns)
        every.append({job_name: job, table: rows})
        lost += more
    return {outer: every}, lost


def _merged(steps: Sequence[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Each step once, with a duration for each product that has it; what differs between products is left out."""
    found: dict[str, dict[str, Any]] = {}
    for job, step in steps:
        row = found.setdefault(step[_STEP], {**step})
        for name in [name for name in row if name not in {_STEP, "duration", _BY_PRODUCT}]:
            if row[name] != step.get(name):
                del row[name]
        if job:
            row.pop("duration", None)
            row.setdefault(_BY_PRODUCT, []).append({"product": job, "duration": step.get("duration")})
    return list(found.values())


def _rows(
    steps: Sequence[Mapping[str, Any]], name: str, columns: frozenset[str]
) -> tuple[list[dict[str, Any]], list[str]]:
    names = {step[_STEP] for step in steps}
    rows, lost = [], []
    for step in steps:
        kept = {key: one for key, one in step.items() if key in columns and one not in (None, [], "")}
        lost += [key for key, one in step.items() if key not in columns | {_STEP} and one not in (None, [], "")]
        if _AFTER in kept:
            kept[_AFTER] = [one for one in kept[_AFTER] if one in names]
        rows.append({name: step[_STEP], **kept})
    return rows, lost


def _columns(eads: Eads, row: Path) -> frozenset[str]:
    return frozenset(one.path[-1] for one in eads.fields if one.path[:-1] == row)
