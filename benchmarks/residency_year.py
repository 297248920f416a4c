"""A residency's year: can it be worked? Continuity, counted by a counter that knows nothing of the model.

    python benchmarks/residency_year.py                      16 residents and 8 faculty, a year
    python benchmarks/residency_year.py --weeks 8            the first weeks alone
    python benchmarks/residency_year.py --residents 12 --seed 3
    python benchmarks/residency_year.py --no-rotations       the same people without rotations
    python benchmarks/residency_year.py --long-runs          faculty may work twelve days in a row

The programme is the sample's. CPU seconds are of the process and all its
threads. "Attending" is the faculty of an inpatient service; a day is whole
where the same service is worked morning and afternoon ("strict"), or where the
other half belongs to a night.
"""

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import pairwise

from attrs import evolve

from packhorse_scheduling.domain.calendar import Year
from packhorse_scheduling.domain.kernel import Kernel
from packhorse_scheduling.domain.programme import Programme
from packhorse_scheduling.domain.sample import Shape, sample
from packhorse_scheduling.domain.solve.search import Effort
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.year import DRAFTED, Draft, YearSolver

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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--residents", type=int, default=16)
    parser.add_argument("--faculty", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weeks", type=int)
    parser.add_argument("--no-rotations", action="store_true")
    parser.add_argument("--long-runs", action="store_true")
    parser.add_argument("--rounds", type=int, default=1)
    args = parser.parse_args()
    programme = programme_of(args)
    kernel = Kernel(programme)
    began = time.process_time()

    def heard(done: int, total: int, words: str) -> None:
        if words in (DRAFTED, "rotations settled"):
            print(f"  {words}: {time.process_time() - began:.1f} CPU-s", flush=True)

    print(f"{programme.name}: {len(programme.people)} people, {programme.year.days} days")
    solver = YearSolver(
        kernel, *start_of(kernel), kernel.tail, kernel.D - 1, effort=Effort(), progress=heard, rounds=args.rounds
    )
    found = solver.solve()
    spent = time.process_time() - began
    if not isinstance(found, Draft):
        print(f"  no roster: {found}, {spent:.1f} CPU-s")
        return
    broken = [violation for rule in kernel.rules for violation in rule.check(found.grid) if violation.blocks]
    open_gaps = [stage for stage in found.stages if stage.gap > 0.01]
    print(
        f"  finished: {spent:.1f} CPU-s, {len(broken)} breaches, {found.shortfall} places short,"
        f" {len(open_gaps)} of {len(found.stages)} stages above 1 %"
    )
    rows = kernel.cells_of(found.grid)
    for role in ("RESIDENT", "FACULTY"):
        of = [p for p, person in enumerate(programme.people) if person.role == role]
        present = 2 * int((~kernel.away[of, kernel.tail :]).sum())
        keys = {programme.people[p].key for p in of}
        print(f"  {role.lower()}: share worked {sum(row[0] in keys for row in rows) / present:.3f}")
    attendings(programme, rows)
    residents(programme, rows)


if __name__ == "__main__":
    main()
