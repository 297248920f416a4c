"""Questions and answers about what people have asked for."""

from typing import Annotated, Literal

from pydantic import Field

from packhorse_scheduling.models.shapes import (
    COUNT,
    DAY,
    ID,
    INSTANT,
    TEXT,
    YES,
    Day,
    Exact,
    HalfDay,
    Id,
    OfPerson,
    Page,
    Who,
    choice,
    record,
    rows,
)

Clock = Annotated[str, Field(pattern="^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$")]
Why = Field(default=None, max_length=200, description="No diagnosis.")


class RequestsQuestion(Exact):
    """Which requests."""

    all: bool = Field(default=False, description="Decided ones, too.")
    person_id: Who | None = None
    page: Page = 1


class AnswerQuestion(OfPerson):
    """What was decided."""

    request_id: Id
    decision: Literal["approve", "decline"]
    reason: str | None = Why
    confirm: bool = False


class WithdrawQuestion(OfPerson):
    """What is taken back."""

    request_id: Id
    from_date: Day | None = Field(default=None, description="Leave ends the day before.")
    reason: str | None = Why


class AssignQuestion(OfPerson):
    """Which half-day of whom, and what they do then."""

    person_id: Who
    block_id: HalfDay
    service: str | None = Field(default=None, max_length=200, description="By default none.")
    start_time: Clock | None = Field(default=None, description="Such as 07:30.")
    end_time: Clock | None = Field(default=None, description="Such as 12:00; 24:00 at most.")
    reason: str | None = Why
    confirm: bool = False


STATES = choice("requested", "approved", "declined", "withdrawn", "cancelled", "executed", "rolled_back")
REQUEST = record(
    "request_id kind status",
    request_id=ID,
    kind=choice("leave", "swap", "actual_hours"),
    status=STATES,
    person_id=ID,
    person_name=TEXT,
    other_name=TEXT,
    leave_kind=TEXT,
    start_date=DAY,
    end_date=DAY,
    half_days=rows(TEXT),
    planned=TEXT,
    worked=TEXT,
    asked_at=INSTANT,
    waiting_for=rows(TEXT),
    reason=TEXT,
)
REQUESTS = record("requests total", requests=rows(REQUEST), total=COUNT, page=COUNT, pages=COUNT)
EFFECT = record(
    "collisions new_violations",
    collisions=COUNT,
    new_violations=COUNT,
    violations=rows(TEXT),
    changes=rows(TEXT),
    settled_violations=COUNT,
    worsened=rows(TEXT),
    warnings=rows(TEXT),
    overridden_locks=rows(TEXT),
)
ASSIGNED = record("done effect", done=YES, effect=EFFECT, schedule_id=ID, requests=rows(REQUEST))
ANSWERED = record(
    "request done",
    request=REQUEST,
    done=YES,
    effect=EFFECT,
    schedule_id=ID,
    empty=record(half_days=COUNT, start_date=DAY, end_date=DAY),
)
