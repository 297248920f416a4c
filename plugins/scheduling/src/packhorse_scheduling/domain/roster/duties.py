"""Nights, weekends and holidays that people work: the counts that a year is judged fair by."""

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.roster.arrays import Arrays, Bools, Grid, Ints

LONG_ABSENCE = 56
"""Days of leave from which what is expected of a person goes down with the days they are there. Our choice."""


@frozen(eq=False)
class Duties:
    """``int32[P]`` each. A weekend counts once, whichever of its days has duty; nights count by evenings."""

    nights: "Ints"
    weekends: "Ints"
    holidays: "Ints"

    def __add__(self, other: "Duties") -> "Duties":
        return Duties(self.nights + other.nights, self.weekends + other.weekends, self.holidays + other.holidays)


def duties(kernel: "Arrays", grid: "Grid", first: int, last: int, *, outside: bool = False) -> Duties:
    """What everybody has on these days; with ``outside``, on all of the programme's days but these."""
    days = np.zeros(kernel.D, bool)
    days[max(first, 0) : last + 1] = True
    days = (~days if outside else days) & (np.arange(kernel.D) >= kernel.tail)
    on: Bools = (grid >= 0).any(axis=2) & days
    return Duties(
        (kernel.overnight[grid[:, :, 1]] & days).sum(axis=1).astype(np.int32),
        weekends_worked(kernel, on).sum(axis=1).astype(np.int32),
        (on & kernel.holiday).sum(axis=1).astype(np.int32),
    )


def weekends_worked(kernel: "Arrays", on: "Bools") -> "Bools":
    """``bool[P, weeks]`` of ``bool[P, D]``: whether Saturday or Sunday has duty; weeks as in `week_of`."""
    weeks = week_of(kernel)
    found = np.zeros((kernel.P, int(weeks[-1]) + 1), bool)
    for d in np.flatnonzero(kernel.weekend).tolist():
        found[:, weeks[d]] |= on[:, d]
    return found


def week_of(kernel: "Arrays") -> "Ints":
    """``int32[D]``: each day's week, from Monday to Sunday, counted from the kernel's first day."""
    found: Ints = ((np.arange(kernel.D) + kernel.first.weekday()) // 7).astype(np.int32)
    return found
