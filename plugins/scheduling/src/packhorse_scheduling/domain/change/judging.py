"""What a change adds to the violations of a roster, and what stood before it or lies in the past."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.roster.arrays import FREE, Grid
from packhorse_scheduling.domain.roster.roster import Cell
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation

Breach = tuple[Any, ...]
"""A violation by names and dates, the same in every version of a programme."""


@frozen
class Judgement:
    """Violations (warnings not counted): those a change adds from today on, and all others."""

    added: "tuple[Violation, ...]"
    standing: "tuple[Violation, ...]"


def judge_change(
    before: Opened | None, after: Opened, today: date, unavoidable: "Collection[Breach]" = ()
) -> Judgement:
    """Compare two rosters; ``before`` is None where nothing was in force.

    A violation stood before where one of the same rule, person, service, role
    and session overlaps its days and is no smaller. What the absence of people
    on leave leaves unstaffed stood before, too: no roster can make them
    present. Days before the first filled one count as unknown, so that nothing
    is missing there; so do those after the last one where nothing was in force,
    as in a roster of what was that a programme starts from. ``unavoidable`` are what a repair could not mend.
    """
    kernel, first_day = after.kernel, after.kernel.day_of(today)
    low = first_planned(kernel, after.grid)
    high = kernel.D
    stood: dict[Any, list[tuple[date, date, float]]] = {}
    if before is None:
        high = last_planned(after.grid)
    else:
        low = min(low, kernel.day_of(before.kernel.date_of(first_planned(before.kernel, before.grid))))
        stood = _standing(before)
    added: list[Violation] = []
    standing: list[Violation] = []
    for one in _blocking(kernel, after.grid):
        if not _is_planned(kernel, one, low) or _is_unknown(one, high):
            continue
        days = kernel.date_of(one.first), kernel.date_of(one.last)
        known = any(
            start <= days[1] and days[0] <= end and excess >= one.excess
            for start, end, excess in stood.get(_key(kernel, one), ())
        )
        old = known or one.last < first_day or breach_of(kernel, one) in unavoidable
        (standing if old else added).append(one)
    return Judgement(tuple(added), tuple(standing))


def breaches(opened: Opened) -> "list[Violation]":
    """Every violation of a roster (warnings not counted) from its first planned day on."""
    kernel = opened.kernel
    low = first_planned(kernel, opened.grid)
    return [one for one in _blocking(kernel, opened.grid) if _is_planned(kernel, one, low)]


def parted(
    kernel: "Kernel", violations: "Iterable[Violation]", today: date
) -> "tuple[list[Violation], list[Violation]]":
    """Violations that reach today or later, and those of days gone by, which nothing can mend."""
    found = list(violations)
    first_day = kernel.day_of(today)
    return [one for one in found if one.last >= first_day], [one for one in found if one.last < first_day]


def first_planned(kernel: "Kernel", grid: "Grid") -> int:
    """The first day on which anybody works, history not counted; the programme's first where nobody ever does."""
    days = np.flatnonzero((grid[:, kernel.tail :] != FREE).any(axis=(0, 2)))
    return kernel.tail + (int(days[0]) if days.size else 0)


def _is_planned(kernel: "Kernel", one: "Violation", low: int) -> bool:
    """Whether a place that is not filled was to be: not before the first day, nor in the night that ends on it."""
    if one.person is not None or low == kernel.tail:
        return True
    night = one.service is not None and one.session == 0 and bool(kernel.overnight[one.service])
    return one.first > low or (one.first == low and not night)


def last_planned(grid: "Grid") -> int:
    """The last day on which anybody works; 0 where nobody ever does."""
    days = np.flatnonzero((grid != FREE).any(axis=(0, 2)))
    return int(days[-1]) if days.size else 0


def _is_unknown(one: "Violation", high: int) -> bool:
    """Whether a place lies after the last day that is planned, or a night ends there of which only that is missing."""
    return one.first > high if one.person is None else one.rule == "WHOLE_NIGHT_RULE" and one.last > high


def present(kernel: "Kernel", grid: "Grid") -> "Grid":
    """The roster without the half-days that collide with leave, of nights both halves."""
    found: Grid = np.where(kernel.collisions(grid), np.int8(FREE), grid)
    gone = (found != grid) & kernel.overnight[grid]
    night = kernel.overnight[grid[:, :-1, 1]] & (grid[:, :-1, 1] == grid[:, 1:, 0])
    found[:, 1:, 0][night & gone[:, :-1, 1]] = FREE
    found[:, :-1, 1][night & gone[:, 1:, 0]] = FREE
    return found


def carried(kernel: "Kernel", cells: "Iterable[Cell]") -> "Grid":
    """The half-days of another version that this programme knows: its people, services and days."""
    services = kernel.programme.services
    year = kernel.programme.year
    return kernel.grid_of(
        (person, day, h, code)
        for person, day, h, code in cells
        if person in kernel.person_of
        and code in kernel.service_of
        and day in year
        and services[kernel.service_of[code]].span(h) is not None
    )


def as_known(opened: Opened, kernel: "Kernel") -> Opened:
    """A version as another version of its programme knows it: leave recorded since the other was made is not in it."""
    return Opened(opened.schedule, kernel, carried(kernel, opened.schedule.cells))


def _standing(before: Opened) -> dict[Any, list[tuple[date, date, float]]]:
    kernel = before.kernel
    low = first_planned(kernel, before.grid)
    found: dict[Any, list[tuple[date, date, float]]] = {}
    for grid in (before.grid, present(kernel, before.grid)):
        for one in _blocking(kernel, grid):
            if _is_planned(kernel, one, low):
                days = kernel.date_of(one.first), kernel.date_of(one.last)
                found.setdefault(_key(kernel, one), []).append((*days, one.excess))
    return found


def _blocking(kernel: "Kernel", grid: "Grid") -> "Iterable[Violation]":
    return (one for one in kernel.violations(grid) if one.blocks)


def breach_of(kernel: "Kernel", one: "Violation") -> Breach:
    """A violation by names and dates."""
    return (*_key(kernel, one), kernel.date_of(one.first).isoformat(), kernel.date_of(one.last).isoformat())


def _key(kernel: "Kernel", one: "Violation") -> tuple[Any, ...]:
    people, services = kernel.programme.people, kernel.programme.services
    return (
        one.rule,
        None if one.person is None else people[one.person].key,
        None if one.service is None else services[one.service].code,
        one.role,
        one.session,
    )
