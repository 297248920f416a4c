"""Which wishes a roster meets, for whom, and how much each mattered to its person."""

from collections import defaultdict

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.programme.requests import Preference
from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.rules.kernel import Kernel


@frozen
class Wish:
    """One wish and whether it is met.

    ``rank`` is its place among the person's own, 1 the dearest: by weight, ties
    alike, so that who asks for more outranks nobody.
    """

    person: int
    day: int
    rank: int
    met: bool
    holiday: bool


def wishes(kernel: "Kernel", grid: "Grid") -> list[Wish]:
    """Every wish of days on which anybody works (others are not planned yet): by person, the dearest first."""
    planned = {int(d) for d in np.flatnonzero(np.asarray(grid >= 0).any(axis=(0, 2)))}
    own: dict[int, list[Preference]] = defaultdict(list)
    for row in kernel.programme.preferences:
        own[kernel.person_of[row.person]].append(row)
    found = []
    for p, rows in sorted(own.items()):
        for row in sorted(rows, key=lambda row: (-row.weight, row.day)):
            d = kernel.day_of(row.day)
            if d not in planned:
                continue
            rank = 1 + sum(other.weight > row.weight for other in rows)
            found.append(Wish(p, d, rank, _met(kernel, grid, row, p, d), bool(kernel.holiday[d])))
    return found


def _met(kernel: "Kernel", grid: "Grid", row: "Preference", p: int, d: int) -> bool:
    halves = (0, 1) if row.session is None else (int(row.session == "PM"),)
    service = None if row.service is None else kernel.service_of[row.service]
    there = any(grid[p, d, h] >= 0 if service is None else grid[p, d, h] == service for h in halves)
    return there != row.avoid
