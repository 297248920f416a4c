"""The judgement of agents' calls: runs, chains, budgets, rates, supervision and approvals."""

import asyncio
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

import pytest
from attrs import evolve

from packhorse import Call, Foresight, Host, Principal
from packhorse_pai.domain.budgets import Ledger
from packhorse_pai.domain.digests import action_digest
from packhorse_pai.domain.playbooks import Mission
from packhorse_pai.domain.policy import HostTool, Limits
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.service.running.runs import Run
from packhorse_pai.store.approvals import Approval
from packhorse_pai.store.migrations import MIGRATIONS

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def desk(tmp_path):
    return AgentService(
        Host("pai", data_dir=tmp_path, migrations=MIGRATIONS, clock=lambda: NOON, settings=PaiSettings())
    )


@pytest.fixture
def at_work(desk):
    """Begins runs of a tree, and gives the principal of each."""
    person = Principal("human", "ann", frozenset({"COORDINATOR"}))
    names = {"validate_schedule", "generate_schedule", "detect_conflicts", "execute_swap", "forbidden_tool"}
    policy = desk.library.compiled({name: HostTool(name, name == "validate_schedule") for name in names}).policy
    # Here it may change something, so that there is one tool that needs nothing first but a person.
    policy = evolve(policy, tools={**policy.tools, "detect_conflicts": HostTool("detect_conflicts", digest="t1")})

    def begin(agent, parent=None, **limits):
        run = Run(
            id=f"run-{agent}-{id(limits)}",
            agent=agent,
            card=desk.library.readings[agent].card,
            chain=(agent, *(parent[0].chain if parent else ())),
            person=person,
            owner="human::ann",
            mission=Mission("m"),
            policy=policy,
            ledger=Ledger(agent, Limits(**limits), NOON),
            driver="playbook",
            parent=parent[0] if parent else None,
        )
        desk.checker.enter(run)
        acting = parent[1] if parent else person
        return run, acting.agent(agent, run=run.id)

    return begin


def wants(desk, principal, tool, **arguments):
    return desk.judge(principal, Call(tool, "wards", arguments))


async def test_the_gate_knows_no_run_but_those_at_work(desk, at_work):
    run, agent = at_work("SCHEDULER")
    assert wants(desk, agent, "validate_schedule") is None
    desk.checker.leave(run)
    assert "no run" in wants(desk, agent, "validate_schedule")


@pytest.mark.parametrize(
    "forge",
    [
        lambda p: Principal("agent", "ann", p.roles, chain=("COORD_ENGINE",), acts_for=p.acts_for, run=p.run),
        lambda p: Principal("agent", "ann", p.roles, chain=(*p.chain, "COORD_ENGINE"), acts_for=p.acts_for, run=p.run),
        lambda p: Principal("agent", "ann", p.roles, chain=p.chain, acts_for=Principal("local"), run=p.run),
        lambda p: Principal("agent", "ann", p.roles, chain=p.chain, acts_for=p.acts_for, run="other"),
        lambda p: Principal("agent", "ann", p.roles, chain=p.chain, acts_for=p.acts_for),
        lambda p: Principal("agent", "ann", p.roles, chain=p.chain, run=p.run),
    ],
    ids=["another agent", "a longer chain", "another person", "another run", "no run", "nobody"],
)
async def test_a_forged_agent_is_denied(desk, at_work, forge):
    _, agent = at_work("SCHEDULER")
    assert "no run" in wants(desk, forge(agent), "validate_schedule")


async def test_a_person_is_not_the_gates_business(desk):
    for kind in ("human", "local", "anonymous", "system"):
        assert wants(desk, Principal(kind), "decide_approval") is None


async def test_a_child_uses_its_parents_budget(desk, at_work):
    chief = at_work("COORD_ENGINE", calls=3)
    _, child = at_work("SCHEDULER", chief, calls=10)
    verdicts = [wants(desk, child, "validate_schedule") for _ in range(4)]
    assert verdicts[:3] == [None] * 3
    assert "COORD_ENGINE has used its 3 calls" in verdicts[3]
    assert chief[0].ledger.used["calls"] == 3


async def test_an_agent_keeps_its_cards_rate_over_all_its_runs(desk, at_work):
    verdicts = []
    for _ in range(3):
        run, agent = at_work("SCHEDULER")
        run.card = evolve(run.card, rate="2/hour")
        verdicts.append(wants(desk, agent, "validate_schedule"))
    assert verdicts == [None, None, "SCHEDULER has made as many calls as its rate allows: 2/hour."]


async def test_a_cycle_a_deep_chain_and_an_edge_that_is_none_are_denied(desk, at_work):
    chief = at_work("COORD_ENGINE")
    assert wants(desk, chief[1], "invoke_agent", agent_name="SCHEDULER") is None
    assert "already running" in wants(desk, chief[1], "invoke_agent", agent_name="COORD_ENGINE")
    assert "may not spawn" in wants(desk, chief[1], "invoke_agent", agent_name="COMPLIANCE_AUDITOR")
    assert "may not spawn" in wants(desk, chief[1], "invoke_compliance_auditor_agent", agent_name="SCHEDULER")
    assert "may not spawn" in wants(desk, chief[1], "invoke_coordinator_agent", coordinator_name="COORD_OPS")
    assert "no agent" in wants(desk, chief[1], "invoke_agent", goal_id="x")
    assert "no agent" in wants(desk, chief[1], "invoke_agent", agent_name=["SCHEDULER"])


async def test_spawns_are_counted_in_the_whole_tree(desk, at_work):
    chief = at_work("COORD_ENGINE", spawns=2)
    verdicts = [wants(desk, chief[1], "invoke_agent", agent_name="SCHEDULER") for _ in range(3)]
    assert verdicts[:2] == [None, None]
    assert "2 spawns" in verdicts[2]


async def test_an_audit_changes_nothing_whatever_its_card_says(desk, at_work):
    run, agent = at_work("SCHEDULER")
    run.reading = True
    assert "may change nothing" in wants(desk, agent, "generate_schedule")
    assert wants(desk, agent, "validate_schedule") is None


async def test_at_the_same_moment_many_calls_take_no_more_than_the_budget(desk, at_work):
    _, agent = at_work("SCHEDULER", calls=7)
    verdicts = await asyncio.gather(*(asyncio.to_thread(wants, desk, agent, "validate_schedule") for _ in range(20)))
    assert verdicts.count(None) == 7


# --- approvals, as the gate uses them ---


@pytest.fixture
def supervised(desk, at_work):
    """A supervised run on record, with its principal."""
    run, agent = at_work("SCHEDULER")
    run.supervised = True
    desk.records.add_run(
        {
            "id": run.id, "root": run.id, "parent": None, "parent_step": None, "agent": run.agent, "chain": "[]",
            "owner": run.owner, "mission": "m", "context": "{}", "constraints": "[]", "supervised": 1, "reading": 0,
            "spawning": 1, "mind": "playbook", "used": "{}", "seconds": 0, "status": "running", "log": "[]",
            "policy": run.policy.digest, "started": "x", "ended": None,
        }
    )  # fmt: skip
    return run, agent


def approve(desk, run, **changed):
    """A person approves what the run wanted, or a near miss of it."""
    wanted = run.wanted
    asked = Approval(
        id="a", run=run.id, agent=run.agent, chain=run.chain, tool=wanted.tool, arguments=wanted.arguments,
        tool_digest=run.policy.tools[wanted.tool].digest, policy_digest=run.policy.digest, action_digest=wanted.action,
        owner=run.owner, requested_at=NOON, expires_at=NOON + timedelta(hours=24), state="pending",
    )  # fmt: skip
    desk.records.ask(evolve(asked, **changed))
    assert desk.records.decide("a", approve=True, by="bob", comment=None, now=NOON)


async def test_what_waits_for_a_person_is_kept_with_its_arguments_and_debited(desk, supervised):
    run, agent = supervised
    assert "must approve detect_conflicts" in wants(desk, agent, "detect_conflicts", start_date="x", deep={"a": [1]})
    assert (run.wanted.tool, run.wanted.arguments) == ("detect_conflicts", {"start_date": "x", "deep": {"a": [1]}})
    assert run.wanted.action == desk.checker.action(run, "detect_conflicts", {"start_date": "x", "deep": {"a": [1]}})
    assert run.ledger.used["calls"] == 1
    assert [reason.rule for reason in run.denials] == ["approval"]


async def test_an_approved_call_runs_once(desk, supervised):
    run, agent = supervised
    wants(desk, agent, "detect_conflicts", start_date="x")
    approve(desk, run)
    decision = desk.checker.decided(run, "detect_conflicts", {"start_date": "x"}, consume=True)
    assert (decision.allowed, [reason.rule for reason in decision.reasons]) == (True, ["approved"])
    assert decision.text == "A person approved this call of detect_conflicts."
    assert "must approve" in wants(desk, agent, "detect_conflicts", start_date="x")


@pytest.mark.parametrize(
    "changed",
    [{"tool_digest": "other"}, {"policy_digest": "other"}, {"action_digest": "other"}],
    ids=["a changed tool", "a changed policy", "another action"],
)
async def test_an_approval_of_something_near_is_none(desk, supervised, changed):
    run, agent = supervised
    wants(desk, agent, "detect_conflicts", start_date="x")
    approve(desk, run, **changed)
    assert "must approve" in wants(desk, agent, "detect_conflicts", start_date="x")


@pytest.mark.parametrize("given", [{"start_date": "y"}, {}, {"start_date": "x", "end_date": "y"}])
async def test_an_approval_of_other_arguments_is_none(desk, supervised, given):
    run, agent = supervised
    wants(desk, agent, "detect_conflicts", start_date="x")
    approve(desk, run)
    assert "must approve" in wants(desk, agent, "detect_conflicts", **given)
    assert wants(desk, agent, "detect_conflicts", start_date="x") is None


async def test_frozen_arguments_are_kept_and_compared_as_plain_json(desk, supervised):
    run, agent = supervised
    frozen = {"deep": MappingProxyType({"list": ("a", MappingProxyType({"b": (1,)}))})}
    wants(desk, agent, "detect_conflicts", **frozen)
    assert run.wanted.arguments == {"deep": {"list": ["a", {"b": [1]}]}}
    assert type(run.wanted.arguments["deep"]) is dict
    approve(desk, run)
    assert wants(desk, agent, "detect_conflicts", deep={"list": ["a", {"b": [1]}]}) is None
    wants(desk, agent, "validate_schedule")
    (used,) = [figure.values for figure in desk.figures() if figure.name == "approvals"]
    assert used == {("used",): 1}


async def test_an_action_is_of_the_tool_as_offered_and_also_of_one_that_is_not(desk, supervised):
    run, _ = supervised
    tools = {**run.policy.tools, "detect_conflicts": HostTool("detect_conflicts", digest="t2")}
    before = desk.checker.action(run, "detect_conflicts", {})
    same = {"arguments": {}, "chain": run.chain, "owner": run.owner, "policy": run.policy.digest}
    assert before == action_digest(tool="detect_conflicts", tool_digest="t1", **same)
    run.policy = evolve(run.policy, tools=tools)
    assert desk.checker.action(run, "detect_conflicts", {}) != before
    assert desk.checker.action(run, "not_offered", {}) != desk.checker.action(run, "nor_this", {})


async def test_looking_at_a_verdict_uses_up_nothing(desk, supervised):
    run, agent = supervised
    wants(desk, agent, "detect_conflicts")
    approve(desk, run)
    run.wanted = None
    for _ in range(3):
        assert desk.checker.decided(run, "detect_conflicts", {}, consume=False).effect == "needs_approval"
    assert (run.wanted, run.ledger.used["calls"]) == (None, 1)
    assert wants(desk, agent, "detect_conflicts") is None


async def test_supervision_of_a_run_above_holds_below(desk, at_work):
    chief = at_work("COORD_ENGINE")
    chief[0].supervised = True
    _, child = at_work("SCHEDULER", chief)
    assert "must approve" in wants(desk, child, "detect_conflicts")
    assert wants(desk, child, "validate_schedule") is None


async def test_that_a_run_only_reads_holds_below_and_for_what_is_not_known(desk, at_work):
    chief = at_work("COORD_ENGINE")
    chief[0].reading = True
    _, child = at_work("SCHEDULER", chief)
    assert (
        wants(desk, child, "detect_conflicts")
        == "This run may change nothing, but detect_conflicts may change something."
    )
    assert "offers no tool" in wants(desk, child, "analyze_swap_candidates")


async def test_without_leave_to_start_specialists_none_is_started_and_nothing_debited(desk, at_work):
    run, agent = at_work("COORD_ENGINE")
    run.spawning = False
    assert "spawn_specialists false" in wants(desk, agent, "invoke_agent", agent_name="SCHEDULER")
    assert run.ledger.used == {"turns": 0, "calls": 0, "spawns": 0, "tokens": 0}
    run.spawning = True
    assert wants(desk, agent, "invoke_agent", agent_name="SCHEDULER") is None
    assert (run.ledger.used["calls"], run.ledger.used["spawns"]) == (1, 1)
    assert desk.checker.decided(run, "invoke_agent", {"agent_name": "SCHEDULER"}, consume=False).allowed
    assert not desk.checker.decided(run, "invoke_agent", {"agent_name": "COORD_OPS"}, consume=True).allowed
    assert run.ledger.used["spawns"] == 1


@pytest.mark.parametrize(
    ("tool", "arguments", "started"),
    [
        ("invoke_agent", {"agent_name": "SCHEDULER"}, True),
        ("invoke_agent", {"coordinator_name": "SCHEDULER"}, False),
        ("invoke_coordinator_agent", {"coordinator_name": "SCHEDULER"}, True),
        ("invoke_coordinator_agent", {"agent_name": "SCHEDULER"}, False),
        ("invoke_scheduler_agent", {}, True),
        ("invoke_scheduler_agent", {"agent_name": "COORD_OPS"}, True),
        ("invoke_swap_manager_agent", {}, True),
        ("invoke_compliance_auditor_agent", {"agent_name": "SCHEDULER"}, False),
    ],
)
async def test_who_is_started_is_read_from_the_tool_or_from_its_own_argument(desk, at_work, tool, arguments, started):
    _, agent = at_work("COORD_ENGINE")
    assert (wants(desk, agent, tool, **arguments) is None) == started


async def test_the_kill_switch_stops_calls_and_starts(desk, at_work):
    _, agent = at_work("COORD_ENGINE")
    desk.records.stop("bob", NOON)
    assert "stopped by the kill switch" in wants(desk, agent, "validate_schedule")
    assert "stopped by the kill switch" in wants(desk, agent, "invoke_agent", agent_name="SCHEDULER")
    desk.records.start()
    assert wants(desk, agent, "validate_schedule") is None


async def test_a_denied_call_costs_nothing_and_its_reasons_are_kept(desk, at_work):
    run, agent = at_work("COMPLIANCE_AUDITOR")
    assert "is not granted execute_swap" in wants(desk, agent, "execute_swap")
    assert run.ledger.used["calls"] == 0
    assert [reason.rule for reason in run.denials] == ["not_granted", "precondition"]


async def test_an_agent_that_acts_for_somebody_else_than_its_run_is_denied(desk, at_work):
    run, agent = at_work("SCHEDULER")
    run.owner = "human::eve"
    assert wants(desk, agent, "validate_schedule") == "This agent acts for another person."


async def test_turns_and_tokens_are_taken_from_all_above(desk, at_work):
    chief = at_work("COORD_ENGINE", turns=2)
    run, _ = at_work("SCHEDULER", chief)
    assert [desk.checker.take(run, "turns", 1) for _ in range(3)] == [None, None, "COORD_ENGINE has used its 2 turns."]
    assert desk.checker.active == 2
    desk.checker.leave(run)
    assert (desk.checker.active, desk.checker.find(run.id), desk.checker.find(None)) == (1, None, None)


async def test_facts_of_the_tree_hold_for_the_version_that_they_were_proved_of_and_no_other(desk, at_work):
    run, agent = at_work("SWAP_MANAGER")
    lacking = "needs first: backup_verified, validate_called"
    assert lacking in wants(desk, agent, "execute_swap", swap_id="s", schedule_id="x")
    run.foreseen = ("execute_swap", Foresight(version="x v1"))
    desk.records.add_facts(run.id, ("backup_verified", "validate_called"), "x v1")
    assert wants(desk, agent, "execute_swap", swap_id="s", schedule_id="x") is None
    run.foreseen = ("execute_swap", Foresight(version="x v2"))
    assert lacking in wants(desk, agent, "execute_swap", swap_id="s", schedule_id="x")
    run.foreseen = ("validate_schedule", Foresight(version="x v1"))
    assert lacking in wants(desk, agent, "execute_swap", swap_id="s", schedule_id="x"), "a nested call has no version"
