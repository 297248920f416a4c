"""Questions and answers of the tools that show the roster and its health."""

from pydantic import Field

from packhorse_scheduling.domain.people import Role
from packhorse_scheduling.models.shapes import (
    DAY,
    DAYS,
    ID,
    INSTANT,
    SEVERITY,
    SHARE,
    TEXT,
    WHOLE,
    YES,
    Day,
    Exact,
    Id,
    choice,
    record,
    rows,
)

MOST_DAYS = 56
"""Eight weeks: what can be looked through at a sitting."""


class RosterQuestion(Exact):
    """Which days of which roster, and of whom."""

    start_date: Day | None = Field(
        default=None, description="The first day; today by default, or the schedule's first where that is later."
    )
    days: int = Field(default=14, ge=1, le=MOST_DAYS, description="How many days, fewer where the schedule ends.")
    role: Role | None = Field(default=None, description="Only people of this role.")
    schedule_id: Id | None = Field(
        default=None, description="The published schedule by default; another one is for coordinators."
    )


_HALF_DAYS = {"type": "array", "items": {"type": ["string", "null"]}}

ROSTER = record(
    "schedule_id version status time_period days services people violations violation_count",
    schedule_id=ID,
    version=WHOLE,
    status=TEXT,
    time_period=DAYS,
    days=rows(record("date off", date=DAY, off=YES)),
    services=rows(record("code name kind", code=TEXT, name=TEXT, kind=TEXT)),
    people=rows(
        record(
            "person_id name role half_days away",
            person_id=ID,
            name=TEXT,
            role=TEXT,
            pgy_level=WHOLE,
            half_days=_HALF_DAYS,
            away={"type": "array", "items": YES},
        )
    ),
    violations=rows(
        record(
            "rule severity message date_range",
            rule=TEXT,
            severity=SEVERITY,
            message=TEXT,
            date_range=DAYS,
            affected_person_id=ID,
            service=TEXT,
        )
    ),
    violation_count=WHOLE,
)
"""``half_days`` are AM and PM of each day in turn: a service's code, or null where the person is free."""

HEALTH = record(
    "overall_status checked_at metrics time_period weeks alerts recommendations",
    overall_status=choice("GREEN", "YELLOW", "ORANGE", "RED", "BLACK"),
    checked_at=INSTANT,
    metrics={"type": "object"},
    time_period=record(start_date=DAY, end_date=DAY),
    weeks=rows(
        record(
            "start_date end_date utilization_rate coverage_rate",
            start_date=DAY,
            end_date=DAY,
            utilization_rate=SHARE,
            coverage_rate=SHARE,
        )
    ),
    alerts=rows({"type": "object"}),
    recommendations=rows(TEXT),
)
