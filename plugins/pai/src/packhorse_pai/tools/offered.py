"""The tools as they are offered: who may call them, and one example each."""

from pathlib import Path

from packhorse import Example, Tool, View
from packhorse_pai.tools import AgentTools

LEADERS = ("COORDINATOR", "ADMIN")
"""Who may let agents work, and decide what they ask for: the specification's roles."""

_READERS = (*LEADERS, "FACULTY")

_SECONDS = 330
"""A task may take 300 seconds by its own budget; the host waits a little longer, so that the run itself says so."""

_RUN_VIEW = View(
    Path(__file__).parent.with_name("views") / "run.js",
    title="A run of an agent",
    description="How a run stands: what waits for a person, each act with its verdict, and what came of it.",
)

_MISSION = {"mission": "Look who is on call next week"}


def offered(tools: AgentTools) -> list[Tool]:
    """All of them. None decides an approval: that is a page's, a form's and the terminal's."""
    return [
        Tool(
            fn=tools.invoke_scheduler_agent,
            words=(
                "delegate AI automatic assistant scheduling on its own draft build roster bot generate; let "
                "the agent build the schedule, have the bot plan July\n"
                "helper robot make prepare next block autonomous itself plan"
            ),
            roles=LEADERS,
            destructive=True,
            view=_RUN_VIEW,
            timeout=_SECONDS,
            examples=(Example(_MISSION, gives={"agent_name": "SCHEDULER", "status": "open", "tools_used": []}),),
        ),
        Tool(
            fn=tools.invoke_swap_manager_agent,
            words=(
                "delegate AI automatic assistant trade cover replacement bot deal with; let the agent find "
                "somebody for my shift, have the bot arrange the trade\n"
                "sort out cover night requests someone handle substitution robot"
            ),
            roles=LEADERS,
            destructive=True,
            view=_RUN_VIEW,
            timeout=_SECONDS,
            examples=(Example(_MISSION, gives={"agent_name": "SWAP_MANAGER", "status": "open"}),),
        ),
        Tool(
            fn=tools.invoke_compliance_auditor_agent,
            words=(
                "delegate AI automatic auditor inspector duty hours ACGME report grade bot violations "
                "breaches score; let the agent audit the schedule, how compliant are we\n"
                "check month robot inspection look for breach rules review"
            ),
            roles=_READERS,
            read_only=True,
            view=_RUN_VIEW,
            timeout=_SECONDS,
            examples=(Example(_MISSION, gives={"agent_name": "COMPLIANCE_AUDITOR", "status": "open"}),),
        ),
        Tool(
            fn=tools.invoke_coordinator_agent,
            words=(
                "delegate AI team of agents supervise lead improve stress test several; let the agents work "
                "on this together, have a lead agent run it\n"
                "manager lead division mission several agents orchestrate engineering"
            ),
            roles=LEADERS,
            destructive=True,
            view=_RUN_VIEW,
            timeout=_SECONDS,
            refusals={"coordinator_name": "INVALID_COORDINATOR"},
            examples=(
                Example({"coordinator_name": "COORD_OPS", **_MISSION}, gives={"agent_name": "COORD_OPS"}),
                Example({"coordinator_name": "COORD_TOOLING", **_MISSION}, refused="INVALID_COORDINATOR"),
            ),
        ),
        Tool(
            fn=tools.invoke_agent,
            words=(
                "delegate AI bot run continue resume specialist another send; start the tester agent, "
                "continue the mission after approval\n"
                "named particular tester QA other ask helper by name start"
            ),
            roles=LEADERS,
            destructive=True,
            timeout=_SECONDS,
            job=True,
            # One field against another: something to start, or something to go on with.
            refusals={"value": "START_OR_GO_ON"},
            examples=(
                Example({"agent_name": "QA_TESTER", **_MISSION}, gives={"status": "denied", "tools_used": []}),
                Example({"goal_id": "none"}, refused="UNKNOWN_GOAL"),
                Example({}, refused="START_OR_GO_ON"),
            ),
        ),
        Tool(
            fn=tools.act_as_agent,
            words=(
                "next step carry on role finish the run escalate start a specialist\n"
                "play role turn move do yourself execute the plan acting"
            ),
            roles=_READERS,
            destructive=True,
            timeout=_SECONDS,
            examples=(
                Example(
                    {"run_id": "none", "tool": "finish", "arguments": {}},
                    gives={"status": "refused", "code": "UNKNOWN_RUN"},
                ),
            ),
        ),
        Tool(
            fn=tools.list_agents,
            words=(
                "AI bots assistants robots which available capabilities team hand over work; which agents do "
                "you have, what can they do\n"
                "helpers set up installed here who is available capabilities tools overview roles"
            ),
            roles=_READERS,
            read_only=True,
            idempotent=True,
            examples=(Example({}, gives={"stopped": False, "conflicts": 0}),),
        ),
        Tool(
            fn=tools.explain_access,
            words=(
                "permission denied allowed rights authorized blocked policy why not; why was the agent "
                "refused, may this agent use that, who may do this\n"
                "why did it say forbidden refused right rule scope clearance restriction role who can"
            ),
            roles=_READERS,
            read_only=True,
            idempotent=True,
            examples=(Example({"agent_name": "COORD_OPS", "tool_name": "execute_swap"}, gives={"effect": "deny"}),),
        ),
    ]
