"""Making an agent's steps: one move through the host's door, and its outcome on record before the next."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, TypeVar

from attrs import asdict

from packhorse import Context, Foresight, Host, RequestError, UserError
from packhorse.contract.clock import utc_text
from packhorse.errors import AUTHORIZATION
from packhorse_pai.domain.decision import Decision, Effect, Rule, proper_parents
from packhorse_pai.domain.digests import digest
from packhorse_pai.domain.escalation import PERSON, Event, events_from, target_of
from packhorse_pai.domain.facts import proved, shared_arguments
from packhorse_pai.domain.moves import Denied, Done, Move, Noted, Outcome, Refused, Said, Spawn, UseTool
from packhorse_pai.domain.names import is_agent
from packhorse_pai.domain.policy import DAY_SECONDS
from packhorse_pai.domain.statuses import Status
from packhorse_pai.service import ESCALATIONS, acting
from packhorse_pai.service.judging.checker import Checker
from packhorse_pai.service.running.answers import answer_of
from packhorse_pai.service.running.runs import Run, written
from packhorse_pai.service.trail import attempts
from packhorse_pai.service.trail.attempts import Attempt
from packhorse_pai.service.trail.counters import Counters
from packhorse_pai.store.approvals import Approval
from packhorse_pai.store.records import Records

T = TypeVar("T")

_NO_RIGHTS = frozenset({Rule.NO_EDGE, Rule.CYCLE, Rule.TOO_DEEP})


CallPerson = Callable[[str, str], str]
"""Shows a person that something of a run tree waits; takes the tree's first run and the approval; says where."""

OWN_ACCOUNT: ContextVar[str | None] = ContextVar("own_account", default=None)
"""Whose run the host is calling a tool for on its own account."""

MOST_ASKS = 3
"""Calls of one run tree that may wait at once: more would only wear a person out."""


class Waits(Exception):  # noqa: N818  # names what the run does, and never leaves this module
    """The run cannot go on now: its status, and what to tell its caller."""

    def __init__(self, status: Status, result: Mapping[str, Any]) -> None:
        super().__init__(status)
        self.status = status
        self.result = result

    @property
    def approval(self) -> str:
        """The id of the approval that the run waits for; empty where it waits for something else."""
        asked = self.result.get("approvals")
        return str(asked[0]["approval_id"]) if asked else ""


class Steps:
    """Makes moves of runs. What it cannot make now it raises as `Waits`."""

    def __init__(
        self, host: Host, records: Records, checker: Checker, counters: Counters, call_person: CallPerson
    ) -> None:
        self._host = host
        self._counters = counters
        self._records = records
        self._checker = checker
        self.call_person = call_person

    async def attempt(self, ctx: Context, run: Run, move: UseTool | Spawn) -> Outcome:
        """Make one move. Whatever becomes of it, it has one line on record, and has used some of the budget.

        Raises:
            Waits: a person must approve the call first, or the run waits for another reason.
        """
        named = (move.tool, "tool") if isinstance(move, UseTool) else (move.agent, "spawn")
        line = Attempt(run.id, run.agent, named[1], named[0])
        line.arguments = move.arguments if isinstance(move, UseTool) else move.context
        used = run.ledger.used["calls"]
        try:
            outcome = await (self.use(ctx, run, move) if isinstance(move, UseTool) else self.start(ctx, run, move))
            line.settle(outcome)
        except Waits as waits:
            line.verdict, line.rule = "waits", waits.status
            line.approval = waits.approval
            raise
        except asyncio.CancelledError:
            line.verdict, line.rule = "stopped", "cancelled"
            raise
        else:
            return outcome
        finally:
            if run.ledger.used["calls"] == used:
                self._checker.take(run, "calls", 1)
            line.version = run.foreseen[1].version or "" if run.foreseen is not None else ""
            run.foreseen, run.subjects = None, {}
            line.write(self._host, self._records)

    async def use(self, ctx: Context, run: Run, move: UseTool) -> Outcome:
        """Call a tool as the run's agent: rights first, then shape and preview, facts, and the call."""
        if run.ledger.left("calls") == 0:
            return Denied(Rule.BUDGET, f"{run.agent} has used its {run.ledger.limits.calls} calls.")
        rights = await away(self._checker.rights, run, move.tool)
        if rights.effect is Effect.DENY:
            self._checker.count(run, rights)
            return await self._denied(
                run, rights.reasons[0].rule, await self._said_truly(ctx, rights, move.tool), move.tool
            )
        offered = run.policy.tools[move.tool]
        if (unknown := await self._begun(run, offered.read_only)) is not None:
            return unknown
        asker = run.ahead or ctx
        own = OWN_ACCOUNT.set(run.owner)
        try:
            run.foreseen = (move.tool, await asker.foresee(move.tool, move.arguments))
            run.subjects = await self._subjects(asker, run, move)
        except UserError as exc:
            # The tool may have looked at its data: of what no rule allows it tells nothing.
            unlawful = await away(self._checker.arguments, run, move.tool, move.arguments)
            if unlawful is None:
                return await self._refused(run, move, exc)
            self._checker.count(run, unlawful)
            return await self._denied(run, unlawful.reasons[0].rule, unlawful.text, move.tool)
        except RequestError as exc:
            return Refused(exc.error_type.upper(), exc.message[:500])
        finally:
            OWN_ACCOUNT.reset(own)
        await self._provide(run, move)
        whole = run.foreseen[1].arguments
        wanting = await away(self._checker.wanting, run, move.tool, whole, whole.keys() - move.arguments.keys())
        if isinstance(wanting, Decision):
            self._checker.count(run, wanting)
            return await self._denied(run, wanting.reasons[0].rule, wanting.text, move.tool)
        if wanting is not None:
            run.wanted = wanting
            return await self._approved(run) or Denied(Rule.APPROVAL, "A person must approve this call.")
        await self._begin(run, move)
        denials, run.wanted = len(run.denials), None
        version = self._checker.version(run, move.tool)
        hands = ctx.acting_as(run.agent, run=run.id)
        try:
            if version:
                reply = await hands.call_expecting(version, move.tool, move.arguments)
            else:
                reply = await hands.call(move.tool, move.arguments)
        except UserError as exc:
            return await self._refused(run, move, exc)
        except RequestError as exc:
            outcome = await self._approved(run) or await self._not_let(run, exc, denials, move.tool)
            self.say(run, f"{move.tool}: {type(outcome).__name__.lower()}")
            return outcome
        run.tools_used.append(move.tool)
        done = Done(answer_of(reply))
        made = not offered.read_only
        run.top.seen.feed(done.output, offered.output_schema, made=made, given=move.arguments)
        self.say(run, f"{move.tool}: done")
        await self._learn(run, move.tool, done.output, None)
        return done

    async def _subjects(self, asker: Context, run: Run, move: UseTool) -> Mapping[str, frozenset[str]]:
        """By fact that the call needs, on which versions of what the call names its proof may have been made.

        A tool that only reads proves something of what it was asked about: where it shares arguments with the call,
        that is what it looks at when it is asked with these.
        """
        found: dict[str, frozenset[str]] = {}
        for rule, shared in shared_arguments(run.policy, move.tool, move.arguments):
            try:
                version = (await asker.foresee(rule.tool, shared)).version
            except (UserError, RequestError):
                found.setdefault(rule.kind, frozenset())  # of what it refuses it has proved nothing
                continue
            if version:
                found[rule.kind] = found.get(rule.kind, frozenset()) | {version}
        return found

    async def _refused(self, run: Run, move: UseTool, exc: UserError) -> Refused:
        self.say(run, f"{move.tool}: refused {exc.code}")
        await self._learn(run, move.tool, None, exc.code)
        return Refused(exc.code, exc.message[:500])

    async def _said_truly(self, ctx: Context, rights: Decision, tool: str) -> str:
        """Why a tool is denied: a tool that the caller may not use is not one that is not there."""
        if rights.reasons[0].rule is Rule.UNKNOWN_TOOL and await acting.is_withheld(ctx, tool):
            return f"The person who started this run may not use {tool}, so its agents may not."
        return rights.text

    async def _denied(self, run: Run, rule: str, words: str, what: str) -> Denied:
        self.say(run, f"{attempts.plain(what)[:80]}: denied, {rule}")
        await self.escalate(run, Event("denied_call", f"{attempts.plain(what)[:80]} was denied: {rule}"))
        return Denied(rule, words[:500])

    async def _provide(self, run: Run, move: UseTool) -> None:
        """Let the host prove what the call lacks, where the policy says that it does so itself."""
        if run.provide is None:
            return
        wanted = {fact for rule in run.policy.preconditions.get(move.tool, ()) for fact in (*rule.facts, *rule.unless)}
        provided: dict[str, dict[str, Any]] = {}
        for fact in run.policy.facts:
            if fact.provided and fact.kind in wanted:
                provided.setdefault(fact.tool, {}).update(fact.arguments)
        for tool in sorted(provided.keys() & run.policy.tools.keys()):
            decision = await away(lambda: self._checker.decided(run, move.tool, move.arguments, consume=False))
            if {reason.rule for reason in decision.reasons} != {Rule.PRECONDITION}:
                return  # nothing is lacking, or more than a proof
            takes = run.policy.tools[tool].input_schema.get("properties", {})
            shared = {key: value for key, value in move.arguments.items() if key in takes}
            refusal, known = None, None
            own = OWN_ACCOUNT.set(run.owner)
            try:
                known = answer_of(await run.provide(tool, {**shared, **provided[tool]}))
            except UserError as exc:
                refusal = exc.code
            except RequestError:
                continue  # the person may not do that either, so nothing is proved
            finally:
                OWN_ACCOUNT.reset(own)
            self.say(run, f"{tool} on the host's own account: {'done' if refusal is None else 'refused'}")
            kinds = proved(run.policy.facts, tool, known, refusal, by_host=True)
            await away(self._records.add_facts, run.root, kinds, self._checker.version(run, move.tool))

    async def start(self, ctx: Context, run: Run, move: Spawn) -> Outcome:
        """Start another agent as the run's agent, and wait for its result.

        Raises:
            Waits: the other waits.
        """
        arguments = {"agent_name": move.agent, "mission": move.mission, "context": dict(move.context)}
        if move.task is not None:
            arguments["task"] = move.task
        if run.ledger.left("calls") == 0:
            return Denied(Rule.BUDGET, f"{run.agent} has used its {run.ledger.limits.calls} calls.")
        if not is_agent(move.agent):
            denied = await self._denied(run, Rule.UNKNOWN_AGENT, "There is no agent of that name.", move.agent)
            await self.escalate(run, Event("spawn_violation", f"{run.agent} -> {attempts.plain(move.agent)[:80]}"))
            return denied
        await self._begin(run, move)
        denials = len(run.denials)
        try:
            reply = await ctx.acting_as(run.agent, run=run.id).call("invoke_agent", arguments)
        except UserError as exc:
            self.say(run, f"{move.agent}: refused {exc.code}")
            return Refused(exc.code, exc.message[:500])
        except RequestError as exc:
            outcome = await self._not_let(run, exc, denials, move.agent)
            if isinstance(outcome, Denied) and outcome.rule in _NO_RIGHTS:
                parents = proper_parents(run.policy, move.agent)
                target = parents[0] if parents else target_of(run.card)
                await self.escalate(run, Event("spawn_violation", f"{run.agent} -> {move.agent}"), target)
            return outcome
        output = answer_of(reply)
        self.say(run, f"{move.agent}: {output['status']}")
        if output["status"] == "awaiting_approval" or "retry_after_seconds" in output["result"]:
            await away(self._records.drop_step, run.id, len(run.outcomes))
            raise Waits(output["status"], {**output["result"], "resume": run.root})
        if output["status"] not in ("completed", "open"):
            await self.escalate(run, Event("specialist_incomplete", f"{move.agent} ended {output['status']}."))
        return Done(output)

    async def _approved(self, run: Run) -> Denied | None:
        """Where only an approval is wanting: ask a person, and wait. What a person denied stays denied."""
        wanted, now = run.wanted, self._host.clock()
        if wanted is None:
            return None
        standing = await away(self._records.standing, run.id, wanted.action, now)
        if standing is not None and standing.state == "denied" and standing.decided_by is not None:
            return Denied(Rule.APPROVAL, "A person denied this call.")
        waiting_too = [one for one in await away(self._records.asked, run.root, now) if one != wanted.action]
        if len(waiting_too) >= MOST_ASKS:
            words = f"{len(waiting_too)} calls of this run wait for a person already; wait until they are decided."
            return Denied(Rule.TOO_MANY_ASKS, words)
        seen = run.foreseen[1] if run.foreseen is not None else Foresight()
        asked = await away(
            self._records.ask,
            Approval(
                id=short_id(self._host.new_id()),
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
                version=seen.version or "",
                preview=seen.preview or "",
                because=wanted.because,
                why=run.why[:300],
            ),
        )
        await away(self._records.drop_step, run.id, len(run.outcomes))
        self.say(run, f"{wanted.tool}: waits for approval {asked.id}")
        where = self.call_person(run.root, asked.id)
        self._counters.approval("asked")
        waiting = {
            "approval_id": asked.id,
            "tool": wanted.tool,
            "agent": run.agent,
            "expires_at": utc_text(asked.expires_at, "auto"),
            "because": asked.because,
            "preview": asked.preview,
            "where": where,
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
            "OUTCOME_UNKNOWN", "The server stopped during this step, so the step may or may not have taken effect."
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
        return await self._denied(run, rule, exc.message, what)

    async def _learn(self, run: Run, tool: str, output: Mapping[str, Any] | None, refusal: str | None) -> None:
        version = self._checker.version(run, tool)
        if not run.policy.tools[tool].read_only:
            await away(self._records.drop_facts, run.root, "")
        if kinds := proved(run.policy.facts, tool, output, refusal):
            await away(self._records.add_facts, run.root, kinds, version)
        for event in events_from(run.policy.events, tool, output, refusal):
            await self.escalate(run, event)

    async def escalate(self, run: Run, event: Event, target: str | None = None) -> None:
        """Report an event to the card's target, or another: in the answer, as a row, and to subscribers."""
        to = target or target_of(run.card) or PERSON
        self._counters.escalation(run.agent, event.kind)
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
        """Report to the caller how far the whole tree is."""
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


def short_id(identity: str) -> str:
    """An id that a person can read out: eight hexadecimal digits of the digest of a fresh one."""
    return digest(identity)[:8].upper()
