"""What crosses the wire. Descriptions are what a model reads."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from packhorse_pai.domain.statuses import Status

AgentName = Annotated[str, Field(min_length=1, max_length=64)]
ToolName = Annotated[str, Field(min_length=1, max_length=128)]
MissionText = Annotated[str, Field(min_length=1, max_length=4000)]
Facts = Annotated[dict[str, Any] | None, Field(description="Dates, ids.")]
Constraints = Annotated[list[Annotated[str, Field(max_length=500)]] | None, Field(max_length=20)]
Task = Annotated[str | None, Field(max_length=128, description="Of list_agents.")]
Coordinator = Literal[
    "COORD_ENGINE", "COORD_PLATFORM", "COORD_QUALITY", "COORD_FRONTEND", "COORD_OPS", "COORD_RESILIENCE"
]


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PaiSettings(_Wire):
    """``[packs.pai]`` of a deployment."""

    cards: Path | None = None
    """A folder of identity cards over the shipped ones; one of the same name replaces ours."""
    governance: Path | None = None
    """A folder of matrix, spawn and registry files; what they contradict is denied."""
    playbooks: Path | None = None
    """A folder of playbooks over the shipped ones."""
    runtime: Literal["client", "sampling", "model"] = "client"
    """What drives an agent without a task: the client's model by a work order or by sampling, or a provider's."""
    missions: Literal["client", "person"] = "client"
    """Who writes missions: a client's model, whose words name nothing until a person confirms them, or people."""
    models: dict[str, str] = {}
    """Models of providers by the word on a card, such as ``sonnet = "anthropic:..."``; ``default`` for the others."""
    four_eyes: bool | Literal["auto"] = "auto"
    """Whether an approval needs somebody else than who started the run; "auto" where it is known who callers are."""
    fenced: bool = False
    """Whether what changes something can be called by agents alone."""


class Invocation(_Wire):
    """Which agent to start and what for; or which waiting run to go on with."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"agent_name": "QA_TESTER", "mission": "Run the tests of the schedule."},
                {
                    "agent_name": "COMPLIANCE_AUDITOR",
                    "mission": "Audit the current schedule.",
                    "task": "audit_schedule",
                },
                {"goal_id": "0198e9a4-5c1d-7b0e-9f3a-2d6c8b7a1e40"},
            ]
        },
    )

    agent_name: AgentName | None = Field(None, description="Of list_agents.")
    mission: MissionText | None = None
    context: Facts = None
    constraints: Constraints = None
    task: Task = None
    require_approval: bool = Field(False, description="Of each change.")
    background: bool = Field(False, examples=[False], description="As a job; needs a task.")
    goal_id: str | None = Field(None, max_length=64, examples=[None], description="Alone.")

    @model_validator(mode="after")
    def _one_of_two(self) -> "Invocation":
        started = self.agent_name is not None and self.mission is not None
        if started == (self.goal_id is not None) or (self.goal_id is not None and (self.agent_name or self.mission)):
            raise ValueError("give agent_name and mission to start an agent, or only goal_id to continue a run")
        return self


class InvocationResult(_Wire):
    """What became of an invocation."""

    agent_name: str
    goal_id: str
    status: Status
    result: dict[str, Any]
    tools_used: list[str]
    execution_log: list[str]
    escalations: list[dict[str, str]]
    audit_trail_path: str = Field(
        description="The record of this invocation on the server; empty if nothing was started."
    )


class Verdict(BaseModel):
    """The form a person fills in."""

    approve: bool = Field(description="Whether the agent may make exactly this call, once.")
