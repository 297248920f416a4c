"""The question and the answer of suggest_resolution, as the specification has them."""

from typing import Literal

from pydantic import Field

from packhorse_scheduling.models.shapes import (
    ID,
    INSTANT,
    SHARE,
    TEXT,
    WHOLE,
    YES,
    Exact,
    SpecifiedHalfDay,
    SpecifiedWho,
    choice,
    record,
    rows,
)

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
                persons_affected=WHOLE,
                blocks_changed=WHOLE,
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
