"""How evenly the work lies: Gini coefficients, and the share of time that is assigned."""

import numpy as np
import numpy.typing as npt

from packhorse_scheduling.domain.change.judging import first_planned
from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.rules.kernel import Kernel


def gini(values: "npt.ArrayLike") -> float:
    """Gini coefficient, 0 (equal) to 1: the mean absolute difference over twice the mean (Gini 1912).

    0 for fewer than two values, and where everything is 0.
    """
    ordered = np.sort(np.asarray(values, float))
    n, total = ordered.size, float(ordered.sum())
    if n < 2 or total <= 0:
        return 0.0
    # The sum over all pairs, from the sorted values in one pass.
    return float((2 * np.arange(1, n + 1) - n - 1) @ ordered / (n * total))


def hours(kernel: "Kernel", grid: "Grid") -> "npt.NDArray[np.float64]":
    """Duty hours of each person on the programme's own days."""
    return np.asarray(kernel.duty_minutes(grid)[:, kernel.tail :].sum(axis=1) / 60, float)


def overall(kernel: "Kernel", grid: "Grid") -> float:
    """1 minus the Gini coefficient of hours in each role, weighted by the role's size; leave is not corrected for."""
    worked = hours(kernel, grid)
    groups = [worked[kernel.group == g] for g in np.unique(kernel.group)]
    return float(sum((1 - gini(group)) * group.size for group in groups) / kernel.P)


def utilization(kernel: "Kernel", grid: "Grid") -> float:
    """Assigned half-days as a share of those in which people are present, from the first known day on."""
    first = first_planned(kernel, grid)
    own = grid[:, first:]
    present = 2 * int((~kernel.away[:, first:]).sum())
    return float((own >= 0).sum() / present) if present else 0.0
