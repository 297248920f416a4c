"""Ten generated years beside those that an earlier version made of the same programmes: how hard they are on people.

    python benchmarks/years_compared.py                 ten years, made now
    python benchmarks/years_compared.py --seeds 1 2     some of them
    python benchmarks/years_compared.py --old-only      the kept rosters alone, nothing is made

The programmes are the sample's, 16 residents and 8 faculty. The earlier
rosters (commit c8c813e, its default effort with its limits in seconds tripled)
lie in ``years_c8c813e.json.xz``. Everything is counted from the half-days by
what stands here, per resident and year:

* hard transition: the next day's duty begins earlier than yesterday's and less
  than 16 hours after its end, or one day without duty lies between a night and
  a duty by day. A night belongs to the day of its evening, and ends on the next.
* night to day: the second of these alone, or a duty on the day a night ends.
* after clinic: a night that begins on a day with clinic.
* SD: population standard deviation of nights, and of weekends worked, within
  each year of training (the mean of the three, and the worst) and over all.
"""

import argparse
import json
import lzma
import statistics
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.search import Effort
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.year import Draft, YearSolver

KEPT = Path(__file__).with_name("years_c8c813e.json.xz")
RESIDENTS, FACULTY = 16, 8
REST = 16 * 60
DAY = 24 * 60
Days = Mapping[str, Sequence[Sequence[str | None]]]
"""Of each person the two services of every day."""


@dataclass(frozen=True)
class Counts:
    """Of one year: means per resident, and spreads."""

    hard: float
    night_to_day: float
    after_clinic: float
    nights_within: float
    nights_worst: float
    nights_over_all: float
    weekends_within: float
    weekends_over_all: float


HEADS = (
    "hard transitions", "night to day", "after clinic", "SD nights in PGY", "worst", "over all", "SD weekends in PGY",
    "over all",
)  # fmt: skip


def programme_of(seed: int) -> Programme:
    return sample(Shape(residents=RESIDENTS, faculty=FACULTY, seed=seed))


def made(programme: Programme) -> tuple[Days, float, int, int]:
    """The year as it is made now: half-days, CPU seconds, breaches, places short."""
    kernel = Kernel(programme)
    began = time.process_time()
    solver = YearSolver(kernel, *start_of(kernel), kernel.tail, kernel.D - 1, effort=Effort(), rounds=1)
    found = solver.solve()
    spent = time.process_time() - began
    if not isinstance(found, Draft):
        raise SystemExit(f"no roster: {found}")
    broken = sum(one.blocks for rule in kernel.rules for one in rule.check(found.grid))
    codes = [service.code for service in programme.services]
    days = {
        person.key: [[codes[s] if s >= 0 else None for s in day] for day in found.grid[p, kernel.tail :].tolist()]
        for p, person in enumerate(programme.people)
    }
    return days, spent, broken, found.shortfall


def kept() -> dict[int, Days]:
    """The earlier rosters, by seed."""
    with lzma.open(KEPT, "rt") as file:
        held = json.load(file)
    letters = {letter: code for code, letter in held["letters"].items()}
    return {
        int(seed): {
            person: [[letters.get(one) for one in text[n : n + 2]] for n in range(0, len(text), 2)]
            for person, text in people.items()
        }
        for seed, people in held["years"].items()
    }


def counts(programme: Programme, days: Days) -> Counts:
    """Counted from clock times, with nothing of the model."""
    services = {service.code: service for service in programme.services}
    pgy = {person.key: person.pgy for person in programme.people if person.role == "RESIDENT"}
    hard = to_day = clinics = 0
    nights: dict[str, int] = {}
    weekends: dict[str, int] = {}
    for person in pgy:
        duty: list[tuple[int, int] | None] = []
        night: list[bool] = []
        mine = days[person]
        for am, pm in mine:
            spans = []
            if am is not None and not services[am].overnight:
                spans.append(services[am].am)
            if pm is not None:
                spans.append(services[pm].pm)
            late = pm is not None and services[pm].overnight
            night.append(late)
            ends = max((span.end for span in spans if span), default=0)
            if late:
                end = services[pm].am
                ends = DAY + (end.end if end is not None else 0)
                if "clinic" in {services[one].kind for one in (am,) if one is not None}:
                    clinics += 1
            duty.append((min(span.start for span in spans if span), ends) if spans else None)
        for d in range(1, len(duty)):
            one, before = duty[d], duty[d - 1]
            if one is not None and before is not None and one[0] < before[0] and one[0] + DAY - before[1] < REST:
                hard += 1
                to_day += night[d - 1] and not night[d]
            elif d > 1 and one is not None and before is None and night[d - 2] and not night[d]:
                hard += 1
                to_day += 1
        nights[person] = sum(night)
        worked = {
            (programme.year.day(d).toordinal() - 1) // 7
            for d, halves in enumerate(mine)
            if programme.year.day(d).weekday() >= 5 and any(halves)
        }
        weekends[person] = len(worked)
    by_year: dict[int | None, list[str]] = defaultdict(list)
    for person, level in pgy.items():
        by_year[level].append(person)
    within = [statistics.pstdev(nights[p] for p in people) for people in by_year.values()]
    off = [statistics.pstdev(weekends[p] for p in people) for people in by_year.values()]
    n = len(pgy)
    return Counts(
        hard / n,
        to_day / n,
        clinics / n,
        statistics.mean(within),
        max(within),
        statistics.pstdev(nights.values()),
        statistics.mean(off),
        statistics.pstdev(weekends.values()),
    )


def row(name: str, one: Counts, more: str = "") -> str:
    values = vars(one).values()
    return f"| {name} | " + " | ".join(f"{value:.2f}" for value in values) + f" |{more}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="*", default=list(range(1, 11)))
    parser.add_argument("--old-only", action="store_true")
    args = parser.parse_args()
    before = kept()
    print("| year | " + " | ".join(HEADS) + " |")
    print("|---" * (len(HEADS) + 1) + "|")
    sides: dict[str, list[Counts]] = {"c8c813e": [], "now": []}
    for seed in args.seeds:
        programme = programme_of(seed)
        sides["c8c813e"].append(counts(programme, before[seed]))
        print(row(f"{seed}, c8c813e", sides["c8c813e"][-1]), flush=True)
        if not args.old_only:
            days, spent, broken, short = made(programme)
            sides["now"].append(counts(programme, days))
            print(
                row(f"{seed}, now", sides["now"][-1], f" {spent:.1f} CPU-s, {broken} breaches, {short} short"),
                flush=True,
            )
    for name, found in sides.items():
        if found:
            mean = Counts(
                *(statistics.mean(values) for values in zip(*(vars(one).values() for one in found), strict=True))
            )
            print(row(f"mean, {name}", mean))


if __name__ == "__main__":
    main()
