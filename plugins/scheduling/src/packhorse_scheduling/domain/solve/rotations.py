"""Which rotation each resident has in each four-week unit: first how many of each, then which when.

The quota table counts only: so many units of each rotation to each person, as
even within a year of training as the curriculum, the teams and leave allow.
The grid then keeps to it. With the evenness in the grid's own costs instead,
16 residents stayed open after 27 CPU-seconds; with quotas they are proven in
under one. Rotations of nights alone lie over the grid, a week at a time.
"""

import numpy as np
from attrs import evolve, frozen
from ortools.sat.python.cp_model import CpSolver

from packhorse_scheduling.domain.roster.arrays import Bools, Ints
from packhorse_scheduling.domain.roster.plan import Plan, stays_of, units_of
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.attending import stays_on
from packhorse_scheduling.domain.solve.grid import KEPT, Asked, GridFault, RotationGrid
from packhorse_scheduling.domain.solve.grid_model import GridModel
from packhorse_scheduling.domain.solve.night_weeks import NightWeeks
from packhorse_scheduling.domain.solve.posts import DAYS, Posts, posts_of
from packhorse_scheduling.domain.solve.quotas import Ranges, quotas
from packhorse_scheduling.domain.solve.search import TURNS, Effort

__all__ = ["KEPT", "Asked", "GridFault", "Rotations", "rotate"]

ANY = 1e9
"""A gap that any grid closes: once the weeks of nights do not go over the best units, the first that they go over."""
ON_CLAUSES = ((False, 1), *TURNS)
"""The worker on clauses begins where any grid will do: it had each in a tenth of a unit, the other none in one and a
half."""
SLACKS = ((0, 0), (1, 0), (1, 1), (2, 1))
"""Units by which a person may leave the quota table, and units or weeks of nights, where no grid keeps to it
exactly."""


@frozen(eq=False)
class Rotations:
    """``days[person, day]`` is a rotation's number, or -1 for those who do not rotate; ``locked`` likewise.

    ``units`` are the spans in which half-days are solved. ``posts`` are the frame of a programme without rotations.
    """

    kernel: "Kernel"
    units: tuple[tuple[int, int], ...]
    days: "Ints"
    locked: "Ints"
    faults: tuple[GridFault, ...] = ()
    posts: Posts | None = None

    def allowed(self) -> "Bools":
        """``bool[P, S, D]``: what each person may do on each day."""
        kernel = self.kernel
        rotations = kernel.programme.rotations
        holds = np.ones((len(rotations) + 1, kernel.S), bool)
        for k, rotation in enumerate(rotations):
            holds[k] = np.isin(np.arange(kernel.S), [kernel.service_of[code] for code in rotation.services])
        mask: Bools = holds[self.days].transpose(0, 2, 1).copy()
        return mask if self.posts is None else self.posts.narrow(mask)

    def main(self) -> "Ints":
        """``int32[P, D]``: the first service of each person's rotation, or -1."""
        mains = [self.kernel.service_of[rotation.services[0]] for rotation in self.kernel.programme.rotations]
        return np.array([*mains, -1], np.int32)[self.days] if self.posts is None else self.posts.days

    def plan(self) -> Plan:
        """As it is kept with the version."""
        tail = self.kernel.tail
        if self.posts is not None:
            return stays_on(self.kernel, self.posts.days)
        return stays_of(self.kernel.programme, self.days[:, tail:], self.locked[:, tail:])


def rotate(kernel: "Kernel", effort: "Effort", asked: Asked) -> Rotations:
    """The grid of rotations; where there is none, the nearest to one, with its faults.

    Hard: one rotation per resident and unit; the year of training; enough
    residents present every day for the rotation and for each service's demand,
    and not too many; long leave only where the rotation allows it; the units
    that the curriculum requires; locks of rotations and of half-days. Soft: the
    quota table, no rotation twice in a row, the plan in force. Nights lie in
    weeks over it; where that leaves no grid, they have units like any other.

    Raises:
        TimeoutError: neither a grid nor a proof within the effort.
    """
    grid, whole = grids_of(kernel, asked)
    if not kernel.programme.rotations or not grid.residents:
        none = np.full((kernel.P, kernel.D), -1, np.int32)
        posts = posts_of(kernel, effort)
        if (posts.days < 0).all():
            return Rotations(kernel, grid.units, none, none)
        halves = kernel.programme.year.periods(DAYS)
        return Rotations(kernel, tuple((a + kernel.tail, b + kernel.tail) for a, b in halves), none, none, posts=posts)
    for one in (grid, whole) if grid.weekly else (whole,):
        quota = None if one.before else quotas(one, effort)  # a plan in force is even already, and is to be kept
        for slack in SLACKS if quota is not None else ():
            found = _solved(one, effort, quota, slack)
            if found is not None:
                return found
        found = _solved(one, effort)
        if found is not None:
            return found
    found = _solved(grid, effort, soft=True)
    if found is None:
        raise TimeoutError
    return found


def grids_of(kernel: "Kernel", asked: Asked) -> tuple[RotationGrid, RotationGrid]:
    """What is asked: with nights by weeks where there are any, and with nights by units like any other rotation."""
    units = tuple((first + kernel.tail, end + kernel.tail) for first, end in units_of(kernel.programme.year))
    nights = NightWeeks(kernel, asked.first, asked.last)
    return RotationGrid(kernel, units, asked, nights if nights.weeks else None), RotationGrid(kernel, units, asked)


def _solved(
    grid: RotationGrid,
    effort: "Effort",
    quota: Ranges | None = None,
    slack: tuple[int, int] = (0, 0),
    *,
    soft: bool = False,
) -> Rotations | None:
    """A grid; None where there is none (or, with a quota, none was found at once)."""
    model = solver = None
    if grid.weekly and not soft and not grid.before:  # what is in force is a good beginning of its own
        model, solver = _in_steps(grid, effort, quota, slack)
    if model is None or solver is None:
        model = GridModel(grid, soft)
        model.post(quota, slack)
        solver = model.run(effort, believed=quota is None)
    if solver is None:
        return None
    days, locked = model.days(solver)
    known = grid.kernel.rotation
    outside = np.ones(grid.kernel.D, bool)
    outside[grid.asked.first : grid.asked.last + 1] = False
    days[:, outside] = np.where(known[:, outside] >= 0, known[:, outside], days[:, outside])
    return Rotations(grid.kernel, grid.units, days, locked, model.faults(solver))


def _in_steps(
    grid: RotationGrid, effort: "Effort", quota: Ranges | None, slack: tuple[int, int]
) -> tuple[GridModel | None, "CpSolver | None"]:
    """The units first, then the weeks over them: a tenth of the time of both at once, where it goes."""
    units = GridModel(grid, soft=False)
    units.post(quota, slack, weeks=False)
    first = units.run(effort, believed=False)
    if first is None:
        return None, None
    for held in (True, False):
        model = GridModel(grid, soft=False)
        model.post(quota, slack)
        model.start(first, units, held=held)
        found = model.run(
            effort if held else evolve(effort, gap=ANY), believed=False, turns=TURNS if held else ON_CLAUSES
        )
        if found is not None:
            return model, found
    return None, None
