"""The pages of phase 2: burnout risk, trends, forecasting, and the stream of violations."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from packhorse_scheduling.convert import instant
from packhorse_scheduling.domain.change.notices import Notice
from packhorse_scheduling.domain.insight import weeks, workload
from packhorse_scheduling.domain.insight.levels import SAFE_SHARE
from packhorse_scheduling.domain.rules.opened import Opened

MOST_PEOPLE = 15
"""With the highest score; analytics://workload has everybody."""
MOST_WEEKS = 13
"""Of the trend page: a quarter of a year, from four weeks ago."""
MOST_VERSIONS = 10
MOST_STREAMED = 3
"""Violations told of one change; the count is of all."""
STREAM_SIZE = 6_000
"""Characters of the changes on the page of violations."""


def burnout_from(opened: "Opened", *, at: datetime) -> dict[str, Any]:
    """The body of analytics://burnout-risk: the score of analytics://workload with what each part adds to it."""
    people = opened.programme.people
    found = sorted(
        (one for one in workload.workloads(opened.kernel, opened.worked) if one.strain is not None),
        key=lambda one: (-(one.strain or 0), one.person),
    )
    rows = []
    for one in found[:MOST_PEOPLE]:
        person = people[one.person]
        row: dict[str, Any] = {
            "person_name": person.name,
            "person_key": person.key,
            "burnout_risk_score": round(one.strain or 0.0, 4),
            "contributions": {
                name: round(workload.STRAIN_WEIGHTS[name] * value, 4) for name, value in one.parts.items()
            },
            "hours_a_week_heaviest_four": round(one.heaviest or 0.0, 1),
            "nights": one.nights,
            "longest_run_days": one.run,
        }
        if one.trend is not None:
            row["trend"] = one.trend
        rows.append(row)
    return {
        "calculated_at": instant(at),
        "schedule_id": opened.schedule.id,
        "people": rows,
        "summary": {
            "people": len(found),
            "listed": len(rows),
            "at_or_above_55_hours_a_week": sum((one.heaviest or 0.0) >= workload.LONG_HOURS for one in found),
        },
        "method": f"{workload.METHOD} {workload.LONG_HOURS} hours a week is where WHO and ILO count long hours (2021)."
        " Talk to the person.",
    }


def trends_from(opened: "Opened", versions: Sequence[dict[str, Any]], *, at: datetime) -> dict[str, Any]:
    """The body of analytics://trends: week by week, and version by version."""
    kernel = opened.kernel
    found = weeks.history(kernel, opened.worked)
    today = kernel.day_of(at.date())
    roles = sorted({role for week in found for role in week.hours})
    slopes = {role: weeks.slope([week.hours[role] for week in found]) for role in roles}
    gone = sum(week.first + 6 < today for week in found)
    begin = max(0, min(gone - MOST_WEEKS // 3, len(found) - MOST_WEEKS))
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
            for week in found[begin : begin + MOST_WEEKS]
        ],
        "weeks_in_all": len(found),
        "slopes": {
            role: {"hours_per_week": round(line.per_week, 3), "mean_hours": round(line.mean, 2)}
            for role, line in slopes.items()
            if line is not None
        },
        "versions": [
            {**row, "created_at": instant(datetime.fromisoformat(row["created_at"]))}
            for row in versions[-MOST_VERSIONS:]
        ],
        "method": "Hours planned in the published schedule, whole weeks from Monday; a past week is what was planned"
        " for it, not a record of hours worked. Slopes are lines of least squares through every week; weeks are those"
        " around today, versions the last that were in force.",
    }


def forecast_from(opened: "Opened", *, at: datetime) -> dict[str, Any]:
    """The body of analytics://forecasting."""
    kernel = opened.kernel
    today = kernel.day_of(at.date())
    rate = weeks.absence_rate(kernel, opened.grid, today)
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
    """The body of schedule://violations: the newest notices first, as many as `STREAM_SIZE` holds."""
    told: list[dict[str, Any]] = []
    size = 0
    for one in notices:
        row = {
            "number": one.number,
            "at": instant(one.at),
            "schedule_id": one.schedule,
            "cause": one.cause,
            "new_violations": list(one.violations[:MOST_STREAMED]),
            "new_violation_count": len(one.violations),
            "solved_violations": one.solved,
        }
        size += len(json.dumps(row, ensure_ascii=False))
        if told and size > STREAM_SIZE:
            break
        told.append(row)
    last = notices[0].number if notices else 0
    return {"checked_at": instant(at), "last_number": last, "notices": told, "older": len(notices) - len(told)}
