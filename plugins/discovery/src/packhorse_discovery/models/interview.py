"""Answers while an interview goes on, as the specification names them."""

from typing import Any, Literal

from pydantic import Field

from packhorse_discovery.models.arguments import INTERVIEWERS
from packhorse_discovery.models.exact import Exact


class PursuitBrief(Exact):
    """A pursuit in a line."""

    eads_id: str
    state: str
    completeness: float = Field(ge=0, le=1)
    budget_remaining: float


class Started(Exact):
    """A project opened or resumed."""

    project_id: str
    conversation_id: str
    resumed: bool = Field(description="Whether the project was there already.")
    pursuits: list[PursuitBrief]
    recommended: str | None = Field(description="The schema to begin with.")
    next_step: str


class Alternative(Exact):
    """Another schema that could be pursued now."""

    eads_id: str
    title: str
    priority: float


class Blocked(Exact):
    """A schema that must wait, and why."""

    eads_id: str
    blocked_by: list[str]


class NextEads(Exact):
    """The recommendation; you may pursue another."""

    eads_id: str = Field(description="The schema to pursue next; exhausted when nothing is left.")
    rationale: str
    interviewer_type: INTERVIEWERS | None
    priority: float = Field(description="The score; an unfinished pursuit has 1 more.")
    score_parts: dict[str, float]
    alternatives: list[Alternative]
    blocked: list[Blocked] = Field(description="What must wait, and was not named before.")
    model_lacks: list[str] = Field(description="Schemas whose values the model still lacks.")


class Planned(Exact):
    """A question that a schema will ask of somebody who answers in full."""

    question: str
    kind: str
    budget_cost: float


class Instructions(Exact):
    """What the schema is about and how the interview will go."""

    eads_id: str
    title: str
    version: str
    interviewer_type: INTERVIEWERS
    objective: str
    question_plan: list[Planned]


class CurrentState(Exact):
    """What is established so far."""

    data_structure: dict[str, Any]
    completeness: float = Field(ge=0, le=1)
    state: str
    revision: int


class Pursuit(Exact):
    """A pursuit begun or taken up again."""

    eads_instructions: Instructions
    current_state: CurrentState
    budget: float = Field(description="What is left to spend on questions.")


class EadsEntry(Exact):
    """A schema of the library."""

    id: str
    name: str
    objective: str
    prerequisites: list[str]


class EadsList(Exact):
    """The schemas that may be chosen from."""

    eads_list: list[EadsEntry]
    skipped: list[str] = Field(
        default_factory=list, description="Files that were found and could not be used, and why."
    )


class Difference(Exact):
    """Where responses_so_far differs from what is stored; the stored value wins."""

    path: str
    stored: Any = None
    yours: Any = None


class NextQuestion(Exact):
    """The question to put to the person; rephrase it for their trade, keep the table."""

    question: str | None = Field(description="null when there is nothing more to ask.")
    question_id: str | None = Field(default=None, description="Name it when you hand in the answer.")
    question_type: Literal["text", "table", "choice"] | None = None
    kind: str | None = Field(
        default=None, description="The finer kind: yesno, quantity, names, form, table and others."
    )
    table_template: str | None = Field(default=None, description="A Markdown table to fill in, known values in it.")
    help_text: str = ""
    why: str = Field(default="", description="What the answer is for.")
    budget_cost: float = 0.0
    budget_remaining: float
    done: bool
    reason: str = ""
    refinement_schema: dict[str, Any] = Field(
        default_factory=dict, description="JSON Schema of the refinement you may hand in with the answer."
    )
    example: dict[str, Any] = Field(default_factory=dict, description="An example from another trade.")
    differences: list[Difference] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list, description="The latest notes, not for the interviewee.")


class Refused(Exact):
    """A value that was not recorded."""

    path: str
    value: Any = None
    why: str
    nearest: str = Field(description="The words of the answer that come nearest.")


class Processed(Exact):
    """What an answer changed."""

    data_structure_update: dict[str, Any]
    read_back: str = Field(
        description="What was understood, in words: read it to the person before the next question, and put right with "
        "correct_answer what they did not mean."
    )
    commit_notes: str
    completeness: float = Field(ge=0, le=1)
    next_action: Literal["continue", "complete", "needs_clarification"]
    revision: int
    budget_remaining: float
    open_conflicts: int
    recorded: int = Field(description="How many values changed.")
    refused: list[Refused] = Field(
        default_factory=list, description="What the words do not support: hand in only these again, or ask the person."
    )
    not_used: list[str] = Field(default_factory=list, description="Numbers of the answer that nothing used.")
    unmodelled: list[str] = Field(default_factory=list, description="Rules kept with their quotes.")
    needed: str = Field(default="", description="What to hand in, where nothing could be recorded.")
    table_template: str = Field(default="", description="The table to complete.")


class EadsStatus(Exact):
    """Where a pursuit stands."""

    data_structure: dict[str, Any]
    completed_fields: list[str]
    remaining_fields: list[str]
    completeness: float = Field(ge=0, le=1)
    budget_used: float
    budget_remaining: float
    state: str
    revision: int


class Fault(Exact):
    """A value that does not fit."""

    path: str
    words: str


class Validation(Exact):
    """Whether the structure is whole and fits its schema."""

    valid: bool
    completeness: float = Field(ge=0, le=1)
    missing: list[str]
    faults: list[Fault]
    hook_errors: list[str]
    next_step: str


class Finalized(Exact):
    """A pursuit closed, or why not."""

    success: bool
    data_structure: dict[str, Any]
    validation_results: Validation
