"""Half-days that differ, gathered to runs of days of one person."""

from collections import defaultdict
from collections.abc import Iterable

from attrs import frozen

from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.roster.arrays import FREE, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel


@frozen
class Run:
    """The same change of one person on consecutive days; ``session`` is AM, PM, "day", or "night" by its evening."""

    person: int
    first: int
    last: int
    session: str
    before: int
    after: int


def runs_of(kernel: "Kernel", was: "Grid", now: "Grid", cells: "Iterable[tuple[int, int, int]]") -> list[Run]:
    """These half-days as runs, whoever takes something over first, then whoever is freed; each by person and day."""
    pairs = {(p, d, h): (int(was[p, d, h]), int(now[p, d, h])) for p, d, h in cells}
    halves: dict[tuple[int, int, int], dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for (p, d, h), pair in pairs.items():
        held = next((s for s in reversed(pair) if s != FREE), FREE)
        night = held != FREE and bool(kernel.overnight[held]) and h == 0 and pairs.get((p, d - 1, 1)) == pair
        halves[p, *pair][d - night].add(2 if night else h)
    found: list[Run] = []
    for (p, before, after), days in halves.items():
        open_runs: dict[str, Run] = {}
        for d, parts in sorted(days.items()):
            for name in _names(parts):
                run = open_runs.get(name)
                first = run.first if run is not None and run.last == d - 1 else d
                if run is not None and first == d:
                    found.append(run)
                open_runs[name] = Run(p, first, d, name, before, after)
        found += open_runs.values()
    return sorted(found, key=lambda run: (run.after == FREE, run.person, run.first, run.session))


def _names(parts: set[int]) -> list[str]:
    """A day's halves and the morning that ends its night, in names."""
    if parts == {0, 1}:
        return ["day"]
    if 2 in parts:
        return [*(SESSIONS[h] for h in sorted(parts & {0})), "night"]
    return [SESSIONS[h] for h in sorted(parts)]
