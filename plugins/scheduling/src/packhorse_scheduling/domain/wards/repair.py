"""A roster put right with the least change; and the skills that people on a shift work with."""

import time
from collections.abc import Callable, Sequence

import numpy as np
from attrs import evolve, frozen

from packhorse_scheduling.domain.shifts.budget import Budget
from packhorse_scheduling.domain.wards.model import HARD_TO_SHORT, Model, short_price
from packhorse_scheduling.domain.wards.question import OFF, REST, Request, Ward
from packhorse_scheduling.domain.wards.roster import Count, Roster, count

PATIENCE = 60.0
"""Processor seconds at most; forty people and a month take about one."""


@frozen
class Absence:
    """Somebody is away on these days."""

    person: str
    first: int
    last: int


@frozen(eq=False)
class Repair:
    """The roster with as few cells changed as can be. ``proven``: nothing lawful changes fewer.

    ``changes``: (person, day, shift before, shift after), `REST` for none; those of the absent are not counted as such.
    """

    roster: Roster
    count: Count
    changes: tuple[tuple[int, int, int, int], ...]
    emptied: int
    proven: bool


def with_roles(ward: Ward, duty: Sequence[Sequence[int]]) -> Roster:
    """The roster of these shifts, with the skills that leave the least demand unmet."""
    grid = np.array(duty, dtype=np.int16).reshape(len(ward.people), ward.days)
    base = Roster(grid, np.full_like(grid, REST))
    if not ward.skills:
        return base
    model = Model(ward, base, np.zeros_like(grid, dtype=bool), elastic=("all",), roles=True)
    solved = model.solve(Budget(PATIENCE, time.process_time))
    return base if solved.roster is None else solved.roster


def leave_of(ward: Ward, roster: Roster, absences: Sequence[Absence]) -> tuple[Request, ...]:
    """The absences as leave, a request for each day: the shift that is given up counts in the person's hours."""
    found = {}
    for one in absences:
        for d in range(max(0, one.first), min(ward.days, one.last + 1)):
            k = int(roster.duty[ward.person_of[one.person], d])
            minutes = ward.shifts[k].minutes if k != REST else 0
            found[one.person, d] = Request(one.person, d, d, OFF, minutes=minutes)
    return tuple(found.values())


def repaired(
    ward: Ward,
    roster: Roster,
    absences: Sequence[Absence],
    first: int,
    *,
    clock: Callable[[], float] = time.process_time,
) -> tuple[Ward, Repair]:
    """The ward with these absences, and its roster put right from day ``first`` on; days before stay.

    The least that is needed and hard rules come first, then the number of changed cells of people who are there, and
    what soft rules cost last.
    """
    away = leave_of(ward, roster, absences)
    question = evolve(ward, requests=(*ward.requests, *away))
    duty, role = roster.duty.copy(), roster.role.copy()
    emptied = 0
    for one in away:
        if one.first >= first:
            e = ward.person_of[one.person]
            emptied += int(duty[e, one.first] != REST)
            duty[e, one.first] = role[e, one.first] = REST
    left = Roster(duty, role)
    free = np.zeros(duty.shape, dtype=bool)
    free[:, first:] = True
    budget = Budget(PATIENCE, clock)
    least = _least(question, left, free, budget)
    if least is None:
        return question, Repair(left, count(question, left), (), emptied, proven=False)
    repair, changed, proven = least
    better = _cheapest(question, left, repair, free & _near(question, repair, left), changed, budget)
    changes = tuple(
        (e, d, int(duty[e, d]), int(better.duty[e, d])) for e, d in np.argwhere(better.duty != duty).tolist()
    )
    return question, Repair(better, count(question, better), changes, emptied, proven)


def _least(ward: Ward, left: Roster, free: "np.ndarray", budget: Budget) -> tuple[Roster, int, bool] | None:
    """As few hard rules broken and people short as can be, and then as few changes."""
    model = Model(ward, left, free, elastic=("all",), soft=False)
    model.change_from(left, 1)
    model.hint(left)
    solved = model.solve(budget, relaxation=1)
    if solved.roster is None:
        return None
    return solved.roster, int((solved.roster.duty != left.duty).sum()), solved.optimal


def _near(ward: Ward, repair: Roster, left: Roster) -> "np.ndarray":
    """Days with changes: another repair with as few is sought there."""
    days = (repair.duty != left.duty).any(axis=0)
    return np.broadcast_to(days, repair.duty.shape)


def _cheapest(
    ward: Ward,
    left: Roster,
    repair: Roster,
    free: "np.ndarray",
    changed: int,
    budget: Budget,
) -> Roster:
    """Among repairs with no more changes on the same days, the one that costs least in soft rules."""
    if not changed:
        return repair
    model = Model(ward, repair, free, elastic=("all",))
    model.change_from(left, HARD_TO_SHORT * short_price(ward))
    model.hint(repair)
    solved = model.solve(Budget(min(budget.left, CHEAPEST), budget.clock), relaxation=1)
    if solved.roster is None or int((solved.roster.duty != left.duty).sum()) > changed:
        return repair
    before, after = count(ward, repair), count(ward, solved.roster)
    worse = sum(b.amount for b in after.hard) > sum(b.amount for b in before.hard) or after.short > before.short
    return repair if worse or after.cost > before.cost else solved.roster


CHEAPEST = 0.7
"""Processor seconds for the choice among repairs with equally few changes."""
