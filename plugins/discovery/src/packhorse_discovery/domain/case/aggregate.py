"""Everything that the pursuits of a project have established, as one `Scr`."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, cast, get_args

from attrs import evolve

from packhorse_discovery.domain.case import quantities
from packhorse_discovery.domain.case.established import Established, rows_of
from packhorse_discovery.domain.case.plans import plans_of, product_id, resource_id, value_at, values_at
from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import (
    Capability,
    Changeover,
    Cleaning,
    Event,
    Fact,
    Gap,
    Goal,
    GoalKind,
    Order,
    Plan,
    Precedence,
    ProblemType,
    Resource,
    Scr,
    Timeslot,
    Window,
)
from packhorse_discovery.domain.case.units import family_of
from packhorse_discovery.domain.interview.completeness import standing
from packhorse_discovery.domain.interview.naming import row_for, stems
from packhorse_discovery.domain.schema.eads import slug

_CALENDAR, _TIMETABLE = "resources/calendar-and-maintenance", "process/timetabling"
DATES = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%d %B %Y", "%B %d %Y", "%d.%m.%Y", "%d %b %Y", "%b %d %Y")
"""How a date may be written; day and month in figures alone (3/4/2026) are read in no order, since two exist."""

TIME = re.compile(r"^(?:[01]?\d|2[0-3]):[0-5]\d$")
"""A time of day without its date."""


def aggregate(
    project: str,
    pursuits: Iterable[Established],
    *,
    past: Iterable[Established] = (),
    version: int = 0,
    conflicts: Iterable[str] = (),
) -> Scr:
    """The project as one value; later pursuits of a schema win where both speak.

    Of ``past``, told of another kind of problem, only the rules count: they hold whatever the kind.
    """
    done = {(one.eads.id, one.topic): one for one in pursuits}
    by_id = {one.eads.base: one for one in done.values()}
    steps_named: dict[str, str] = {}
    plans, own_orders = plans_of(by_id)
    for plan in plans:
        steps_named |= {step.id: step.name.value for step in plan.steps}
    resources = _resources(by_id, plans)
    known = {one.id: one.name.value for one in resources}
    plans = tuple(_with_known(plan, known) for plan in plans)
    kind = value_at(by_id, "process/scheduling-problem-type", "principal-problem-type")
    orders = tuple(_orders(by_id, plans)) or own_orders
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
        cleanings=tuple(_cleanings(by_id, known)),
        precedences=tuple(_precedences(by_id, orders, known, steps_named)),
        capabilities=tuple(_capabilities(by_id, known, steps_named)),
        goals=tuple(_goals(by_id)),
        unmodelled=(*values_at(by_id, "optimality/goals", "hard-limits"), *_rules(done.values(), past)),
        events=tuple(_events(by_id)),
        timeslots=tuple(_timeslots(by_id)),
        gaps=tuple(gap for one in done.values() for gap in _gaps(one)),
        conflicts=tuple(conflicts),
        origin=_origin(by_id),
        overnight=value_at(by_id, _CALENDAR, "runs-overnight?"),
    )


def _rules(pursuits: Collection[Established], past: Iterable[Established]) -> Iterator[Fact[str]]:
    """The rules that no field of any schema holds, with the words that say them; each once.

    What was carried over from ``past`` into another schema stands there, and counts as it stands there now.
    """
    carried = {mark.said for one in pursuits for mark in one.structure.marks.values()}
    seen: set[str] = set()
    for one in pursuits:
        for rule in _rules_of(one):
            seen.add(stems(rule.value))
            yield rule
    for one in past:
        for rule in _rules_of(one) if one.carried not in carried else ():
            if stems(rule.value) not in seen:
                seen.add(stems(rule.value))
                yield rule


def _rules_of(one: Established) -> Iterator[Fact[str]]:
    for row in one.rows("rules"):
        rule, quote = row.words("rule"), row.words("quote")
        if rule is not None:
            yield rule if quote is None else evolve(rule, said=quote.value)


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
            demand={row_for(name, known) or name: many for name, many in step.demand.items()},
        )
        for step in plan.steps
    )
    return evolve(plan, steps=steps)


def _resources(by_id: Mapping[str, Established], plans: tuple[Plan, ...]) -> tuple[Resource, ...]:
    """The inventory, and what steps occupy that no inventory lists (how many there are is then not known)."""
    found = {
        row.id: Resource(
            row.id, row.called("resource-id"), row.words("kind"), row.number("count"), row.quantity("capacity")
        )
        for row in rows_of(by_id, "resources/inventory", "resources")
    }
    names = {key: str(resource.name.value) for key, resource in found.items()}
    for plan in plans:
        for step in plan.steps:
            for fact in (*step.resources, *step.alternatives):
                if row_for(fact.value, names) is None:
                    found[fact.value] = Resource(fact.value, evolve(fact, value=fact.value.replace("-", " ")))
                    names[fact.value] = fact.value.replace("-", " ")
    return tuple(found.values())


def _orders(by_id: Mapping[str, Established], plans: tuple[Plan, ...]) -> Iterator[Order]:
    named = {plan.id: str(plan.name.value) for plan in plans}
    for row in rows_of(by_id, "data/orders", "orders"):
        product = row.words("product")
        plan = row_for(product.value, named) if product and len(plans) > 1 else None
        yield Order(
            id=row.id,
            name=row.called("order-id"),
            product=evolve(product, value=slug(product.value)) if product else None,
            plan=evolve(product, value=plan) if product and plan else None,
            quantity=row.quantity("quantity"),
            release=_moment(row.words("release")),
            due=_moment(row.words("due")),
            priority=row.number("priority"),
        )


def _moment(said: Fact[str] | None) -> Fact[str | Quantity] | None:
    """A date as ISO 8601 text, a time of day, or a time from the start; None where the words are none for certain."""
    if said is None:
        return None
    words = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|,", "", said.value.strip())
    if TIME.match(words):
        return evolve(cast("Fact[Any]", said), value=words.zfill(5))
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


def _windows(by_id: Mapping[str, Established], known: Mapping[str, str]) -> Iterator[Window]:
    for table, working in (("working-hours", True), ("closures", False)):
        for row in rows_of(by_id, _CALENDAR, table):
            who, start, end = (row.words(name) for name in ("resource", "start", "end"))
            if who and start and end:
                since, until = _date(row.words("valid-from")), _date(row.words("valid-until"))
                if not working:
                    start, end = _date(start) or start, _date(end) or end
                for each in _whose(who, known):
                    yield Window(each, start, end, row.many("days"), working, since, until)


def _whose(who: Fact[str], known: Mapping[str, str]) -> list[Fact[str]]:
    """The resources that hours are of: all that a name is the common part of ("theatres"), else the one it means."""
    mine = set(stems(who.value).split())
    group = [one for one, label in known.items() if mine and mine < set(stems(label or one).split())]
    found = _known(who, known)
    return [evolve(found, value=one) for one in group] if found.value not in known and len(group) > 1 else [found]


def _changeovers(by_id: Mapping[str, Established], known: Mapping[str, str]) -> Iterator[Changeover]:
    for eads_id in ("process/single-machine", _CALENDAR):
        for row in rows_of(by_id, eads_id, "changeovers"):
            before, after, takes = row.words("from"), row.words("to"), row.quantity("duration")
            where = row.words("resource")
            if before and after and takes:
                yield Changeover(product_id(before), product_id(after), takes, _known(where, known) if where else None)


def _cleanings(by_id: Mapping[str, Established], known: Mapping[str, str]) -> Iterator[Cleaning]:
    for row in rows_of(by_id, _CALENDAR, "cleaning"):
        if (who := row.words("resource")) and (takes := row.quantity("duration")):
            yield Cleaning(_known(who, known), takes)


def _precedences(
    by_id: Mapping[str, Established], orders: tuple[Order, ...], known: Mapping[str, str], steps: Mapping[str, str]
) -> Iterator[Precedence]:
    named = {order.id: order.name.value for order in orders}
    places = {**known, **steps}

    def match(fact: Fact[str] | None, names: Mapping[str, str]) -> Fact[str] | None:
        return None if fact is None else evolve(fact, value=row_for(fact.value, names) or slug(fact.value))

    for row in rows_of(by_id, "data/orders", "precedences"):
        before, after, at = (row.words(name) for name in ("before", "after", "at"))
        if before is not None:
            yield Precedence(match(before, named) or before, match(after, named), match(at, places))


def _origin(by_id: Mapping[str, Established]) -> Fact[str] | None:
    """When the schedule begins, from whichever schema has it."""
    said = (value_at(by_id, eads_id, "origin") for eads_id in ("data/orders", _CALENDAR))
    return next((_date(fact) or fact for fact in said if fact is not None), None)


def _date(said: Fact[str] | None) -> Fact[str] | None:
    """A date as ISO 8601 text, where the words are one."""
    found = _moment(said)
    dated = found is not None and isinstance(found.value, str) and not TIME.match(found.value)
    return cast("Fact[str]", found) if dated else None


def _capabilities(
    by_id: Mapping[str, Established], known: Mapping[str, str], steps: Mapping[str, str]
) -> Iterator[Capability]:
    for row in rows_of(by_id, "resources/capability", "capabilities"):
        step, who = row.words("step"), row.words("resource")
        if step and who:
            named = evolve(step, value=row_for(step.value, steps) or slug(step.value))
            yield Capability(_known(who, known), named, row.quantity("duration"))


def _goals(by_id: Mapping[str, Established]) -> Iterator[Goal]:
    for rank, fact in enumerate(values_at(by_id, "optimality/goals", "objectives"), 1):
        if fact.value in get_args(GoalKind):
            yield Goal(evolve(cast("Fact[Any]", fact), value=fact.value), rank)


def _events(by_id: Mapping[str, Established]) -> Iterator[Event]:
    slots = {row.id: row.id.replace("-", " ") for row in rows_of(by_id, _TIMETABLE, "timeslots")}
    for row in rows_of(by_id, _TIMETABLE, "event-types"):
        yield Event(
            row.id,
            row.called("event-type-id"),
            {fact.value: evolve(cast("Fact[Any]", fact), value=1.0) for fact in row.many("constituents")},
            _slots_of(row.many("slots"), slots),
            row.number("occurrences"),
            row.number("per-day"),
        )


def _slots_of(named: tuple[Fact[str], ...], known: Mapping[str, str]) -> tuple[Fact[str], ...]:
    """The slots that an event may take: those named, or every one where any will do."""
    found: list[Fact[str]] = []
    for fact in named:
        free = fact.value.strip().casefold() in {"any", "all", "any slot", "all slots"}
        ids = known if free else [row_for(fact.value, known) or slug(fact.value)]
        found += [evolve(fact, value=one) for one in ids]
    return tuple(found)


def _timeslots(by_id: Mapping[str, Established]) -> Iterator[Timeslot]:
    for row in rows_of(by_id, _TIMETABLE, "timeslots"):
        yield Timeslot(row.id, row.called("ts-type-id"), row.many("days"), row.many("periods"))


def _gaps(one: Established) -> Iterator[Gap]:
    slots = standing(one.eads, one.structure).slots
    required = {slot.path for slot in slots}
    for path, told in one.structure.marks.items():
        if told.state == "unknown" and path not in required:
            yield Gap(one.eads.id, path, "unknown", told.question_id)
    for slot in slots:
        table = slot.path.partition("/*/")[0]
        if slot.state in {"answered", "not_applicable"} or (table != slot.path and one.structure.state(table)):
            continue  # a list that nobody knows is one gap
        mark = one.structure.marks.get(slot.path)
        state: Any = slot.state or "missing"
        yield Gap(one.eads.id, slot.path, state, mark.question_id if mark else None)
