"""Plans and their steps, in the order told or listed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from attrs import evolve

from packhorse_discovery.domain.case.pursued import Pursued
from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import (
    Fact,
    Order,
    Plan,
    Step,
)
from packhorse_discovery.domain.interview.naming import row_for
from packhorse_discovery.domain.schema.eads import Path, slug, written


def plans_of(by_id: Mapping[str, Pursued]) -> tuple[tuple[Plan, ...], tuple[Order, ...]]:
    """The plans of the process schemas that were pursued, and the orders that are plans of their own."""
    found: list[Plan] = []
    orders: list[Order] = []
    for eads_id, one in by_id.items():
        if eads_id == "process/flow-shop" and one.rows("subprocesses"):
            name = one.words("process-id") or value_at(
                by_id, "process/warm-up-with-challenges", "product-or-service-name"
            )
            name = name or Fact("the process", eads_id=eads_id)
            found.append(Plan(slug(str(name.value)), name, _steps(one, "subprocesses", chained=True)))
        elif eads_id == "process/job-shop--classifiable":
            for row in one.rows("job-level-processes"):
                name = one.words(*row, "process-id") or one.fact(row, row[-1])
                found.append(Plan(row[-1], name, _steps(one, *row, "subprocesses", chained=True)))
        elif eads_id == "process/job-shop--unique":
            for row in one.rows("jobs"):
                name = one.words(*row, "job-id") or one.fact(row, row[-1])
                found.append(Plan(row[-1], name, _steps(one, *row, "operations", chained=True)))
                orders.append(Order(row[-1], name, plan=evolve(name, value=row[-1])))
        elif eads_id == "process/single-machine":
            machine = one.words("machine")
            for row in one.rows("families"):
                name = one.words(*row, "family-id") or one.fact(row, row[-1])
                step = Step(
                    row[-1], name, one.quantity(*row, "duration"), resources=(resource_id(machine),) if machine else ()
                )
                found.append(Plan(row[-1], name, (step,)))
        elif eads_id == "process/project" and one.rows("activities"):
            name = value_at(by_id, "process/warm-up-with-challenges", "product-or-service-name")
            name = name or Fact("the project", eads_id=eads_id)
            found.append(Plan("project", name, _steps(one, "activities", chained=False)))
    return tuple(found), tuple(orders)


def _steps(one: Pursued, *table: str, chained: bool) -> tuple[Step, ...]:
    """The steps of a list; where ``chained``, one that names no predecessor comes after the one listed before it."""
    parts = parts_of(one, *table)
    rows = [row for row in one.rows(*table) if row[-1] not in parts]
    key = (one.eads.field(one.eads.template(table)) or one.eads.fields[0]).key or "process-id"
    names = {row[-1]: str(one.structure.get((*row, key)) or row[-1]) for row in one.rows(*table)}
    made: list[Step] = []
    before: str | None = None
    stated = {
        row[-1]: tuple(
            evolve(fact, value=row_for(fact.value, names) or slug(fact.value))
            for fact in one.many(*row, "after") or tuple(_sources(one, row))
        )
        for row in rows
    }
    stated = {step: tuple(_lasts(facts, parts)) for step, facts in stated.items()}
    waits = {step: {fact.value for fact in facts} for step, facts in stated.items()}
    for row in rows:
        after = stated[row[-1]]
        assumed = chained and not after and before is not None and one.structure.state(written((*row, "after"))) is None
        if assumed and before is not None and _waits_for(before, row[-1], waits):
            assumed = False  # what was said puts the one listed before this step after it
        if assumed and before is not None:
            waits[row[-1]] = {before}
            after = (one.fact((*row, key), before, "in the order of listing"),)
        duration = one.quantity(*row, "duration")
        cases = {at[-1]: lasting for at in one.rows(*row, "durations") if (lasting := one.quantity(*at, "duration"))}
        if duration is not None and duration.value.cases:
            cases |= {slug(label): evolve(duration, value=case) for label, case in duration.value.cases if label}
            duration = None
        fixed, any_of = _occupied(one.many(*row, "resources"))
        any_of = (*any_of, *(resource_id(fact) for fact in one.many(*row, "alternatives")))
        made.append(
            Step(
                id=row[-1],
                name=one.words(*row, key) or one.fact(row, row[-1]),
                duration=duration,
                durations=cases,
                after=after,
                order_assumed=assumed,
                resources=fixed,
                alternatives=any_of,
                optional=one.get(*row, "optional?"),
                flow=one.get(*row, "subprocess-flow"),
                setup=one.quantity(*row, "setup"),
                max_wait=_no_wait(one, row) or one.quantity(*row, "max-wait"),
                blocks=one.get(*row, "blocks?"),
                free=one.structure.get((*row, "resources")) == [],
            )
        )
        before = row[-1]
    return tuple(made)


def _no_wait(one: Pursued, row: Path) -> Fact[Quantity] | None:
    """No pause at all before a step, where that was said."""
    said = one.get(*row, "no-wait?")
    return evolve(said, value=Quantity("no wait", 0.0, 0.0, unit="minute")) if said and said.value else None


def parts_of(one: Pursued, *table: str) -> dict[str, list[str]]:
    """The rows that others are said to be a part of, each with those others in the order listed."""
    rows = one.rows(*table)
    names = {row[-1]: str(one.structure.get((*row, "process-id")) or row[-1]) for row in rows}
    found: dict[str, list[str]] = {}
    for row in rows:
        whole = one.words(*row, "part-of")
        above = row_for(whole.value, names) if whole is not None else None
        if above is not None and above != row[-1]:
            found.setdefault(above, []).append(row[-1])
    return found


def _lasts(after: tuple[Fact[str], ...], parts: Mapping[str, list[str]]) -> Iterator[Fact[str]]:
    """What waits for a step that has parts waits for the last of them."""
    for fact in after:
        yield evolve(fact, value=parts[fact.value][-1]) if fact.value in parts else fact


def _waits_for(step: str, other: str, waits: Mapping[str, set[str]]) -> bool:
    """Whether ``step`` comes after ``other``, directly or by others between them."""
    seen: set[str] = set()
    front = [step]
    while front:
        for one in waits.get(front.pop(), ()):
            if one == other:
                return True
            if one not in seen:
                seen.add(one)
                front.append(one)
    return False


def _sources(one: Pursued, row: Path) -> Iterator[Fact[str]]:
    """The originals give precedence by ``from`` in an input."""
    found = one.get(*row, "inputs")
    for item in found.value if found and isinstance(found.value, list) else []:
        if isinstance(item, Mapping) and item.get("from"):
            yield evolve(cast("Fact[Any]", found), value=str(item["from"]))


def _occupied(said: tuple[Fact[str], ...]) -> tuple[tuple[Fact[str], ...], tuple[Fact[str], ...]]:
    """Resources needed at once, and those of which any will do ("oven 1 or oven 2")."""
    fixed, any_of = [], []
    for fact in said:
        parts = re.split(r"\s+or\s+|\s*/\s*(?=[A-Za-z])", fact.value)
        if len(parts) == 1:
            fixed.append(resource_id(fact))
        else:
            any_of += [resource_id(evolve(fact, value=part)) for part in parts if part.strip()]
    return tuple(fixed), tuple(any_of)


def resource_id(fact: Fact[str]) -> Fact[str]:
    """The id of a resource, without article and brackets."""
    name = re.sub(r"^(?:the|a|an|our|one)\s+", "", fact.value.strip(), flags=re.IGNORECASE)
    return evolve(fact, value=slug(re.sub(r"\s*\([^)]*\)", "", name)))


def value_at(by_id: Mapping[str, Pursued], eads_id: str, *path: str) -> Fact[Any] | None:
    """The value of one schema at a path."""
    return by_id[eads_id].get(*path) if eads_id in by_id else None


def values_at(by_id: Mapping[str, Pursued], eads_id: str, *path: str) -> tuple[Fact[str], ...]:
    """The list of one schema at a path."""
    return by_id[eads_id].many(*path) if eads_id in by_id else ()


def product_id(fact: Fact[str]) -> Fact[str]:
    """The id of a product; ``*`` for any."""
    return evolve(fact, value="*" if fact.value.strip().casefold() in {"any", "all", "*"} else slug(fact.value))
