"""The tools."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from packhorse import Context, InputRequired, Reply, UserError
from packhorse.jobs import Work
from packhorse_pai.models import (
    AgentName,
    Constraints,
    Coordinator,
    Facts,
    Invocation,
    InvocationResult,
    MissionText,
    Task,
    ToolName,
)
from packhorse_pai.service import OnAgents

if TYPE_CHECKING:
    from packhorse_pai.tools.runs import Runs


class AgentTools(OnAgents):
    """What is published of the tools: names, arguments, answers. `runs` carries the calls out."""

    @property
    def runs(self) -> "Runs":
        """What begins runs and goes on with them."""
        from packhorse_pai.tools.runs import Runs

        return Runs(self.service)

    async def invoke_scheduler_agent(
        self,
        ctx: Context,
        mission: MissionText,
        context: Facts = None,
        constraints: Constraints = None,
        require_approval: bool = False,
        task: Task = None,
    ) -> Reply[InvocationResult] | InputRequired:
        """Let the SCHEDULER agent make or validate a schedule under duty-hour rules; answers a work order."""
        return await self.runs.begin(ctx, "SCHEDULER", mission, context, constraints, task, supervised=require_approval)

    async def invoke_swap_manager_agent(
        self,
        ctx: Context,
        mission: MissionText,
        context: Facts = None,
        constraints: Constraints = None,
        require_approval: bool = True,
        task: Task = None,
    ) -> Reply[InvocationResult] | InputRequired:
        """Let the SWAP_MANAGER agent find who could take a duty, or carry out an agreed swap; answers a work order."""
        return await self.runs.begin(
            ctx, "SWAP_MANAGER", mission, context, constraints, task, supervised=require_approval
        )

    async def invoke_compliance_auditor_agent(
        self,
        ctx: Context,
        mission: MissionText,
        context: Facts = None,
        audit_scope: Literal["full", "acgme_only", "institutional_only"] = "full",
        task: Task = None,
    ) -> Reply[InvocationResult] | InputRequired:
        """Let the COMPLIANCE_AUDITOR agent audit a schedule within a scope of rules; it changes nothing."""
        from packhorse_pai.domain.compliance import rules_outside

        facts = {**(context or {}), "audit_scope": audit_scope}
        if (outside := rules_outside(facts.get("check_rules"), audit_scope)) is not None:
            raise UserError(
                f"These rules in check_rules are not in the scope {audit_scope}: {', '.join(outside)}. Name a rule"
                " of it,"
                " or use the scope full.",
                code="OUTSIDE_SCOPE",
            )
        return await self.runs.begin(ctx, "COMPLIANCE_AUDITOR", mission, facts, None, task, reading=True)

    async def invoke_coordinator_agent(
        self,
        ctx: Context,
        coordinator_name: Coordinator,
        mission: MissionText,
        context: Facts = None,
        spawn_specialists: bool = True,
        task: Task = None,
    ) -> Reply[InvocationResult] | InputRequired:
        """Let a coordinator agent do a mission with its specialists; answers a work order."""
        return await self.runs.begin(ctx, coordinator_name, mission, context, None, task, spawning=spawn_specialists)

    async def invoke_agent(
        self, ctx: Context, invocation: Invocation
    ) -> Reply[InvocationResult] | InputRequired | Work:
        """Start any agent of list_agents, or go on with a run of yours (goal_id alone)."""
        return await self.runs.invoke(ctx, invocation)

    async def act_as_agent(
        self,
        ctx: Context,
        run_id: Annotated[str, Field(description="Of the work order.")],
        tool: Annotated[
            str, Field(description="Of the work order; or `describe`, `spawn_agent`, `escalate`, `finish`.")
        ],
        arguments: dict[str, Any],
        why: str | None = None,
    ) -> Reply[dict[str, Any]] | InputRequired:
        """Make one move of a run that you play; answers `done`, `refused`, `denied` or `waiting`.

        A call that is `waiting` has a `preview` for the person who decides. Make it again, unchanged, afterwards.
        """
        return await self.runs.act(ctx, run_id, tool, arguments, why)

    async def list_agents(self, ctx: Context, detail: Literal["brief", "full"] = "brief") -> dict[str, Any]:
        """List the agents that can work here: role, tools, tasks, and what this host lacks for them."""
        from packhorse_pai import convert

        compiled, library = self.service.compiled(ctx), self.service.library
        stopped = self.service.records.stopped()
        full = detail == "full"
        return convert.agent_list(compiled, library.readings, library.playbooks, stopped=stopped, full=full)

    async def explain_access(self, ctx: Context, agent_name: AgentName, tool_name: ToolName) -> dict[str, Any]:
        """Say whether an agent may use a tool here, with every reason; it runs nothing."""
        from packhorse_pai import convert
        from packhorse_pai.service import acting

        policy = self.service.compiled(ctx).policy
        decision = self.service.explain(policy, agent_name, tool_name)
        found = convert.explanation(policy, agent_name, tool_name, decision)
        if tool_name not in policy.tools and await acting.is_withheld(ctx, tool_name):
            words = f"This host offers {tool_name}, and you may not use it."
            found["reasons"] = [words if "offers no tool" in reason else reason for reason in found["reasons"]]
        beside = sum(not tool.read_only for name, tool in policy.tools.items() if name not in self.service.own_tools)
        return {**found, "unfenced_tools": 0 if self.service.fenced else beside}
