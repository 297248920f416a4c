"""Acts: the client's own model plays an open run, one fenced move at a time."""

from collections.abc import Mapping
from typing import Any

from packhorse import Context, Host
from packhorse_pai.domain.conversation import move_of
from packhorse_pai.domain.escalation import Event
from packhorse_pai.domain.moves import (
    Denied,
    Done,
    Escalate,
    Finish,
    Move,
    Outcome,
    Refused,
    Spawn,
    UseTool,
    Wish,
)
from packhorse_pai.domain.statuses import Status
from packhorse_pai.service import acting
from packhorse_pai.service.judging.checker import Checker
from packhorse_pai.service.running.drivers import offers_of
from packhorse_pai.service.running.engine import Engine
from packhorse_pai.service.running.runs import CLIENT, Run
from packhorse_pai.service.running.steps import Waits, away
from packhorse_pai.service.trail import attempts
from packhorse_pai.service.trail.attempts import Attempt
from packhorse_pai.store.records import Records

DESCRIBE = "describe"
"""The move that shows a tool's whole schema."""


class Acts:
    """Makes single moves of open runs, by the same steps as every other driver's."""

    def __init__(self, host: Host, records: Records, checker: Checker, engine: Engine) -> None:
        self._host = host
        self._records = records
        self._checker = checker
        self._engine = engine

    async def act(self, ctx: Context, identity: Any, tool: Any, arguments: Any, why: Any) -> dict[str, Any]:
        """One move of an open run, made by its caller's model; what became of it.

        There is one way out, and it leaves a line of the record: also where
        there is no such run, or nothing of the call can be read.
        """
        line = Attempt(attempts.plain(identity), "", "act", attempts.plain(tool), arguments, "refused", "NO_RUN")
        written_by_step = False
        try:
            row = await away(self._records.run, identity) if isinstance(identity, str) else None
            if row is None or row["owner"] != acting.owner_of(ctx.principal) or row["mind"] != CLIENT:
                return _refusal("UNKNOWN_RUN", "You have no open run with this run_id.")
            line.agent, line.rule = row["agent"], "NOT_OPEN"
            if not await away(self._records.claim_run, identity, self._host.clock()):
                busy = row["status"] == "running"
                line.rule = "BUSY" if busy else "NOT_OPEN"
                words = "This run is busy with another call. Try again." if busy else f"This run is {row['status']}."
                return _refusal(line.rule, words)
            run = await away(self._restored, ctx, row)
            run.why = why[:300] if isinstance(why, str) else ""
            given = arguments if isinstance(arguments, Mapping) else None
            move = move_of(Wish("1", tool, given)) if isinstance(tool, str) and given is not None else None
            written_by_step = isinstance(move, UseTool | Spawn) and tool != DESCRIBE
            line.verdict, line.rule = "done", type(move).__name__.lower()
            return await self._moved(ctx, run, tool, given, move, line)
        finally:
            if not written_by_step:
                line.write(self._host, self._records)

    async def _moved(
        self, ctx: Context, run: Run, tool: Any, given: Mapping[str, Any] | None, move: Move | None, line: Attempt
    ) -> dict[str, Any]:
        """What became of a move of a run that was claimed; the run is given back whatever happened."""
        for one in run.line:
            self._checker.enter(one)
        status = "open"
        try:
            if run.ledger.seconds_left(self._host.clock()) <= 0:
                status = "budget_exhausted"
                line.verdict, line.rule = "denied", "budget"
                ended = await self._engine.ended(run, "budget_exhausted", {"error": "The time of this run is over."})
                return {"status": "expired", "result": ended.result}
            match move:
                case None:
                    self._checker.take(run, "calls", 1)
                    line.verdict, line.rule = "refused", "MALFORMED"
                    self._engine.steps.say(run, "refused: an act that could not be read")
                    return _refusal(
                        "MALFORMED", "Give `tool`, a name, and `arguments`, an object, as in the work order."
                    )
                case UseTool(tool="describe"):
                    name = given.get("tool") if given else None
                    offer = next((one for one in offers_of(run) if one.name == name), None)
                    line.tool = attempts.plain(name)
                    if offer is None:
                        self._checker.take(run, "calls", 1)
                        line.verdict, line.rule = "denied", "not_granted"
                        return _refusal(
                            "NOT_GRANTED",
                            "Give describe the argument `tool`, with the name of a tool of the work order.",
                        )
                    described = {"description": offer.description, "arguments": offer.input_schema}
                    return {"status": "done", "result": described, "left": self._left(run)}
                case Finish(result=result):
                    opened = [row for row in await away(self._records.children, run.id) if row["status"] == "open"]
                    if opened:
                        names = ", ".join(f"{row['agent']} ({row['id']})" for row in opened)
                        line.verdict, line.rule = "refused", "SPECIALISTS_OPEN"
                        return _refusal("SPECIALISTS_OPEN", f"First finish the runs of {names}.")
                    status = "ended"
                    ended = await self._engine.ended(run, await self._told_by_children(run), result)
                    return {
                        "agent_name": ended.agent,
                        "goal_id": ended.run,
                        "status": ended.status,
                        "result": dict(ended.result),
                        "tools_used": [*ended.tools_used],
                        "execution_log": [*ended.log],
                        "escalations": [dict(one) for one in ended.escalations],
                        "audit_trail_path": ended.trail,
                    }
                case Escalate(event=event, reason=reason):
                    await self._engine.steps.escalate(run, Event(event, reason))
                    return {"status": "done", "result": {"escalated_to": run.escalations[-1]["target"]}}
                case UseTool() | Spawn():
                    outcome = await self._engine.steps.attempt(_hands(ctx, run), run, move)
                    await self._engine.steps.keep(run, outcome)
                    return self._answered(run, outcome, move)
                case _:
                    raise TypeError(f"no act is a {type(move).__name__}")
        except Waits as waits:
            status = waits.status if waits.status == "awaiting_approval" else "open"
            return _waiting(waits)
        finally:
            for one in run.line:
                self._checker.leave(one)
            if status != "ended" and status != "budget_exhausted":
                self._engine.archive.save(run, status)
            self._engine.archive.save_above(run)

    def _restored(self, ctx: Context, row: Mapping[str, Any]) -> Run:
        """A run with those above it."""
        above = self._records.run(row["parent"]) if row["parent"] is not None else None
        parent = self._restored(ctx, above) if above is not None else None
        return self._engine.archive.restored(ctx, row, parent, self._engine.policy)

    def _left(self, run: Run) -> dict[str, int]:
        return {"calls": run.ledger.left("calls")}

    def _answered(self, run: Run, outcome: Outcome, move: Move) -> dict[str, Any]:
        match outcome:
            case Done(output=output) if isinstance(move, Spawn) and output.get("status") == "open":
                words = "Play it by act_as_agent with its own run_id until it is finished, then go on here."
                return {"status": "done", "result": output["result"], "next": words, "left": self._left(run)}
            case Done(output=output):
                return {"status": "done", "result": output, "left": self._left(run)}
            case Refused(code=code, message=message):
                return {**_refusal(code, message), "left": self._left(run)}
            case Denied(rule=rule, message=message):
                return {"status": "denied", "rule": str(rule), "reason": message, "left": self._left(run)}
            case _:
                return {"status": "done", "left": self._left(run)}

    async def _told_by_children(self, run: Run) -> Status:
        """A run is as complete as those that it started."""
        rows = await away(self._records.children, run.id)
        for row in rows:
            if row["status"] != "completed":
                known = Event("specialist_incomplete", f"{row['agent']} ended {row['status']}.")
                await self._engine.steps.escalate(run, known)
        return "completed"


def _refusal(code: str, reason: str) -> dict[str, Any]:
    return {"status": "refused", "code": code, "reason": reason}


def _waiting(waits: Waits) -> dict[str, Any]:
    if waits.status != "awaiting_approval":
        return {"status": "refused", "code": waits.status.upper(), "reason": waits.result.get("error", "")}
    (asked, *_) = waits.result["approvals"]
    approval = asked["approval_id"]
    return {
        "status": "waiting",
        "approval": approval,
        "because": asked["because"],
        "preview": asked["preview"],
        "say": f"Tell the person that approval {approval} waits. {asked['where']} Then make the same call again.",
    }


def _hands(ctx: Context, run: Run) -> Context:
    """The context in the hands of the agents above a run, outermost first; `Steps` adds the run's own."""
    for above in reversed([one for one in run.line if one is not run]):
        ctx = ctx.acting_as(above.agent, run=above.id)
    return ctx
