"""Running the solver: one place for its parameters."""

from typing import TYPE_CHECKING, Literal, NamedTuple

from attrs import evolve, frozen
from ortools.sat.python import cp_model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from packhorse_scheduling.domain.roster.arrays import Grid
    from packhorse_scheduling.domain.solve.model import Model

Status = Literal["optimal", "feasible", "infeasible", "unknown"]


@frozen
class Effort:
    """How hard to try, per solve.

    One worker at a time, and limits in the solver's deterministic units, of
    which one is about three seconds of one core: an equal question has an equal
    answer on every machine, however busy. ``seconds`` is a ceiling on the clock;
    a solve that it ends may have another answer elsewhere. ``gap`` is relative.
    """

    seconds: float = 600
    gap: float = 0.005
    seed: int = 1
    units: float = 1.5
    """For a model of ordinary size."""
    polish: float = 3.0
    """Units more for a model of ordinary size where a roster is found and its gap not closed; 0: none."""


@frozen
class Found:
    """What a solve gave. ``status`` is "optimal" when the gap asked for is proven.

    A ``sketch`` is lawful and no more.
    """

    status: Status
    cost: float = 0
    bound: float = 0
    shortfall: int = 0
    grid: "Grid | None" = None
    sketch: bool = False
    spent: float = 0
    """The solver's deterministic units."""

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
        bound, spent = min(better.cost, max(self.bound, other.bound)), self.spent + other.spent
        return evolve(better, status=proven, bound=bound, spent=spent)


ORDINARY = 1000
"""Choices in a block of a dozen residents. A worker gets more time for a larger one, and more than in proportion:
before it has found a first roster its time is lost."""


class Ran(NamedTuple):
    """The solver that answered last, its status, and the deterministic units of all that were asked."""

    solver: cp_model.CpSolver
    status: int
    spent: float

    @property
    def solved(self) -> bool:
        """Whether there is an answer."""
        return self.status in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def solver_for(effort: Effort, units: float) -> cp_model.CpSolver:
    """One worker with the solver's own parameters."""
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.random_seed = effort.seed
    parameters.relative_gap_limit = effort.gap
    parameters.max_deterministic_time = units
    parameters.max_time_in_seconds = effort.seconds
    return solver


def lone_solver(effort: Effort, units: float, *, relaxed: bool = True) -> cp_model.CpSolver:
    """One worker on the linear relaxation: no probing, one round of presolve, no search for symmetry.

    All rows are in the relaxation from the start: fed in one by one, as is the
    solver's own way, they took our blocks from two to four times as long.
    Not ``relaxed``: on the clauses alone.
    """
    solver = solver_for(effort, units)
    parameters = solver.parameters
    parameters.linearization_level = 2 if relaxed else 0
    parameters.add_lp_constraints_lazily = False
    parameters.cp_model_probing_level = 0
    parameters.max_presolve_iterations = 1
    parameters.symmetry_level = 0
    return solver


TURNS = ((True, 1), (False, 3), (True, 4))
"""Workers with and without the relaxation that try one after the other until there is an answer, and how long: what is
lost for the one is often found at once by the other."""


def run(
    cp: cp_model.CpModel,
    effort: Effort,
    units: float,
    cancelled: "Callable[[], bool]" = lambda: False,
    turns: "Sequence[tuple[bool, float]]" = TURNS,
) -> Ran:
    """An answer or a proof that there is none, by one worker after the other; ``units`` are the first one's."""
    spent = 0.0
    for relaxed, share in turns:
        solver = lone_solver(effort, share * units, relaxed=relaxed)
        status = int(solver.solve(cp, Watch(cancelled)))
        spent += solver.response_proto.deterministic_time
        if status != cp_model.UNKNOWN or cancelled():
            break
    return Ran(solver, status, spent)


def solve(model: "Model", effort: Effort, cancelled: "Callable[[], bool]" = lambda: False) -> Found:
    """Solve a posted model: any worker's first answer, and where its gap stays open the one on the relaxation again."""
    if model.costs:
        model.cp.minimize(cp_model.LinearExpr.weighted_sum([v for v, _ in model.costs], [w for _, w in model.costs]))
    scale = scaled(model)
    found = _found(run(model.cp, effort, effort.units * scale, cancelled), model)
    if found.grid is None or found.status == "optimal" or cancelled() or not effort.polish:
        return found
    model.hint(found.grid)
    other = evolve(effort, seed=effort.seed + 1)
    again = _found(run(model.cp, other, effort.polish * scale, cancelled, TURNS[:1]), model)
    return again.beside(found) if again.solved else evolve(found, spent=found.spent + again.spent)


def scaled(model: "Model") -> float:
    """How many times the units of a model of ordinary size."""
    return float(max(1.0, model.size / ORDINARY) ** 1.5)


def sketch(model: "Model", effort: Effort, cancelled: "Callable[[], bool]" = lambda: False) -> Found:
    """A lawful roster with the least shortfall, and no thought of its quality: its gap stays wide open.

    Without the objective the one worker has a fortnight of 12 residents in .1
    CPU-seconds, and one of 36 in .3; with it, .3 to 1, and none in 3.5.
    """
    short = [var for var, *_ in model.short]
    model.cp.minimize(cp_model.LinearExpr.sum(short) if short else 0)
    found = _found(run(model.cp, effort, effort.units * scaled(model), cancelled), model)
    return evolve(found, status="feasible", cost=1.0, bound=0.0, sketch=True) if found.solved else found


def _found(ran: Ran, model: "Model") -> Found:
    solver = ran.solver
    if not ran.solved:
        return Found("infeasible" if ran.status == cp_model.INFEASIBLE else "unknown", spent=ran.spent)
    short = sum(solver.value(var) for var, *_ in model.short)
    proven: Status = "optimal" if ran.status == cp_model.OPTIMAL else "feasible"
    cost, bound = solver.objective_value, solver.best_objective_bound
    return Found(proven, cost, bound, short, model.filled(solver), spent=ran.spent)


def cost_of(model: "Model", grid: "Grid", effort: Effort) -> float | None:
    """What this roster costs in a model that has been solved once; None when it breaks the model's rules."""
    model.hint(grid)
    solver = lone_solver(effort, effort.units)
    solver.parameters.fix_variables_to_their_hinted_value = True
    status = solver.solve(model.cp)
    return solver.objective_value if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None


class Watch(cp_model.CpSolverSolutionCallback):
    """Stops the search at the next solution once the caller has gone."""

    def __init__(self, cancelled: "Callable[[], bool]") -> None:
        super().__init__()
        self._cancelled = cancelled

    def on_solution_callback(self) -> None:
        if self._cancelled():
            self.stop_search()
