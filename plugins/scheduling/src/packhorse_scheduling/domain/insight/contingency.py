"""What breaks when one person is lost, or two: exact, half-day by half-day.

A half-day is *affected* when, with the lost people's cells emptied and nobody
moved, a minimum or a supervision ratio no longer holds. It is *uncovered* when
the missing places cannot be filled even by calling in everybody in reserve:
people who are present, qualified, and either free or on a service that fills
(education, administration) above its minimum. Rest and weekly hours of a
person called in are not judged: the question is whether anybody is there.
"""

import numpy as np
import numpy.typing as npt
from attrs import define, field, frozen

from packhorse_scheduling.domain.roster.arrays import Bools, Grid, Ints, counts
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.supervision import FACULTY


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
        own = group[:, None], cells, at  # the place of each person in each half-day
        spare, wanted = self.spare[own], (cells >= 0) & (self.least[own] > 0)
        movable = np.where(cells >= 0, fills[cells] & (spare > 0), True)
        movable &= ~kernel.away[:, days].repeat(2, axis=1)
        self.reserve: Bools = may & movable[:, None, :]
        reserves = np.stack([self.reserve[group == g].sum(axis=0) for g in range(len(least))])
        self.others: Ints = (reserves[own] - self.reserve[np.arange(kernel.P)[:, None], cells, at]).astype(np.int16)
        # What each loss leaves missing: only a place that has no spare person is missed.
        self.hurt: Bools = wanted & (spare <= 0)
        # Of two people on one service: one is missed when only one is spare, both when none is.
        self.lack: Ints = (wanted * np.clip(2 - np.maximum(spare, 0), 0, 2)).astype(np.int8)
        # Where a loss can leave the place empty: alone, if at most the other lost is in reserve for it, or by both.
        self.alone: Bools = self.hurt & (self.others <= 1)
        self.joint: Bools = (self.lack > 0) & (self.others <= 2)

    def one(self, p: int) -> Loss:
        """The loss of one person."""
        hurt = self.hurt[p]
        return Loss((p,), int(hurt.sum()), int((hurt & (self.others[p] <= 0)).sum()), int((self.cells[p] >= 0).sum()))

    def two(self, p: int, q: int) -> Loss:
        """The loss of two people at once, exactly: where both leave a place, two people must step in."""
        return self._beside(p, np.array([q]))[0]

    def _beside(self, p: int, q: "npt.NDArray[np.intp]") -> list[Loss]:
        """The loss of ``p`` with each of ``q``."""
        kernel, reserve = self.kernel, self.reserve
        peers = kernel.group[q] == kernel.group[p]
        there = (self.cells[p] >= 0) | (self.cells[q] >= 0)
        same = (self.cells[q] == self.cells[p]) & (self.cells[p] >= 0) & peers[:, None]
        gone = same * self.lack[p]
        first, second = self.hurt[p] & ~same, self.hurt[q] & ~same
        affected = first | second | (gone > 0)
        # Whether others can step in is asked only where they may be too few.
        i, at = np.nonzero(affected & (self.alone[p] | self.alone[q] | (self.joint[p] & self.joint[q])))
        other, a, b = q[i], self.cells[p, at], self.cells[q[i], at]
        pool_a = self.others[p, at] - (peers[i] & reserve[other, a, at])
        pool_b = self.others[other, at] - (peers[i] & reserve[p, b, at])
        one, two = first[i, at], second[i, at]
        short = (one & (pool_a < 1)) | (two & (pool_b < 1)) | (pool_a < gone[i, at])
        # One is in reserve for each of two places: it must not be the same person.
        tight = np.flatnonzero(one & two & ~short & (pool_a == 1) & (pool_b == 1) & peers[i])
        who = reserve[:, a[tight], at[tight]] | reserve[:, b[tight], at[tight]]
        who &= (kernel.group == kernel.group[p])[:, None]
        who[p] = False
        who[other[tight], np.arange(len(tight))] = False
        short[tight] = who.sum(axis=0) < 2
        uncovered = np.bincount(i[short], minlength=len(q))
        counted = zip(
            q.tolist(), affected.sum(axis=1).tolist(), uncovered.tolist(), there.sum(axis=1).tolist(), strict=True
        )
        return [Loss((p, other), *numbers) for other, *numbers in counted]

    def singles(self) -> list[Loss]:
        """Every single loss, the worst first."""
        return sorted((self.one(p) for p in range(self.kernel.P)), key=_worst)

    def pairs(self) -> list[Loss]:
        """Every pair, the worst first."""
        people = np.arange(self.kernel.P)
        return sorted((loss for p in range(self.kernel.P) for loss in self._beside(p, people[p + 1 :])), key=_worst)


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
