"""Whole sample years, one line a seed, each checked by the tests' own reading of the rules.

    python benchmarks/scheduling_seeds.py                      seeds 1 to 40, 12 residents and 8 faculty
    python benchmarks/scheduling_seeds.py 7 9                  seeds 7 to 9
    python benchmarks/scheduling_seeds.py 1 1 --residents 42 --faculty 18
    python benchmarks/scheduling_seeds.py 1 3 --improve        and the improvement pass, timed apart

A line gives breaches, missing people and impossible cells as the independent
checker counts them; the unmet minimum demand beside a proven lower bound (for
each half-day, places less a maximum matching of people to them: nobody can
fill more); the worst and the mean gap of a block's stage; CPU seconds of the
process with all its threads, and wall seconds on what may be a shared machine:
until the first draft stands and is validated, and until every gap is closed.
The run ends with status 1 if any seed has a breach, an impossible cell, demand
unmet above the bound, a gap above half a percent, or no roster.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "scheduling"))

from cpr_checker import breaches, impossible_cells, missing_people, shortages
from packhorse_scheduling.domain.insight.explain import fewest_missing
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.search import Effort
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.year import DRAFTED, Draft, YearSolver

GAP = 0.005


def line(shape: Shape, *, improve: bool) -> tuple[str, float | None]:
    """What came of one seed, in words, and, where it is as it should be, CPU seconds until its first draft."""
    programme = sample(shape)
    cpu, wall = time.process_time(), time.perf_counter()
    drafted = [0.0, 0.0]

    def told(_done: int, _total: int, words: str) -> None:
        if words == DRAFTED:
            drafted[:] = time.process_time() - cpu, time.perf_counter() - wall

    kernel = Kernel(programme)
    grid, fixed = start_of(kernel)
    first, last = kernel.tail, kernel.D - 1
    found = YearSolver(kernel, grid, fixed, first, last, effort=Effort(), rounds=int(improve), progress=told).solve()
    whole_cpu, whole_wall = time.process_time() - cpu, time.perf_counter() - wall
    if not isinstance(found, Draft):
        return f"seed {shape.seed:3}: NO ROSTER, {found}, cpu {whole_cpu:.1f} s", None
    judging = time.process_time()
    own = [violation for rule in kernel.rules for violation in rule.check(found.grid) if violation.blocks]
    drafted[0] += time.process_time() - judging
    cells = kernel.cells_of(found.grid)
    broken, impossible = breaches(kernel.programme, cells), impossible_cells(kernel.programme, cells)
    short, unmet = shortages(kernel.programme, cells), missing_people(kernel.programme, cells)
    least = sum(fewest_missing(kernel, d, h) for d in range(first, last + 1) for h in (0, 1))
    gaps = [stage.gap for stage in found.stages if stage.name != "improvement"]
    faults = len(own) + len(broken) + len(impossible)
    good = not faults and unmet <= least and max(gaps) <= GAP and len(cells) > 8 * kernel.D
    return (
        f"seed {shape.seed:3}: first draft cpu {drafted[0]:5.1f} s, wall {drafted[1]:5.1f} s; gaps closed"
        f" cpu {whole_cpu:5.1f} s, wall {whole_wall:6.1f} s; {len(cells)} cells, breaches {len(broken)},"
        f" impossible {len(impossible)}, half-days short {len(short)}, unmet {unmet} (bound {least}), gap worst"
        f" {max(gaps):.4f} mean {np.mean(gaps):.4f}, stages {len(gaps)}"
        f" ({sum(stage.name == 'together' for stage in found.stages)} together,"
        f" {sum(stage.name == 'improvement' for stage in found.stages)} improved)"
    ), drafted[0] if good else None


def main() -> int:
    ask = argparse.ArgumentParser()
    ask.add_argument("first", nargs="?", type=int, default=1)
    ask.add_argument("last", nargs="?", type=int)
    ask.add_argument("--residents", type=int, default=12)
    ask.add_argument("--faculty", type=int, default=8)
    ask.add_argument("--improve", action="store_true")
    asked = ask.parse_args()
    last = asked.last or (asked.first if len(sys.argv) > 1 else 40)
    drafts: list[float] = []
    for seed in range(asked.first, last + 1):
        words, draft = line(Shape(residents=asked.residents, faculty=asked.faculty, seed=seed), improve=asked.improve)
        print(words, "  <-- NOT AS IT SHOULD BE" if draft is None else "", flush=True)
        drafts += [] if draft is None else [draft]
    bad = last - asked.first + 1 - len(drafts)
    if drafts:
        print(f"first draft: median {np.median(drafts):.1f} s of CPU, worst {max(drafts):.1f} s")
    print(f"{last - asked.first + 1} seeds, {bad} not as they should be")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
