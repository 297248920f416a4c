"""A residency's year: can it be worked? Continuity, counted by a counter that knows nothing of the model.

    python benchmarks/residency_year.py                      16 residents and 8 faculty, a year
    python benchmarks/residency_year.py --weeks 8            the first weeks alone
    python benchmarks/residency_year.py --residents 12 --seed 3
    python benchmarks/residency_year.py --no-rotations       the same people without rotations
    python benchmarks/residency_year.py --pool               20 and 60 people without rotations, 8 weeks and a year:
                                                             medians of three seeds, with each of them
    python benchmarks/residency_year.py --long-runs          faculty may work twelve days in a row
    python benchmarks/residency_year.py --bound              and what share of their half-days people can work at most

The programme is the sample's. CPU seconds are of the process and all its
threads. "Attending" is the faculty of an inpatient service; a day is whole
where the same service is worked morning and afternoon ("strict"), or where the
other half belongs to a night.
"""

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from itertools import pairwise

import numpy as np
from attrs import evolve, frozen

from frame_bound import most_share
from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.search import Effort
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.year import DRAFTED, Draft, Outcome, YearSolver

Row = tuple[str, date, int, str]
"""Person, day, half (0 or 1), service."""


def programme_of(args: argparse.Namespace) -> Programme:
    made = sample(Shape(residents=args.residents, faculty=args.faculty, seed=args.seed))
    if args.no_rotations:
        made = evolve(made, rotations=())
    if args.long_runs:
        made = evolve(made, rules=evolve(made.rules, run_roles=frozenset({"RESIDENT"})))
    if args.weeks:
        year = Year(made.year.start, made.year.start + timedelta(days=7 * args.weeks - 1))
        made = evolve(
            made,
            year=year,
            leaves=tuple(leave for leave in made.leaves if leave.start in year and leave.end in year),
            preferences=tuple(wish for wish in made.preferences if wish.day in year),
        )
    return made


def attendings(programme: Programme, rows: Iterable[Row]) -> None:
    """Same person morning and afternoon, people in a week, handovers."""
    faculty = {person.key for person in programme.people if person.role == "FACULTY"}
    inpatient = [service.code for service in programme.services if service.kind == "inpatient"]
    there: dict[tuple[str, date], list[set[str]]] = defaultdict(lambda: [set(), set()])
    for person, day, half, code in rows:
        if person in faculty and code in inpatient:
            there[code, day][half].add(person)
    for code in inpatient:
        days = sorted(day for service, day in there if service == code)
        if not days:
            continue
        same = sum(there[code, day][0] == there[code, day][1] for day in days)
        weeks: dict[date, dict[int, set[str]]] = defaultdict(dict)
        for day in days:
            weeks[day - timedelta(days=day.weekday())][day.weekday()] = set.union(*there[code, day])
        whole = [week for week in weeks.values() if len(week) == 7] or [
            week for week in weeks.values() if len(week) == 5
        ]
        of_five = statistics.mean(len(set.union(*(week[n] for n in range(5)))) for week in whole)
        of_all = statistics.mean(len(set.union(*week.values())) for week in whole)
        handovers = sum(
            there[code, one][1] != there[code, other][0] for one, other in pairwise(days) if (other - one).days == 1
        ) + sum(there[code, day][0] != there[code, day][1] for day in days)
        print(
            f"  {code}: attending same AM and PM {same} of {len(days)} days ({same / len(days):.1%}),"
            f" Mon-Fri {of_five:.2f} people a week, Mon-Sun {of_all:.2f},"
            f" handovers a week {handovers / len(days) * 7:.2f}"
        )


def residents(programme: Programme, rows: Iterable[Row]) -> None:
    """Whole ward days, people of a team, nights."""
    pgy = {person.key: person.pgy for person in programme.people if person.role == "RESIDENT"}
    services = {service.code: service for service in programme.services}
    days: dict[tuple[str, date], dict[int, str]] = defaultdict(dict)
    for person, day, half, code in rows:
        if person in pgy:
            days[person, day][half] = code
    for code, service in services.items():
        if service.kind != "inpatient":
            continue
        mine = [list(day.values()) for day in days.values() if code in day.values()]
        strict = sum(day == [code, code] for day in mine)
        night = sum(len(day) == 2 and any(services[one].overnight for one in day) for day in mine)
        print(
            f"  {code}: residents' days whole {(strict + night) / max(1, len(mine)):.1%}"
            f" (strict {strict / max(1, len(mine)):.1%}) of {len(mine)}"
        )
    nights = dict.fromkeys(pgy, 0)
    for (person, _), day in days.items():
        nights[person] += 1 in day and services[day[1]].overnight
    for level in sorted(set(pgy.values())):
        of = [nights[person] for person in pgy if pgy[person] == level]
        print(f"  PGY {level}: nights {min(of)}-{max(of)}, SD {statistics.pstdev(of):.2f}")


POOLS = ((12, 8, 8), (12, 8, None), (36, 24, 8), (36, 24, None))
"""Residents, faculty, weeks (None: the year) of a call pool without rotations."""


@frozen
class Run:
    """What one solve took, in CPU seconds, and what came of it."""

    drafted: float
    finished: float
    found: Outcome
    kernel: Kernel
    solver: YearSolver

    @property
    def wide(self) -> int:
        """Stages above 1 %."""
        return sum(stage.gap > 0.01 for stage in self.found.stages)


def solved(programme: Programme, rounds: int, tell: Callable[[str], None]) -> Run:
    """One roster, from nothing."""
    began = time.process_time()
    kernel = Kernel(programme)
    at: dict[str, float] = {}

    def heard(done: int, total: int, words: str) -> None:
        if words in (DRAFTED, "rotations settled"):
            at[words] = time.process_time() - began
            tell(f"  {words}: {at[words]:.1f} CPU-s")

    solver = YearSolver(
        kernel, *start_of(kernel), kernel.tail, kernel.D - 1, effort=Effort(), progress=heard, rounds=rounds
    )
    found = solver.solve()
    return Run(at.get(DRAFTED, 0), time.process_time() - began, found, kernel, solver)


def breaches(run: Run) -> int:
    return sum(violation.blocks for rule in run.kernel.rules for violation in rule.check(run.found.grid))


def pools(seeds: Iterable[int]) -> None:
    """Each size of call pool, one line a seed, and the medians."""
    for people, faculty, weeks in POOLS:
        runs = []
        for seed in seeds:
            args = argparse.Namespace(
                residents=people, faculty=faculty, seed=seed, no_rotations=True, long_runs=False, weeks=weeks
            )
            run = solved(programme_of(args), 0, lambda words: None)
            if not isinstance(run.found, Draft):
                print(f"  seed {seed}: no roster: {run.found}, {run.finished:.1f} CPU-s", flush=True)
                continue
            runs.append(run)
            print(
                f"  seed {seed}: first full roster {run.drafted:.1f} CPU-s, finished {run.finished:.1f},"
                f" {run.wide} of {len(run.found.stages)} stages above 1 %, {breaches(run)} breaches,"
                f" {run.found.shortfall} places short",
                flush=True,
            )
        if runs:
            print(
                f"{people + faculty} people, {f'{weeks} weeks' if weeks else 'a year'}: first full roster"
                f" {statistics.median(run.drafted for run in runs):.1f} CPU-s, finished"
                f" {statistics.median(run.finished for run in runs):.1f}, {max(run.wide for run in runs)} stages above"
                " 1 % at most",
                flush=True,
            )


def bounds(kernel: Kernel, solver: YearSolver) -> None:
    """The share that each frame allows at most, see ``frame_bound``."""
    base, fixed = start_of(kernel)
    wide = solver.rotations.allowed()
    grid, held = base.copy(), fixed.copy()
    solver.turns.hold(grid, held)
    mine = most_share(kernel, "RESIDENT", wide, base, fixed, beside=True)
    settled = most_share(kernel, "RESIDENT", solver.turns.narrow(wide), grid, held, beside=True)
    print(f"  residents can work {mine:.3f} at most on these rotations, {settled:.3f} with these turns")
    solver.attendings.hold(grid, held)
    free = most_share(kernel, "FACULTY", np.ones_like(wide), base, fixed, beside=True)
    alone = most_share(kernel, "FACULTY", wide, grid, held, beside=False)
    print(f"  faculty can work {free:.3f} at most, {alone:.3f} with one attending on a ward")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--residents", type=int, default=16)
    parser.add_argument("--faculty", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weeks", type=int)
    parser.add_argument("--no-rotations", action="store_true")
    parser.add_argument("--long-runs", action="store_true")
    parser.add_argument("--bound", action="store_true", help="what share of their half-days people can work at most")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--pool", action="store_true")
    args = parser.parse_args()
    if args.pool:
        pools((1, 2, 3))
        return
    programme = programme_of(args)
    print(f"{programme.name}: {len(programme.people)} people, {programme.year.days} days")
    run = solved(programme, args.rounds, lambda words: print(words, flush=True))
    kernel, found = run.kernel, run.found
    if not isinstance(found, Draft):
        print(f"  no roster: {found}, {run.finished:.1f} CPU-s")
        return
    print(
        f"  finished: {run.finished:.1f} CPU-s, {breaches(run)} breaches, {found.shortfall} places short,"
        f" {run.wide} of {len(found.stages)} stages above 1 %"
    )
    rows = kernel.cells_of(found.grid)
    for role in ("RESIDENT", "FACULTY"):
        of = [p for p, person in enumerate(programme.people) if person.role == role]
        present = 2 * int((~kernel.away[of, kernel.tail :]).sum())
        keys = {programme.people[p].key for p in of}
        print(f"  {role.lower()}: share worked {sum(row[0] in keys for row in rows) / present:.3f}")
    if args.bound:
        bounds(kernel, run.solver)
    attendings(programme, rows)
    residents(programme, rows)


if __name__ == "__main__":
    main()
