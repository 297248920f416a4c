"""Fairness, workload and health as the specification writes them."""

from datetime import datetime
from typing import Any

from packhorse_scheduling.convert import instant
from packhorse_scheduling.domain.change.judging import first_planned
from packhorse_scheduling.domain.insight import contingency, outlook, spread, workload
from packhorse_scheduling.domain.insight.fairness import overall
from packhorse_scheduling.domain.insight.levels import SAFE_SHARE, worst
from packhorse_scheduling.domain.insight.wording import counted, percent, role_words
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import ended

TYPICAL_HOURS = 4
"""Of a half-day, by the specification (``typical_hours``)."""
MOST_POSITIONS = 10


def fairness_from(opened: "Opened", *, at: datetime) -> dict[str, Any]:
    """The body of analytics://fairness."""
    kernel, grid = opened.kernel, opened.worked
    people, services = kernel.programme.people, kernel.programme.services
    return {
        "calculated_at": instant(at),
        "schedule_id": opened.schedule.id,
        "overall_fairness_score": round(overall(kernel, grid), 4),
        "by_role": {
            role: {
                "mean_hours": round(found.mean, 2),
                "median_hours": round(found.median, 2),
                "std_dev": round(found.deviation, 2),
                "min_hours": found.least,
                "max_hours": found.most,
                "gini_coefficient": round(found.gini, 4),
            }
            for role, found in spread.by_role(kernel, grid).items()
        },
        "by_rotation": {
            services[s].name: {
                "mean_assignments": round(found.mean, 2),
                "median_assignments": found.median,
                "std_dev": round(found.deviation, 2),
                "fairness_score": round(fair, 4),
            }
            for s, (found, fair) in spread.by_service(kernel, grid).items()
        },
        "outliers": [
            {
                "person_id": people[outlier.person].id,
                "person_name": people[outlier.person].name,
                "role": people[outlier.person].role,
                "total_hours": outlier.total,
                "deviation_from_mean": round(outlier.deviation, 2),
                "z_score": round(outlier.z, 2),
            }
            for outlier in spread.outliers(kernel, grid)
        ],
        "nights_and_weekends": [
            {"group": group, "people": size, **{name: _spread_words(one) for name, one in found.items()}}
            for group, size, found in spread.by_year(kernel, grid)
        ],
        "method": "Hours are duty hours. overall_fairness_score (0 to 1, no unit) is of hours alone: 1 minus the Gini"
        " coefficient in each role, weighted by its size; leave is not corrected for. nights_and_weekends counts a"
        " person's nights, weekends and holidays worked, as analytics://ledger does. Outliers are"
        f" {spread.OUTLIER_Z:g} population standard deviations or more from their role's mean.",
    }


def _spread_words(one: "spread.Spread") -> dict[str, float]:
    return {"mean": round(one.mean, 2), "min": one.least, "max": one.most, "std_dev": round(one.deviation, 2)}


def workload_from(opened: "Opened", *, at: datetime) -> dict[str, Any]:
    """The body of analytics://workload. What needs a whole week or three is absent where there are fewer."""
    kernel = opened.kernel
    people, first = kernel.programme.people, kernel.date_of(first_planned(kernel, opened.worked))
    found = workload.workloads(kernel, opened.worked)
    rows = []
    for one in found:
        person = people[one.person]
        row = {
            "person_id": person.id,
            "person_name": person.name,
            "role": person.role,
            "total_hours": one.total,
            "avg_hours_per_week": round(one.weekly, 2),
            "peak_week_hours": one.peak_week,
            "min_week_hours": one.least_week,
            "consecutive_days_worked": one.run,
            "total_weekend_shifts": one.weekend_shifts,
            "burnout_risk_score": None if one.strain is None else round(one.strain, 4),
            "burnout_risk_factors": {name: round(value, 4) for name, value in one.parts.items()},
            "trend": one.trend,
        }
        rows.append({key: value for key, value in row.items() if value is not None})
    return {
        "calculated_at": instant(at),
        "schedule_id": opened.schedule.id,
        "time_period": {"start_date": first.isoformat(), "end_date": opened.programme.year.end.isoformat()},
        "workload_by_person": rows,
        "summary": {
            "total_staff": len(found),
            "high_burnout_risk_count": sum(
                one.heaviest is not None and one.heaviest >= workload.LONG_HOURS for one in found
            ),
            "avg_hours_per_person": round(sum(one.total for one in found) / len(found), 2),
            "max_consecutive_days": max(one.run for one in found),
        },
        "method": f"{workload.METHOD} high_burnout_risk_count is of people whose hours a week, averaged over their"
        f" heaviest four weeks, are at least {workload.LONG_HOURS:g}. consecutive_days_worked is the longest run;"
        " weekend shifts are half-days.",
    }


def health_from(opened: "Opened", *, at: datetime) -> dict[str, Any]:
    """The body of resilience://health: the next four weeks of the published schedule.

    Raises:
        UserError: the schedule has no day left.
    """
    kernel, grid = opened.kernel, opened.grid
    days = outlook.ahead(kernel, kernel.day_of(at.date()))
    if days is None:
        raise ended(kernel.programme.year.end)
    load, covered = outlook.load(kernel, grid, *days), outlook.coverage(kernel, grid, *days)
    analysis = contingency.Contingency(kernel, grid, *days)
    singles = [loss for loss in analysis.singles() if loss.uncovered]
    pairs = [loss for loss in analysis.pairs() if loss.uncovered]
    people = kernel.programme.people
    broken = [violation for violation in opened.violations() if violation.blocks and violation.last >= days[0]]
    said: list[tuple[str, str]] = []
    advice: list[str] = []
    if load.rate >= SAFE_SHARE:
        said.append(("WARNING", f"Utilisation is {load.rate:.0%}, at or above {SAFE_SHARE:.0%}."))
        advice.append("Move elective work out of these weeks, or bring people back from what can wait.")
    if covered < 1:
        said.append(("ERROR", f"Only {percent(covered, 1)} of the places asked for are filled."))
        advice.append("Fill the half-days that are short: detect_conflicts lists them, suggest_resolution who could.")
    if broken:
        said.append(("ERROR", f"{counted(len(broken), 'violation')} from today on: the first is of {broken[0].rule}."))
        advice.append("Repair the violations: validate_schedule tells each.")
    if singles:
        worst_loss = singles[0]
        name = people[worst_loss.persons[0]].name
        left = counted(worst_loss.uncovered, "half-day")
        said.append(("WARNING", f"The loss of {name} would leave {left} that nobody in reserve fills."))
        advice.append(
            f"Make another {role_words(people[worst_loss.persons[0]].role)} able and present to back up {name}."
        )
    elif pairs:
        said.append(
            ("INFO", f"{counted(len(pairs), 'pair')} of people cannot be lost together without uncovered half-days.")
        )
    return {
        "overall_status": worst(load, covered, vulnerable=bool(singles)),
        "checked_at": instant(at),
        "metrics": {
            "utilization_rate": round(min(1.0, load.rate), 4),
            "available_capacity": float(load.spare * TYPICAL_HOURS),
            "n_minus_1_vulnerable": bool(singles),
            "n_minus_2_vulnerable": bool(pairs),
            "critical_positions": [
                {
                    "person_id": people[loss.persons[0]].id,
                    "person_name": people[loss.persons[0]].name,
                    "impact_score": round(loss.impact, 4),
                    "reason": f"{counted(loss.uncovered, 'half-day')} would be uncovered, and {loss.affected} would"
                    " fall below their need.",
                }
                for loss in singles[:MOST_POSITIONS]
            ],
            "coverage_rate": round(covered, 4),
        },
        "time_period": {
            "start_date": kernel.date_of(days[0]).isoformat(),
            "end_date": kernel.date_of(days[1]).isoformat(),
        },
        "alerts": [{"severity": severity, "message": message, "timestamp": instant(at)} for severity, message in said],
        "recommendations": advice,
    }
