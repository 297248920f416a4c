"""The days ahead of a roster: how much of the capacity is bound, and how much of the demand is met."""

from collections.abc import Iterable

import numpy as np

from packhorse_scheduling.domain.insight.levels import Load
from packhorse_scheduling.domain.roster.arrays import Grid, counts
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.supervision import FACULTY

DAYS_AHEAD = 28
"""How far health looks: the period over which the duty-hour rules average."""


def ahead(kernel: "Kernel", today: int) -> tuple[int, int] | None:
    """The first and last day number of the next four weeks within the programme; None once it has ended."""
    first = max(kernel.tail, today)
    return None if first >= kernel.D else (first, min(first + DAYS_AHEAD, kernel.D) - 1)


def with_losses(kernel: "Kernel", today: int, last_days: "Iterable[int]") -> tuple[int, int]:
    """The days ahead, and more up to the last day of a loss behind them; every day of a programme that has ended."""
    first, last = ahead(kernel, today) or (kernel.tail, kernel.D - 1)
    return first, max([last, *(min(day, kernel.D - 1) for day in last_days)])


def load(kernel: "Kernel", grid: "Grid", first: int, last: int) -> Load:
    """Half-days bound by work that somebody asks for, against those in which people are present.

    Education and administration that only fill otherwise free half-days bind
    nobody. Somebody on leave is no capacity; nights and weekends off are.
    """
    cells = grid[:, first : last + 1]
    fills = np.append(kernel.fills, True)  # the last is FREE
    return Load(int((~fills[cells]).sum()), 2 * int((~kernel.away[:, first : last + 1]).sum()))


def coverage(kernel: "Kernel", grid: "Grid", first: int, last: int) -> float:
    """The share of the places asked for that are filled: minimum demand, and the faculty that supervision needs.

    1 where nothing is asked.
    """
    days = slice(first, last + 1)
    there = counts(kernel, grid)[:, :, days]
    least = kernel.least[:, :, days].astype(np.int32)
    units = counts(kernel, grid, kernel.units).sum(axis=0)[:, days]
    needed = -(-units // kernel.programme.rules.faculty_units.value)
    least[FACULTY] = np.maximum(least[FACULTY], np.where(kernel.supervised[:, None, None], needed, 0))
    asked = int(least.sum())
    return float(np.minimum(there, least).sum() / asked) if asked else 1.0
