"""Editing the rotation plan: one person's rotation on some days, or whole blocks of two people exchanged.

The plan is changed first. The half-days that then lie off it are emptied (two
people's are exchanged with their blocks), and what that leaves open is filled
with the fewest changes.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

import numpy as np
from attrs import evolve, frozen

from packhorse_scheduling.domain.change.judging import present
from packhorse_scheduling.domain.change.repair import EFFORT, locked_in, refilled
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import RotationLock
from packhorse_scheduling.domain.roster.arrays import FREE, Bools, Grid
from packhorse_scheduling.domain.roster.plan import Plan, Stay, units_of
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.rotations import OnRotation
from packhorse_scheduling.domain.solve.search import Effort


@frozen(eq=False)
class Replanned:
    """The roster on the new plan; ``cells`` differ from the roster before.

    ``shortfall`` is demand that nobody could take over; ``proven`` says that no
    other way to fill what the new plan leaves open changes less on these days.
    """

    grid: "Grid"
    cells: tuple[tuple[int, int, int], ...]
    shortfall: int
    proven: bool


@frozen(eq=False)
class Edit:
    """An edited plan and the roster on it; ``after`` is not kept yet."""

    before: "Opened"
    after: "Opened"
    found: Replanned
    people: tuple[int, ...]
    first: date
    last: date


def unit_at(programme: "Programme", day: date) -> tuple[date, date]:
    """First and last day of the unit of the plan that holds a day."""
    year = programme.year
    first, end = next((a, b) for a, b in units_of(year) if a <= year.index(day) < b)
    return year.day(first), year.day(end - 1)


def week_at(programme: "Programme", day: date) -> tuple[date, date]:
    """Monday and Sunday of the week that holds a day, within the programme."""
    monday = day - timedelta(days=day.weekday())
    return max(programme.year.start, monday), min(programme.year.end, monday + timedelta(days=6))


def with_stay(plan: Plan, person: str, first: date, last: date, rotation: str | None) -> Plan:
    """The plan with one person on a rotation on these days, set by hand; None takes what they have away."""
    kept = [part for stay in plan for part in ((stay,) if stay.person != person else _outside(stay, first, last))]
    if rotation is not None:
        kept.append(Stay(person, first, last, rotation, "manual"))
    return _joined(kept)


def with_exchange(plan: Plan, one: str, other: str, first: date, last: date) -> Plan:
    """The plan with two people's stays on these days exchanged, set by hand."""
    kept: list[Stay] = []
    for stay in plan:
        if stay.person not in (one, other):
            kept.append(stay)
            continue
        kept += _outside(stay, first, last)
        low, high = max(stay.first, first), min(stay.last, last)
        if low <= high:
            kept.append(Stay(other if stay.person == one else one, low, high, stay.rotation, "manual"))
    return _joined(kept)


def _outside(stay: Stay, first: date, last: date) -> "Iterator[Stay]":
    if stay.first < first:
        yield evolve(stay, last=min(stay.last, first - timedelta(days=1)))
    if stay.last > last:
        yield evolve(stay, first=max(stay.first, last + timedelta(days=1)))


def _joined(stays: "Sequence[Stay]") -> Plan:
    return tuple(sorted(stays, key=lambda stay: (stay.person, stay.first)))


def locks_against(
    programme: "Programme", plan: Plan, people: "Sequence[str]", first: date, last: date
) -> "list[RotationLock]":
    """Locks of rotations that the plan does not keep for these people in the units of these days."""
    found = []
    for lock in programme.rotation_locks:
        low, high = unit_at(programme, lock.start)[0], unit_at(programme, lock.end)[1]
        if lock.person not in people or low > last or high < first:
            continue
        low, high = max(low, first), min(high, last)
        mine = [one for one in plan if one.person == lock.person and one.first <= high and one.last >= low]
        if any((stay.rotation == lock.rotation) == lock.avoid for stay in mine) or (not mine and not lock.avoid):
            found.append(lock)
    return found


def follow(
    kernel: "Kernel",
    grid: "Grid",
    people: "Sequence[int]",
    days: tuple[int, int],
    today: int,
    effort: "Effort" = EFFORT,
) -> Replanned:
    """The roster on the new plan of ``kernel``: with two people their half-days are exchanged, then gaps are filled.

    Raises:
        TimeoutError: no roster in the time allowed.
    """
    first, last = days
    moved = _exchanged(kernel, grid, people, first, last) if len(people) == 2 else grid.copy()
    rule = OnRotation(kernel)
    for p in people:
        for d in range(first, min(last + 2, kernel.D)):
            for h in (0, 1):
                s = int(moved[p, d, h])
                begun = h == 0 and kernel.overnight[s]
                if s != FREE and (first < d if begun else d <= last) and rule.off(p, d, h, s):
                    moved[p, d, h] = FREE
    moved = np.where(_span(grid, people, first, last + 1), locked_in(kernel, present(kernel, moved), first), moved)
    fixed = kernel.locked.copy()
    fixed[:, :first] = True
    begun_night = kernel.overnight[grid[:, first - 1, 1]] if first > 0 else np.zeros(kernel.P, bool)
    fixed[begun_night, first, 0] = True
    found = refilled(kernel, moved, fixed, (first, min(last + 1, kernel.D - 1)), today, people, effort)
    if found is None:
        raise TimeoutError
    cells = tuple((p, d, h) for p, d, h in np.argwhere(found.grid != grid).tolist())
    return Replanned(found.grid, cells, found.shortfall, found.proven)


def _span(grid: "Grid", people: "Sequence[int]", first: int, last: int) -> "Bools":
    mask = np.zeros(grid.shape, bool)
    mask[list(people), first : last + 1] = True
    return mask


def _exchanged(kernel: "Kernel", grid: "Grid", people: "Sequence[int]", first: int, last: int) -> "Grid":
    """Both rows with the other's half-days: a night belongs to its evening's day, and locked half-days stay."""
    after = grid.copy()
    one, other = people
    for p in people:
        after[p, first : last + 1] = FREE
        if first > 0 and kernel.overnight[grid[p, first - 1, 1]]:
            after[p, first, 0] = grid[p, first, 0]
        if last + 1 < kernel.D and kernel.overnight[grid[p, last, 1]]:
            after[p, last + 1, 0] = FREE
    for p, q in ((one, other), (other, one)):
        for d in range(first, last + 1):
            for h in (0, 1):
                s = int(grid[q, d, h])
                begun = h == 0 and d == first and kernel.overnight[s]
                if s != FREE and not begun and after[p, d, h] == FREE and kernel.valid[p, s, d]:
                    after[p, d, h] = s
        evening = int(after[p, last, 1])
        if last + 1 < kernel.D and kernel.overnight[evening]:
            after[p, last + 1, 0] = evening
    held = kernel.locked & _span(grid, people, first, last + 1)
    return np.where(held, grid, after)
