"""The grid of rotations as it is asked for: people, units, weeks of nights, and who may be on what."""

from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
from attrs import define, field, frozen

from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.programme.services import LEAVE_FREE_DAYS
from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.roster.plan import UNIT_DAYS
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.night_weeks import NightWeeks

KEPT = 10
"""Cost of a unit, or of a week of nights, that differs from the plan in force. Our choice."""
WORKED = 4
"""One of so many half-days of a unit must be worked for the unit to count without a plan of it. Our choice."""
_RESIDENT = ROLES.index("RESIDENT")


@frozen
class GridFault:
    """What no grid can keep, in one unit of the plan (kernel days, both included) or over the year.

    ``missing`` people or units; ``need`` is what was asked.
    """

    kind: Literal["lock", "demand", "team", "required", "most"]
    first: int
    last: int
    missing: int
    need: int
    rotation: int = -1
    service: int = -1
    person: int = -1


@frozen
class Asked:
    """What the grid has to keep: the open days, and how dearly the plan in force is kept there."""

    first: int
    last: int
    kept: int = KEPT
    near: "Grid | None" = None


@frozen
class Place:
    """So many residents of those who can, on these days of a unit; ``week`` is -1 where there are no night weeks."""

    unit: int
    week: int
    service: int
    day: int
    can: tuple[int, ...]
    least: int


@define(slots=False, eq=False)
class RotationGrid:
    """The people, the units that are open, and who may be on what; ``nights`` are given by weeks, or by units."""

    kernel: "Kernel"
    units: tuple[tuple[int, int], ...]
    asked: Asked
    nights: NightWeeks | None = None
    fixed: dict[tuple[int, int], int] = field(factory=dict, init=False)
    split: dict[tuple[int, int], list[int]] = field(factory=dict, init=False)
    before: dict[tuple[int, int], int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        programme = self.kernel.programme
        self.residents = [p for p, person in enumerate(programme.people) if person.role == "RESIDENT"]
        self.weekly: tuple[int, ...] = () if self.nights is None else self.nights.rotations
        for p in self.residents:
            for n, (first, end) in enumerate(self.units):
                days = self.kernel.rotation[p, first:end]
                if not (days >= 0).any():
                    worked = self._worked(p, first, end) if end <= self.asked.first else -1
                    if worked >= 0:
                        self.fixed[p, n] = worked
                    continue
                nights = np.isin(days, self.weekly)
                rest = days[(days >= 0) & ~nights]
                k = int(np.bincount(days[nights] if 2 * nights.sum() > len(days) or not len(rest) else rest).argmax())
                self.before[p, n] = k
                if first < self.asked.first or end - 1 > self.asked.last:
                    open_days = self.kernel.rotation[p, max(first, self.asked.first) : min(end, self.asked.last + 1)]
                    left = open_days[(open_days >= 0) & ~np.isin(open_days, self.weekly)]
                    self.fixed[p, n] = int(np.bincount(left).argmax()) if len(left) else k
        self.split = self._split()
        self.choices = {
            (p, n): self._may(p, n)
            for p in self.residents
            for n in range(len(self.units))
            if (p, n) not in self.fixed and (p, n) not in self.split and self.units[n][1] > self.asked.first
        }

    def _worked(self, p: int, first: int, end: int) -> int:
        """The rotation of a unit gone by without a plan: the one that holds most of what was worked, or -1."""
        if self.asked.near is None:
            return -1
        done = self.asked.near[p, first:end]
        done = done[done >= 0]
        holds = [
            int(np.isin(done, [self.kernel.service_of[code] for code in rotation.services]).sum())
            for rotation in self.kernel.programme.rotations
        ]
        k = int(np.argmax(holds)) if holds else -1
        return k if k >= 0 and holds[k] * 2 > len(done) and len(done) * WORKED >= 2 * (end - first) else -1

    def _split(self) -> "dict[tuple[int, int], list[int]]":
        """Open units that locks part between rotations: the rotation of each day; days between go on as it was."""
        kernel, programme = self.kernel, self.kernel.programme
        number = {rotation.code: k for k, rotation in enumerate(programme.rotations)}
        held: dict[tuple[int, int], dict[int, set[int]]] = {}
        for lock in programme.rotation_locks:
            p, k = kernel.person_of[lock.person], number[lock.rotation]
            for n, (first, end) in enumerate(self.units) if not lock.avoid and k not in self.weekly else ():
                for d in range(max(kernel.day_of(lock.start), first), min(kernel.day_of(lock.end) + 1, end)):
                    held.setdefault((p, n), {}).setdefault(d, set()).add(k)
        found = {}
        for (p, n), by_day in held.items():
            codes = set[int].union(*by_day.values())
            if len(codes) == 1 or (p, n) in self.fixed or any(len(ks) > 1 for ks in by_day.values()):
                continue
            now, days = next(iter(by_day[min(by_day)])), []
            for d in range(*self.units[n]):
                now = next(iter(by_day.get(d, {now})))
                days.append(now)
            own = {k: [d for d, at in zip(range(*self.units[n]), days, strict=True) if at == k] for k in codes}
            if all(self._fits(p, k, own[k]) and not self._kept_off(p, k, own[k]) for k in codes):
                found[p, n] = days
        return found

    def _kept_off(self, p: int, k: int, days: list[int]) -> bool:
        kernel = self.kernel
        return any(
            lock.avoid
            and (kernel.person_of[lock.person], lock.rotation) == (p, kernel.programme.rotations[k].code)
            and any(kernel.day_of(lock.start) <= d <= kernel.day_of(lock.end) for d in days)
            for lock in kernel.programme.rotation_locks
        )

    def _fits(self, p: int, k: int, days: list[int]) -> bool:
        rotation = self.kernel.programme.rotations[k]
        away = int(self.kernel.away[p, days].sum())
        return self.kernel.programme.people[p].pgy in rotation.pgy and (rotation.leave or away <= LEAVE_FREE_DAYS)

    def at(self, p: int, n: int, d: int) -> int:
        """The rotation that is settled for a day, or -1."""
        days = self.split.get((p, n))
        return self.fixed.get((p, n), -1) if days is None else days[d - self.units[n][0]]

    def done(self, p: int, k: int) -> int:
        """Units of a rotation that are settled or were done elsewhere, to the nearest whole one."""
        programme = self.kernel.programme
        elsewhere = programme.people[p].rotations_done.get(programme.rotations[k].code, 0)
        half = sum(days.count(k) for (q, _), days in self.split.items() if q == p)
        whole = sum(self.fixed.get((p, n)) == k for n in range(len(self.units)))
        return elsewhere + whole + int(half / UNIT_DAYS + 0.5)

    def asked_of(self, p: int, k: int) -> tuple[int, int]:
        """The least and most units of a rotation for a person."""
        count, programme = len(self.units), self.kernel.programme
        here = sum(any((p, n) in units for units in (self.fixed, self.split, self.choices)) for n in range(count))
        return programme.rotations[k].asked_of(programme.people[p], count, here)

    @cached_property
    def nightly(self) -> list[bool]:
        """Of each rotation, whether its main service is a night's."""
        kernel = self.kernel
        return [bool(kernel.overnight[kernel.service_of[one.services[0]]]) for one in kernel.programme.rotations]

    def _may(self, p: int, n: int) -> list[int]:
        """A rotation that is given by weeks has a whole unit where a lock or the plan in force gives it one."""
        days = list(range(*self.units[n]))
        return [
            k
            for k in range(len(self.kernel.programme.rotations))
            if self._fits(p, k, days)
            and (k not in self.weekly or self.before.get((p, n)) == k or self._lasting(p, n, k))
        ]

    def _lasting(self, p: int, n: int, k: int) -> bool:
        """Whether a lock holds the person on the rotation for most of the unit."""
        kernel, (first, end) = self.kernel, self.units[n]
        return any(
            not lock.avoid
            and kernel.person_of[lock.person] == p
            and kernel.programme.rotations[k].code == lock.rotation
            and 2 * (min(kernel.day_of(lock.end) + 1, end) - max(kernel.day_of(lock.start), first)) > end - first
            for lock in kernel.programme.rotation_locks
        )

    @cached_property
    def locked(self) -> "dict[tuple[int, int], set[int]]":
        """By person and unit: the rotations that its locks leave."""
        kernel, programme = self.kernel, self.kernel.programme
        number = {rotation.code: k for k, rotation in enumerate(programme.rotations)}
        left: dict[tuple[int, int], set[int]] = {}
        for lock in programme.rotation_locks:
            p, k = kernel.person_of[lock.person], number[lock.rotation]
            low, high = kernel.day_of(lock.start), kernel.day_of(lock.end)
            for n, (first, end) in enumerate(self.units):
                if low < end and high >= first and (k not in self.weekly or k in self.choices.get((p, n), ())):
                    mine = left.setdefault((p, n), set(number.values()))
                    mine &= set(number.values()) - {k} if lock.avoid else {k}
        for half_day in programme.locks:
            if half_day.service is None:
                continue
            p, s, d = (
                kernel.person_of[half_day.person],
                kernel.service_of[half_day.service],
                kernel.day_of(half_day.day),
            )
            if half_day.session == "AM" and kernel.overnight[s]:
                d -= 1
            unit = next((n for n, (first, end) in enumerate(self.units) if first <= d < end), -1)
            holders = {k for k, rotation in enumerate(programme.rotations) if half_day.service in rotation.services}
            if holders & set(self.choices.get((p, unit), ())) and not holders & set(self.weekly):
                left[p, unit] = left.get((p, unit), set(number.values())) & holders
        return left

    @cached_property
    def stuck(self) -> "dict[tuple[int, int], int]":
        """By lock of a rotation and unit: the first open day on which the plan in force breaks it, and has to stay."""
        kernel, programme = self.kernel, self.kernel.programme
        number = {rotation.code: k for k, rotation in enumerate(programme.rotations)}
        found: dict[tuple[int, int], int] = {}
        for at, lock in enumerate(programme.rotation_locks):
            p, k = kernel.person_of[lock.person], number[lock.rotation]
            low = max(kernel.day_of(lock.start), self.asked.first)
            end = min(kernel.day_of(lock.end), self.asked.last) + 1
            for n, unit in enumerate(self.units):
                for d in range(max(low, unit[0]), min(end, unit[1])) if (p, n) in self.fixed else ():
                    now = int(kernel.rotation[p, d])
                    stays = self._in_settled_week(p, d, k, lock.avoid) if k in self.weekly else now not in self.weekly
                    if stays and now >= 0 and (now == k) == lock.avoid:
                        found.setdefault((at, n), d)
        return found

    def _in_settled_week(self, p: int, d: int, k: int, avoid: bool) -> bool:
        nights = self.nights
        return nights is not None and any(
            first <= d < end and nights.settled(w) and (avoid or nights.held.get((p, w, k), False))
            for w, (first, end) in enumerate(nights.weeks)
        )

    def judged(self, low: int, end: int) -> range:
        """The days of a part that count: not those gone by, nor those behind the open ones where a plan is in force."""
        return range(max(low, self.asked.first), min(end, self.asked.last + 1) if self.before else end)

    def parts(self, n: int) -> list[tuple[int, int, int]]:
        """A unit cut where weeks of nights begin and where locks part it: week (-1: none there), first day, end."""
        first, end = self.units[n]
        cuts = {
            first + i
            for (_, m), days in self.split.items()
            for i in range(1, len(days))
            if m == n and days[i] != days[i - 1]
        }
        found = []
        for w, low, high in [(-1, first, end)] if self.nights is None else self.nights.parts(first, end):
            edges = [low, *sorted(d for d in cuts if low < d < high), high]
            found += [(w, a, b) for a, b in pairwise(edges)]
        return found

    @cached_property
    def demands(self) -> list[Place]:
        """Each set of people that a service asks for, once a part of a unit."""
        kernel = self.kernel
        held = {at: s for at, s in kernel.lock_at.items() if at[0] in self.residents}
        found: dict[tuple[int, int, int, int, tuple[int, ...], int], int] = {}
        for n in range(len(self.units)):
            for w, first, end in self.parts(n):
                for s, at, h in np.argwhere(kernel.least[_RESIDENT, :, first:end] > 0).tolist():
                    d = first + at
                    if (h == 0 and kernel.overnight[s]) or d not in self.judged(first, end):
                        continue
                    halves = [(d, h)]
                    if kernel.overnight[s] and d + 1 < kernel.D:
                        halves.append((d + 1, 0))
                    can = tuple(
                        p
                        for p in self.residents
                        if all(kernel.may[p, s, day, half] and held.get((p, day, half), s) == s for day, half in halves)
                    )
                    found.setdefault((n, w, first, s, can, int(kernel.least[_RESIDENT, s, d, h])), d)
        return [Place(n, w, s, d, can, least) for (n, w, _, s, can, least), d in found.items()]
