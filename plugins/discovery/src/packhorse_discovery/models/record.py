"""Answers about what is on record: the conversation, the aggregate, contradictions, notes, exports."""

from typing import Any

from pydantic import Field

from packhorse_discovery.models.exact import Count, Exact, Lean


class QuestionAnswer(Exact):
    """One question and its answer."""

    question_id: str
    question: str
    answer: str
    answered_by: str
    commit_notes: str


class Activity(Exact):
    """One pursuit of the conversation."""

    pursuing_eads: str
    state: str
    questions_answers: list[QuestionAnswer]
    summary_ds: dict[str, Any]


class Note(Exact):
    """A note, not seen by the interviewee."""

    text: str
    by: str


class History(Exact):
    """The conversation as it went."""

    scheduling_challenges: list[str]
    activities: list[Activity]
    statements: list[str] = Field(description="What was said of formulations, beside the questions.")
    formulations: list[dict[str, Any]] = Field(description="Each that was solved; the last whole: get_aggregated_scr.")
    notes: list[Note]
    minizinc: str
    minizinc_results: str
    page: Count
    pages: Count


class ConflictEntry(Exact):
    """A contradiction, with both statements."""

    conflict_id: str
    kind: str
    severity: str
    paths: list[str]
    statements: list[str]
    suggestion: str
    state: str
    resolution: str


class Aggregated(Lean):
    """Everything established, by schema and merged."""

    outline: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description="In brief, by schema: single values, and of each list its count and its first rows in words.",
    )
    scr_by_eads: dict[str, Any] = Field(default_factory=dict, description="In full.")
    merged_scr: dict[str, Any] = Field(default_factory=dict, description="In full, with sources.")
    formulation: dict[str, Any] = Field(default_factory=dict, description="The last one solved, words and answer.")
    conflicts: list[ConflictEntry]
    page: Count
    pages: Count


class Conflicts(Exact):
    """The contradictions of a project."""

    conflicts: list[ConflictEntry]
    open: Count


class Resolved(Exact):
    """A conflict closed."""

    conflict_id: str
    resolved: bool
    values_changed: Count
    open_conflicts: Count


class Noted(Exact):
    """A note kept."""

    note_id: str
    notes: Count


class Proposed(Exact):
    """A schema added to a project."""

    eads_id: str
    version: str
    warnings: list[str]
    question_plan: list[str]


class Exported(Exact):
    """A project in another form."""

    format: str
    text: str = Field(description="The page; base 64 for excel.")
    page: Count
    pages: Count


class Deleted(Exact):
    """A project erased."""

    project_id: str
    deleted: bool
    pursuits: Count
