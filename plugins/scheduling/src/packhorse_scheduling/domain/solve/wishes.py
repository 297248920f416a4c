"""What makes one lawful roster better than another: costs added to a `Model`.

Weights are our own choice, in one place. They are ordered: rest below eight
hours (`model.SHORT_REST_COST`), wishes, work far from the target, fairness,
days in one place, and last the main service of the rotation before its others.
"""

from collections.abc import Sequence

import numpy as np
from attrs import define, field, frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.roster.arrays import Grid, Ints
from packhorse_scheduling.domain.roster.duties import Duties
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.posting import Var
from packhorse_scheduling.domain.rules.supervision import FACULTY
from packhorse_scheduling.domain.solve.keeping import CHURN, keep
from packhorse_scheduling.domain.solve.model import SECOND_COST, Model
from packhorse_scheduling.domain.solve.transitions import transitions

WISH = 8
"""Per unit of a preference's weight."""
BELOW = 3
"""Per half-day under the target share of a person's available half-days; nothing asks for more."""
SPARE = 1
"""Half-days under the target that cost nothing in a block: days are worked whole, and the share of a fortnight is not.

Of eight fortnights of twelve residents one stayed open after three deterministic units with it, and three without it;
they took .9 CPU-seconds (median), and 2.7 without it."""
AHEAD, BEHIND = 1, 2
"""Half-days that a person is ahead of the target or behind it elsewhere in the year and that a block makes good."""
FAIR = 12
"""Per weekend day, night or holiday of the person who has most of them so far this year."""
LOAD = 2
"""Per half-day of the faculty member who has most of them so far this year."""
ASIDE = 1
"""Per half-day on a rotation's second service and beyond."""
HALVES = 4
"""Per day with an inpatient service in one half and not in the other."""


@frozen
class Aims:
    """What generation is asked for besides the rules. ``was`` is a roster in force, to be changed as little as pays."""

    target_utilization: float = 0.75
    prioritize_fairness: bool = True
    respect_preferences: bool = True
    was: "Grid | None" = field(default=None, eq=False, repr=False)
    carried: "Duties | None" = field(default=None, eq=False, repr=False)
    """What everybody has from the years before."""
    churn: int = CHURN
    """Cost of a half-day that differs from ``was``."""


@define(slots=False, eq=False)
class Tally:
    """What each person has had so far this year, carried from block to block."""

    kernel: "Kernel"
    weekends: "Ints" = field(init=False)
    nights: "Ints" = field(init=False)
    load: "Ints" = field(init=False)
    worked: "Ints" = field(init=False)
    present: "Ints" = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.weekends = np.zeros(self.kernel.P, np.int32)
        self.nights = np.zeros(self.kernel.P, np.int32)
        self.load = np.zeros(self.kernel.P, np.int32)
        self.worked = np.zeros(self.kernel.P, np.int32)
        self.present = np.zeros(self.kernel.P, np.int32)

    def add(self, grid: "Grid", persons: "Sequence[int]", first: int, last: int) -> None:
        """Count a block once it is settled."""
        kernel = self.kernel
        rows = list(persons)
        days = grid[rows, first : last + 1]
        on = days >= 0
        special = (kernel.weekend | kernel.holiday)[first : last + 1]
        self.weekends[rows] += on[:, special].any(axis=2).sum(axis=1)
        self.nights[rows] += kernel.overnight[days[:, :, 1]].sum(axis=1)
        self.load[rows] += on.sum(axis=(1, 2))
        self.worked[rows] += on.sum(axis=(1, 2))
        self.present[rows] += 2 * (~kernel.away[rows, first : last + 1]).sum(axis=1)

    def behind(self, share: float) -> "Ints":
        """Half-days under the share of those a person was there for, over it where negative."""
        return np.asarray(np.rint(share * self.present) - self.worked, np.int32)


def wish(model: "Model", aims: Aims, tally: Tally, main: "Ints") -> None:
    """Add every cost. ``main[person, day]`` is the main service of the person's rotation, or -1."""
    if aims.respect_preferences:
        preferences(model, model.kernel.programme)
    _target(model, aims.target_utilization, tally)
    if aims.prioritize_fairness:
        _fairness(model, tally)
    for p in model.persons:
        _homes(model, p, main[p].tolist())
        _halves(model, p)
    if aims.was is not None:
        keep(model, aims.was, aims.churn)
    _seconds(model)
    transitions(model)


def preferences(model: "Model", programme: Programme) -> None:
    """A cost for each wish of these days that is not met."""
    kernel = model.kernel
    for row in programme.preferences:
        p, d = kernel.person_of[row.person], kernel.day_of(row.day)
        if p not in model.inside or not model.first <= d <= model.last:
            continue
        sessions = (0, 1) if row.session is None else (int(row.session == "PM"),)
        literals = [
            v
            for h in sessions
            for s, v in model.cell(p, d, h).items()
            if row.service is None or s == kernel.service_of[row.service]
        ]
        if not literals:
            continue
        if row.avoid:
            hurt = model.cp.new_bool_var("")
            model.cp.add(cp_model.LinearExpr.sum(literals) <= len(literals) * hurt)
            model.costs.append((hurt, WISH * row.weight))
        else:
            kept = model.cp.new_bool_var("")
            model.cp.add(cp_model.LinearExpr.sum(literals) >= kept)
            model.costs.append((kept, -WISH * row.weight))


def _target(model: "Model", share: float, tally: Tally) -> None:
    kernel = model.kernel
    due = np.clip(tally.behind(share), -AHEAD, BEHIND) - SPARE
    for p in model.persons:
        days = range(model.first, model.last + 1)
        literals = [v for d in days for h in (0, 1) for v in model.cell(p, d, h).values()]
        constant = sum(
            (model.value(p, d, h) or 0) >= 0 for d in days for h in (0, 1) if model.value(p, d, h) is not None
        )
        present = 2 * int((~kernel.away[p, model.first : model.last + 1]).sum())
        goal = round(share * present) + int(due[p]) - constant
        if not literals or goal <= 0:
            continue
        total = cp_model.LinearExpr.sum(literals)
        under = model.cp.new_int_var(0, goal, "")
        model.cp.add(total + under >= goal)
        model.costs.append((under, BELOW))


def _fairness(model: "Model", tally: Tally) -> None:
    kernel = model.kernel
    special = [d for d in range(model.first, model.last + 1) if kernel.weekend[d] or kernel.holiday[d]]
    for group in model.groups:
        members = [p for p in model.persons if kernel.group[p] == group]
        if len(members) < 2:
            continue
        _least_most(model, {p: _days(model, p, special) for p in members}, tally.weekends, FAIR)
        _least_most(model, {p: _nights(model, p) for p in members}, tally.nights, FAIR)
        if kernel.teaches[members[0]]:
            every = range(model.first, model.last + 1)
            loads = {
                p: [v for d in every for h in (0, 1) for s, v in model.cell(p, d, h).items() if not kernel.fills[s]]
                for p in members
            }
            _least_most(model, loads, tally.load, LOAD)


def _days(model: "Model", p: int, days: list[int]) -> "list[Var]":
    return [var for d in days if (var := model.worked(p, d)[0]) is not None]


def _nights(model: "Model", p: int) -> "list[Var]":
    overnight = model.kernel.overnight
    return [v for d in range(model.first, model.last + 1) for s, v in model.cell(p, d, 1).items() if overnight[s]]


def _least_most(model: "Model", literals: "dict[int, list[Var]]", so_far: "Ints", weight: int) -> None:
    """Keep the largest total so far as small as can be, above the smallest that anybody has already."""
    if not any(literals.values()):
        return
    floor = int(min(so_far[p] for p in literals))
    top = model.cp.new_int_var(
        0, int(max(so_far[p] for p in literals)) - floor + 2 * (model.last - model.first + 1), ""
    )
    for p, mine in literals.items():
        model.cp.add(cp_model.LinearExpr.sum(mine) + int(so_far[p]) - floor <= top)
    model.costs.append((top, weight))


def _homes(model: "Model", p: int, main: list[int]) -> None:
    for d, _, s, v in model.choices(p):
        if main[d] >= 0 and s != main[d]:
            model.costs.append((v, ASIDE))


def _halves(model: "Model", p: int) -> None:
    """Days in one place: a literal for every day that has a service in one half alone."""
    kernel = model.kernel
    whole = np.array([service.kind == "inpatient" for service in kernel.programme.services]) & ~kernel.overnight[:-1]
    for d in range(model.first, model.last + 1):
        for s in np.flatnonzero(whole & kernel.open.all(axis=1)).tolist():
            halves = [model.value(p, d, h) for h in (0, 1)]
            literals = [model.cell(p, d, h).get(s) for h in (0, 1)]
            known = [None if v is not None else int(value == s) for v, value in zip(literals, halves, strict=True)]
            _differing(model, literals, known)


def _differing(model: "Model", literals: "Sequence[Var | None]", known: "Sequence[int | None]") -> None:
    """A cost where the two are not the same; of a cell that has no such literal its constant is known."""
    (a, b), (x, y) = literals, known
    if a is not None and b is not None:
        differ = model.cp.new_bool_var("")
        model.cp.add(a - b <= differ)
        model.cp.add(b - a <= differ)
        model.costs.append((differ, HALVES))
    elif (open_one := a if a is not None else b) is not None:
        model.costs.append((open_one, -HALVES if (y if a is not None else x) else HALVES))


def _seconds(model: "Model") -> None:
    """Faculty beside the attending of an inpatient service."""
    kernel = model.kernel
    for s, service in enumerate(kernel.programme.services):
        if service.kind != "inpatient" or service.overnight:
            continue
        for d in range(max(model.first, kernel.tail), model.last + 1):
            for h in (0, 1):
                literals, there = model.present(FACULTY, s, d, h)
                if there:
                    model.costs += [(v, SECOND_COST) for v in literals]
