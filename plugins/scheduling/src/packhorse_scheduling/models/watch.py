"""Questions of the tools that agents watch the roster with."""

from typing import Annotated, Literal

from pydantic import Field

from packhorse_scheduling.models.changes import SwapWanted
from packhorse_scheduling.models.shapes import (
    COUNT,
    ID,
    INSTANT,
    SHARE,
    TEXT,
    YES,
    Day,
    Exact,
    Id,
    In,
    Page,
    SpecifiedHalfDay,
    SpecifiedWho,
    Thing,
    Who,
    choice,
    record,
    rows,
)


class ConflictsQuestion(Exact):
    """Which days, which kinds."""

    start_date: Day
    end_date: Day
    conflict_types: list[Thing] | None = Field(default=None, min_length=1, max_length=7)
    page: Page = 1


class CandidatesQuestion(Exact):
    """Whose assignment."""

    requester_person_id: Who
    assignment_id: Thing = Field(description="Or such as 2026-08-04 AM.")
    max_candidates: int = Field(default=8, ge=1, le=50)


class LossQuestion(Exact):
    """Who is lost when."""

    scenario: Literal["faculty_absence", "resident_absence", "emergency_coverage", "mass_absence"]
    affected_person_ids: list[Who] = Field(min_length=1, max_length=50)
    start_date: Day
    end_date: Day
    page: Page = 1


class UtilizationQuestion(Exact):
    """What is needed against who is there."""

    available_faculty: int = Field(ge=0, le=10_000)
    required_blocks: int = Field(ge=0, le=10_000_000)
    blocks_per_faculty_per_day: float = Field(default=2, gt=0, le=2)
    days_in_period: int = Field(default=1, ge=1, le=7320)


class DefenseQuestion(Exact):
    """How much is covered."""

    coverage_rate: float | None = Field(default=None, ge=0, le=1, description="Of the next four weeks by default.")


class NothingAsked(Exact):
    """No arguments."""


class HubsQuestion(Exact):
    """Which page of people."""

    page: Page = 1


class SacrificeQuestion(Exact):
    """How far to go, on which days."""

    target_level: Literal["NORMAL", "YELLOW", "ORANGE", "RED", "BLACK"]
    simulate_only: bool = Field(default=True, description="If false, a draft is kept.")


class PolicyQuestion(Exact):
    """What to look for."""

    query: str = Field(min_length=1, max_length=500)
    top_k: int = Field(default=5, ge=1, le=20)
    doc_type: Literal["regulation", "institution", "procedure"] | None = None
    min_similarity: float = Field(default=0.5, ge=0, le=1)


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


Conflict = Literal[
    "UNDERSTAFFED", "OVERSTAFFED", "COMPLIANCE_VIOLATION", "SWAP_NEEDED", "COVERAGE_GAP", "CREDENTIAL_MISMATCH"
]


class ResolutionConstraints(Exact):
    """What a suggestion may do."""

    must_maintain_compliance: bool = Field(default=True)
    prefer_minimal_changes: bool = Field(default=True)
    available_persons: list[SpecifiedWho] | None = Field(default=None, min_length=1, max_length=500)


class ResolutionQuestion(Exact):
    """What is wrong, and where."""

    conflict_type: Conflict
    affected_blocks: list[SpecifiedHalfDay] = Field(min_length=1, max_length=62)
    affected_persons: list[SpecifiedWho] = Field(default=[], max_length=500, description="SWAP_NEEDED: who wants it.")
    constraints: ResolutionConstraints = ResolutionConstraints()
    max_suggestions: int = Field(default=5, ge=1, le=10)


RESOLUTION = record(
    "generated_at conflict_summary suggestions",
    generated_at=INSTANT,
    conflict_summary=record(type=TEXT, severity=choice("LOW", "MEDIUM", "HIGH", "CRITICAL"), description=TEXT),
    suggestions=rows(
        record(
            id=TEXT,
            title=TEXT,
            description=TEXT,
            confidence_score=SHARE,
            actions=rows(
                record(
                    action_type=choice("REASSIGN", "SWAP", "ADD_COVERAGE", "REMOVE_ASSIGNMENT"),
                    block_id=ID,
                    from_person_id=ID,
                    to_person_id=ID,
                )
            ),
            impact=record(
                persons_affected=COUNT,
                blocks_changed=COUNT,
                maintains_compliance=YES,
                estimated_effort=choice("LOW", "MEDIUM", "HIGH"),
            ),
            pros=rows(TEXT),
            cons=rows(TEXT),
        )
    ),
    method=TEXT,
)
"""The specification's output schema of suggest_resolution, and how the score is made."""
