"""What breaks when one person is lost, or two: exact, half-day by half-day.

A half-day is *affected* when, with the lost people's cells emptied and nobody
moved, a minimum or a supervision ratio no longer holds. It is *uncovered* when
the missing places cannot be filled even by calling in everybody in reserve:
people who are present, qualified, and either free or on a service that fills
(education, administration) above its minimum. Rest and weekly hours of a
person called in are not judged: the question is whether anybody is there.
"""

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from attrs import define, field, frozen

from packhorse_scheduling.domain.rules.staffing import counts
from packhorse_scheduling.domain.rules.supervision import FACULTY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from packhorse_scheduling.domain.kernel import Bools, Grid, Ints, Kernel


@frozen
class Loss:
    """The effect of losing these people on the days looked at."""

    persons: tuple[int, ...]
    affected: int
    uncovered: int
    assigned: int

    @property
    def impact(self) -> float:
        """0 to 1: the share of their assigned half-days that would be affected; what others can fill counts half."""
        return 0.0 if not self.assigned else min(1.0, (self.affected + self.uncovered) / (2 * self.assigned))


@define(slots=False, eq=False)
class Contingency:
    """The counts behind every loss on the days from ``first`` to ``last``."""

    kernel: "Kernel"
    grid: "Grid"
    first: int
    last: int
    _slack: "Ints" = field(init=False)

    def __attrs_post_init__(self) -> None:
        kernel, days = self.kernel, slice(self.first, self.last + 1)
        there = counts(kernel, self.grid)
        units = counts(kernel, self.grid, kernel.units).sum(axis=0)
        least = kernel.least.astype(np.int32)
        needed = -(-units // kernel.programme.rules.faculty_units.value)
        least[FACULTY] = np.maximum(least[FACULTY], np.where(kernel.supervised[:, None, None], needed, 0))
        self.least = least[:, :, days].reshape(len(least), kernel.S, -1)
        self.spare = there[:, :, days].reshape(len(least), kernel.S, -1) - self.least
        cells = self.grid[:, days].reshape(kernel.P, -1)
        self.cells = cells
        self.slots = cells.shape[1]
        may = kernel.may[:, :, days].reshape(kernel.P, kernel.S, -1)
        fills = np.append(kernel.fills, True)  # the last is FREE
        group = kernel.group
        at = np.arange(self.slots)
        movable = np.where(cells >= 0, fills[cells] & (self.spare[group[:, None], cells, at] > 0), True)
        movable[:, :] &= ~kernel.away[:, days].repeat(2, axis=1)
        self.reserve: Bools = may & movable[:, None, :]
        # What each loss leaves missing: only a place that has no spare person is missed.
        self.hurt: Bools = (
            (cells >= 0) & (self.spare[group[:, None], cells, at] <= 0) & (self.least[group[:, None], cells, at] > 0)
        )
        self.reserves = np.stack([self.reserve[group == g].sum(axis=0) for g in range(len(least))])

    def one(self, p: int) -> Loss:
        """The loss of one person."""
        hurt = np.flatnonzero(self.hurt[p])
        service = self.cells[p, hurt]
        others = self.reserves[self.kernel.group[p], service, hurt] - self.reserve[p, service, hurt]
        return Loss((p,), len(hurt), int((others <= 0).sum()), int((self.cells[p] >= 0).sum()))

    def two(self, p: int, q: int) -> Loss:
        """The loss of two people at once, exactly: where both leave a place, two people must step in."""
        affected, uncovered = self._pair(p, q)
        assigned = int(((self.cells[p] >= 0) | (self.cells[q] >= 0)).sum())
        return Loss((p, q), affected, uncovered, assigned)

    def _pair(self, p: int, q: int) -> tuple[int, int]:
        kernel = self.kernel
        group = kernel.group
        a, b = self.cells[p], self.cells[q]
        same = (a == b) & (a >= 0) & (group[p] == group[q])
        at = np.arange(self.slots)
        spare = self.spare[group[p], a, at]
        wanted = self.least[group[p], a, at] > 0
        # On one service together: one is missed when only one is spare, both when none is.
        gone = np.where(same & wanted, np.clip(2 - np.maximum(spare, 0), 0, 2), 0)
        first = self.hurt[p] & ~same
        second = self.hurt[q] & ~same
        affected = first | second | (gone > 0)
        slots = np.flatnonzero(affected)
        if not slots.size:
            return 0, 0
        n = slots
        pool_a = self._pool(group[p], a[n], n, p, q)
        pool_b = self._pool(group[q], b[n], n, p, q)
        one_a = (first[n] | (gone[n] > 0)) & (pool_a < np.where(same[n], gone[n], 1))
        one_b = second[n] & (pool_b < 1)
        both = first[n] & second[n] & ~one_a & ~one_b
        short = one_a | one_b
        tight = np.flatnonzero(both & (pool_a == 1) & (pool_b == 1))
        uncovered = int(short.sum())
        if group[p] == group[q]:
            for i in tight:
                slot = int(n[i])
                members = group == group[p]
                who = (self.reserve[:, a[slot], slot] | self.reserve[:, b[slot], slot]) & members
                who[[p, q]] = False
                uncovered += int(who.sum() < 2)
        return int(affected.sum()), uncovered

    def _pool(self, g: int, service: "npt.NDArray[np.int8]", at: "npt.NDArray[np.intp]", p: int, q: int) -> "Ints":
        found: Ints = self.reserves[g, service, at].astype(np.int32)
        for person in (p, q):
            if self.kernel.group[person] == g:
                found = found - self.reserve[person, service, at]
        return found

    def singles(self, among: "Iterable[int] | None" = None) -> list[Loss]:
        """Every single loss, the worst first."""
        people = range(self.kernel.P) if among is None else among
        return sorted((self.one(p) for p in people), key=_worst)

    def pairs(self, among: "Iterable[int] | None" = None) -> list[Loss]:
        """Every pair, the worst first."""
        people = range(self.kernel.P) if among is None else among
        return sorted((self.two(p, q) for p, q in combinations(people, 2)), key=_worst)


def sole_services(kernel: "Kernel", p: int, first: int, last: int) -> list[int]:
    """Services that only this person of the role may do, on some day on which the role is needed for it."""
    g = kernel.group[p]
    days = slice(first, last + 1)
    needed = (kernel.least[g, :, days] > 0).any(axis=(1, 2)) | kernel.supervised * kernel.teaches[p]
    mine = kernel.valid[p, :, days]
    others = kernel.valid[(kernel.group == g) & (np.arange(kernel.P) != p), :, days].any(axis=0)
    found: list[int] = np.flatnonzero((mine & ~others).any(axis=1) & needed).tolist()
    return found


def _worst(loss: Loss) -> tuple[int, int, tuple[int, ...]]:
    return -loss.uncovered, -loss.affected, loss.persons
