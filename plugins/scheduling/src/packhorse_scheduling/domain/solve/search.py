"""Running the solver: one place for its parameters."""

from typing import TYPE_CHECKING, Literal

from attrs import evolve, frozen
from ortools.sat.python import cp_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from packhorse_scheduling.domain.kernel import Grid
    from packhorse_scheduling.domain.solve.model import Model

Status = Literal["optimal", "feasible", "infeasible", "unknown"]


@frozen
class Effort:
    """How hard to try, per solve.

    First one worker that follows the linear relaxation, for ``units``: on our
    blocks it proves the gap in half of the CPU time that a team of strategies
    takes, and it answers an equal question equally. What it does not close goes
    to ``workers``: eight are faster than two even on two cores; more than
    eight, or presolve off, has been seen to answer INFEASIBLE wrongly
    (google/or-tools issue 5295). ``gap`` is relative.
    ``deterministic`` makes equal input give an equal roster always: those
    workers then take turns, and ``seconds`` limits deterministic units.
    """

    seconds: float = 20
    gap: float = 0.005
    workers: int = 8
    seed: int = 1
    deterministic: bool = False
    units: float = 1.5
    """The solver's deterministic units, of which one is about a second of one core."""
    polish: float | None = None
    """Seconds for the workers where the one has found a roster and not closed its gap; None: ``seconds``, 0: none."""


@frozen
class Found:
    """What a solve gave. ``status`` is "optimal" when the gap asked for is proven."""

    status: Status
    cost: float = 0
    bound: float = 0
    shortfall: int = 0
    grid: "Grid | None" = None

    @property
    def solved(self) -> bool:
        """Whether there is a roster."""
        return self.status in ("optimal", "feasible")

    @property
    def gap(self) -> float:
        """(cost - bound) / cost, of this stage alone: 0 is proven optimal."""
        return abs(self.cost - self.bound) / max(1.0, abs(self.cost))

    def beside(self, other: "Found") -> "Found":
        """The better roster and the better bound of two solves of one model."""
        better = other if other.cost < self.cost else self
        proven: Status = "optimal" if "optimal" in (self.status, other.status) else "feasible"
        return evolve(better, status=proven, bound=min(better.cost, max(self.bound, other.bound)))


ORDINARY = 1000
"""Choices in a block of a dozen residents. The one worker gets more time for a larger one, and more than in proportion:
before it has found a first roster its time is lost."""


def lone_solver(effort: Effort, units: float) -> cp_model.CpSolver:
    """One worker on the linear relaxation: no probing, one round of presolve, no search for symmetry.

    All rows are in the relaxation from the start: fed in one by one, as is the
    solver's own way, they took our blocks from two to four times as long.
    """
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.linearization_level = 2
    parameters.add_lp_constraints_lazily = False
    parameters.cp_model_probing_level = 0
    parameters.max_presolve_iterations = 1
    parameters.symmetry_level = 0
    parameters.random_seed = effort.seed
    parameters.relative_gap_limit = effort.gap
    parameters.max_deterministic_time = units  # seconds alone would make a busy machine change the plan
    if not effort.deterministic:
        parameters.max_time_in_seconds = effort.seconds
    return solver


def solver_for(effort: Effort) -> cp_model.CpSolver:
    """A solver with our parameters."""
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = effort.workers
    parameters.random_seed = effort.seed
    parameters.relative_gap_limit = effort.gap
    if effort.deterministic:
        parameters.interleave_search = True
        parameters.max_deterministic_time = effort.seconds
    else:
        parameters.max_time_in_seconds = effort.seconds
    return solver


def solve(model: "Model", effort: Effort, cancelled: "Callable[[], bool]" = lambda: False) -> Found:
    """Solve a posted model; an INFEASIBLE is believed of one worker only."""
    if model.costs:
        model.cp.minimize(cp_model.LinearExpr.weighted_sum([v for v, _ in model.costs], [w for _, w in model.costs]))
    lone = lone_solver(effort, effort.units * max(1.0, model.size / ORDINARY) ** 1.5)
    found = _found(lone, _run(lone, model, cancelled), model)
    if found.status in ("optimal", "infeasible") or cancelled() or (found.solved and effort.polish == 0):
        return found
    if found.grid is not None:
        model.hint(found.grid)
        if effort.polish is not None and not effort.deterministic:
            effort = evolve(effort, seconds=min(effort.seconds, effort.polish))
    team = solver_for(effort)
    again = _found(team, _run(team, model, cancelled), model)
    if again.status == "infeasible":
        single = solver_for(evolve(effort, workers=1))
        again = _found(single, _run(single, model, cancelled), model)
    if found.solved:
        return again.beside(found) if again.solved else found
    return again


def _found(solver: cp_model.CpSolver, status: int, model: "Model") -> Found:
    if status == cp_model.INFEASIBLE:
        return Found("infeasible")
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Found("unknown")
    short = sum(solver.value(var) for var, *_ in model.short)
    proven: Status = "optimal" if status == cp_model.OPTIMAL else "feasible"
    return Found(proven, solver.objective_value, solver.best_objective_bound, short, model.filled(solver))


def cost_of(model: "Model", grid: "Grid", effort: Effort) -> float | None:
    """What this roster costs in a model that has been solved once; None when it breaks the model's rules."""
    model.hint(grid)
    solver = lone_solver(effort, effort.units)
    solver.parameters.fix_variables_to_their_hinted_value = True
    status = solver.solve(model.cp)
    return solver.objective_value if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None


class _Watch(cp_model.CpSolverSolutionCallback):
    """Stops the search at the next solution once the caller has gone."""

    def __init__(self, cancelled: "Callable[[], bool]") -> None:
        super().__init__()
        self._cancelled = cancelled

    def on_solution_callback(self) -> None:
        if self._cancelled():
            self.stop_search()


def _run(solver: cp_model.CpSolver, model: "Model", cancelled: "Callable[[], bool]") -> int:
    return int(solver.solve(model.cp, _Watch(cancelled)))
