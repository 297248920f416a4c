"""The client's own model plays an agent, move by move: what it may do, what it is told, and what is on record."""

import json

import pytest
from pai_houses import BROKEN, DATES, House, without

from packhorse import Host, Principal
from packhorse.audit import tail
from packhorse.settings.tables import AUDIT_FILE
from packhorse.testing import connected
from packhorse_pai.convert import trail_line
from packhorse_pai.models import PaiSettings
from packhorse_pai.pack import MIGRATIONS
from packhorse_pai.service import agents_of

pytestmark = pytest.mark.anyio

YEAR = {"academic_year": "2024-2025", **DATES}


class Player:
    """A scripted client without sampling and without forms, as Claude Desktop is, and the person beside it."""

    def __init__(self, client, folder, house):
        self.client, self.folder, self.house = client, folder, house
        self.run = ""

    async def begin(self, tool, **arguments):
        reply = await self.client.call_tool(tool, arguments)
        assert not reply.is_error, reply.content
        self.run = reply.structured_content["goal_id"]
        return reply.structured_content

    async def act(self, tool, arguments=None, run=None, **more):
        given = {"run_id": run or self.run, "tool": tool, "arguments": arguments or {}, **more}
        reply = await self.client.call_tool("act_as_agent", given)
        assert not reply.is_error, reply.content
        return reply.structured_content

    def service(self):
        host = Host("pai", data_dir=self.folder, migrations=MIGRATIONS, clock=self.house.time, settings=PaiSettings())
        return agents_of(host)

    def decides(self, approval, *, approve=True):
        self.service().approving.decide(approval, approve=approve, by="terminal::ann")

    def attempts(self):
        return self.service().records.attempts()


@pytest.fixture
async def player(ward, tmp_path):
    house = House(ward, tmp_path)
    deployment = house.deployment()
    async with connected(deployment) as client:
        playing = Player(client, tmp_path, house)
        playing.deployment = deployment
        yield playing


async def test_a_mission_is_read_by_the_model_alone_and_nothing_runs_for_its_first_word(player):
    begun = await player.begin(
        "invoke_scheduler_agent", mission="Generate nothing yet; only tell me who is on call", context=DATES
    )
    assert begun["status"] == "open"
    assert begun["tools_used"] == []
    order = begun["result"]
    assert order["run_id"] == begun["goal_id"]
    assert order["mission"].startswith("Generate nothing yet")
    assert any(line.startswith("validate_schedule(") for line in order["tools"])
    assert player.house.ward.bodies() == []


async def test_a_read_runs_at_once_and_its_answer_is_data(player):
    await player.begin("invoke_scheduler_agent", mission="Is the roster lawful?")
    done = await player.act("validate_schedule")
    assert done["status"] == "done"
    assert done["result"]["is_valid"] is True
    ended = await player.act("finish", {"result": {"lawful": True}})
    assert ended["status"] == "completed"
    again = await player.act("validate_schedule")
    assert (again["status"], again["code"]) == ("refused", "NOT_OPEN")


async def test_a_change_waits_for_a_person_says_what_it_would_do_and_runs_once(player):
    await player.begin("invoke_swap_manager_agent", mission="Carry out swap s-1")
    assert (await player.act("validate_schedule"))["status"] == "done"
    waiting = await player.act("execute_swap", {"swap_id": "s-1"}, why="they agreed")
    assert waiting["status"] == "waiting"
    assert "http" not in json.dumps(waiting), "no link stands in an answer"
    assert f"`packhorse pai decide {waiting['approval']}` at a terminal of the server" in waiting["say"]
    assert (await player.act("execute_swap", {"swap_id": "s-1"}))["approval"] == waiting["approval"]
    player.decides(waiting["approval"])
    assert (await player.act("execute_swap", {"swap_id": "s-1"}))["status"] == "done"
    assert player.house.ward.bodies().count("execute_swap") == 1
    assert player.house.ward.bodies().index("snapshot_schedule") < player.house.ward.bodies().index("execute_swap")
    third = await player.act("execute_swap", {"swap_id": "s-1"})
    assert third["status"] in ("waiting", "denied"), "an approval is for one call"
    assert player.house.ward.bodies().count("execute_swap") == 1


async def test_the_trail_says_who_started_a_run_and_which_approval_a_call_waits_for(player):
    await player.begin("invoke_swap_manager_agent", mission="Carry out swap s-1")
    await player.act("validate_schedule")
    approval = (await player.act("execute_swap", {"swap_id": "s-1"}))["approval"]
    player.decides(approval)
    assert {trail_line(one)[21:] for one in player.attempts()} == {
        f"the person at this machine  start SWAP_MANAGER: done, edge, run {player.run}",
        "SWAP_MANAGER  tool validate_schedule: done, granted",
        f"SWAP_MANAGER  tool execute_swap: waits, awaiting_approval {approval}",
        f"ann at the terminal  approved {approval}: execute_swap of SWAP_MANAGER, run {player.run}",
    }


async def test_the_hosts_record_holds_the_decision_and_calls_no_act_ok_that_the_fence_held(player):
    await player.begin("invoke_swap_manager_agent", mission="Carry out swap s-1")
    await player.act("forbidden_tool")
    await player.act("validate_schedule")
    approval = (await player.act("execute_swap", {"swap_id": "s-1"}))["approval"]
    agents_of(player.deployment.hosts["pai"]).approving.decide(approval, approve=False, by="human:h:bob", comment="no")
    await player.act("execute_swap", {"swap_id": "s-1"})
    bodies = [row["body"] for row in tail(player.folder / AUDIT_FILE, 100)]
    ends = {body["begin"]: body["outcome"] for body in bodies if "begin" in body}
    acts = [ends[body["id"]] for body in bodies if body.get("call", {}).get("name") == "act_as_agent"]
    said = [(one["status"], one.get("code")) for one in acts]
    assert said == [("denied", "not_granted"), ("ok", None), ("ok", "WAITING"), ("denied", "approval")]
    (decided,) = [body["call"] for body in bodies if body.get("call", {}).get("kind") == "decision"]
    assert decided["name"] == f"deny execute_swap {approval}"
    assert decided["principal"] == {"kind": "human", "issuer": "h", "subject": "bob"}
    assert decided["arguments"] == {"run": player.run, "agent": "SWAP_MANAGER", "by": "bob (h)", "why": "no"}


async def test_what_a_person_denied_stays_denied(player):
    await player.begin("invoke_swap_manager_agent", mission="Carry out swap s-1")
    await player.act("validate_schedule")
    waiting = await player.act("execute_swap", {"swap_id": "s-1"})
    player.decides(waiting["approval"], approve=False)
    assert (await player.act("execute_swap", {"swap_id": "s-1"}))["rule"] == "approval"
    assert "execute_swap" not in player.house.ward.bodies()


async def test_at_most_three_calls_of_a_run_wait_for_a_person(player):
    await player.begin("invoke_swap_manager_agent", mission="Carry out the swaps")
    await player.act("validate_schedule")
    said = [await player.act("execute_swap", {"swap_id": f"s-{number}"}) for number in range(5)]
    assert [one["status"] for one in said] == ["waiting"] * 3 + ["denied"] * 2
    assert said[3]["rule"] == "too_many_asks"


@pytest.mark.parametrize(
    ("tool", "arguments", "status", "rule"),
    [
        ("forbidden_tool", {}, "denied", "not_granted"),
        ("execute_swap", {"swap_id": "x", "bogus": 1}, "denied", "not_granted"),
        ("EXECUTE_SWAP", {}, "denied", "unknown_tool"),
        ("execute_swap\u200b", {}, "denied", "unknown_tool"),
        ("invoke_agent", {}, "denied", "never_an_agent"),
        ("act_as_agent", {}, "denied", "never_an_agent"),
        ("spawn_agent", {"agent": "scheduler", "mission": "x"}, "denied", "unknown_agent"),
        ("spawn_agent", {"agent": "../../etc/passwd", "mission": "x"}, "denied", "unknown_agent"),
        ("spawn_agent", {"agent": "ORCHESTRATOR", "mission": "x"}, "denied", "no_edge"),
        ("spawn_agent", {"agent": 7}, "refused", "MALFORMED"),
        ("validate_schedule", {"schedule_id": 7}, "refused", "INVALID_ARGUMENTS"),
        ("describe", {"tool": "execute_swap"}, "denied", "not_granted"),
    ],
)
async def test_every_attempt_has_one_line_on_record_and_costs_a_call(player, tool, arguments, status, rule):
    """An auditor holds no swap: it is denied before it hears of the tool's shape."""
    await player.begin("invoke_compliance_auditor_agent", mission="Audit it")
    before = {one["id"] for one in player.attempts()}
    answer = await player.act(tool, arguments)
    assert answer["status"] == ("refused" if tool == "describe" else status), answer
    lines = [one for one in player.attempts() if one["id"] not in before]
    assert [(one["agent"], one["verdict"], one["rule"]) for one in lines] == [("COMPLIANCE_AUDITOR", status, rule)]
    assert "swap_id" not in json.dumps(answer), "a schema is not for those who hold no right"
    assert (await player.act("validate_schedule"))["left"]["calls"] == 38
    assert "forbidden_tool" not in player.house.ward.bodies()


async def test_a_run_that_is_not_yours_does_not_exist(player, ward, tmp_path):
    await player.begin("invoke_scheduler_agent", mission="Look")
    eve = Principal("human", "eve", frozenset({"COORDINATOR"}))
    async with connected(player.house.deployment(), principal=eve) as client:
        other = Player(client, tmp_path, player.house)
        answer = await other.act("validate_schedule", run=player.run)
    assert answer["code"] == "UNKNOWN_RUN"
    assert ward.bodies() == []
    assert "NO_RUN" in [one["rule"] for one in player.attempts()]


async def test_a_coordinator_plays_a_specialist_and_is_no_more_complete_than_it(player):
    begun = await player.begin("invoke_coordinator_agent", coordinator_name="COORD_RESILIENCE", mission="Assess it")
    assert begun["result"]["may_start"] == ["COMPLIANCE_AUDITOR", "RESILIENCE_ENGINEER"]
    started = await player.act("spawn_agent", {"agent": "COMPLIANCE_AUDITOR", "mission": "Audit it"})
    child = started["result"]["run_id"]
    assert (await player.act("finish"))["code"] == "SPECIALISTS_OPEN"
    assert (await player.act("validate_schedule", run=child))["status"] == "done"
    assert (await player.act("execute_swap", {"swap_id": "s"}, run=child))["rule"] == "not_granted"
    assert player.house.ward.hands[-1][2] == ("COMPLIANCE_AUDITOR", "COORD_RESILIENCE")
    assert (await player.act("finish", run=child))["status"] == "escalated"
    assert (await player.act("finish"))["status"] == "escalated"


async def test_an_audit_checks_its_scope_whatever_the_model_asks_for(player):
    await player.begin("invoke_compliance_auditor_agent", mission="Audit it", audit_scope="institutional_only")
    assert (await player.act("validate_schedule"))["rule"] == "argument"
    assert (await player.act("validate_schedule", {"validation_rules": ["80_HOUR_RULE"]}))["rule"] == "argument"
    done = await player.act("validate_schedule", {"validation_rules": ["MINIMUM_STAFFING"]})
    assert done["result"]["rules_checked"] == ["MINIMUM_STAFFING"]


async def test_a_violation_that_a_model_sees_is_escalated_by_the_pack(player):
    player.house.ward.violations = [BROKEN]
    await player.begin("invoke_scheduler_agent", mission="Is it lawful?")
    await player.act("validate_schedule")
    ended = await player.act("finish")
    assert ended["status"] == "escalated"
    assert [one["type"] for one in ended["escalations"]] == ["violations_found"]


async def test_no_tool_that_a_client_lists_decides_an_approval(player):
    names = {tool.name for tool in (await player.client.list_tools()).tools}
    assert "act_as_agent" in names
    assert not names & {"decide_approval", "list_pending_approvals"}


async def test_a_backup_that_cannot_be_taken_keeps_a_change_from_being_asked_for(ward, tmp_path):
    house = House(ward, tmp_path)
    house.modules["wards"] = without(ward.module(), "snapshot_schedule")
    async with connected(house.deployment()) as client:
        player = Player(client, tmp_path, house)
        await player.begin("invoke_scheduler_agent", mission="Make the block", context=DATES)
        assert (await player.act("generate_schedule", YEAR))["rule"] == "precondition"
    assert "generate_schedule" not in ward.bodies()


async def test_what_was_validated_and_approved_of_one_version_licenses_nothing_of_the_next(player):
    """A change between ask and use: the approval does not fit, and facts must be proved again."""
    ward = player.house.ward
    await player.begin("invoke_swap_manager_agent", mission="Carry out swap s-1")
    await player.act("validate_schedule")
    first = await player.act("execute_swap", {"swap_id": "s-1"})
    ward.version += 1  # somebody publishes another schedule
    player.decides(first["approval"])
    denied = await player.act("execute_swap", {"swap_id": "s-1"})
    assert (denied["status"], denied["rule"]) == ("denied", "precondition")
    assert "execute_swap" not in ward.bodies()
    await player.act("validate_schedule")
    again = await player.act("execute_swap", {"swap_id": "s-1"})
    assert again["status"] == "waiting"
    assert again["approval"] != first["approval"]
    player.decides(again["approval"])
    assert (await player.act("execute_swap", {"swap_id": "s-1"}))["status"] == "done"
    assert ward.bodies().count("snapshot_schedule") == 2, "each version has a backup of its own"


async def test_a_run_proves_again_what_its_own_change_made_old(player):
    ward = player.house.ward
    await player.begin("invoke_swap_manager_agent", mission="Carry out both swaps")
    await player.act("validate_schedule")
    waiting = await player.act("execute_swap", {"swap_id": "s-1"})
    player.decides(waiting["approval"])
    assert (await player.act("execute_swap", {"swap_id": "s-1"}))["status"] == "done"
    ward.version += 1  # as the swap did
    assert (await player.act("execute_swap", {"swap_id": "s-2"}))["rule"] == "precondition"
    assert ward.bodies().count("execute_swap") == 1


async def test_behind_the_fence_a_client_lists_and_calls_no_tool_that_changes_something(ward, tmp_path):
    from mcp.shared.exceptions import MCPError

    house = House(ward, tmp_path, fenced=True, missions="person")
    async with connected(house.deployment()) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"act_as_agent", "validate_schedule"} <= names
        assert not names & {"execute_swap", "generate_schedule", "snapshot_schedule", "forbidden_tool"}
        for tool, given in (
            ("execute_swap", {"swap_id": "s"}),
            ("snapshot_schedule", {"label": "x"}),
            ("forbidden_tool", {}),
            ("execute_swap", {"no_such": 1}),  # what may not be called tells nothing of its shape
            ("execute_swap", {}),
        ):
            with pytest.raises(MCPError, match="Start an agent"):
                await client.call_tool(tool, given)
        assert ward.bodies() == []
        player = Player(client, tmp_path, house)
        await player.begin("invoke_swap_manager_agent", mission="Carry out swap s-1", require_approval=False)
        await player.act("validate_schedule")
        waiting = await player.act("execute_swap", {"swap_id": "s-1"})
        assert waiting["status"] == "waiting", waiting
        player.decides(waiting["approval"])
        assert (await player.act("execute_swap", {"swap_id": "s-1"}))["status"] == "done"


async def test_behind_the_fence_a_task_that_a_client_begins_changes_nothing_before_a_person_said_yes(ward, tmp_path):
    """Its arguments come from the client's context: without this, a task would be a door beside the fence."""
    house = House(ward, tmp_path, fenced=True)
    given = {"mission": "Swap it", "context": {"swap_id": "s-1"}, "task": "execute_swap", "require_approval": False}
    waiting = await house.call("invoke_swap_manager_agent", given)
    assert waiting["status"] == "awaiting_approval", waiting
    assert "execute_swap" not in ward.bodies()
    house.decides(waiting["result"]["approvals"][0]["approval_id"])
    done = await house.call("invoke_agent", {"goal_id": waiting["goal_id"]})
    assert done["status"] == "completed", done
    assert ward.bodies().count("execute_swap") == 1


@pytest.mark.parametrize("settings", [{"fenced": True, "missions": "person"}, {"fenced": False}])
async def test_a_task_goes_on_by_itself_where_people_begin_it_or_nothing_is_fenced(ward, tmp_path, settings):
    house = House(ward, tmp_path, **settings)
    given = {"mission": "Swap it", "context": {"swap_id": "s-1"}, "task": "execute_swap", "require_approval": False}
    assert (await house.call("invoke_swap_manager_agent", given))["status"] == "completed"
