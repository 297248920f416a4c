"""Hours, runs, weekends and their trend, person by person, and a strain score that says what it is made of.

Weeks run from Monday to Sunday; only whole weeks of the programme are
compared. A week on leave is a week of few hours, and is counted as it is.
"""

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.stretch import longest_run

if TYPE_CHECKING:
    import numpy.typing as npt

    from packhorse_scheduling.domain.kernel import Grid, Kernel

STRAIN_WEIGHTS = {"hours": 0.35, "run": 0.2, "nights": 0.2, "weekends": 0.15, "trend": 0.1}
"""Of the parts of the strain score, each 0 to 1. Our own choice: the score is a heuristic and is validated nowhere."""
HIGH_STRAIN = 0.6
"""From here on a person counts as strained. Our own choice."""
TREND_SHARE = 0.1
"""A change of weekly hours over the period, by its fitted line, above this share of their mean is a trend."""


@frozen
class Workload:
    """One person's figures. Hours are duty hours; ``peak_week``, ``least_week`` and ``strain`` need one whole week."""

    person: int
    total: float
    weekly: float
    peak_week: float | None
    least_week: float | None
    run: int
    weekend_shifts: int
    strain: float | None
    parts: dict[str, float]
    trend: str | None


def workloads(kernel: "Kernel", grid: "Grid") -> list[Workload]:
    """Everybody's figures over the programme's own days.

    The parts of the strain score, each cut to 0..1: ``hours`` the peak of mean
    weekly hours over four whole weeks (all of them, where there are fewer)
    against 80; ``run`` the longest run of days with duty against 6; ``nights``
    nights per three days, the CPR's most; ``weekends`` the share of weekend
    days with duty; ``trend`` 1 for rising hours.
    """
    own = grid[:, kernel.tail :]
    hours = np.asarray(kernel.minutes[own[:, :, 0], 0] + kernel.minutes[own[:, :, 1], 1], float) / 60
    weeks = _whole_weeks(kernel, hours)
    weekend = kernel.weekend[kernel.tail :]
    found = []
    for p in range(kernel.P):
        worked = (own[p] >= 0).any(axis=1)
        run = longest_run(worked)
        nights = int(kernel.overnight[own[p, :, 1]].sum())
        trend = trend_of(weeks[p])
        parts: dict[str, float] = {}
        if weeks.shape[1]:
            window = min(4, weeks.shape[1])
            peak = float(np.convolve(weeks[p], np.full(window, 1 / window), "valid").max())
            days = int(weekend.sum())
            limits = kernel.programme.rules
            parts = {
                "hours": min(1.0, peak / limits.weekly_hours.value),
                "run": min(1.0, run / limits.day_run.value),
                "nights": min(1.0, nights * limits.call_every.value / len(worked)),
                "weekends": float(worked[weekend].sum() / days) if days else 0.0,
                "trend": float(trend == "INCREASING"),
            }
        found.append(
            Workload(
                person=p,
                total=float(hours[p].sum()),
                weekly=float(hours[p].sum() * 7 / len(worked)),
                peak_week=float(weeks[p].max()) if weeks.shape[1] else None,
                least_week=float(weeks[p].min()) if weeks.shape[1] else None,
                run=run,
                weekend_shifts=int((own[p][weekend] >= 0).sum()),
                strain=sum(STRAIN_WEIGHTS[name] * value for name, value in parts.items()) if parts else None,
                parts=parts,
                trend=trend,
            )
        )
    return found


def trend_of(weeks: "npt.NDArray[np.float64]") -> str | None:
    """INCREASING, STABLE or DECREASING by the line of least squares through weekly hours; None below three weeks."""
    if len(weeks) < 3:
        return None
    change = float(np.polyfit(np.arange(len(weeks)), weeks, 1)[0]) * (len(weeks) - 1)
    bar = TREND_SHARE * float(weeks.mean())
    return "INCREASING" if change > bar else "DECREASING" if change < -bar else "STABLE"


def _whole_weeks(kernel: "Kernel", hours: "npt.NDArray[np.float64]") -> "npt.NDArray[np.float64]":
    """``[person, week]``: duty hours of each whole week from Monday."""
    skip = -kernel.programme.year.start.weekday() % 7
    count = max(0, (hours.shape[1] - skip) // 7)
    return np.asarray(hours[:, skip : skip + 7 * count].reshape(len(hours), count, 7).sum(axis=2), float)
