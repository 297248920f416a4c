"""Questions of the tools that agents watch the roster with."""

from typing import Literal

from pydantic import Field

from packhorse_scheduling.models.shapes import Day, Exact, Page, Thing, Who


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
