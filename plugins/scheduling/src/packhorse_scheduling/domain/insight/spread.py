"""How hours and services are spread over people: by role, by service, and who stands out."""

import numpy as np
import numpy.typing as npt
from attrs import frozen

from packhorse_scheduling.domain.insight import ledger
from packhorse_scheduling.domain.insight.fairness import gini, hours
from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.rules.kernel import Kernel

OUTLIER_Z = 2.0
"""Standard deviations from the mean of the role from which somebody stands out. Our own choice."""


@frozen
class Spread:
    """Mean, median, population standard deviation, ends and Gini coefficient of some people's counts."""

    mean: float
    median: float
    deviation: float
    least: float
    most: float
    gini: float

    @classmethod
    def of(cls, values: "npt.NDArray[np.float64]") -> "Spread":
        """Of at least one value."""
        return cls(
            float(values.mean()),
            float(np.median(values)),
            float(values.std()),
            float(values.min()),
            float(values.max()),
            gini(values),
        )


@frozen
class Outlier:
    """Somebody at least `OUTLIER_Z` standard deviations off the mean of their role, in hours."""

    person: int
    total: float
    deviation: float
    z: float


def by_role(kernel: "Kernel", grid: "Grid") -> dict[str, Spread]:
    """Duty hours over the year of everybody in each role that has anybody."""
    worked = hours(kernel, grid)
    return {ROLES[g]: Spread.of(worked[kernel.group == g]) for g in np.unique(kernel.group)}


def by_year(kernel: "Kernel", grid: "Grid") -> list[tuple[str, int, dict[str, Spread]]]:
    """Of each role, residents by year of training: how many, and their nights, weekends and holidays of the ledger."""
    counts = {f"{kind}s": np.asarray(one.amounts, float) for kind, one in ledger.counted(kernel, grid).items()}
    groups: dict[str, list[int]] = {}
    for p, person in enumerate(kernel.programme.people):
        groups.setdefault(person.role if person.pgy is None else f"{person.role} PGY-{person.pgy}", []).append(p)
    return [
        (name, len(members), {key: Spread.of(all_of[members]) for key, all_of in counts.items()})
        for name, members in sorted(groups.items())
    ]


def by_service(kernel: "Kernel", grid: "Grid") -> dict[int, tuple[Spread, float]]:
    """Half-days on each service that is used, over those whose role and year allow it, and how fairly.

    The fairness is 1 minus the Gini coefficient of each role among them,
    weighted by its size: what faculty do is not measured by what residents do.
    """
    own = grid[:, kernel.tail :]
    found = {}
    for s in range(kernel.S):
        done = np.asarray((own == s).sum(axis=(1, 2)), float)
        if not done.any():
            continue
        able = kernel.eligible[:, s] & np.isin(kernel.group, np.unique(kernel.group[done > 0]))
        groups = [done[able & (kernel.group == g)] for g in np.unique(kernel.group[able])]
        fairness = sum((1 - gini(group)) * group.size for group in groups) / int(able.sum())
        found[s] = (Spread.of(done[able]), float(fairness))
    return found


def outliers(kernel: "Kernel", grid: "Grid") -> list[Outlier]:
    """Who stands out in their role by hours, the farthest first."""
    worked = hours(kernel, grid)
    found = []
    for g in np.unique(kernel.group):
        members = np.flatnonzero(kernel.group == g)
        mean, deviation = float(worked[members].mean()), float(worked[members].std())
        if deviation == 0:
            continue
        for p in members.tolist():
            z = (float(worked[p]) - mean) / deviation
            if abs(z) >= OUTLIER_Z:
                found.append(Outlier(p, float(worked[p]), float(worked[p]) - mean, z))
    return sorted(found, key=lambda outlier: (-abs(outlier.z), outlier.person))
