"""What is given up first when people are short, counted from the roster.

The order is the usual one of load shedding: optional education,
administration, core education, continuity clinics; patient care never.
"""

from typing import Literal

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.roster.arrays import FREE, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel

Category = Literal["education_optional", "administration", "education_core", "continuity_of_care", "patient_safety"]
Target = Literal["NORMAL", "YELLOW", "ORANGE", "RED", "BLACK"]

SUSPENDED: dict[Target, tuple[Category, ...]] = {
    "NORMAL": (),
    "YELLOW": ("education_optional",),
    "ORANGE": ("education_optional", "administration"),
    "RED": ("education_optional", "administration", "education_core"),
    "BLACK": ("education_optional", "administration", "education_core", "continuity_of_care"),
}


@frozen
class Freed:
    """One suspended category: how many assigned half-days it has on these days, and their hours."""

    category: Category
    half_days: int
    hours: float


def category_of(kernel: "Kernel", s: int) -> Category:
    """By the service's kind; education that somebody asks for is core, the rest optional."""
    kind = kernel.programme.services[s].kind
    if kind == "education":
        return "education_core" if bool((kernel.least[:, s] > 0).any()) else "education_optional"
    if kind == "admin":
        return "administration"
    return "continuity_of_care" if kind == "clinic" else "patient_safety"


def suspend(kernel: "Kernel", grid: "Grid", target: Target, first: int, last: int) -> "tuple[list[Freed], Grid]":
    """What the level frees on these days, and the roster without it."""
    after, freed = grid.copy(), []
    days = after[:, first : last + 1]
    for category in SUSPENDED[target]:
        services = [s for s in range(kernel.S) if category_of(kernel, s) == category]
        mask = np.isin(days, services)
        hours = sum(int(kernel.minutes[days[:, :, h][mask[:, :, h]], h].sum()) for h in (0, 1)) / 60
        freed.append(Freed(category, int(mask.sum()), hours))
        days[mask] = FREE
    return freed, after
