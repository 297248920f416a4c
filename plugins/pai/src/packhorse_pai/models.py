"""What crosses the wire. Descriptions are what a model reads."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

AgentName = Annotated[
    str, Field(pattern="^[0-9A-Z][0-9A-Z_]{0,63}$", description="The agent's name, such as SCHEDULER.")
]
ToolName = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,127}$", description="A tool's name.")]
MissionText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4000,
        description="What to accomplish. Its first word chooses the agent's playbook; list_agents says which it has.",
    ),
]
Facts = Annotated[
    dict[str, Any] | None,
    Field(description="Data of the mission: dates, ids, preferences. They give no rights and prove no precondition."),
]
Constraints = Annotated[
    list[Annotated[str, Field(max_length=500)]] | None,
    Field(max_length=20, description="Further constraints. The answer reports constraints that no step can keep."),
]
Coordinator = Literal[
    "COORD_ENGINE", "COORD_PLATFORM", "COORD_QUALITY", "COORD_FRONTEND", "COORD_OPS", "COORD_RESILIENCE"
]
Status = Literal[
    "completed",
    "escalated",
    "failed",
    "denied",
    "spawn_violation",
    "awaiting_approval",
    "cancelled",
    "budget_exhausted",
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
    runtime: Literal["playbook", "sampling", "model"] = "playbook"
    """What drives an agent that a person invokes: a playbook, the client's own model, or a provider's."""
    models: dict[str, str] = {}
    """Models of providers by the word on a card, such as ``sonnet = "anthropic:..."``; ``default`` for the others."""
    four_eyes: bool = False
    """Whether the person who approves must be another than the starter of the run."""


class Invocation(_Wire):
    """Which agent to start and what for; or which waiting run to go on with."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"agent_name": "QA_TESTER", "mission": "Run the tests of the schedule."},
                {"agent_name": "COMPLIANCE_AUDITOR", "mission": "Audit the current schedule."},
                {"goal_id": "0198e9a4-5c1d-7b0e-9f3a-2d6c8b7a1e40"},
            ]
        },
    )

    agent_name: AgentName | None = None
    mission: MissionText | None = None
    context: Facts = None
    constraints: Constraints = None
    require_approval: bool = Field(False, description="Ask a person before each call that may change something.")
    background: bool = Field(
        False,
        description="Start the agent as a job and answer at once with the job's id, for job_status and job_cancel.",
    )
    goal_id: str | None = Field(
        None, max_length=64, description="A run of yours that is waiting; with it, give no other argument."
    )

    @model_validator(mode="after")
    def _one_of_two(self) -> "Invocation":
        started = self.agent_name is not None and self.mission is not None
        if started == (self.goal_id is not None) or (self.goal_id is not None and (self.agent_name or self.mission)):
            raise ValueError("give agent_name and mission to start an agent, or only goal_id to continue a run")
        return self


class InvocationResult(_Wire):
    """What became of an invocation."""

    agent_name: str
    goal_id: str = Field(description="The run's id. If the run is waiting, give it to invoke_agent later.")
    status: Status
    result: dict[str, Any]
    tools_used: list[str]
    execution_log: list[str]
    escalations: list[dict[str, str]]
    audit_trail_path: str = Field(
        description="The record of this invocation on the server; empty if nothing was started."
    )


class PlaybookSummary(_Wire):
    """A playbook and the first words of missions that it takes."""

    name: str
    missions: list[str]


class AgentSummary(_Wire):
    """An agent, what it may do here, and what this host lacks for it."""

    name: str
    role: str
    tier: str
    invocable: bool
    tools: list[str]
    missing_tools: list[str]
    may_spawn: list[str]
    escalates_to: str
    playbooks: list[PlaybookSummary]
    limits: dict[str, int]


class AgentList(_Wire):
    """The agents of this host: those that can be started in short, all of them in full."""

    summary: str
    agents: list[AgentSummary | dict[str, Any]]
    stopped: bool = Field(description="Whether the kill switch is on: then no agent may do anything.")
    policy_digest: str
    conflicts: int = Field(
        description="Contradictions in cards and governance; each denies the right that it concerns."
    )


class Explanation(_Wire):
    """Whether an agent may use a tool, and why."""

    agent_name: str
    tool_name: str
    effect: Literal["allow", "needs_approval", "deny"]
    reasons: list[str]
    needs_first: list[str] = Field(description="Facts that the run must know before the call.")
    granted_to: list[str] = Field(description="Agents that may use the tool.")
    policy_digest: str


class PendingApproval(_Wire):
    """A call that waits for a person, with exactly what it would do."""

    approval_id: str
    agent: str
    chain: list[str]
    tool: str
    arguments: dict[str, Any]
    goal_id: str
    requested_at: str
    expires_at: str


class PendingApprovals(_Wire):
    """The calls that wait."""

    approvals: list[PendingApproval]


class Decided(_Wire):
    """What was decided, and how the run goes on."""

    approval_id: str
    state: Literal["approved", "denied"]
    tool: str
    agent: str
    next_step: str


class Verdict(BaseModel):
    """The form a person fills in."""

    approve: bool = Field(description="Whether the agent may make exactly this call, once.")
