"""The specification's three usage examples, over the wire and on the sample programme; and what is on record."""

import json
import logging.handlers
from pathlib import Path

import pytest
from pai_operator_script import ANN, NOW, PAGE, imported, page, tried

from packhorse import Host
from packhorse.audit import tail, verify
from packhorse.settings.tables import AUDIT_FILE
from packhorse.testing import connected, deployment_for
from packhorse_pai import pack
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.store.migrations import MIGRATIONS

pytest.importorskip("packhorse_scheduling", reason="the scheduling pack is not installed: no schedule to work on")


pytestmark = pytest.mark.anyio

CANARY = "Wilhelmina Quackenbush 555-0100 wq@example.org"

MISSION = {
    "mission": f"Generate a 4-week schedule for Block 10 (Feb 3 - Mar 2, 2025), says {CANARY}",
    "context": {
        "block_number": 10,
        "start_date": "2025-02-03",
        "end_date": "2025-03-02",
        "residents_count": 12,
        "faculty_count": 8,
    },
    "constraints": ["Prioritize Night Float coverage", "Minimize weekend assignments for PGY-3s"],
    "require_approval": False,
}
QUARTER = {
    "coordinator_name": "COORD_ENGINE",
    "mission": "Optimize coverage for Q1 2025 with emphasis on call equity",
    "context": {"quarter": "Q1", "year": 2025, "optimization_goal": "call_equity", "note": CANARY},
    "spawn_specialists": True,
}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """What the three examples gave, one after the other, and the folder that they left."""
    import anyio

    folder = tmp_path_factory.mktemp("usage")
    deployment = imported(folder)
    logged = logging.handlers.BufferingHandler(10_000)
    logging.getLogger().addHandler(logged)
    try:
        results, trial = anyio.run(_play, deployment, folder)
    finally:
        logging.getLogger().removeHandler(logged)
    return results, folder, "\n".join(record.getMessage() for record in logged.buffer), page(trial)


async def _play(deployment, folder):
    async with connected(deployment, principal=ANN) as client:

        async def ask(tool, arguments):
            reply = await client.call_tool(tool, arguments)
            assert not reply.is_error, reply.content
            return reply.structured_content

        async def act(run, tool, arguments=None):
            return await ask("act_as_agent", {"run_id": run, "tool": tool, "arguments": arguments or {}})

        # Example 1, by a scripted client's model; Bob, who is not the starter, decides.
        run = (await ask("invoke_scheduler_agent", MISSION))["goal_id"]
        days = {"start_date": "2025-02-03", "end_date": "2025-03-02", "async": False}
        wrong = await act(run, "generate_schedule", {"academic_year": "1999-2000", **days})
        assert (wrong["status"], wrong["code"]) == ("refused", "VALIDATION_ERROR"), wrong
        wanted = {"academic_year": "2024-2025", **days}
        waiting = await act(run, "generate_schedule", wanted)
        assert "A draft is made for 2025-02-03 to 2025-03-02, 28 days" in waiting["preview"]
        host = Host("pai", data_dir=folder, migrations=MIGRATIONS, clock=lambda: NOW, settings=PaiSettings())
        AgentService(host).approving.decide(waiting["approval"], approve=True, by="human::bob")
        generated = (await act(run, "generate_schedule", wanted))["result"]
        schedule = generated["schedule_id"]
        checked = (await act(run, "validate_schedule", {"schedule_id": schedule}))["result"]
        figures = generated["statistics"]
        made = await act(run, "finish", {"result": {
            "schedule_id": schedule, "assignments_created": figures["total_assignments"],
            "acgme_compliant": checked["is_valid"], "coverage_rate": figures.get("coverage_rate"),
        }})  # fmt: skip
        await ask("publish_schedule", {"schedule_id": schedule})

        # Example 2: the coordinator starts two specialists and plays each.
        run = (await ask("invoke_coordinator_agent", QUARTER))["goal_id"]
        for agent, tools in (
            ("OPTIMIZATION_SPECIALIST", ("validate_schedule", "analyze_hub_centrality")),
            ("SCHEDULER", ("validate_schedule",)),
        ):
            started = await act(run, "spawn_agent", {"agent": agent, "mission": "Look at call equity in force"})
            child = started["result"]["run_id"]
            for tool in tools:
                assert (await act(child, tool))["status"] == "done"
            assert (await act(child, "finish"))["status"] == "completed"
        optimised = await act(run, "finish", {"result": {"proposals": []}})
        audit = {
            "mission": "Audit Block 10 schedule for ACGME violations before deployment",
            "context": {"schedule_id": schedule, "check_rules": ["80_hour", "1_in_7", "supervision_ratio"]},
            "audit_scope": "acgme_only",
            "task": "audit_schedule",
        }
        audited = await ask("invoke_compliance_auditor_agent", audit)
        return (made, optimised, audited), await tried(client, folder)


def trail_of(result):
    return json.loads(Path(result["audit_trail_path"]).read_text())


async def test_a_block_is_generated_and_validated(played):
    result = played[0][0]
    assert result["agent_name"] == "SCHEDULER"
    assert result["tools_used"] == ["generate_schedule", "validate_schedule"]
    assert result["result"]["assignments_created"] > 0
    assert result["result"]["acgme_compliant"] is True
    assert result["status"] == "completed"


async def test_a_coordinator_starts_its_specialists(played):
    result = played[0][1]
    assert result["agent_name"] == "COORD_ENGINE"
    assert result["tools_used"] == []
    assert result["status"] == "completed"


async def test_an_audit_has_violations_recommendations_and_a_score(played):
    made, _, result = played[0]
    assert result["result"]["schedule_id"] == made["result"]["schedule_id"]
    assert result["result"]["rules_checked"] == ["80_HOUR_RULE", "1_IN_7_RULE", "SUPERVISION_RATIO"]
    assert result["result"]["violations"] == []
    assert result["result"]["recommendations"] == []
    assert result["result"]["compliance_score"] == 100.0
    assert result["status"] == "completed"


async def test_the_record_of_all_of_it_verifies_and_can_be_read(played):
    results, folder, _, _ = played
    report = verify(folder / AUDIT_FILE)
    assert (report.problem, report.rows > 10) == (None, True)
    agents = [row for row in tail(folder / AUDIT_FILE, 500) if "SCHEDULER" in json.dumps(row)]
    assert any("generate_schedule" in json.dumps(row) for row in agents)
    for result in results:
        trail = trail_of(result)
        assert trail["invocation_id"] == result["goal_id"]
        assert trail["tools_used"] == result["tools_used"]
        assert trail["tools_available"]
        assert trail["constraints_enforced"]


async def test_what_the_mission_says_is_in_no_sink(played):
    _, folder, logged, _ = played
    sinks = [path for path in folder.rglob("*") if path.is_file() and "pai/store" not in str(path)]
    assert any("trail" in str(path) for path in sinks)
    for word in CANARY.split():
        assert word not in logged
        for path in sinks:
            assert word.encode() not in path.read_bytes(), path


async def test_an_operators_trial_goes_as_its_page_says(played):
    assert played[3] == PAGE.read_text()


async def test_without_the_scheduling_pack_the_agents_say_which_tools_are_missing(tmp_path):
    deployment = deployment_for(data_dir=tmp_path, clock=lambda: NOW, pai=pack)
    async with connected(deployment, principal=ANN) as client:
        reply = await client.call_tool("invoke_scheduler_agent", MISSION)
        audit = await client.call_tool(
            "invoke_compliance_auditor_agent", {"mission": "Audit it", "task": "audit_schedule"}
        )
    assert reply.structured_content["result"]["not_on_this_host"] == [
        "analyze_swap_candidates", "detect_conflicts", "execute_swap", "generate_schedule", "validate_schedule",
    ]  # fmt: skip
    assert audit.structured_content["result"]["missing_tools"] == ["validate_schedule"]
