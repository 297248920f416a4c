"""Domain values as JSON and as wire models, under the names the specification and the known cards give them.

It never sees the services: tools hand over plain values.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from packhorse.contract.clock import utc_text
from packhorse_pai.domain.cards import Card, Reading
from packhorse_pai.domain.compiling import Compiled
from packhorse_pai.domain.conflicts import Conflict
from packhorse_pai.domain.decision import Decision
from packhorse_pai.domain.escalation import target_of
from packhorse_pai.domain.playbooks import Playbook, checked
from packhorse_pai.domain.policy import Policy
from packhorse_pai.models import (
    AgentList,
    AgentSummary,
    Decided,
    Explanation,
    InvocationResult,
    PendingApproval,
    PendingApprovals,
    PlaybookSummary,
)
from packhorse_pai.store import Approval


def card_fields(card: Card) -> dict[str, Any]:
    """A card's fields as text, as written."""
    return {
        "title": card.title,
        "role": card.role,
        "tier_raw": card.tier,
        "model_raw": card.model,
        "reports_to_raw": card.reports_to,
        "can_spawn_raw": card.can_spawn,
        "escalate_to_raw": card.escalate_to,
        "standing_orders": list(card.standing_orders),
        "escalation_triggers": list(card.escalation_triggers),
        "constraints": list(card.constraints),
        "charter": card.charter,
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


def lint_report(readings: Mapping[str, Reading], compiled: Compiled) -> dict[str, Any]:
    """What ``packhorse pai lint --json`` prints."""
    return {
        "cards": {name: card_fields(reading.card) for name, reading in sorted(readings.items())},
        "conflicts": [conflict_fields(conflict) for conflict in compiled.conflicts],
        "policy_digest": compiled.policy.digest,
    }


def agent_list(
    compiled: Compiled, readings: Mapping[str, Reading], playbooks: Sequence[Playbook], *, stopped: bool, full: bool
) -> AgentList:
    """Every agent with a valid card, as this caller's host has it."""
    policy = compiled.policy
    agents = [_agent(policy, readings[name].card, playbooks) for name in sorted(policy.agents)]
    able = [agent for agent in agents if agent.invocable and (agent.tools or agent.playbooks)]
    others = [agent.name for agent in agents if agent not in able]
    summary = f"{len(able)} of {len(agents)} agents can be started and have work here."
    if others and not full:
        summary += f" Of the others, {', '.join(others)}, detail full tells more."
    return AgentList(
        summary=summary,
        agents=list(agents) if full else [_in_short(agent) for agent in able],
        stopped=stopped,
        policy_digest=policy.digest,
        conflicts=len(compiled.conflicts),
    )


def _in_short(agent: AgentSummary) -> dict[str, Any]:
    """What somebody needs who chooses an agent; nothing that is empty."""
    missions = [word for playbook in agent.playbooks for word in playbook.missions]
    told = {"tools": agent.tools, "missing_tools": agent.missing_tools, "missions": missions}
    return {"name": agent.name, "role": agent.role, **{name: value for name, value in told.items() if value}}


def explanation(policy: Policy, agent: str, tool: str, decision: Decision) -> Explanation:
    """A decision with its reasons."""
    rule = policy.preconditions.get(tool)
    return Explanation(
        agent_name=agent,
        tool_name=tool,
        effect=decision.effect.value,
        reasons=[reason.text for reason in decision.reasons],
        needs_first=list(rule.facts) if rule is not None else [],
        granted_to=sorted(name for name, tools in policy.use.items() if tool in tools),
        policy_digest=policy.digest,
    )


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


def pending_approvals(approvals: Iterable[Approval]) -> PendingApprovals:
    """The calls that wait, each with what it would do."""
    return PendingApprovals(
        approvals=[
            PendingApproval(
                approval_id=one.id,
                agent=one.agent,
                chain=list(one.chain),
                tool=one.tool,
                arguments=dict(one.arguments),
                goal_id=one.run,
                requested_at=utc_text(one.requested_at, "auto"),
                expires_at=utc_text(one.expires_at, "auto"),
            )
            for one in approvals
        ]
    )


def decided(approval: Approval, *, approve: bool) -> Decided:
    """A decision, and what to do next."""
    return Decided(
        approval_id=approval.id,
        state="approved" if approve else "denied",
        tool=approval.tool,
        agent=approval.agent,
        next_step="The person who started the run calls invoke_agent with the run's goal_id; the call is then"
        " judged again.",
    )


def question(approval: Approval) -> str:
    """What a person is asked: the call itself, never an agent's words about it."""
    arguments = json.dumps(approval.arguments, indent=2, ensure_ascii=False, sort_keys=True)
    return f"{' for '.join(approval.chain)} wants to call {approval.tool} once, with exactly:\n{arguments}"


def _agent(policy: Policy, card: Card, playbooks: Sequence[Playbook]) -> AgentSummary:
    name, limits = card.name, policy.limits[card.name]
    return AgentSummary(
        name=name,
        role=card.role,
        tier=card.tier,
        invocable=name in policy.exposed,
        tools=sorted(policy.use[name] & policy.tools.keys()),
        missing_tools=list(policy.missing(name)),
        may_spawn=sorted(policy.spawn[name]),
        escalates_to=target_of(card),
        playbooks=[
            PlaybookSummary(name=book.name, missions=list(book.missions))
            for book in playbooks
            if book.agent == name and not checked(book, policy)
        ],
        limits={
            "turns": limits.turns,
            "calls": limits.calls,
            "spawns": limits.spawns,
            "tokens": limits.tokens,
            "seconds": limits.seconds,
            "depth": limits.depth,
        },
    )
