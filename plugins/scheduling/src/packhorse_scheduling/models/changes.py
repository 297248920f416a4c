"""Questions and answers of the tools that change something."""

from typing import Literal

from pydantic import Field

from packhorse_scheduling.models.shapes import (
    DAYS,
    ID,
    INSTANT,
    REAL,
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

LeaveKind = Literal[
    "vacation",
    "conference",
    "sick",
    "medical",
    "deployment",
    "tdy",
    "family_emergency",
    "bereavement",
    "emergency_leave",
    "convalescent",
    "maternity_paternity",
]
FallbackScenario = Literal[
    "single_absence", "dual_absence", "pcs_season", "holiday_period", "deployment", "mass_casualty"
]


class PublishQuestion(Exact):
    """Which draft."""

    schedule_id: Id = Field(description="The draft to publish.")


class SnapshotQuestion(Exact):
    """What to copy, and as what."""

    schedule_id: Id | None = Field(default=None, description="The schedule to copy; the published one by default.")
    label: str = Field(min_length=1, max_length=80, description="What to call it; no names of people or illnesses.")
    fallback_for: FallbackScenario | None = Field(
        default=None, description="Keep it as the prepared fallback for this scenario."
    )


class LeaveQuestion(Exact):
    """Who is away when."""

    person_id: Id
    start_date: Day
    end_date: Day = Field(description="The last day away, included.")
    kind: LeaveKind = Field(default="vacation", description="The kind only: no diagnosis is stored.")


class Absence(Exact):
    """Who is away when."""

    person_id: Id
    start_date: Day
    end_date: Day = Field(description="The last day, included.")
    kind: LeaveKind = Field(default="sick", description="Recorded as leave where there is none yet.")


class RepairQuestion(Exact):
    """What to mend: everything that is open, or these absences only."""

    absences: list[Absence] | None = Field(
        default=None, min_length=1, max_length=60, description="Only these; everything that is open by default."
    )
    person_id: Id | None = Field(default=None, description="With both dates: one absence, as in absences.")
    start_date: Day | None = None
    end_date: Day | None = None
    kind: LeaveKind = "sick"
    schedule_id: Id | None = Field(default=None, description="A draft to mend; the published schedule by default.")
    locked_assignments: list[Id] = Field(default=[], max_length=15_000, description="Assignments that must stay.")


class SwapRequest(Exact):
    """Who wants to change what with whom."""

    swap_type: Literal["ONE_TO_ONE", "ABSORB"]
    requester_id: Id
    target_person_id: Id
    block_ids: list[Id] = Field(min_length=1, max_length=62)


class SwapAnswer(Exact):
    """One party's answer."""

    swap_id: Id
    accept: bool
    person_id: Id | None = Field(
        default=None, description="For coordinators: the party whose answer is recorded. Parties answer for themselves."
    )


class SwapNamed(Exact):
    """Which swap."""

    swap_id: Id


class ExplainQuestion(Exact):
    """Which half-day of whom."""

    person_id: Id
    block_id: Id
    instead_id: Id | None = Field(default=None, description="Why not this one? Everybody of the role by default.")


_CELL = record(person_id=ID, person_name=TEXT, date=TEXT, session=TEXT, before=TEXT, after=TEXT)
PUBLISHED = record(
    "schedule_id version status published_at",
    schedule_id=ID,
    version=WHOLE,
    status=TEXT,
    published_at=INSTANT,
    compliance_status=TEXT,
    superseded_schedule_id=ID,
    standing_violations=WHOLE,
    standing=rows(TEXT),
)
SNAPSHOT = record(
    "schedule_id version label taken_at",
    schedule_id=ID,
    version=WHOLE,
    label=TEXT,
    taken_at=INSTANT,
    fallback_for=TEXT,
    compliance_status=TEXT,
    assignments=WHOLE,
)
LEAVE = record(
    "person_id start_date end_date kind status recorded_at",
    request_id=ID,
    person_id=ID,
    start_date=TEXT,
    end_date=TEXT,
    kind=TEXT,
    status=choice("requested", "approved"),
    recorded_at=INSTANT,
    conflicting_assignments=WHOLE,
)
REPAIR = record(
    "schedule_id changes vacated changed shortfall proven_minimal compliance_status",
    schedule_id=ID,
    changes=rows(_CELL),
    vacated=WHOLE,
    changed=WHOLE,
    shortfall=WHOLE,
    proven_minimal=YES,
    compliance_status=TEXT,
    churn=SHARE,
    continuity=rows({"type": "object"}),
    unavoidable=rows(TEXT),
    persons_affected=rows(record(person_id=ID, person_name=TEXT, hours_before=REAL, hours_after=REAL)),
)
SWAP_RECORD = record(
    "swap_id status swap_type requester_id target_person_id block_ids approvals",
    swap_id=ID,
    status=choice("requested", "approved", "declined", "executed", "rolled_back", "withdrawn", "cancelled"),
    reason=TEXT,
    swap_type=choice("ONE_TO_ONE", "ABSORB"),
    requester_id=ID,
    target_person_id=ID,
    block_ids=rows(ID),
    approvals=rows(record(person_id=ID, accepted=YES, at=INSTANT, recorded_by=TEXT)),
    awaiting=rows(ID),
    executed_at=INSTANT,
    rollback_deadline=INSTANT,
    schedule_id=ID,
    warnings=rows(TEXT),
)
EXPLANATION = record(
    "person_id person_name service date session reasons others",
    person_id=ID,
    person_name=TEXT,
    service=TEXT,
    date=TEXT,
    session=TEXT,
    present=WHOLE,
    minimum=WHOLE,
    reasons=rows(TEXT),
    others=rows(record(person_id=ID, person_name=TEXT, doing=TEXT, could=YES, because=rows(TEXT))),
    date_range=DAYS,
)
