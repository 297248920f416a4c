"""Questions and answers about what people have asked for."""

from typing import Literal

from pydantic import Field

from packhorse_scheduling.models.shapes import DAY, ID, INSTANT, TEXT, WHOLE, YES, Day, Exact, Id, choice, record, rows

Why = Field(default=None, max_length=200, description="Kept with it; no diagnosis.")


class RequestsQuestion(Exact):
    """Which requests."""

    all: bool = Field(default=False, description="Decided ones, too.")
    person_id: Id | None = Field(default=None, description="For coordinators: only this person's.")


class AnswerQuestion(Exact):
    """What was decided."""

    request_id: Id
    decision: Literal["approve", "decline"]
    reason: str | None = Why
    confirm: bool = Field(default=False, description="Without it the effect is told and nothing is done.")


class WithdrawQuestion(Exact):
    """What is taken back."""

    request_id: Id
    from_date: Day | None = Field(default=None, description="Only from this day on: the leave becomes shorter.")
    reason: str | None = Why


class AssignQuestion(Exact):
    """Which half-day of whom, and what they do then."""

    person_id: Id
    block_id: Id
    service: str | None = Field(default=None, max_length=200, description="Code or id; none frees the person.")
    reason: str | None = Why
    confirm: bool = Field(default=False, description="Without it the effect is told and nothing is done.")


STATES = choice("requested", "approved", "declined", "withdrawn", "cancelled", "executed", "rolled_back")
REQUEST = record(
    "request_id kind status",
    request_id=ID,
    kind=choice("leave", "swap"),
    status=STATES,
    person_id=ID,
    person_name=TEXT,
    other_name=TEXT,
    leave_kind=TEXT,
    start_date=DAY,
    end_date=DAY,
    half_days=rows(TEXT),
    asked_at=INSTANT,
    waiting_for=rows(TEXT),
    reason=TEXT,
)
REQUESTS = record("requests total", requests=rows(REQUEST), total=WHOLE)
EFFECT = record(
    "collisions new_violations",
    collisions=WHOLE,
    new_violations=WHOLE,
    violations=rows(TEXT),
    changes=rows(TEXT),
)
ASSIGNED = record("done effect", done=YES, effect=EFFECT, schedule_id=ID)
ANSWERED = record("request done", request=REQUEST, done=YES, effect=EFFECT, schedule_id=ID)
