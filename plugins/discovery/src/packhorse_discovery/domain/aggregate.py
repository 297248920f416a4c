"""Everything that the pursuits of a project have established, as one `Scr`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, cast, get_args

from attrs import evolve

from packhorse_discovery.domain import quantities
from packhorse_discovery.domain.binding import row_for
from packhorse_discovery.domain.completeness import standing
from packhorse_discovery.domain.eads import slug
from packhorse_discovery.domain.plans import plans_of, product_id, resource_id, value_at, values_at
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.quantity import Quantity
from packhorse_discovery.domain.scr import (
    Capability,
    Changeover,
    Event,
    Fact,
    Gap,
    Goal,
    GoalKind,
    Limit,
    Order,
    Plan,
    ProblemType,
    Resource,
    Scr,
    Timeslot,
    Window,
)
from packhorse_discovery.domain.units import family_of

DATES = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%d %B %Y", "%B %d %Y", "%d.%m.%Y", "%d %b %Y", "%b %d %Y")
"""How a date may be written; day and month in figures alone (3/4/2026) are read in no order, since two exist."""


def aggregate(project: str, pursuits: Iterable[Pursued], *, version: int = 0, conflicts: Iterable[str] = ()) -> Scr:
    """The project as one value; later pursuits of a schema win where both speak."""
    done = {(one.eads.id, one.topic): one for one in pursuits}
    by_id = {eads_id: one for (eads_id, _), one in done.items()}
    steps_named: dict[str, str] = {}
    plans, own_orders = plans_of(by_id)
    for plan in plans:
        steps_named |= {step.id: step.name.value for step in plan.steps}
    resources = _resources(by_id, plans)
    known = {one.id: one.name.value for one in resources}
    plans = tuple(_with_known(plan, known) for plan in plans)
    kind = value_at(by_id, "process/scheduling-problem-type", "principal-problem-type")
    orders = _orders(by_id, plans) or own_orders
    return Scr(
        project=project,
        version=version,
        product=value_at(by_id, "process/warm-up-with-challenges", "product-or-service-name"),
        challenges=by_id["process/warm-up-with-challenges"].many("scheduling-challenges")
        if "process/warm-up-with-challenges" in by_id
        else (),
        problem_type=_problem_type(kind),
        continuous=value_at(by_id, "process/scheduling-problem-type", "continuous?"),
        cyclical=value_at(by_id, "process/scheduling-problem-type", "cyclical?"),
        permutation=value_at(by_id, "process/flow-shop", "same-order?"),
        plans=plans,
        orders=orders,
        resources=resources,
        windows=tuple(_windows(by_id, known)),
        changeovers=tuple(_changeovers(by_id, known)),
        capabilities=tuple(_capabilities(by_id, known, steps_named)),
        goals=tuple(_goals(by_id)),
        limits=tuple(Limit(one) for one in values_at(by_id, "optimality/goals", "hard-limits")),
        events=tuple(_events(by_id)),
        timeslots=tuple(_timeslots(by_id)),
        gaps=tuple(gap for one in done.values() for gap in _gaps(one)),
        conflicts=tuple(conflicts),
        overnight=value_at(by_id, "resources/calendar-and-maintenance", "runs-overnight?"),
    )


def _problem_type(kind: Fact[Any] | None) -> Fact[ProblemType] | None:
    """The originals write FLOW-SHOP-SCHEDULING-PROBLEM, TIMETABLING-PROBLEM."""
    if kind is None:
        return None
    short = re.sub(r"(?:-SCHEDULING)?-PROBLEM$", "", str(kind.value))
    short = "PROJECT-SCHEDULING" if short == "PROJECT" else short
    return evolve(kind, value=cast("ProblemType", short)) if short in get_args(ProblemType) else None


def _with_known(plan: Plan, known: Mapping[str, str]) -> Plan:
    def match(fact: Fact[str]) -> Fact[str]:
        return evolve(fact, value=row_for(fact.value, known) or fact.value)

    steps = tuple(
        evolve(
            step,
            resources=tuple(match(fact) for fact in step.resources),
            alternatives=tuple(match(fact) for fact in step.alternatives),
        )
        for step in plan.steps
    )
    return evolve(plan, steps=steps)


def _resources(by_id: Mapping[str, Pursued], plans: tuple[Plan, ...]) -> tuple[Resource, ...]:
    """The inventory, and what steps occupy that no inventory lists (how many there are is then not known)."""
    found: dict[str, Resource] = {}
    one = by_id.get("resources/inventory")
    for row in one.rows("resources") if one else []:
        if one is not None:
            found[row[-1]] = Resource(
                row[-1],
                one.words(*row, "resource-id") or one.fact(row, row[-1]),
                one.words(*row, "kind"),
                one.number(*row, "count"),
                one.quantity(*row, "capacity"),
            )
    names = {key: str(resource.name.value) for key, resource in found.items()}
    for plan in plans:
        for step in plan.steps:
            for fact in (*step.resources, *step.alternatives):
                if row_for(fact.value, names) is None:
                    found[fact.value] = Resource(fact.value, evolve(fact, value=fact.value.replace("-", " ")))
                    names[fact.value] = fact.value.replace("-", " ")
    return tuple(found.values())


def _orders(by_id: Mapping[str, Pursued], plans: tuple[Plan, ...]) -> tuple[Order, ...]:
    one = by_id.get("data/orders")
    if one is None:
        return ()
    named = {plan.id: str(plan.name.value) for plan in plans}
    made: list[Order] = []
    for row in one.rows("orders"):
        product = one.words(*row, "product")
        plan = row_for(product.value, named) if product and len(plans) > 1 else None
        made.append(
            Order(
                id=row[-1],
                name=one.words(*row, "order-id") or one.fact(row, row[-1]),
                product=evolve(product, value=slug(product.value)) if product else None,
                plan=evolve(product, value=plan) if product and plan else None,
                quantity=one.quantity(*row, "quantity"),
                release=_moment(one.words(*row, "release")),
                due=_moment(one.words(*row, "due")),
                priority=one.number(*row, "priority"),
            )
        )
    return tuple(made)


def _moment(said: Fact[str] | None) -> Fact[str | Quantity] | None:
    """A date as ISO 8601 text, or a time from the start; None where the words are neither for certain."""
    if said is None:
        return None
    words = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|,", "", said.value.strip())
    for form in DATES:
        try:
            at = datetime.strptime(words, form)  # noqa: DTZ007 -- local to the place, as people write it
        except ValueError:
            continue
        return evolve(
            cast("Fact[Any]", said), value=at.isoformat(timespec="minutes") if "H" in form else at.date().isoformat()
        )
    quantity = quantities.parse(words)
    if quantity.low is not None and family_of(quantity.unit) == "time":
        return evolve(cast("Fact[Any]", said), value=quantity, assumption="counted from the start of the schedule")
    return None


def _known(fact: Fact[str], known: Mapping[str, str]) -> Fact[str]:
    if fact.value.strip().casefold() in {"all", "*", "everything", "everyone", "any"}:
        return evolve(fact, value="*")
    resource = resource_id(fact)
    return evolve(resource, value=row_for(fact.value, known) or resource.value)


def _windows(by_id: Mapping[str, Pursued], known: Mapping[str, str]) -> Iterator[Window]:
    one = by_id.get("resources/calendar-and-maintenance")
    for table, working in (("working-hours", True), ("closures", False)):
        for row in one.rows(table) if one else []:
            if one is None:
                continue
            who, start, end = (one.words(*row, name) for name in ("resource", "start", "end"))
            if who and start and end:
                yield Window(_known(who, known), start, end, one.many(*row, "days"), working)


def _changeovers(by_id: Mapping[str, Pursued], known: Mapping[str, str]) -> Iterator[Changeover]:
    for eads_id in ("process/single-machine", "resources/calendar-and-maintenance"):
        one = by_id.get(eads_id)
        for row in one.rows("changeovers") if one else []:
            if one is None:
                continue
            before, after, takes = one.words(*row, "from"), one.words(*row, "to"), one.quantity(*row, "duration")
            where = one.words(*row, "resource")
            if before and after and takes:
                yield Changeover(product_id(before), product_id(after), takes, _known(where, known) if where else None)


def _capabilities(
    by_id: Mapping[str, Pursued], known: Mapping[str, str], steps: Mapping[str, str]
) -> Iterator[Capability]:
    one = by_id.get("resources/capability")
    for row in one.rows("capabilities") if one else []:
        if one is None:
            continue
        step, who = one.words(*row, "step"), one.words(*row, "resource")
        if step and who:
            named = evolve(step, value=row_for(step.value, steps) or slug(step.value))
            yield Capability(_known(who, known), named, one.quantity(*row, "duration"))


def _goals(by_id: Mapping[str, Pursued]) -> Iterator[Goal]:
    for rank, fact in enumerate(values_at(by_id, "optimality/goals", "objectives"), 1):
        if fact.value in get_args(GoalKind):
            yield Goal(evolve(cast("Fact[Any]", fact), value=fact.value), rank)


def _events(by_id: Mapping[str, Pursued]) -> Iterator[Event]:
    one = by_id.get("process/timetabling")
    slots = {row[-1]: row[-1].replace("-", " ") for row in one.rows("timeslots")} if one else {}
    for row in one.rows("event-types") if one else []:
        if one is None:
            continue
        yield Event(
            row[-1],
            one.words(*row, "event-type-id") or one.fact(row, row[-1]),
            {fact.value: evolve(cast("Fact[Any]", fact), value=1.0) for fact in one.many(*row, "constituents")},
            tuple(
                evolve(fact, value=row_for(fact.value, slots) or slug(fact.value)) for fact in one.many(*row, "slots")
            ),
            one.number(*row, "occurrences"),
        )


def _timeslots(by_id: Mapping[str, Pursued]) -> Iterator[Timeslot]:
    one = by_id.get("process/timetabling")
    for row in one.rows("timeslots") if one else []:
        if one is not None:
            name = one.words(*row, "ts-type-id") or one.fact(row, row[-1])
            yield Timeslot(row[-1], name, one.many(*row, "days"), one.many(*row, "periods"))


def _gaps(one: Pursued) -> Iterator[Gap]:
    for slot in standing(one.eads, one.structure).slots:
        if slot.state in {"answered", "not_applicable"}:
            continue
        mark = one.structure.marks.get(slot.path)
        state: Any = slot.state or "missing"
        yield Gap(one.eads.id, slot.path, state, mark.question_id if mark else None)
