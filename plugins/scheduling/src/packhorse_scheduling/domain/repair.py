"""After somebody drops out: a lawful roster that differs as little as can be."""

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.kernel import FREE
from packhorse_scheduling.domain.solve.cells import Var
from packhorse_scheduling.domain.solve.model import Model
from packhorse_scheduling.domain.solve.search import Effort, solve

if TYPE_CHECKING:
    from packhorse_scheduling.domain.kernel import Bools, Grid, Kernel

CHANGE_COST = 20
"""Of one half-day that is not what it was; multiplied by how short the notice is."""
NOTICE = ((7, 5), (14, 3))
"""Below so many days of notice a change counts so many times."""


@frozen(eq=False)
class Repaired:
    """The new grid; ``vacated`` cells were the absent person's, ``changed`` are all others that differ.

    ``proven`` says that no repair with a smaller cost exists on these days;
    ``shortfall`` is demand that nobody could take over.
    """

    grid: "Grid"
    vacated: tuple[tuple[int, int, int], ...]
    changed: tuple[tuple[int, int, int], ...]
    shortfall: int
    proven: bool


def repair(
    kernel: "Kernel",
    grid: "Grid",
    person: int,
    first: int,
    last: int,
    *,
    today: int,
    locked: "Bools | None" = None,
    effort: Effort = Effort(seconds=5, gap=0),  # noqa: B008 - frozen
) -> Repaired | None:
    """Empty the person's cells from ``first`` to ``last`` and mend the rest; None when nothing can be done.

    ``kernel`` already knows the absence as leave. Locked cells stay as they
    are. Only the days of the absence and the nights at its edges are open, and
    only people who could take over. The programme's own locks hold as well. A minimum that cannot be met is left short,
    as little as possible.
    """
    emptied = grid.copy()
    emptied[person, first : last + 1] = FREE
    night = kernel.overnight
    if last + 1 < kernel.D and night[grid[person, last + 1, 0]] and night[grid[person, last, 1]]:
        emptied[person, last + 1, 0] = FREE
    if first > 0 and night[grid[person, first - 1, 1]] and night[grid[person, first, 0]]:
        emptied[person, first - 1, 1] = FREE
    vacated: tuple[tuple[int, int, int], ...] = tuple((p, d, h) for p, d, h in np.argwhere(emptied != grid).tolist())
    found = None
    planned = max(int(np.flatnonzero((grid >= 0).any(axis=(0, 2)))[-1]), min(last + 1, kernel.D - 1))
    for reach in _REACHES:
        low, high = max(kernel.tail, min(first - 1, max(today, first - reach))), min(planned, last + reach)
        fixed = kernel.locked.copy() if locked is None else kernel.locked | locked
        fixed[person, first : last + 1] = True
        if reach == 1:
            fixed[person] = True
        for persons in (_like(kernel, int(kernel.group[person])), list(range(kernel.P))):
            found = _mended(kernel, emptied, persons, low, high, fixed, today, effort) or found
            if found is not None and found.shortfall == 0:
                break
        if found is not None and not _personal_faults(kernel, found.grid, person):
            break
    if found is None:
        return None
    gone = set(vacated)
    changed = tuple((p, d, h) for p, d, h in np.argwhere(found.grid != grid).tolist() if (p, d, h) not in gone)
    return Repaired(found.grid, vacated, changed, found.shortfall, found.proven)


_REACHES = (1, 7, 27)
"""Days on either side that are opened, as few as do: leave drops out of the averages, so that somebody who was away
may need another free day soon after."""


def _personal_faults(kernel: "Kernel", grid: "Grid", person: int) -> bool:
    return any(
        violation.blocks and violation.person == person for rule in kernel.rules for violation in rule.check(grid)
    )


def _like(kernel: "Kernel", group: int) -> list[int]:
    return [int(p) for p in np.flatnonzero(kernel.group == group)]


def _mended(
    kernel: "Kernel",
    grid: "Grid",
    persons: list[int],
    low: int,
    high: int,
    fixed: "Bools",
    today: int,
    effort: Effort,
) -> Repaired | None:
    model = Model(kernel, grid, persons, low, high, kernel.D - 1, fixed=fixed, shortfalls=True)
    model.post()
    seen: set[int] = set()
    for p in persons:
        for d in range(low, high + 1):
            for h in (0, 1):
                options = model.cell(p, d, h)
                if not options:
                    continue
                cost = CHANGE_COST * _notice(d - today)
                stays: Var | None = options.get(int(grid[p, d, h]))
                if stays is not None:
                    model.costs.append((stays, -cost))
                    seen.add(stays.index)
                    # Another service costs once, like being freed; work where there was none, below.
                    continue
                if grid[p, d, h] == FREE:
                    model.costs += [(v, cost) for v in options.values()]
    model.hint(grid)
    found = solve(model, effort)
    if found.grid is None:
        return None
    return Repaired(found.grid, (), (), found.shortfall, found.status == "optimal")


def _notice(days: int) -> int:
    return next((times for below, times in NOTICE if days < below), 1)
