"""Other schedules that are as good by every goal: one in which less waits, and one that is late elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import evolve

from packhorse_discovery.domain.models.goals import NAMES
from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.solver.encoding import Encoding, encode
from packhorse_discovery.solver.report import late_orders, lateness
from packhorse_discovery.solver.solve import solver_with
from packhorse_discovery.solver.solved import Schedule, Solved, schedule_from

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

_WORK = 0.5
"""CP-SAT's deterministic time for each, about a second: the same answer on every machine."""

_EARLY = 2
"""What an hour later at the end of a job costs, in hours between its first and its last step."""


def closer(model: Model, solved: Solved, *, seconds: float, seed: int = 0) -> Solved:
    """``solved`` with every job done as early as the goals allow, and then with less time between its steps.

    The sum of the ends counts `_EARLY` times the sum of the spans from first to last step. At most ``seconds`` of wall
    time. No goal becomes worse.
    """
    known = solved.schedule
    if known is None:
        return solved

    def tight(made: Encoding) -> None:
        spans: list[cp_model.LinearExprT] = []
        for job, finish in enumerate(made.finish):
            first = made.cp.new_int_var(0, model.horizon.value, f"first of {job}")
            made.cp.add_min_equality(first, [made.start[task] for task in model.tasks_of(job)])
            spans.append((_EARLY + 1) * finish - first)
        made.cp.minimize(sum(spans))
        for variable, placed in zip(made.start, known.placed, strict=True):
            made.cp.add_hint(variable, placed.start)

    found = _as_good(model, solved, tight, seconds, seed)
    return solved if found is None else evolve(solved, schedule=found)


def tie(model: Model, solved: Solved, *, seconds: float, seed: int = 0) -> str:
    """A sentence on an equally good schedule that is late elsewhere; empty where none was found."""
    late = lateness(model, solved.schedule) if solved.schedule is not None else {}
    if not late or not solved.proved:
        return ""
    free = evolve(model, links=tuple(one for one in model.links if not one.alike))

    def elsewhere(made: Encoding) -> None:
        kept = []
        for job in sorted(late):
            on_time = made.cp.new_bool_var(f"{job} on time")
            due = model.jobs[job].due
            made.cp.add(made.finish[job] <= (due.value if due is not None else 0)).only_enforce_if(on_time)
            kept.append(on_time)
        made.cp.add_bool_or(kept)

    other = _as_good(free, solved, elsewhere, seconds, seed)
    if other is None:
        return ""
    words = late_orders(free, other).removeprefix("Late: ")
    return f"Another schedule is as good by the goals, so ask which order may be late; late in that one: {words}"


def _as_good(
    model: Model, solved: Solved, wanted: Callable[[Encoding], None], seconds: float, seed: int
) -> Schedule | None:
    """A schedule whose goals are no worse than those of ``solved``, and of which ``wanted`` asks more."""
    from ortools.sat.python import cp_model

    made = encode(model)
    for goal in model.goals:
        made.cp.add(made.goals[goal.kind] <= solved.goals[NAMES[goal.kind]])
    wanted(made)
    solver = solver_with(seconds, seed, 1)
    solver.parameters.max_deterministic_time = _WORK
    if solver.solve(made.cp) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    modes = [next(number for number, each in enumerate(ways) if solver.value(each)) for ways in made.present]
    return schedule_from(model, [solver.value(each) for each in made.start], modes)
