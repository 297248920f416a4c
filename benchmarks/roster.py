"""The roster engine beside plain CP-SAT on public shift-scheduling instances: same model, same processor time, one run.

    python benchmarks/roster.py                     instances of ../shared, 120 processor seconds each side
    python benchmarks/roster.py --seconds 30 5 7    these instances, less time
    python benchmarks/roster.py --table 120 2 5 7   the engine alone, seed 2, gaps to best known
    python benchmarks/roster.py --inrc2 n005w4 60   a nurse-rostering folder, cost by week
    python benchmarks/roster.py --repair            processor seconds of repairs after sick calls

The peer is one CP-SAT model of the whole instance (a Boolean for each person, day and shift; the rules as sliding
windows and clauses) with eight workers. Both sides' rosters are judged by the scorer of the tests, which shares no code
with either. Best known values are those of the README beside the data. Processor seconds are of the process and all
its threads; a watch stops the peer when they are used.
"""

import math
import statistics
import sys
import threading
import time
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "scheduling"))

from ortools.sat.python import cp_model

from curtois_scorer import score
from inrc2_scorer import score as score_weeks
from packhorse_scheduling.convert.shifts import inrc2
from packhorse_scheduling.convert.shifts.curtois import ward_from
from packhorse_scheduling.convert.wards.months import example
from packhorse_scheduling.convert.wards.question import ward_of
from packhorse_scheduling.domain.shifts.compact import whole
from packhorse_scheduling.domain.shifts.tables import Tables
from packhorse_scheduling.domain.wards.patterns import as_problem
from packhorse_scheduling.domain.wards.repair import Absence, repaired
from packhorse_scheduling.domain.wards.search import solve

DATA = Path(__file__).resolve().parents[2] / "shared" / "benchmarks" / "shift_scheduling"
BEST = {
    1: 607, 2: 828, 3: 1001, 4: 1716, 5: 1143, 6: 1950, 7: 1056, 8: 1300, 9: 439, 10: 4631, 11: 3443, 12: 4040,
    13: 1348, 14: 1278, 15: 3829, 16: 3225, 17: 5746, 18: 4459, 19: 3149, 20: 4769, 21: 21133, 22: 30240, 23: 17428,
    24: 42463,
}  # fmt: skip
WORKERS = 8


def ours(text: str, seconds: float, seed: int) -> tuple[int, int, float]:
    ward = ward_from(text)
    outcome = solve(ward, seconds, seed=seed)
    cost, broken = score(text, outcome.roster.named(ward))
    assert not broken, broken
    assert cost == outcome.objective, (cost, outcome.objective)
    return outcome.objective, outcome.bound, outcome.cpu_seconds


def plain(text: str, seconds: float, seed: int) -> tuple[int | None, int, float]:
    problem = as_problem(ward_from(text))
    assert problem is not None
    tables = Tables(problem)
    began = time.process_time()
    compact = whole(tables)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = WORKERS
    solver.parameters.random_seed = seed
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.2):
            if time.process_time() - began >= seconds:
                solver.stop_search()
                return

    watching = threading.Thread(target=watch)
    watching.start()
    status = solver.solve(compact.model)
    over.set()
    watching.join()
    took = time.process_time() - began
    bound = max(0, math.ceil(solver.best_objective_bound + compact.constant - 1e-4))
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, bound, took
    grid = compact.filled(lambda variable: bool(solver.boolean_value(variable)))
    cost, broken = score(text, problem.named(tables.roster(grid)))
    assert not broken, broken
    return cost, bound, took


def peers(numbers: list[int], seconds: float, seed: int) -> None:
    print(
        f"{'I':>3} {'best':>6} | {'ours':>6} {'bound':>6} {'cpu s':>6} | {'plain':>6} {'bound':>6} {'cpu s':>6} | ratio"
    )
    ratios = []
    for number in numbers:
        text = (DATA / "curtois" / f"Instance{number}.txt").read_text()
        best = BEST[number]
        cost, bound, took = ours(text, seconds, seed)
        there, below, used = plain(text, seconds, seed)
        ratio = ""
        if there is None or there > below:  # not proven by the peer
            gap = (there - best) / best if there is not None else float("inf")
            one = 0.0 if cost <= best else (cost - best) / best / gap if gap > 0 else float("inf")
            ratios.append(one)
            ratio = f"{one:.3f}"
        peer = f"{there if there is not None else '-':>6} {below:>6} {used:>6.1f}"
        print(f"{number:>3} {best:>6} | {cost:>6} {bound:>6} {took:>6.1f} | {peer} | {ratio}", flush=True)
    if ratios:
        print(f"mean ratio of the gaps to best known, where plain CP-SAT proves nothing: {statistics.mean(ratios):.3f}")


def table(numbers: list[int], seconds: float, seed: int) -> None:
    """The engine alone: gaps to best known, and from the bound, in per cent of the cost."""
    print(f"seed {seed}, {seconds:.0f} CPU s")
    for number in numbers:
        text = (DATA / "curtois" / f"Instance{number}.txt").read_text()
        cost, bound, took = ours(text, seconds, seed)
        best = BEST[number]
        print(
            f"{number:>3} | {best:>6} | {cost:>6} | {100 * (cost - best) / best:>6.2f} | {bound:>6} |"
            f" {100 * (cost - bound) / cost:>6.2f} | {took:>6.1f}",
            flush=True,
        )


def nurses(name: str, seconds: float) -> None:
    folder = DATA / "inrc2" / name
    weeks = list(range(int(name[-1])))
    ward = inrc2.ward_from(folder, 0, weeks)
    found = solve(ward, seconds)
    costs, broken = score_weeks(folder, 0, weeks, found.roster.named(ward), found.roster.skilled(ward))
    assert sum(costs) == found.objective, (costs, found.objective)
    print(
        f"{name}: {sum(costs)} = {' + '.join(map(str, costs))}, bound {found.bound}, short {found.count.short},",
        end=" ",
    )
    print(f"{len(broken)} hard rules broken, {found.cpu_seconds:.0f} CPU s", flush=True)


def large_ward(nurses: int) -> dict[str, Any]:
    """The example ward for a month, with more nurses and as much more demand."""
    document = example(date(2027, 1, 4))
    times, staff = nurses / len(document["people"]), document["people"]
    people = [{**staff[n % len(staff)], "key": f"n{n}", "name": f"Nurse {n}"} for n in range(nurses)]
    demand = [
        {**row, "least": round(row.get("wished", 0) * times), "wished": None, "most": None}
        for row in document["demand"]
    ]
    return {
        **document, "days": 30, "people": people, "demand": demand, "requests": [], "fixed": [], "before": [],
        "carried": [],
    }  # fmt: skip


def repairs(nurses: int = 40) -> None:
    """Sick calls of one to five people for three days each, on a roster of a month."""
    ward = ward_of(large_ward(nurses))
    outcome = solve(ward, 60)
    print(f"{nurses} nurses, {ward.days} days: {outcome.status}, costs {outcome.objective}")
    for ill in (1, 2, 3, 5):
        absences = [Absence(ward.people[7 * n % nurses].key, 9 + n, 11 + n) for n in range(ill)]
        began = time.process_time()
        _, repair = repaired(ward, outcome.roster, absences, 9)
        took = time.process_time() - began
        print(
            f"{ill} ill: {repair.emptied} shifts given up, {len(repair.changes)} changes, proven {repair.proven},"
            f" short {repair.count.short}, hard {len(repair.count.hard)}, {took:.1f} CPU s",
            flush=True,
        )


def main(arguments: list[str]) -> None:
    if not DATA.is_dir():
        print(f"{DATA} is absent: nothing to measure.")
        return
    if arguments[:1] == ["--repair"]:
        repairs()
        return
    if arguments[:1] == ["--inrc2"]:
        nurses(arguments[1], float(arguments[2]))
        return
    if arguments[:1] == ["--table"]:
        table([int(a) for a in arguments[3:]], float(arguments[1]), int(arguments[2]))
        return
    seconds = 120.0
    if arguments[:1] == ["--seconds"]:
        seconds, arguments = float(arguments[1]), arguments[2:]
    numbers = [int(a) for a in arguments] or [n for n in BEST if (DATA / "curtois" / f"Instance{n}.txt").exists()]
    peers(numbers, seconds, seed=1)


if __name__ == "__main__":
    main(sys.argv[1:])
