"""The specification's first two examples on the sample programme, played by a client's own model, a person deciding."""

import pytest
from pai_operator_script import ANN, BLOCK_10, NOW, imported

from packhorse import Host
from packhorse.testing import connected
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.store import MIGRATIONS

pytest.importorskip("packhorse_scheduling", reason="the scheduling pack is not installed: no schedule to work on")

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("acting")]

BLOCK = {
    "mission": "Generate a 4-week schedule for Block 10 (Feb 3 - Mar 2, 2025)",
    "context": {**BLOCK_10, "block_number": 10, "residents_count": 12, "faculty_count": 8},
    "constraints": ["Prioritize Night Float coverage", "Minimize weekend assignments for PGY-3s"],
    "require_approval": False,
}
QUARTER = {
    "coordinator_name": "COORD_ENGINE",
    "mission": "Optimize coverage for Q1 2025 with emphasis on call equity",
    "context": {"quarter": "Q1", "year": 2025, "optimization_goal": "call_equity"},
    "spawn_specialists": True,
}


async def test_both_examples_run_from_the_mission_to_the_result(tmp_path):
    host = Host("pai", data_dir=tmp_path, migrations=MIGRATIONS, clock=lambda: NOW, settings=PaiSettings())
    async with connected(imported(tmp_path), principal=ANN) as client:

        async def call(tool, arguments):
            reply = await client.call_tool(tool, arguments)
            assert not reply.is_error, reply.content
            return reply.structured_content

        async def act(run, tool, arguments=None):
            return await call("act_as_agent", {"run_id": run, "tool": tool, "arguments": arguments or {}})

        begun = await call("invoke_scheduler_agent", BLOCK)
        run = begun["goal_id"]
        assert (begun["agent_name"], begun["status"]) == ("SCHEDULER", "open")
        assert begun["result"]["constraints"] == BLOCK["constraints"]
        year = {"academic_year": "2024-2025", **BLOCK_10, "async": False}
        waiting = await act(run, "generate_schedule", year)
        assert waiting["status"] == "waiting", waiting
        assert "2025-02-03 to 2025-03-02, 28 days" in waiting["preview"]
        AgentService(host).approving.decide(waiting["approval"], approve=True, by="human::bob")
        made = await act(run, "generate_schedule", year)
        assert made["status"] == "done", made
        draft = made["result"]["schedule_id"]
        checked = await act(run, "validate_schedule", {"schedule_id": draft})
        assert checked["result"]["is_valid"] is True
        ended = await act(run, "finish", {"result": {"schedule_id": draft}})
        assert (ended["status"], ended["goal_id"]) == ("completed", run)
        assert ended["tools_used"] == ["generate_schedule", "validate_schedule"]
        await call("publish_schedule", {"schedule_id": draft})

        lead = await call("invoke_coordinator_agent", QUARTER)
        assert "OPTIMIZATION_SPECIALIST" in lead["result"]["may_start"]
        below = await act(
            lead["goal_id"], "spawn_agent", {"agent": "OPTIMIZATION_SPECIALIST", "mission": "Whom does it depend on?"}
        )
        child = below["result"]["run_id"]
        assert (await act(child, "analyze_hub_centrality"))["status"] == "done"
        assert (await act(child, "finish", {"result": {}}))["status"] == "completed"
        assert (await act(lead["goal_id"], "validate_schedule"))["status"] == "done"
        ended = await act(lead["goal_id"], "finish", {"result": {"goal": "call_equity"}})
        assert (ended["agent_name"], ended["status"]) == ("COORD_ENGINE", "completed")
