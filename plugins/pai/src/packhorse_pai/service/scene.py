"""The pack's part of ``packhorse demo``: who is there, who may not do what, a work order, and an audit."""

from collections.abc import Mapping, Sequence
from typing import Any

from packhorse import Scene


def _tell(answers: Sequence[Mapping[str, Any]]) -> list[str]:
    host, denied, opened, audited = answers
    score = (audited.get("result") or {}).get("compliance_score")
    return [
        host["summary"],
        f"May {denied['agent_name']} use {denied['tool_name']}? {denied['effect'].capitalize()}. "
        + " ".join(denied["reasons"]),
        (
            f"A mission is a work order for the client's model, fenced call by call: {opened['agent_name']} is"
            f" {opened['status']}, with {len(opened['result'].get('tools', []))} tools and nothing done yet."
        ),
        f"Asked to audit the published roster, {audited['agent_name']} answers {score:g} of 100, with "
        f"{', '.join(audited['tools_used'])} and nothing else."
        if audited["status"] == "completed" and score is not None
        else f"Asked for an audit, {audited['agent_name']} says {audited['status']}: it needs the scheduling pack.",
    ]


scene = Scene(
    title="Agents that can do only what their card allows",
    calls=(
        ("list_agents", {"detail": "full"}),
        ("explain_access", {"agent_name": "COMPLIANCE_AUDITOR", "tool_name": "execute_swap"}),
        ("invoke_scheduler_agent", {"mission": "Who is on call on Saturday?"}),
        ("invoke_compliance_auditor_agent", {"mission": "Audit the published schedule.", "task": "audit_schedule"}),
    ),
    tell=_tell,
)
