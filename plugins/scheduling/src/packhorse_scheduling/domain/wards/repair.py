"""A roster put right with the least change; and the skills that people on a shift work with."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise

import numpy as np
from attrs import evolve, frozen

from packhorse_scheduling.domain.shifts.budget import Budget
from packhorse_scheduling.domain.wards.model import HARD_TO_SHORT, Model, short_price
from packhorse_scheduling.domain.wards.question import ANY, OFF, REST, Fixed, Past, Request, Ward
from packhorse_scheduling.domain.wards.roster import Count, Roster, count, fair_amount

PATIENCE = 60.0
"""Processor seconds at most; forty people and a month take about one."""


@frozen
class Absence:
    """Somebody is away on these days."""

    person: str
    first: int
    last: int


Change = tuple[int, int, int, int]
"""Person, day, shift before, shift after; `REST` for none."""


@frozen(eq=False)
class Repair:
    """The roster with as few cells changed as can be. ``proven``: nothing lawful changes fewer.

    Days of the absent are no changes.
    """

    roster: Roster
    count: Count
    changes: tuple[Change, ...]
    emptied: int
    proven: bool
    released: tuple[Fixed, ...] = ()
    """Cells and requests that bound the absent to work."""


def with_roles(ward: Ward, duty: Sequence[Sequence[int]]) -> Roster:
    """The roster of these shifts, with the skills that leave the least demand unmet."""
    grid = np.array(duty, dtype=np.int16).reshape(len(ward.people), ward.days)
    base = Roster(grid, np.full_like(grid, REST))
    if not ward.skills:
        return base
    model = Model(ward, base, np.zeros_like(grid, dtype=bool), elastic=("all",), roles=True)
    solved = model.solve(Budget(PATIENCE, time.process_time))
    return base if solved.roster is None else solved.roster


def _leave(ward: Ward, roster: Roster, away: Iterable[tuple[str, int]]) -> tuple[Request, ...]:
    """A request for each day away: the shift that is given up counts in the person's hours, if leave does not yet."""
    paid = {(one.person, d) for one in ward.requests if one.seconds for d in ward.asked(one)}
    found = []
    for person, d in away:
        k = int(roster.duty[ward.person_of[person], d])
        seconds = ward.shifts[k].seconds if k != REST and (person, d) not in paid else 0
        found.append(Request(person, d, d, OFF, seconds=seconds))
    return tuple(found)


def _released(ward: Ward, away: Collection[tuple[str, int]]) -> tuple[Ward, tuple[Fixed, ...]]:
    """The ward without what binds the absent to work on their days away, and what that was."""
    found: list[Fixed] = []
    requests: list[Request] = []
    for one in ward.requests:
        days = [d for d in ward.asked(one) if (one.person, d) in away]
        if one.weight is not None or one.wanted == (one.shift == OFF) or not days:
            requests.append(one)
            continue
        found += [Fixed(one.person, d, one.shift if one.wanted else ANY) for d in days]
        edges = [one.first - 1, *days, one.last + 1]
        requests += [evolve(one, first=a + 1, last=b - 1) for a, b in pairwise(edges) if b - a > 1]
    kept = tuple(one for one in ward.fixed if (one.person, one.day) not in away or one.shift == OFF)
    found += [one for one in ward.fixed if one not in kept]
    return evolve(ward, requests=tuple(requests), fixed=kept), tuple(dict.fromkeys(found))


def _carried(ward: Ward, roster: Roster, left: Roster) -> tuple[Past, ...]:
    """What the absent gave up is theirs in even shares, as it is in their hours."""
    found = []
    for e, past in enumerate(ward.past_of):
        carried = dict(past.carried)
        for fair in ward.fair:
            given = fair_amount(ward, roster, e, fair.count) - fair_amount(ward, left, e, fair.count)
            if given and fair.contract in (None, ward.people[e].contract):
                carried[fair.name] = carried.get(fair.name, 0) + given
        found.append(evolve(past, carried=carried))
    return tuple(found)


def repaired(
    ward: Ward,
    roster: Roster,
    absences: Sequence[Absence],
    first: int,
    *,
    clock: Callable[[], float] = time.process_time,
) -> tuple[Ward, Repair]:
    """The ward with these absences, and its roster put right from day ``first`` on; days before stay.

    What bound the absent to work on their days away gives way. The least that is needed and hard rules come first, then
    the number of changed cells of people who are there, and what soft rules cost last.
    """
    away = dict.fromkeys(
        (one.person, d) for one in absences for d in range(max(0, one.first), min(ward.days, one.last + 1))
    )
    duty, role = roster.duty.copy(), roster.role.copy()
    emptied = 0
    for person, d in away:
        if d >= first:
            e = ward.person_of[person]
            emptied += int(duty[e, d] != REST)
            duty[e, d] = role[e, d] = REST
    left = Roster(duty, role)
    eased, released = _released(ward, away)
    requests = (*eased.requests, *_leave(ward, roster, away))
    question = evolve(eased, requests=requests, past=_carried(ward, roster, left))
    free = np.zeros(duty.shape, dtype=bool)
    free[:, first:] = True
    budget = Budget(PATIENCE, clock)
    least = _least(question, left, free, budget)
    if least is None:
        return question, Repair(left, count(question, left), (), emptied, proven=False, released=released)
    repair, changed, proven = least
    better = _cheapest(question, left, repair, free & _near(question, repair, left), changed, budget)
    changes = tuple(
        (e, d, int(duty[e, d]), int(better.duty[e, d])) for e, d in np.argwhere(better.duty != duty).tolist()
    )
    return question, Repair(better, count(question, better), changes, emptied, proven, released)


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
