"""How long people stay in one place: attendings by week, handovers, and residents' whole days on the wards.

Counted on inpatient services alone, from the roster and nothing else. A day is
whole where both halves are the service's, or the other half belongs to a night.
"""

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.roster.arrays import Bools, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.supervision import FACULTY, RESIDENT

WEEKDAYS, WEEK = 5, 7


@frozen
class Continuity:
    """One inpatient service over some days; None where there is nothing to count.

    ``same_attending`` is the share of days with the same faculty morning and
    afternoon; ``weekday_attendings`` and ``week_attendings`` are people in a
    mean whole week; ``handovers`` are changes of the attendings a week, within
    a day or from one to the next; ``whole_days`` is the share of residents' days.
    """

    service: int
    same_attending: float | None
    weekday_attendings: float | None
    week_attendings: float | None
    handovers: float | None
    whole_days: float | None


def continuity(kernel: "Kernel", grid: "Grid", first: int, last: int) -> list[Continuity]:
    """Of every inpatient service somebody works in, in the programme's order."""
    found = []
    for s, service in enumerate(kernel.programme.services):
        if service.kind == "inpatient" and (grid[:, first : last + 1] == s).any():
            found.append(_of(kernel, grid, s, first, last))
    return found


def _of(kernel: "Kernel", grid: "Grid", s: int, first: int, last: int) -> Continuity:
    on = grid[kernel.group == FACULTY, first : last + 1] == s
    days = np.flatnonzero(on.any(axis=(0, 2)))
    same = handovers = None
    if len(days):
        alike = (on[:, :, 0] == on[:, :, 1]).all(axis=0)[days]
        running = days[:-1][np.diff(days) == 1]
        over = (on[:, running, 1] != on[:, running + 1, 0]).any(axis=0).sum() + (~alike).sum()
        same, handovers = float(alike.mean()), float(over) / len(days) * WEEK
    return Continuity(
        s,
        same,
        _people(kernel, on, first, WEEKDAYS),
        _people(kernel, on, first, WEEK),
        handovers,
        _whole(kernel, grid, s, first, last),
    )


def _people(kernel: "Kernel", on: "Bools", first: int, length: int) -> float | None:
    """Faculty in a mean week from Monday, of weeks whose first ``length`` days all have some."""
    there = on[:, :, 0] | on[:, :, 1]
    monday = -kernel.date_of(first).weekday() % WEEK
    weeks = [there[:, at : at + length] for at in range(monday, there.shape[1] - length + 1, WEEK)]
    counts = [int(week.any(axis=1).sum()) for week in weeks if week.any(axis=0).all()]
    return sum(counts) / len(counts) if counts else None


def _whole(kernel: "Kernel", grid: "Grid", s: int, first: int, last: int) -> float | None:
    rows = grid[kernel.group == RESIDENT, first : last + 1]
    mine = (rows == s).any(axis=2)
    if not mine.any():
        return None
    whole = ((rows == s) | kernel.overnight[rows]).all(axis=2)
    return float((whole & mine).sum() / mine.sum())
