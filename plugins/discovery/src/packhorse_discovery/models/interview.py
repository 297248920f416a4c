"""Answers while an interview goes on, as the specification names them. What is empty is left out."""

from typing import Any, Literal

from pydantic import Field

from packhorse_discovery.models.arguments import INTERVIEWERS
from packhorse_discovery.models.exact import Count, Lean


class Asking(Lean):
    """The question to put to the person next, with where its answer goes."""

    eads_id: str = ""
    question_id: str = ""
    question: str = Field(default="", description="Put it in the words of their trade.")
    form: dict[str, Any] = Field(
        default_factory=dict, description="What a refinement may hold, by schema; said once for each schema."
    )
    open: list[str] = Field(default_factory=list, description="Paths that are still open in rows already known.")
    do: str = Field(default="", description="What to do where there is no question.")


class PursuitBrief(Lean):
    """A pursuit in a line."""

    eads_id: str
    state: str
    completeness: float = Field(ge=0, le=1)
    budget_remaining: float


class Started(Lean):
    """A project opened or resumed."""

    project_id: str
    conversation_id: str
    resumed: bool = Field(description="Whether the project was there already.")
    pursuits: list[PursuitBrief] = Field(default_factory=list)
    recommended: str | None = Field(default=None, description="The schema to begin with.")
    next_step: str
    asked_again: list[str] = Field(
        default_factory=list,
        description="Rules kept in words that a field can hold by now: record them there.",
    )
    formulation: dict[str, Any] = Field(
        default_factory=dict, description="The one that stands: its goal, its value and what it does not keep."
    )
    next: Asking | None = None


class NextEads(Lean):
    """The recommendation; you may pursue another."""

    eads_id: str = Field(description="The schema to pursue next; exhausted when nothing is left.")
    rationale: str
    interviewer_type: INTERVIEWERS | None
    priority: float = Field(description="The score; an unfinished pursuit has 1 more.")
    alternatives: list[str] = Field(default_factory=list, description="Others that could be pursued now.")
    model_lacks: list[str] = Field(default_factory=list, description="Schemas whose values the model still lacks.")
    score_parts: dict[str, float] = Field(default_factory=dict)
    blocked: dict[str, str] = Field(default_factory=dict, description="With detail full: what must wait, and why.")


class Instructions(Lean):
    """What the schema is about and how the interview will go."""

    eads_id: str
    title: str
    version: str
    interviewer_type: INTERVIEWERS
    objective: str


class CurrentState(Lean):
    """What is established so far."""

    data_structure: dict[str, Any] = Field(default_factory=dict)
    completeness: float = Field(ge=0, le=1)
    state: str
    revision: Count


class Pursuit(Lean):
    """A pursuit begun or taken up again."""

    eads_instructions: Instructions
    current_state: CurrentState
    budget: float = Field(description="What is left to spend on questions.")
    next: Asking | None = None


class EadsEntry(Lean):
    """A schema of the library."""

    id: str
    name: str
    objective: str
    prerequisites: list[str]


class EadsList(Lean):
    """The schemas that may be chosen from."""

    eads_list: list[EadsEntry]
    skipped: list[str] = Field(default_factory=list, description="Files that could not be used, and why.")


class Difference(Lean):
    """Where responses_so_far differs from what is stored; the stored value wins."""

    path: str
    stored: Any = None
    yours: Any = None


class NextQuestion(Lean):
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
        default_factory=dict, description="The form of the refinement you may hand in: * is needed in its row."
    )
    differences: list[Difference] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list, description="The latest notes, not for the interviewee.")


class Refused(Lean):
    """A value that was not recorded."""

    path: str
    value: Any = None
    why: str
    nearest: str = Field(default="", description="The words of the answer that come nearest.")


class Processed(Lean):
    """What an answer changed."""

    commit_notes: str = Field(description="What was recorded and refused, in a sentence.")
    read_back: str = Field(
        default="",
        description="What was understood, in words; with detail brief only what is recorded otherwise than you handed "
        "it in. Say it to the person, and put right with correct_answer what they did not mean.",
    )
    recorded: Count = Field(description="How many values changed.")
    refused: list[Refused] = Field(
        default_factory=list, description="What the words do not support: hand in only these again, or ask the person."
    )
    not_used: list[str] = Field(default_factory=list, description="Numbers of the answer that nothing used.")
    unmodelled: list[str] = Field(
        default_factory=list, description="With detail full: rules kept in words, since no field holds them."
    )
    fields_for_rules: list[str] = Field(
        default_factory=list, description="Fields that may hold such a rule: record it there too, and it is kept."
    )
    needed: str = Field(default="", description="What to hand in, where nothing could be recorded.")
    table_template: str = Field(default="", description="The table to complete.")
    open_conflicts: Count = Field(default=0, description="Above 0: call list_conflicts.")
    next_action: Literal["continue", "complete", "needs_clarification"]
    completeness: float = Field(ge=0, le=1)
    revision: Count
    next: Asking | None = None
    data_structure_update: dict[str, Any] = Field(description="What changed; empty where detail is brief.")


class EadsStatus(Lean):
    """Where a pursuit stands."""

    data_structure: dict[str, Any]
    completed_fields: list[str] = Field(default_factory=list, description="With detail full.")
    remaining_fields: list[str]
    completeness: float = Field(ge=0, le=1)
    budget_used: float
    budget_remaining: float
    state: str
    revision: Count


class Fault(Lean):
    """A value that does not fit."""

    path: str
    words: str


class Validation(Lean):
    """Whether the structure is whole and fits its schema."""

    valid: bool
    completeness: float = Field(ge=0, le=1)
    missing: list[str] = Field(default_factory=list)
    faults: list[Fault] = Field(default_factory=list)
    hook_errors: list[str] = Field(default_factory=list)
    next_step: str


class Finalized(Lean):
    """A pursuit closed, or why not."""

    success: bool
    data_structure: dict[str, Any] = Field(default_factory=dict, description="With detail full.")
    validation_results: Validation
