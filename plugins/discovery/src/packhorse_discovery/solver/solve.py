"""Solving a model with OR-tools CP-SAT: Perron, Didier, Gay, CP 2023, LIPIcs 280:3.

Permutation flow shops are searched by `permutation` first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import define, evolve

from packhorse_discovery.domain.models.model import Goal, Model
from packhorse_discovery.solver import permutation
from packhorse_discovery.solver.encoding import Encoding, encode
from packhorse_discovery.solver.solved import Progress, Solved, Status, goal_values, schedule_from

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

_LOOK_SECONDS = 0.1
_SHARE = 0.5
"""Of the time there is, how much the search of a permutation flow shop may take before CP-SAT goes on."""
_WITHOUT_LP = ("no_lp", "quick_restart_no_lp")
"""CP-SAT's strategies for one and two threads where the makespan is all that counts: linear relaxations say little
about it, and measured on FT10 these two prove the optimum in a fifth of the time of the default pair."""


def solve(
    model: Model,
    *,
    seconds: float = 60.0,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Solved:
    """The best schedule found within ``seconds`` (wall time) by ``workers`` threads.

    Ranks of goals are minimised one after the other. ``progress`` is called
    from a solver thread for each better schedule of the first rank;
    ``cancelled`` is asked ten times a second and ends the search, keeping the
    best schedule so far. With one worker and time to spare, the same seed
    gives the same schedule.
    """
    if seconds <= 0:
        raise ValueError("seconds must be above 0")
    if workers < 1:
        raise ValueError("workers must be at least 1")
    begun, cpu = time.monotonic(), time.process_time()
    solved = _as_permutation(model, seconds * _SHARE, progress, cancelled)
    if solved is None or solved.status == "feasible":
        run = _Run(encode(model), seconds, seed, workers, progress, cancelled)
        if solved is not None and solved.schedule is not None:
            run.hint([each.start for each in solved.schedule.placed])
        solved = run.all_ranks(begun)
    return evolve(solved, seconds=time.monotonic() - begun, cpu_seconds=time.process_time() - cpu)


def _as_permutation(
    model: Model,
    seconds: float,
    progress: Callable[[Progress], None] | None,
    cancelled: Callable[[], bool] | None,
) -> Solved | None:
    """The schedule of a permutation flow shop, ``feasible`` where the time ran out; None for any other model."""
    times = permutation.times_of(model)
    if times is None:
        return None
    begun = time.monotonic()

    def better(makespan: int, bound: int) -> None:
        if progress is not None:
            progress(Progress(time.monotonic() - begun, makespan, bound))

    found = permutation.best_order(times, seconds=seconds, better=better, cancelled=cancelled)
    schedule = schedule_from(model, permutation.starts_of(model, times, found.jobs), [0] * len(model.tasks))
    goals = goal_values(model, schedule)
    if found.proved:
        return Solved("optimal", found.makespan, found.makespan, True, 0.0, schedule, goals=goals)
    stopped = cancelled is not None and cancelled()
    return Solved("cancelled" if stopped else "feasible", found.makespan, 0, False, 0.0, schedule, goals=goals)


def solver_with(seconds: float, seed: int, workers: int) -> cp_model.CpSolver:
    """A CP-SAT solver with these limits."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = min(max(seconds, 0.001), 1e9)
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = workers
    return solver


@define
class _Run:
    made: Encoding
    seconds: float
    seed: int
    workers: int
    progress: Callable[[Progress], None] | None
    cancelled: Callable[[], bool] | None

    def hint(self, starts: list[int]) -> None:
        """Begin near a schedule that is known."""
        for variable, start in zip(self.made.start, starts, strict=True):
            self.made.cp.add_hint(variable, start)

    def all_ranks(self, begun: float) -> Solved:
        best: Solved | None = None
        for rank in self.made.model.ranks:
            left = self.seconds - (time.monotonic() - begun)
            if best is not None and left <= 0:
                return evolve(best, status="feasible", proved=False, notes=(_LATER_RANKS,))
            found = self._one_rank(rank, left, begun, first=best is None)
            if best is None:
                best = found
            elif found.schedule is None:
                return evolve(best, status="feasible", proved=False, notes=(_LATER_RANKS,))
            else:
                best = evolve(found, objective=best.objective, bound=best.bound)
            if not best.proved:
                return best
        assert best is not None  # noqa: S101  a model has at least one goal
        return best

    def _one_rank(self, rank: tuple[Goal, ...], left: float, begun: float, *, first: bool) -> Solved:
        from ortools.sat.python import cp_model

        made = self.made
        goal = sum(each.weight * made.goals[each.kind] for each in rank)
        made.cp.minimize(goal)
        solver = solver_with(left, self.seed, self.workers)
        if self.workers <= len(_WITHOUT_LP) and [each.kind for each in rank] == ["makespan"]:
            solver.parameters.subsolvers.extend(_WITHOUT_LP[: self.workers])
        stopped = _watched(solver, self.cancelled)
        watcher = _watcher(self.progress, begun) if first and self.progress is not None else None
        try:
            outcome = solver.solve(made.cp, watcher)
        finally:
            was_stopped = stopped()
        if outcome == cp_model.INFEASIBLE:
            return Solved("infeasible", None, None, proved=True, seconds=0.0, schedule=None)
        if outcome not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Solved("cancelled" if was_stopped else "unknown", None, None, False, 0.0, None)
        starts = [solver.value(each) for each in made.start]
        modes = [next(m for m, each in enumerate(ways) if solver.value(each)) for ways in made.present]
        schedule = schedule_from(made.model, starts, modes)
        goals = goal_values(made.model, schedule)
        proved = outcome == cp_model.OPTIMAL
        value = round(solver.objective_value)
        made.cp.add(goal <= value)
        made.cp.clear_hints()  # type: ignore[no-untyped-call]  # OR-tools left this one out
        for variable, start in zip(made.start, starts, strict=True):
            made.cp.add_hint(variable, start)
        status: Status = "optimal" if proved else "cancelled" if was_stopped else "feasible"
        bound = value if proved else round(solver.best_objective_bound)
        return Solved(status, value, bound, proved, 0.0, schedule, goals=goals)


_LATER_RANKS = "The time ran out before the goals of the later ranks were optimised."


def _watched(solver: cp_model.CpSolver, cancelled: Callable[[], bool] | None) -> Callable[[], bool]:
    """Look ten times a second whether to stop; the function given back ends the looking and says whether it did."""
    if cancelled is None:
        return lambda: False
    done, stopped = threading.Event(), threading.Event()

    def look() -> None:
        while not done.wait(_LOOK_SECONDS):
            if cancelled():
                stopped.set()
                solver.stop_search()

    thread = threading.Thread(target=look, daemon=True)
    thread.start()

    def finish() -> bool:
        done.set()
        thread.join()
        return stopped.is_set()

    return finish


def _watcher(progress: Callable[[Progress], None], begun: float) -> cp_model.CpSolverSolutionCallback:
    from ortools.sat.python import cp_model

    class Watcher(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            seconds = time.monotonic() - begun
            progress(Progress(seconds, round(self.objective_value), round(self.best_objective_bound)))

    return Watcher()
