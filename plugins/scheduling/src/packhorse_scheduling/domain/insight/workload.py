"""Hours, runs, weekends and their trend, person by person, and a strain score that says what it is made of.

Weeks run from Monday to Sunday; only whole weeks of the programme are
compared. A week on leave is a week of few hours, and is counted as it is.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from packhorse_scheduling.domain.change.judging import first_planned
from packhorse_scheduling.domain.roster.arrays import Bools, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel

STRAIN_WEIGHTS = {"hours": 0.5, "nights": 0.3, "weekends": 0.2}
"""Of the parts of the strain score, each 0 to 1. Our own choice: the score is a heuristic and is validated nowhere."""
FULL_TIME = 40
"""Weekly hours at which the score's part for hours begins: the upper end of standard hours in the source below."""
LONG_HOURS = 55
"""Weekly hours from which WHO and ILO count long hours (Pega and others 2021, Environment International 154, 106595):
there the risk of stroke is 35 % and of death by heart disease 17 % above that of 35 to 40 hours."""
METHOD = (
    "Heuristic, not validated: burnout_risk_score (0 to 1, no unit) is the weighted sum of its parts ("
    + ", ".join(f"{name} {weight:g}" for name, weight in STRAIN_WEIGHTS.items())
    + f"): hours, from {FULL_TIME} a week to the weekly limit, in the heaviest four weeks; nights, against the most"
    " that the limit on call allows; weekend days worked, of all. It is made from planned duty alone and says nothing"
    " of anybody's health."
)
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
    heaviest: float | None
    nights: int
    strain: float | None
    parts: dict[str, float]
    trend: str | None


def workloads(kernel: "Kernel", grid: "Grid") -> list[Workload]:
    """Everybody's figures over the programme's own days, from the first known one on.

    ``heaviest`` is the peak of mean weekly hours over four whole weeks (all of
    them, where there are fewer). The parts of the strain score, each cut to
    0..1: ``hours`` how far that lies from `FULL_TIME` to the weekly limit;
    ``nights`` nights per three days, the CPR's most; ``weekends`` the share of
    weekend days with duty. The longest run and the trend are told beside it:
    a run at its limit is a rule kept, and a trend is no load.
    """
    first = first_planned(kernel, grid)
    own = grid[:, first:]
    hours = np.asarray(kernel.duty_minutes(grid)[:, first:], float) / 60
    weeks = _whole_weeks(kernel, hours, first)
    weekend = kernel.weekend[first:]
    found = []
    for p in range(kernel.P):
        worked = (own[p] >= 0).any(axis=1)
        run = longest_run(worked)
        nights = int(kernel.overnight[own[p, :, 1]].sum())
        trend = trend_of(weeks[p])
        parts: dict[str, float] = {}
        peak = None
        if weeks.shape[1]:
            window = min(4, weeks.shape[1])
            peak = float(np.convolve(weeks[p], np.full(window, 1 / window), "valid").max())
            days = int(weekend.sum())
            limits = kernel.programme.rules
            parts = {
                "hours": min(1.0, max(0.0, peak - FULL_TIME) / (limits.weekly_hours.value - FULL_TIME)),
                "nights": min(1.0, nights * limits.call_every.value / len(worked)),
                "weekends": float(worked[weekend].sum() / days) if days else 0.0,
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
                heaviest=peak,
                nights=nights,
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


def _whole_weeks(kernel: "Kernel", hours: "npt.NDArray[np.float64]", first: int) -> "npt.NDArray[np.float64]":
    """``[person, week]``: duty hours of each whole week from Monday."""
    skip = -kernel.date_of(first).weekday() % 7
    count = max(0, (hours.shape[1] - skip) // 7)
    return np.asarray(hours[:, skip : skip + 7 * count].reshape(len(hours), count, 7).sum(axis=2), float)


_KINDS = {"clinic": "total_clinic_hours", "inpatient": "total_inpatient_hours", "procedure": "total_procedure_hours"}


def statistics(kernel: "Kernel", grid: "Grid", p: int) -> dict[str, Any]:
    """Hours in all, a week and by kind of service; days off, and the longest run of days with duty.

    A day off is a calendar day without duty, on leave or not.
    """
    own = grid[p, kernel.tail :]
    minutes = np.stack([kernel.minutes[own[:, h], h] for h in (0, 1)], axis=1)
    total = float(minutes.sum() + kernel.beyond[p].sum()) / 60
    found: dict[str, Any] = {
        "total_hours": total,
        "avg_hours_per_week": round(total * 7 / len(own), 2),
    }
    for kind, name in _KINDS.items():
        mask = np.array([service.kind == kind for service in kernel.programme.services] + [False])
        found[name] = float(minutes[mask[own]].sum()) / 60
    worked: Bools = np.asarray((own >= 0).any(axis=1))
    found["days_off"] = int((~worked).sum())
    found["longest_stretch_without_day_off"] = longest_run(worked)
    return found


def longest_run(worked: "Bools") -> int:
    """The most true values in a row."""
    longest = run = 0
    for day in worked.tolist():
        run = run + 1 if day else 0
        longest = max(longest, run)
    return longest
