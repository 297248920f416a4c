"""What share of their half-days people can work at most inside a frame: a linear program, so an upper bound.

Kept: who may do what and when, one service a half-day, nights whole, the
maximum of every demand, six days in a row, four days free in 28, and whatever
is held. Left out, so that the bound is never too low: weekly hours, rest,
supervision, minima, wishes, fairness. ``beside`` False leaves nobody on an
inpatient service beside those who are held there.
"""

import numpy as np
import numpy.typing as npt
from ortools.linear_solver.python import model_builder

from packhorse_scheduling.domain.rules.kernel import Kernel

Bools = npt.NDArray[np.bool_]


Var = model_builder.Variable
Places = dict[tuple[int, int, int], list[Var]]


def most_share(
    kernel: Kernel, role: str, allowed: Bools, grid: npt.NDArray[np.int8], held: Bools, *, beside: bool
) -> float:
    """``allowed`` is ``bool[P, S, D]``; ``grid`` counts where ``held`` is true."""
    people = [p for p, person in enumerate(kernel.programme.people) if person.role == role]
    model = model_builder.ModelBuilder()
    places: Places = {}
    for p in people:
        worked = [model.new_num_var(0, 1, "") for _ in range(kernel.D)]
        nights: dict[tuple[int, int], Var] = {}
        for d in range(kernel.tail, kernel.D):
            for h in (0, 1):
                if held[p, d, h]:
                    mine = {int(s): model.new_num_var(1, 1, "") for s in [grid[p, d, h]] if s >= 0}
                else:
                    mine = _options(kernel, model, p, d, h, allowed, nights, beside=beside)
                for s, v in mine.items():
                    places.setdefault((s, d, h), []).append(v)
                if mine:
                    model.add(model_builder.LinearExpr.sum(list(mine.values())) <= worked[d])
        _days(kernel, model, p, worked)
    group = int(kernel.group[people[0]])
    for (s, d, h), literals in places.items():
        most = int(kernel.most[group, s, d, h])
        if len(literals) > most:
            model.add(model_builder.LinearExpr.sum(literals) <= most)
    model.maximize(model_builder.LinearExpr.sum([v for literals in places.values() for v in literals]))
    solver = model_builder.Solver("glop")
    if solver.solve(model) != model_builder.SolveStatus.OPTIMAL:
        raise SystemExit("the linear program was not solved")
    return float(solver.objective_value) / (2 * int((~kernel.away[people, kernel.tail :]).sum()))


def _options(
    kernel: Kernel,
    model: model_builder.ModelBuilder,
    p: int,
    d: int,
    h: int,
    allowed: Bools,
    nights: dict[tuple[int, int], Var],
    *,
    beside: bool,
) -> dict[int, Var]:
    """What a half-day may hold; a morning that ends a night is the variable of its evening."""
    found = {}
    for s in np.flatnonzero(kernel.wanted[p, :, d, h]).tolist():
        if kernel.programme.services[s].kind == "inpatient" and not beside:
            continue
        if kernel.overnight[s] and h == 0 and d > kernel.tail:
            if (s, d - 1) in nights:
                found[s] = nights[s, d - 1]
        elif allowed[p, s, d]:
            found[s] = model.new_num_var(0, 1, "")
            if kernel.overnight[s]:
                nights[s, d] = found[s]
    return found


def _days(kernel: Kernel, model: model_builder.ModelBuilder, p: int, worked: list[Var]) -> None:
    """Days in a row, and days free in four weeks without leave."""
    rules = kernel.programme.rules
    run, free, span = rules.day_run.value, rules.free_days.value, rules.average_days
    for d in range(kernel.tail, kernel.D - run) if kernel.runs[p] else ():
        model.add(model_builder.LinearExpr.sum(worked[d : d + run + 1]) <= run)
    for d in range(kernel.tail, kernel.D - span + 1) if kernel.resident[p] else ():
        if not kernel.away[p, d : d + span].any():
            model.add(model_builder.LinearExpr.sum(worked[d : d + span]) <= span - free)
