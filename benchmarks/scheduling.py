"""What the scheduling pack does in how much time, beside its peers, in one run.

    python benchmarks/scheduling.py kernel            validate, swap, candidates, N-1 and N-2
    python benchmarks/scheduling.py conflicts         seeded impossible programmes: conflict set and way out
    python benchmarks/scheduling.py repair            five-day absences, beside the fewest changes of an exact model,
                                                      of one person and of three at once
    python benchmarks/scheduling.py peers             one block: ours beside plain coupled CP-SAT, same rules; and the
                                                      OR-tools shift example: its problem, by its model and by ours

Whole years from seeds are in scheduling_seeds.py.

CPU seconds are of the process and all its threads; the machine may be shared.
The plain peer is one CP-SAT model of residents and faculty together (one
boolean per person, half-day and service), with the same rules and objective,
and the solver's own parameters with eight workers.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
from attrs import evolve, frozen
from ortools.sat.python.cp_model import CpModel, CpSolver

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "scheduling"))

import shift_example
from packhorse_scheduling.domain.change import swaps
from packhorse_scheduling.domain.change.repair import repair
from packhorse_scheduling.domain.insight.contingency import Contingency
from packhorse_scheduling.domain.insight.explain import explain, is_possible
from packhorse_scheduling.domain.programme.requests import Leave
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.guards import guarded
from packhorse_scheduling.domain.solve.model import Model
from packhorse_scheduling.domain.solve.search import Effort, cost_of, lone_solver
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.wishes import Aims, Tally, wish
from packhorse_scheduling.domain.solve.year import Draft, YearSolver
from roster_conflicts import impossible_programmes
from roster_repairs import fewest_changes


def timed(what: Callable[[], object]) -> tuple[object, float, float]:
    """The result, CPU seconds and wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    return what(), time.process_time() - cpu, time.perf_counter() - wall


def whole_year(seed: int = 1) -> tuple[Kernel, np.ndarray]:
    kernel = Kernel(sample(Shape(seed=seed)))
    found = YearSolver(kernel, *start_of(kernel), kernel.tail, kernel.D - 1, effort=Effort()).solve()
    assert isinstance(found, Draft), found
    return kernel, found.grid


def repeated(what: str, target: float, times: int, count: int, task: Callable[[], object]) -> None:
    """CPU milliseconds of one of ``count`` in a task: median of some runs, and best, for the machine may be shared."""
    spent = sorted(timed(task)[1] / count * 1e3 for _ in range(times))
    print(f"{what}: median {spent[times // 2]:.4f} ms, best {spent[0]:.4f} ms (target {target})", flush=True)


def counts() -> None:
    kernel, grid = whole_year()
    rules = kernel.rules
    repeated("validate a year", 3, 50, 1, lambda: [v for rule in rules for v in rule.check(grid)])
    board, random = kernel.board(grid), Random(1)
    board.breaks([(0, 5, 0, -1), (1, 5, 0, -1)])
    asked = [
        (random.randrange(12), random.randrange(12), random.randrange(kernel.D), random.randrange(2))
        for _ in range(2000)
    ]
    repeated(
        "check one swap",
        0.1,
        9,
        len(asked),
        lambda: [swaps.judge(board, swaps.exchange(board, p, q, [(d, h)])) for p, q, d, h in asked],
    )
    repeated(
        "all candidates for a block",
        10,
        5,
        300,
        lambda: [swaps.candidates(board, p, [(d, h)]) for p, _, d, h in asked[:300]],
    )
    repeated(
        f"exact N-1 and N-2 of {kernel.P} people over a year",
        5,
        9,
        1,
        lambda: (c := Contingency(kernel, grid, 0, kernel.D - 1)) and (c.singles(), c.pairs()),
    )


def conflicts() -> None:
    worst, bad, kinds = 0.0, 0, set()
    for name, programme, last in impossible_programmes():
        kernel = Kernel(programme)
        found, cpu, wall = timed(lambda kernel=kernel, last=last: explain(kernel, 0, last))
        if found is None:
            print(f"{name}: has a roster")
            bad += 1
            continue
        conflict, there = set(found.conflict), guarded(kernel, found.first, found.last)
        whole = not is_possible(there)
        minimal = all(is_possible(there, there.guards.keys() - (conflict - {member})) for member in conflict)
        out = bool(found.ways) and is_possible(guarded(kernel, 0, last), found.ways[0])
        worst = max(worst, cpu)
        kinds.add(frozenset(member.code for member in conflict))
        bad += not (minimal and out and whole)
        print(
            f"{name}: {len(conflict)} members, minimal {minimal}, way out {out}, cpu {cpu:.2f} s, wall {wall:.2f} s",
            flush=True,
        )
    print(f"worst {worst:.2f} s CPU (target 1); {bad} wrong; {len(kinds)} different sets of rules")


def repairs() -> None:
    kernel = Kernel(sample(Shape(seed=1)))
    grid, fixed = start_of(kernel)
    done = YearSolver(kernel, grid, fixed, 0, 83, effort=Effort()).solve()
    assert isinstance(done, Draft), done
    cells = kernel.cells_of(done.grid)
    ill = ((0, 40), (1, 30), (3, 40), (4, 22), (6, 40), (12, 40), (13, 30), (15, 40), (17, 37))
    for absence in ill:
        found, person, cpu, wall = _repaired(kernel, done.grid, (absence,))
        programme, start, end = found.kernel.programme, kernel.date_of(absence[1]), kernel.date_of(absence[1] + 4)
        least = fewest_changes(programme, cells, person, start, end, set())
        print(f"{person} away five days: {found.line}, at least {least}, {cpu:.2f} CPU-s, {wall:.2f} s", flush=True)
    for first in (22, 30, 40, 50, 60):
        found, people, cpu, wall = _repaired(kernel, done.grid, ((1, first), (6, first), (13, first)))
        print(f"{people} away five days together: {found.line}, {cpu:.2f} CPU-s, {wall:.2f} s (target 2)", flush=True)


@frozen(eq=False)
class _Found:
    kernel: Kernel
    line: str


def _repaired(kernel: Kernel, grid: np.ndarray, ill: tuple[tuple[int, int], ...]) -> tuple[_Found, str, float, float]:
    """After people (by number) are away for five days from a day on, told two days before."""
    names = [kernel.programme.people[who].key for who, _ in ill]
    away = [
        Leave(name, kernel.date_of(day), kernel.date_of(day + 4), "sick")
        for name, (_, day) in zip(names, ill, strict=True)
    ]
    others = [leave for leave in kernel.programme.leaves if leave.person not in names]
    sick = Kernel(evolve(kernel.programme, leaves=(*others, *away)))
    absences = [(who, day, day + 4) for who, day in ill]
    today = min(day for _, day in ill) - 2
    found, cpu, wall = timed(lambda: repair(sick, grid, absences, today=today))
    line = (
        f"{len(found.vacated)} vacated, {len(found.changed)} changed, short {found.shortfall}, proven {found.proven},"
        f" {_broken(sick, found.grid) - _broken(kernel, grid)} new violations"
    )
    return _Found(sick, line), ", ".join(names), cpu, wall


def _broken(kernel: Kernel, grid: np.ndarray) -> int:
    return sum(found.blocks for rule in kernel.rules for found in rule.check(grid))


def team(gap: float, seconds: float) -> CpSolver:
    """The solver's own parameters, with eight workers."""
    solver = CpSolver()
    solver.parameters.num_workers = 8
    solver.parameters.relative_gap_limit = gap
    solver.parameters.max_time_in_seconds = seconds
    return solver


def peers() -> None:
    coupled()
    example()


def coupled() -> None:
    kernel = Kernel(sample(Shape(seed=1)))
    grid, fixed = start_of(kernel)
    ours = YearSolver(kernel, grid, fixed, 0, 27, effort=Effort())
    found, cpu, wall = timed(ours.solve)
    assert isinstance(found, Draft), found
    print(f"ours, one block: cpu {cpu:.1f} s, wall {wall:.1f} s, gaps {[round(s.gap, 4) for s in found.stages]}")
    plain = Model(kernel, grid, range(kernel.P), 0, 27, 27, allowed=ours.allowed, fixed=fixed)
    plain.post()
    wish(plain, Aims(), Tally(kernel), ours.rotations.main())
    plain.cp.minimize(sum(weight * var for var, weight in plain.costs))
    solver = team(0.005, max(20.0, 4 * wall))
    status, plain_cpu, plain_wall = timed(lambda: solver.solve(plain.cp))
    cost, bound = solver.objective_value, solver.best_objective_bound
    print(
        f"plain coupled CP-SAT: cpu {plain_cpu:.1f} s, wall {plain_wall:.1f} s, {solver.status_name(status)},"
        f" gap {abs(cost - bound) / max(1, abs(cost)):.4f}"
    )
    print(f"cost in the coupled model: ours {cost_of(plain, found.grid, Effort()):.0f}, plain {cost:.0f}")
    print(f"ratio of CPU (ours / plain): {cpu / plain_cpu:.2f}", flush=True)


def example(turns: int = 3) -> None:
    """Both to the proven optimum, one after the other, several times."""
    spent: dict[str, list[float]] = {"ours": [], "published": []}
    for _ in range(turns):
        for name, make in (("ours", shift_example.ours), ("published", shift_example.published)):
            (solver, cost), cpu, wall = timed(lambda make=make, name=name: example_solved(make, alone=name == "ours"))
            spent[name].append(cpu)
            print(
                f"OR-tools shift example, {name}: cost {cost}, bound {solver.best_objective_bound:.0f},"
                f" cpu {cpu:.2f} s, wall {wall:.2f} s",
                flush=True,
            )
    print(f"ratio of CPU (ours / published), medians: {np.median(spent['ours']) / np.median(spent['published']):.3f}")


def example_solved(make: Callable[[], tuple[CpModel, shift_example.Reader]], *, alone: bool) -> tuple[CpSolver, int]:
    """The solver afterwards, and what an independent count makes of its rows; ``alone`` is the pack's one worker."""
    cp, read = make()
    solver = lone_solver(Effort(seconds=120, gap=0), 60) if alone else team(0, 120)
    solver.solve(cp)
    return solver, shift_example.cost(read(solver))


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else "kernel"
    {"kernel": counts, "conflicts": conflicts, "repair": repairs, "peers": peers}[what]()
