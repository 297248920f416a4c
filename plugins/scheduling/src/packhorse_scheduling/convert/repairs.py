"""The answer of repair_schedule: who takes over, who is freed, what it costs."""

from collections.abc import Mapping, Sequence
from typing import Any

from packhorse_scheduling.convert.rotations import continuity_from
from packhorse_scheduling.convert.wishes import wishes_from, wishes_words
from packhorse_scheduling.domain.change.repair import Repaired
from packhorse_scheduling.domain.change.runs import runs_of
from packhorse_scheduling.domain.insight.fairness import hours
from packhorse_scheduling.domain.insight.wording import counted, violation_words
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation

MOST_CHANGES = 12
"""Runs of days and people of a repair listed one by one; ``vacated`` and ``changed`` count all half-days."""
MOST_UNAVOIDABLE = 5
"""Violations that a repair leaves, told in words."""
MOST_NAMED = 3
KINDS = ("freed", "taken_over", "moved")
"""What becomes of a half-day: emptied, filled by somebody who was free then, or given to another service."""


def repair_from(
    opened: "Opened", draft: "Opened", found: "Repaired", standing: "Sequence[Violation]", today: int
) -> dict[str, Any]:
    """Who takes what over and who is freed, the hours of everybody touched, and what no roster can keep."""
    kernel = opened.kernel
    people = kernel.programme.people
    names = [*(service.name for service in kernel.programme.services), "free"]
    before, after = hours(kernel, opened.grid), hours(kernel, draft.grid)
    cells = [*found.vacated, *found.changed]
    touched = sorted({p for p, *_ in cells})
    runs = runs_of(kernel, opened.grid, draft.grid, cells)
    return {
        "schedule_id": draft.schedule.id,
        "changes": [
            {
                "person_key": people[run.person].key,
                "person_name": people[run.person].name,
                "date": kernel.date_of(run.first).isoformat(),
                "until": kernel.date_of(run.last).isoformat(),
                "session": run.session,
                "before": names[run.before],
                "after": names[run.after],
            }
            for run in runs[:MOST_CHANGES]
        ],
        "change_count": len(runs),
        "vacated": len(found.vacated),
        "changed": len(found.changed),
        **{name: sum(_kind(opened.grid[cell], draft.grid[cell]) == name for cell in cells) for name in KINDS},
        "shortfall": found.shortfall,
        "proven_minimal": found.proven,
        "compliance_status": draft.schedule.compliance,
        "churn": round(len(cells) / max(1, len(cells), int((opened.grid[:, max(0, today) :] != FREE).sum())), 4),
        "continuity": continuity_from(draft, min(d for _, d, _ in cells), max(d for _, d, _ in cells)) if cells else [],
        **wishes_from(draft, opened),
        "unavoidable": [violation_words(kernel, one) for one in standing if one.last >= today][:MOST_UNAVOIDABLE],
        "persons_affected": [
            {
                "person_key": people[p].key,
                "person_name": people[p].name,
                "hours_before": float(before[p]),
                "hours_after": float(after[p]),
            }
            for p in touched[:MOST_CHANGES]
        ],
    }


def _kind(before: int, after: int) -> str:
    """What becomes of a half-day that changes."""
    return "freed" if after == FREE else "taken_over" if before == FREE else "moved"


def repair_words(body: Mapping[str, Any], gone: int) -> str:
    """A repair in sentences; ``gone`` half-days of people who were away have passed, and stay as they were."""
    if body["changes"]:
        words = f"A draft changes {counted(body['vacated'] + body['changed'], 'half-day')}"
        words += f", {body['churn']:.1%} of what lies ahead"
        words += ", proved to be the fewest" if body["proven_minimal"] else ""
        words += f": {body['freed']} freed, {body['taken_over']} taken over, {body['moved']} from one service to"
        words += " another"
        words += f"; {body['vacated']} are of people away or locked elsewhere" if body["vacated"] else ""
        words += f". Publish {body['schedule_id']} to put it in force."
        words += _change_words(body)
        if body["shortfall"]:
            words += f" {counted(body['shortfall'], 'place')} nobody can fill without breaking a rule."
    else:
        words = "Nothing in the roster has to change."
    words += wishes_words(body)
    if body["unavoidable"]:
        words += " What stays whatever is changed: " + " ".join(body["unavoidable"][:MOST_NAMED])
    if gone:
        words += f" {counted(gone, 'half-day')} of people who were away have passed and stay as they were."
    return words


def _change_words(body: Mapping[str, Any]) -> str:
    """Who takes over, a sentence for each run of days; then who is freed, by person."""
    words, freed = "", dict[str, list[str]]()
    for row in body["changes"]:
        days = row["date"] if row["date"] == row["until"] else f"{row['date']} to {row['until']}"
        if row["session"] in ("AM", "PM"):
            days += f" {row['session']}"
        if row["after"] == "free":
            freed.setdefault(row["person_name"], []).append(f"{row['before']} {days}")
        elif row["before"] == "free":
            words += f" {row['person_name']} takes {row['after']} {days}."
        else:
            words += f" {row['person_name']} goes from {row['before']} to {row['after']} {days}."
    if freed:
        told = [f"{name} of {', '.join(rows)}" for name, rows in freed.items()]
        words += f" Freed: {'; '.join(told)}."
    more = body["change_count"] - len(body["changes"])
    if more:
        words += f" And {more} more: compare_versions with schedule_id {body['schedule_id']} pages through all."
    return words
