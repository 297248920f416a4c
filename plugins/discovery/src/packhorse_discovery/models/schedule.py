"""Answers about models and schedules."""

from typing import Any

from pydantic import Field

from packhorse_discovery.models.exact import Count, Lean


class Generated(Lean):
    """A MiniZinc program of what is established."""

    summary: str
    model_id: str
    target: str = Field(description="Which kind of model: flow-shop, job-shop, rcpsp and so on.")
    work: list[str] = Field(description="The model in words: check it by these.")
    not_kept: list[dict[str, str]] = Field(default_factory=list)
    minizinc: str = Field(default="", description="The program; empty unless detail is full.")
    program_uri: str = Field(description="The resource that is the text of the program.")
    jobs: Count
    tasks: Count
    notes: list[str] = Field(default_factory=list, description="What was assumed.")
    compiled: bool | None = Field(
        default=None, description="Whether the real MiniZinc compiles it; left out where there is none to ask."
    )
    compiler: str = Field(description="What was checked by which compiler, in words.")
    page: Count = 1
    pages: Count = 1


class Outcome(Lean):
    """What solving gave."""

    status: str = Field(
        description="optimal (or: optimal for what is modelled), feasible, infeasible, unknown (no schedule in the time"
        " given) or cancelled."
    )
    objective: int | None = Field(default=None, description="The goal of the first rank, in ticks or units.")
    bound: int | None = Field(default=None, description="No schedule is better than this.")
    proved: bool = Field(description="Whether no better schedule exists.")
    goals: dict[str, int] = Field(default_factory=dict)
    tick: str = Field(default="", description="What one tick of time is.")
    notes: list[str] = Field(
        default_factory=list, description="What was assumed, and what is to be known about the search."
    )


class SolvedModel(Outcome):
    """A schedule, or why there is none."""

    summary: str
    not_kept: list[dict[str, str]] = Field(
        default_factory=list, description="Rules that were said and are not part of the model: name them."
    )
    model_id: str
    target: str
    solver: str = Field(description="cp-sat (OR-tools) or minizinc.")
    computed: str = Field(description="By a job, or within the call and why.")
    explanation: list[str] = Field(
        default_factory=list, description="Which statements of the interview cannot hold together."
    )
    gantt: dict[str, Any] = Field(
        default_factory=dict,
        description="Each resource with its work in order of time; empty when there is no schedule. As data to draw:"
        " the resource discovery://projects/{project_id}/gantt.",
    )


class Compared(Lean):
    """Two schedules side by side."""

    summary: str
    change: str
    not_kept: list[dict[str, str]] = Field(default_factory=list)
    before: Outcome
    after: Outcome
