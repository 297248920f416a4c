"""A roster week by week: what was worked, what is planned, and what can be expected of the weeks to come.

Weeks run from Monday to Sunday; only whole weeks of the programme are told.
"""

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.change.judging import first_planned
from packhorse_scheduling.domain.insight import outlook
from packhorse_scheduling.domain.insight.levels import Level, Load, worst
from packhorse_scheduling.domain.programme.people import ROLES, Role
from packhorse_scheduling.domain.roster.arrays import Grid, counts
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.supervision import FACULTY

UNPLANNED = frozenset({"sick", "medical", "family_emergency", "bereavement", "emergency_leave"})
"""Kinds of leave that nobody plans; the rest is known beforehand."""
MOST_WEEKS = 12
"""How far a forecast looks: a quarter."""


@frozen
class Week:
    """Seven days: hours of each role, nights, and how the demand was met."""

    first: int
    hours: dict[Role, float]
    nights: int
    weekend_half_days: int
    load: Load
    coverage: float


@frozen
class Slope:
    """The line of least squares through weekly hours: hours a week more (or fewer) each week, and their mean."""

    per_week: float
    mean: float


@frozen
class Outlook:
    """A week to come: places that must be filled, half-days in which people are present, and what illness may take.

    ``expected_lost`` is the rate of unplanned leave so far times the half-days
    planned; None where no day has passed yet.
    """

    first: int
    required: int
    load: Load
    coverage: float
    level: Level
    expected_lost: float | None


def whole_weeks(kernel: "Kernel", grid: "Grid") -> list[int]:
    """The numbers of the Mondays whose seven days lie in the programme, from the first known day on."""
    first = first_planned(kernel, grid)
    return list(range(first + -kernel.date_of(first).weekday() % 7, kernel.D - 6, 7))


def history(kernel: "Kernel", grid: "Grid") -> list[Week]:
    """Every whole week of the roster, planned ones included."""
    minutes = kernel.duty_minutes(grid)
    found = []
    for first in whole_weeks(kernel, grid):
        days = grid[:, first : first + 7]
        hours = minutes[:, first : first + 7].sum(axis=1) / 60
        present = np.unique(kernel.group)
        found.append(
            Week(
                first,
                {ROLES[g]: float(hours[kernel.group == g].sum()) for g in present},
                int(kernel.overnight[days[:, :, 1]].sum()),
                int((days[:, kernel.weekend[first : first + 7]] >= 0).sum()),
                outlook.load(kernel, grid, first, first + 6),
                outlook.coverage(kernel, grid, first, first + 6),
            )
        )
    return found


def slope(values: "list[float]") -> Slope | None:
    """The line through weekly values; None below three."""
    if len(values) < 3:
        return None
    return Slope(float(np.polyfit(np.arange(len(values)), values, 1)[0]), float(np.mean(values)))


def absence_rate(kernel: "Kernel", grid: "Grid", today: int) -> float | None:
    """Days of unplanned leave over person-days from the first known day until yesterday; None where there is none."""
    start = first_planned(kernel, grid)
    days = min(today, kernel.D) - start
    if days <= 0:
        return None
    lost = 0
    for leave in kernel.programme.leaves:
        if leave.kind in UNPLANNED and leave.binds:
            first = max(start, kernel.day_of(leave.start))
            last = min(start + days, kernel.day_of(leave.end) + 1)
            lost += max(0, last - first)
    return lost / (days * kernel.P)


def required(kernel: "Kernel", grid: "Grid", first: int, last: int) -> int:
    """Places that minimum demand and supervision ask for on these days."""
    least = kernel.least[:, :, first : last + 1].astype(np.int32)
    units = counts(kernel, grid, kernel.units).sum(axis=0)[:, first : last + 1]
    needed = -(-units // kernel.programme.rules.faculty_units.value)
    least[FACULTY] = np.maximum(least[FACULTY], np.where(kernel.supervised[:, None, None], needed, 0))
    return int(least.sum())


def forecast(kernel: "Kernel", grid: "Grid", today: int) -> list[Outlook]:
    """The whole weeks from today on, `MOST_WEEKS` at most."""
    rate = absence_rate(kernel, grid, today)
    found = []
    for first in [monday for monday in whole_weeks(kernel, grid) if monday >= today][:MOST_WEEKS]:
        load, covered = outlook.load(kernel, grid, first, first + 6), outlook.coverage(kernel, grid, first, first + 6)
        planned = int((grid[:, first : first + 7] >= 0).sum())
        found.append(
            Outlook(
                first,
                required(kernel, grid, first, first + 6),
                load,
                covered,
                worst(load, covered, vulnerable=False),
                None if rate is None else rate * planned,
            )
        )
    return found
