"""What crosses the wire: the questions as models, the answers as the specification's own schemas."""

from typing import Literal

from pydantic import ConfigDict, Field

from packhorse_scheduling.models.shapes import (
    COUNT,
    DAY,
    DAYS,
    ID,
    INSTANT,
    REAL,
    SEVERITY,
    SHARE,
    TEXT,
    YES,
    Day,
    Exact,
    Id,
    In,
    SpecifiedHalfDay,
    SpecifiedThing,
    SpecifiedWho,
    choice,
    record,
    rows,
)

RuleName = Literal[
    "80_HOUR_RULE", "1_IN_7_RULE", "SUPERVISION_RATIO", "MINIMUM_STAFFING", "CREDENTIAL_REQUIREMENTS", "ALL"
]


class ValidateQuestion(Exact):
    """Which schedule, against which rules."""

    schedule_id: Id | None = In
    validation_rules: list[RuleName] = Field(default=["ALL"], max_length=6)
    strict_mode: bool = Field(default=False, description="Warnings count, too.")


class SwapQuestion(Exact):
    """Who wants to give away which half-days, and to whom."""

    swap_type: Literal["ONE_TO_ONE", "ABSORB"]
    requester_id: SpecifiedWho
    block_ids: list[SpecifiedHalfDay] = Field(min_length=1, max_length=62)
    target_person_id: SpecifiedWho | None = None
    reason: str | None = Field(default=None, max_length=500, description="Not stored.")


class SimulatedLoss(Exact):
    """Somebody away on these days, both included."""

    person_id: SpecifiedWho
    start_date: Day
    end_date: Day
    reason: Literal["DEPLOYMENT", "TDY", "MEDICAL", "LEAVE", "OTHER"]


class Scenario(Exact):
    """Losses to assume before anything else is lost."""

    simulated_losses: list[SimulatedLoss] = Field(default=[], max_length=50)


class ContingencyQuestion(Exact):
    """Which losses to look at."""

    analysis_type: Literal["N_MINUS_1", "N_MINUS_2", "BOTH"] = "BOTH"
    scenario: Scenario = Field(default=Scenario(), description="Who is away already.")
    include_mitigation_strategies: bool = True


class GenerationConstraints(Exact):
    """What the roster is to respect."""

    enforce_acgme_compliance: bool = Field(default=True, description="If false, an unpublishable draft may come.")
    target_utilization: float = Field(default=0.75, ge=0, le=1, description="Share of half-days to fill.")
    prioritize_fairness: bool = True
    respect_preferences: bool = True
    locked_assignments: list[SpecifiedThing] = Field(default=[], max_length=15_000)


class GenerateQuestion(Exact):
    """Which days to make, from what."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    academic_year: str = Field(pattern=r"^\d{4}-\d{4}$", max_length=9, examples=["2026-2027"])
    start_date: Day
    end_date: Day
    generation_mode: Literal["FULL", "PARTIAL", "OPTIMIZATION"] = "FULL"
    constraints: GenerationConstraints = GenerationConstraints()
    background: bool = Field(default=True, alias="async", description="As a job, where this server has jobs.")


VALIDATION = record(
    "is_valid validated_at schedule_id rules_checked violations warnings summary",
    is_valid=YES,
    validated_at=INSTANT,
    schedule_id=ID,
    rules_checked=rows(TEXT),
    violations=rows(
        record(
            rule=TEXT,
            severity=SEVERITY,
            message=TEXT,
            affected_person_id=ID,
            affected_person_name=TEXT,
            date_range=DAYS,
            details={"type": "object", "additionalProperties": True},
        )
    ),
    warnings=rows(record(rule=TEXT, message=TEXT, affected_person_id=ID)),
    summary=record(total_violations=COUNT, critical_count=COUNT, error_count=COUNT, warning_count=COUNT),
)
"""The specification's output schema of validate_schedule."""

_PARTY = record(person_id=ID, person_name=TEXT, current_hours_this_week=REAL, hours_after_swap=REAL)
SWAP = record(
    "is_feasible checked_at compliance_check",
    is_feasible=YES,
    checked_at=INSTANT,
    swap_preview=record(requester=_PARTY, target=_PARTY),
    compliance_check=record(
        is_compliant=YES,
        violations=rows(record(rule=TEXT, affected_person=choice("REQUESTER", "TARGET", "BOTH"), message=TEXT)),
    ),
    suggestions=rows(record(candidate_id=ID, candidate_name=TEXT, compatibility_score=SHARE, reason=TEXT)),
    blocking_reasons=rows(TEXT) | {"description": "Reasons why swap cannot proceed"},
)
"""The specification's output schema of check_swap_feasibility."""

_LOSSES = choice("N_MINUS_1", "N_MINUS_2", "BOTH")
_LEVEL = choice("HIGH", "MEDIUM", "LOW")
CONTINGENCY = record(
    "analyzed_at analysis_type",
    analyzed_at=INSTANT,
    time_period=record(start_date=TEXT, end_date=TEXT),
    analysis_type=_LOSSES,
    n_minus_1_result=record(
        is_vulnerable=YES,
        critical_persons=rows(
            record(
                person_id=ID,
                person_name=TEXT,
                role=TEXT,
                impact_score=SHARE,
                affected_blocks=COUNT,
                unique_qualifications=rows(TEXT),
            )
        ),
    ),
    n_minus_2_result=record(
        is_vulnerable=YES,
        critical_pairs=rows(
            record(
                person_1_id=ID,
                person_1_name=TEXT,
                person_2_id=ID,
                person_2_name=TEXT,
                combined_impact_score=SHARE,
                affected_blocks=COUNT,
            )
        ),
    ),
    mitigation_strategies=rows(
        record(strategy=TEXT, priority=_LEVEL, estimated_impact=TEXT, implementation_complexity=_LEVEL)
    ),
)
"""The specification's output schema of analyze_contingency."""

GENERATION_JOB = record(
    "job_id status created_at status_url",
    job_id=ID,
    status=choice("QUEUED", "RUNNING", "COMPLETED", "FAILED"),
    created_at=INSTANT,
    estimated_completion=INSTANT,
    progress=record(
        percent_complete={"type": "integer", "minimum": 0, "maximum": 100}, current_step=TEXT, total_steps=COUNT
    ),
    status_url={"type": "string", "format": "uri", "description": "URL to poll for job status"},
    schedule_id=ID | {"description": "The draft, once there is one."},
)
"""The specification's output schema of generate_schedule for a call that starts a job."""

GENERATION_DONE = record(
    "schedule_id status generated_at statistics validation_results",
    schedule_id=ID,
    status={"type": "string", "const": "COMPLETED"},
    generated_at=INSTANT,
    statistics=record(
        total_assignments=COUNT,
        total_persons=COUNT,
        total_blocks=COUNT,
        utilization_rate=REAL,
        coverage_rate=SHARE,
        fairness_score=SHARE,
        compliance_status=choice("COMPLIANT", "VIOLATIONS"),
    ),
    validation_results=record(is_valid=YES, violations=rows({"type": "object"})),
    violation_count=COUNT,
    generation_time_seconds=REAL,
    churn=record(changed_half_days=COUNT, of=COUNT, share=SHARE, people_changed=COUNT, least_repair=COUNT),
    measures=rows({"type": "object"}),
    notes=rows(TEXT),
    rotations=record(held=YES, half_days_off_rotation=COUNT, why=rows(TEXT)),
    continuity=rows({"type": "object"}),
    stage_count=COUNT,
    wishes={"type": "object"},
    shortfall=COUNT,
    stages=rows(record(name=TEXT, first=DAY, last=DAY, stage_gap=REAL, shortfall=COUNT)),
)
"""The specification's output schema of generate_schedule for a call that waits, and the gap of each stage."""

GENERATION = {"type": "object", "anyOf": [GENERATION_JOB, GENERATION_DONE]}
"""Either of the two."""
