"""What an agent's hand does: one move through the host's door, and its outcome on record before the next."""

import asyncio
import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Literal, TypeVar

from attrs import asdict

from packhorse import Context, Host, RequestError, UserError
from packhorse.contract.clock import utc_text
from packhorse.errors import AUTHORIZATION
from packhorse_pai.domain.decision import Rule, proper_parents
from packhorse_pai.domain.escalation import PERSON, Event, events_from, target_of
from packhorse_pai.domain.facts import facts_from
from packhorse_pai.domain.moves import Denied, Done, Move, Noted, Outcome, Refused, Said, Spawn, UseTool
from packhorse_pai.domain.policy import DAY_SECONDS, SPAWN_TOOLS
from packhorse_pai.service import acting
from packhorse_pai.service.gate import Gate
from packhorse_pai.service.runs import ESCALATIONS, Run, plain, written
from packhorse_pai.service.tally import Tally
from packhorse_pai.store import Approval, Records

T = TypeVar("T")

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
_NO_RIGHTS = frozenset({Rule.NO_EDGE, Rule.CYCLE, Rule.TOO_DEEP})


class Waits(Exception):  # noqa: N818  # names what the run does, and never leaves this module
    """The run cannot go on now: its status, and what to tell its caller."""

    def __init__(self, status: Status, result: Mapping[str, Any]) -> None:
        super().__init__(status)
        self.status = status
        self.result = result


class Hand:
    """Makes moves of runs. What it cannot make now it raises as `Waits`."""

    def __init__(self, host: Host, records: Records, gate: Gate, tally: Tally) -> None:
        self._host = host
        self._tally = tally
        self._records = records
        self._gate = gate

    async def use(self, ctx: Context, run: Run, move: UseTool) -> Outcome:
        """Call a tool as the run's agent.

        Raises:
            Waits: a person must approve the call first, or it was called too often.
        """
        if move.tool in SPAWN_TOOLS:
            return Denied(Rule.NEVER_AN_AGENT, f"No agent can use {move.tool}. To start an agent, use a spawn step.")
        offered = run.policy.tools.get(move.tool)
        if (unknown := await self._begun(run, offered is not None and offered.read_only)) is not None:
            return unknown
        await self._provide(run, move)
        await self._begin(run, move)
        refusal, output = None, None
        outcome: Outcome
        denials, run.wanted = len(run.denials), None
        try:
            reply = await acting.hands(ctx, run.agent, run.id).call(move.tool, move.arguments)
        except UserError as exc:
            refusal = exc.code
            outcome = Refused(exc.code, exc.message[:500])
        except RequestError as exc:
            outcome = await self._approved(run) or await self._not_let(run, exc, denials, move.tool)
        else:
            run.tools_used.append(move.tool)
            output = plain(reply.structured)
            outcome = Done(output if isinstance(output, dict) else {"result": output})
            output = outcome.output
        self.say(run, f"{move.tool}: {type(outcome).__name__.lower()}")
        await self._learn(run, move, output, refusal)
        return outcome

    async def _provide(self, run: Run, move: UseTool) -> None:
        """Let the host prove what the call lacks, where the policy says that it does so itself."""
        rule = run.policy.preconditions.get(move.tool)
        if rule is None or run.provide is None:
            return
        wanted = {*rule.facts, *rule.unless}
        provided: dict[str, dict[str, Any]] = {}
        for fact in run.policy.facts:
            if fact.provided and fact.kind in wanted:
                provided.setdefault(fact.tool, {}).update(fact.arguments)
        about = {} if rule.subject is None else {rule.subject: move.arguments.get(rule.subject)}
        named = {key: value for key, value in about.items() if value is not None}
        for tool in sorted(provided.keys() & run.policy.tools.keys()):
            arguments = {**provided[tool], **named}
            decision = await away(lambda: self._gate.decided(run, move.tool, move.arguments, consume=False))
            if {reason.rule for reason in decision.reasons} != {Rule.PRECONDITION}:
                return  # nothing is lacking, or more than a proof
            refusal, known = None, None
            try:
                output = plain((await run.provide(tool, arguments)).structured)
                known = output if isinstance(output, dict) else None
            except UserError as exc:
                refusal = exc.code
            except RequestError:
                continue  # the person may not do that either, so nothing is proved
            self.say(run, f"{tool} called by the host itself: {'done' if refusal is None else 'refused'}")
            facts = facts_from(
                run.policy.facts, tool, known, refusal, self._host.clock(), arguments=arguments, by_host=True
            )
            await away(self._records.add_facts, run.root, facts)

    async def start(self, ctx: Context, run: Run, move: Spawn) -> Outcome:
        """Start another agent as the run's agent, and wait for its result.

        Raises:
            Waits: the other waits.
        """
        arguments = {"agent_name": move.agent, "mission": move.mission, "context": dict(move.context)}
        await self._begin(run, move)
        denials = len(run.denials)
        try:
            reply = await acting.hands(ctx, run.agent, run.id).call("invoke_agent", arguments)
        except UserError as exc:
            return Refused(exc.code, exc.message[:500])
        except RequestError as exc:
            denied = await self._not_let(run, exc, denials, move.agent)
            if isinstance(denied, Denied) and denied.rule in _NO_RIGHTS:
                parents = proper_parents(run.policy, move.agent)
                target = parents[0] if parents else target_of(run.card)
                await self.escalate(run, Event("spawn_violation", f"{run.agent} -> {move.agent}"), target)
            return denied
        output = plain(reply.structured)
        self.say(run, f"{move.agent}: {output['status']}")
        if output["status"] == "awaiting_approval" or "retry_after_seconds" in output["result"]:
            await away(self._records.drop_step, run.id, len(run.outcomes))
            raise Waits(output["status"], {**output["result"], "resume": run.root})
        return Done(output)

    async def _approved(self, run: Run) -> Denied | None:
        """Where only an approval is wanting: ask a person, and wait. What a person denied stays denied."""
        wanted, now = run.wanted, self._host.clock()
        if wanted is None:
            return None
        standing = await away(self._records.standing, run.id, wanted.action, now)
        if standing is not None and standing.state == "denied" and standing.decided_by is not None:
            return Denied(Rule.APPROVAL, "A person denied this call.")
        asked = await away(
            self._records.ask,
            Approval(
                id=self._host.new_id(),
                run=run.id,
                agent=run.agent,
                chain=run.chain,
                tool=wanted.tool,
                arguments=wanted.arguments,
                tool_digest=run.policy.tools[wanted.tool].digest,
                policy_digest=run.policy.digest,
                action_digest=wanted.action,
                owner=run.owner,
                requested_at=now,
                expires_at=now + timedelta(seconds=DAY_SECONDS),
                state="pending",
            ),
        )
        await away(self._records.drop_step, run.id, len(run.outcomes))
        self.say(run, f"{wanted.tool}: waits for approval {asked.id}")
        self._tally.approval("asked")
        waiting = {
            "approval_id": asked.id,
            "tool": wanted.tool,
            "agent": run.agent,
            "expires_at": utc_text(asked.expires_at, "auto"),
        }
        raise Waits("awaiting_approval", {"approvals": [waiting], "resume": run.root})

    async def _begun(self, run: Run, read_only: bool) -> Outcome | None:  # one mark of one tool
        """A step that had begun before a crash is not made twice, unless it only reads."""
        step = len(run.outcomes)
        rows = await away(self._records.steps, run.id)
        if step >= len(rows) or rows[step]["state"] != "begun" or read_only:
            return None
        await self.escalate(run, Event("outcome_unknown", f"step {step + 1} had begun when the server stopped"))
        return Refused(
            "OUTCOME_UNKNOWN", "This step had begun when the server stopped; it may or may not have taken effect."
        )

    async def _not_let(self, run: Run, exc: RequestError, denials: int, what: str) -> Outcome:
        if exc.error_type == "rate_limited" or "retry_after_seconds" in exc.details:
            await away(self._records.drop_step, run.id, len(run.outcomes))
            seconds = exc.details.get("retry_after_seconds")
            words = f"{what} was called too often; the run continues after {seconds} seconds."
            raise Waits(
                "budget_exhausted", {"error": words, "retry_after_seconds": seconds, "resume": run.root}
            ) from exc
        if exc.code != AUTHORIZATION:
            return Refused(exc.error_type.upper(), exc.message[:500])
        reasons = run.denials[denials:]
        rule = reasons[0].rule if reasons else Rule.NOT_GRANTED
        await self.escalate(run, Event("denied_call", f"{what} was denied: {rule}"))
        return Denied(rule, exc.message[:500])

    async def _learn(self, run: Run, move: UseTool, output: Mapping[str, Any] | None, refusal: str | None) -> None:
        tool, now = move.tool, self._host.clock()
        if facts := facts_from(run.policy.facts, tool, output, refusal, now, arguments=move.arguments):
            await away(self._records.add_facts, run.root, facts)
        for event in events_from(run.policy.events, tool, output, refusal):
            await self.escalate(run, event)

    async def escalate(self, run: Run, event: Event, target: str | None = None) -> None:
        """Tell the card's target, or another, of an event: in the answer, as a row, and whoever subscribed."""
        to = target or target_of(run.card) or PERSON
        self._tally.escalation(run.agent, event.kind)
        run.escalations.append({"type": event.kind, "target": to, "reason": event.reason})
        self.say(run, f"escalated {event.kind} to {to}")
        await away(
            self._records.escalate,
            self._host.new_id(),
            run.id,
            run.agent,
            to,
            event.kind,
            event.reason,
            self._host.clock(),
        )
        if run.alert is not None:
            await run.alert(ESCALATIONS)

    async def _begin(self, run: Run, move: Move) -> None:
        text = json.dumps({"kind": type(move).__name__, **asdict(move, recurse=False)}, ensure_ascii=False)
        await away(self._records.begin_step, run.id, len(run.outcomes), text, self._host.clock())

    async def keep(self, run: Run, outcome: Outcome) -> None:
        """Put an outcome on record."""
        await self._told(run, outcome)
        step = len(run.outcomes)
        await away(self._records.mark_step, run.id, step, "{}", self._host.clock())
        await away(self._records.end_step, run.id, step, written(outcome))
        run.outcomes.append(outcome)

    async def _told(self, run: Run, outcome: Outcome) -> None:
        """Say how far the whole tree is, to whoever started it."""
        if run.tell is not None and not isinstance(outcome, Said | Noted):
            (top,) = [one for one in run.line if one.parent is None]
            used = top.ledger.used
            await run.tell(used["calls"] + used["spawns"], None, f"{run.agent}: {type(outcome).__name__.lower()}")

    def say(self, run: Run, what: str) -> None:
        """A line of the run's log: names, never arguments or answers."""
        run.log.append(f"[{utc_text(self._host.clock(), 'seconds')}] {what}")


async def away(fn: Callable[..., T], *args: Any) -> T:
    """Off the event loop: the store may wait for its file."""
    return await asyncio.to_thread(fn, *args)
