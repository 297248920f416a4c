"""Whether another schedule is as good by every goal, in which other orders are late."""

from attrs import evolve

from packhorse_discovery.domain.models.goals import NAMES
from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.solver.encoding import encode
from packhorse_discovery.solver.report import late_orders, lateness
from packhorse_discovery.solver.solve import solver_with
from packhorse_discovery.solver.solved import Schedule, Solved, schedule_from

_WORK = 0.5
"""CP-SAT's deterministic time for it: the same answer on every machine."""


def tie(model: Model, solved: Solved, *, seconds: float, seed: int = 0) -> str:
    """A sentence on an equally good schedule that is late elsewhere; empty where none was found."""
    late = lateness(model, solved.schedule) if solved.schedule is not None else {}
    if not late or not solved.proved:
        return ""
    free = evolve(model, links=tuple(one for one in model.links if not one.alike))
    other = _other(free, solved, set(late), seconds, seed)
    if other is None:
        return ""
    words = late_orders(model, other).removeprefix("Late: ")
    return f"Another schedule is as good by the goals, so ask which order may be late; late in that one: {words}"


def _other(model: Model, solved: Solved, late: set[int], seconds: float, seed: int) -> Schedule | None:
    from ortools.sat.python import cp_model

    made = encode(model)
    for goal in model.goals:
        made.cp.add(made.goals[goal.kind] <= solved.goals[NAMES[goal.kind]])
    kept = []
    for job in sorted(late):
        on_time = made.cp.new_bool_var(f"{job} on time")
        due = model.jobs[job].due
        made.cp.add(made.finish[job] <= (due.value if due is not None else 0)).only_enforce_if(on_time)
        kept.append(on_time)
    made.cp.add_bool_or(kept)
    solver = solver_with(seconds, seed, 1)
    solver.parameters.max_deterministic_time = _WORK
    if solver.solve(made.cp) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    modes = [next(number for number, each in enumerate(ways) if solver.value(each)) for ways in made.present]
    return schedule_from(model, [solver.value(each) for each in made.start], modes)
