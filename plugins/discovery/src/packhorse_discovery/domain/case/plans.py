"""Plans and their steps, in the order told or listed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from attrs import evolve

from packhorse_discovery.domain.case.established import Established, Row
from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import (
    Fact,
    Order,
    Plan,
    Step,
)
from packhorse_discovery.domain.interview.naming import row_for
from packhorse_discovery.domain.schema.eads import slug, written


def plans_of(by_id: Mapping[str, Established]) -> tuple[tuple[Plan, ...], tuple[Order, ...]]:
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
            found += [
                Plan(row.id, row.called("process-id"), _steps(one, *row.path, "subprocesses", chained=True))
                for row in one.rows("job-level-processes")
            ]
        elif eads_id == "process/job-shop--unique":
            for row in one.rows("jobs"):
                name = row.called("job-id")
                found.append(Plan(row.id, name, _steps(one, *row.path, "operations", chained=True)))
                orders.append(Order(row.id, name, plan=evolve(name, value=row.id)))
        elif eads_id == "process/single-machine":
            machine = one.words("machine")
            for row in one.rows("families"):
                name, used = row.called("family-id"), (resource_id(machine),) if machine else ()
                step = Step(row.id, name, row.quantity("duration"), resources=used)
                group = row.words("group")
                found.append(Plan(row.id, name, (step,), product_id(group) if group else None))
        elif eads_id == "process/project" and one.rows("activities"):
            name = value_at(by_id, "process/warm-up-with-challenges", "product-or-service-name")
            name = name or Fact("the project", eads_id=eads_id)
            found.append(Plan("project", name, _steps(one, "activities", chained=False)))
    return tuple(found), tuple(orders)


def _steps(one: Established, *table: str, chained: bool) -> tuple[Step, ...]:
    """The steps of a list; where ``chained``, one that names no predecessor comes after the one listed before it."""
    parts = parts_of(one, *table)
    rows = [row for row in one.rows(*table) if row.id not in parts]
    key = (one.eads.field(one.eads.template(table)) or one.eads.fields[0]).key or "process-id"
    names = {row.id: str(one.structure.get((*row.path, key)) or row.id) for row in one.rows(*table)}
    stated = {row.id: tuple(_lasts(_said_before(row, names), parts)) for row in rows}
    waits = {step: {fact.value for fact in facts} for step, facts in stated.items()}
    made: list[Step] = []
    before: str | None = None
    for row in rows:
        after = stated[row.id]
        assumed = chained and not after and one.structure.state(written((*row.path, "after"))) is None
        # unless what was said puts the one listed before this step after it
        assumed = assumed and before is not None and not _waits_for(before, row.id, waits)
        if assumed and before is not None:
            waits[row.id] = {before}
            after = (one.fact((*row.path, key), before, "in the order of listing"),)
        made.append(_step(row, key, after, assumed=assumed))
        before = row.id
    return tuple(made)


def _said_before(row: Row, names: Mapping[str, str]) -> Iterator[Fact[str]]:
    for fact in row.many("after") or tuple(_sources(row)):
        yield evolve(fact, value=row_for(fact.value, names) or slug(fact.value))


def _step(row: Row, key: str, after: tuple[Fact[str], ...], *, assumed: bool) -> Step:
    duration = row.quantity("duration")
    cases = {each.id: lasting for each in row.rows("durations") if (lasting := each.quantity("duration"))}
    if duration is not None and duration.value.cases:
        cases |= {slug(label): evolve(duration, value=case) for label, case in duration.value.cases if label}
        duration = None
    fixed, any_of = _occupied(row.many("resources"))
    needed = {resource_id(who): many for each in row.rows("needs") if (who := each.words("resource"))
              and (many := each.number("count"))}  # fmt: skip
    fixed += tuple(who for who in needed if who.value not in {one.value for one in (*fixed, *any_of)})
    return Step(
        id=row.id,
        name=row.called(key),
        duration=duration,
        durations=cases,
        after=after,
        order_assumed=assumed,
        resources=fixed,
        alternatives=(*any_of, *(resource_id(fact) for fact in row.many("alternatives"))),
        demand={who.value: many for who, many in needed.items()},
        optional=row.get("optional?"),
        flow=row.get("subprocess-flow"),
        setup=row.quantity("setup"),
        max_wait=row.quantity("max-wait"),
        no_wait=_no_wait(row),
        no_wait_for=row.many("no-wait-for"),
        blocks=row.get("blocks?"),
        free=row.of.structure.get((*row.path, "resources")) == [],
    )


def _no_wait(row: Row) -> Fact[Quantity] | None:
    """No pause at all before a step, where that was said: of the step, or of products that are named."""
    said: Fact[Any] | None = row.get("no-wait?") or next(iter(row.many("no-wait-for")), None)
    return evolve(said, value=Quantity("no wait", 0.0, 0.0, unit="minute")) if said and said.value else None


def parts_of(one: Established, *table: str) -> dict[str, list[str]]:
    """The rows that others are said to be a part of, each with those others in the order listed."""
    rows = one.rows(*table)
    names = {row.id: row.called("process-id").value for row in rows}
    found: dict[str, list[str]] = {}
    for row in rows:
        whole = row.words("part-of")
        above = row_for(whole.value, names) if whole is not None else None
        if above is not None and above != row.id:
            found.setdefault(above, []).append(row.id)
    return found


def _lasts(after: Iterable[Fact[str]], parts: Mapping[str, list[str]]) -> Iterator[Fact[str]]:
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


def _sources(row: Row) -> Iterator[Fact[str]]:
    """The originals give precedence by ``from`` in an input."""
    found = row.get("inputs")
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


def value_at(by_id: Mapping[str, Established], eads_id: str, *path: str) -> Fact[Any] | None:
    """The value of one schema at a path."""
    return by_id[eads_id].get(*path) if eads_id in by_id else None


def values_at(by_id: Mapping[str, Established], eads_id: str, *path: str) -> tuple[Fact[str], ...]:
    """The list of one schema at a path."""
    return by_id[eads_id].many(*path) if eads_id in by_id else ()


def product_id(fact: Fact[str]) -> Fact[str]:
    """The id of a product; ``*`` for any."""
    return evolve(fact, value="*" if fact.value.strip().casefold() in {"any", "all", "*"} else slug(fact.value))
