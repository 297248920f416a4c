"""Questions and answers of the tools that show the roster and its health."""

from pydantic import Field

from packhorse_scheduling.domain.programme.people import Role
from packhorse_scheduling.models.shapes import (
    COUNT,
    DAY,
    DAYS,
    ID,
    INSTANT,
    REAL,
    SEVERITY,
    SHARE,
    TEXT,
    YES,
    Day,
    Exact,
    Id,
    In,
    Page,
    Thing,
    Who,
    choice,
    record,
    rows,
)

MOST_DAYS = 56
"""Eight weeks: what can be looked through at a sitting."""


class RosterQuestion(Exact):
    """Which days of which roster, and of whom."""

    start_date: Day | None = Field(default=None, description="Today by default.")
    days: int = Field(default=7, ge=1, le=MOST_DAYS)
    role: Role | None = None
    schedule_id: Id | None = In
    people: list[Who] | None = Field(default=None, min_length=1, max_length=100)
    page: Page = 1


class FindQuestion(Exact):
    """Whom, or who is on duty."""

    name: Thing | None = Field(default=None, description="Or part of it; everybody by default.")
    on_duty: Thing | None = Field(default=None, description='A service, or "all".')
    page: Page = 1


_HALF_DAYS = {"type": "array", "items": {"type": ["string", "null"]}}

ROSTER = record(
    "schedule_id version status time_period services people violations violation_count",
    schedule_id=ID,
    version=COUNT,
    status=TEXT,
    time_period=DAYS,
    days=rows(record("date off", date=DAY, off=YES)),
    services=rows(record("code name", code=TEXT, name=TEXT, kind=TEXT)),
    people=rows(
        record(
            "name key role",
            person_id=ID | {"x-packhorse-id": "person"},
            key=TEXT,
            name=TEXT,
            duty=TEXT,
            total_hours=REAL,
            role=TEXT,
            pgy_level=COUNT,
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
            person=TEXT,
            service=TEXT,
        )
    ),
    violation_count=COUNT,
    days_off=rows(DAY),
    total_people=COUNT,
    page=COUNT,
    pages=COUNT,
)
"""For a client that draws, every person has ``half_days``: AM and PM of each day in turn, a service's code, or null
where the person is free. For others a page of people has ``duty``: a word a day, AM/PM where they differ."""

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
