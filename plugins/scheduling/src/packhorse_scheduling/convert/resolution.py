"""The answer of suggest_resolution."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from packhorse_scheduling.convert import instant
from packhorse_scheduling.domain.change.resolution import Suggestion
from packhorse_scheduling.domain.insight.wording import counted, violation_words
from packhorse_scheduling.domain.programme.calendar import SESSIONS, block_id
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation


def resolution_from(
    opened: "Opened",
    kind: str,
    found: "Sequence[Violation]",
    suggestions: "Sequence[Suggestion]",
    *,
    at: datetime,
) -> dict[str, Any]:
    """What is wrong, and the ways out."""
    kernel = opened.kernel
    worst = {violation.severity for violation in found}
    severity = "CRITICAL" if "CRITICAL" in worst else "HIGH" if "ERROR" in worst else "MEDIUM" if worst else "LOW"
    if found:
        more = f" And {len(found) - 1} more." if len(found) > 1 else ""
        words = violation_words(kernel, found[0]) + more
    elif kind == "SWAP_NEEDED":
        words = "A swap is wanted; no rule is broken by it."
    else:
        words = "The published schedule has no such conflict in these blocks."
    return {
        "generated_at": instant(at),
        "conflict_summary": {"type": kind, "severity": severity, "description": words},
        "suggestions": [suggestion_from(opened, n, one) for n, one in enumerate(suggestions, start=1)],
        "method": "Each was tried on the roster. confidence_score is not a probability. It is the candidate's score"
        " (free then,"
        " lighter week, wishes) divided by the number of its warnings plus one.",
    }


def suggestion_from(opened: "Opened", number: int, one: "Suggestion") -> dict[str, Any]:
    """One way out."""
    kernel = opened.kernel
    people, services = kernel.programme.people, kernel.programme.services
    giver, taker = (None if p is None else people[p] for p in one.persons)
    d, h = one.slot
    when = f"{kernel.date_of(d)} {SESSIONS[h]}"
    title = {
        "REASSIGN": f"Assign {taker.name if taker else ''}",
        "ADD_COVERAGE": f"Add {taker.name if taker else ''}",
        "SWAP": f"{giver.name if giver else ''} and {taker.name if taker else ''} change places",
        "REMOVE_ASSIGNMENT": f"Free {giver.name if giver else ''}",
    }[one.action]
    lines = [
        f"{people[p].name}: {services[s].name if s != FREE else 'free'}"
        + ("" if (day, half) == one.slot else f" on {kernel.date_of(day)} {SESSIONS[half]}")
        for p, day, half, s in one.cells
    ]
    blocks = sorted({(day, half) for _, day, half, _ in one.cells})
    actions = []
    for day, half in blocks:
        action = {"action_type": one.action, "block_id": block_id(kernel.date_of(day), SESSIONS[half])}
        if giver is not None:
            action["from_person_id"] = giver.id
        if taker is not None:
            action["to_person_id"] = taker.id
        actions.append(action)
    warnings = [violation_words(kernel, violation) for violation in one.verdict.violations]
    pros = [f"{counted(one.solved, 'violation')} fewer in the whole roster."] if one.solved else []
    if one.verdict.feasible:
        pros.append("Breaks no rule.")
    size = len(one.cells)
    return {
        "id": f"{number}",
        "title": f"{title}, {when}",
        "description": "; ".join(lines) + ".",
        "confidence_score": round(min(1.0, one.score), 4),
        "actions": actions,
        "impact": {
            "persons_affected": len({p for p, *_ in one.cells}),
            "blocks_changed": len(blocks),
            "maintains_compliance": one.verdict.feasible,
            "estimated_effort": "LOW" if size <= 2 else "MEDIUM" if size <= 4 else "HIGH",
        },
        "pros": pros,
        "cons": warnings,
    }
