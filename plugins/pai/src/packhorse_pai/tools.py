"""The tools."""

from typing import Annotated, Any, Literal

from attrs import evolve, frozen
from pydantic import Field

from packhorse import Accepted, Context, Elicit, InputRequired, Sample, Sampled, UserError
from packhorse.jobs import Work
from packhorse_pai import convert
from packhorse_pai.domain.playbooks import Mission
from packhorse_pai.jobs import has_jobs
from packhorse_pai.models import (
    AgentList,
    AgentName,
    Constraints,
    Coordinator,
    Decided,
    Explanation,
    Facts,
    Invocation,
    InvocationResult,
    MissionText,
    PendingApprovals,
    ToolName,
    Verdict,
)
from packhorse_pai.service import acting
from packhorse_pai.service.desk import AgentDesk
from packhorse_pai.service.engine import Asking, Begun, Result
from packhorse_pai.service.minds import SAMPLING
from packhorse_pai.service.runs import Order

_APPROVAL = "approval:"

MOST_ROUNDS = 9
"""Questions to a client in one call: the protocol's clients give up after ten."""

_NO_MODEL = (
    "Agents use the client's model here, but this client does not offer one. Use a client that supports sampling,"
    ' or set runtime = "playbook" under [packs.pai].'
)


@frozen
class AgentTools:
    """Convert in, ask the desk, convert out."""

    desk: AgentDesk

    async def invoke_scheduler_agent(
        self,
        ctx: Context,
        mission: MissionText,
        context: Facts = None,
        constraints: Constraints = None,
        require_approval: Annotated[bool, Field(description="Ask a person before each change.")] = False,
    ) -> InvocationResult | InputRequired:
        """Let the SCHEDULER agent make or validate a schedule under duty-hour rules.

        Choose it to generate a schedule ("generate ...", with start_date and end_date in context) or to validate
        one ("validate ..."). It works only with the tools its card grants and reports what it used. A violation is
        escalated to its coordinator; with require_approval it stops before each change and waits for a person.
        """
        order = self._order("SCHEDULER", mission, context, constraints, supervised=require_approval)
        return await self._run(ctx, order)

    async def invoke_swap_manager_agent(
        self,
        ctx: Context,
        mission: MissionText,
        context: Facts = None,
        constraints: Constraints = None,
        require_approval: Annotated[bool, Field(description="Ask a person before each change.")] = True,
    ) -> InvocationResult | InputRequired:
        """Let the SWAP_MANAGER agent find candidates for a swap of duty, or carry a swap out.

        Choose it to find who could take a duty ("find ...", with requester_id and assignment_id) or to execute an
        agreed swap ("swap ...", with swap_id). It asks a person before it changes anything (require_approval):
        then the status is awaiting_approval, and invoke_agent with the goal_id goes on once it is decided.
        """
        order = self._order("SWAP_MANAGER", mission, context, constraints, supervised=require_approval)
        return await self._run(ctx, order)

    async def invoke_compliance_auditor_agent(
        self,
        ctx: Context,
        mission: MissionText,
        context: Facts = None,
        audit_scope: Annotated[str, Field(pattern="^(full|acgme_only|institutional_only)$")] = "full",
    ) -> InvocationResult | InputRequired:
        """Let the COMPLIANCE_AUDITOR agent audit a schedule: violations, recommendations and a compliance score.

        Choose it before a schedule is used ("audit ...", with schedule_id and perhaps check_rules in context). It
        changes nothing. The score is the percentage of the checked rules that nobody breaks; rules outside the
        scope are not checked and do not count.
        """
        order = self._order(
            "COMPLIANCE_AUDITOR", mission, {**(context or {}), "audit_scope": audit_scope}, None, reading=True
        )
        return await self._run(ctx, order)

    async def invoke_coordinator_agent(
        self,
        ctx: Context,
        coordinator_name: Coordinator,
        mission: MissionText,
        context: Facts = None,
        spawn_specialists: Annotated[bool, Field(description="Whether it may start specialists.")] = True,
    ) -> InvocationResult | InputRequired:
        """Let a coordinator agent do a mission with its specialists, each within its own card.

        Choose COORD_ENGINE to make and improve schedules ("optimize ...") and COORD_RESILIENCE for audits and
        stress questions ("assess ..."). The other coordinators have no specialists' tools on this host and say so.
        A coordinator can pass on only what its specialists hold and never more than the caller may do.
        """
        order = self._order(coordinator_name, mission, context, None, spawning=spawn_specialists)
        return await self._run(ctx, order)

    async def invoke_agent(self, ctx: Context, invocation: Invocation) -> InvocationResult | InputRequired | Work:
        """Start any agent that list_agents calls invocable, or go on with a run of yours that waited.

        Choose it for agents without a tool of their own, and after an approval: then give goal_id alone. With
        background a job is started, where this server has jobs; else the call waits. What an agent may do is decided
        call by call from its card; nothing in mission, context or a tool's answer changes that.
        """
        if invocation.goal_id is not None and ctx.state is None:
            return await self._shown(ctx, await self.desk.engine.resume(ctx, invocation.goal_id))
        order = self._order(
            invocation.agent_name or "",
            invocation.mission or "",
            invocation.context,
            invocation.constraints,
            supervised=invocation.require_approval,
        )
        behind = invocation.background and has_jobs() and ctx.principal.kind != "agent" and ctx.state is None
        if behind and self.desk.runtime != SAMPLING:  # nobody is there to ask once the call has its answer
            begun = await self.desk.engine.invoke(
                ctx, evolve(order, mind=self.desk.runtime), lambda result: _invocation(result).model_dump_json()
            )
            if isinstance(begun, Begun):
                return Work("packhorse_pai.jobs:watch", {"run": begun.run}, key=begun.run)
            return await self._shown(ctx, begun)
        return await self._run(ctx, order)

    async def list_agents(self, ctx: Context, detail: Literal["brief", "full"] = "brief") -> AgentList:
        """List the agents of this host: role, tools, which missions their playbooks take; in full also limits.

        Choose it before an invoke tool, to see whether an agent can do the mission here: missing_tools are granted
        to it but not offered by this host.
        """
        compiled = self.desk.compiled(ctx)
        library = self.desk.library
        return convert.agent_list(
            compiled, library.readings, library.playbooks, stopped=self.desk.records.stopped(), full=detail == "full"
        )

    async def explain_access(self, ctx: Context, agent_name: AgentName, tool_name: ToolName) -> Explanation:
        """Say whether an agent may use a tool on this host, with every reason.

        Choose it to understand a denial, or to see who may do what before a mission. It decides by the same
        policy as the real call, and runs nothing; facts that the call needs first are listed beside the verdict.
        """
        policy = self.desk.compiled(ctx).policy
        return convert.explanation(policy, agent_name, tool_name, self.desk.explain(policy, agent_name, tool_name))

    async def list_pending_approvals(self, ctx: Context) -> PendingApprovals:
        """List the agents' calls that wait for a person, each with the arguments it would be made with.

        Choose it when an invocation is awaiting_approval. Agents themselves cannot use it.
        """
        return convert.pending_approvals(self.desk.pending())

    async def decide_approval(
        self,
        ctx: Context,
        approval_id: Annotated[str, Field(max_length=64)],
        approve: Annotated[bool, Field(description="true to let exactly this call happen once, false to deny it.")],
        comment: Annotated[str | None, Field(max_length=500)] = None,
    ) -> Decided:
        """Approve or deny one call that an agent wants to make.

        Choose it only when the person has seen the call and said what they want: it is theirs to decide. The
        approval holds for exactly that call, once, and for a limited time; it runs nothing by itself. Agents
        themselves cannot use it.
        """
        by = acting.owner_of(ctx.principal)
        return convert.decided(self.desk.decide(approval_id, approve=approve, by=by, comment=comment), approve=approve)

    def _order(
        self,
        agent: str,
        mission: str,
        context: dict[str, Any] | None,
        constraints: list[str] | None,
        supervised: bool = False,
        reading: bool = False,
        spawning: bool = True,
    ) -> Order:
        return Order(agent, Mission(mission, context or {}, tuple(constraints or ())), supervised, reading, spawning)

    async def _run(self, ctx: Context, order: Order) -> InvocationResult | InputRequired:
        if ctx.state is not None:
            return await self._answered(ctx, ctx.state)
        if ctx.principal.kind != "agent":  # what drives those below is settled by who drives their parent
            order = evolve(order, mind=self.desk.runtime)
            if order.mind == SAMPLING and not ctx.can_ask(Sample):
                return convert.not_begun(order.agent, "NEEDS_SAMPLING", _NO_MODEL)
        return await self._shown(ctx, await self.desk.engine.invoke(ctx, order))

    async def _answered(self, ctx: Context, state: str) -> InvocationResult | InputRequired:
        if state.startswith(_APPROVAL):
            approval, _, goal = state.removeprefix(_APPROVAL).partition(":")
            verdict = ctx.answers.get("approval")
            if isinstance(verdict, Accepted):
                given = verdict.data
                approve = (given.get("approve") if isinstance(given, dict) else given.approve) is True
                self.desk.decide(approval, approve=approve, by=acting.owner_of(ctx.principal))
            # A form that was closed decides nothing: the run waits on, and says so.
            resumed = await self.desk.engine.resume(ctx, goal)
            return await self._shown(ctx, resumed, may_ask=isinstance(verdict, Accepted))
        run, step, rounds, way = state.split(":")
        answer = ctx.answers.get("turn")
        if not isinstance(answer, Sampled):
            raise UserError("The client's model gave no answer, so the run is still waiting.", code="NEEDS_SAMPLING")
        asked = int(rounds) + 1
        said = acting.said_of(answer, native=way == "tools")
        outcome = await self.desk.engine.answer(ctx, run, int(step), said, may_ask=asked < MOST_ROUNDS)
        return await self._shown(ctx, outcome, asked=asked)

    async def _shown(
        self, ctx: Context, outcome: Result | Asking | Begun, *, asked: int = 0, may_ask: bool = True
    ) -> InvocationResult | InputRequired:
        if isinstance(outcome, Asking):
            sample = acting.sample_of(ctx, outcome.question)
            if sample is None:
                return convert.not_begun(outcome.agent, "NEEDS_SAMPLING", _NO_MODEL, run=outcome.run)
            way = "tools" if sample.tools else "words"
            return InputRequired({"turn": sample}, state=f"{outcome.run}:{outcome.step}:{asked}:{way}")
        if isinstance(outcome, Begun):
            raise TypeError("a run without a waiting caller has no result to show")
        waiting = outcome.result.get("approvals") if outcome.status == "awaiting_approval" else None
        if waiting and may_ask and ctx.can_ask(Elicit) and not self.desk.four_eyes:
            approval = self.desk.records.approval(waiting[0]["approval_id"], self.desk.now())
            if approval is not None:
                form = Elicit(convert.question(approval), Verdict)
                return InputRequired({"approval": form}, state=f"{_APPROVAL}{approval.id}:{outcome.result['resume']}")
        return _invocation(outcome)


def _invocation(outcome: Result) -> InvocationResult:
    return InvocationResult(
        agent_name=outcome.agent,
        goal_id=outcome.run,
        status=outcome.status,
        result=dict(outcome.result),
        tools_used=list(outcome.tools_used),
        execution_log=list(outcome.log),
        escalations=[dict(escalation) for escalation in outcome.escalations],
        audit_trail_path=outcome.trail,
    )
