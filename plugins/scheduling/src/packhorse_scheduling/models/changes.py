"""Questions and answers of the tools that change something."""

from typing import Annotated, Literal

from pydantic import Field

from packhorse_scheduling.domain.programme.kinds import MOST_WISHES
from packhorse_scheduling.models.shapes import (
    COUNT,
    DAY,
    DAYS,
    ID,
    INSTANT,
    PERSON,
    REAL,
    SHARE,
    TEXT,
    WHOLE,
    YES,
    Day,
    Exact,
    HalfDay,
    Id,
    In,
    OfPerson,
    Page,
    Thing,
    Who,
    choice,
    record,
    rows,
)

FALLBACKS = ("single_absence", "dual_absence", "pcs_season", "holiday_period", "deployment", "mass_casualty")
"""Scenarios that a copy may be the prepared fallback for."""
Kind = Annotated[str, Field(max_length=40)]


class PublishQuestion(Exact):
    """Which draft."""

    schedule_id: Id


class SnapshotQuestion(Exact):
    """What to copy, and as what."""

    schedule_id: Id | None = In
    label: str = Field(min_length=1, max_length=80, description="No names of people or illnesses.")
    fallback_for: str | None = Field(default=None, max_length=40, description="A scenario, such as single_absence.")


class LeaveQuestion(Exact):
    """Who is away when."""

    person_id: Who
    start_date: Day
    end_date: Day = Field(description="Included.")
    kind: Kind = Field(default="vacation", description="Or sick, conference, departure (for good), ...; no diagnosis.")


class Absence(Exact):
    """Who is away when."""

    person_id: Who
    start_date: Day
    end_date: Day
    kind: Kind = "sick"


class RepairQuestion(Exact):
    """What to correct."""

    absences: list[Absence] | None = Field(default=None, min_length=1, max_length=60)
    schedule_id: Id | None = In
    locked_assignments: list[Thing] = Field(default=[], max_length=15_000)


class SwapWanted(Exact):
    """Who wants to change what, and with whom if that is decided."""

    swap_type: Literal["ONE_TO_ONE", "ABSORB"]
    requester_id: Who
    block_ids: list[HalfDay] = Field(min_length=1, max_length=62)
    target_person_id: Who | None = None


class SwapRequest(SwapWanted):
    """Who wants to change what with whom."""

    target_person_id: Who


class SwapAnswer(OfPerson):
    """One party's answer."""

    swap_id: Id
    accept: bool
    person_id: Who | None = Field(default=None, description="Whose answer a coordinator records.")


class SwapNamed(Exact):
    """Which swap, and whether it is carried out or taken back."""

    swap_id: Id
    take_back: bool = False


class ExplainQuestion(Exact):
    """Which half-day of whom."""

    person_id: Who
    block_id: HalfDay
    instead_id: Who | None = Field(default=None, description="Why not this one?")


_RUN = record(person_key=TEXT, person_name=TEXT, date=TEXT, until=TEXT, session=TEXT, before=TEXT, after=TEXT)
PUBLISHED = record(
    "schedule_id version status published_at",
    schedule_id=ID,
    version=COUNT,
    status=TEXT,
    published_at=INSTANT,
    compliance_status=TEXT,
    superseded_schedule_id=ID,
    standing_violations=COUNT,
    standing=rows(TEXT),
    warning_count=COUNT,
    warnings=rows(TEXT),
)
SNAPSHOT = record(
    "schedule_id version label taken_at",
    schedule_id=ID,
    version=COUNT,
    label=TEXT,
    taken_at=INSTANT,
    fallback_for=TEXT,
    compliance_status=TEXT,
    assignments=COUNT,
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
    conflicting_assignments=COUNT,
    overridden_locks=rows(TEXT),
)
REPAIR = record(
    "schedule_id changes vacated changed shortfall proven_minimal compliance_status",
    schedule_id=ID,
    changes=rows(_RUN),
    change_count=COUNT,
    vacated=COUNT,
    freed=COUNT,
    taken_over=COUNT,
    moved=COUNT,
    changed=COUNT,
    shortfall=COUNT,
    proven_minimal=YES,
    compliance_status=TEXT,
    churn=SHARE,
    continuity=rows({"type": "object"}),
    unavoidable=rows(TEXT),
    wishes={"type": "object"},
    persons_affected=rows(record(person_key=TEXT, person_name=TEXT, hours_before=REAL, hours_after=REAL)),
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
    present=COUNT,
    minimum=COUNT,
    reasons=rows(TEXT),
    others=rows(record(person_id=ID, person_name=TEXT, doing=TEXT, could=YES, because=rows(TEXT))),
    others_count=COUNT,
    date_range=DAYS,
    turns=rows(record(kind=TEXT, this_year=WHOLE, carried=WHOLE)),
)


class CalendarQuestion(OfPerson):
    """Whose calendar, and what happens to its address."""

    person_id: Who | None = Field(default=None, description="The caller by default.")
    action: Literal["make", "renew", "end"] = "make"


class WishesQuestion(Exact):
    """Whose wishes, and what they are now."""

    person_id: Who
    wishes: list[Thing] | None = Field(
        default=None,
        max_length=MOST_WISHES,
        description="Dearest first: 2026-12-25, or work 2026-12-24 PM.",
        json_schema_extra={**PERSON},
    )


WISHES = record("person_id person_name wishes", person_id=ID, person_name=TEXT, wishes=rows(TEXT), met=COUNT, of=COUNT)


class RotationQuestion(Exact):
    """Whose block, and what it becomes: another rotation, or somebody else's block for it; nothing: why it is so."""

    person_id: Who
    date: Day = Field(description="In the block.")
    until: Day | None = Field(default=None, description="In the last block.")
    rotation: str | None = Field(default=None, max_length=200, description="Code.")
    with_person_id: Who | None = Field(default=None, description="Exchange with.")
    reason: str | None = Field(default=None, max_length=200, description="No diagnosis.")
    confirm: bool = False


ROTATION = record(
    "person_id first last rotation done",
    person_id=ID,
    first=DAY,
    last=DAY,
    rotation=TEXT,
    done=YES,
    reasons=rows(TEXT),
    could_exchange=rows(TEXT),
    changed_half_days=COUNT,
    changed=rows(record(person_name=TEXT, half_days=COUNT)),
    burdens=rows(TEXT),
    proven_minimal=YES,
    shortfall=COUNT,
    new_violations=rows(TEXT),
    new_warnings=rows(TEXT),
    warning_count=COUNT,
    schedule_id=ID,
)


class ComparisonQuestion(Exact):
    """Which version, against which, and whose days."""

    schedule_id: Id
    against: Id | None = In
    person_id: Who | None = Field(default=None, description="For their half-days.")
    page: Page = 1


COMPARISON = record(
    "version against changed_half_days people_changed page pages",
    version=COUNT,
    against=COUNT,
    changed_half_days=COUNT,
    people_changed=COUNT,
    new_violations=COUNT,
    violations=rows(TEXT),
    gone_violations=COUNT,
    plan_changes=rows(TEXT),
    plan_change_count=COUNT,
    measures=rows({"type": "object"}),
    people=rows(
        record(
            person_id=ID,
            person_name=TEXT,
            gained=COUNT,
            lost=COUNT,
            other_service=COUNT,
            hours=REAL,
            nights=WHOLE,
            weekend_half_days=WHOLE,
            holidays=WHOLE,
        )
    ),
    half_days=rows(TEXT),
    page=COUNT,
    pages=COUNT,
)
