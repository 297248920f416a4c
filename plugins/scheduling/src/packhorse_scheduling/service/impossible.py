"""Refusals where there is no roster: the smallest clash, who is left, the cheapest ways out, the least repair."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from packhorse import UserError
from packhorse_scheduling.domain.change.replan import unit_at
from packhorse_scheduling.domain.insight.explain import Explanation
from packhorse_scheduling.domain.insight.locking import ways_words
from packhorse_scheduling.domain.insight.wording import (
    counted,
    gathered_words,
    grid_fault_words,
    left_words,
    requirement_words,
)
from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.solve.guards import Requirement
from packhorse_scheduling.domain.solve.year import Impossible, Mode, TooLong
from packhorse_scheduling.errors import not_generated

MOST_FAULTS = 5
"""Faults of a rotation grid told in a refusal; its details hold all."""
MOST_TOLD = 4
"""Changes of a repair that its answer puts in words."""


def impossible(
    kernel: "Kernel", outcome: "Impossible", mode: "Mode", parent: "Opened | None", today: "date"
) -> "UserError":
    """Why there is no roster, or no grid of rotations, and what to do about it."""
    if outcome.stage == "rotations":
        from packhorse_scheduling.domain.insight.plan_conflicts import explain_plan

        why = explain_plan(kernel, outcome.first, outcome.last)
        if why is not None:
            return _clash(kernel, why, parent, today, stage="rotations")
        faults = [grid_fault_words(kernel, fault) for fault in outcome.faults]
        return not_generated(
            "There is no grid of four-week rotations that keeps everything asked of it. The nearest to one misses: "
            + "; ".join(faults[:MOST_FAULTS])
            + (f"; and {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else "")
            + ". Give these up, ease a rotation's least or required count, or move leave.",
            stage="rotations",
            faults=faults,
        )
    from packhorse_scheduling.domain.insight.explain import explain

    found = explain(kernel, outcome.first, outcome.last)
    if found is None:
        return not_generated(
            "The programme has a roster on these days, but none around the assignments that mode"
            f" {mode} keeps: repair_schedule mends every open collision with the fewest changes, and mode FULL"
            " makes the days again.",
            mode=mode,
        )
    return _clash(kernel, found, parent, today)


def undecided(kernel: "Kernel", outcome: "TooLong", parent: "Opened | None", today: "date", left: str) -> "UserError":
    """No roster and no proof of there being none: a clash of the locks where they have one, else what is locked."""
    from packhorse_scheduling.domain.insight.explain import explain

    held = [lock for lock in kernel.programme.locks if outcome.first <= kernel.day_of(lock.day) <= outcome.last]
    found = explain(kernel, outcome.first, outcome.last) if held else None
    if found is not None:
        return _clash(kernel, found, parent, today)
    names = {person.key: person.name for person in kernel.programme.people}
    words = f"No roster was found up to {kernel.date_of(outcome.last)} within the effort allowed, nor a proof that"
    words += " there is none."
    if held:
        told = [f"{names[one.person]} {one.service or 'free'} on {one.day} {one.session}" for one in held[:MOST_TOLD]]
        words += f" {counted(len(held), 'half-day is', 'half-days are')} locked on these days"
        words += f" ({'; '.join(told)}{'; ...' if len(held) > MOST_TOLD else ''}): take one away, or ease a demand."
    else:
        words += " Ease a demand, or make fewer days at a time."
    return not_generated(f"{words} {left}", stage=outcome.stage)


def _clash(
    kernel: "Kernel", found: "Explanation", parent: "Opened | None", today: "date", **details: str
) -> "UserError":
    def told(members: "Sequence[Requirement]") -> list[dict[str, str]]:
        return [{"rule": member.code, "words": requirement_words(kernel, member)} for member in members]

    clash = told(found.conflict)
    message = f"These cannot all hold: {'; '.join(gathered_words(kernel, found.conflict))}."
    message += "".join(f" {words}" for words in left_words(kernel, found.conflict))
    message += ways_words(kernel, found.ways)
    message += begun_words(kernel, found)
    message += repair_words(kernel, found, parent, today)
    if any(row["rule"] == "MINIMUM_STAFFING" for row in clash):
        message += (
            " With enforce_acgme_compliance false (--no-enforce in a terminal), a draft is made that leaves as few"
            " places empty as possible; it is marked VIOLATIONS and cannot be published."
        )
    ways = [told(way) for way in found.ways]
    return not_generated(message, conflict=clash, relaxation=ways[0] if ways else None, ways=ways, **details)


def begun_words(kernel: "Kernel", found: "Explanation") -> str:
    """How to keep a lock of a rotation that stands against a unit which has begun; nothing without one."""
    begun = [one for one in found.conflict if one.code == "ROTATION_BEGUN"]
    if not begun:
        return ""
    programme = kernel.programme
    who = programme.people[begun[0].person].name
    locks = [programme.rotation_locks[one.number] for one in found.conflict if one.code == "ROTATION_LOCK"]
    to = next((lock.rotation for lock in locks if not lock.avoid), "another rotation")
    _, last = unit_at(programme, kernel.date_of(begun[0].day))
    return (
        f" To keep the lock, let change_rotation put {who} on {to} for the rest of the unit, to {last}, and publish"
        " that; or let the lock begin after it."
    )


def repair_words(kernel: "Kernel", found: "Explanation", parent: "Opened | None", today: "date") -> str:
    """What the least repair of the roster in force changes that keeps the locks of a clash; nothing without one."""
    from packhorse_scheduling.domain.change.repair import repair

    if parent is None or not any(one.code == "LOCKED_ASSIGNMENT" for one in found.conflict):
        return ""
    mended = repair(kernel, parent.grid, today=kernel.day_of(today))
    if mended is None or mended.shortfall:
        return ""
    people, services = kernel.programme.people, kernel.programme.services
    cells = [(p, d, h) for p, d, h in np.argwhere(mended.grid != parent.grid).tolist() if mended.grid[p, d, h] != FREE]
    told = [
        f"{people[p].name} takes {services[mended.grid[p, d, h]].name} on {kernel.date_of(d)} {SESSIONS[h]}"
        for p, d, h in cells
    ]
    count = len(mended.vacated) + len(mended.changed)
    words = f" The roster in force keeps the locks with {counted(count, 'changed half-day')}"
    words += ", proved least" if mended.proven else ""
    more = f"; and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
    return f"{words} (repair_schedule): {'; '.join(told[:MOST_TOLD]) or 'nobody takes anything over'}{more}."
