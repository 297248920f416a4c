"""What is kept: schedules with versions, swaps, and what happened to them."""

from datetime import date, datetime
from typing import Literal

from attrs import frozen

from packhorse_scheduling.domain.programme.calendar import SESSIONS, assignment_id, block_id, name_id
from packhorse_scheduling.domain.roster.plan import Plan

Cell = tuple[str, date, int, str]
"""A filled half-day in words: person key, date, session (0 AM, 1 PM), service code."""

ScheduleStatus = Literal["draft", "published", "superseded"]
Compliance = Literal["COMPLIANT", "VIOLATIONS", "UNKNOWN"]


@frozen
class Schedule:
    """One version of a roster. ``cells`` are the filled half-days; ``parent`` is the version it was made from.

    ``plan`` is its rotation plan: that of its parent, where it was made by changing half-days. ``until`` is the last
    day of a draft whose search was ended, or still runs; None: it is whole.
    """

    id: str
    version: int
    programme: str
    status: ScheduleStatus
    compliance: Compliance
    created_at: datetime
    created_by: str | None
    cells: tuple[Cell, ...]
    parent: str | None = None
    target_utilization: float | None = None
    plan: Plan = ()
    until: date | None = None


def assignment_id_of(person_key: str, day: date, session: int) -> str:
    """The id of an assignment: from person and block alone."""
    return assignment_id(name_id("person", person_key), block_id(day, SESSIONS[session]))
