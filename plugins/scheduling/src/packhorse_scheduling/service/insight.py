"""Looking further: trying things on a copy of what is published."""

from collections.abc import Sequence
from datetime import date

from attrs import evolve

from packhorse_scheduling.domain.change.repair import Repaired
from packhorse_scheduling.domain.programme.requests import Demand, Leave
from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid

SECONDS_TO_MEND = 3.0
"""For one stretch of days of a scenario."""


def supposing(
    opened: Opened,
    absences: Sequence[tuple[int, date, date]],
    demands: Sequence[Demand],
) -> Opened:
    """The published roster as it would stand with these absences and demands; nothing is kept.

    Raises:
        UserError: together they contradict the programme.
    """
    programme = opened.programme
    leaves = list(programme.leaves)
    for p, start, end in absences:
        key = programme.people[p].key
        met = [one for one in leaves if one.person == key and one.binds and one.start <= end and start <= one.end]
        first, last = min([start, *(one.start for one in met)]), max([end, *(one.end for one in met)])
        leaves = [one for one in leaves if one not in met] + [Leave(key, first, last, "emergency_leave")]
    made = evolve(programme, leaves=tuple(leaves), demands=(*programme.demands, *demands))
    faults = made.faults()
    if faults:
        raise invalid("absences", " ".join(faults[:3]))
    return Opened(opened.schedule, Kernel(made, opened.schedule.plan), opened.grid)


def mended_around(supposed: Opened, absences: Sequence[tuple[int, date, date]], today: int) -> "Repaired | None":
    """The roster with the fewest changes around these absences together; None where none was found in time."""
    from packhorse_scheduling.domain.change.repair import repair
    from packhorse_scheduling.domain.solve.search import Effort

    kernel = supposed.kernel
    return repair(
        kernel,
        supposed.grid,
        [(p, kernel.day_of(start), kernel.day_of(end)) for p, start, end in absences],
        today=today,
        effort=Effort(seconds=SECONDS_TO_MEND, gap=0),
    )


def freed(supposed: Opened, absences: Sequence[tuple[int, date, date]]) -> "Grid":
    """The roster with the half-days of who is away left empty."""
    from packhorse_scheduling.domain.roster.arrays import FREE

    kernel, grid = supposed.kernel, supposed.grid.copy()
    for p, start, end in absences:
        grid[p, max(kernel.tail, kernel.day_of(start)) : min(kernel.D, kernel.day_of(end) + 1)] = FREE
    return grid


def without(
    opened: Opened, losses: Sequence[tuple[int, date, date]], *, field: str = "start_date"
) -> "tuple[Kernel, Grid]":
    """The kernel and grid of a roster in which these people are away on these days, both included; nothing is kept.

    Raises:
        UserError: a loss is reversed, or outside the programme's year; ``field`` is what named it.
    """
    from packhorse_scheduling.domain.roster.arrays import FREE

    kernel, grid, year = opened.kernel, opened.grid.copy(), opened.programme.year
    leaves = list(opened.programme.leaves)
    for p, first, last in losses:
        if last < first:
            raise invalid(field, f"`end_date` {last} is before `start_date` {first}.")
        if last < year.start or first > year.end:
            raise invalid(field, f"{first} to {last} is outside the programme's year.")
        grid[p, max(0, kernel.day_of(first)) : kernel.day_of(last) + 1] = FREE
        leaves.append(Leave(opened.programme.people[p].key, first, last, "deployment"))
    if not losses:
        return kernel, opened.grid
    return Kernel(evolve(opened.programme, leaves=tuple(leaves)), opened.schedule.plan), grid
