"""A schedule as good as one that is known, in which nothing waits without need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from packhorse_discovery.domain.models.goals import NAMES
from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.solver.encoding import encode
from packhorse_discovery.solver.solve import solver_with
from packhorse_discovery.solver.solved import Solved, schedule_from

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

_WORK = 0.5
"""CP-SAT's deterministic time for it, about a second: the same schedule on every machine."""


_EARLY = 2
"""What an hour later at the end of a job costs, in hours between its first and its last step."""


def closer(model: Model, solved: Solved, *, seconds: float, seed: int = 0) -> Solved:
    """``solved`` with every job done as early as the goals allow, and then with less time between its steps.

    The sum of the ends counts `_EARLY` times the sum of the spans from first to last step. At most ``seconds`` of wall
    time. No goal becomes worse.
    """
    from ortools.sat.python import cp_model

    if solved.schedule is None:
        return solved
    made = encode(model)
    for goal in model.goals:
        made.cp.add(made.goals[goal.kind] <= solved.goals[NAMES[goal.kind]])
    spans: list[cp_model.LinearExprT] = []
    for job, finish in enumerate(made.finish):
        first = made.cp.new_int_var(0, model.horizon.value, f"first of {job}")
        made.cp.add_min_equality(first, [made.start[task] for task in model.tasks_of(job)])
        spans.append((_EARLY + 1) * finish - first)
    made.cp.minimize(sum(spans))
    for variable, placed in zip(made.start, solved.schedule.placed, strict=True):
        made.cp.add_hint(variable, placed.start)
    solver = solver_with(seconds, seed, 1)
    solver.parameters.max_deterministic_time = _WORK
    if solver.solve(made.cp) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return solved
    modes = [next(number for number, each in enumerate(ways) if solver.value(each)) for ways in made.present]
    return evolve(solved, schedule=schedule_from(model, [solver.value(each) for each in made.start], modes))
