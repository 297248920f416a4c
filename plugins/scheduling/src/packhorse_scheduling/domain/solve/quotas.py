"""How many units of each rotation each resident has: counts alone, before any unit is given."""

import numpy as np
from attrs import evolve
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.roster.plan import UNIT_DAYS, units_of
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.grid import RotationGrid
from packhorse_scheduling.domain.solve.search import Effort, lone_solver

Ranges = dict[tuple[int, int], tuple[int, int]]
"""Person and rotation to the least and the most units."""
WITHIN, OVERALL = 3, 1
"""What a unit of difference costs in the quota table: between people of one year of training, and between all.

Evenness within the years alone would let one year take all nights.
"""
IDLE, SHARE = 4, 0.75
"""Cost in the quota table of a unit in which a rotation has no work for one more, at this share of a person's
half-days. Our choice: the sample's residents worked .64 of theirs without it, and .70 with it."""
_RESIDENT = ROLES.index("RESIDENT")
_EVERYBODY = -1


def _room(kernel: "Kernel", k: int) -> int:
    """Units of a rotation that its services have work for; what fills has no end."""
    codes = [kernel.service_of[code] for code in kernel.programme.rotations[k].services]
    if kernel.fills[codes].any():
        return len(units_of(kernel.programme.year)) * kernel.P
    places = np.minimum(kernel.most[_RESIDENT, codes, kernel.tail :], kernel.P).sum()
    return int(places / (2 * SHARE * UNIT_DAYS))


def quotas(grid: "RotationGrid", effort: Effort) -> Ranges | None:
    """Least and most units of each rotation for each person: the most even table within each year of training.

    Counts alone, so a table need not have a grid. None where there is no table, or none in time.
    """
    cp = cp_model.CpModel()
    programme, count = grid.kernel.programme, len(grid.units)
    n_of: dict[tuple[int, int], cp_model.IntVar] = {}
    for p in grid.residents:
        for k in range(len(programme.rotations)):
            there = grid.done(p, k)
            open_to = there + sum(k in grid.choices.get((p, n), ()) for n in range(count))
            required, allowed = grid.asked_of(p, k)
            most = min(open_to, max(allowed, there))
            least = max(there, required)
            if least > most:
                return None
            n_of[p, k] = cp.new_int_var(least, most, "")
        total = sum(grid.done(p, k) for k in range(len(programme.rotations)))
        total += sum((p, n) in grid.choices for n in range(count))
        cp.add(cp_model.LinearExpr.sum([n_of[p, k] for k in range(len(programme.rotations))]) == total)
    idles: list[tuple[cp_model.IntVar, int]] = []
    on_leave = {k for k, rotation in enumerate(programme.rotations) if rotation.leave}
    for p in grid.residents:
        tied = sum(bool(ks) and set(ks) <= on_leave for n in range(count) if (ks := grid.choices.get((p, n), [])))
        cp.add(cp_model.LinearExpr.sum([n_of[p, k] for k in on_leave]) >= tied)
    for k, rotation in enumerate(programme.rotations):
        everybody = cp_model.LinearExpr.sum([n_of[p, k] for p in grid.residents])
        if k not in grid.weekly:
            cp.add(everybody >= rotation.least * count)
        cp.add(everybody <= rotation.most * count)
        idle = cp.new_int_var(0, len(grid.residents) * count, "")
        cp.add(everybody <= _room(grid.kernel, k) + idle)
        idles.append((idle, IDLE))
    spreads: list[tuple[cp_model.IntVar, int]] = [*idles]
    classes: dict[int, list[int]] = {}
    for p in grid.residents:
        classes.setdefault(programme.people[p].pgy or 0, []).append(p)
    edges: dict[tuple[int, int], tuple[cp_model.IntVar, cp_model.IntVar]] = {}
    for k in range(len(programme.rotations)):
        for pgy, members in (*classes.items(), (_EVERYBODY, grid.residents)):
            low, high = cp.new_int_var(0, count, ""), cp.new_int_var(0, count, "")
            for p in members:
                cp.add(n_of[p, k] >= low)
                cp.add(n_of[p, k] <= high)
            edges[pgy, k] = low, high
            price = OVERALL if pgy == _EVERYBODY else WITHIN
            spreads += [(high, price), (low, -price)]
    cp.minimize(cp_model.LinearExpr.weighted_sum([v for v, _ in spreads], [w for _, w in spreads]))
    solver = lone_solver(evolve(effort, gap=0), effort.units)
    if solver.solve(cp) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {
        (p, k): (solver.value(edges[pgy, k][0]), solver.value(edges[pgy, k][1]))
        for pgy, members in classes.items()
        for p in members
        for k in range(len(programme.rotations))
    }
