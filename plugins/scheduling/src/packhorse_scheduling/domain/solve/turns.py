"""Whose turn it is: every night, weekend and holiday of the year, settled before any half-day.

A fairness that is summed block by block cannot mend an uneven frame. Here the
year's nights, and the residents who work an inpatient service on a weekend or
a holiday, are one model under all rules; half-days then fill what is left. A
weekend is one turn: who has its Saturday has its Sunday.
"""

from collections.abc import Callable

import numpy as np
from attrs import frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.roster.arrays import FREE, Bools, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.search import Effort, Watch, lone_solver, run
from packhorse_scheduling.domain.solve.turn_model import TurnModel
from packhorse_scheduling.domain.solve.wishes import Aims

SLACKS: tuple[tuple[int, int, int] | None, ...] = ((0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 2, 1), None)
"""By how many nights, weekends and holidays a person may differ from an equal share; None: at a cost."""
SPAN = 56
"""Days whose turns are settled at once where people do not rotate, behind the counts of all before: with everything
open to everybody, a year at once stays far from its best turns."""
FIRST, BETTER, YEAR = 0.5, 2.0, 4000
"""The solver's deterministic units for any turns and for the cheapest, of a year of sixteen residents, which has so
many choices. Where people rotate, the worker on the relaxation proves those in one; eight workers together stayed at
twice the cost after four seconds. Where they do not, it stands still, and the worker on clauses proves a span in .1."""
_RESIDENT = ROLES.index("RESIDENT")


@frozen(eq=False)
class Turns:
    """``decided[role, service, day]``: these evenings and days are settled; ``grid`` has who works them."""

    kernel: "Kernel"
    decided: "Bools"
    grid: "Grid"
    gap: float = 0
    cost: float = 0
    """Of this stage; it is the least there is where the gap is 0."""

    def hold(self, grid: "Grid", held: "Bools") -> None:
        """Write every turn into a roster, and hold it."""
        mine = (self.grid >= 0) & ~held
        grid[mine] = self.grid[mine]
        held |= mine

    def narrow(self, allowed: "Bools") -> "Bools":
        """What is left of ``bool[P, S, D]``: a settled service is nobody else's. A night belongs to its evening."""
        kernel = self.kernel
        mine = np.zeros_like(allowed)
        person, day, half = np.nonzero(self.grid >= 0)
        service = self.grid[person, day, half]
        evening = ~kernel.overnight[service] | (half == 1)
        mine[person[evening], service[evening], day[evening]] = True
        found: Bools = allowed & (mine | ~self.decided[kernel.group])
        return found

    def without(self, first: int, last: int) -> "Turns":
        """All but those that begin on these days."""
        decided, grid = self.decided.copy(), self.grid.copy()
        decided[:, :, first : last + 1] = False
        overnight = self.kernel.overnight
        mornings = overnight[grid[:, first, 0]]
        ends = overnight[grid[:, last, 1]]
        keep = np.where(mornings, grid[:, first, 0], FREE)
        grid[:, first : last + 1] = FREE
        grid[:, first, 0] = keep
        if last + 1 < self.kernel.D:
            grid[ends, last + 1, 0] = FREE
        return Turns(self.kernel, decided, grid, self.gap)


def nobody(kernel: "Kernel") -> Turns:
    """No turns: the half-days decide."""
    return Turns(
        kernel, np.zeros((len(ROLES), kernel.S, kernel.D), bool), np.full((kernel.P, kernel.D, 2), FREE, np.int8)
    )


def settle(
    kernel: "Kernel",
    base: "Grid",
    fixed: "Bools",
    allowed: "Bools",
    days: tuple[int, int],
    effort: Effort,
    aims: "Aims",
    cancelled: "Callable[[], bool]",
) -> Turns:
    """The turns of these days (kernel numbers, both included), around what is fixed in ``base``.

    Where neither a roster nor a proof comes in time, nobody is held, and the half-days decide.
    """
    found, grid, fixed = nobody(kernel), base.copy(), fixed.copy()
    for first, last in _spans(kernel, *days):
        part = _settled(kernel, grid, fixed, allowed, (first, last), effort, aims, cancelled)
        if last < days[1]:  # what follows sees these turns, and the night that ends in it
            night = kernel.overnight[part.grid[:, last, 1]]
            part.grid[night, last + 1, 0] = part.grid[night, last, 1]
        part.hold(grid, fixed)
        whole = np.where(part.grid >= 0, part.grid, found.grid).astype(np.int8)
        found = Turns(kernel, found.decided | part.decided, whole, max(found.gap, part.gap), found.cost + part.cost)
    return found


def _spans(kernel: "Kernel", first: int, last: int) -> list[tuple[int, int]]:
    """All days at once where people rotate; else some weeks at a time, each from a Monday on."""
    if kernel.programme.rotations:
        return [(first, last)]
    monday = first - kernel.date_of(first).weekday()
    starts = [first, *range(monday + SPAN, last + 1, SPAN)]
    return list(zip(starts, [*(day - 1 for day in starts[1:]), last], strict=True))


def _settled(
    kernel: "Kernel",
    base: "Grid",
    fixed: "Bools",
    allowed: "Bools",
    days: tuple[int, int],
    effort: Effort,
    aims: "Aims",
    cancelled: "Callable[[], bool]",
) -> Turns:
    """The turns of one span."""
    asked, nothing = _asked(kernel, *days), np.zeros(base.shape, bool)
    if not asked.any():
        return nobody(kernel)
    tries: list[tuple[tuple[int, int, int] | None, Bools]] = [(slack, nothing) for slack in SLACKS]
    if aims.was is not None:
        tries = [(None, _standing(kernel, aims.was, fixed, allowed, asked)), (None, nothing)]
    for slack, kept in tries:
        ground = base if aims.was is None else np.where(kept, aims.was, base).astype(np.int8)
        if cancelled():
            break
        model = TurnModel.of(kernel, ground, fixed | kept, allowed, days, asked)
        model.settle(aims, ground, slack)
        solver = _solved(model, aims, effort, cancelled)
        if solver is not None:
            decided, grid = model.found(solver)
            cost = solver.objective_value
            gap = abs(cost - solver.best_objective_bound) / max(1.0, abs(cost))
            return Turns(kernel, decided, np.where(kept, ground, grid).astype(np.int8), gap, cost)
    return nobody(kernel)


def _standing(kernel: "Kernel", was: "Grid", fixed: "Bools", allowed: "Bools", asked: "Bools") -> "Bools":
    """The half-days of turns in the roster in force that their person can still have: they stand, if that goes."""
    kept = np.zeros(was.shape, bool)
    for p in range(kernel.P):
        for d in range(kernel.tail, kernel.D):
            s = int(was[p, d, 1])
            if s < 0 or not asked[kernel.group[p], s, d] or not allowed[p, s, d]:
                continue
            halves = [(d, 1), (d + 1, 0)] if kernel.overnight[s] else [(d, 0), (d, 1)]
            halves = [(day, h) for day, h in halves if day < kernel.D]
            if all(was[p, day, h] == s and kernel.wanted[p, s, day, h] and not fixed[p, day, h] for day, h in halves):
                for day, h in halves:
                    kept[p, day, h] = True
    return kept


def _solved(
    model: "TurnModel", aims: "Aims", effort: Effort, cancelled: "Callable[[], bool]"
) -> cp_model.CpSolver | None:
    """First any turns, without a cost; then from there the cheapest. With costs from the start the first takes long."""
    if aims.was is not None:
        model.hint(aims.was)
    relaxed, scale = bool(model.whole.programme.rotations), max(1.0, model.size / YEAR)
    ran = run(model.cp, effort, FIRST * scale, cancelled, ((relaxed, 1), (not relaxed, 4)))
    if not ran.solved:
        return None
    if not model.costs:
        return ran.solver
    model.cp.clear_hints()  # type: ignore[no-untyped-call]
    model.cp.proto.solution_hint.vars.extend(range(len(model.cp.proto.variables)))
    model.cp.proto.solution_hint.values.extend(ran.solver.response_proto.solution)
    model.cp.minimize(cp_model.LinearExpr.weighted_sum([v for v, _ in model.costs], [w for _, w in model.costs]))
    better = lone_solver(effort, BETTER * scale, relaxed=relaxed)
    better.parameters.optimize_with_core = not relaxed
    found = better.solve(model.cp, Watch(cancelled))
    return better if found in (cp_model.OPTIMAL, cp_model.FEASIBLE) else ran.solver


def _asked(kernel: "Kernel", first: int, last: int) -> "Bools":
    """``bool[role, service, day]``: evenings of nights; of residents also inpatient days of weekends and holidays."""
    overnight = kernel.overnight[:-1]
    asked: Bools = kernel.least[:, :, :, 1] > 0
    nights = asked & overnight[None, :, None]
    wards = np.array([service.kind == "inpatient" for service in kernel.programme.services]) & ~overnight
    special = (kernel.weekend | kernel.holiday)[None, None, :]
    ward_days = (kernel.least > 0).all(axis=3) & wards[None, :, None] & special
    ward_days[np.arange(len(ROLES)) != _RESIDENT] = False
    found: Bools = nights | ward_days
    found[:, :, : max(first, kernel.tail)] = found[:, :, last + 1 :] = False
    return found
