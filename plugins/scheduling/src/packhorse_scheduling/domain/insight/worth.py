"""What a roster is judged by beside its rules: wishes, days in one place, evenness. A few plain figures."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from attrs import frozen

from packhorse_scheduling.domain.insight.continuity import continuity
from packhorse_scheduling.domain.insight.wishes import wishes
from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.roster.duties import duties
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.supervision import FACULTY

WEEK = 7


@frozen
class Measure:
    """One figure, as it is told; ``more`` is whether more of it is better."""

    name: str
    value: float
    more: bool


def measures(kernel: "Kernel", grid: "Grid", first: int, last: int) -> tuple[Measure, ...]:
    """The figures: wishes and turns of the year, continuity and the faculty's work of these days.

    Deviations are of people from the mean of their role and year of training.
    What has nothing to count is left out.
    """
    found = [Measure("wishes met", sum(one.met for one in wishes(kernel, grid)), more=True)]
    wards = continuity(kernel, grid, first, last)
    for name, values, more in (
        ("share of days with one attending", [one.same_attending for one in wards], True),
        ("attendings a week", [one.week_attendings for one in wards], False),
        ("share of residents' ward days whole", [one.whole_days for one in wards], True),
    ):
        known = [value for value in values if value is not None]
        if known:
            found.append(Measure(name, round(sum(known) / len(known), 3), more))
    turns = duties(kernel, grid, kernel.tail, kernel.D - 1)
    classes = [(person.role, person.pgy) for person in kernel.programme.people]
    for name, counts in (("nights, SD", turns.nights), ("weekends, SD", turns.weekends)):
        found.append(Measure(name, _deviation(counts, classes), more=False))
    there = 2 * (~kernel.away[:, first : last + 1]).sum(axis=1) / (2 * WEEK)
    faculty = np.flatnonzero((kernel.group == FACULTY) & (there > 0))
    if len(faculty) > 1:
        served = ~np.array([*kernel.fills.tolist(), True])
        work = served[grid[faculty, first : last + 1]].sum(axis=(1, 2)) / there[faculty]
        found.append(Measure("faculty's half-days of service a week, SD", _deviation(work, [0] * len(faculty)), False))
    return tuple(found)


def _deviation(counts: "npt.ArrayLike", classes: "Iterable[object]") -> float:
    """The standard deviation of people from their class's mean; classes of one are left out."""
    values, keys = np.asarray(counts, float), list(classes)
    off: list[float] = []
    for key in dict.fromkeys(keys):
        mine = values[[one == key for one in keys]]
        if len(mine) > 1:
            off += (mine - mine.mean()).tolist()
    return round(float(np.sqrt(np.mean(np.square(off)))), 2) if off else 0.0


@frozen
class Weighed:
    """One measure of two rosters; ``gain`` is above 0 where the second is better."""

    name: str
    before: float
    after: float
    gain: float


def weigh(kernel: "Kernel", before: "Grid", after: "Grid", first: int, last: int) -> list[Weighed]:
    """Compare by the figures as they are told; what only one of the two has is not compared."""
    now = {one.name: one.value for one in measures(kernel, after, first, last)}
    return [
        Weighed(one.name, one.value, now[one.name], (now[one.name] - one.value) * (1 if one.more else -1))
        for one in measures(kernel, before, first, last)
        if one.name in now
    ]


def is_better(weighed: "Iterable[Weighed]") -> bool:
    """Whether something is better, and nothing worse."""
    gains = [one.gain for one in weighed]
    return max(gains, default=0) > 0 and min(gains) >= 0
