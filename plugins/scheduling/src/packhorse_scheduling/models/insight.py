"""Questions of the tools that look further: several at a time, balance, coverage, scenarios, reserve."""

from typing import Annotated

from pydantic import Field

from packhorse_scheduling.models.changes import SwapWanted
from packhorse_scheduling.models.shapes import Day, Exact, Id, In, Page, Thing, Who

Role = Annotated[str, Field(max_length=20, description="Such as RESIDENT.")]
MOST_SWAPS = 50
MOST_ABSENCES = 5


class SwapsQuestion(Exact):
    """Several wanted swaps."""

    swaps: list[SwapWanted] = Field(min_length=1, max_length=MOST_SWAPS)
    together: bool = Field(default=False, description="Each after the feasible ones before it.")
    page: Page = 1


class BalanceQuestion(Exact):
    """Whose rotations to spread, in which days."""

    start_date: Day
    end_date: Day
    role: Thing = "RESIDENT"
    keep_draft: bool = False


class CoverageQuestion(Exact):
    """Which days of which schedule."""

    start_date: Day
    end_date: Day
    schedule_id: Id | None = In


class Absence(Exact):
    """Somebody who would be away."""

    person_id: Who
    start_date: Day
    end_date: Day


class DemandChange(Exact):
    """How many a service would need."""

    rotation_id: Thing = Field(description="A service.")
    role: Role
    minimum: int = Field(ge=0, le=100)
    start_date: Day
    end_date: Day


class ScenarioQuestion(Exact):
    """What if?"""

    absences: list[Absence] = Field(default=[], max_length=MOST_ABSENCES)
    demand_changes: list[DemandChange] = Field(default=[], max_length=20)
    mend: bool = True


class PoolQuestion(Exact):
    """Which days."""

    start_date: Day
    end_date: Day
    role: Role | None = None
