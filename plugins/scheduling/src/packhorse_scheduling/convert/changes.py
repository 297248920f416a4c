"""Answers of the tools that change something, and of explain_assignment."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from packhorse_scheduling.convert import instant
from packhorse_scheduling.convert.ledger import turn_words, turns_of
from packhorse_scheduling.domain.change.exchange import Swap
from packhorse_scheduling.domain.change.reasons import Reason
from packhorse_scheduling.domain.insight.ledger import Entry
from packhorse_scheduling.domain.insight.wording import counted, role_words, violation_words
from packhorse_scheduling.domain.programme.calendar import SESSIONS, name_id
from packhorse_scheduling.domain.programme.records import LeaveRecord
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.roster.plan import Stay
from packhorse_scheduling.domain.rules.codes import ROTATION
from packhorse_scheduling.domain.rules.opened import Opened


def swap_record_from(swap: "Swap") -> dict[str, Any]:
    """Where a swap stands."""
    body: dict[str, Any] = {
        "swap_id": swap.id,
        "status": swap.status,
        "swap_type": swap.kind,
        "requester_id": name_id("person", swap.requester),
        "target_person_id": name_id("person", swap.target),
        "block_ids": list(swap.blocks),
        "approvals": [
            {
                "person_id": name_id("person", given.person),
                "accepted": given.accepted,
                "at": instant(given.at),
                **({"recorded_by": given.recorded_by} if given.recorded_by else {}),
            }
            for given in swap.approvals
        ],
        "awaiting": [name_id("person", key) for key in swap.missing] if swap.status == "requested" else [],
    }
    if swap.executed_at is not None and swap.rollback_deadline is not None:
        body |= {"executed_at": instant(swap.executed_at), "rollback_deadline": instant(swap.rollback_deadline)}
    if swap.ending is not None and swap.ending.why:
        body["reason"] = swap.ending.why
    return body


def leave_from(opened: "Opened", record: "LeaveRecord", *, at: datetime) -> dict[str, Any]:
    """What was recorded, and how many of the person's half-days it collides with."""
    return {
        "request_id": record.id,
        "person_id": name_id("person", record.person),
        "start_date": record.start.isoformat(),
        "end_date": record.end.isoformat(),
        "kind": record.kind,
        "status": record.state,
        "recorded_at": instant(at),
        "conflicting_assignments": collisions(opened, record),
        "overridden_locks": locks_under(opened, record),
    }


def locks_under(opened: "Opened", record: "LeaveRecord") -> list[str]:
    """Locked half-days of the person on these days: leave goes before them."""
    return [
        f"{lock.day} {lock.session} on {lock.service}"
        for lock in opened.programme.locks
        if lock.service is not None and lock.person == record.person and record.start <= lock.day <= record.end
    ]


def collisions(opened: "Opened", record: "LeaveRecord") -> int:
    """Half-days of the roster in which the person works on these days; the night that ends on the first is before."""
    kernel = opened.kernel
    p, first = kernel.person_of[record.person], kernel.day_of(record.start)
    count = sum(c[0] == record.person and record.start <= c[1] <= record.end for c in opened.schedule.cells)
    if not kernel.tail < first < kernel.D:
        return count
    evening, morning = int(opened.grid[p, first - 1, 1]), int(opened.grid[p, first, 0])
    return count - int(evening == morning and bool(kernel.overnight[evening]))


MOST_NAMED = 3
MOST_OTHERS = 6
"""People of whom an explanation says why not they."""


def candidates_words(body: Mapping[str, Any]) -> str:
    """Who could, in a sentence: the best by name, with swap type and score."""
    rows = body["candidates"]
    if not rows:
        return "Nobody could take this over or exchange it without breaking a rule."
    told = []
    for row in rows[:MOST_NAMED]:
        count = len(row["warnings"])
        some = f", {counted(count, 'warning')}, such as: {row['warnings'][0]}" if count else ""
        told.append(f"{row['candidate_name']} ({row['swap_type']}, {row['match_score']:.2f}{some})")
    named = "; ".join(told)
    more = body["total_candidates"] - len(rows[:MOST_NAMED])
    return f"{named}{f'; and {more} more' if more else ''}."


def _rotation_words(opened: "Opened", stay: "Stay", service: str) -> str:
    programme = opened.programme
    person = programme.people[opened.kernel.person_of[stay.person]]
    who, rotates = person.name, person.role == "RESIDENT"
    name = next((one.name for one in programme.rotations if rotates and one.code == stay.rotation), None)
    span = f"from {stay.first} to {stay.last} by the rotation plan"
    said = {"locked": " (locked)", "manual": " (set by hand)", "solved": ""}[stay.source]
    if name is None:
        return f"{who} is the attending of {service} {span}{said}."
    return f"{who} is on {name} {span}{said}, which holds {service}."


def explanation_from(
    opened: "Opened", reason: "Reason", slot: tuple[int, int], only: int | None, entries: "Sequence[Entry]" = ()
) -> dict[str, Any]:
    """Why this person, and why not the others; of turns the counts, with the ledger's ``entries``."""
    kernel = opened.kernel
    people, services = kernel.programme.people, kernel.programme.services
    person, service = people[reason.person], services[reason.service]
    d, h = slot
    reasons = []
    if reason.locked:
        reasons.append("This assignment is locked.")
    if reason.rotation is not None:
        reasons.append(_rotation_words(opened, reason.rotation, service.name))
    if reason.least:
        needed = counted(reason.least, *(role_words(person.role, n) for n in (1, 2)))
        need = f"{service.name} needs at least {needed} then, and has {reason.there}."
        reasons.append(need)
    elif service.fills:
        reasons.append(f"{service.name} fills time that nothing else needs.")
    reasons += [f"Freed, it would break: {violation_words(kernel, one)}" for one in reason.if_freed if one.blocks]
    if reason.wished is not None:
        reasons.append("It meets a wish." if reason.wished else "It goes against a wish.")
    turns = turns_of(opened, reason.person, slot, entries)
    reasons += [turn_words(opened, reason.person, row) for row in turns]
    able = [other for other in reason.others if other.could]
    near = sum(not any(one.rule == ROTATION for one in other.violations) for other in able)
    if near:
        reasons.append(f"{counted(near, 'other')} could do it without breaking a rule: fairness and wishes decided.")
    if len(able) > near:
        reasons.append(f"{counted(len(able) - near, 'other')} could do it too, but off their rotation.")
    if not able:
        reasons.append("Nobody else of the role could take it over alone without breaking a rule.")
    return {
        "person_id": person.id,
        "person_name": person.name,
        "service": service.name,
        "date": kernel.date_of(d).isoformat(),
        "session": SESSIONS[h],
        "present": reason.there,
        "minimum": reason.least,
        "reasons": reasons,
        **({"turns": turns} if turns else {}),
        "others": [
            {
                "person_id": people[other.person].id,
                "person_name": people[other.person].name,
                "doing": "free" if other.doing == FREE else services[other.doing].name,
                "could": other.could,
                "because": [violation_words(kernel, one) for one in other.violations if one.blocks][:3],
            }
            for other in _nearest(reason, only)
        ],
        "others_count": len(reason.others),
    }


def explanation_words(body: Mapping[str, Any]) -> str:
    """The reasons, and what stands against each other person told of."""
    lines = [" ".join(body["reasons"])]
    for row in body["others"]:
        why = "could do it" if row["could"] else " ".join(row["because"])
        lines.append(f"{row['person_name']} ({row['doing']}): {why}")
    return "\n".join(lines)


def _nearest(reason: "Reason", only: int | None) -> "list[Any]":
    """Which others the answer names: the one asked about, or those who could and those with fewest reasons against."""
    if only is not None:
        return [other for other in reason.others if other.person == only]
    return sorted(reason.others, key=lambda other: (not other.could, len(other.violations)))[:MOST_OTHERS]
