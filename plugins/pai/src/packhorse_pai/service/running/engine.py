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
from packhorse_pai.domain.statuses import Status
from packhorse_pai.service import acting
from packhorse_pai.service.judging.checker import Checker
from packhorse_pai.service.library import Library
from packhorse_pai.service.running.drivers import Driver, ModelDriver, PlaybookDriver
from packhorse_pai.service.running.orders import work_order
from packhorse_pai.service.running.provider import Provider
from packhorse_pai.service.running.runs import CLIENT, MODEL, PLAYBOOK, SAMPLING, Archive, Order, Run
from packhorse_pai.service.running.steps import CallPerson, Steps, Waits, away
from packhorse_pai.service.trail import files as trail
from packhorse_pai.service.trail.attempts import Attempt
from packhorse_pai.service.trail.counters import Counters
from packhorse_pai.store.records import Records


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
"""How often a run that has a job reports, and looks whether it was cancelled."""

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
        checker: Checker,
        counters: Counters,
        call_person: CallPerson,
        models: Mapping[str, str] | None = None,
    ) -> None:
        self._host = host
        self._library = library
        self._records = records
        self._checker = checker
        self._counters = counters
        self.steps = Steps(host, records, checker, counters, call_person)
        self.archive = Archive(host, library, records)
        self._drivers: Mapping[str, Driver] = {
            PLAYBOOK: PlaybookDriver(library),
            SAMPLING: ModelDriver(),
            MODEL: ModelDriver(Provider(models or {})),
        }
        self._tasks: set[asyncio.Task[None]] = set()
        self._policies: dict[tuple[tuple[str, str], ...], Policy] = {}

    def policy(self, ctx: Context) -> Policy:
        """The policy with the tools that this caller may see; compiled once for each such list."""
        tools = acting.host_tools(ctx.offered())
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
        parent = self._checker.find(ctx.principal.run) if ctx.principal.kind == "agent" else None
        if parent is not None and (row := await away(self._records.child, parent.id, len(parent.outcomes))):
            return await self._again(ctx, row, parent)
        policy = parent.policy if parent is not None else self.policy(ctx)
        decision = decide_spawn(
            policy, parent.chain if parent else (), order.agent, stopped=await away(self._records.stopped)
        )
        line = Attempt(parent.id if parent else "", parent.agent if parent else "", "start", order.agent)
        line.caller = acting.owner_of(ctx.principal)
        if order.agent not in policy.agents:
            line.verdict, line.rule = "denied", decision.reasons[0].rule
            line.write(self._host, self._records)
            return Result(order.agent, self._host.new_id(), "denied", {"error": decision.text})
        run = self.archive.new(ctx, order, parent, policy)
        line.run = run.id
        line.verdict, line.rule = ("done" if decision.allowed else "denied"), decision.reasons[0].rule
        await away(self.archive.begin, run)
        line.write(self._host, self._records)
        self.steps.say(run, f"{order.agent} invoked at depth {len(run.chain)}")
        if not decision.allowed:
            self.steps.say(run, f"denied: {', '.join(reason.rule for reason in decision.reasons)}")
            return await self.ended(run, "denied", {"error": decision.text})
        if run.driver == CLIENT:
            return await self.opened(run)
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
            await self.ended(run, "cancelled", {"error": "Cancelled before it began."})
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
            UserError: no such run of this caller's, it does not wait, or all agents are stopped.
        """
        row = await away(self._records.run, identity)
        if row is None or row["parent"] is not None or row["owner"] != acting.owner_of(ctx.principal):
            raise UserError(
                "None of your runs has this `goal_id`. Copy it from the answer that you got when the run began.",
                code="UNKNOWN_GOAL",
            )
        if await away(self._records.stopped):
            raise UserError("All agents are stopped. The run continues after 'packhorse pai start'.", code="STOPPED")
        if row["mind"] == CLIENT and row["status"] in ("open", "awaiting_approval"):
            return await self.opened(self.archive.restored(ctx, row, None, self.policy), save=False)
        if row["status"] not in ("awaiting_approval", "suspended"):
            raise UserError(
                f"This run is {row['status']}, not waiting. To start a new run, give agent_name and mission.",
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
            raise UserError("None of your runs has this state.", code="UNKNOWN_GOAL")
        taken = await away(self._records.claim_run, identity, self._host.clock())
        run = self.archive.restored(ctx, row, None, self.policy)
        if not taken or len(run.outcomes) != step:
            if taken:  # an older answer, while a newer one is waited for
                await away(lambda: self._records.save_run(identity, status="suspended"))
            raise UserError("This question was already answered. Start the agent again.", code="ANSWERED")
        await self.steps.keep(run, said)
        return await self._drive(ctx, run, may_ask=may_ask)

    async def _again(self, ctx: Context, row: Mapping[str, Any], parent: Run | None) -> Result | Asking:
        if not await away(self._records.claim_run, row["id"], self._host.clock()):
            raise UserError("This run is already at work.", code="NOT_WAITING")
        run = self.archive.restored(ctx, row, parent, self.policy)
        self.steps.say(run, "taken up again")
        return await self._drive(ctx, run)

    async def opened(self, run: Run, *, save: bool = True) -> Result:
        """The work order of a run that its caller's model plays."""
        if save:
            await away(self.archive.save, run, "open")
        path = await away(trail.export, self._folder, run, "open", self._host.clock())
        return Result(run.agent, run.id, "open", work_order(run), log=tuple(run.log), trail=str(path))

    # --- one run ---

    async def _drive(self, ctx: Context, run: Run, *, may_ask: bool = True) -> Result | Asking:
        self._checker.enter(run)
        status: Status = "failed"
        result: dict[str, Any] = {}
        try:
            found = await self._played(ctx, run, may_ask=may_ask)
            if isinstance(found, AskModel):
                await away(self.archive.save, run, "suspended")
                return Asking(run.agent, run.id, len(run.outcomes), found)
            status, result = found
        except Waits as waits:
            status, result = waits.status, dict(waits.result)
        except asyncio.CancelledError:
            status = "cancelled"
            self.steps.say(run, "cancelled by its caller")
            self._counters.run(run.agent, status)
            self.archive.save(run, status)
            trail.export(self._folder, run, status, self._host.clock())
            raise
        finally:
            self._checker.leave(run)
        return await self.ended(run, status, result)

    async def ended(self, run: Run, status: Status, result: Mapping[str, Any]) -> Result:
        """A run that has ended so, on record."""
        if status == "completed" and run.escalations:
            started = [row["status"] for row in await away(self._records.children, run.id)]
            none_did = bool(started) and not any(one in ("completed", "escalated") for one in started)
            status = "failed" if none_did and not run.tools_used else "escalated"
        self.steps.say(run, f"ended: {status}")
        self._counters.run(run.agent, status)
        waits = status == "budget_exhausted" and "resume" in result
        await away(self.archive.save, run, "suspended" if waits else status)
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

    async def _played(self, ctx: Context, run: Run, *, may_ask: bool) -> tuple[Status, dict[str, Any]] | AskModel:
        if (refusal := await self._prepared(ctx, run)) is not None:
            return refusal
        driver = self._drivers[run.driver]
        while True:
            move = driver.next(run)
            match move:
                case Finish(result=result):
                    return "completed", dict(result)
                case Fail(code=code, message=message):
                    return _status_of(code), {"error": message, "code": code}
                case AskModel():
                    if run.driver == SAMPLING and not may_ask:
                        raise Waits("budget_exhausted", {"error": _ROUNDS, "resume": run.root})
                    if (exhausted := self._checker.take(run, "turns", 1)) or (
                        exhausted := self._checker.take(run, "tokens", move.most_tokens)
                    ):
                        return "budget_exhausted", {"error": exhausted}
                    said = await self._replied(run, driver, move)
                    if said is None:
                        return move
                    await self.steps.keep(run, said)
                case Escalate(event=event, reason=reason):
                    await self.steps.escalate(run, Event(event, reason))
                    await self.steps.keep(run, Noted())
                case UseTool() | Spawn():
                    await self.steps.keep(run, await self.steps.attempt(ctx, run, move))

    async def _replied(self, run: Run, driver: Driver, ask: AskModel) -> Said | None:
        """The model's turn, within the run's own time.

        Raises:
            Waits: it could not be reached, or not in time, and the run ends.
        """
        try:
            async with asyncio.timeout(max(1.0, run.ledger.seconds_left(self._host.clock()))):
                return await driver.reply(run, ask)
        except UserError as exc:
            raise Waits("failed", {"error": exc.message, "code": exc.code}) from exc
        except TimeoutError as exc:
            raise Waits(
                "budget_exhausted", {"error": "The model did not answer within the time limit of this run."}
            ) from exc

    async def _prepared(self, ctx: Context, run: Run) -> tuple[Status, dict[str, Any]] | None:
        """What keeps a playbook from beginning: tools that this host lacks, or words that no step reads."""
        if run.driver != PLAYBOOK or run.outcomes:
            return None
        book = self._library.playbook(run.agent, run.task)
        if book is None or playbooks.checked(book, run.policy):
            tasks = self._library.tasks(run.agent, run.policy)
            known = f"Its tasks: {', '.join(tasks)}" if tasks else "It has no tasks on this server"
            return "failed", {"error": f"{run.agent} has no task {run.task!r}. {known}.", "code": "UNKNOWN_TASK"}
        missing = sorted(book.tools - run.policy.tools.keys())
        if missing:
            withheld = [tool for tool in missing if await acting.is_withheld(ctx, tool)]
            self.steps.say(run, f"tools missing: {', '.join(missing)}")
            words = f"This host does not offer what {run.agent} needs: {', '.join(missing)}."
            if withheld:
                words = f"You may not use what {run.agent} needs for this: {', '.join(withheld)}. Ask a coordinator."
                return "denied", {"error": words, "withheld_tools": withheld}
            return "failed", {"error": words, "missing_tools": missing}
        if left := playbooks.unread(book, run.mission):
            words = f"No step of {book.name} reads {', '.join(left)}. Leave it out, or give the mission without a task."
            return "failed", {"error": words, "code": "NOT_READ", "not_read": list(left)}
        return None


def _status_of(code: str) -> Status:
    if code in (Rule.NO_EDGE, Rule.CYCLE, Rule.TOO_DEEP):
        return "spawn_violation"
    if code == Rule.BUDGET:
        return "budget_exhausted"
    return "denied" if code in set(Rule) else "failed"
