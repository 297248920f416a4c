"""A ward's roster as the answer of command and tool, and as a table to read."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from packhorse_scheduling.convert.wards.counts import COUNT_COLUMNS, count_rows
from packhorse_scheduling.convert.wards.wording import asked, breach_words, costs_by_rule
from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.domain.wards.question import Ward
from packhorse_scheduling.domain.wards.repair import Repair
from packhorse_scheduling.domain.wards.roster import Count, Roster
from packhorse_scheduling.domain.wards.search import Outcome

MOST_WORDS = 50
"""Breaches of hard rules that an answer words."""
LAWFUL = ("optimal", "feasible")
_LONGER = "A longer search may find one that is not."


def outcome_from(ward: Ward, outcome: Outcome) -> dict[str, Any]:
    """objective, bound, gap, seconds, cpu_seconds, status, proven, fewest, and what `roster_from` has.

    A roster that is short or breaks hard rules has no bound and no gap: of its cost nothing is known.
    """
    lawful = outcome.status in LAWFUL
    return {
        "objective": outcome.objective,
        "bound": outcome.bound if lawful else None,
        "gap": round(outcome.gap, 6) if lawful else None,
        "seconds": round(outcome.seconds, 3),
        "cpu_seconds": round(outcome.cpu_seconds, 3),
        "status": outcome.status,
        "proven": outcome.status == "optimal",
        "fewest": lawful or outcome.proven,
        **roster_from(ward, outcome.roster, outcome.count),
    }


def roster_from(ward: Ward, roster: Roster, count: Count) -> dict[str, Any]:
    """roster, skills (where a demand asks for some), what each person has, short, costs, and broken hard rules."""
    found: dict[str, Any] = {"roster": roster.named(ward)}
    if ward.skills:
        found["skills"] = roster.skilled(ward)
    hard = [breach for breach in count.breaches if breach.weight is None]
    return {
        **found,
        "people": [dict(zip(COUNT_COLUMNS, row, strict=True)) for row in count_rows(ward, roster, count)],
        "short": count.short,
        "costs": costs_by_rule(count.breaches),
        "broken": [breach_words(ward, breach) for breach in hard[:MOST_WORDS]],
        "broken_count": len(hard),
    }


def table_from(body: Mapping[str, Any], ward: Ward) -> str:
    """People by days, a bar before each Monday, and what each has, below a line with the figures."""
    roster: Mapping[str, Sequence[str]] = body["roster"]
    name = max(len(who) for who in roster)
    cell = max([1, *(len(shift) for row in roster.values() for shift in row)])
    lines = [summary_from(body), *body["broken"], ""]
    mondays = [0, *(d for d in range(1, ward.days) if ward.weekday(d) == 0), ward.days]
    for person in body["people"]:
        who = person["person"]
        weeks = [roster[who][first:end] for first, end in pairwise(mondays)]
        days = " | ".join(" ".join(f"{shift or '.':<{cell}}" for shift in week) for week in weeks)
        lines.append(f"{who:<{name}}  {days} | {_counts(person)}")
    return "\n".join(line.rstrip() for line in lines)


def _counts(person: Mapping[str, Any]) -> str:
    """152 h, nights 4, weekends 2, wishes 1 of 2."""
    words = f"{person['hours']:g} h, nights {person['nights']}, weekends {person['weekends']}"
    return f"{words}, wishes {person['wishes_met']} of {person['wishes']}" if person["wishes"] else words


def summary_from(body: Mapping[str, Any]) -> str:
    """What the roster costs and breaks, in one or two sentences."""
    words = f"A roster that costs {body['objective']}"
    if body["status"] in LAWFUL:
        sure = "proven optimal" if body["status"] == "optimal" else f"gap {100 * body['gap']:.2f} %"
        words += f"; no lawful one costs less than {body['bound']} ({sure})."
    elif body["status"] == "short":
        words += f". It is {counted(body['short'], 'person', 'people')} below the least that is needed. "
        words += "Proven: no roster is less short; a cheaper one may exist." if body["fewest"] else _LONGER
    else:
        words += f". It breaks {counted(body['broken_count'], 'hard rule')}. "
        words += "Proven: no roster breaks less; a cheaper one may exist." if body["fewest"] else _LONGER
    return words + f" {body['cpu_seconds']:.1f} processor seconds."


def checked_from(ward: Ward, roster: Roster, count: Count) -> dict[str, Any]:
    """is_valid, objective, and what `roster_from` has."""
    return {
        "is_valid": not count.hard and not count.short,
        "objective": count.cost,
        **roster_from(ward, roster, count),
    }


def check_words(body: Mapping[str, Any]) -> str:
    """What is broken, and the verdict."""
    costs = ", ".join(f"{rule} {cost}" for rule, cost in body["costs"].items())
    return "\n".join(
        [*body["broken"], f"{_verdict(body)}. Soft rules cost {body['objective']}{': ' if costs else ''}{costs}."]
    )


def repair_from(ward: Ward, repair: Repair) -> dict[str, Any]:
    """Changes (person, day, before, after), emptied, proven, released (person, day, shift), and a roster's figures."""

    def key(k: int) -> str:
        return ward.shifts[k].key if k >= 0 else ""

    return {
        "changes": [
            {"person": ward.people[e].key, "day": ward.date(d).isoformat(), "before": key(a), "after": key(b)}
            for e, d, a, b in repair.changes
        ],
        "emptied": repair.emptied,
        "proven": repair.proven,
        "released": [
            {"person": one.person, "day": ward.date(one.day).isoformat(), "shift": one.shift} for one in repair.released
        ],
        **roster_from(ward, repair.roster, repair.count),
    }


def repair_words(body: Mapping[str, Any]) -> str:
    """What gives way to the absence, every change in a line, and whether fewer would do."""
    lines = [
        f"{one['day']} {one['person']} is away: {asked(one['shift'])}, which was fixed or had to be granted, gives way."
        for one in body["released"]
    ]
    lines += [
        f"{one['day']} {one['person']}: {one['before'] or 'off'} -> {one['after'] or 'off'}" for one in body["changes"]
    ]
    words = (
        f"{counted(body['emptied'], 'shift')} of the absent given up, {counted(len(body['changes']), 'other change')}"
    )
    words += " (proven: no repair has fewer)." if body["proven"] else "."
    return "\n".join([*lines, *body["broken"], f"{_verdict(body)}. {words}"])


def _verdict(body: Mapping[str, Any]) -> str:
    """Lawful, or how many hard rules are broken."""
    lawful = not body["broken_count"] and not body["short"]
    return "Lawful" if lawful else f"{counted(body['broken_count'], 'hard rule')} broken"
