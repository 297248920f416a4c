"""What the tools do with runs: begin them, go on with them, and ask for what they wait for."""

from typing import Any

from attrs import evolve, frozen

from packhorse import Accepted, Context, Elicit, InputRequired, Reply, Sample, Sampled, UserError
from packhorse.jobs import Work
from packhorse_pai import convert
from packhorse_pai.domain.playbooks import Mission
from packhorse_pai.jobs import has_jobs
from packhorse_pai.models import Invocation, InvocationResult, Verdict
from packhorse_pai.service import acting
from packhorse_pai.service.agents import AgentService
from packhorse_pai.service.running.engine import Asking, Begun, Result
from packhorse_pai.service.running.runs import CLIENT, PLAYBOOK, SAMPLING, Order
from packhorse_pai.store.approvals import Approval

_APPROVAL = "approval:"

MOST_ROUNDS = 9
"""Questions to a client in one call: the protocol's clients give up after ten."""

_NO_MODEL = (
    "Agents are driven by the client's model here, and this client cannot be asked for one. Use a client that can"
    ' sample, or set runtime = "client" under [packs.pai].'
)


@frozen
class Runs:
    """Convert in, ask the service, convert out."""

    service: AgentService

    async def begin(
        self,
        ctx: Context,
        agent: str,
        mission: str,
        context: dict[str, Any] | None,
        constraints: list[str] | None,
        task: str | None,
        **marks: bool,
    ) -> Reply[InvocationResult] | InputRequired:
        """Begin a run, or go on with the one that asked. ``marks`` are those of an `Order`."""
        return await self._run(ctx, _order(agent, mission, context, constraints, task, **marks))

    async def invoke(self, ctx: Context, invocation: Invocation) -> Reply[InvocationResult] | InputRequired | Work:
        """Begin a run of any agent, in the background where that is asked for, or go on with one."""
        if ctx.state is not None:
            return await self._answered(ctx, ctx.state)
        if invocation.goal_id is not None:
            return await self._shown(ctx, await self.service.engine.resume(ctx, invocation.goal_id))
        order = _order(
            invocation.agent_name or "",
            invocation.mission or "",
            invocation.context,
            invocation.constraints,
            invocation.task,
            supervised=invocation.require_approval,
        )
        if invocation.background and ctx.principal.kind != "agent" and has_jobs():
            order = self._driven(order)
            if order.driver in (SAMPLING, CLIENT):
                raise UserError(
                    "A run without a task uses this client's model, so it cannot work in the background. Give a task.",
                    code="NEEDS_SAMPLING",
                )
            begun = await self.service.engine.invoke(
                ctx, order, behind=lambda result: _invocation(result).model_dump_json()
            )
            if isinstance(begun, Begun):
                return Work("packhorse_pai.jobs:watch", {"run": begun.run}, key=begun.run)
            return await self._shown(ctx, begun)
        return await self._run(ctx, order)

    async def act(
        self, ctx: Context, run_id: str, tool: str, arguments: dict[str, Any], why: str | None
    ) -> Reply[dict[str, Any]] | InputRequired:
        """Make one move of a run that the client plays, and ask the person where it waits."""
        state, approving = ctx.state or "", self.service.approving
        verdict = ctx.answers.get("approval")
        if state.startswith(_APPROVAL) and isinstance(verdict, Accepted):
            self._take(ctx, state.removeprefix(_APPROVAL), verdict)
        answer = await self.service.acts.act(ctx, run_id, tool, arguments, why)
        if answer["status"] == "waiting" and not state and ctx.can_ask(Elicit):
            approval = self.service.records.approval(answer["approval"], self.service.now())
            if approval is not None and not approving.needs_two(approval.owner):
                return InputRequired({"approval": self._form(approval)}, state=f"{_APPROVAL}{approval.id}")
        return convert.acted(answer)

    def _driven(self, order: Order) -> Order:
        driver = PLAYBOOK if order.task is not None else self.service.runtime
        return evolve(order, driver=driver, by_person=self.service.by_person)

    async def _run(self, ctx: Context, order: Order) -> Reply[InvocationResult] | InputRequired:
        if ctx.state is not None:
            return await self._answered(ctx, ctx.state)
        if ctx.principal.kind == "agent":  # what drives those below is settled by who drives their parent
            order = evolve(order, driver=PLAYBOOK)
        else:
            order = self._driven(order)
            if order.driver == SAMPLING and not ctx.can_ask(Sample):
                return convert.answered(convert.not_begun(order.agent, "NEEDS_SAMPLING", _NO_MODEL))
        return await self._shown(ctx, await self.service.engine.invoke(ctx, order))

    def _form(self, approval: Approval) -> Elicit[Verdict]:
        mission, by_person = self.service.approving.mission(approval)
        return Elicit(convert.question(approval, mission, by_person=by_person), Verdict)

    def _take(self, ctx: Context, approval: str, verdict: Accepted[Any]) -> None:
        """A person's answer in a form. One that was closed decides nothing."""
        given = verdict.data
        approve = (given.get("approve") if isinstance(given, dict) else given.approve) is True
        self.service.approving.decide(approval, approve=approve, by=acting.owner_of(ctx.principal))

    async def _answered(self, ctx: Context, state: str) -> Reply[InvocationResult] | InputRequired:
        if state.startswith(_APPROVAL):
            approval, _, goal = state.removeprefix(_APPROVAL).partition(":")
            verdict = ctx.answers.get("approval")
            if isinstance(verdict, Accepted):
                self._take(ctx, approval, verdict)
            resumed = await self.service.engine.resume(ctx, goal)
            return await self._shown(ctx, resumed, may_ask=isinstance(verdict, Accepted))
        run, step, rounds, way = state.split(":")
        answer = ctx.answers.get("turn")
        if not isinstance(answer, Sampled):
            raise UserError("The client's model gave no answer, so the run still waits.", code="NEEDS_SAMPLING")
        asked = int(rounds) + 1
        said = acting.said_of(answer, native=way == "tools")
        outcome = await self.service.engine.answer(ctx, run, int(step), said, may_ask=asked < MOST_ROUNDS)
        return await self._shown(ctx, outcome, asked=asked)

    async def _shown(
        self, ctx: Context, outcome: Result | Asking | Begun, *, asked: int = 0, may_ask: bool = True
    ) -> Reply[InvocationResult] | InputRequired:
        if isinstance(outcome, Asking):
            sample = acting.sample_of(ctx, outcome.question)
            if sample is None:
                return convert.answered(convert.not_begun(outcome.agent, "NEEDS_SAMPLING", _NO_MODEL, run=outcome.run))
            way = "tools" if sample.tools else "words"
            return InputRequired({"turn": sample}, state=f"{outcome.run}:{outcome.step}:{asked}:{way}")
        if isinstance(outcome, Begun):
            raise TypeError("a run that nobody waits for has nothing to show")
        waiting = outcome.result.get("approvals") if outcome.status == "awaiting_approval" else None
        if waiting and may_ask and ctx.can_ask(Elicit):
            approval = self.service.records.approval(waiting[0]["approval_id"], self.service.now())
            if approval is not None and not self.service.approving.needs_two(approval.owner):
                state = f"{_APPROVAL}{approval.id}:{outcome.result['resume']}"
                return InputRequired({"approval": self._form(approval)}, state=state)
        return convert.answered(_invocation(outcome))


def _order(
    agent: str,
    mission: str,
    context: dict[str, Any] | None,
    constraints: list[str] | None,
    task: str | None,
    *,
    supervised: bool = False,
    reading: bool = False,
    spawning: bool = True,
) -> Order:
    asked = Mission(mission, context or {}, tuple(constraints or ()))
    return Order(agent, asked, supervised, reading, spawning, task=task)


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
