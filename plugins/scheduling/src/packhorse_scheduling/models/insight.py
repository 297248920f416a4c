"""Questions of the tools that look further: several at a time, balance, coverage, scenarios, reserve."""

from typing import Literal

from pydantic import Field

from packhorse_scheduling.models import SwapQuestion
from packhorse_scheduling.models.shapes import Day, Exact, Id

Role = Literal["FACULTY", "RESIDENT", "RN", "LPN", "MSA"]
MOST_SWAPS = 50
MOST_ABSENCES = 5


class SwapsQuestion(Exact):
    """Several wanted swaps."""

    swaps: list[SwapQuestion] = Field(min_length=1, max_length=MOST_SWAPS)
    together: bool = Field(
        default=False,
        description="Judge each with the feasible ones before it carried out; otherwise each on its own.",
    )


class PeopleQuestion(Exact):
    """Whose half-days, in which days."""

    person_ids: list[Id] | None = Field(default=None, min_length=1, max_length=100)
    role: Role | None = Field(default=None, description="Everybody of this role; give either this or person_ids.")
    start_date: Day
    end_date: Day


class ResolveQuestion(Exact):
    """Which days to repair."""

    start_date: Day
    end_date: Day
    max_changes: int = Field(default=20, ge=1, le=50, description="Conflicts to resolve at most.")
    keep_draft: bool = Field(default=False, description="Keep the repaired roster as a draft; otherwise only report.")


class BalanceQuestion(Exact):
    """Whose rotations to spread, in which days."""

    start_date: Day
    end_date: Day
    role: Role = "RESIDENT"
    max_moves: int = Field(default=10, ge=1, le=50)
    keep_draft: bool = Field(default=False, description="Keep the result as a draft; otherwise only tell.")


class CoverageQuestion(Exact):
    """Which days of which schedule."""

    start_date: Day
    end_date: Day
    schedule_id: Id | None = Field(default=None, description="The schedule; the published one by default.")


class Absence(Exact):
    """Somebody who would be away."""

    person_id: Id
    start_date: Day
    end_date: Day


class DemandChange(Exact):
    """How many a service would need."""

    rotation_id: Id = Field(description="The service's id, as assignments have it.")
    role: Role
    minimum: int = Field(ge=0, le=100)
    start_date: Day
    end_date: Day


class ScenarioQuestion(Exact):
    """What if?"""

    absences: list[Absence] = Field(default=[], max_length=MOST_ABSENCES)
    demand_changes: list[DemandChange] = Field(default=[], max_length=20)
    mend: bool = Field(
        default=True, description="Also solve for the fewest changes around the absences; nothing is kept."
    )


class PoolQuestion(Exact):
    """Which days."""

    start_date: Day
    end_date: Day
    role: Role | None = None
