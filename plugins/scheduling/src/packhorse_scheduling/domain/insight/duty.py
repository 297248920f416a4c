"""Who is on duty at a moment, and who comes next."""

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.rules.kernel import Kernel

DAYS_TO_COME = 7
"""How far ahead is looked for the next on a service."""


@frozen
class Duty:
    """The people on a service in one half-day, and its clock times in minutes after that day's midnight."""

    service: int
    day: int
    session: int
    start: int
    end: int
    people: tuple[int, ...]


def duties(kernel: "Kernel", grid: "Grid", day: int) -> list[Duty]:
    """Everything that people do on a day, by its start; nothing outside the programme."""
    found: list[Duty] = []
    if not kernel.tail <= day < kernel.D:
        return found
    for s, service in enumerate(kernel.programme.services):
        for h in (0, 1):
            span = service.span(h)
            people = tuple(np.flatnonzero(grid[:, day, h] == s).tolist())
            if span is not None and people:
                found.append(Duty(s, day, h, span.start, span.end, people))
    return sorted(found, key=lambda one: (one.start, one.service))


def now(kernel: "Kernel", grid: "Grid", day: int, minute: int) -> list[Duty]:
    """Who is at work at this minute of the day, a row a service."""
    return [one for one in duties(kernel, grid, day) if one.start <= minute < one.end]


def following(kernel: "Kernel", grid: "Grid", service: int, day: int, minute: int) -> Duty | None:
    """Who comes next on a service, within `DAYS_TO_COME`."""
    for d in range(day, day + DAYS_TO_COME + 1):
        for one in duties(kernel, grid, d):
            if one.service == service and (d > day or one.start > minute):
                return one
    return None
