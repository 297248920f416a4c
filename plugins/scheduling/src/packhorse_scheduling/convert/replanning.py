"""The answer about a block of the rotation plan: why it is so, or what an edit would change."""

from collections import Counter
from datetime import date
from typing import Any

from packhorse_scheduling.domain.change.comparison import PersonDifference, compare
from packhorse_scheduling.domain.change.judging import judge_change
from packhorse_scheduling.domain.change.replan import Edit
from packhorse_scheduling.domain.insight.stays import StayReason
from packhorse_scheduling.domain.insight.wording import counted, listing, violation_words
from packhorse_scheduling.domain.programme.calendar import name_id
from packhorse_scheduling.domain.rules.codes import CURRICULUM, ROTATION
from packhorse_scheduling.domain.rules.opened import Opened

MOST_TOLD = 10
_WORD = {
    "locked": "the programme locks it",
    "solved": "the solver chose it",
    "manual": "somebody set or imported it",
}


def stay_from(opened: "Opened", reason: "StayReason") -> dict[str, Any]:
    """Why a person is on a rotation."""
    programme, stay = opened.programme, reason.stay
    name = next(one.name for one in programme.rotations if one.code == stay.rotation)
    who = programme.people[opened.kernel.person_of[stay.person]]
    team = counted(reason.team, "resident is", "residents are")
    units = counted(reason.done, "unit")
    reasons = [
        f"{who.name} is on {name} from {stay.first} to {stay.last} by the rotation plan: {_WORD[stay.source]}.",
        f"{team} on it then; at least {reason.least} must be, at most {reason.most} may.",
        f"{units} of it in the year; PGY-{who.pgy} must have {reason.required} and may have {reason.allowed}.",
    ]
    others = [programme.people[q].name for q in reason.others]
    reasons.append(
        f"{listing(others)} could exchange this block with no new warning about the plan."
        if others
        else "Nobody could exchange this block without a new warning about the plan."
    )
    return {
        "person_id": name_id("person", stay.person),
        "first": reason.first.isoformat(),
        "last": reason.last.isoformat(),
        "rotation": stay.rotation,
        "done": False,
        "reasons": reasons,
        "could_exchange": others[:MOST_TOLD],
    }


def edit_from(edit: "Edit", today: date) -> dict[str, Any]:
    """What an edit changes: half-days by person, and what it newly breaks or warns of."""
    kernel, programme = edit.after.kernel, edit.after.programme
    changed = Counter(p for p, *_ in edit.found.cells)
    added = judge_change(edit.before, edit.after, today).added
    known = set(_warnings(edit.before))
    warned = [words for words in _warnings(edit.after) if words not in known]
    who = programme.people[edit.people[0]]
    codes = [one.rotation for one in kernel.plan if one.person == who.key and one.first <= edit.first <= one.last]
    return {
        "person_id": who.id,
        "first": edit.first.isoformat(),
        "last": edit.last.isoformat(),
        "rotation": next(iter(codes), "none"),
        "done": False,
        "changed_half_days": len(edit.found.cells),
        "changed": [
            {"person_name": programme.people[p].name, "half_days": n} for p, n in changed.most_common(MOST_TOLD)
        ],
        "burdens": [
            f"{programme.people[kernel.person_of[one.person]].name} {_burden_words(one)}"
            for one in compare(edit.before, edit.after)
            if one.burdens
        ],
        "proven_minimal": edit.found.proven,
        "shortfall": edit.found.shortfall,
        "new_violations": [violation_words(kernel, one) for one in added[:MOST_TOLD]],
        "new_warnings": warned[:MOST_TOLD],
        "warning_count": len(warned),
    }


def _burden_words(one: "PersonDifference") -> str:
    """Such as "+2 nights, -1 holiday"."""
    return ", ".join(f"{n:+d} {noun if abs(n) == 1 else f'{noun}s'}" for noun, n in one.burdens.items())


def edit_words(edit: "Edit", body: dict[str, Any]) -> str:
    """The same in sentences."""
    names = [edit.after.programme.people[p].name for p in edit.people]
    days = f"from {body['first']} to {body['last']}"
    words = (
        f"{names[0]} and {names[1]} exchange their blocks {days}"
        if len(names) == 2
        else f"{names[0]} is on {body['rotation']} {days}"
    )
    words += f": {counted(body['changed_half_days'], 'half-day')} of"
    words += f" {counted(len({p for p, *_ in edit.found.cells}), 'person', 'people')} change."
    if body["burdens"]:
        more = len(body["burdens"]) - MOST_TOLD
        words += f" Moved with it: {'; '.join(body['burdens'][:MOST_TOLD])}{f'; and {more} more' if more > 0 else ''}."
    broken = body["new_violations"]
    words += f" It would break: {' '.join(broken[:3])}" if broken else " It breaks no rule."
    if body["warning_count"]:
        words += f" {counted(body['warning_count'], 'new warning')}: {' '.join(body['new_warnings'][:3])}"
    return words


def _warnings(opened: "Opened") -> list[str]:
    """About the plan itself, then about half-days off it."""
    found = [*opened.violations((CURRICULUM,)), *opened.violations((ROTATION,))]
    return list(dict.fromkeys(violation_words(opened.kernel, one) for one in found))
