"""The hooks of the pai pack: its table of contents."""

from typing import TYPE_CHECKING

from packhorse import Example, Guard, Host, Pack, Resource, Tool, hookimpl
from packhorse_pai.guards import AgentGuard
from packhorse_pai.models import PaiSettings
from packhorse_pai.resources import CardPages
from packhorse_pai.service.acting import is_possible
from packhorse_pai.service.desk import desk_of
from packhorse_pai.service.runs import ESCALATIONS
from packhorse_pai.service.scene import scene
from packhorse_pai.store import MIGRATIONS
from packhorse_pai.tools import AgentTools

if TYPE_CHECKING:
    import click

pack = Pack(
    title="Governed agents",
    instructions="Agents with cards that say what each may do. list_agents shows which mission an agent takes. A person"
    " decides what waits for approval: never decide for them.",
    settings=PaiSettings,
    migrations=MIGRATIONS,
    demo=scene,
    measures=lambda host: desk_of(host).figures(),
)

_LEADERS = ("COORDINATOR", "ADMIN")
"""Who may let agents work, and decide what they ask for: the specification's roles."""

_SECONDS = 330
"""A run may take 300 seconds by its own budget; the host waits a little longer, so that the run itself says so."""


@hookimpl
def register_tools(host: Host) -> list[Tool]:
    """Agents to invoke, who may do what, and a person's decisions. None on a host that cannot let agents act."""
    if not is_possible():
        return []
    tools = AgentTools(desk_of(host))
    elsewhere = {"mission": "Sing the duty roster"}
    return [
        Tool(
            fn=tools.invoke_scheduler_agent,
            words=(
                "delegate, AI, automatic, assistant, on its own, build, roster, check, bot, schedule, generate, "
                "have it; let the agent build the schedule, have the bot plan July"
            ),
            title="Let the scheduler agent work",
            roles=_LEADERS,
            destructive=True,
            timeout=_SECONDS,
            examples=(Example(elsewhere, gives={"agent_name": "SCHEDULER", "status": "escalated", "tools_used": []}),),
        ),
        Tool(
            fn=tools.invoke_swap_manager_agent,
            words=(
                "delegate, AI, automatic, assistant, trade, cover, replacement, bot, swap, carry out; let the "
                "agent find somebody for my shift, have the bot arrange the trade"
            ),
            title="Let the swap agent work",
            roles=_LEADERS,
            destructive=True,
            timeout=_SECONDS,
            examples=(Example(elsewhere, gives={"agent_name": "SWAP_MANAGER", "status": "escalated"}),),
        ),
        Tool(
            fn=tools.invoke_compliance_auditor_agent,
            words=(
                "delegate, AI, automatic, inspector, duty hours, ACGME, report, grade, bot, violations, check, "
                "score; let the agent audit the schedule, how compliant are we"
            ),
            title="Let the compliance agent audit",
            roles=(*_LEADERS, "FACULTY"),
            read_only=True,
            timeout=_SECONDS,
            examples=(Example(elsewhere, gives={"agent_name": "COMPLIANCE_AUDITOR", "status": "escalated"}),),
        ),
        Tool(
            fn=tools.invoke_coordinator_agent,
            words=(
                "delegate, AI, team of agents, supervise, lead, improve, stress test, several; let the agents "
                "work on this together, have a lead agent run it"
            ),
            title="Let a coordinator agent work",
            roles=_LEADERS,
            destructive=True,
            timeout=_SECONDS,
            refusals={"coordinator_name": "INVALID_COORDINATOR"},
            examples=(
                Example({"coordinator_name": "COORD_OPS", **elsewhere}, gives={"agent_name": "COORD_OPS"}),
                Example({"coordinator_name": "COORD_TOOLING", **elsewhere}, refused="INVALID_COORDINATOR"),
            ),
        ),
        Tool(
            fn=tools.invoke_agent,
            words=(
                "delegate, AI, bot, run, continue, resume, specialist; start the tester agent, continue the "
                "mission after approval"
            ),
            title="Let any agent work, or go on",
            roles=_LEADERS,
            destructive=True,
            timeout=_SECONDS,
            job=True,
            # One field against another: something to start, or something to go on with.
            refusals={"value": "START_OR_GO_ON"},
            examples=(
                Example({"agent_name": "QA_TESTER", **elsewhere}, gives={"status": "denied", "tools_used": []}),
                Example({"goal_id": "none"}, refused="UNKNOWN_GOAL"),
                Example({}, refused="START_OR_GO_ON"),
            ),
        ),
        Tool(
            fn=tools.list_agents,
            words=(
                "AI, bots, assistants, which, available, capabilities, team, list, show, robots; which agents do "
                "you have, what can they do"
            ),
            title="Agents of this host",
            roles=(*_LEADERS, "FACULTY"),
            read_only=True,
            idempotent=True,
            examples=(Example({}, gives={"stopped": False, "conflicts": 0}),),
        ),
        Tool(
            fn=tools.explain_access,
            words=(
                "permission, denied, allowed, rights, authorized, blocked, policy, why not; why was the agent "
                "refused, may this agent use that"
            ),
            title="Who may do what, and why",
            roles=(*_LEADERS, "FACULTY"),
            read_only=True,
            idempotent=True,
            examples=(Example({"agent_name": "COORD_OPS", "tool_name": "execute_swap"}, gives={"effect": "deny"}),),
        ),
        Tool(
            fn=tools.list_pending_approvals,
            words=(
                "waiting, sign off, permission, requests, confirm, inbox, queue, pending, decide, agents; what "
                "do I have to approve, which agents wait for me"
            ),
            title="Calls that wait for a person",
            roles=_LEADERS,
            read_only=True,
            idempotent=True,
            examples=(Example({}, gives={"approvals": []}),),
        ),
        Tool(
            fn=tools.decide_approval,
            words=(
                "permit, confirm, reject, allow, yes, no, go ahead, sign, approve, deny, agree, refuse; let the "
                "agent do it, do not let it do that"
            ),
            title="Approve or deny an agent's call",
            roles=_LEADERS,
            destructive=True,
            examples=(Example({"approval_id": "none", "approve": True}, refused="UNKNOWN_APPROVAL"),),
        ),
    ]


@hookimpl
def register_resources(host: Host) -> list[Resource]:
    """The cards, and what was escalated."""
    if not is_possible():
        return []
    pages = CardPages(desk_of(host))
    return [
        Resource(
            uri="pai://agents/{name}",
            fn=pages.card,
            title="Identity card of an agent",
            mime_type="text/markdown",
            roles=(*_LEADERS, "FACULTY"),
            complete={"name": pages.names},
        ),
        Resource(
            uri=ESCALATIONS,
            fn=pages.escalations,
            title="What agents escalated last",
            mime_type="application/json",
            roles=_LEADERS,
            subscribable=True,
        ),
    ]


@hookimpl
def register_auth(host: Host) -> list[Guard]:
    """The guard that judges every call an agent makes."""
    if not is_possible():
        return []
    return [Guard(AgentGuard(desk_of(host)).judge)]


@hookimpl
def register_commands(host: Host) -> "list[click.Command]":
    """Lint, export of the policy, approvals, and the kill switch."""
    from packhorse_pai import commands

    return commands.commands(host)
