"""Domain values as JSON and as wire models, under the names the specification and the known cards give them.

It never sees the services: tools hand over plain values.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from packhorse import Reply
from packhorse.contract.clock import utc_text
from packhorse_pai.domain.cards import Card, Reading
from packhorse_pai.domain.compiling import Compiled
from packhorse_pai.domain.conflicts import Conflict
from packhorse_pai.domain.decision import Decision
from packhorse_pai.domain.escalation import target_of
from packhorse_pai.domain.findings import Finding
from packhorse_pai.domain.people import Person
from packhorse_pai.domain.playbooks import Playbook, checked
from packhorse_pai.domain.policy import Policy
from packhorse_pai.models import InvocationResult
from packhorse_pai.store.approvals import Approval


def card_fields(card: Card) -> dict[str, Any]:
    """A card's fields as text, as written; None for one that is not there."""
    return {
        "title": card.title,
        "role": card.role or None,
        "tier_raw": card.tier or None,
        "model_raw": card.model or None,
        "reports_to_raw": card.reports_to or None,
        "can_spawn_raw": card.can_spawn or None,
        "escalate_to_raw": card.escalate_to or None,
        "standing_orders": list(card.standing_orders),
        "escalation_triggers": list(card.escalation_triggers),
        "constraints": list(card.constraints),
        "charter": card.charter or None,
        "has_boot_instruction": card.boot_instruction is not None,
        "extra_sections": [part.title for part in card.extra],
    }


def conflict_fields(conflict: Conflict) -> dict[str, Any]:
    """One contradiction, with the rights it takes away."""
    return {
        "kind": conflict.kind,
        "subject": conflict.subject,
        "message": conflict.message,
        "sources": list(conflict.sources),
        "denies": list(conflict.denies),
    }


def lint_report(readings: Mapping[str, Reading], compiled: Compiled, found: Sequence[Finding]) -> dict[str, Any]:
    """What ``packhorse pai lint --json`` prints."""
    return {
        "cards": {name: card_fields(reading.card) for name, reading in sorted(readings.items())},
        "conflicts": [conflict_fields(conflict) for conflict in compiled.conflicts],
        "findings": [{"kind": one.kind, "subject": one.subject, "text": one.text} for one in found],
        "policy_digest": compiled.policy.digest,
    }


def agent_list(
    compiled: Compiled, readings: Mapping[str, Reading], playbooks: Sequence[Playbook], *, stopped: bool, full: bool
) -> dict[str, Any]:
    """Agents of this caller's host: those that can be started in short, all with a valid card in full."""
    policy = compiled.policy
    agents = [_agent(policy, readings[name].card, playbooks) for name in sorted(policy.agents)]
    able = [one for one in agents if one["invocable"] and (one["tools"] or one["tasks"] or one["may_spawn"])]
    others = [one["name"] for one in agents if one not in able]
    summary = f"{len(able)} of {len(agents)} agents can be started and have work here."
    if others and not full:
        summary += f" Not these: {', '.join(others)} (detail full shows why)."
    return {
        "summary": summary,
        "agents": agents if full else [_in_short(one) for one in able],
        "stopped": stopped,
        "policy_digest": policy.digest,
        "conflicts": len(compiled.conflicts),
    }


def _in_short(agent: Mapping[str, Any]) -> dict[str, Any]:
    """What somebody needs who chooses an agent; nothing that is empty, but that there is no task."""
    lists = {"tools": "tools", "may_start": "may_spawn", "missing_tools": "missing_tools"}
    given = {name: agent[key] for name, key in lists.items() if agent[key]}
    return {"name": agent["name"], "role": agent["role"], **given, "tasks": agent["tasks"]}


def explanation(policy: Policy, agent: str, tool: str, decision: Decision) -> dict[str, Any]:
    """A decision with its reasons, what the run must know first, and who may use the tool."""
    return {
        "agent_name": agent,
        "tool_name": tool,
        "effect": decision.effect.value,
        "reasons": [reason.text for reason in decision.reasons],
        "needs_first": list(policy.needs(tool)),
        "granted_to": sorted(name for name, tools in policy.use.items() if tool in tools),
        "policy_digest": policy.digest,
    }


def answered(result: InvocationResult) -> Reply[InvocationResult]:
    """An invocation's answer; the host records one that was denied, or failed, as such."""
    match result.status:
        case "denied" | "spawn_violation" | "budget_exhausted":
            return Reply(result, recorded=("denied", result.status))
        case "failed":
            return Reply(result, recorded=("refused", str(result.result.get("code", "FAILED"))))
        case "awaiting_approval":
            return Reply(result, recorded=("asked", "WAITING"))
    return Reply(result)


def acted(answer: dict[str, Any]) -> Reply[dict[str, Any]]:
    """An act's answer; the host records one that was denied or refused as such."""
    match answer:
        case {"status": "denied", "rule": rule}:
            return Reply(answer, recorded=("denied", rule))
        case {"status": "refused", "code": code}:
            return Reply(answer, recorded=("refused", code))
        case {"status": "expired"}:
            return Reply(answer, recorded=("denied", "budget"))
        case {"status": "waiting"}:
            return Reply(answer, recorded=("asked", "WAITING"))
    return Reply(answer)


def not_begun(agent: str, code: str, words: str, run: str = "") -> InvocationResult:
    """An invocation that did nothing, and why; ``run`` where one waits to go on."""
    waits = {"resume": run} if run else {}
    return InvocationResult(
        agent_name=agent,
        goal_id=run,
        status="failed",
        result={"error": words, "code": code, **waits},
        tools_used=[],
        execution_log=[],
        escalations=[],
        audit_trail_path="",
    )


def waiting_fields(approval: Approval) -> dict[str, Any]:
    """A call that waits, as ``packhorse pai pending --json`` prints it."""
    return {
        "approval_id": approval.id,
        "agent": approval.agent,
        "chain": list(approval.chain),
        "tool": approval.tool,
        "arguments": dict(approval.arguments),
        "preview": approval.preview,
        "because": approval.because,
        "version": approval.version,
        "goal_id": approval.run,
        "started_by": approval.owner,
        "requested_at": utc_text(approval.requested_at, "auto"),
        "expires_at": utc_text(approval.expires_at, "auto"),
    }


def trail_line(line: Mapping[str, Any]) -> str:
    """An attempt, or a person's decision, as ``packhorse pai trail`` prints it."""
    at, caller, run = line["at"][:19], Person.read(line["caller"]).words, line["run"]
    if line["kind"] == "decision":
        said = f", because: «{line['said']}»" if line["said"] else ""
        call = f"{line['tool']} of {line['agent']}, run {run}"
        return f"{at}  {caller}  {line['verdict']} {line['approval']}: {call}{said}"
    waits = f" {line['approval']}" if line["approval"] else ""
    begun = f", run {run}" if line["kind"] == "start" and run else ""
    verdict = f"{line['verdict']}, {line['rule']}{waits}{begun}"
    return f"{at}  {line['agent'] or caller}  {line['kind']} {line['tool']}: {verdict}"


def question(approval: Approval, mission: str = "", *, by_person: bool = True) -> str:
    """What a person is asked: what would change, what the mission says and who wrote it, and why it is asked.

    What the model says of it stands last, and is marked.
    """
    arguments = json.dumps(approval.arguments, ensure_ascii=False, sort_keys=True)
    call = f"{' for '.join(approval.chain)} wants to call {approval.tool} once, with exactly {arguments}"
    silent = f"{approval.tool} does not say beforehand what would change."
    lines = [approval.preview, call] if approval.preview else [call, silent]
    lines.append(f"The run was started by {Person.read(approval.owner).words}: {approval.run}")
    if mission:
        written = (
            "which a person wrote or has confirmed"
            if by_person
            else "written by the client's model, and nobody has confirmed it: a yes confirms it too"
        )
        lines.append(f"The mission, {written}: «{mission}»")
    if approval.because:
        lines.append(f"Why you are asked: {approval.because}")
    if approval.version:
        lines.append(f"Of the data as it is now: {approval.version}")
    if approval.why:
        lines.append(f"The model says: «{approval.why}»")
    return "\n".join(lines)


def _agent(policy: Policy, card: Card, playbooks: Sequence[Playbook]) -> dict[str, Any]:
    name, limits = card.name, policy.limits[card.name]
    return {
        "name": name,
        "role": card.role,
        "tier": card.tier,
        "invocable": name in policy.exposed,
        "tools": sorted(policy.use[name] & policy.tools.keys()),
        "missing_tools": list(policy.missing(name)),
        "may_spawn": sorted(policy.spawn[name]),
        "escalates_to": target_of(card),
        "tasks": [book.name for book in playbooks if book.agent == name and not checked(book, policy)],
        "limits": {key: getattr(limits, key) for key in ("turns", "calls", "spawns", "tokens", "seconds", "depth")},
    }
