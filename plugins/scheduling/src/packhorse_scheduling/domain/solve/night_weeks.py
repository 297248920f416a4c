"""Weeks of a rotation of nights, laid over the grid: a resident leaves the rotation of the unit for one week.

In units of four weeks nights cannot be even: thirteen units of twenty nights
over sixteen residents leave three with none. A week begins with the first
evening after the service's longest pause, so that its nights run on.
"""

from functools import cached_property

import numpy as np
from attrs import define

from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.roster.arrays import FREE, Bools
from packhorse_scheduling.domain.roster.plan import by_weeks
from packhorse_scheduling.domain.rules.kernel import Kernel

WEEK = 7
APART = 4
"""Of so many weeks in a row at most one is a person's night week, where there are people enough."""
_RESIDENT = ROLES.index("RESIDENT")


@define(slots=False, eq=False)
class NightWeeks:
    """The weeks, who may have which, and who has them in the plan in force. Days are kernel numbers, ends open."""

    kernel: "Kernel"
    first: int
    last: int

    def __attrs_post_init__(self) -> None:
        kernel = self.kernel
        self.rotations = by_weeks(kernel.programme)
        self.services = {
            k: [kernel.service_of[code] for code in kernel.programme.rotations[k].services] for k in self.rotations
        }
        every = sorted({s for ones in self.services.values() for s in ones})
        self.asked: Bools = np.asarray(kernel.least[_RESIDENT, every, :, 1].any(axis=0), bool)
        self.weeks = self._weeks()
        self.residents = np.flatnonzero(kernel.group == _RESIDENT).tolist()

    def _weeks(self) -> list[tuple[int, int]]:
        kernel = self.kernel
        evenings = np.flatnonzero(self.asked)
        if not len(evenings):
            return []
        weekdays = {kernel.date_of(int(d)).weekday() for d in evenings}
        begins = max(range(WEEK), key=lambda day: (day in weekdays, _pause(weekdays, day), -day))
        start = kernel.tail - (kernel.date_of(kernel.tail).weekday() - begins) % WEEK
        return [(max(at, kernel.tail), min(at + WEEK, kernel.D)) for at in range(start, kernel.D, WEEK)]

    def need(self, w: int, k: int) -> int:
        """How many residents the week asks for at once."""
        first, end = self.weeks[w]
        return int(self.kernel.least[_RESIDENT, self.services[k], first:end, 1].max())

    def may(self, p: int, w: int, k: int) -> bool:
        """Whether the person can take the week's every night: there from the first day to the last morning."""
        kernel = self.kernel
        first, end = self.weeks[w]
        if kernel.programme.people[p].pgy not in kernel.programme.rotations[k].pgy or not self.need(w, k):
            return False
        if kernel.away[p, first:end].any() or any(
            first <= d < end and s not in (*self.services[k], FREE) for d, s in self._locks.get(p, ())
        ):
            return False
        nights = kernel.least[_RESIDENT, self.services[k], first:end, 1] > 0
        for row, at in np.argwhere(nights).tolist():
            s, d = self.services[k][row], first + at
            for day, h in ((d, 1), (d + 1, 0)):
                if day < kernel.D and not (
                    kernel.wanted[p, s, day, h] and kernel.lock_at.get((p, day, h), s) in self.services[k]
                ):
                    return False
        return True

    @cached_property
    def _locks(self) -> dict[int, list[tuple[int, int]]]:
        """Day and service of each person's locked half-days."""
        found: dict[int, list[tuple[int, int]]] = {}
        for (p, d, _), s in self.kernel.lock_at.items():
            found.setdefault(p, []).append((d, s))
        return found

    @cached_property
    def held(self) -> dict[tuple[int, int, int], bool]:
        """Person, week and rotation: whether locks give the week to the person, or keep it from them."""
        kernel = self.kernel
        number = {rotation.code: k for k, rotation in enumerate(kernel.programme.rotations)}
        found: dict[tuple[int, int, int], bool] = {}
        for lock in kernel.programme.rotation_locks:
            low, high = kernel.day_of(lock.start), kernel.day_of(lock.end)
            for w, (first, end) in enumerate(self.weeks):
                if low < end and high >= first:
                    for k in self.rotations:
                        if (number[lock.rotation] == k) == lock.avoid:
                            found[kernel.person_of[lock.person], w, k] = False
                        elif 2 * (min(high + 1, end) - max(low, first)) > end - first and not lock.avoid:
                            found.setdefault((kernel.person_of[lock.person], w, k), True)
        for (p, d, h), s in kernel.lock_at.items():
            evening = d - (h == 0)
            for w, (first, end) in enumerate(self.weeks):
                for k in self.rotations:
                    if first <= evening < end and s in self.services[k]:
                        found.setdefault((p, w, k), True)
        return found

    @cached_property
    def before(self) -> set[tuple[int, int, int]]:
        """Person, week and rotation of the night weeks in the plan in force."""
        found = set()
        for w, (first, end) in enumerate(self.weeks):
            days = self.kernel.rotation[:, first:end]
            for k in self.rotations:
                found |= {(int(p), w, k) for p in np.flatnonzero((days == k).sum(axis=1) * 2 > end - first)}
        return found

    def settled(self, w: int) -> bool:
        """Whether the week reaches beyond the days that are made, and stays as it is in force."""
        first, end = self.weeks[w]
        return first < self.first or end - 1 > self.last

    def parts(self, first: int, end: int) -> list[tuple[int, int, int]]:
        """The weeks within these days: number, first day and end; all of them as one where there are no weeks."""
        found = [(w, max(a, first), min(b, end)) for w, (a, b) in enumerate(self.weeks) if a < end and b > first]
        return found or [(-1, first, end)]

    def apart(self, people: int) -> int:
        """Of how many weeks in a row a person may have one, with so many people to share them."""
        need = max((self.need(w, k) for w in range(len(self.weeks)) for k in self.rotations), default=0)
        return max(1, min(APART, people // max(1, need) - 1))


def _pause(weekdays: set[int], day: int) -> int:
    """Days without a night right before this weekday."""
    return next((n for n in range(WEEK) if (day - 1 - n) % WEEK in weekdays), WEEK)
