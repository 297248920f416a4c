"""The pack's part of ``packhorse demo``: who is there, who may not do what, and a mission that an agent turns down."""

from collections.abc import Mapping, Sequence
from typing import Any

from packhorse import Scene


def _tell(answers: Sequence[Mapping[str, Any]]) -> list[str]:
    host, denied, refused, audited = answers
    agents = host["agents"]
    able = [agent["name"] for agent in agents if agent["invocable"] and agent["tools"]]
    score = (audited.get("result") or {}).get("compliance_score")
    return [
        f"{len(agents)} agents have a card; {len(able)} of them have tools on this host.",
        f"May {denied['agent_name']} use {denied['tool_name']}? {denied['effect'].capitalize()}. "
        + " ".join(denied["reasons"]),
        f'Asked to "Sing the duty roster", {refused["agent_name"]} only reports upwards: {refused["status"]}.',
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
        ("invoke_scheduler_agent", {"mission": "Sing the duty roster"}),
        ("invoke_compliance_auditor_agent", {"mission": "audit the published schedule"}),
    ),
    tell=_tell,
)
