"""The pages of phase 2: burnout risk, trends, forecasting, and the stream of violations."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from packhorse_scheduling.convert import instant
from packhorse_scheduling.domain import weeks, workload
from packhorse_scheduling.domain.levels import SAFE_SHARE

if TYPE_CHECKING:
    from packhorse_scheduling.domain.notices import Notice
    from packhorse_scheduling.domain.opened import Opened

MODERATE_STRAIN = workload.HIGH_STRAIN * 2 / 3
"""From here on a person is worth a look. Our own choice, as `HIGH_STRAIN` is."""


def burnout_from(opened: "Opened", *, at: datetime) -> dict[str, Any]:
    """The body of analytics://burnout-risk: the score of analytics://workload with what each part adds to it."""
    people = opened.programme.people
    found = sorted(
        (one for one in workload.workloads(opened.kernel, opened.grid) if one.strain is not None),
        key=lambda one: (-(one.strain or 0), one.person),
    )
    rows = []
    for one in found:
        strain = one.strain or 0.0
        person = people[one.person]
        level = "HIGH" if strain >= workload.HIGH_STRAIN else "MODERATE" if strain >= MODERATE_STRAIN else "LOW"
        row: dict[str, Any] = {
            "person_id": person.id,
            "person_name": person.name,
            "role": person.role,
            "burnout_risk_score": round(strain, 4),
            "level": level,
            "contributions": {
                name: round(workload.STRAIN_WEIGHTS[name] * value, 4) for name, value in one.parts.items()
            },
        }
        if one.trend is not None:
            row["trend"] = one.trend
        rows.append(row)
    return {
        "calculated_at": instant(at),
        "schedule_id": opened.schedule.id,
        "people": rows,
        "summary": {level: sum(row["level"] == level for row in rows) for level in ("LOW", "MODERATE", "HIGH")},
        "thresholds": {"MODERATE": round(MODERATE_STRAIN, 4), "HIGH": workload.HIGH_STRAIN},
        "method": "Heuristic, not validated: the weighted sum of planned hours, runs, nights, weekends and trend ("
        + ", ".join(f"{name} {weight:g}" for name, weight in workload.STRAIN_WEIGHTS.items())
        + "). It says nothing of anybody's health; talk to the person.",
    }


def trends_from(opened: "Opened", versions: Sequence[dict[str, Any]], *, at: datetime) -> dict[str, Any]:
    """The body of analytics://trends: week by week, and version by version."""
    kernel = opened.kernel
    found = weeks.history(kernel, opened.grid)
    today = kernel.day_of(at.date())
    roles = sorted({role for week in found for role in week.hours})
    slopes = {role: weeks.slope([week.hours[role] for week in found]) for role in roles}
    return {
        "calculated_at": instant(at),
        "schedule_id": opened.schedule.id,
        "weeks": [
            {
                "week_start": kernel.date_of(week.first).isoformat(),
                "is_past": week.first + 6 < today,
                "hours_by_role": {role: round(hours, 2) for role, hours in week.hours.items()},
                "nights": week.nights,
                "weekend_half_days": week.weekend_half_days,
                "utilization_rate": round(week.load.rate, 4),
                "coverage_rate": round(week.coverage, 4),
            }
            for week in found
        ],
        "slopes": {
            role: {"hours_per_week": round(line.per_week, 3), "mean_hours": round(line.mean, 2)}
            for role, line in slopes.items()
            if line is not None
        },
        "versions": [{**row, "created_at": instant(datetime.fromisoformat(row["created_at"]))} for row in versions],
        "method": "Hours planned in the published schedule, whole weeks from Monday; a past week is what was planned"
        " for it, not a record of hours worked. Slopes are lines of least squares. versions are all that have been in"
        " force.",
    }


def forecast_from(opened: "Opened", *, at: datetime) -> dict[str, Any]:
    """The body of analytics://forecasting."""
    kernel = opened.kernel
    today = kernel.day_of(at.date())
    rate = weeks.absence_rate(kernel, today)
    rows = []
    for week in weeks.forecast(kernel, opened.grid, max(today, kernel.tail)):
        row: dict[str, Any] = {
            "week_start": kernel.date_of(week.first).isoformat(),
            "required_half_days": week.required,
            "assigned_half_days": week.load.required,
            "available_half_days": week.load.capacity,
            "utilization_rate": round(week.load.rate, 4),
            "coverage_rate": round(week.coverage, 4),
            "level": week.level,
        }
        if week.expected_lost is not None:
            row["expected_lost_half_days"] = round(week.expected_lost, 2)
        rows.append(row)
    body: dict[str, Any] = {
        "calculated_at": instant(at),
        "schedule_id": opened.schedule.id,
        "weeks": rows,
        "tight_weeks": [row["week_start"] for row in rows if row["utilization_rate"] >= SAFE_SHARE],
        "method": "Heuristic: demand, leave and assignments of the coming weeks are counted, not guessed. What illness"
        " may take is the share of person-days lost to unplanned leave so far ("
        + ", ".join(sorted(weeks.UNPLANNED))
        + ") times the half-days planned; it is absent until a day of the programme has passed.",
    }
    if rate is not None:
        body["unplanned_absence_rate"] = round(rate, 5)
    return body


def stream_from(notices: "Sequence[Notice]", *, at: datetime) -> dict[str, Any]:
    """The body of schedule://violations: the newest notices first."""
    return {
        "checked_at": instant(at),
        "last_number": notices[0].number if notices else 0,
        "notices": [
            {
                "number": one.number,
                "at": instant(one.at),
                "schedule_id": one.schedule,
                "cause": one.cause,
                "new_violations": list(one.violations),
                "solved_violations": one.solved,
            }
            for one in notices
        ],
    }
