"""The specification's first two examples on a whole sample year, played by a client's own model, a person deciding."""

from datetime import timedelta

import pytest
from pai_houses import Time
from pai_operator_script import ANN, NOW

from packhorse import Host
from packhorse.testing import connected, deployment_for
from packhorse_pai import pack
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.store.migrations import MIGRATIONS

scheduling = pytest.importorskip(
    "packhorse_scheduling.pack", reason="the scheduling pack is not installed: no schedule to work on"
)

pytestmark = pytest.mark.anyio

BLOCK = {
    "mission": "Generate a 4-week schedule for Block 10 (Feb 3 - Mar 2, 2025)",
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
    "context": {"quarter": "Q1", "year": 2025, "optimization_goal": "call_equity"},
    "spawn_specialists": True,
}


def sampled(folder, time):
    """A deployment of both packs, with the sample programme of 2024-2025 as the command writes it."""
    from packhorse_scheduling.domain.programme.sample import Shape, sample
    from packhorse_scheduling.service import RosterDesk

    host = Host("scheduling", data_dir=folder, migrations=scheduling.pack.migrations, clock=time)
    RosterDesk(host).import_programme(sample(Shape(residents=12, faculty=8, seed=1, start_year=2024)))
    return deployment_for(data_dir=folder, clock=time, pai=pack, scheduling=scheduling)


class Office:
    """A client whose own model plays agents, and the people beside it."""

    def __init__(self, client, folder, time):
        self.client, self.time = client, time
        self.service = AgentService(
            Host("pai", data_dir=folder, migrations=MIGRATIONS, clock=time, settings=PaiSettings())
        )

    async def call(self, tool, arguments):
        reply = await self.client.call_tool(tool, arguments)
        assert not reply.is_error, reply.content
        return reply.structured_content

    async def act(self, run, tool, arguments=None):
        return await self.call("act_as_agent", {"run_id": run, "tool": tool, "arguments": arguments or {}})

    async def approved(self, run, tool, arguments, *, after=6):
        """What a call answers once another person has read it and said yes; and what they read.

        Schedules are generated once in five minutes, so six have passed.
        """
        self.time.now += timedelta(minutes=after)
        waiting = await self.act(run, tool, arguments)
        assert waiting["status"] == "waiting", waiting
        self.service.approving.decide(waiting["approval"], approve=True, by="human::bob")
        done = await self.act(run, tool, arguments)
        assert done["status"] == "done", done
        return done["result"], waiting["preview"]


def days(start, end, **more):
    return {"academic_year": "2024-2025", "start_date": start, "end_date": end, "async": False, **more}


async def test_both_examples_run_from_the_mission_to_the_result_on_a_year_of_which_nothing_is_published(tmp_path):
    time = Time()
    time.now = NOW
    async with connected(sampled(tmp_path, time), principal=ANN) as client:
        office = Office(client, tmp_path, time)
        begun = await office.call("invoke_scheduler_agent", BLOCK)
        run = begun["goal_id"]
        assert (begun["agent_name"], begun["status"]) == ("SCHEDULER", "open")
        assert begun["result"]["constraints"] == BLOCK["constraints"]
        block = days("2025-02-03", "2025-03-02")
        refused = await office.act(run, "generate_schedule", block)
        assert refused["status"] == "refused", "what cannot be done is not asked of a person"
        assert "from 2025-02-03 to 2025-06-30" in refused["reason"]
        assert office.service.approving.pending() == []
        # At once: what was refused has used up none of the tool's allowance.
        year, shown = await office.approved(run, "generate_schedule", days("2024-07-01", "2025-06-30"), after=0)
        assert "2024-07-01 to 2025-06-30, 365 days" in shown
        checked = await office.act(run, "validate_schedule", {"schedule_id": year["schedule_id"]})
        assert checked["result"]["is_valid"] is True
        assert (await office.act(run, "finish", {"result": {"draft": year["schedule_id"]}}))["status"] == "completed"
        await office.call("publish_schedule", {"schedule_id": year["schedule_id"]})

        run = (await office.call("invoke_scheduler_agent", BLOCK))["goal_id"]
        made, shown = await office.approved(run, "generate_schedule", block)
        assert "2025-02-03 to 2025-03-02, 28 days" in shown
        draft = made["schedule_id"]
        checked = await office.act(run, "validate_schedule", {"schedule_id": draft})
        conflicts = await office.act(run, "detect_conflicts", {key: block[key] for key in ("start_date", "end_date")})
        assert (checked["status"], conflicts["status"]) == ("done", "done"), conflicts
        statistics = made["statistics"]
        result = {
            "schedule_id": draft,
            "assignments_created": statistics["total_assignments"],
            "acgme_compliant": checked["result"]["is_valid"],
            "coverage_rate": statistics["coverage_rate"],
        }
        ended = await office.act(run, "finish", {"result": result})
        assert (ended["status"], ended["goal_id"]) == ("completed", run)
        assert ended["tools_used"] == ["generate_schedule", "validate_schedule", "detect_conflicts"]
        assert ended["result"] == result
        assert result["acgme_compliant"] is True
        assert result["coverage_rate"] >= 0.98

        lead = (await office.call("invoke_coordinator_agent", QUARTER))["goal_id"]

        async def starts(agent, mission):
            started = await office.act(lead, "spawn_agent", {"agent": agent, "mission": mission})
            assert started["status"] == "done", started
            return started["result"]["run_id"]

        analyst = await starts("OPTIMIZATION_SPECIALIST", "On whom does coverage depend?")
        hubs = await office.act(analyst, "analyze_hub_centrality")
        assert (hubs["status"], len(hubs["result"]["hubs"]) > 0) == ("done", True)
        ended = await office.act(analyst, "finish", {"result": {"hubs": len(hubs["result"]["hubs"])}})
        assert ended["status"] == "completed"
        maker = await starts("SCHEDULER", "Improve call equity of what is left of Q1 2025")
        quarter = days("2025-01-20", "2025-03-31", generation_mode="OPTIMIZATION")
        better, shown = await office.approved(maker, "generate_schedule", quarter)
        assert "OPTIMIZATION" in shown
        draft = better["schedule_id"]
        assert (await office.act(maker, "validate_schedule", {"schedule_id": draft}))["result"]["is_valid"] is True
        assert (await office.act(maker, "finish", {"result": {"schedule_id": draft}}))["status"] == "completed"
        equity = {row["measure"]: row for row in better["measures"]}["nights, SD"]
        assert equity["after"] <= equity["before"]
        ended = await office.act(lead, "finish", {"result": {"schedule_id": draft, "call_equity": equity}})
        assert (ended["agent_name"], ended["status"]) == ("COORD_ENGINE", "completed")
        assert ended["result"]["call_equity"]["measure"] == "nights, SD"
        spawned = {one["tool"]: one["verdict"] for one in office.service.records.attempts() if one["kind"] == "spawn"}
        assert spawned == {"OPTIMIZATION_SPECIALIST": "done", "SCHEDULER": "done"}
