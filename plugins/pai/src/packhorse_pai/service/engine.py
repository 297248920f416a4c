"""Running agents: next move, through the host's door, outcome; until there is a result, or a person must decide."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from packhorse import Context, Host, UserError
from packhorse_pai.domain import playbooks
from packhorse_pai.domain.decision import Rule, decide_spawn
from packhorse_pai.domain.escalation import Event
from packhorse_pai.domain.moves import (
    AskModel,
    Escalate,
    Fail,
    Finish,
    Noted,
    Said,
    Spawn,
    UseTool,
)
from packhorse_pai.domain.policy import Policy
from packhorse_pai.service import acting, trail
from packhorse_pai.service.archive import Archive
from packhorse_pai.service.gate import Gate
from packhorse_pai.service.hand import Hand, Status, Waits, away
from packhorse_pai.service.library import Library
from packhorse_pai.service.minds import MODEL, PLAYBOOK, SAMPLING, ByModel, ByPlaybook, Mind
from packhorse_pai.service.provider import Provider
from packhorse_pai.service.runs import Order, Run
from packhorse_pai.service.tally import Tally
from packhorse_pai.store import Records


@frozen
class Result:
    """How an invocation ended, or why it waits."""

    agent: str
    run: str
    status: Status
    result: Mapping[str, Any]
    tools_used: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    escalations: tuple[Mapping[str, str], ...] = ()
    trail: str = ""


@frozen
class Asking:
    """The run waits for the client's model; ``state`` finds it again."""

    agent: str
    run: str
    step: int
    question: AskModel


@frozen
class Begun:
    """The run works behind its caller's back, once its job looks after it."""

    run: str


LOOK_SECONDS = 0.25
"""How often a run that has a job is told from, and asked whether it is to go on."""

PATIENCE_SECONDS = 3600
"""How long a run waits for its job to begin, behind others in the queue."""

_ROUNDS = "One call may ask a client only so often; invoke_agent with this goal_id goes on with the run."


class Engine:
    """Starts, drives, suspends and resumes runs."""

    def __init__(
        self,
        host: Host,
        library: Library,
        records: Records,
        gate: Gate,
        tally: Tally,
        models: Mapping[str, str] | None = None,
    ) -> None:
        self._host = host
        self._library = library
        self._records = records
        self._gate = gate
        self._tally = tally
        self._hand = Hand(host, records, gate, tally)
        self._archive = Archive(host, library, records)
        self._plays = ByPlaybook(library)
        self._minds: Mapping[str, Mind] = {
            PLAYBOOK: self._plays,
            SAMPLING: ByModel(),
            MODEL: ByModel(Provider(models or {})),
        }
        self._tasks: set[asyncio.Task[None]] = set()
        self._policies: dict[tuple[tuple[str, str], ...], Policy] = {}

    def policy(self, ctx: Context) -> Policy:
        """The policy with the tools that this caller may see; compiled once for each such list."""
        tools = acting.host_tools(acting.offered(ctx))
        key = tuple(sorted((tool.name, tool.digest) for tool in tools.values()))
        if key not in self._policies:
            self._policies[key] = self._library.compiled(tools).policy
        return self._policies[key]

    async def invoke(
        self, ctx: Context, order: Order, behind: Callable[[Result], str] | None = None
    ) -> Result | Asking | Begun:
        """Start an agent, for a person or for the agent that calls.

        With ``behind`` nobody waits for it: the run's job does, and finds the
        result as that function writes it.
        """
        parent = self._gate.find(acting.run_of(ctx.principal)) if ctx.principal.kind == "agent" else None
        if parent is not None and (row := await away(self._records.child, parent.id, len(parent.outcomes))):
            return await self._again(ctx, row, parent)
        policy = parent.policy if parent is not None else self.policy(ctx)
        decision = decide_spawn(
            policy, parent.chain if parent else (), order.agent, stopped=await away(self._records.stopped)
        )
        if order.agent not in policy.agents:
            return Result(order.agent, self._host.new_id(), "denied", {"error": decision.text})
        run = self._archive.new(ctx, order, parent, policy)
        await away(self._archive.begin, run)
        self._hand.say(run, f"{order.agent} invoked at depth {len(run.chain)}")
        if not decision.allowed:
            self._hand.say(run, f"denied: {', '.join(reason.rule for reason in decision.reasons)}")
            return await self._ended(run, "denied", {"error": decision.text})
        if behind is not None:
            task = asyncio.create_task(self._behind(ctx, run, behind))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return Begun(run.id)
        return await self._drive(ctx, run)

    async def _behind(self, ctx: Context, run: Run, written: Callable[[Result], str]) -> None:
        """Work once the job looks after the run, and end with all below when it is cancelled."""
        run.tell = None  # the caller has its answer; the job tells
        until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while (word := await away(self._records.beat, run.id)) is None:
            if asyncio.get_running_loop().time() > until:
                word = "cancel"
                break
            await asyncio.sleep(LOOK_SECONDS)
        if word == "cancel":
            await self._ended(run, "cancelled", {"error": "Cancelled before it began."})
            return
        work = asyncio.create_task(self._drive(ctx, run))
        try:
            while not (await asyncio.wait({work}, timeout=LOOK_SECONDS))[0]:
                if await away(self._records.beat, run.id) == "cancel":
                    work.cancel()
        except asyncio.CancelledError:  # the server ends
            work.cancel()
            await asyncio.wait({work})
            raise
        if work.cancelled():
            return
        found = work.result()
        if isinstance(found, Result):
            text = written(found)
            await away(lambda: self._records.save_run(run.id, result=text))

    async def resume(self, ctx: Context, identity: str) -> Result | Asking:
        """Go on with a run that waited. Only its starter can.

        Raises:
            UserError: no such run of this caller's, or it does not wait.
        """
        row = await away(self._records.run, identity)
        if row is None or row["parent"] is not None or row["owner"] != acting.owner_of(ctx.principal):
            raise UserError("You have not started a run with this `goal_id`.", code="UNKNOWN_GOAL")
        if row["status"] not in ("awaiting_approval", "suspended"):
            raise UserError(
                f"That run is {row['status']} and is not waiting. To start a new run, give agent_name and mission.",
                code="NOT_WAITING",
            )
        return await self._again(ctx, row, None)

    async def answer(
        self, ctx: Context, identity: str, step: int, said: Said, *, may_ask: bool = True
    ) -> Result | Asking:
        """Go on with the model's answer to what it was asked after ``step`` outcomes.

        Where the client may not be asked again in this call, the run waits at its next question.

        Raises:
            UserError: the run is not this caller's, or has had this answer.
        """
        row = await away(self._records.run, identity)
        if row is None or row["owner"] != acting.owner_of(ctx.principal):
            raise UserError("The value of `state` belongs to no run that you started.", code="UNKNOWN_GOAL")
        taken = await away(self._records.claim_run, identity)
        run = self._archive.restored(ctx, row, None, self.policy)
        if not taken or len(run.outcomes) != step:
            if taken:  # an older answer, while a newer one is waited for
                await away(lambda: self._records.save_run(identity, status="suspended"))
            raise UserError("That answer was given before. Start the agent again.", code="ANSWERED")
        await self._hand.keep(run, said)
        return await self._drive(ctx, run, may_ask=may_ask)

    async def _again(self, ctx: Context, row: Mapping[str, Any], parent: Run | None) -> Result | Asking:
        if not await away(self._records.claim_run, row["id"]):
            raise UserError("That run is already running.", code="NOT_WAITING")
        run = self._archive.restored(ctx, row, parent, self.policy)
        self._hand.say(run, "continued")
        return await self._drive(ctx, run)

    # --- one run ---

    async def _drive(self, ctx: Context, run: Run, *, may_ask: bool = True) -> Result | Asking:
        self._gate.enter(run)
        status: Status = "failed"
        result: dict[str, Any] = {}
        try:
            found = await self._steps(ctx, run, may_ask=may_ask)
            if isinstance(found, AskModel):
                await away(self._archive.save, run, "suspended")
                return Asking(run.agent, run.id, len(run.outcomes), found)
            status, result = found
        except Waits as waits:
            status, result = waits.status, dict(waits.result)
        except asyncio.CancelledError:
            status = "cancelled"
            self._hand.say(run, "cancelled by its caller")
            self._tally.run(run.agent, status)
            self._archive.save(run, status)
            trail.export(self._folder, run, status, self._host.clock())
            raise
        finally:
            self._gate.leave(run)
        return await self._ended(run, status, result)

    async def _ended(self, run: Run, status: Status, result: Mapping[str, Any]) -> Result:
        if status == "completed" and run.escalations:
            status = "escalated"
        self._hand.say(run, f"ended: {status}")
        self._tally.run(run.agent, status)
        waits = status == "budget_exhausted" and "resume" in result
        await away(self._archive.save, run, "suspended" if waits else status)
        path = await away(trail.export, self._folder, run, status, self._host.clock())
        return Result(
            run.agent,
            run.id,
            status,
            result,
            tuple(run.tools_used),
            tuple(run.log),
            tuple(run.escalations),
            str(path),
        )

    @property
    def _folder(self) -> Path:
        return self._host.data_dir / "trail"

    async def _steps(self, ctx: Context, run: Run, *, may_ask: bool) -> tuple[Status, dict[str, Any]] | AskModel:
        if (refusal := await self._prepared(run)) is not None:
            return refusal
        mind = self._minds[run.mind]
        while True:
            move = mind.next(run)
            match move:
                case Finish(result=result):
                    return "completed", dict(result)
                case Fail(code=code, message=message):
                    return _status_of(code), {"error": message, "code": code}
                case AskModel():
                    if run.mind == SAMPLING and not may_ask:
                        raise Waits("budget_exhausted", {"error": _ROUNDS, "resume": run.root})
                    if (exhausted := self._gate.take(run, "turns", 1)) or (
                        exhausted := self._gate.take(run, "tokens", move.most_tokens)
                    ):
                        return "budget_exhausted", {"error": exhausted}
                    said = await self._replied(run, mind, move)
                    if said is None:
                        return move
                    await self._hand.keep(run, said)
                case Escalate(event=event, reason=reason):
                    await self._hand.escalate(run, Event(event, reason))
                    await self._hand.keep(run, Noted())
                case UseTool():
                    await self._hand.keep(run, await self._hand.use(ctx, run, move))
                case Spawn():
                    await self._hand.keep(run, await self._hand.start(ctx, run, move))

    async def _replied(self, run: Run, mind: Mind, ask: AskModel) -> Said | None:
        """The model's turn, within the run's own time.

        Raises:
            Waits: it could not be reached, or not in time, and the run ends.
        """
        try:
            async with asyncio.timeout(max(1.0, run.ledger.seconds_left(self._host.clock()))):
                return await mind.reply(run, ask)
        except UserError as exc:
            raise Waits("failed", {"error": exc.message, "code": exc.code}) from exc
        except TimeoutError as exc:
            raise Waits(
                "budget_exhausted", {"error": "The model did not answer within the time limit of this run."}
            ) from exc

    async def _prepared(self, run: Run) -> tuple[Status, dict[str, Any]] | None:
        """What keeps a run from beginning: no playbook for the mission, or tools that this host lacks."""
        if run.mind != PLAYBOOK or run.outcomes:
            return None
        book = self._plays.book(run)
        if book is None:
            verbs = self._plays.verbs(run)
            await self._hand.escalate(run, Event("no_playbook", "no playbook fits this mission"))
            known = f"begin with one of: {', '.join(verbs)}" if verbs else "it has no playbook on this host"
            return "escalated", {"error": f"{run.agent} has no playbook for this mission; {known}.", "missions": verbs}
        missing = sorted(book.tools - run.policy.tools.keys())
        if missing:
            self._hand.say(run, f"tools missing on this host: {', '.join(missing)}")
            words = f"This host does not offer tools that {run.agent} needs: {', '.join(missing)}."
            return "failed", {"error": words, "missing_tools": missing}
        if unused := playbooks.unconsumed(book, run.mission):
            kept = "is" if len(unused) == 1 else "are"
            words = f"{len(unused)} of the constraints {kept} kept by no step of {book.name}"
            await self._hand.escalate(run, Event("unconsumed_constraint", words))
        unread = sorted(run.mission.context.keys() - book.reads - {"playbook"})
        if unread:
            keys = "1 key of the context is" if len(unread) == 1 else f"{len(unread)} keys of the context are"
            self._hand.say(run, f"{keys} read by no step")
        return None


def _status_of(code: str) -> Status:
    if code in (Rule.NO_EDGE, Rule.CYCLE, Rule.TOO_DEEP):
        return "spawn_violation"
    if code == Rule.BUDGET:
        return "budget_exhausted"
    return "denied" if code in set(Rule) else "failed"
