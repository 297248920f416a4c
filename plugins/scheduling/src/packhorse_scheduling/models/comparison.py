"""The question and the answer about what differs between two versions."""

from pydantic import Field

from packhorse_scheduling.models.shapes import ID, REAL, TEXT, WHOLE, Exact, Id, In, Page, Who, record, rows


class ComparisonQuestion(Exact):
    """Which version, against which, and whose days."""

    schedule_id: Id
    against: Id | None = In
    person_id: Who | None = Field(default=None, description="For their half-days.")
    page: Page = 1


COMPARISON = record(
    "version against changed_half_days people_changed page pages",
    version=WHOLE,
    against=WHOLE,
    changed_half_days=WHOLE,
    people_changed=WHOLE,
    new_violations=WHOLE,
    violations=rows(TEXT),
    gone_violations=WHOLE,
    plan_changes=rows(TEXT),
    plan_change_count=WHOLE,
    measures=rows({"type": "object"}),
    people=rows(
        record(
            person_id=ID,
            person_name=TEXT,
            gained=WHOLE,
            lost=WHOLE,
            other_service=WHOLE,
            hours=REAL,
            nights=WHOLE,
            weekend_half_days=WHOLE,
            holidays=WHOLE,
        )
    ),
    half_days=rows(TEXT),
    page=WHOLE,
    pages=WHOLE,
)
