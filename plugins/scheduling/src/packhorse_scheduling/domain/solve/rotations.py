"""Which rotation each resident has in each four-week period."""

from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.services import LEAVE_FREE_DAYS
from packhorse_scheduling.domain.solve.search import Effort, lone_solver, solver_for

if TYPE_CHECKING:
    from packhorse_scheduling.domain.kernel import Bools, Grid, Ints, Kernel


@frozen(eq=False)
class Rotations:
    """``by_period[person, period]`` is a rotation's number, or -1 for those who do not rotate."""

    kernel: "Kernel"
    periods: tuple[tuple[int, int], ...]
    by_period: "Ints"

    def allowed(self) -> "Bools":
        """``bool[P, S, D]``: what each person may do on each day."""
        kernel = self.kernel
        mask = np.ones((kernel.P, kernel.S, kernel.D), bool)
        services = [
            np.isin(np.arange(kernel.S), [kernel.service_of[code] for code in rotation.services])
            for rotation in kernel.programme.rotations
        ]
        for p in range(kernel.P):
            for n, (first, end) in enumerate(self.periods):
                if self.by_period[p, n] >= 0:
                    mask[p, :, first:end] = services[self.by_period[p, n]][:, None]
        return mask

    def home(self, p: int, period: int) -> list[int]:
        """The services of a person's rotation, the main one first."""
        number = int(self.by_period[p, period])
        if number < 0:
            return []
        return [self.kernel.service_of[code] for code in self.kernel.programme.rotations[number].services]


def rotate(kernel: "Kernel", effort: Effort, near: "Grid | None" = None) -> Rotations | None:
    """The grid of rotations, or None when there is none.

    Hard: one rotation per resident and period; the year of training; enough
    residents present every day and not too many; long leave only where the
    rotation allows it; the periods that the curriculum requires. Soft: equal
    shares of each rotation within a year of training, and no rotation twice in
    a row. ``near`` is a roster whose rotations should be kept.

    Raises:
        TimeoutError: neither a grid nor a proof within the effort.
    """
    programme = kernel.programme
    periods = tuple((first + kernel.tail, end + kernel.tail) for first, end in programme.year.periods())
    by_period = np.full((kernel.P, len(periods)), -1, np.int32)
    residents = [p for p, person in enumerate(programme.people) if person.role == "RESIDENT"]
    if not programme.rotations or not residents:
        return Rotations(kernel, periods, by_period)
    cp = cp_model.CpModel()
    x = {
        (p, n, k): cp.new_bool_var("")
        for p in residents
        for n, (first, end) in enumerate(periods)
        for k, rotation in enumerate(programme.rotations)
        if programme.people[p].pgy in rotation.pgy
        and (rotation.leave or int(kernel.away[p, first:end].sum()) <= LEAVE_FREE_DAYS)
    }
    _presence(cp, kernel, periods, x)
    costs = _curriculum(cp, kernel, len(periods), x)
    if near is not None:
        for (p, n, k), v in x.items():
            first, end = periods[n]
            codes = {kernel.service_of[code] for code in programme.rotations[k].services}
            done = near[p, first:end]
            costs.append((v, int((~np.isin(done[done >= 0], list(codes))).sum())))
    cp.minimize(cp_model.LinearExpr.weighted_sum([v for v, _ in costs], [w for _, w in costs]) if costs else 0)
    solver = lone_solver(effort, effort.units)  # one worker, so that its INFEASIBLE can be believed
    status = solver.solve(cp)
    if status == cp_model.UNKNOWN:
        solver = solver_for(effort)
        status = solver.solve(cp)
        if status == cp_model.INFEASIBLE:
            solver = solver_for(evolve(effort, workers=1))
            status = solver.solve(cp)
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise TimeoutError
    for (p, n, k), v in x.items():
        if solver.boolean_value(v):
            by_period[p, n] = k
    return Rotations(kernel, periods, by_period)


Choice = dict[tuple[int, int, int], cp_model.IntVar]
"""Person, period and rotation to a literal."""
Costs = list[tuple[cp_model.IntVar, int]]


def _presence(cp: cp_model.CpModel, kernel: "Kernel", periods: tuple[tuple[int, int], ...], x: Choice) -> None:
    """One rotation each; on every day enough of a team present, and never too many on it."""
    rotations = kernel.programme.rotations
    residents = sorted({p for p, _, _ in x})
    for p in residents:
        for n in range(len(periods)):
            cp.add_exactly_one([x[p, n, k] for k in range(len(rotations)) if (p, n, k) in x])
    for k, rotation in enumerate(rotations):
        for n, (first, end) in enumerate(periods):
            mine = [(p, x[p, n, k]) for p in residents if (p, n, k) in x]
            cp.add(cp_model.LinearExpr.sum([v for _, v in mine]) <= rotation.most)
            for away in {tuple(kernel.away[[p for p, _ in mine], d].tolist()) for d in range(first, end)}:
                present = [v for (_, v), gone in zip(mine, away, strict=True) if not gone]
                cp.add(cp_model.LinearExpr.sum(present) >= rotation.least)


def _curriculum(cp: cp_model.CpModel, kernel: "Kernel", count: int, x: Choice) -> Costs:
    """The periods that a year of training requires; equal shares within the year and none twice running, at a cost."""
    costs: Costs = []
    programme = kernel.programme
    residents = sorted({p for p, _, _ in x})
    for k, rotation in enumerate(programme.rotations):
        shares: dict[int, list[list[cp_model.IntVar]]] = {}
        for p in residents:
            pgy = programme.people[p].pgy or 0
            mine = {n: x[p, n, k] for n in range(count) if (p, n, k) in x}
            required = rotation.required.get(pgy, 0) * count // 13
            if required:
                cp.add(cp_model.LinearExpr.sum(list(mine.values())) >= required)
            shares.setdefault(pgy, []).append(list(mine.values()))
            for n in range(count - 1):
                if n in mine and n + 1 in mine:
                    twice = cp.new_bool_var("")
                    cp.add(mine[n] + mine[n + 1] <= 1 + twice)
                    costs.append((twice, TWICE))
        for same_year in shares.values():
            top = cp.new_int_var(0, count, "")
            for share in same_year:
                cp.add(cp_model.LinearExpr.sum(share) <= top)
            costs.append((top, UNEQUAL))
    return costs


TWICE, UNEQUAL = 2, 3
"""Costs of a rotation twice in a row, and of each period of the resident who has most of a rotation. Our choice."""
